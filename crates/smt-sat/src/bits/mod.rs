//! Circuits for bit-vectors: a word is a slice of signals, the least significant bit first.

mod add;
mod compare;
mod divide;
mod multiply;
mod shift;

pub(crate) use add::{add, increment_if, negate, negate_if, subtract};
pub(crate) use compare::{equal, signed_less, unsigned_less};
pub(crate) use divide::{signed_modulo, signed_quotient, signed_remainder, unsigned_divide};
pub(crate) use multiply::multiply;
pub(crate) use shift::{Fill, shift_left, shift_right};

use value::UBig;

use crate::gate::{Gates, Signal};

/// A word of signals, the least significant bit first.
pub(crate) type Word = Vec<Signal>;

/// The lowest `width` bits of a number.
pub(crate) fn constant(width: usize, bits: &UBig) -> Word {
    (0..width).map(|index| Signal::constant(dashu_int::ops::BitTest::bit(bits, index))).collect()
}

/// The number a word stands for, if all its bits are constant.
pub(crate) fn as_constant(word: &[Signal]) -> Option<UBig> {
    let mut bits = UBig::ZERO;
    for (index, signal) in word.iter().enumerate() {
        if signal.as_constant()? {
            bits.set_bit(index);
        }
    }
    Some(bits)
}

/// Fresh inputs.
pub(crate) fn inputs(gates: &mut Gates, width: usize) -> Word {
    (0..width).map(|_| gates.input()).collect()
}

/// Applies a gate to the bits of two words of one width.
pub(crate) fn zip(
    gates: &mut Gates,
    left: &[Signal],
    right: &[Signal],
    gate: impl Fn(&mut Gates, Signal, Signal) -> Signal,
) -> Word {
    left.iter().zip(right).map(|(&a, &b)| gate(gates, a, b)).collect()
}

/// Every bit negated.
pub(crate) fn not(word: &[Signal]) -> Word {
    word.iter().map(|&signal| !signal).collect()
}

/// One of two words of one width.
pub(crate) fn choose(gates: &mut Gates, condition: Signal, then: &[Signal], otherwise: &[Signal]) -> Word {
    zip(gates, then, otherwise, |gates, a, b| gates.choose(condition, a, b))
}

/// The word with zeros above, or cut, to `width` bits.
pub(crate) fn zero_extend(word: &[Signal], width: usize) -> Word {
    (0..width).map(|index| word.get(index).copied().unwrap_or(Signal::FALSE)).collect()
}

/// The word with copies of its sign bit above, or cut, to `width` bits.
pub(crate) fn sign_extend(word: &[Signal], width: usize) -> Word {
    let sign = *word.last().expect("a word has at least one bit");
    (0..width).map(|index| word.get(index).copied().unwrap_or(sign)).collect()
}
