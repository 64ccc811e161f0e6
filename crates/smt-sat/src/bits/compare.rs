//! Comparisons.

use crate::gate::{Gates, Signal};

/// Whether two words of one width are equal.
pub(crate) fn equal(gates: &mut Gates, left: &[Signal], right: &[Signal]) -> Signal {
    let same: Vec<Signal> = left.iter().zip(right).map(|(&a, &b)| gates.iff(a, b)).collect();
    if same.contains(&Signal::FALSE) {
        return Signal::FALSE;
    }
    gates.all(&same)
}

/// Whether the left word is less than the right one, as unsigned numbers: the borrow of their difference.
pub(crate) fn unsigned_less(gates: &mut Gates, left: &[Signal], right: &[Signal]) -> Signal {
    left.iter().zip(right).fold(Signal::FALSE, |less, (&a, &b)| gates.majority(!a, b, less))
}

/// Whether the left word is less than the right one, in two's complement.
pub(crate) fn signed_less(gates: &mut Gates, left: &[Signal], right: &[Signal]) -> Signal {
    let (&left_sign, left_rest) = left.split_last().expect("a word has at least one bit");
    let (&right_sign, right_rest) = right.split_last().expect("a word has at least one bit");
    let less = unsigned_less(gates, left_rest, right_rest);
    gates.majority(left_sign, !right_sign, less)
}
