//! The five verdicts, and how they combine.

use std::fmt;

/// What can be said of a property after a finite trace, from worst to best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(i8)]
pub enum Verdict {
    /// Every continuation violates it.
    False = -2,
    /// The experience of the trace speaks against it.
    PresumablyFalse = -1,
    /// Nothing speaks for it or against it.
    Inconclusive = 0,
    /// The experience of the trace speaks for it.
    PresumablyTrue = 1,
    /// Every continuation satisfies it.
    True = 2,
}

impl Verdict {
    /// Every verdict, from worst to best.
    pub const ALL: [Verdict; 5] =
        [Verdict::False, Verdict::PresumablyFalse, Verdict::Inconclusive, Verdict::PresumablyTrue, Verdict::True];

    /// The name in words.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::False => "false",
            Verdict::PresumablyFalse => "presumably false",
            Verdict::Inconclusive => "inconclusive",
            Verdict::PresumablyTrue => "presumably true",
            Verdict::True => "true",
        }
    }

    /// The sign of the literature.
    pub fn symbol(self) -> &'static str {
        match self {
            Verdict::False => "⊥",
            Verdict::PresumablyFalse => "⊥p",
            Verdict::Inconclusive => "?",
            Verdict::PresumablyTrue => "⊤p",
            Verdict::True => "⊤",
        }
    }

    /// Whether no continuation can change it.
    pub fn is_final(self) -> bool {
        matches!(self, Verdict::False | Verdict::True)
    }

    /// The verdict of a truth value.
    pub fn of(truth: bool) -> Verdict {
        if truth { Verdict::True } else { Verdict::False }
    }

    /// The verdict of a truth value that the future may change.
    pub fn presumably(truth: bool) -> Verdict {
        if truth { Verdict::PresumablyTrue } else { Verdict::PresumablyFalse }
    }

    /// The verdict of a rank from −2 to 2.
    pub(super) fn from_rank(rank: i8) -> Verdict {
        match rank {
            i8::MIN..=-2 => Verdict::False,
            -1 => Verdict::PresumablyFalse,
            0 => Verdict::Inconclusive,
            1 => Verdict::PresumablyTrue,
            2..=i8::MAX => Verdict::True,
        }
    }

    /// The rank from −2 to 2.
    pub fn rank(self) -> i8 {
        self as i8
    }
}

impl std::ops::Not for Verdict {
    type Output = Verdict;

    fn not(self) -> Verdict {
        Verdict::from_rank(-self.rank())
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn negation_mirrors_the_order() {
        for (worst, best) in Verdict::ALL.iter().zip(Verdict::ALL.iter().rev()) {
            assert_eq!(!*worst, *best);
            assert_eq!(Verdict::from_rank(worst.rank()), *worst);
        }
        assert!(Verdict::ALL.is_sorted());
    }
}
