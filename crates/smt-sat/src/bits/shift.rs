//! Shifts by a variable amount: one stage per bit of the amount (barrel shifters).

use crate::bits::Word;
use crate::gate::{Gates, Signal};

/// What a shift to the right moves in from above.
#[derive(Clone, Copy)]
pub(crate) enum Fill {
    Zero,
    Sign,
}

/// `word` shifted left by `amount`; everything is shifted out by amounts of at least the width.
pub(crate) fn shift_left(gates: &mut Gates, word: &[Signal], amount: &[Signal]) -> Word {
    let reversed: Word = word.iter().rev().copied().collect();
    let mut shifted = stages(gates, reversed, amount, Signal::FALSE);
    shifted.reverse();
    shifted
}

/// `word` shifted right by `amount`.
pub(crate) fn shift_right(gates: &mut Gates, word: &[Signal], amount: &[Signal], fill: Fill) -> Word {
    let fill = match fill {
        Fill::Zero => Signal::FALSE,
        Fill::Sign => *word.last().expect("a word has at least one bit"),
    };
    stages(gates, word.to_vec(), amount, fill)
}

/// Stage `k` moves by `2^k`. Stages that would move by the width or more are one: whether any of their bits is set.
/// The smaller ones may together move by more than the width, which fills the word as it should.
fn stages(gates: &mut Gates, mut word: Word, amount: &[Signal], fill: Signal) -> Word {
    let width = word.len();
    let small = (usize::BITS - (width - 1).leading_zeros()) as usize;
    for (stage, &bit) in amount.iter().enumerate().take(small) {
        let distance = 1usize << stage;
        for index in 0..width {
            let moved = word.get(index + distance).copied().unwrap_or(fill);
            word[index] = gates.choose(bit, moved, word[index]);
        }
    }
    let out = gates.any(amount.get(small..).unwrap_or_default());
    word.iter().map(|&bit| gates.choose(out, fill, bit)).collect()
}
