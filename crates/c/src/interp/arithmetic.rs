//! Operators with C's rules; what is undefined is named.

use super::Fault;
use super::code::Scalar;
use crate::expr::BinaryOp;
use crate::extended as soft;
use crate::types::Integer;

/// An operator on integers of at most 64 bits.
#[inline]
pub(super) fn integer(operator: BinaryOp, ty: Integer, left: i128, right: i128) -> Result<i128, Fault> {
    let fit = |value: i128| {
        if ty.signed {
            if ty.holds(value) { Ok(value) } else { Err(Fault::SignedOverflow) }
        } else {
            Ok(ty.wrap(value))
        }
    };
    match operator {
        BinaryOp::Add => fit(left + right),
        BinaryOp::Subtract => fit(left - right),
        BinaryOp::Multiply => fit(left.wrapping_mul(right)),
        BinaryOp::Divide => {
            if right == 0 {
                return Err(Fault::DivisionByZero);
            }
            fit(match (i64::try_from(left), i64::try_from(right)) {
                (Ok(left), Ok(right)) if right != -1 => i128::from(left / right),
                _ => left / right,
            })
        }
        BinaryOp::Remainder => {
            if right == 0 {
                return Err(Fault::DivisionByZero);
            }
            // The quotient must fit too.
            if ty.signed && right == -1 && left == ty.min() {
                return Err(Fault::SignedOverflow);
            }
            Ok(match (i64::try_from(left), i64::try_from(right)) {
                (Ok(left), Ok(right)) if right != -1 => i128::from(left % right),
                _ => left % right,
            })
        }
        BinaryOp::And => Ok(left & right),
        BinaryOp::Or => Ok(left | right),
        BinaryOp::Xor => Ok(ty.wrap(left ^ right)),
        BinaryOp::ShiftLeft => {
            if right < 0 || right >= i128::from(ty.bits) || ty.signed && left < 0 {
                return Err(Fault::Shift);
            }
            let shifted = left << right;
            if ty.signed && !ty.holds(shifted) { Err(Fault::SignedOverflow) } else { Ok(ty.wrap(shifted)) }
        }
        BinaryOp::ShiftRight => {
            if right < 0 || right >= i128::from(ty.bits) {
                Err(Fault::Shift)
            } else {
                Ok(left >> right)
            }
        }
        BinaryOp::Equal => Ok(i128::from(left == right)),
        BinaryOp::Unequal => Ok(i128::from(left != right)),
        BinaryOp::Less => Ok(i128::from(left < right)),
        BinaryOp::LessEqual => Ok(i128::from(left <= right)),
        BinaryOp::Greater => Ok(i128::from(left > right)),
        BinaryOp::GreaterEqual => Ok(i128::from(left >= right)),
    }
}

/// What machines compute where the standard leaves an operation undefined: numbers wrap around and, if asked for, counts of shifts
/// too. None where machines stop.
pub(super) fn wrapped(operator: BinaryOp, ty: Integer, left: i128, right: i128, far: bool) -> Option<i128> {
    Some(match operator {
        BinaryOp::Add => ty.wrap(left + right),
        BinaryOp::Subtract => ty.wrap(left - right),
        BinaryOp::Multiply => ty.wrap(left.wrapping_mul(right)),
        BinaryOp::ShiftLeft | BinaryOp::ShiftRight => {
            let inside = (0..i128::from(ty.bits)).contains(&right);
            if !inside && !far {
                return None;
            }
            let count = (right & i128::from(ty.bits - 1)) as u32;
            if operator == BinaryOp::ShiftLeft { ty.wrap(left.wrapping_shl(count)) } else { left >> count }
        }
        BinaryOp::Divide
        | BinaryOp::Remainder
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Xor
        | BinaryOp::Equal
        | BinaryOp::Unequal
        | BinaryOp::Less
        | BinaryOp::LessEqual
        | BinaryOp::Greater
        | BinaryOp::GreaterEqual => return None,
    })
}

/// An operator on integers of 128 bits. Shift counts come from any type and are small.
pub(super) fn wide(operator: BinaryOp, signed: bool, left: i128, right: i128) -> Result<i128, Fault> {
    let overflow = Fault::SignedOverflow;
    let (unsigned_left, unsigned_right) = (left as u128, right as u128);
    let shift = u32::try_from(right).ok().filter(|shift| *shift < 128);
    let order = if signed { left.cmp(&right) } else { unsigned_left.cmp(&unsigned_right) };
    Ok(match operator {
        BinaryOp::Add if signed => left.checked_add(right).ok_or(overflow)?,
        BinaryOp::Add => left.wrapping_add(right),
        BinaryOp::Subtract if signed => left.checked_sub(right).ok_or(overflow)?,
        BinaryOp::Subtract => left.wrapping_sub(right),
        BinaryOp::Multiply if signed => left.checked_mul(right).ok_or(overflow)?,
        BinaryOp::Multiply => left.wrapping_mul(right),
        BinaryOp::Divide | BinaryOp::Remainder if right == 0 => return Err(Fault::DivisionByZero),
        BinaryOp::Divide if signed => left.checked_div(right).ok_or(overflow)?,
        BinaryOp::Divide => (unsigned_left / unsigned_right) as i128,
        BinaryOp::Remainder if signed => left.checked_rem(right).ok_or(overflow)?,
        BinaryOp::Remainder => (unsigned_left % unsigned_right) as i128,
        BinaryOp::And => left & right,
        BinaryOp::Or => left | right,
        BinaryOp::Xor => left ^ right,
        BinaryOp::ShiftLeft => {
            let shift = shift.ok_or(Fault::Shift)?;
            if signed && left < 0 {
                return Err(Fault::Shift);
            }
            let shifted = left << shift;
            if signed && (shifted < 0 || shifted >> shift != left) {
                return Err(overflow);
            }
            shifted
        }
        BinaryOp::ShiftRight if signed => left >> shift.ok_or(Fault::Shift)?,
        BinaryOp::ShiftRight => (unsigned_left >> shift.ok_or(Fault::Shift)?) as i128,
        BinaryOp::Equal => i128::from(order.is_eq()),
        BinaryOp::Unequal => i128::from(order.is_ne()),
        BinaryOp::Less => i128::from(order.is_lt()),
        BinaryOp::LessEqual => i128::from(order.is_le()),
        BinaryOp::Greater => i128::from(order.is_gt()),
        BinaryOp::GreaterEqual => i128::from(order.is_ge()),
    })
}

/// A floating number as a value of the machine.
pub(super) fn bits(number: f64) -> i128 {
    i128::from(number.to_bits())
}

/// The floating number that a value of the machine is.
pub(super) fn number(value: i128) -> f64 {
    f64::from_bits(value as u64)
}

/// What is left of a number if the multiple of another is taken away that lies nearest, the even one of two.
pub(super) fn remainder(left: f64, right: f64) -> f64 {
    if right == 0.0 || !left.is_finite() || right.is_nan() {
        return f64::NAN;
    }
    if right.is_infinite() {
        return left;
    }
    let size = right.abs();
    // Two multiples away nothing changes; what is left is exact.
    let mut rest = if size <= f64::MAX / 2.0 { left.abs() % (2.0 * size) } else { left.abs() };
    let beyond = |rest: f64, also: bool| {
        // Half of the smallest numbers cannot be told, twice the largest neither.
        let order = if size < 2.0 * f64::MIN_POSITIVE {
            (rest + rest).partial_cmp(&size)
        } else {
            rest.partial_cmp(&(0.5 * size))
        };
        order.is_some_and(|order| order.is_gt() || also && order.is_eq())
    };
    if beyond(rest, false) {
        rest -= size;
        if beyond(rest, true) {
            rest -= size;
        }
    }
    if left.is_sign_negative() { -rest } else { rest }
}

/// An operator on floating numbers; `single` rounds to `float`.
pub(super) fn floating(operator: BinaryOp, single: bool, left: f64, right: f64) -> i128 {
    let round = |value: f64, narrow: f32| if single { bits(f64::from(narrow)) } else { bits(value) };
    let (a, b) = (left as f32, right as f32);
    match operator {
        BinaryOp::Add => round(left + right, a + b),
        BinaryOp::Subtract => round(left - right, a - b),
        BinaryOp::Multiply => round(left * right, a * b),
        BinaryOp::Divide => round(left / right, a / b),
        BinaryOp::Equal => i128::from(left == right),
        BinaryOp::Unequal => i128::from(left != right),
        BinaryOp::Less => i128::from(left < right),
        BinaryOp::LessEqual => i128::from(left <= right),
        BinaryOp::Greater => i128::from(left > right),
        BinaryOp::GreaterEqual => i128::from(left >= right),
        BinaryOp::Remainder
        | BinaryOp::ShiftLeft
        | BinaryOp::ShiftRight
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Xor => {
            unreachable!("the checker rejects these on floating numbers")
        }
    }
}

/// An operator on numbers of type `long double`.
pub(super) fn extended(operator: BinaryOp, left: u128, right: u128) -> i128 {
    let order = soft::compare(left, right);
    match operator {
        BinaryOp::Add => soft::add(left, right) as i128,
        BinaryOp::Subtract => soft::subtract(left, right) as i128,
        BinaryOp::Multiply => soft::multiply(left, right) as i128,
        BinaryOp::Divide => soft::divide(left, right) as i128,
        BinaryOp::Equal => i128::from(order.is_some_and(|order| order.is_eq())),
        BinaryOp::Unequal => i128::from(!order.is_some_and(|order| order.is_eq())),
        BinaryOp::Less => i128::from(order.is_some_and(|order| order.is_lt())),
        BinaryOp::LessEqual => i128::from(order.is_some_and(|order| order.is_le())),
        BinaryOp::Greater => i128::from(order.is_some_and(|order| order.is_gt())),
        BinaryOp::GreaterEqual => i128::from(order.is_some_and(|order| order.is_ge())),
        BinaryOp::Remainder
        | BinaryOp::ShiftLeft
        | BinaryOp::ShiftRight
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Xor => {
            unreachable!("the checker rejects these on floating numbers")
        }
    }
}

/// A number of type `long double` converted to another type.
fn from_extended(to: Scalar, bits: u128) -> Result<i128, Fault> {
    Ok(match to {
        Scalar::Bool => i128::from(!soft::is_zero(bits)),
        Scalar::Integer(to) => {
            let (negative, magnitude) = soft::to_integer(bits).ok_or(Fault::FloatToInteger)?;
            if to.bits == 128 && !to.signed {
                return if negative && magnitude != 0 { Err(Fault::FloatToInteger) } else { Ok(magnitude as i128) };
            }
            let value = match (i128::try_from(magnitude), negative) {
                (Ok(value), negative) => {
                    if negative {
                        -value
                    } else {
                        value
                    }
                }
                (Err(_), true) if magnitude == 1 << 127 => i128::MIN,
                (Err(_), _) => return Err(Fault::FloatToInteger),
            };
            if !to.holds(value) {
                return Err(Fault::FloatToInteger);
            }
            value
        }
        Scalar::Float => self::bits(f64::from(soft::to_single(bits))),
        Scalar::Double => self::bits(soft::to_double(bits)),
        Scalar::Extended(_) | Scalar::Pointer(_) | Scalar::Other => bits as i128,
    })
}

/// A value converted from one scalar type to another.
pub(super) fn convert(from: Scalar, to: Scalar, value: i128) -> Result<i128, Fault> {
    let address = |bytes: u8| Integer { bits: u32::from(bytes) * 8, signed: false };
    Ok(match (from, to) {
        (Scalar::Extended(_), to) => return from_extended(to, value as u128),
        (Scalar::Float | Scalar::Double, Scalar::Extended(_)) => soft::from_double(number(value)) as i128,
        (Scalar::Integer(from), Scalar::Extended(_)) if !from.signed => {
            soft::from_integer(false, value as u128) as i128
        }
        (_, Scalar::Extended(_)) => soft::from_integer(value < 0, value.unsigned_abs()) as i128,
        (Scalar::Float | Scalar::Double, Scalar::Bool) => i128::from(number(value) != 0.0),
        (_, Scalar::Bool) => i128::from(value != 0),
        (Scalar::Float | Scalar::Double, Scalar::Integer(to)) => {
            let whole = number(value).trunc();
            // The casts of Rust saturate, so a number that does not fit is one that does not come back.
            let unsigned = to.bits == 128 && !to.signed;
            let converted = if unsigned { whole as u128 as i128 } else { whole as i128 };
            let back = if unsigned { converted as u128 as f64 } else { converted as f64 };
            if whole.is_nan() || back != whole || !to.holds(converted) {
                return Err(Fault::FloatToInteger);
            }
            converted
        }
        (Scalar::Float | Scalar::Double, Scalar::Float) => bits(f64::from(number(value) as f32)),
        (Scalar::Float | Scalar::Double, Scalar::Double) => value,
        (Scalar::Integer(from), Scalar::Float) if from.bits == 128 && !from.signed => {
            bits(f64::from(value as u128 as f32))
        }
        (Scalar::Integer(from), Scalar::Double) if from.bits == 128 && !from.signed => bits(value as u128 as f64),
        (_, Scalar::Float) => bits(f64::from(value as f32)),
        (_, Scalar::Double) => bits(value as f64),
        (_, Scalar::Integer(to)) => to.wrap(value),
        (_, Scalar::Pointer(bytes)) => address(bytes).wrap(value),
        (_, Scalar::Other) => value,
    })
}

/// The negative of a value.
pub(super) fn negate(scalar: Scalar, value: i128) -> Result<i128, Fault> {
    match scalar {
        Scalar::Float | Scalar::Double => Ok(bits(-number(value))),
        Scalar::Extended(_) => Ok(soft::negate(value as u128) as i128),
        Scalar::Integer(ty) if ty.signed => {
            let negated = value.checked_neg().ok_or(Fault::SignedOverflow)?;
            if ty.holds(negated) { Ok(negated) } else { Err(Fault::SignedOverflow) }
        }
        Scalar::Integer(ty) => Ok(ty.wrap(value.wrapping_neg())),
        Scalar::Bool | Scalar::Pointer(_) | Scalar::Other => Ok(value),
    }
}
