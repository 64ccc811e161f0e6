//! Arithmetic on constants, with the rules of C. What is undefined is not folded.

use std::cmp::Ordering;

use crate::expr::{BinaryOp, UnaryOp};
use crate::extended;
use crate::types::Integer;

/// An operator on integers of one type; none if the result is undefined or implementation defined.
pub(super) fn integer(operator: BinaryOp, ty: Integer, left: i128, right: i128) -> Option<i128> {
    use BinaryOp::*;
    if ty.bits == 128 && !ty.signed {
        return unsigned128(operator, left as u128, right as u128);
    }
    let fit = |value: Option<i128>| {
        let value = value?;
        if ty.signed { ty.holds(value).then_some(value) } else { Some(ty.wrap(value)) }
    };
    match operator {
        Add => fit(left.checked_add(right)),
        Subtract => fit(left.checked_sub(right)),
        Multiply => match left.checked_mul(right) {
            Some(product) => fit(Some(product)),
            None if !ty.signed => Some(ty.wrap(left.wrapping_mul(right))),
            None => None,
        },
        Divide => fit(left.checked_div(right)),
        // The remainder of the smallest value by -1 is as undefined as the quotient.
        Remainder => fit(left.checked_div(right)).and_then(|_| left.checked_rem(right)),
        And => Some(ty.wrap(left & right)),
        Or => Some(ty.wrap(left | right)),
        Xor => Some(ty.wrap(left ^ right)),
        ShiftLeft => {
            let within = 0 <= right && right < i128::from(ty.bits) && (!ty.signed || left >= 0);
            if within {
                fit(if ty.signed { left.checked_mul(1i128.checked_shl(right as u32)?) } else { Some(left << right) })
            } else {
                None
            }
        }
        ShiftRight => (0 <= right && right < i128::from(ty.bits)).then(|| left >> right),
        Equal => Some(i128::from(left == right)),
        Unequal => Some(i128::from(left != right)),
        Less => Some(i128::from(left < right)),
        LessEqual => Some(i128::from(left <= right)),
        Greater => Some(i128::from(left > right)),
        GreaterEqual => Some(i128::from(left >= right)),
    }
}

fn unsigned128(operator: BinaryOp, left: u128, right: u128) -> Option<i128> {
    use BinaryOp::*;
    let shift = u32::try_from(right).ok().filter(|shift| *shift < 128);
    let value = match operator {
        Add => left.wrapping_add(right),
        Subtract => left.wrapping_sub(right),
        Multiply => left.wrapping_mul(right),
        Divide => left.checked_div(right)?,
        Remainder => left.checked_rem(right)?,
        And => left & right,
        Or => left | right,
        Xor => left ^ right,
        ShiftLeft => left << shift?,
        ShiftRight => left >> shift?,
        Equal => u128::from(left == right),
        Unequal => u128::from(left != right),
        Less => u128::from(left < right),
        LessEqual => u128::from(left <= right),
        Greater => u128::from(left > right),
        GreaterEqual => u128::from(left >= right),
    };
    Some(value as i128)
}

/// An operator on one integer.
pub(super) fn unary(operator: UnaryOp, ty: Integer, value: i128) -> Option<i128> {
    match operator {
        UnaryOp::Negate if ty.signed => value.checked_neg().filter(|value| ty.holds(*value)),
        UnaryOp::Negate => Some(ty.wrap(value.wrapping_neg())),
        UnaryOp::Complement => Some(ty.wrap(!value)),
    }
}

/// The result of an operator on floating numbers.
pub(super) enum Floating {
    Number(f64),
    Truth(bool),
}

/// An operator on floating numbers; `single` rounds to `float`.
pub(super) fn floating(operator: BinaryOp, single: bool, left: f64, right: f64) -> Option<Floating> {
    use BinaryOp::*;
    let number = match operator {
        Add => left + right,
        Subtract => left - right,
        Multiply => left * right,
        Divide => left / right,
        Equal => return Some(Floating::Truth(left == right)),
        Unequal => return Some(Floating::Truth(left != right)),
        Less => return Some(Floating::Truth(left < right)),
        LessEqual => return Some(Floating::Truth(left <= right)),
        Greater => return Some(Floating::Truth(left > right)),
        GreaterEqual => return Some(Floating::Truth(left >= right)),
        Remainder | ShiftLeft | ShiftRight | And | Or | Xor => return None,
    };
    // Both operands are exact floats and doubles have more than twice the digits, so rounding twice is rounding once.
    Some(Floating::Number(if single { f64::from(number as f32) } else { number }))
}

/// The result of an operator on numbers of type `long double`.
pub(super) enum Extended {
    Number(u128),
    Truth(bool),
}

/// An operator on numbers of type `long double`.
pub(super) fn extended(operator: BinaryOp, left: u128, right: u128) -> Option<Extended> {
    use BinaryOp::*;
    let order = extended::compare(left, right);
    Some(match operator {
        Add => Extended::Number(extended::add(left, right)),
        Subtract => Extended::Number(extended::subtract(left, right)),
        Multiply => Extended::Number(extended::multiply(left, right)),
        Divide => Extended::Number(extended::divide(left, right)),
        Equal => Extended::Truth(order == Some(Ordering::Equal)),
        Unequal => Extended::Truth(order != Some(Ordering::Equal)),
        Less => Extended::Truth(order == Some(Ordering::Less)),
        LessEqual => Extended::Truth(order.is_some_and(Ordering::is_le)),
        Greater => Extended::Truth(order == Some(Ordering::Greater)),
        GreaterEqual => Extended::Truth(order.is_some_and(Ordering::is_ge)),
        Remainder | ShiftLeft | ShiftRight | And | Or | Xor => return None,
    })
}
