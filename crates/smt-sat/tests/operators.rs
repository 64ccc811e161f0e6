//! Every operator against the evaluator: all inputs at small widths, random ones at large widths.

#![allow(clippy::unwrap_used, reason = "the functions beside the tests belong to them")]

use smt::{Answer, Model, Op, Query, Solver, SortId, Term, Terms, Wanted, eval};
use smt_sat::{SatSolver, Widths};
use testkit::terms::{Choices, random_value};
use value::{BitVec, IBig, Sort, UBig, Value};

const MODEL: Wanted = Wanted { model: true, core: false };

/// Checks that the solver computes `term` as the evaluator does, for all given values of the symbols.
fn check(terms: &mut Terms, symbols: &[Term], term: Term, inputs: impl Iterator<Item = Vec<Value>>) {
    check_with(SatSolver::new(), terms, symbols, term, inputs);
}

fn check_with(
    mut solver: SatSolver,
    terms: &mut Terms,
    symbols: &[Term],
    term: Term,
    inputs: impl Iterator<Item = Vec<Value>>,
) {
    let sort = terms.sort(term).clone();
    let result = terms.fresh("result", &sort);
    let defined = terms.eq(result, term);
    solver.assert(terms, defined).unwrap();
    for values in inputs {
        let mut model = Model::new();
        let mut assumptions = Vec::new();
        for (&symbol, value) in symbols.iter().zip(&values) {
            let constant = terms.constant(value.clone());
            assumptions.push(terms.eq(symbol, constant));
            model.insert(symbol, value.clone());
        }
        let query = Query { assumptions: &assumptions, wanted: MODEL, ..Query::default() };
        let expected = eval(terms, &model, term);
        match solver.check(terms, query).unwrap() {
            Answer::Sat(found) => {
                let got = found.value(terms, result);
                assert_eq!(got, expected, "{} {:?} {values:?}", terms.op(term).name(), terms.indices(term));
            }
            other => panic!("{} {values:?}: {other:?}", terms.op(term).name()),
        }
    }
}

fn pattern(width: u32, bits: u64) -> Value {
    Value::BitVec(BitVec::new(width, UBig::from(bits)))
}

const BINARY: &[Op] = &[
    Op::Concat,
    Op::BvAnd,
    Op::BvOr,
    Op::BvXor,
    Op::BvNand,
    Op::BvNor,
    Op::BvXnor,
    Op::BvComp,
    Op::BvAdd,
    Op::BvSub,
    Op::BvMul,
    Op::BvUdiv,
    Op::BvUrem,
    Op::BvSdiv,
    Op::BvSrem,
    Op::BvSmod,
    Op::BvShl,
    Op::BvLshr,
    Op::BvAshr,
    Op::BvUlt,
    Op::BvUle,
    Op::BvUgt,
    Op::BvUge,
    Op::BvSlt,
    Op::BvSle,
    Op::BvSgt,
    Op::BvSge,
    Op::Eq,
    Op::Distinct,
];

const UNARY: &[(Op, [u32; 2])] = &[
    (Op::BvNot, [0, 0]),
    (Op::BvNeg, [0, 0]),
    (Op::Extract, [0, 0]),
    (Op::Repeat, [1, 0]),
    (Op::Repeat, [3, 0]),
    (Op::ZeroExtend, [0, 0]),
    (Op::ZeroExtend, [2, 0]),
    (Op::SignExtend, [0, 0]),
    (Op::SignExtend, [3, 0]),
    (Op::RotateLeft, [0, 0]),
    (Op::RotateLeft, [1, 0]),
    (Op::RotateLeft, [7, 0]),
    (Op::RotateRight, [2, 0]),
    (Op::RotateRight, [9, 0]),
    (Op::BvToNat, [0, 0]),
];

#[test]
fn binary_bit_vector_operators_are_right_on_all_inputs_of_few_bits() {
    for width in 1..=4 {
        for &op in BINARY {
            let mut terms = Terms::new();
            let sort = Sort::BitVec(width);
            let (x, y) = (terms.symbol("x", &sort), terms.symbol("y", &sort));
            let term = terms.app(op, &[x, y]);
            let all = (0..1u64 << (2 * width))
                .map(|both| vec![pattern(width, both & ((1 << width) - 1)), pattern(width, both >> width)]);
            check(&mut terms, &[x, y], term, all);
        }
    }
}

#[test]
fn operators_by_a_constant_are_right_on_all_inputs_of_few_bits() {
    for width in 1..=4 {
        for &op in BINARY {
            for constant in 0..1 << width {
                let mut terms = Terms::new();
                let x = terms.symbol("x", &Sort::BitVec(width));
                let constant = terms.constant(pattern(width, constant));
                let term = terms.app(op, &[x, constant]);
                check(&mut terms, &[x], term, (0..1 << width).map(|bits| vec![pattern(width, bits)]));
                let term = terms.app(op, &[constant, x]);
                check(&mut terms, &[x], term, (0..1 << width).map(|bits| vec![pattern(width, bits)]));
            }
        }
    }
}

#[test]
fn unary_bit_vector_operators_are_right_on_all_inputs_of_few_bits() {
    for width in 1..=4 {
        for &(op, indices) in UNARY {
            let mut terms = Terms::new();
            let x = terms.symbol("x", &Sort::BitVec(width));
            let term = terms.indexed(op, indices, &[x]);
            check(&mut terms, &[x], term, (0..1 << width).map(|bits| vec![pattern(width, bits)]));
        }
    }
}

#[test]
fn bit_vector_operators_are_right_on_random_inputs_of_many_bits() {
    let mut choices = Choices::seeded(1, 200_000);
    for width in [5, 7, 8, 13, 16, 31, 32, 33, 64, 70] {
        for &op in BINARY {
            let mut terms = Terms::new();
            let sort = Sort::BitVec(width);
            let (x, y) = (terms.symbol("x", &sort), terms.symbol("y", &sort));
            let term = terms.app(op, &[x, y]);
            let amount = |choices: &mut Choices| match choices.below(3) {
                0 => pattern(width, choices.below(2 * width as usize) as u64),
                _ => random_value(choices, &sort),
            };
            let inputs: Vec<_> =
                (0..12).map(|_| vec![random_value(&mut choices, &sort), amount(&mut choices)]).collect();
            check(&mut terms, &[x, y], term, inputs.into_iter());
        }
    }
}

#[test]
fn integer_operators_are_right_on_small_numbers() {
    let numbers = [-130, -9, -8, -7, -3, -2, -1, 0, 1, 2, 3, 4, 7, 8, 127, 128];
    for op in [Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Mod, Op::Lt, Op::Le, Op::Gt, Op::Ge, Op::Eq, Op::Distinct] {
        let mut terms = Terms::new();
        let (x, y) = (terms.symbol("x", &Sort::Int), terms.symbol("y", &Sort::Int));
        let term = terms.app(op, &[x, y]);
        let pairs = numbers.iter().flat_map(|&x| numbers.iter().map(move |&y| vec![Value::int(x), Value::int(y)]));
        check(&mut terms, &[x, y], term, pairs);
        for constant in [-7, -2, -1, 0, 1, 2, 3, 8] {
            let constant = terms.int(constant);
            let term = terms.app(op, &[x, constant]);
            check(&mut terms, &[x], term, numbers.iter().map(|&x| vec![Value::int(x)]));
        }
    }
    let unary = [
        (Op::Neg, 0),
        (Op::Abs, 0),
        (Op::Divisible, 1),
        (Op::Divisible, 3),
        (Op::Divisible, 8),
        (Op::IntToBv, 1),
        (Op::IntToBv, 5),
        (Op::IntToBv, 40),
    ];
    for (op, index) in unary {
        let mut terms = Terms::new();
        let x = terms.symbol("x", &Sort::Int);
        let term = terms.indexed(op, [index, 0], &[x]);
        check(&mut terms, &[x], term, numbers.iter().map(|&x| vec![Value::int(x)]));
    }
}

#[test]
fn large_integers_are_exact() {
    let mut terms = Terms::new();
    let (x, y) = (terms.symbol("x", &Sort::Int), terms.symbol("y", &Sort::Int));
    let product = terms.app(Op::Mul, &[x, y, x]);
    let large = (IBig::ONE << 40) - IBig::from(17);
    let inputs = [(large.clone(), IBig::from(-3)), (-large.clone(), large.clone()), (IBig::from(12345), large)];
    let inputs = inputs.map(|(x, y)| vec![Value::Int(x), Value::Int(y)]);
    let wide = SatSolver::with_widths(Widths { last: 160, ..Widths::default() });
    check_with(wide, &mut terms, &[x, y], product, inputs.into_iter());
}

#[test]
fn boolean_operators_are_right_on_all_inputs() {
    for op in [Op::And, Op::Or, Op::Xor, Op::Implies, Op::Eq, Op::Distinct, Op::Ite] {
        let mut terms = Terms::new();
        let symbols = ["x", "y", "z"].map(|name| terms.symbol(name, &Sort::Bool));
        let binary = matches!(op, Op::Xor | Op::Implies | Op::Eq);
        let term = terms.app(op, if binary { &symbols[..2] } else { &symbols });
        assert_eq!(terms.sort_id(term), SortId::BOOL);
        check(&mut terms, &symbols, term, (0..8).map(|bits| (0..3).map(|i| Value::Bool(bits >> i & 1 == 1)).collect()));
    }
}
