//! Products.

use crate::bits::{Word, add, as_constant, subtract};
use crate::gate::{Gates, Signal};

/// The product of two words of one width, modulo two to the width.
///
/// Multiplication by a constant adds or subtracts one shifted copy per non-zero digit of its signed form, which has no
/// two neighbouring non-zero digits. Otherwise the partial products are added up column by column.
pub(crate) fn multiply(gates: &mut Gates, left: &[Signal], right: &[Signal]) -> Word {
    let constants = |word: &[Signal]| word.iter().filter(|signal| signal.as_constant().is_some()).count();
    let (mut word, mut factor) = (left, right);
    if (constants(right), right) < (constants(left), left) {
        (word, factor) = (right, left);
    }
    if as_constant(factor).is_some() { by_constant(gates, word, factor) } else { by_columns(gates, word, factor) }
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

/// The partial products by the column they count in; full adders bring every column down to one bit, and their carries
/// go to the next column. The newest bits first: that is an array of carry-save adders.
fn by_columns(gates: &mut Gates, word: &[Signal], factor: &[Signal]) -> Word {
    let width = word.len();
    let mut column: Word = Vec::new();
    let mut product = Vec::with_capacity(width);
    for place in 0..width {
        let mut carries = Vec::new();
        let partial = (0..=place).map(|index| gates.and(word[place - index], factor[index]));
        let mut summands: Word = partial.collect();
        summands.append(&mut column);
        summands.retain(|&bit| bit != Signal::FALSE);
        while 1 < summands.len() {
            let mut next = || summands.pop().unwrap_or(Signal::FALSE);
            let (a, b, c) = (next(), next(), next());
            summands.push(gates.parity(a, b, c));
            carries.push(gates.majority(a, b, c));
        }
        product.push(summands.pop().unwrap_or(Signal::FALSE));
        column = carries;
    }
    product
}
