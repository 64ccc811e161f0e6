//! Sums and negations: ripple-carry adders.

use crate::bits::{Word, not};
use crate::gate::{Gates, Signal};

/// The sum of two words of one width and a carry, modulo two to the width.
pub(crate) fn add(gates: &mut Gates, left: &[Signal], right: &[Signal], carry: Signal) -> Word {
    let mut carry = carry;
    let mut sum = Vec::with_capacity(left.len());
    for (&a, &b) in left.iter().zip(right) {
        sum.push(gates.parity(a, b, carry));
        carry = gates.majority(a, b, carry);
    }
    sum
}

/// The difference of two words of one width.
pub(crate) fn subtract(gates: &mut Gates, left: &[Signal], right: &[Signal]) -> Word {
    add(gates, left, &not(right), Signal::TRUE)
}

/// The two's complement negation.
pub(crate) fn negate(gates: &mut Gates, word: &[Signal]) -> Word {
    increment_if(gates, Signal::TRUE, &not(word))
}

/// The word plus one, if the condition holds.
pub(crate) fn increment_if(gates: &mut Gates, condition: Signal, word: &[Signal]) -> Word {
    let mut carry = condition;
    let mut sum = Vec::with_capacity(word.len());
    for &bit in word {
        sum.push(gates.xor(bit, carry));
        carry = gates.and(bit, carry);
    }
    sum
}

/// The two's complement negation, if the condition holds.
pub(crate) fn negate_if(gates: &mut Gates, condition: Signal, word: &[Signal]) -> Word {
    let flipped: Word = word.iter().map(|&bit| gates.xor(bit, condition)).collect();
    increment_if(gates, condition, &flipped)
}
