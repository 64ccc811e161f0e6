//! Connectives, equality and if-then-else.

use hashbrown::HashSet;
use rustc_hash::FxBuildHasher;
use value::{Sort, Value};

use super::{Node, Step, args_of, becomes, differ, is, truth};
use crate::{Op, SortId, Term, Terms};

pub(super) fn step(terms: &mut Terms, node: &Node) -> Option<Step> {
    match (node.op, &node.args[..]) {
        (Op::Not, &[arg]) => not(terms, arg),
        (Op::And, args) => connective(terms, Op::And, Op::Or, args),
        (Op::Or, args) => connective(terms, Op::Or, Op::And, args),
        (Op::Xor, &[left, right]) => xor(terms, left, right),
        (Op::Implies, &[left, right]) => implies(terms, left, right),
        (Op::Eq, &[left, right]) => equality(terms, left, right),
        (Op::Distinct, args) => distinct(terms, args),
        (Op::Ite, &[condition, then, otherwise]) => ite(terms, condition, then, otherwise),
        _ => None,
    }
}

fn not(terms: &Terms, arg: Term) -> Option<Step> {
    let opposite = match terms.op(arg) {
        Op::Not => return is(terms.args(arg)[0]),
        Op::Lt => Op::Ge,
        Op::Le => Op::Gt,
        Op::Gt => Op::Le,
        Op::Ge => Op::Lt,
        Op::BvUlt => Op::BvUge,
        Op::BvUle => Op::BvUgt,
        Op::BvUgt => Op::BvUle,
        Op::BvUge => Op::BvUlt,
        Op::BvSlt => Op::BvSge,
        Op::BvSle => Op::BvSgt,
        Op::BvSgt => Op::BvSle,
        Op::BvSge => Op::BvSlt,
        Op::Xor => Op::Eq,
        _ => return None,
    };
    becomes(opposite, terms.args(arg))
}

/// Whether one is the negation of the other.
fn opposite(terms: &Terms, left: Term, right: Term) -> bool {
    args_of(terms, Op::Not, left) == Some(&[right]) || args_of(terms, Op::Not, right) == Some(&[left])
}

/// Conjunction, and disjunction as its dual.
fn connective(terms: &Terms, op: Op, dual: Op, args: &[Term]) -> Option<Step> {
    let (neutral, absorbing) = (terms.bool(op == Op::And), terms.bool(op == Op::Or));
    let all: HashSet<Term, FxBuildHasher> = args.iter().copied().collect();
    let negated = |arg: &Term| args_of(terms, Op::Not, *arg).is_some_and(|inner| all.contains(&inner[0]));
    if all.contains(&absorbing) || args.iter().any(negated) {
        return is(absorbing);
    }
    let implied =
        |arg: &Term| args_of(terms, dual, *arg).is_some_and(|inner| inner.iter().any(|part| all.contains(part)));
    let mut seen: HashSet<Term, FxBuildHasher> = HashSet::default();
    let keep = |arg: &Term| *arg != neutral && !implied(arg) && seen.insert(*arg);
    let kept: Vec<Term> = args.iter().copied().filter(keep).collect();
    match kept[..] {
        [] => is(neutral),
        [only] => is(only),
        _ if kept.len() < args.len() => becomes(op, &kept),
        _ => None,
    }
}

fn xor(terms: &Terms, left: Term, right: Term) -> Option<Step> {
    let (no, yes) = (terms.bool(false), terms.bool(true));
    match (left, right) {
        _ if left == right => is(no),
        _ if opposite(terms, left, right) => is(yes),
        (other, constant) | (constant, other) if constant == no => is(other),
        (other, constant) | (constant, other) if constant == yes => becomes(Op::Not, &[other]),
        _ => match (args_of(terms, Op::Not, left), args_of(terms, Op::Not, right)) {
            (Some(&[left]), Some(&[right])) => becomes(Op::Xor, &[left, right]),
            (Some(&[left]), None) => becomes(Op::Eq, &[left, right]),
            (None, Some(&[right])) => becomes(Op::Eq, &[left, right]),
            _ => None,
        },
    }
}

fn implies(terms: &Terms, left: Term, right: Term) -> Option<Step> {
    let (no, yes) = (terms.bool(false), terms.bool(true));
    if left == no || right == yes || left == right {
        return is(yes);
    }
    if left == yes || opposite(terms, left, right) {
        return is(right);
    }
    if right == no {
        return becomes(Op::Not, &[left]);
    }
    args_of(terms, Op::Not, left).and_then(|inner| becomes(Op::Or, &[inner[0], right]))
}

fn equality(terms: &mut Terms, left: Term, right: Term) -> Option<Step> {
    if left == right {
        return truth(terms, true);
    }
    if opposite(terms, left, right) {
        return truth(terms, false);
    }
    if terms.value(left).is_some() {
        return becomes(Op::Eq, &[right, left]);
    }
    if terms.sort_id(left) == SortId::BOOL {
        return equivalence(terms, left, right);
    }
    terms.value(right)?;
    if let Some(&[condition, then, otherwise]) = args_of(terms, Op::Ite, left) {
        return match (then == right, otherwise == right) {
            (true, _) if differ(terms, otherwise, right) => is(condition),
            (_, true) if differ(terms, then, right) => becomes(Op::Not, &[condition]),
            _ if differ(terms, then, right) && differ(terms, otherwise, right) => truth(terms, false),
            _ => None,
        };
    }
    match terms.sort(left) {
        Sort::Int | Sort::Real => super::arithmetic::equality(terms, left, right),
        Sort::BitVec(_) => super::bitvector::equality(terms, left, right),
        Sort::Bool | Sort::Enum(_) | Sort::Array(_) => None,
    }
}

fn equivalence(terms: &Terms, left: Term, right: Term) -> Option<Step> {
    match (terms.value(right), args_of(terms, Op::Not, left), args_of(terms, Op::Not, right)) {
        (Some(Value::Bool(true)), _, _) => is(left),
        (Some(_), _, _) => becomes(Op::Not, &[left]),
        (None, Some(&[left]), Some(&[right])) => becomes(Op::Eq, &[left, right]),
        (None, Some(&[left]), None) => becomes(Op::Xor, &[left, right]),
        (None, None, Some(&[right])) => becomes(Op::Xor, &[left, right]),
        _ => None,
    }
}

fn distinct(terms: &Terms, args: &[Term]) -> Option<Step> {
    let all: HashSet<Term, FxBuildHasher> = args.iter().copied().collect();
    let crowded = match terms.sort(args[0]) {
        Sort::Bool => 2 < args.len(),
        Sort::Enum(sort) => sort.variants.len() < args.len(),
        Sort::BitVec(width) => *width < 32 && 1 << width < args.len(),
        Sort::Int | Sort::Real | Sort::Array(_) => false,
    };
    if all.len() < args.len() || crowded {
        return truth(terms, false);
    }
    match *args {
        [left, right] if terms.sort_id(left) == SortId::BOOL => becomes(Op::Xor, &[left, right]),
        _ => None,
    }
}

fn ite(terms: &Terms, condition: Term, then: Term, otherwise: Term) -> Option<Step> {
    if let Some(Value::Bool(truth)) = terms.value(condition) {
        return is(if *truth { then } else { otherwise });
    }
    if then == otherwise {
        return is(then);
    }
    if let Some(&[inner]) = args_of(terms, Op::Not, condition) {
        return becomes(Op::Ite, &[inner, otherwise, then]);
    }
    if let Some(&[same, inner, _]) = args_of(terms, Op::Ite, then)
        && same == condition
    {
        return becomes(Op::Ite, &[condition, inner, otherwise]);
    }
    if let Some(&[same, _, inner]) = args_of(terms, Op::Ite, otherwise)
        && same == condition
    {
        return becomes(Op::Ite, &[condition, then, inner]);
    }
    if terms.sort_id(then) != SortId::BOOL {
        return None;
    }
    let (no, yes) = (terms.bool(false), terms.bool(true));
    match (then == yes || then == condition, otherwise == no || otherwise == condition) {
        (true, true) => return is(condition),
        (true, false) => return becomes(Op::Or, &[condition, otherwise]),
        (false, true) if then == no => return is(no),
        (false, true) => return becomes(Op::And, &[condition, then]),
        (false, false) => {}
    }
    if otherwise == yes {
        return if then == no { becomes(Op::Not, &[condition]) } else { becomes(Op::Implies, &[condition, then]) };
    }
    None
}
