//! What operators do to values.
//!
//! This is the interpreter's own arithmetic, on exact numbers. Solvers and their checker have theirs; the two are kept
//! apart so that one can judge the other.

use std::sync::Arc;

use value::{ArrayValue, BitVec, IBig, RBig, Sort, UBig, Value};

use crate::Operator;

/// The value of an operator on values of the right sorts; `sort` is the sort of the result.
pub(crate) fn apply(operator: Operator, indices: [u32; 2], args: &[&Value], sort: &Sort) -> Value {
    use Operator as O;
    match operator {
        O::Not => Value::Bool(!truth(args[0])),
        O::And => Value::Bool(args.iter().all(|arg| truth(arg))),
        O::Or => Value::Bool(args.iter().any(|arg| truth(arg))),
        O::Xor => Value::Bool(truth(args[0]) != truth(args[1])),
        O::Implies => Value::Bool(!truth(args[0]) || truth(args[1])),
        O::Eq => Value::Bool(equal(args[0], args[1])),
        O::Distinct => Value::Bool(all_different(args)),
        O::Ite => args[if truth(args[0]) { 1 } else { 2 }].clone(),
        O::Select => map(args[0]).get(args[1]).clone(),
        O::Store => Value::Array(Arc::new(map(args[0]).with(args[1].clone(), args[2].clone()))),
        O::ConstArray => constant_array(sort, args[0]),
        O::Neg | O::Add | O::Sub | O::Mul | O::Lt | O::Le | O::Gt | O::Ge => match args[0] {
            Value::Real(_) => on_reals(operator, args),
            _ => on_integers(operator, args),
        },
        O::Divide => on_reals(operator, args),
        O::Div | O::Mod | O::Abs => on_integers(operator, args),
        O::Divisible => Value::Bool(remainder(integer(args[0]), &IBig::from(indices[0])) == IBig::ZERO),
        O::ToReal => Value::Real(RBig::from(integer(args[0]).clone())),
        O::ToInt => Value::Int(floor(real(args[0]))),
        O::IsInt => Value::Bool(real(args[0]).denominator().is_one()),
        O::BvToNat => Value::Int(IBig::from(bits(args[0]).bits().clone())),
        O::IntToBv => {
            let wrapped = remainder(integer(args[0]), &(IBig::ONE << indices[0] as usize));
            vector(indices[0], magnitude(&wrapped))
        }
        O::BvUlt => Value::Bool(bits(args[0]).bits() < bits(args[1]).bits()),
        O::BvUle => Value::Bool(bits(args[0]).bits() <= bits(args[1]).bits()),
        O::BvUgt => Value::Bool(bits(args[0]).bits() > bits(args[1]).bits()),
        O::BvUge => Value::Bool(bits(args[0]).bits() >= bits(args[1]).bits()),
        O::BvSlt => Value::Bool(signed(bits(args[0])) < signed(bits(args[1]))),
        O::BvSle => Value::Bool(signed(bits(args[0])) <= signed(bits(args[1]))),
        O::BvSgt => Value::Bool(signed(bits(args[0])) > signed(bits(args[1]))),
        O::BvSge => Value::Bool(signed(bits(args[0])) >= signed(bits(args[1]))),
        O::Concat
        | O::Extract
        | O::BvNot
        | O::BvNeg
        | O::BvAnd
        | O::BvOr
        | O::BvXor
        | O::BvNand
        | O::BvNor
        | O::BvXnor
        | O::BvComp
        | O::BvAdd
        | O::BvSub
        | O::BvMul
        | O::BvUdiv
        | O::BvUrem
        | O::BvSdiv
        | O::BvSrem
        | O::BvSmod
        | O::BvShl
        | O::BvLshr
        | O::BvAshr
        | O::Repeat
        | O::ZeroExtend
        | O::SignExtend
        | O::RotateLeft
        | O::RotateRight => on_vectors(operator, indices, args),
    }
}

fn on_integers(operator: Operator, args: &[&Value]) -> Value {
    use Operator as O;
    let left = integer(args[0]);
    let right = || integer(args[1]);
    match operator {
        O::Neg => Value::Int(-left.clone()),
        O::Add => Value::Int(args[1..].iter().fold(left.clone(), |sum, arg| sum + integer(arg))),
        O::Mul => Value::Int(args[1..].iter().fold(left.clone(), |product, arg| product * integer(arg))),
        O::Sub => Value::Int(left - right()),
        O::Abs => Value::Int(if *left < IBig::ZERO { -left.clone() } else { left.clone() }),
        O::Div if *right() == IBig::ZERO => Value::Int(IBig::ZERO),
        O::Div => Value::Int((left - remainder(left, right())) / right()),
        O::Mod if *right() == IBig::ZERO => Value::Int(left.clone()),
        O::Mod => Value::Int(remainder(left, right())),
        O::Lt => Value::Bool(left < right()),
        O::Le => Value::Bool(left <= right()),
        O::Gt => Value::Bool(left > right()),
        O::Ge => Value::Bool(left >= right()),
        _ => unreachable!("an operator on integers"),
    }
}

fn on_reals(operator: Operator, args: &[&Value]) -> Value {
    use Operator as O;
    let left = real(args[0]);
    let right = || real(args[1]);
    match operator {
        O::Neg => Value::Real(-left.clone()),
        O::Add => Value::Real(args[1..].iter().fold(left.clone(), |sum, arg| sum + real(arg))),
        O::Mul => Value::Real(args[1..].iter().fold(left.clone(), |product, arg| product * real(arg))),
        O::Sub => Value::Real(left - right()),
        O::Divide if *right() == RBig::ZERO => Value::Real(RBig::ZERO),
        O::Divide => Value::Real(left / right()),
        O::Lt => Value::Bool(left < right()),
        O::Le => Value::Bool(left <= right()),
        O::Gt => Value::Bool(left > right()),
        O::Ge => Value::Bool(left >= right()),
        _ => unreachable!("an operator on reals"),
    }
}

fn on_vectors(operator: Operator, indices: [u32; 2], args: &[&Value]) -> Value {
    use Operator as O;
    let first = bits(args[0]);
    let width = first.width();
    let left = || first.bits().clone();
    let right = || bits(args[1]).bits().clone();
    let ones = || (UBig::ONE << width as usize) - UBig::ONE;
    let result = match operator {
        O::Concat => {
            let low = bits(args[1]);
            return vector(width + low.width(), (left() << low.width() as usize) | right());
        }
        O::Extract => return vector(indices[0] - indices[1] + 1, left() >> indices[1] as usize),
        O::BvComp => return vector(1, UBig::from(u8::from(left() == right()))),
        O::ZeroExtend => return vector(width + indices[0], left()),
        O::SignExtend => return wrap(width + indices[0], &signed(first)),
        O::Repeat => {
            let repeated = (0..indices[0]).fold(UBig::ZERO, |whole, _| (whole << width as usize) | left());
            return vector(width * indices[0], repeated);
        }
        O::BvNot => ones() - left(),
        O::BvNeg => return wrap(width, &-IBig::from(left())),
        O::BvAnd => left() & right(),
        O::BvOr => left() | right(),
        O::BvXor => left() ^ right(),
        O::BvNand => ones() - (left() & right()),
        O::BvNor => ones() - (left() | right()),
        O::BvXnor => ones() - (left() ^ right()),
        O::BvAdd => left() + right(),
        O::BvSub => return wrap(width, &(IBig::from(left()) - IBig::from(right()))),
        O::BvMul => left() * right(),
        O::BvUdiv if right() == UBig::ZERO => ones(),
        O::BvUdiv => left() / right(),
        O::BvUrem if right() == UBig::ZERO => left(),
        O::BvUrem => left() % right(),
        O::BvSdiv | O::BvSrem | O::BvSmod => return wrap(width, &signed_division(operator, first, bits(args[1]))),
        O::BvShl => match shift(args[1], width) {
            Some(by) => left() << by,
            None => UBig::ZERO,
        },
        O::BvLshr => match shift(args[1], width) {
            Some(by) => left() >> by,
            None => UBig::ZERO,
        },
        O::BvAshr => {
            let by = shift(args[1], width).unwrap_or(width as usize);
            return wrap(width, &floor_half(signed(first), by));
        }
        O::RotateLeft | O::RotateRight => {
            let by = indices[0] % width;
            let up = if operator == O::RotateLeft { by } else { (width - by) % width };
            (left() << up as usize) | (left() >> (width - up) as usize)
        }
        _ => unreachable!("an operator on bit-vectors"),
    };
    vector(width, result)
}

/// Signed division, rounding towards zero. By zero, SMT-LIB's definitions give −1 or 1 for the quotient by the sign of
/// the dividend, and the dividend for both remainders.
fn signed_division(operator: Operator, left: &BitVec, right: &BitVec) -> IBig {
    let (left, right) = (signed(left), signed(right));
    let negative = |number: &IBig| *number < IBig::ZERO;
    if right == IBig::ZERO {
        return match operator {
            Operator::BvSdiv if negative(&left) => IBig::ONE,
            Operator::BvSdiv => IBig::NEG_ONE,
            _ => left,
        };
    }
    let rest = &left % &right;
    match operator {
        Operator::BvSdiv => left / right,
        Operator::BvSmod if rest != IBig::ZERO && negative(&rest) != negative(&right) => rest + right,
        _ => rest,
    }
}

/// The remainder that is never negative.
fn remainder(left: &IBig, right: &IBig) -> IBig {
    let rest = left % right;
    if rest < IBig::ZERO { rest + IBig::from(magnitude(right)) } else { rest }
}

fn floor(number: &RBig) -> IBig {
    let below = IBig::from(number.denominator().clone());
    (number.numerator() - remainder(number.numerator(), &below)) / below
}

/// The number divided by two to the `by`, rounded down.
fn floor_half(number: IBig, by: usize) -> IBig {
    let unit = IBig::ONE << by;
    (&number - remainder(&number, &unit)) / unit
}

/// The distance of a shift, where it is less than the width.
fn shift(by: &Value, width: u32) -> Option<usize> {
    u32::try_from(bits(by).bits().clone()).ok().filter(|&by| by < width).map(|by| by as usize)
}

/// The pattern as a number in two's complement.
fn signed(pattern: &BitVec) -> IBig {
    let number = IBig::from(pattern.bits().clone());
    if pattern.bit(pattern.width() - 1) { number - (IBig::ONE << pattern.width() as usize) } else { number }
}

/// The lowest bits of a number in two's complement.
fn wrap(width: u32, number: &IBig) -> Value {
    vector(width, magnitude(&remainder(number, &(IBig::ONE << width as usize))))
}

fn magnitude(number: &IBig) -> UBig {
    let positive = if *number < IBig::ZERO { -number.clone() } else { number.clone() };
    UBig::try_from(positive).expect("a magnitude is not negative")
}

fn vector(width: u32, pattern: UBig) -> Value {
    Value::BitVec(BitVec::new(width, pattern))
}

fn constant_array(sort: &Sort, element: &Value) -> Value {
    let Sort::Array(parts) = sort else { unreachable!("a constant array has an array sort") };
    let empty = Default::default();
    Value::Array(Arc::new(ArrayValue::new(parts.0.clone(), parts.1.clone(), element.clone(), empty)))
}

fn all_different(args: &[&Value]) -> bool {
    args.iter().enumerate().all(|(place, arg)| args[..place].iter().all(|other| !equal(arg, other)))
}

/// Equality; arrays are equal when they are equal at every index.
fn equal(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Array(left), Value::Array(right)) => equal_arrays(left, right),
        _ => left == right,
    }
}

/// The depth of array sorts is limited by the parsers, and so is the depth of this.
fn equal_arrays(left: &ArrayValue, right: &ArrayValue) -> bool {
    let indices = left.entries().keys().chain(right.entries().keys().filter(|key| !left.entries().contains_key(key)));
    let mut count = UBig::ZERO;
    for index in indices {
        count += UBig::ONE;
        if !equal(left.get(index), right.get(index)) {
            return false;
        }
    }
    let size = match left.index_sort() {
        Sort::Bool => Some(UBig::from(2u8)),
        Sort::BitVec(width) => Some(UBig::ONE << *width as usize),
        Sort::Enum(sort) => Some(UBig::from(sort.variants.len())),
        Sort::Int | Sort::Real | Sort::Array(_) => None,
    };
    size == Some(count) || equal(left.default(), right.default())
}

fn truth(value: &Value) -> bool {
    value.as_bool().expect("a truth value, as the checker found")
}

fn integer(value: &Value) -> &IBig {
    match value {
        Value::Int(number) => number,
        _ => unreachable!("an integer, as the checker found"),
    }
}

fn real(value: &Value) -> &RBig {
    match value {
        Value::Real(number) => number,
        _ => unreachable!("a real, as the checker found"),
    }
}

fn bits(value: &Value) -> &BitVec {
    match value {
        Value::BitVec(pattern) => pattern,
        _ => unreachable!("a bit-vector, as the checker found"),
    }
}

fn map(value: &Value) -> &ArrayValue {
    match value {
        Value::Array(array) => array,
        _ => unreachable!("an array, as the checker found"),
    }
}
