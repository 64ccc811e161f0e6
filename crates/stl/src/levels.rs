//! The values of a real signal that matter: the numbers it is compared with, and representatives around them.

use value::RBig;

use crate::store::{Formula, Node, SignalId, Store};

/// The numbers a signal is compared with, increasing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Levels {
    /// The numbers.
    pub thresholds: Vec<RBig>,
    /// By how much a value above all or below all stands off: visible on a chart.
    pub margin: RBig,
}

impl Levels {
    /// What a signal is compared with in some formulas. Comparisons of several signals count with each of them alone.
    pub fn of(store: &Store, roots: &[Formula], signal: SignalId) -> Levels {
        let mut thresholds: Vec<RBig> = Vec::new();
        for formula in store.below(roots) {
            if let Node::Compare(comparison) = store.node(formula) {
                let own = comparison.form.iter().find(|(_, compared)| *compared == signal);
                thresholds.extend(own.map(|(coefficient, _)| &comparison.bound / coefficient));
            }
        }
        Levels::new(thresholds)
    }

    /// The levels around some numbers.
    pub fn new(mut thresholds: Vec<RBig>) -> Levels {
        thresholds.sort();
        thresholds.dedup();
        let margin = margin(&thresholds);
        Levels { thresholds, margin }
    }

    /// The number of places a value can have: below, at, between, above.
    pub fn places(&self) -> usize {
        2 * self.thresholds.len() + 1
    }

    /// A value at a place, off the thresholds by a visible margin: odd places are thresholds.
    pub fn representative(&self, place: usize) -> RBig {
        let count = self.thresholds.len();
        match place {
            _ if count == 0 => RBig::ZERO,
            0 => &self.thresholds[0] - &self.margin,
            place if place % 2 == 1 => self.thresholds[place / 2].clone(),
            place if place == 2 * count => &self.thresholds[count - 1] + &self.margin,
            place => (&self.thresholds[place / 2 - 1] + &self.thresholds[place / 2]) / RBig::from(2),
        }
    }
}

/// A round number: the span of the thresholds, or the largest power of ten up to half of the only one.
fn margin(thresholds: &[RBig]) -> RBig {
    let (Some(first), Some(last)) = (thresholds.first(), thresholds.last()) else { return RBig::ONE };
    if first != last {
        return last - first;
    }
    let size = if *first < RBig::ZERO { -first.clone() } else { first.clone() };
    let (two, ten, tiny) = (RBig::from(2), RBig::from(10), RBig::from_parts(1.into(), 1_000_000u32.into()));
    let mut margin = RBig::ONE;
    while &margin * &ten * &two <= size {
        margin *= &ten;
    }
    while !size.is_zero() && size < &margin * &two && tiny < margin {
        margin /= &ten;
    }
    margin
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn margins_are_round_and_visible() {
        let check = |threshold: i64, expected: i64| {
            assert_eq!(margin(&[RBig::from(threshold)]), RBig::from(expected), "{threshold}");
        };
        check(100, 10);
        check(4000, 1000);
        check(133, 10);
        check(0, 1);
        check(-50, 10);
        check(5, 1);
        assert_eq!(margin(&[RBig::from(100), RBig::from(110)]), RBig::from(10));
    }
}
