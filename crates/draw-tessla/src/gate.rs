//! Terms with constants folded away: most cells of the grid are constant, and a folded one costs nothing later.

use smt::{Op, Term, Terms};
use value::IBig;

/// Terms that choose from more constants are not looked into.
const MOST_CONSTANTS: usize = 16;

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

/// A sum, difference, product or comparison of two integers. A constant compared with one of several constants is the same whichever it is,
/// where all compare alike.
pub(super) fn arithmetic(terms: &mut Terms, op: Op, left: Term, right: Term) -> Term {
    let (Some(one), Some(other)) = (constants(terms, left), constants(terms, right)) else {
        return terms.app(op, &[left, right]);
    };
    if let (true, [left], [right]) = (matches!(op, Op::Add | Op::Sub | Op::Mul), one.as_slice(), other.as_slice()) {
        let number = match op {
            Op::Add => left + right,
            Op::Sub => left - right,
            _ => left * right,
        };
        return terms.int(number);
    }
    let compare = |left: &IBig, right: &IBig| match op {
        Op::Lt => Some(left < right),
        Op::Le => Some(left <= right),
        Op::Gt => Some(left > right),
        Op::Ge => Some(left >= right),
        _ => None,
    };
    let mut outcomes = one.iter().flat_map(|left| other.iter().map(move |right| compare(left, right)));
    match outcomes.next().flatten() {
        Some(first) if outcomes.all(|outcome| outcome == Some(first)) => terms.bool(first),
        _ => terms.app(op, &[left, right]),
    }
}

/// The constants that a term chooses from, if they are few.
fn constants(terms: &Terms, term: Term) -> Option<Vec<IBig>> {
    let (mut found, mut open) = (Vec::new(), vec![term]);
    while let Some(next) = open.pop() {
        match terms.value(next) {
            Some(value::Value::Int(number)) => found.push(number.clone()),
            _ if terms.op(next) == Op::Ite && found.len() + open.len() < MOST_CONSTANTS => {
                open.extend(&terms.args(next)[1..]);
            }
            _ => return None,
        }
    }
    Some(found)
}
