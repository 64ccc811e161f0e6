//! Terms with constants folded away: most cells of the grid are constant, and a folded one costs nothing later.

use smt::{Op, Term, Terms};

/// `!argument`.
pub(super) fn not(terms: &mut Terms, argument: Term) -> Term {
    match truth(terms, argument) {
        Some(value) => terms.bool(!value),
        None if terms.op(argument) == Op::Not => terms.args(argument)[0],
        None => terms.not(argument),
    }
}

/// Every one of them.
pub(super) fn and(terms: &mut Terms, arguments: &[Term]) -> Term {
    let mut open = Vec::with_capacity(arguments.len());
    for &argument in arguments {
        match truth(terms, argument) {
            Some(true) => {}
            Some(false) => return terms.bool(false),
            None if open.contains(&argument) => {}
            None => open.push(argument),
        }
    }
    terms.and(&open)
}

/// At least one of them.
pub(super) fn or(terms: &mut Terms, arguments: &[Term]) -> Term {
    let mut open = Vec::with_capacity(arguments.len());
    for &argument in arguments {
        match truth(terms, argument) {
            Some(false) => {}
            Some(true) => return terms.bool(true),
            None if 8 < open.len() || !open.contains(&argument) => open.push(argument),
            None => {}
        }
    }
    terms.or(&open)
}

/// The second where the first holds, otherwise the third.
pub(super) fn choose(terms: &mut Terms, condition: Term, then: Term, otherwise: Term) -> Term {
    if then == otherwise {
        return then;
    }
    match (truth(terms, condition), truth(terms, then), truth(terms, otherwise)) {
        (Some(true), ..) => then,
        (Some(false), ..) => otherwise,
        (None, Some(true), _) => or(terms, &[condition, otherwise]),
        (None, Some(false), _) => {
            let not = not(terms, condition);
            and(terms, &[not, otherwise])
        }
        (None, None, Some(true)) => {
            let not = not(terms, condition);
            or(terms, &[not, then])
        }
        (None, None, Some(false)) => and(terms, &[condition, then]),
        (None, None, None) => terms.ite(condition, then, otherwise),
    }
}

/// Whether both are the same.
pub(super) fn equal(terms: &mut Terms, left: Term, right: Term) -> Term {
    if left == right {
        return terms.bool(true);
    }
    match (truth(terms, left), truth(terms, right)) {
        (Some(true), _) => right,
        (_, Some(true)) => left,
        (Some(false), _) => not(terms, right),
        (_, Some(false)) => not(terms, left),
        (None, None) => match (terms.value(left), terms.value(right)) {
            (Some(left), Some(right)) => {
                let same = left == right;
                terms.bool(same)
            }
            _ => terms.eq(left, right),
        },
    }
}

/// The value of a constant truth.
pub(super) fn truth(terms: &Terms, term: Term) -> Option<bool> {
    match terms.value(term) {
        Some(value::Value::Bool(value)) => Some(*value),
        _ => None,
    }
}
