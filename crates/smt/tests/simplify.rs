//! Simplification keeps the value of every term and never adds applications.

use proptest::prelude::*;
use smt::{Evaluator, Op, Simplifier, Term, Terms, Theories, Theory, print_term};
use testkit::terms::{ALL_THEORIES, Choices, Pool, choices, random_model};
use value::Sort;

/// The number of applications in the cone of a term.
fn applications(terms: &Terms, root: Term) -> usize {
    let (mut seen, mut open, mut count) = (vec![false; terms.len()], vec![root], 0);
    while let Some(term) = open.pop() {
        if !seen[term.index()] && !terms.args(term).is_empty() {
            seen[term.index()] = true;
            count += 1;
            open.extend(terms.args(term));
        }
    }
    count
}

fn check(theories: Theories, mut choices: Choices, values: Choices) -> Result<(), TestCaseError> {
    let mut terms = Terms::new();
    let pool = Pool::grow(&mut terms, theories, &mut choices);
    judge(terms, &pool, values)
}

/// As `check`, with few sorts and operators, so that the patterns of the rules come up often.
fn check_theme(sorts: &[Sort], ops: &[Op], mut choices: Choices, values: Choices) -> Result<(), TestCaseError> {
    let mut terms = Terms::new();
    let pool = Pool::themed(&mut terms, ALL_THEORIES, sorts, ops, &mut choices);
    judge(terms, &pool, values)
}

fn judge(mut terms: Terms, pool: &Pool, mut values: Choices) -> Result<(), TestCaseError> {
    let mut simplifier = Simplifier::new();
    let pairs: Vec<_> = pool.all().map(|term| (term, simplifier.simplify(&mut terms, term))).collect();
    for _ in 0..3 {
        let model = random_model(&terms, &mut values);
        let mut evaluator = Evaluator::new(&terms, &model);
        for &(term, simple) in &pairs {
            let expected = evaluator.eval(term).clone();
            let (from, to) = (print_term(&terms, term), print_term(&terms, simple));
            prop_assert_eq!(evaluator.eval(simple), &expected, "{} became {}", from, to);
        }
    }
    for &(term, simple) in &pairs {
        prop_assert_eq!(terms.sort_id(term), terms.sort_id(simple));
        prop_assert!(applications(&terms, simple) <= applications(&terms, term), "{}", print_term(&terms, term));
        let mut again = Simplifier::new();
        prop_assert_eq!(again.simplify(&mut terms, simple), simple, "{}", print_term(&terms, simple));
    }
    Ok(())
}

const NONE: Theories = Theories {
    integers: false,
    reals: false,
    nonlinear: false,
    bit_vectors: false,
    arrays: false,
    enumerations: false,
};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn core(choices in choices(300), values in choices(100)) {
        check(Theories { enumerations: true, ..NONE }, choices, values)?;
    }

    #[test]
    fn arithmetic(choices in choices(300), values in choices(100)) {
        check(Theories { integers: true, reals: true, nonlinear: true, ..NONE }, choices, values)?;
    }

    #[test]
    fn bit_vectors(choices in choices(300), values in choices(100)) {
        check(Theories { bit_vectors: true, ..NONE }, choices, values)?;
    }

    #[test]
    fn arrays(choices in choices(300), values in choices(100)) {
        check(Theories { bit_vectors: true, arrays: true, integers: true, ..NONE }, choices, values)?;
    }

    #[test]
    fn conditionals(choices in choices(200), values in choices(60)) {
        let ops = [Op::Ite, Op::Not, Op::Ite, Op::Eq, Op::Constant, Op::Xor, Op::Implies];
        check_theme(&[Sort::Bool], &ops, choices.clone(), values.clone())?;
        check_theme(&[Sort::Bool, Sort::BitVec(1)], &ops, choices, values)?;
    }

    #[test]
    fn linear_arithmetic(choices in choices(200), values in choices(60)) {
        let ops = [Op::Add, Op::Sub, Op::Neg, Op::Mul, Op::Lt, Op::Le, Op::Gt, Op::Ge, Op::Eq, Op::Constant, Op::Mod, Op::Div];
        check_theme(&[Sort::Int], &ops, choices.clone(), values.clone())?;
        check_theme(&[Sort::Real], &ops[..10], choices, values)?;
    }

    #[test]
    fn reads_and_writes(choices in choices(200), values in choices(60)) {
        let sorts = [Sort::BitVec(1), Sort::array(Sort::BitVec(1), Sort::BitVec(1))];
        let ops = [Op::Store, Op::Select, Op::Constant, Op::ConstArray, Op::Store, Op::Eq];
        check_theme(&sorts, &ops, choices, values)?;
    }

    #[test]
    fn slices(choices in choices(200), values in choices(60)) {
        let ops = [Op::Extract, Op::Concat, Op::Extract, Op::ZeroExtend, Op::SignExtend, Op::Repeat, Op::RotateLeft, Op::RotateRight, Op::Eq];
        check_theme(&[Sort::BitVec(3)], &ops, choices, values)?;
    }

    #[test]
    fn shifts_and_masks(choices in choices(200), values in choices(60)) {
        let ops = [Op::BvShl, Op::BvLshr, Op::BvAshr, Op::Constant, Op::BvAnd, Op::BvOr, Op::BvXor, Op::BvNot, Op::Constant,
            Op::BvAdd, Op::BvSub, Op::BvNeg, Op::BvMul, Op::BvUlt, Op::BvUle, Op::BvUgt, Op::BvUge, Op::Eq];
        check_theme(&[Sort::BitVec(3)], &ops, choices, values)?;
    }

    #[test]
    fn everything(choices in choices(300), values in choices(100)) {
        check(ALL_THEORIES, choices, values)?;
    }
}

/// Pairs of corner constants under every binary bit-vector operator, with a symbol on either side.
#[test]
fn constants_beside_symbols() {
    let mut terms = Terms::new();
    let mut simplifier = Simplifier::new();
    for width in [1, 2, 3] {
        let sort = Sort::BitVec(width);
        let x = terms.symbol(&format!("x{width}"), &sort);
        let constants: Vec<Term> = (0..1u32 << width)
            .map(|bits| terms.constant(value::Value::BitVec(value::BitVec::new(width, bits.into()))))
            .collect();
        for &op in Op::ALL.iter().filter(|op| op.theory() == Theory::BitVectors && op.index_count() == 0) {
            for &constant in &constants {
                for args in [[x, constant], [constant, x], [x, x]] {
                    let Ok(term) = terms.try_app(op, [0, 0], &args) else { continue };
                    let simple = simplifier.simplify(&mut terms, term);
                    for &value in &constants {
                        let mut model = smt::Model::new();
                        model.insert(x, terms.value(value).expect("a constant").clone());
                        let (left, right) = (smt::eval(&terms, &model, term), smt::eval(&terms, &model, simple));
                        assert_eq!(left, right, "{} became {}", print_term(&terms, term), print_term(&terms, simple));
                    }
                }
            }
        }
    }
}

/// What some rules are for.
#[test]
fn examples() {
    for (written, expected) in [
        ("(and p true p (or p q))", "p"),
        ("(or p (not p))", "true"),
        ("(not (< x y))", "(>= x y)"),
        ("(< (+ x 3) 5)", "(<= x 1)"),
        ("(= (+ x 3) 5)", "(= x 2)"),
        ("(+ 1 (+ x 2) 3)", "(+ x 6)"),
        ("(- x x)", "0"),
        ("(* 2 (* x 3))", "(* x 6)"),
        ("(ite p true q)", "(or p q)"),
        ("(= (ite p 1 2) 2)", "(not p)"),
        ("(ite (not p) x y)", "(ite p y x)"),
        ("((_ extract 3 0) (concat b b))", "((_ extract 3 0) b)"),
        ("(concat ((_ extract 7 4) b) ((_ extract 3 0) b))", "b"),
        ("(bvshl b #x09)", "#x00"),
        ("(bvmul b #x08)", "(bvshl b #x03)"),
        ("(bvurem b #x08)", "(bvand b #x07)"),
        ("(bvlshr (bvlshr b #x03) #x04)", "(bvlshr b #x07)"),
        ("(select (store (store a 1 x) 2 y) 1)", "x"),
        ("(store (store a x 1) x 2)", "(store a x 2)"),
        ("(store a x (select a x))", "a"),
    ] {
        let mut terms = Terms::new();
        let declarations = "(declare-const p Bool)(declare-const q Bool)(declare-const x Int)(declare-const y Int)
            (declare-const b (_ BitVec 8))(declare-const a (Array Int Int))";
        let script = smt::read_script(&mut terms, &format!("{declarations}(get-value ({written}))")).unwrap();
        let Some((_, smt::Command::Values(read))) = script.commands.last() else { panic!("one value") };
        let simple = Simplifier::new().simplify(&mut terms, read[0]);
        assert_eq!(print_term(&terms, simple), expected, "{written}");
    }
}

/// Slices of slices and slices side by side, all of them for four bits.
#[test]
fn every_pair_of_slices() {
    let mut terms = Terms::new();
    let mut simplifier = Simplifier::new();
    let x = terms.symbol("x", &Sort::BitVec(4));
    let places = || (0..4u32).flat_map(|high| (0..=high).map(move |low| [high, low]));
    let mut made = Vec::new();
    for first in places() {
        let upper = terms.indexed(Op::Extract, first, &[x]);
        for second in places() {
            let lower = terms.indexed(Op::Extract, second, &[x]);
            let both = terms.app(Op::Concat, &[upper, lower]);
            made.push(both);
            for third in places().filter(|third| third[0] <= first[0] + second[0] - first[1] - second[1] + 1) {
                made.push(terms.indexed(Op::Extract, third, &[both]));
            }
        }
    }
    let pairs: Vec<_> = made.iter().map(|&term| (term, simplifier.simplify(&mut terms, term))).collect();
    for bits in 0..16u32 {
        let mut model = smt::Model::new();
        model.insert(x, value::Value::BitVec(value::BitVec::new(4, bits.into())));
        let mut evaluator = Evaluator::new(&terms, &model);
        for &(term, simple) in &pairs {
            let expected = evaluator.eval(term).clone();
            assert_eq!(*evaluator.eval(simple), expected, "{}", print_term(&terms, term));
        }
    }
}
