//! Operators by name: how many arguments they are written with, and which sorts are adapted.

use std::sync::LazyLock;

use dashu_int::ops::Gcd;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use value::{IBig, RBig, Sort, UBig, Value};

use crate::{Op, SortId, Term, Terms};

type Built = Result<Term, String>;

/// Operators without indices by name. `-` is there as the binary one.
static BY_NAME: LazyLock<HashMap<&'static str, Op, FxBuildHasher>> = LazyLock::new(|| {
    let plain = Op::ALL.iter().filter(|op| op.index_count() == 0 && !op.name().is_empty());
    plain.map(|&op| (op.name(), op)).chain([("ubv_to_int", Op::BvToNat)]).collect()
});

/// Applies an operator without indices.
pub(super) fn by_name(terms: &mut Terms, name: &str, args: &[Term]) -> Built {
    let &op = BY_NAME.get(name).ok_or_else(|| format!("unknown function `{name}`, or none we support"))?;
    let args = &adapted(terms, op, args)[..];
    match (op, args) {
        (Op::And | Op::Or, &[only]) if terms.sort_id(only) == SortId::BOOL => Ok(only),
        (Op::Sub | Op::Neg, &[only]) => negation(terms, only),
        (Op::Sub, _) => fold(terms, Op::Sub, args),
        (Op::Divide, &[numerator, denominator]) => match fraction(terms, numerator, denominator) {
            Some(value) => Ok(terms.constant(value)),
            None => app(terms, op, args),
        },
        (Op::Ite, &[condition, then, otherwise]) => match division(terms, condition, then, otherwise) {
            Some(division) => Ok(division),
            None => app(terms, op, args),
        },
        (Op::Eq | Op::Lt | Op::Le | Op::Gt | Op::Ge, &[_, _, _, ..]) => chain(terms, op, args),
        (Op::Implies, &[ref rest @ .., last]) if 2 <= rest.len() => {
            rest.iter().rev().try_fold(last, |right, &left| app(terms, op, &[left, right]))
        }
        (
            Op::Xor
            | Op::Div
            | Op::Divide
            | Op::Concat
            | Op::BvAnd
            | Op::BvOr
            | Op::BvXor
            | Op::BvXnor
            | Op::BvAdd
            | Op::BvMul,
            &[_, _, _, ..],
        ) => fold(terms, op, args),
        _ => app(terms, op, args),
    }
}

/// Applies an indexed operator.
pub(super) fn indexed(terms: &mut Terms, name: &str, indices: &[u32], args: &[Term]) -> Built {
    let name = if name == "int_to_bv" || name == "nat2bv" { "int2bv" } else { name };
    let fits = |op: &&Op| op.name() == name && op.index_count() == indices.len() && **op != Op::ConstArray;
    let &op = Op::ALL.iter().find(fits).ok_or_else(|| format!("unknown indexed function `{name}`"))?;
    let &[first, ref rest @ ..] = indices else { return Err(format!("`{name}` has no indices")) };
    let indices = [first, rest.first().copied().unwrap_or(0)];
    terms.try_app(op, indices, args).map_err(|error| error.to_string())
}

/// The array that is the argument everywhere.
pub(super) fn constant_array(terms: &mut Terms, sort: &Sort, args: &[Term]) -> Built {
    let (&[element], Sort::Array(parts)) = (args, sort) else {
        return Err("a constant array is `((as const (Array …)) element)`".to_owned());
    };
    let element = coerced(terms, element, &parts.1);
    let index = terms.intern_sort(sort).index() as u32;
    terms.try_app(Op::ConstArray, [index, 0], &[element]).map_err(|error| error.to_string())
}

/// An integer as a real, if that is the sort wanted; any other term as it is.
pub(super) fn coerced(terms: &mut Terms, term: Term, wanted: &Sort) -> Term {
    if *wanted != Sort::Real || terms.sort_id(term) != SortId::INT {
        return term;
    }
    match terms.value(term) {
        Some(Value::Int(number)) => {
            let number = RBig::from(number.clone());
            terms.constant(Value::Real(number))
        }
        _ => terms.app(Op::ToReal, &[term]),
    }
}

/// The arguments with integers made reals where reals are expected.
fn adapted(terms: &mut Terms, op: Op, args: &[Term]) -> Vec<Term> {
    let mut args = args.to_vec();
    let is_real = |terms: &Terms, arg: &Term| terms.sort_id(*arg) == SortId::REAL;
    match op {
        Op::Divide | Op::ToInt | Op::IsInt => {
            args.iter_mut().for_each(|arg| *arg = coerced(terms, *arg, &Sort::Real));
        }
        Op::Eq | Op::Distinct | Op::Add | Op::Sub | Op::Mul | Op::Lt | Op::Le | Op::Gt | Op::Ge
            if args.iter().any(|arg| is_real(terms, arg)) =>
        {
            args.iter_mut().for_each(|arg| *arg = coerced(terms, *arg, &Sort::Real));
        }
        Op::Ite if args.len() == 3 && args[1..].iter().any(|arg| is_real(terms, arg)) => {
            args[1..].iter_mut().for_each(|arg| *arg = coerced(terms, *arg, &Sort::Real));
        }
        Op::Select | Op::Store => {
            if let Some(Sort::Array(parts)) = args.first().map(|&array| terms.sort(array).clone()) {
                for (arg, sort) in args[1..].iter_mut().zip([&parts.0, &parts.1]) {
                    *arg = coerced(terms, *arg, sort);
                }
            }
        }
        _ => {}
    }
    args
}

fn app(terms: &mut Terms, op: Op, args: &[Term]) -> Built {
    terms.try_app(op, [0, 0], args).map_err(|error| error.to_string())
}

fn fold(terms: &mut Terms, op: Op, args: &[Term]) -> Built {
    let (&first, rest) = args.split_first().ok_or_else(|| format!("`{}` needs arguments", op.name()))?;
    rest.iter().try_fold(first, |left, &right| app(terms, op, &[left, right]))
}

fn chain(terms: &mut Terms, op: Op, args: &[Term]) -> Built {
    let links: Result<Vec<_>, _> = args.windows(2).map(|pair| app(terms, op, pair)).collect();
    links.map(|links| terms.and(&links))
}

/// Negation; of a positive constant it is how negative constants are written.
fn negation(terms: &mut Terms, arg: Term) -> Built {
    let value = match terms.value(arg) {
        Some(Value::Int(number)) if IBig::ZERO < *number => Value::Int(-number),
        Some(Value::Real(number)) if RBig::ZERO < *number => Value::Real(-number),
        _ => return app(terms, Op::Neg, &[arg]),
    };
    Ok(terms.constant(value))
}

/// `(/ 1.0 3.0)` is how the constant is written.
fn fraction(terms: &Terms, numerator: Term, denominator: Term) -> Option<Value> {
    let whole = |term| match terms.value(term) {
        Some(Value::Real(number)) if number.denominator().is_one() => UBig::try_from(number.numerator().clone()).ok(),
        _ => None,
    };
    let (numerator, denominator) = (whole(numerator)?, whole(denominator)?);
    let lowest = UBig::ONE < denominator && !numerator.is_zero() && (&numerator).gcd(&denominator).is_one();
    lowest.then(|| Value::Real(RBig::from_parts(numerator.into(), denominator)))
}

/// `(ite (= y 0) 0 (div x y))` is how total division is written, see `print`.
fn division(terms: &Terms, condition: Term, then: Term, otherwise: Term) -> Option<Term> {
    let op = terms.op(otherwise);
    if !matches!(op, Op::Div | Op::Mod | Op::Divide) || terms.op(condition) != Op::Eq {
        return None;
    }
    let is_zero = |term| match terms.value(term) {
        Some(Value::Int(number)) => number.is_zero(),
        Some(Value::Real(number)) => number.is_zero(),
        _ => false,
    };
    let &[dividend, divisor] = terms.args(otherwise) else { return None };
    let &[left, right] = terms.args(condition) else { return None };
    let same = if op == Op::Mod { then == dividend } else { is_zero(then) };
    (same && left == divisor && is_zero(right)).then_some(otherwise)
}
