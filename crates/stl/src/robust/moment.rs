//! Points of time of a curve: exact wherever a curve can jump.
//!
//! Curves jump only at the times of samples, moved by bounds of windows. Those are whole ticks of a common clock. Where two lines
//! cross, curves bend but do not jump, so there a fraction of a tick in double precision is enough.

use std::cmp::Ordering;
use std::fmt::Debug;

use value::RBig;

/// What the knots of a curve are placed at.
pub(crate) trait Moment: Clone + Ord + Debug {
    /// Time zero.
    fn zero() -> Self;
    /// The time by a bound later.
    fn plus(&self, bound: &Self) -> Self;
    /// The time by a bound earlier.
    fn minus(&self, bound: &Self) -> Self;
    /// How long it is until a later time.
    fn until(&self, later: &Self) -> f64;
    /// The time after that long, nearly.
    fn after(&self, duration: f64) -> Self;
    /// How long this is before an end that is a whole number of ticks, as a time; nearly where this is a fraction.
    fn before(&self, end: &Self) -> Self;
    /// A later time that is a whole number of ticks.
    fn later(&self) -> Self;
}

/// Whole ticks, and a fraction of one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Tick {
    whole: i64,
    /// At least zero, less than one.
    part: f64,
}

impl Tick {
    /// A whole number of ticks.
    pub(crate) fn whole(whole: i64) -> Tick {
        Tick { whole, part: 0.0 }
    }
}

impl Eq for Tick {}

impl PartialOrd for Tick {
    fn partial_cmp(&self, other: &Tick) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Tick {
    fn cmp(&self, other: &Tick) -> Ordering {
        self.whole.cmp(&other.whole).then_with(|| self.part.total_cmp(&other.part))
    }
}

impl Moment for Tick {
    fn zero() -> Tick {
        Tick::whole(0)
    }

    fn plus(&self, bound: &Tick) -> Tick {
        debug_assert!(bound.part == 0.0, "bounds are whole ticks");
        Tick { whole: self.whole + bound.whole, ..*self }
    }

    fn minus(&self, bound: &Tick) -> Tick {
        debug_assert!(bound.part == 0.0, "bounds are whole ticks");
        Tick { whole: self.whole - bound.whole, ..*self }
    }

    fn until(&self, later: &Tick) -> f64 {
        (later.whole - self.whole) as f64 + (later.part - self.part)
    }

    fn after(&self, duration: f64) -> Tick {
        let full = duration.floor();
        let part = self.part + (duration - full);
        let (carry, part) = if 1.0 <= part { (1, part - 1.0) } else { (0, part) };
        Tick { whole: self.whole + full as i64 + carry, part }
    }

    fn before(&self, end: &Tick) -> Tick {
        debug_assert!(end.part == 0.0, "the end is a whole tick");
        let rest = 1.0 - self.part;
        if rest == 1.0 {
            return Tick { whole: end.whole - self.whole, part: 0.0 };
        }
        Tick { whole: end.whole - self.whole - 1, part: rest }
    }

    fn later(&self) -> Tick {
        Tick::whole(self.whole + 2)
    }
}

impl Moment for RBig {
    fn zero() -> RBig {
        RBig::ZERO
    }

    fn plus(&self, bound: &RBig) -> RBig {
        self + bound
    }

    fn minus(&self, bound: &RBig) -> RBig {
        self - bound
    }

    fn until(&self, later: &RBig) -> f64 {
        crate::number::to_double(&(later - self))
    }

    fn after(&self, duration: f64) -> RBig {
        self + RBig::try_from(duration).expect("a crossing lies at a finite time")
    }

    fn before(&self, end: &RBig) -> RBig {
        end - self
    }

    fn later(&self) -> RBig {
        self + RBig::ONE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_carry_over_and_bounds_keep_them() {
        let half = Tick::whole(3).after(0.5);
        assert_eq!(half, Tick { whole: 3, part: 0.5 });
        assert_eq!(half.after(2.75), Tick { whole: 6, part: 0.25 });
        assert_eq!(half.minus(&Tick::whole(5)), Tick { whole: -2, part: 0.5 });
        assert!(Tick::whole(3) < half && half < Tick::whole(4) && half.minus(&Tick::whole(5)) < Tick::whole(-1));
        assert_eq!(half.until(&Tick::whole(5)), 1.5);
    }
}
