//! Exact times in machine words: whole ticks of a clock common to all samples and bounds, and a fraction of a tick where a
//! signal crosses a threshold in between.
//!
//! Windows move times by whole ticks, so the fractions of crossings are never brought to a common denominator.

use std::cmp::Ordering;

use value::{IBig, RBig, UBig};

use crate::times::Instant;

/// A time: whole ticks and a proper fraction of one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ticks {
    whole: i64,
    /// The numerator of the fraction, less than `of`.
    part: u64,
    of: u64,
}

impl Ticks {
    /// A whole number of ticks.
    pub(super) fn whole(whole: i64) -> Ticks {
        Ticks { whole, part: 0, of: 1 }
    }

    /// Where a line from `before` at `from` to `after` at `to`, of opposite signs, crosses zero.
    pub(super) fn crossing(from: i64, to: i64, before: i64, after: i64) -> Ticks {
        let of = before.unsigned_abs() + after.unsigned_abs();
        let run = (to - from).unsigned_abs();
        let (whole, part) = match before.unsigned_abs().checked_mul(run) {
            Some(product) => (product / of, product % of),
            None => {
                let product = u128::from(before.unsigned_abs()) * u128::from(run);
                let (whole, part) = (product / u128::from(of), product % u128::from(of));
                (whole as u64, part as u64)
            }
        };
        // The crossing lies before `to`, so the whole part fits.
        Ticks { whole: from + whole as i64, part, of }
    }

    /// The time as a fraction, for a clock with so many ticks in a unit.
    pub(super) fn fraction(self, ticks: i64) -> RBig {
        let whole = RBig::from(self.whole);
        let time = match self.part {
            0 => whole,
            part => whole + RBig::from_parts(IBig::from(part), UBig::from(self.of)),
        };
        time / RBig::from(ticks)
    }
}

impl PartialEq for Ticks {
    fn eq(&self, other: &Ticks) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Ticks {}

impl PartialOrd for Ticks {
    fn partial_cmp(&self, other: &Ticks) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ticks {
    fn cmp(&self, other: &Ticks) -> Ordering {
        let parts = || {
            if self.of == other.of {
                return self.part.cmp(&other.part);
            }
            let left = u128::from(self.part) * u128::from(other.of);
            left.cmp(&(u128::from(other.part) * u128::from(self.of)))
        };
        self.whole.cmp(&other.whole).then_with(parts)
    }
}

impl Instant for Ticks {
    fn zero() -> Ticks {
        Ticks::whole(0)
    }

    fn minus(&self, earlier: &Ticks) -> Ticks {
        debug_assert!(earlier.part == 0, "bounds are whole ticks");
        Ticks { whole: self.whole - earlier.whole, ..*self }
    }

    fn plus(&self, later: &Ticks) -> Ticks {
        debug_assert!(later.part == 0, "bounds are whole ticks");
        Ticks { whole: self.whole + later.whole, ..*self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crossings_are_exact_and_ordered() {
        let third = Ticks::crossing(0, 1, -1, 2);
        let also = Ticks::crossing(0, 2, 1, -5);
        assert_eq!(third, also);
        assert_eq!(third.fraction(10), RBig::from_parts(1.into(), 30u8.into()));
        assert!(Ticks::whole(0) < third && third < Ticks::crossing(0, 1, 1, -1) && third < Ticks::whole(1));
        // Earlier than the beginning: the fraction still counts upwards.
        let before = third.minus(&Ticks::whole(2));
        assert!(Ticks::whole(-2) < before && before < Ticks::whole(-1));
        let large = Ticks::crossing(0, 1 << 50, 1 << 61, -(1 << 61));
        assert_eq!(large, Ticks::whole(1 << 49));
    }
}
