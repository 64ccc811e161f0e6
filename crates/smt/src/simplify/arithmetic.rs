//! Integer and real arithmetic: constants are merged, and comparisons have their constant on the right.

use value::{IBig, RBig, Value};

use super::{Node, Step, args_of, becomes, is, truth};
use crate::{Op, SortId, Term, Terms};

pub(super) fn step(terms: &mut Terms, node: &Node) -> Option<Step> {
    match (node.op, &node.args[..]) {
        (Op::Neg, &[arg]) => match terms.op(arg) {
            Op::Neg => is(terms.args(arg)[0]),
            Op::Sub => becomes(Op::Sub, &[terms.args(arg)[1], terms.args(arg)[0]]),
            _ => None,
        },
        (Op::Add, args) => sum(terms, args),
        (Op::Sub, &[left, right]) => difference(terms, left, right),
        (Op::Mul, args) => product(terms, args),
        (Op::Div | Op::Mod, &[left, right]) => division(terms, node.op, left, right),
        (Op::Abs, &[arg]) => match terms.op(arg) {
            Op::Abs => is(arg),
            Op::Neg => becomes(Op::Abs, terms.args(arg)),
            _ => None,
        },
        (Op::Divide, &[left, right]) => {
            let divisor = number(terms, right)?;
            let factor = if divisor.is_zero() { RBig::ZERO } else { RBig::ONE / divisor };
            let factor = terms.constant(Value::Real(factor));
            becomes(Op::Mul, &[left, factor])
        }
        (Op::Lt | Op::Le | Op::Gt | Op::Ge, &[left, right]) => comparison(terms, node.op, left, right),
        (Op::Divisible, _) if node.indices[0] == 1 => truth(terms, true),
        (Op::ToInt, &[arg]) => args_of(terms, Op::ToReal, arg).and_then(|inner| is(inner[0])),
        (Op::IsInt, &[arg]) => args_of(terms, Op::ToReal, arg).and_then(|_| truth(terms, true)),
        _ => None,
    }
}

/// `left = right`, where `right` is a constant.
pub(super) fn equality(terms: &mut Terms, left: Term, right: Term) -> Option<Step> {
    let (rest, bound, _) = moved(terms, left, right)?;
    becomes(Op::Eq, &[rest, bound])
}

/// The constant as a rational, whatever its sort.
fn number(terms: &Terms, term: Term) -> Option<RBig> {
    match terms.value(term)? {
        Value::Int(number) => Some(RBig::from(number.clone())),
        Value::Real(number) => Some(number.clone()),
        Value::Bool(_) | Value::BitVec(_) | Value::Enum(_) | Value::Array(_) => None,
    }
}

/// The constant of a sort; the number is an integer if the sort is.
fn constant(terms: &mut Terms, sort: SortId, number: RBig) -> Term {
    terms.constant(if sort == SortId::INT { Value::Int(number.floor()) } else { Value::Real(number) })
}

/// The parts of a sum or product of something and a constant.
fn with_constant(terms: &Terms, op: Op, term: Term) -> Option<(Term, RBig)> {
    match *args_of(terms, op, term)? {
        [first, second] => match (number(terms, first), number(terms, second)) {
            (None, Some(number)) => Some((first, number)),
            (Some(number), None) => Some((second, number)),
            _ => None,
        },
        _ => None,
    }
}

fn sum(terms: &mut Terms, args: &[Term]) -> Option<Step> {
    merged(terms, Op::Add, args, RBig::ZERO, |left, right| left + right)
}

fn product(terms: &mut Terms, args: &[Term]) -> Option<Step> {
    if let Some(&zero) = args.iter().find(|&&arg| number(terms, arg).is_some_and(|number| number.is_zero())) {
        return is(zero);
    }
    if let [first, second] = *args {
        let minus = RBig::from(IBig::NEG_ONE);
        for (factor, other) in [(first, second), (second, first)] {
            if number(terms, factor).as_ref() == Some(&minus) {
                return becomes(Op::Neg, &[other]);
            }
        }
    }
    merged(terms, Op::Mul, args, RBig::ONE, |left, right| left * right)
}

/// Merges the constants of a sum or product, also those one level below; the constant goes last.
fn merged(terms: &mut Terms, op: Op, args: &[Term], neutral: RBig, combine: fn(RBig, RBig) -> RBig) -> Option<Step> {
    let sort = terms.sort_id(args[0]);
    let mut total = neutral.clone();
    let mut rest = Vec::new();
    let mut merges = 0;
    for &arg in args {
        if let Some(number) = number(terms, arg) {
            total = combine(total, number);
            merges += 1;
        } else if let Some((inner, number)) = with_constant(terms, op, arg) {
            total = combine(total, number);
            rest.push(inner);
            merges += 2;
        } else {
            rest.push(arg);
        }
    }
    let last_is_constant = args.last().is_some_and(|&last| number(terms, last).is_some());
    if merges == 0 || merges == 1 && last_is_constant && total != neutral {
        return None;
    }
    if total != neutral || rest.is_empty() {
        rest.push(constant(terms, sort, total));
    }
    match rest[..] {
        [only] => is(only),
        _ => becomes(op, &rest),
    }
}

fn difference(terms: &mut Terms, left: Term, right: Term) -> Option<Step> {
    let sort = terms.sort_id(left);
    if left == right {
        return is(constant(terms, sort, RBig::ZERO));
    }
    if number(terms, left).is_some_and(|number| number.is_zero()) {
        return becomes(Op::Neg, &[right]);
    }
    if let Some(number) = number(terms, right) {
        let negated = constant(terms, sort, -number);
        return becomes(Op::Add, &[left, negated]);
    }
    args_of(terms, Op::Neg, right).and_then(|inner| becomes(Op::Add, &[left, inner[0]]))
}

fn division(terms: &mut Terms, op: Op, left: Term, right: Term) -> Option<Step> {
    let zero = terms.int(0);
    let (one, minus) = (IBig::ONE, IBig::NEG_ONE);
    if left == zero {
        return is(zero);
    }
    if op == Op::Mod && args_of(terms, Op::Mod, left).is_some_and(|inner| inner[1] == right) {
        return is(left);
    }
    match (op, terms.value(right)?) {
        (Op::Div, Value::Int(number)) if number.is_zero() => is(zero),
        (Op::Div, Value::Int(number)) if *number == one => is(left),
        (Op::Div, Value::Int(number)) if *number == minus => becomes(Op::Neg, &[left]),
        (Op::Mod, Value::Int(number)) if number.is_zero() => is(left),
        (Op::Mod, Value::Int(number)) if *number == one || *number == minus => is(zero),
        _ => None,
    }
}

fn comparison(terms: &mut Terms, op: Op, left: Term, right: Term) -> Option<Step> {
    let mirrored = match op {
        Op::Lt => Op::Gt,
        Op::Le => Op::Ge,
        Op::Gt => Op::Lt,
        _ => Op::Le,
    };
    if left == right {
        return truth(terms, op == Op::Le || op == Op::Ge);
    }
    if number(terms, left).is_some() {
        return becomes(mirrored, &[right, left]);
    }
    let bound = number(terms, right)?;
    if let Some((rest, bound, turned)) = moved(terms, left, right) {
        return becomes(if turned { mirrored } else { op }, &[rest, bound]);
    }
    if terms.sort_id(left) != SortId::INT {
        return None;
    }
    let (op, shift) = match op {
        Op::Lt => (Op::Le, IBig::NEG_ONE),
        Op::Gt => (Op::Ge, IBig::ONE),
        _ => return None,
    };
    let bound = constant(terms, SortId::INT, bound + RBig::from(shift));
    becomes(op, &[left, bound])
}

/// `x + c ~ d` as `x ~ d - c`, and `-x ~ d` as `x ~ -d` turned around; `right` is the constant `d`.
fn moved(terms: &mut Terms, left: Term, right: Term) -> Option<(Term, Term, bool)> {
    let (sort, bound) = (terms.sort_id(left), number(terms, right)?);
    if let Some((rest, number)) = with_constant(terms, Op::Add, left) {
        return Some((rest, constant(terms, sort, bound - number), false));
    }
    let inner = args_of(terms, Op::Neg, left)?[0];
    Some((inner, constant(terms, sort, -bound), true))
}
