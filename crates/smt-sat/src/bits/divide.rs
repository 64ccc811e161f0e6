//! Quotients and remainders: restoring division, one conditional subtraction per bit.
//!
//! Quotient and remainder of the same words share all their gates, because equal gates are built once.

use crate::bits::{Word, add, choose, negate, negate_if, not, zero_extend};
use crate::gate::{Gates, Signal};

/// The unsigned quotient and remainder. By zero they are all ones and the dividend, as in SMT-LIB: no subtraction of
/// zero ever fails.
pub(crate) fn unsigned_divide(gates: &mut Gates, dividend: &[Signal], divisor: &[Signal]) -> (Word, Word) {
    let width = dividend.len();
    // A remainder is less than the divisor, unless that is zero.
    let positive = divisor.contains(&Signal::TRUE);
    let high = divisor.iter().rposition(|&bit| bit != Signal::FALSE).filter(|_| positive);
    let most = high.map_or(width, |high| high + 1);
    let mut remainder: Word = Vec::with_capacity(width + 1);
    let mut quotient = vec![Signal::FALSE; width];
    for index in (0..width).rev() {
        remainder.insert(0, dividend[index]);
        // Before the top bits come in, the remainder is narrow: the divisor's bits above it must all be zero.
        let narrow = remainder.len().min(width);
        let above = gates.any(&divisor[narrow..]);
        let subtrahend = zero_extend(&divisor[..narrow], remainder.len());
        let (difference, no_borrow) = subtract_with_carry(gates, &remainder, &subtrahend);
        let fits = gates.and(no_borrow, !above);
        remainder = choose(gates, fits, &difference, &remainder);
        remainder.truncate(most);
        quotient[index] = fits;
    }
    (quotient, zero_extend(&remainder, width))
}

/// The difference, and whether there was no borrow.
fn subtract_with_carry(gates: &mut Gates, left: &[Signal], right: &[Signal]) -> (Word, Signal) {
    let left = zero_extend(left, left.len() + 1);
    let mut right = not(right);
    right.push(Signal::FALSE);
    let mut sum = add(gates, &left, &right, Signal::TRUE);
    let carry = sum.pop().expect("a word has at least one bit");
    (sum, carry)
}

/// The signed quotient, rounded towards zero.
pub(crate) fn signed_quotient(gates: &mut Gates, dividend: &[Signal], divisor: &[Signal]) -> Word {
    let (left, right) = (sign(dividend), sign(divisor));
    let (quotient, _) = divide_magnitudes(gates, dividend, divisor);
    let differ = gates.xor(left, right);
    negate_if(gates, differ, &quotient)
}

/// The signed remainder, with the dividend's sign.
pub(crate) fn signed_remainder(gates: &mut Gates, dividend: &[Signal], divisor: &[Signal]) -> Word {
    let (_, remainder) = divide_magnitudes(gates, dividend, divisor);
    negate_if(gates, sign(dividend), &remainder)
}

/// The signed remainder, with the divisor's sign: that of the dividend, moved by one divisor where the signs differ and
/// it is not zero.
pub(crate) fn signed_modulo(gates: &mut Gates, dividend: &[Signal], divisor: &[Signal]) -> Word {
    let remainder = signed_remainder(gates, dividend, divisor);
    let differ = gates.xor(sign(dividend), sign(divisor));
    let nonzero = gates.any(&remainder);
    let correct = gates.and(differ, nonzero);
    let moved: Word = divisor.iter().map(|&bit| gates.and(bit, correct)).collect();
    add(gates, &remainder, &moved, Signal::FALSE)
}

fn divide_magnitudes(gates: &mut Gates, dividend: &[Signal], divisor: &[Signal]) -> (Word, Word) {
    let dividend = magnitude(gates, dividend);
    let divisor = magnitude(gates, divisor);
    unsigned_divide(gates, &dividend, &divisor)
}

fn magnitude(gates: &mut Gates, word: &[Signal]) -> Word {
    let negative = sign(word);
    if negative == Signal::TRUE { negate(gates, word) } else { negate_if(gates, negative, word) }
}

fn sign(word: &[Signal]) -> Signal {
    *word.last().expect("a word has at least one bit")
}
