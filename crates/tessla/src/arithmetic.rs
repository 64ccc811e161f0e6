//! The built-in operators on values. Integers are exact; small ones take the fast way.

mod collections;

use std::sync::Arc;

use dashu_int::IBig;

use crate::format::format_value;
use crate::operator::Operator;
use crate::place::Origin;
use crate::show::plain_text;
use crate::value::Value;

/// The bits to which a shift may take a number.
const LONGEST: i64 = 1 << 20;

/// Applies an operator. An operand that failed makes the result fail.
pub(crate) fn apply(operator: Operator, operands: &[Value], origin: Origin) -> Value {
    if let Some(failure) = operands.iter().find(|operand| operand.is_failure()) {
        return failure.clone();
    }
    match operands {
        [operand] => unary(operator, operand, origin),
        [left, right] => binary(operator, left, right, origin),
        _ => collections::apply(operator, operands, origin),
    }
}

/// Applies an operator to one operand that did not fail.
pub(crate) fn unary(operator: Operator, operand: &Value, origin: Origin) -> Value {
    match (operator, operand) {
        (Operator::Not, Value::Bool(value)) => Value::Bool(!value),
        (Operator::Negate, Value::Int(number)) => match number.checked_neg() {
            Some(negated) => Value::Int(negated),
            None => Value::integer(-IBig::from(*number)),
        },
        (Operator::Negate, Value::Big(number)) => Value::integer(-(**number).clone()),
        (Operator::BitNot, Value::Int(number)) => Value::Int(!number),
        (Operator::BitNot, Value::Big(number)) => Value::integer(!(**number).clone()),
        (Operator::FloatNegate, Value::Float(number)) => Value::Float(-number),
        (Operator::Sine, Value::Float(number)) => Value::Float(number.sin()),
        (Operator::Cosine, Value::Float(number)) => Value::Float(number.cos()),
        (Operator::Tangent, Value::Float(number)) => Value::Float(number.tan()),
        (Operator::ArcTangent, Value::Float(number)) => Value::Float(number.atan()),
        (Operator::IntToFloat, Value::Int(number)) => Value::Float(*number as f64),
        (Operator::IntToFloat, Value::Big(number)) => Value::Float(number.to_f64().value()),
        (Operator::FloatToInt, Value::Float(number)) => truncated(*number, origin),
        (Operator::Some, value) => Value::some(value.clone()),
        (Operator::IsNone, Value::None) => Value::Bool(true),
        (Operator::IsNone, Value::Some(_)) => Value::Bool(false),
        (Operator::GetSome, Value::Some(value)) => (**value).clone(),
        (Operator::GetSome, Value::None) => Value::failure("Cannot get the value of None", origin),
        (Operator::ToString, value) => Value::string(plain_text(value)),
        _ => collections::apply(operator, std::slice::from_ref(operand), origin),
    }
}

/// Applies an operator to two operands that did not fail.
pub(crate) fn binary(operator: Operator, left: &Value, right: &Value, origin: Origin) -> Value {
    match (left, right) {
        (Value::Int(left), Value::Int(right)) if operator.is_on_integers() => small(operator, *left, *right, origin),
        (Value::Float(left), Value::Float(right)) if operator.is_on_floats() => float(operator, *left, *right),
        (Value::Int(_) | Value::Big(_), Value::Int(_) | Value::Big(_)) if operator.is_on_integers() => {
            big(operator, left, right, origin)
        }
        _ => match operator {
            Operator::Equal => Value::Bool(left == right),
            Operator::NotEqual => Value::Bool(left != right),
            Operator::Concat => match (left, right) {
                (Value::String(left), Value::String(right)) => Value::string(format!("{left}{right}")),
                _ => confused(operator, origin),
            },
            Operator::Format => match left {
                Value::String(format) => match format_value(format, right) {
                    Ok(text) => Value::string(text),
                    Err(problem) => Value::failure(problem, origin),
                },
                _ => confused(operator, origin),
            },
            _ => collections::apply(operator, &[left.clone(), right.clone()], origin),
        },
    }
}

/// Operands of types the checker does not let through.
fn confused(operator: Operator, origin: Origin) -> Value {
    Value::failure(format!("{} cannot be applied to these values", operator.name()), origin)
}

fn small(operator: Operator, left: i64, right: i64, origin: Origin) -> Value {
    let exact = match operator {
        Operator::Add => left.checked_add(right),
        Operator::Subtract => left.checked_sub(right),
        Operator::Multiply => left.checked_mul(right),
        Operator::Divide | Operator::Modulo if right == 0 => return Value::failure("Division by zero", origin),
        Operator::Divide => left.checked_div(right),
        Operator::Modulo => Some(left.wrapping_rem(right)),
        Operator::BitAnd => Some(left & right),
        Operator::BitOr => Some(left | right),
        Operator::BitXor => Some(left ^ right),
        Operator::Equal => return Value::Bool(left == right),
        Operator::NotEqual => return Value::Bool(left != right),
        Operator::Less => return Value::Bool(left < right),
        Operator::LessEqual => return Value::Bool(left <= right),
        Operator::Greater => return Value::Bool(left > right),
        Operator::GreaterEqual => return Value::Bool(left >= right),
        _ => None,
    };
    match exact {
        Some(number) => Value::Int(number),
        None => big(operator, &Value::Int(left), &Value::Int(right), origin),
    }
}

fn big(operator: Operator, left: &Value, right: &Value, origin: Origin) -> Value {
    let (Some(left), Some(right)) = (left.as_integer(), right.as_integer()) else { return confused(operator, origin) };
    Value::integer(match operator {
        Operator::Add => left + right,
        Operator::Subtract => left - right,
        Operator::Multiply => left * right,
        Operator::Divide | Operator::Modulo if right == IBig::ZERO => {
            return Value::failure("Division by zero", origin);
        }
        Operator::Divide => left / right,
        Operator::Modulo => left % right,
        Operator::BitAnd => left & right,
        Operator::BitOr => left | right,
        Operator::BitXor => left ^ right,
        Operator::ShiftLeft => return shifted(left, right, origin),
        Operator::ShiftRight => return shifted(left, -right, origin),
        Operator::Equal => return Value::Bool(left == right),
        Operator::NotEqual => return Value::Bool(left != right),
        Operator::Less => return Value::Bool(left < right),
        Operator::LessEqual => return Value::Bool(left <= right),
        Operator::Greater => return Value::Bool(left > right),
        Operator::GreaterEqual => return Value::Bool(left >= right),
        _ => return confused(operator, origin),
    })
}

/// A number shifted left, or right where the count is negative.
fn shifted(number: IBig, count: IBig, origin: Origin) -> Value {
    let negative = number < IBig::ZERO;
    match i64::try_from(&count) {
        Ok(count) if (0..=LONGEST).contains(&count) => Value::integer(number << count as usize),
        Ok(count) if (-LONGEST..0).contains(&count) => Value::integer(number >> count.unsigned_abs() as usize),
        _ if count < IBig::ZERO => Value::Int(if negative { -1 } else { 0 }),
        _ if number == IBig::ZERO => Value::Int(0),
        _ => Value::failure("The result of the shift is too large", origin),
    }
}

fn float(operator: Operator, left: f64, right: f64) -> Value {
    Value::Float(match operator {
        Operator::FloatAdd => left + right,
        Operator::FloatSubtract => left - right,
        Operator::FloatMultiply => left * right,
        Operator::FloatDivide => left / right,
        Operator::Power => left.powf(right),
        Operator::Logarithm => left.ln() / right.ln(),
        Operator::Equal => return Value::Bool(left == right),
        Operator::NotEqual => return Value::Bool(left != right),
        Operator::FloatLess => return Value::Bool(left < right),
        Operator::FloatLessEqual => return Value::Bool(left <= right),
        Operator::FloatGreater => return Value::Bool(left > right),
        _ => return Value::Bool(left >= right),
    })
}

/// A float without its fraction, exactly.
fn truncated(number: f64, origin: Origin) -> Value {
    let whole = number.trunc();
    if !whole.is_finite() {
        return Value::failure("Cannot convert a float that is not finite to an integer", origin);
    }
    match IBig::try_from(whole) {
        // The decimal digits that print the float, as the reference does, not the binary expansion.
        Ok(exact) if whole.abs() < 9_007_199_254_740_992.0 => Value::integer(exact),
        _ => decimal(whole),
    }
}

fn decimal(whole: f64) -> Value {
    let text = format!("{whole:e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (whole_digits, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let exponent: usize = exponent.parse().unwrap_or(0);
    let zeros = "0".repeat(exponent.saturating_sub(fraction.len()));
    let number = format!("{whole_digits}{fraction}{zeros}").parse::<IBig>();
    number.map_or(Value::Int(0), Value::integer)
}

impl Operator {
    fn is_on_integers(self) -> bool {
        matches!(
            self,
            Operator::Add
                | Operator::Subtract
                | Operator::Multiply
                | Operator::Divide
                | Operator::Modulo
                | Operator::BitAnd
                | Operator::BitOr
                | Operator::BitXor
                | Operator::ShiftLeft
                | Operator::ShiftRight
                | Operator::Equal
                | Operator::NotEqual
                | Operator::Less
                | Operator::LessEqual
                | Operator::Greater
                | Operator::GreaterEqual
        )
    }

    fn is_on_floats(self) -> bool {
        matches!(
            self,
            Operator::FloatAdd
                | Operator::FloatSubtract
                | Operator::FloatMultiply
                | Operator::FloatDivide
                | Operator::Power
                | Operator::Logarithm
                | Operator::Equal
                | Operator::NotEqual
                | Operator::FloatLess
                | Operator::FloatLessEqual
                | Operator::FloatGreater
                | Operator::FloatGreaterEqual
        )
    }
}

/// A copy-on-write edit of something shared.
fn edited<T: Clone>(shared: &Arc<T>, edit: impl FnOnce(&mut T)) -> Arc<T> {
    let mut own = (**shared).clone();
    edit(&mut own);
    Arc::new(own)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ints(operator: Operator, left: i64, right: i64) -> String {
        crate::show::plain_text(&apply(operator, &[Value::Int(left), Value::Int(right)], Origin::default()))
    }

    #[test]
    fn division_is_towards_zero() {
        assert_eq!(ints(Operator::Divide, -7, 2), "-3");
        assert_eq!(ints(Operator::Modulo, -7, 2), "-1");
        assert_eq!(ints(Operator::Divide, i64::MIN, -1), "9223372036854775808");
        assert!(apply(Operator::Divide, &[Value::Int(1), Value::Int(0)], Origin::default()).is_failure());
    }

    #[test]
    fn numbers_grow_and_shrink() {
        assert_eq!(ints(Operator::Multiply, i64::MAX, 2), "18446744073709551614");
        assert_eq!(ints(Operator::ShiftLeft, 1, 70), "1180591620717411303424");
        assert_eq!(ints(Operator::ShiftRight, -42, -4), "-672");
        assert_eq!(ints(Operator::ShiftRight, -42, 4), "-3");
        assert_eq!(ints(Operator::ShiftRight, -42, 4_000_000_000), "-1");
    }

    #[test]
    fn floats_become_the_integers_they_are_written_as() {
        assert_eq!(plain_text(&truncated(42e23, Origin::default())), "4200000000000000000000000");
        assert_eq!(plain_text(&truncated(-2.9, Origin::default())), "-2");
        assert!(truncated(f64::NAN, Origin::default()).is_failure());
    }
}
