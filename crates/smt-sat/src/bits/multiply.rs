//! Products.

use crate::bits::{Word, add, as_constant, subtract};
use crate::gate::{Gates, Signal};

/// The product of two words of one width, modulo two to the width.
///
/// Multiplication by a constant adds or subtracts one shifted copy per non-zero digit of its signed form, which has no
/// two neighbouring non-zero digits. Otherwise one row per bit of the factor with more constant bits is added up.
pub(crate) fn multiply(gates: &mut Gates, left: &[Signal], right: &[Signal]) -> Word {
    let constants = |word: &[Signal]| word.iter().filter(|signal| signal.as_constant().is_some()).count();
    let (mut word, mut factor) = (left, right);
    if (constants(right), right) < (constants(left), left) {
        (word, factor) = (right, left);
    }
    if as_constant(factor).is_some() { by_constant(gates, word, factor) } else { by_rows(gates, word, factor) }
}

fn by_constant(gates: &mut Gates, word: &[Signal], factor: &[Signal]) -> Word {
    let width = word.len();
    let bit = |index: usize| factor.get(index) == Some(&Signal::TRUE);
    let mut sum = vec![Signal::FALSE; width];
    let mut carry = false;
    for index in 0..width {
        if bit(index) == carry {
            continue;
        }
        // An odd rest: its digit is -1 if the next bit is set as well, and then a carry remains.
        carry = bit(index + 1);
        let high = &word[..width - index];
        let changed = match carry {
            true => subtract(gates, &sum[index..], high),
            false => add(gates, &sum[index..], high, Signal::FALSE),
        };
        sum.splice(index.., changed);
    }
    sum
}

fn by_rows(gates: &mut Gates, word: &[Signal], factor: &[Signal]) -> Word {
    let width = word.len();
    let mut sum: Word = word.iter().map(|&bit| gates.and(bit, factor[0])).collect();
    for index in 1..width {
        if factor[index] == Signal::FALSE {
            continue;
        }
        let row: Word = word[..width - index].iter().map(|&bit| gates.and(bit, factor[index])).collect();
        let changed = add(gates, &sum[index..], &row, Signal::FALSE);
        sum.splice(index.., changed);
    }
    sum
}
