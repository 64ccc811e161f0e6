//! Witness counts: in how many steps a formula can be seen to hold or to fail (Röck's thesis, definitions 12 to 14).

use std::fmt;

/// A number of steps, or one of the two that are larger than all numbers: `∞`, no finite continuation shows it, and `-`, no
/// continuation at all does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Count(u64);

impl Count {
    /// No step at all.
    pub const ZERO: Count = Count(0);
    /// No finite continuation shows it.
    pub const INFINITE: Count = Count(u64::MAX - 1);
    /// No continuation shows it.
    pub const NEVER: Count = Count(u64::MAX);

    /// So many steps.
    pub fn steps(number: u64) -> Count {
        assert!(number < Count::INFINITE.0, "traces are shorter than 2^64 - 2 steps");
        Count(number)
    }

    /// The number of steps, if it is one.
    pub fn number(self) -> Option<u64> {
        (self < Count::INFINITE).then_some(self.0)
    }

    /// So many steps later; what is not a number stays as it is.
    #[must_use]
    pub fn later(self, steps: u64) -> Count {
        if self < Count::INFINITE { Count(self.0 + steps) } else { self }
    }

    /// So many steps earlier, at the earliest at once; what is not a number stays as it is.
    #[must_use]
    pub fn earlier(self, steps: u64) -> Count {
        if self < Count::INFINITE { Count(self.0.saturating_sub(steps)) } else { self }
    }
}

/// When a formula can be seen to hold and when it can be seen to fail, at the earliest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pair {
    /// Until it is seen to hold.
    pub satisfied: Count,
    /// Until it is seen to fail.
    pub violated: Count,
}

impl Pair {
    /// Satisfaction and violation.
    pub const fn new(satisfied: Count, violated: Count) -> Pair {
        Pair { satisfied, violated }
    }

    /// Seen to hold after so many steps.
    pub const fn holds(after: Count) -> Pair {
        Pair::new(after, Count::NEVER)
    }

    /// Seen to fail after so many steps.
    pub const fn fails(after: Count) -> Pair {
        Pair::new(Count::NEVER, after)
    }

    /// The truth value, where no continuation can change it.
    pub fn decided(self) -> Option<bool> {
        if self.violated == Count::NEVER {
            Some(true)
        } else if self.satisfied == Count::NEVER {
            Some(false)
        } else {
            None
        }
    }

    /// The pair of the negation.
    #[must_use]
    pub fn swapped(self) -> Pair {
        Pair::new(self.violated, self.satisfied)
    }

    /// The pair of a disjunction: holds as soon as one does, fails as soon as both do.
    #[must_use]
    pub fn or(self, other: Pair) -> Pair {
        Pair::new(self.satisfied.min(other.satisfied), self.violated.max(other.violated))
    }

    /// The pair of a conjunction.
    #[must_use]
    pub fn and(self, other: Pair) -> Pair {
        Pair::new(self.satisfied.max(other.satisfied), self.violated.min(other.violated))
    }

    /// Both so many steps later.
    #[must_use]
    pub fn later(self, steps: u64) -> Pair {
        Pair::new(self.satisfied.later(steps), self.violated.later(steps))
    }

    /// Both so many steps earlier.
    #[must_use]
    pub fn earlier(self, steps: u64) -> Pair {
        Pair::new(self.satisfied.earlier(steps), self.violated.earlier(steps))
    }

    /// Whether it is at most as true as the other: the order whose joins and meets are [`Pair::or`] and [`Pair::and`].
    pub fn at_most(self, other: Pair) -> bool {
        other.satisfied <= self.satisfied && self.violated <= other.violated
    }
}

impl fmt::Display for Count {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Count::NEVER => out.write_str("-"),
            Count::INFINITE => out.write_str("∞"),
            Count(number) => write!(out, "{number}"),
        }
    }
}

impl fmt::Display for Pair {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "({},{})", self.satisfied, self.violated)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(satisfied: u64, violated: u64) -> Pair {
        let count = |number| match number {
            90 => Count::INFINITE,
            99 => Count::NEVER,
            number => Count::steps(number),
        };
        Pair::new(count(satisfied), count(violated))
    }

    /// Example 11 of the thesis.
    #[test]
    fn pairs_combine_as_in_the_example() {
        let (zero, infinite, never) = (pair(0, 0), pair(90, 1), pair(7, 99));
        assert_eq!(zero.swapped(), zero);
        assert_eq!(zero.later(1), pair(1, 1));
        assert_eq!(zero.or(infinite), pair(0, 1));
        assert_eq!(zero.and(infinite), pair(90, 0));
        assert_eq!(infinite.swapped(), pair(1, 90));
        assert_eq!(infinite.later(1), pair(90, 2));
        assert_eq!(infinite.or(never), never);
        assert_eq!(infinite.and(never), infinite);
        assert_eq!(never.to_string(), "(7,-)");
        assert_eq!(infinite.to_string(), "(∞,1)");
    }

    #[test]
    fn pairs_are_a_distributive_lattice() {
        let numbers = [0, 1, 2, 90, 99];
        let pairs: Vec<Pair> =
            numbers.iter().flat_map(|&left| numbers.iter().map(move |&right| pair(left, right))).collect();
        for &a in &pairs {
            assert_eq!(a.swapped().swapped(), a);
            for &b in &pairs {
                assert_eq!(a.or(b), b.or(a));
                assert_eq!(a.and(b), b.and(a));
                assert_eq!(a.or(a.and(b)), a);
                assert_eq!(a.and(a.or(b)), a);
                assert_eq!(a.at_most(b), a.or(b) == b);
                assert_eq!(a.at_most(b), a.and(b) == a);
                assert_eq!(a.or(b).swapped(), a.swapped().and(b.swapped()));
                for &c in &pairs {
                    assert_eq!(a.or(b.or(c)), a.or(b).or(c));
                    assert_eq!(a.and(b.or(c)), a.and(b).or(a.and(c)));
                }
            }
        }
    }
}
