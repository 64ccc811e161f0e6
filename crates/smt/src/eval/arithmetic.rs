//! Integer and real arithmetic on exact numbers.

use dashu_int::ops::{Abs, DivEuclid, RemEuclid};
use value::{IBig, RBig, Value};

use crate::Op;

pub(super) fn apply(op: Op, indices: [u32; 2], args: &[&Value]) -> Value {
    match args[0] {
        Value::Int(first) => on_integers(op, indices, first, &args[1..]),
        Value::Real(first) => on_reals(op, first, &args[1..]),
        other => unreachable!("terms are well-sorted: `{}` has a number, not {other}", op.name()),
    }
}

fn on_integers(op: Op, indices: [u32; 2], first: &IBig, rest: &[&Value]) -> Value {
    let second = || integer(rest[0]);
    match op {
        Op::Neg => Value::Int(-first),
        Op::Add => Value::Int(rest.iter().fold(first.clone(), |sum, arg| sum + integer(arg))),
        Op::Sub => Value::Int(first - second()),
        Op::Mul => Value::Int(rest.iter().fold(first.clone(), |product, arg| product * integer(arg))),
        Op::Div if second().is_zero() => Value::Int(IBig::ZERO),
        Op::Div => Value::Int(first.div_euclid(second())),
        Op::Mod if second().is_zero() => Value::Int(first.clone()),
        Op::Mod => Value::Int(first.rem_euclid(second()).into()),
        Op::Abs => Value::Int(first.clone().abs()),
        Op::Lt => Value::Bool(first < second()),
        Op::Le => Value::Bool(first <= second()),
        Op::Gt => Value::Bool(first > second()),
        Op::Ge => Value::Bool(first >= second()),
        Op::Divisible => Value::Bool(first.rem_euclid(IBig::from(indices[0])).is_zero()),
        Op::ToReal => Value::Real(RBig::from(first.clone())),
        other => unreachable!("`{}` does not apply to integers", other.name()),
    }
}

fn on_reals(op: Op, first: &RBig, rest: &[&Value]) -> Value {
    let second = || real(rest[0]);
    match op {
        Op::Neg => Value::Real(-first),
        Op::Add => Value::Real(rest.iter().fold(first.clone(), |sum, arg| sum + real(arg))),
        Op::Sub => Value::Real(first - second()),
        Op::Mul => Value::Real(rest.iter().fold(first.clone(), |product, arg| product * real(arg))),
        Op::Divide if second().is_zero() => Value::Real(RBig::ZERO),
        Op::Divide => Value::Real(first / second()),
        Op::Lt => Value::Bool(first < second()),
        Op::Le => Value::Bool(first <= second()),
        Op::Gt => Value::Bool(first > second()),
        Op::Ge => Value::Bool(first >= second()),
        Op::ToInt => Value::Int(first.floor()),
        Op::IsInt => Value::Bool(first.denominator().is_one()),
        other => unreachable!("`{}` does not apply to reals", other.name()),
    }
}

fn integer(value: &Value) -> &IBig {
    match value {
        Value::Int(number) => number,
        other => unreachable!("terms are well-sorted: an integer, not {other}"),
    }
}

fn real(value: &Value) -> &RBig {
    match value {
        Value::Real(number) => number,
        other => unreachable!("terms are well-sorted: a real, not {other}"),
    }
}
