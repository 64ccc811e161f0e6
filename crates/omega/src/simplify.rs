//! Simplification: the negation normal form with smaller, equivalent parts. Every rule keeps the language.

use crate::formulas::{Binary, Formula, Formulas, Node, Unary};
use crate::nnf::nnf;

/// How far an operator is moved into its argument; what is deeper stays as it is.
const DEEP: u32 = 12;

/// An equivalent formula in negation normal form, usually smaller.
pub fn simplify(formulas: &mut Formulas, root: Formula) -> Formula {
    let normal = nnf(formulas, root, false);
    formulas.rewrite(normal, |formulas, node| match node {
        Node::Constant(_) | Node::Atom(_) => formulas.add(node),
        Node::Unary(Unary::Not, argument) => formulas.not(argument),
        Node::Unary(Unary::Next, argument) => next(formulas, argument),
        Node::Unary(Unary::Finally, argument) => finally(formulas, DEEP, argument),
        Node::Unary(Unary::Globally, argument) => globally(formulas, DEEP, argument),
        Node::Binary(Binary::And, left, right) => and(formulas, left, right),
        Node::Binary(Binary::Or, left, right) => or(formulas, left, right),
        Node::Binary(Binary::Until, left, right) => until(formulas, DEEP, left, right),
        Node::Binary(Binary::Release, left, right) => release(formulas, DEEP, left, right),
        Node::Binary(Binary::WeakUntil, left, right) => weak_until(formulas, left, right),
        Node::Binary(Binary::StrongRelease, left, right) => strong_release(formulas, left, right),
        Node::Binary(Binary::Implies | Binary::Iff | Binary::Xor, ..) => {
            unreachable!("negation normal form has none of these")
        }
    })
}

/// `left & right` of two simplified formulas.
pub fn and(formulas: &mut Formulas, left: Formula, right: Formula) -> Formula {
    match (formulas.node(left), formulas.node(right)) {
        (Node::Constant(false), _) | (_, Node::Constant(true)) => left,
        (Node::Constant(true), _) | (_, Node::Constant(false)) => right,
        _ if left == right => left,
        _ if complementary(formulas, left, right) => formulas.constant(false),
        (Node::Unary(Unary::Next, _), Node::Unary(Unary::Next, _)) => {
            let (count, first, second) = strip(formulas, left, right);
            let inner = and(formulas, first, second);
            (0..count).fold(inner, |inner, _| next(formulas, inner))
        }
        (Node::Binary(Binary::Or, first, second), _) if first == right || second == right => right,
        (_, Node::Binary(Binary::Or, first, second)) if first == left || second == left => left,
        (Node::Binary(Binary::And, first, second), _) if first == right || second == right => left,
        (_, Node::Binary(Binary::And, first, second)) if first == left || second == left => right,
        // G a & a, and F G a & G F a with the like below.
        (Node::Unary(Unary::Globally, inner), _) if inner == right => left,
        (_, Node::Unary(Unary::Globally, inner)) if inner == left => right,
        (Node::Unary(Unary::Finally, inner), _) if inner == right => right,
        (_, Node::Unary(Unary::Finally, inner)) if inner == left => left,
        _ => formulas.binary(Binary::And, left.min(right), left.max(right)),
    }
}

/// `left | right` of two simplified formulas.
pub fn or(formulas: &mut Formulas, left: Formula, right: Formula) -> Formula {
    match (formulas.node(left), formulas.node(right)) {
        (Node::Constant(true), _) | (_, Node::Constant(false)) => left,
        (Node::Constant(false), _) | (_, Node::Constant(true)) => right,
        _ if left == right => left,
        _ if complementary(formulas, left, right) => formulas.constant(true),
        (Node::Unary(Unary::Next, _), Node::Unary(Unary::Next, _)) => {
            let (count, first, second) = strip(formulas, left, right);
            let inner = or(formulas, first, second);
            (0..count).fold(inner, |inner, _| next(formulas, inner))
        }
        (Node::Binary(Binary::And, first, second), _) if first == right || second == right => right,
        (_, Node::Binary(Binary::And, first, second)) if first == left || second == left => left,
        (Node::Binary(Binary::Or, first, second), _) if first == right || second == right => left,
        (_, Node::Binary(Binary::Or, first, second)) if first == left || second == left => right,
        (Node::Unary(Unary::Globally, inner), _) if inner == right => right,
        (_, Node::Unary(Unary::Globally, inner)) if inner == left => left,
        (Node::Unary(Unary::Finally, inner), _) if inner == right => left,
        (_, Node::Unary(Unary::Finally, inner)) if inner == left => right,
        (Node::Unary(Unary::Finally, first), Node::Unary(Unary::Finally, second)) => {
            let inner = or(formulas, first, second);
            finally(formulas, DEEP, inner)
        }
        _ => formulas.binary(Binary::Or, left.min(right), left.max(right)),
    }
}

/// Takes the common `X` off two formulas, at least one.
fn strip(formulas: &Formulas, mut left: Formula, mut right: Formula) -> (u32, Formula, Formula) {
    let mut count = 0;
    while let (Node::Unary(Unary::Next, first), Node::Unary(Unary::Next, second)) =
        (formulas.node(left), formulas.node(right))
    {
        (count, left, right) = (count + 1, first, second);
    }
    (count, left, right)
}

/// One is the negation of the other, as far as the eye sees.
fn complementary(formulas: &Formulas, left: Formula, right: Formula) -> bool {
    let negates = |first: Formula, second: Formula| formulas.node(first) == Node::Unary(Unary::Not, second);
    negates(left, right) || negates(right, left)
}

/// Whether dropping or adding a finite beginning changes nothing: `G F a`, `F G a` and what is made of them.
pub fn is_suspendable(formulas: &Formulas, root: Formula) -> bool {
    let mut open = vec![root];
    while let Some(formula) = open.pop() {
        match formulas.node(formula) {
            Node::Constant(_) => {}
            Node::Binary(Binary::And | Binary::Or | Binary::Implies | Binary::Iff | Binary::Xor, left, right) => {
                open.extend([left, right]);
            }
            Node::Unary(Unary::Not, argument) => open.push(argument),
            Node::Unary(Unary::Globally, argument) => {
                if !matches!(formulas.node(argument), Node::Unary(Unary::Finally, _)) {
                    return false;
                }
            }
            Node::Unary(Unary::Finally, argument) => {
                if !matches!(formulas.node(argument), Node::Unary(Unary::Globally, _)) {
                    return false;
                }
            }
            Node::Atom(_) | Node::Unary(Unary::Next, _) | Node::Binary(..) => return false,
        }
    }
    true
}

fn next(formulas: &mut Formulas, argument: Formula) -> Formula {
    if is_suspendable(formulas, argument) { argument } else { formulas.unary(Unary::Next, argument) }
}

fn finally(formulas: &mut Formulas, depth: u32, argument: Formula) -> Formula {
    let Some(depth) = depth.checked_sub(1) else { return formulas.unary(Unary::Finally, argument) };
    match formulas.node(argument) {
        Node::Constant(_) | Node::Unary(Unary::Finally, _) => argument,
        Node::Unary(Unary::Next, inner) => {
            let inner = finally(formulas, depth, inner);
            next(formulas, inner)
        }
        // F G F a = G F a
        Node::Unary(Unary::Globally, inner) if matches!(formulas.node(inner), Node::Unary(Unary::Finally, _)) => {
            argument
        }
        Node::Binary(Binary::Until, _, right) => finally(formulas, depth, right),
        Node::Binary(Binary::Or, left, right)
            if is_suspendable(formulas, left) != is_suspendable(formulas, right)
                || (is_suspendable(formulas, left) && is_suspendable(formulas, right)) =>
        {
            let (left, right) = (finally(formulas, depth, left), finally(formulas, depth, right));
            or_plain(formulas, left, right)
        }
        Node::Binary(Binary::And, left, right) if is_suspendable(formulas, left) => {
            let right = finally(formulas, depth, right);
            and(formulas, left, right)
        }
        Node::Binary(Binary::And, left, right) if is_suspendable(formulas, right) => {
            let left = finally(formulas, depth, left);
            and(formulas, left, right)
        }
        _ => formulas.unary(Unary::Finally, argument),
    }
}

/// A disjunction that is not folded back under one `F`.
fn or_plain(formulas: &mut Formulas, left: Formula, right: Formula) -> Formula {
    match (formulas.node(left), formulas.node(right)) {
        (Node::Constant(_), _) | (_, Node::Constant(_)) => or(formulas, left, right),
        _ if left == right => left,
        _ => formulas.binary(Binary::Or, left.min(right), left.max(right)),
    }
}

fn globally(formulas: &mut Formulas, depth: u32, argument: Formula) -> Formula {
    let Some(depth) = depth.checked_sub(1) else { return formulas.unary(Unary::Globally, argument) };
    match formulas.node(argument) {
        Node::Constant(_) | Node::Unary(Unary::Globally, _) => argument,
        Node::Unary(Unary::Next, inner) => {
            let inner = globally(formulas, depth, inner);
            next(formulas, inner)
        }
        Node::Unary(Unary::Finally, inner) if matches!(formulas.node(inner), Node::Unary(Unary::Globally, _)) => {
            argument
        }
        Node::Binary(Binary::Release, _, right) => globally(formulas, depth, right),
        Node::Binary(Binary::And, ..) => {
            let parts: Vec<Formula> =
                formulas.conjuncts(argument).into_iter().map(|part| globally(formulas, depth, part)).collect();
            parts.into_iter().reduce(|left, right| and(formulas, left, right)).expect("a conjunction has parts")
        }
        Node::Binary(Binary::Or, left, right) if is_suspendable(formulas, left) => {
            let right = globally(formulas, depth, right);
            or(formulas, left, right)
        }
        Node::Binary(Binary::Or, left, right) if is_suspendable(formulas, right) => {
            let left = globally(formulas, depth, left);
            or(formulas, left, right)
        }
        _ => formulas.unary(Unary::Globally, argument),
    }
}

fn until(formulas: &mut Formulas, depth: u32, left: Formula, right: Formula) -> Formula {
    let Some(depth) = depth.checked_sub(1) else { return formulas.binary(Binary::Until, left, right) };
    match (formulas.node(left), formulas.node(right)) {
        (_, Node::Constant(_)) | (Node::Constant(false), _) => right,
        (Node::Constant(true), _) => finally(formulas, depth, right),
        _ if left == right => left,
        (_, Node::Unary(Unary::Finally, _)) => right,
        (Node::Unary(Unary::Next, first), Node::Unary(Unary::Next, second)) => {
            let inner = until(formulas, depth, first, second);
            next(formulas, inner)
        }
        _ => formulas.binary(Binary::Until, left, right),
    }
}

fn release(formulas: &mut Formulas, depth: u32, left: Formula, right: Formula) -> Formula {
    let Some(depth) = depth.checked_sub(1) else { return formulas.binary(Binary::Release, left, right) };
    match (formulas.node(left), formulas.node(right)) {
        (_, Node::Constant(_)) | (Node::Constant(true), _) => right,
        (Node::Constant(false), _) => globally(formulas, depth, right),
        _ if left == right => left,
        (_, Node::Unary(Unary::Globally, _)) => right,
        (Node::Unary(Unary::Next, first), Node::Unary(Unary::Next, second)) => {
            let inner = release(formulas, depth, first, second);
            next(formulas, inner)
        }
        _ => formulas.binary(Binary::Release, left, right),
    }
}

fn weak_until(formulas: &mut Formulas, left: Formula, right: Formula) -> Formula {
    match (formulas.node(left), formulas.node(right)) {
        (Node::Constant(true), _) | (_, Node::Constant(false)) => globally(formulas, DEEP, left),
        (Node::Constant(false), _) | (_, Node::Constant(true)) => right,
        _ if left == right => left,
        _ => formulas.binary(Binary::WeakUntil, left, right),
    }
}

fn strong_release(formulas: &mut Formulas, left: Formula, right: Formula) -> Formula {
    match (formulas.node(left), formulas.node(right)) {
        (Node::Constant(false), _) | (_, Node::Constant(true)) => finally(formulas, DEEP, left),
        (Node::Constant(true), _) | (_, Node::Constant(false)) => right,
        _ if left == right => left,
        _ => formulas.binary(Binary::StrongRelease, left, right),
    }
}
