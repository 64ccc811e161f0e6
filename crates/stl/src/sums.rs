//! The times that a formula speaks of: sums of the bounds on the way from the whole to its propositions.

use std::collections::{BTreeMap, BTreeSet};

use value::RBig;

use crate::store::{Formula, Node, Store, Window};

/// The times at which windows, looked at from time zero, begin and end for the propositions of some formulas; zero and the horizon are
/// among them. Nothing if there are more than `most`.
pub fn sums(store: &Store, roots: &[Formula], most: usize) -> Option<BTreeSet<RBig>> {
    let mut reached: BTreeMap<Formula, BTreeSet<RBig>> = BTreeMap::new();
    for &root in roots {
        reached.entry(root).or_default().insert(RBig::ZERO);
    }
    let mut all = BTreeSet::from([RBig::ZERO, crate::horizon(store, roots)]);
    for formula in store.below(roots).into_iter().rev() {
        let Some(times) = reached.remove(&formula) else { continue };
        let node = store.node(formula);
        if node.is_proposition() {
            all.extend(times);
            if most < all.len() {
                return None;
            }
            continue;
        }
        for (arg, goal) in node.args().into_iter().rev().zip([true, false]) {
            let below = reached.entry(arg).or_default();
            for time in &times {
                below.extend(moved(node, time, goal));
            }
            if most < below.len() {
                return None;
            }
        }
    }
    Some(all)
}

/// The times at which an operand is looked at when its operator is looked at at a time; the last operand is the goal.
fn moved(node: &Node, time: &RBig, goal: bool) -> Vec<RBig> {
    let ends =
        |window: &Window| -> Vec<RBig> { [window.lower.clone()].into_iter().chain(window.upper.clone()).collect() };
    match node {
        Node::Constant(_) | Node::Signal(_) | Node::Compare(_) => Vec::new(),
        Node::Not(_) | Node::And(..) | Node::Or(..) | Node::Implies(..) => vec![time.clone()],
        Node::Next(by, _) => vec![time + by],
        Node::Finally(window, _) | Node::Globally(window, _) => ends(window).iter().map(|end| time + end).collect(),
        Node::Until(window, ..) | Node::Release(window, ..) => {
            let now = (!goal).then(|| time.clone());
            ends(window).iter().map(|end| time + end).chain(now).collect()
        }
        Node::Once(window, _) | Node::Historically(window, _) | Node::Since(window, ..) => {
            let now = (!goal).then(|| time.clone());
            let back = ends(window).into_iter().map(|end| (time - end).max(RBig::ZERO));
            back.chain(now).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_added_on_the_way_down() {
        for (text, expected) in [
            ("p", "0"),
            ("G[0,30] (p -> F[0.001,0.1] q)", "0 0.001 0.1 30 30.001 30.1"),
            ("p U[1,2] N[3] q", "0 1 2 4 5"),
            ("F[3,9] O[1,4] p", "0 2 5 8 9"),
        ] {
            let (spec, _) = crate::load(&source::Source::new("test.stl", text)).expect("well formed");
            let found = sums(&spec.store, &[spec.formula], 100).expect("few");
            let text: Vec<String> = found.iter().map(crate::write_number).collect();
            assert_eq!(text.join(" "), expected);
            assert!(sums(&spec.store, &[spec.formula], found.len() - 1).is_none());
        }
    }
}
