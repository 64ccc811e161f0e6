//! Untils that no continuous signal can wait for.
//!
//! If the first part is closed under limits, it also holds at the moment the goal comes. Where it excludes the goal, the goal can only
//! hold at once: `(x <= 3) U[1,2] (x >= 5)` is never true.

use std::cmp::Ordering;

use stl::store::{Comparison, Formula, Node, Relation, SignalId, Store};
use stl::{Shape, Spec};
use value::RBig;

/// Whether a first part, true or negated, is closed under limits and excludes a goal, true or negated. A signal with steps can jump to
/// the goal.
pub(super) fn is_abrupt(spec: &Spec, hold: (Formula, bool), goal: (Formula, bool)) -> bool {
    let store = &spec.store;
    let (Some(hold), Some(goal)) = (comparison(store, hold), comparison(store, goal)) else { return false };
    let straight = |(_, signal): &(RBig, SignalId)| spec.signals[signal.0 as usize].shape == Shape::Straight;
    if !hold.form.iter().chain(&goal.form).all(straight) {
        return false;
    }
    let closed = matches!(hold.relation, Relation::AtMost | Relation::AtLeast | Relation::Equal);
    closed && excludes(&hold, &goal)
}

/// The comparison that a formula, or its negation, amounts to.
fn comparison(store: &Store, (mut formula, mut truth): (Formula, bool)) -> Option<Comparison> {
    loop {
        match store.node(formula) {
            Node::Not(arg) => (formula, truth) = (*arg, !truth),
            Node::Compare(comparison) if truth => return Some(comparison.clone()),
            Node::Compare(comparison) => {
                return Some(Comparison { relation: comparison.relation.opposite(), ..comparison.clone() });
            }
            _ => return None,
        }
    }
}

/// Whether no value satisfies both. They are about multiples of one sum, or nothing is known.
fn excludes(left: &Comparison, right: &Comparison) -> bool {
    let factor = &left.form[0].0 / &right.form[0].0;
    let same = left.form.len() == right.form.len()
        && (left.form.iter().zip(&right.form)).all(|(l, r)| l.1 == r.1 && l.0 == &factor * &r.0);
    if !same {
        return false;
    }
    let relation = if factor < RBig::ZERO { right.relation.mirrored() } else { right.relation };
    let bound = factor * &right.bound;
    // Below, at and above the two numbers: no place satisfies both.
    let order = left.bound.cmp(&bound);
    let places: &[(Ordering, Ordering)] = match order {
        Ordering::Equal => &[
            (Ordering::Less, Ordering::Less),
            (Ordering::Equal, Ordering::Equal),
            (Ordering::Greater, Ordering::Greater),
        ],
        Ordering::Less => &[
            (Ordering::Less, Ordering::Less),
            (Ordering::Equal, Ordering::Less),
            (Ordering::Greater, Ordering::Less),
            (Ordering::Greater, Ordering::Equal),
            (Ordering::Greater, Ordering::Greater),
        ],
        Ordering::Greater => &[
            (Ordering::Less, Ordering::Less),
            (Ordering::Less, Ordering::Equal),
            (Ordering::Less, Ordering::Greater),
            (Ordering::Equal, Ordering::Greater),
            (Ordering::Greater, Ordering::Greater),
        ],
    };
    !places.iter().any(|(to_left, to_right)| left.relation.holds(*to_left) && relation.holds(*to_right))
}
