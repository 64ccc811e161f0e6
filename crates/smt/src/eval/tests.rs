//! Corner cases in tables, and narrow bit-vectors against machine arithmetic.

use proptest::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;
use value::{ArrayValue, BitVec, RBig, Sort, UBig, Value};

use super::{canonical, eval};
use crate::{Model, Op, Term, Terms};

fn bits(width: u32, pattern: u64) -> Value {
    Value::BitVec(BitVec::new(width, UBig::from(pattern)))
}

fn real(numerator: i64, denominator: u64) -> Value {
    Value::Real(RBig::from_parts(numerator.into(), denominator.into()))
}

fn applied(op: Op, indices: [u32; 2], args: &[Value]) -> Value {
    let mut terms = Terms::new();
    let mut model = Model::new();
    let symbols: Vec<Term> = args
        .iter()
        .enumerate()
        .map(|(place, value)| {
            let symbol = terms.symbol(&format!("x{place}"), &value.sort());
            model.insert(symbol, value.clone());
            symbol
        })
        .collect();
    let root = terms.indexed(op, indices, &symbols);
    let result = eval(&terms, &model, root);
    assert_eq!(result.sort(), *terms.sort(root), "{} keeps its sort", op.name());
    result
}

#[test]
fn integer_division_rounds_so_that_remainders_are_never_negative() {
    for (left, right, quotient, remainder) in
        [(7, 2, 3, 1), (-7, 2, -4, 1), (7, -2, -3, 1), (-7, -2, 4, 1), (7, 0, 0, 7), (-7, 0, 0, -7), (0, 5, 0, 0)]
    {
        let args = [Value::int(left), Value::int(right)];
        assert_eq!(applied(Op::Div, [0, 0], &args), Value::int(quotient), "{left} div {right}");
        assert_eq!(applied(Op::Mod, [0, 0], &args), Value::int(remainder), "{left} mod {right}");
    }
}

#[test]
fn arithmetic_corner_cases() {
    let cases = [
        (Op::Divide, [0, 0], vec![real(1, 1), real(0, 1)], real(0, 1)),
        (Op::Divide, [0, 0], vec![real(1, 1), real(-3, 1)], real(-1, 3)),
        (Op::ToInt, [0, 0], vec![real(-1, 2)], Value::int(-1)),
        (Op::ToInt, [0, 0], vec![real(5, 2)], Value::int(2)),
        (Op::IsInt, [0, 0], vec![real(4, 2)], Value::Bool(true)),
        (Op::IsInt, [0, 0], vec![real(1, 2)], Value::Bool(false)),
        (Op::ToReal, [0, 0], vec![Value::int(-2)], real(-2, 1)),
        (Op::Divisible, [3, 0], vec![Value::int(-6)], Value::Bool(true)),
        (Op::Divisible, [3, 0], vec![Value::int(-5)], Value::Bool(false)),
        (Op::Abs, [0, 0], vec![Value::int(-5)], Value::int(5)),
        (Op::Add, [0, 0], (1..=5).map(Value::int).collect(), Value::int(15)),
        (Op::Mul, [0, 0], vec![real(1, 2), real(2, 3), real(3, 4)], real(1, 4)),
        (Op::Sub, [0, 0], vec![Value::int(2), Value::int(5)], Value::int(-3)),
        (Op::Distinct, [0, 0], vec![Value::int(1), Value::int(2), Value::int(1)], Value::Bool(false)),
        (Op::Distinct, [0, 0], vec![Value::int(1), Value::int(2), Value::int(3)], Value::Bool(true)),
    ];
    for (op, indices, args, expected) in cases {
        assert_eq!(applied(op, indices, &args), expected, "{} {args:?}", op.name());
    }
}

#[test]
fn bit_vector_corner_cases() {
    let pair = |left, right| vec![bits(4, left), bits(4, right)];
    let cases = [
        (Op::BvUdiv, [0, 0], pair(5, 0), bits(4, 15)),
        (Op::BvUrem, [0, 0], pair(5, 0), bits(4, 5)),
        (Op::BvSdiv, [0, 0], pair(5, 0), bits(4, 15)),
        (Op::BvSdiv, [0, 0], pair(11, 0), bits(4, 1)),
        (Op::BvSdiv, [0, 0], pair(8, 15), bits(4, 8)),
        (Op::BvSrem, [0, 0], pair(11, 0), bits(4, 11)),
        (Op::BvSmod, [0, 0], pair(11, 0), bits(4, 11)),
        (Op::BvSmod, [0, 0], pair(11, 3), bits(4, 1)),
        (Op::BvSmod, [0, 0], pair(5, 13), bits(4, 15)),
        (Op::BvShl, [0, 0], pair(5, 4), bits(4, 0)),
        (Op::BvLshr, [0, 0], pair(15, 9), bits(4, 0)),
        (Op::BvAshr, [0, 0], pair(8, 9), bits(4, 15)),
        (Op::BvAshr, [0, 0], pair(8, 1), bits(4, 12)),
        (Op::BvAshr, [0, 0], pair(7, 9), bits(4, 0)),
        (Op::Concat, [0, 0], vec![bits(3, 5), bits(2, 2)], bits(5, 22)),
        (Op::Extract, [3, 1], vec![bits(5, 22)], bits(3, 3)),
        (Op::Repeat, [3, 0], vec![bits(2, 2)], bits(6, 42)),
        (Op::ZeroExtend, [0, 0], vec![bits(2, 2)], bits(2, 2)),
        (Op::SignExtend, [3, 0], vec![bits(2, 2)], bits(5, 30)),
        (Op::SignExtend, [3, 0], vec![bits(2, 1)], bits(5, 1)),
        (Op::RotateLeft, [5, 0], vec![bits(4, 9)], bits(4, 3)),
        (Op::RotateRight, [1, 0], vec![bits(4, 9)], bits(4, 12)),
        (Op::RotateRight, [4, 0], vec![bits(4, 9)], bits(4, 9)),
        (Op::BvToNat, [0, 0], vec![bits(4, 15)], Value::int(15)),
        (Op::IntToBv, [4, 0], vec![Value::int(-1)], bits(4, 15)),
        (Op::IntToBv, [4, 0], vec![Value::int(35)], bits(4, 3)),
    ];
    for (op, indices, args, expected) in cases {
        assert_eq!(applied(op, indices, &args), expected, "{} {indices:?} {args:?}", op.name());
    }
}

fn array(index: Sort, default: i64, entries: Vec<(Value, i64)>) -> Value {
    let entries = entries.into_iter().map(|(index, element)| (index, Value::int(element))).collect();
    Value::Array(Arc::new(ArrayValue::new(index, Sort::Int, Value::int(default), entries)))
}

#[test]
fn arrays_over_finite_indices_are_equal_by_meaning() {
    let (yes, no) = (Value::Bool(true), Value::Bool(false));
    let whole = array(Sort::Bool, 9, vec![(yes.clone(), 1), (no.clone(), 2)]);
    let other = array(Sort::Bool, 2, vec![(yes.clone(), 1)]);
    let third = array(Sort::Bool, 1, vec![(no.clone(), 2)]);
    let different = array(Sort::Bool, 2, vec![]);
    let same = |left: &Value, right: &Value| applied(Op::Eq, [0, 0], &[left.clone(), right.clone()]);
    assert_eq!(same(&whole, &other), Value::Bool(true));
    assert_eq!(same(&whole, &third), Value::Bool(true));
    assert_eq!(same(&whole, &different), Value::Bool(false));
    assert_eq!(applied(Op::Distinct, [0, 0], &[whole.clone(), other.clone()]), Value::Bool(false));
    assert_eq!(applied(Op::Select, [0, 0], &[whole, yes]), Value::int(1));
    let narrow = |default, from: u64, to: u64| {
        array(Sort::BitVec(2), default, (from..to).map(|place| (bits(2, place), 7)).collect())
    };
    assert_eq!(same(&narrow(3, 0, 4), &narrow(7, 0, 0)), Value::Bool(true));
    assert_eq!(same(&narrow(3, 0, 3), &narrow(7, 0, 0)), Value::Bool(false));
}

#[test]
fn arrays_indexed_by_arrays_find_their_entries_by_meaning() {
    let inner = Sort::array(Sort::Bool, Sort::Bool);
    let map = |default, entries: Vec<(bool, bool)>| {
        let entries: BTreeMap<_, _> = entries.into_iter().map(|(k, v)| (Value::Bool(k), Value::Bool(v))).collect();
        Value::Array(Arc::new(ArrayValue::new(Sort::Bool, Sort::Bool, Value::Bool(default), entries)))
    };
    let outer = array(inner.clone(), 0, vec![(map(false, vec![(true, true)]), 5)]);
    assert_eq!(applied(Op::Select, [0, 0], &[outer, map(true, vec![(false, false)])]), Value::int(5));
    let all = [map(false, vec![]), map(true, vec![]), map(false, vec![(true, true)]), map(true, vec![(true, false)])];
    let everywhere = array(inner.clone(), 0, all.into_iter().map(|index| (index, 5)).collect());
    assert_eq!(canonical(&everywhere), array(inner, 5, vec![]));
}

#[test]
fn a_hundred_thousand_nested_terms_need_no_stack() {
    let mut terms = Terms::new();
    let one = terms.int(1);
    let mut sum = terms.symbol("x", &Sort::Int);
    for _ in 0..100_000 {
        sum = terms.app(Op::Add, &[sum, one]);
    }
    assert_eq!(eval(&terms, &Model::new(), sum), Value::int(100_000));
}

/// The operators on two bit-vectors, written with machine integers: an independent second opinion.
fn machine(op: Op, width: u32, left: u64, right: u64) -> Option<Value> {
    let mask = (1u64 << width) - 1;
    let signed =
        |pattern: u64| if pattern >> (width - 1) & 1 == 1 { pattern as i64 - (1 << width) } else { pattern as i64 };
    let (a, b) = (signed(left), signed(right));
    let wrap = |number: i64| Some(bits(width, number as u64 & mask));
    let truth = |truth: bool| Some(Value::Bool(truth));
    match op {
        Op::BvAnd => wrap((left & right) as i64),
        Op::BvOr => wrap((left | right) as i64),
        Op::BvXor => wrap((left ^ right) as i64),
        Op::BvNand => wrap(!(left & right) as i64),
        Op::BvNor => wrap(!(left | right) as i64),
        Op::BvXnor => wrap(!(left ^ right) as i64),
        Op::BvComp => Some(bits(1, u64::from(left == right))),
        Op::BvAdd => wrap(a + b),
        Op::BvSub => wrap(a - b),
        Op::BvMul => wrap(a * b),
        Op::BvUdiv => wrap(left.checked_div(right).unwrap_or(mask) as i64),
        Op::BvUrem => wrap(left.checked_rem(right).unwrap_or(left) as i64),
        Op::BvSdiv => wrap(if b == 0 { if a < 0 { 1 } else { -1 } } else { a / b }),
        Op::BvSrem => wrap(if b == 0 { a } else { a % b }),
        Op::BvSmod => wrap(if b == 0 { a } else { a - b * (a as f64 / b as f64).floor() as i64 }),
        Op::BvShl => wrap(if right < width.into() { (left << right) as i64 } else { 0 }),
        Op::BvLshr => wrap(if right < width.into() { (left >> right) as i64 } else { 0 }),
        Op::BvAshr => wrap(a >> right.min(63)),
        Op::BvUlt => truth(left < right),
        Op::BvUle => truth(left <= right),
        Op::BvUgt => truth(left > right),
        Op::BvUge => truth(left >= right),
        Op::BvSlt => truth(a < b),
        Op::BvSle => truth(a <= b),
        Op::BvSgt => truth(a > b),
        Op::BvSge => truth(a >= b),
        Op::Concat => Some(bits(2 * width, left << width | right)),
        _ => None,
    }
}

proptest! {
    #[test]
    fn narrow_bit_vectors_agree_with_machine_arithmetic(width in 1u32..=8, left: u8, right: u8) {
        let mask = (1u64 << width) - 1;
        let (left, right) = (u64::from(left) & mask, u64::from(right) & mask);
        let args = [bits(width, left), bits(width, right)];
        for &op in Op::ALL {
            if let Some(expected) = machine(op, width, left, right) {
                prop_assert_eq!(applied(op, [0, 0], &args), expected, "{} {:?}", op.name(), &args);
            }
        }
        let turn = right as u32 % width;
        let turned = bits(width, (left << turn | left >> (width - turn)) & mask);
        prop_assert_eq!(applied(Op::RotateLeft, [right as u32, 0], &args[..1]), turned.clone());
        prop_assert_eq!(applied(Op::RotateRight, [right as u32, 0], &[turned]), args[0].clone());
        prop_assert_eq!(applied(Op::BvNot, [0, 0], &args[..1]), bits(width, !left & mask));
        prop_assert_eq!(applied(Op::BvNeg, [0, 0], &args[..1]), bits(width, left.wrapping_neg() & mask));
    }
}

#[test]
fn long_chains_of_writes_are_read_without_building_every_step() {
    let mut terms = Terms::new();
    let sort = Sort::array(Sort::Int, Sort::Int);
    let start = terms.symbol("a", &sort);
    let (mut memory, mut sum) = (start, terms.int(0));
    for place in 0..3_000 {
        let (index, element) = (terms.int(place), terms.int(place + 1));
        memory = terms.app(Op::Store, &[memory, index, element]);
        let written = terms.app(Op::Select, &[memory, index]);
        sum = terms.app(Op::Add, &[sum, written]);
        let (one, zero) = (terms.int(1), terms.int(0));
        let reset = terms.app(Op::Store, &[memory, zero, one]);
        let condition = terms.app(Op::Lt, &[sum, zero]);
        memory = terms.ite(condition, reset, memory);
    }
    assert_eq!(eval(&terms, &Model::new(), sum), Value::int(3_000 * 3_001 / 2));
    let Value::Array(last) = eval(&terms, &Model::new(), memory) else { panic!("an array") };
    assert_eq!(last.entries().len(), 3_000);
    assert_eq!(*last.get(&Value::int(7)), Value::int(8));
    assert_eq!(eval(&terms, &Model::new(), start), Value::default_of(&sort));
}
