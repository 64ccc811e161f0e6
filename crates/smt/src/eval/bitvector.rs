//! Bit-vectors on bit patterns. The signed operators are defined by the unsigned ones, as SMT-LIB defines them.

use dashu_int::ops::RemEuclid;
use value::{BitVec, IBig, UBig, Value};

use crate::Op;

pub(super) fn apply(op: Op, indices: [u32; 2], args: &[&Value]) -> Value {
    if op == Op::IntToBv {
        return from_integer(indices[0], args[0]);
    }
    let first = pattern(args[0]);
    let second = || pattern(args[1]);
    let unsigned = |holds: fn(&UBig, &UBig) -> bool| Value::Bool(holds(first.bits(), second().bits()));
    let signed = |holds: fn(&UBig, &UBig) -> bool| Value::Bool(holds(&biased(first), &biased(second())));
    let result = match op {
        Op::Concat => concat(first, second()),
        Op::Extract => BitVec::new(indices[0] - indices[1] + 1, first.bits() >> indices[1] as usize),
        Op::BvNot => not(first),
        Op::BvNeg => neg(first),
        Op::BvAnd => bitwise(first, second(), |left, right| left & right),
        Op::BvOr => bitwise(first, second(), |left, right| left | right),
        Op::BvXor => bitwise(first, second(), |left, right| left ^ right),
        Op::BvNand => not(&bitwise(first, second(), |left, right| left & right)),
        Op::BvNor => not(&bitwise(first, second(), |left, right| left | right)),
        Op::BvXnor => not(&bitwise(first, second(), |left, right| left ^ right)),
        Op::BvComp => BitVec::new(1, UBig::from(u8::from(first == second()))),
        Op::BvAdd => bitwise(first, second(), |left, right| left + right),
        Op::BvSub => bitwise(first, &neg(second()), |left, right| left + right),
        Op::BvMul => bitwise(first, second(), |left, right| left * right),
        Op::BvUdiv => udiv(first, second()),
        Op::BvUrem => urem(first, second()),
        Op::BvSdiv => sdiv(first, second()),
        Op::BvSrem => srem(first, second()),
        Op::BvSmod => smod(first, second()),
        Op::BvShl => shift_left(first, second()),
        Op::BvLshr => shift_right(first, second()),
        Op::BvAshr if is_negative(first) => not(&shift_right(&not(first), second())),
        Op::BvAshr => shift_right(first, second()),
        Op::Repeat => repeat(first, indices[0]),
        Op::ZeroExtend => BitVec::new(first.width() + indices[0], first.bits().clone()),
        Op::SignExtend => sign_extend(first, indices[0]),
        Op::RotateLeft => rotate_left(first, indices[0] % first.width()),
        Op::RotateRight => rotate_left(first, first.width() - indices[0] % first.width()),
        Op::BvUlt => return unsigned(|left, right| left < right),
        Op::BvUle => return unsigned(|left, right| left <= right),
        Op::BvUgt => return unsigned(|left, right| left > right),
        Op::BvUge => return unsigned(|left, right| left >= right),
        Op::BvSlt => return signed(|left, right| left < right),
        Op::BvSle => return signed(|left, right| left <= right),
        Op::BvSgt => return signed(|left, right| left > right),
        Op::BvSge => return signed(|left, right| left >= right),
        Op::BvToNat => return Value::Int(first.bits().clone().into()),
        other => unreachable!("`{}` does not apply to bit-vectors", other.name()),
    };
    Value::BitVec(result)
}

fn from_integer(width: u32, value: &Value) -> Value {
    let Value::Int(number) = value else { unreachable!("terms are well-sorted: an integer, not {value}") };
    Value::BitVec(BitVec::new(width, number.rem_euclid(IBig::ONE << width as usize)))
}

fn pattern(value: &Value) -> &BitVec {
    match value {
        Value::BitVec(bits) => bits,
        other => unreachable!("terms are well-sorted: a bit-vector, not {other}"),
    }
}

fn bitwise(left: &BitVec, right: &BitVec, combine: fn(&UBig, &UBig) -> UBig) -> BitVec {
    BitVec::new(left.width(), combine(left.bits(), right.bits()))
}

fn not(bits: &BitVec) -> BitVec {
    BitVec::new(bits.width(), UBig::ones(bits.width() as usize) ^ bits.bits())
}

fn neg(bits: &BitVec) -> BitVec {
    BitVec::new(bits.width(), (UBig::ONE << bits.width() as usize) - bits.bits())
}

fn is_negative(bits: &BitVec) -> bool {
    bits.bit(bits.width() - 1)
}

/// The pattern with its sign bit inverted: unsigned order of these is signed order of the patterns.
fn biased(bits: &BitVec) -> UBig {
    bits.bits() ^ (UBig::ONE << (bits.width() as usize - 1))
}

fn concat(high: &BitVec, low: &BitVec) -> BitVec {
    BitVec::new(high.width() + low.width(), (high.bits() << low.width() as usize) | low.bits())
}

fn udiv(left: &BitVec, right: &BitVec) -> BitVec {
    if right.bits().is_zero() {
        return BitVec::new(left.width(), UBig::ones(left.width() as usize));
    }
    bitwise(left, right, |left, right| left / right)
}

fn urem(left: &BitVec, right: &BitVec) -> BitVec {
    if right.bits().is_zero() {
        return left.clone();
    }
    bitwise(left, right, |left, right| left % right)
}

fn sdiv(left: &BitVec, right: &BitVec) -> BitVec {
    match (is_negative(left), is_negative(right)) {
        (false, false) => udiv(left, right),
        (true, false) => neg(&udiv(&neg(left), right)),
        (false, true) => neg(&udiv(left, &neg(right))),
        (true, true) => udiv(&neg(left), &neg(right)),
    }
}

fn srem(left: &BitVec, right: &BitVec) -> BitVec {
    match (is_negative(left), is_negative(right)) {
        (false, false) => urem(left, right),
        (true, false) => neg(&urem(&neg(left), right)),
        (false, true) => urem(left, &neg(right)),
        (true, true) => neg(&urem(&neg(left), &neg(right))),
    }
}

fn smod(left: &BitVec, right: &BitVec) -> BitVec {
    let magnitude = |bits: &BitVec| if is_negative(bits) { neg(bits) } else { bits.clone() };
    let remainder = urem(&magnitude(left), &magnitude(right));
    if remainder.bits().is_zero() {
        return remainder;
    }
    let sum = |left: &BitVec, right: &BitVec| bitwise(left, right, |left, right| left + right);
    match (is_negative(left), is_negative(right)) {
        (false, false) => remainder,
        (true, false) => sum(&neg(&remainder), right),
        (false, true) => sum(&remainder, right),
        (true, true) => neg(&remainder),
    }
}

/// The amount of a shift, if it is less than the width.
fn amount(bits: &BitVec, by: &BitVec) -> Option<usize> {
    usize::try_from(by.bits()).ok().filter(|&amount| amount < bits.width() as usize)
}

fn shift_left(bits: &BitVec, by: &BitVec) -> BitVec {
    BitVec::new(bits.width(), amount(bits, by).map_or(UBig::ZERO, |amount| bits.bits() << amount))
}

fn shift_right(bits: &BitVec, by: &BitVec) -> BitVec {
    BitVec::new(bits.width(), amount(bits, by).map_or(UBig::ZERO, |amount| bits.bits() >> amount))
}

fn repeat(bits: &BitVec, times: u32) -> BitVec {
    (1..times).fold(bits.clone(), |repeated, _| concat(&repeated, bits))
}

fn sign_extend(bits: &BitVec, by: u32) -> BitVec {
    let high = if is_negative(bits) { UBig::ones(by as usize) << bits.width() as usize } else { UBig::ZERO };
    BitVec::new(bits.width() + by, high | bits.bits())
}

fn rotate_left(bits: &BitVec, by: u32) -> BitVec {
    let width = bits.width();
    BitVec::new(width, (bits.bits() << by as usize) | (bits.bits() >> (width - by) as usize))
}
