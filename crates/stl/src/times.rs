//! Sets of times: finite unions of intervals of `[0, ∞)`, ends open or closed, in linear time.
//!
//! A [`Cut`] lies just before or just after an instant. A set is the sorted list of cuts at which membership changes, starting
//! from "not in it"; a list of odd length goes on for ever.

use value::RBig;

/// What times are measured in: exact rationals, or ticks of a common clock where that fits.
pub trait Instant: Clone + Ord {
    /// Time zero.
    fn zero() -> Self;
    /// The time by `earlier`, a bound of a window, before.
    fn minus(&self, earlier: &Self) -> Self;
    /// The time by `later`, a bound of a window, after.
    fn plus(&self, later: &Self) -> Self;
}

impl Instant for RBig {
    fn zero() -> RBig {
        RBig::ZERO
    }
    fn minus(&self, earlier: &RBig) -> RBig {
        self - earlier
    }
    fn plus(&self, later: &RBig) -> RBig {
        self + later
    }
}

#[cfg(test)]
impl Instant for i64 {
    fn zero() -> i64 {
        0
    }
    fn minus(&self, earlier: &i64) -> i64 {
        self - earlier
    }
    fn plus(&self, later: &i64) -> i64 {
        self + later
    }
}

/// A place between instants: just before or just after one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cut<T> {
    /// The instant.
    pub at: T,
    /// Whether the cut lies after it.
    pub after: bool,
}

/// A set of times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Times<T> {
    /// Where membership changes, increasing.
    pub cuts: Vec<Cut<T>>,
}

impl<T: Instant> Times<T> {
    /// No time, or all times.
    pub fn constant(truth: bool) -> Times<T> {
        Times { cuts: if truth { vec![start()] } else { Vec::new() } }
    }

    /// The same set in another measure of time, which keeps the order.
    pub(crate) fn mapped<U>(self, convert: impl Fn(T) -> U) -> Times<U> {
        Times { cuts: self.cuts.into_iter().map(|cut| Cut { at: convert(cut.at), after: cut.after }).collect() }
    }

    /// Whether time zero is in the set.
    pub fn holds_at_start(&self) -> bool {
        self.cuts.first() == Some(&start())
    }

    /// Whether a time is in the set.
    pub fn contains(&self, time: &T) -> bool {
        let before = |cut: &Cut<T>| (&cut.at, cut.after) <= (time, false);
        self.cuts.partition_point(before) % 2 == 1
    }

    /// Whether all times from `from` on, up to but not including `until`, are in the set; and whether any is.
    pub fn within(&self, from: &T, until: Option<&T>) -> (bool, bool) {
        let first = self.cuts.partition_point(|cut| (&cut.at, cut.after) <= (from, false));
        let inside = first % 2 == 1;
        let changes =
            self.cuts.get(first).is_some_and(|cut| until.is_none_or(|until| (&cut.at, cut.after) < (until, false)));
        (inside && !changes, inside || changes)
    }

    /// All other times.
    pub fn complement(mut self) -> Times<T> {
        if self.holds_at_start() {
            self.cuts.remove(0);
        } else {
            self.cuts.insert(0, start());
        }
        self
    }

    /// The times at which a truth function of both holds.
    pub fn combine(&self, other: &Times<T>, truth: impl Fn(bool, bool) -> bool) -> Times<T> {
        let (mut left, mut right) = (self.cuts.iter().peekable(), other.cuts.iter().peekable());
        let (mut in_left, mut in_right) = (false, false);
        let mut member = truth(false, false);
        let mut cuts = if member { vec![start()] } else { Vec::new() };
        loop {
            let next = match (left.peek(), right.peek()) {
                (None, None) => return Times { cuts },
                (Some(cut), None) | (None, Some(cut)) => *cut,
                (Some(first), Some(second)) => first.min(second),
            }
            .clone();
            if left.next_if(|cut| **cut == next).is_some() {
                in_left = !in_left;
            }
            if right.next_if(|cut| **cut == next).is_some() {
                in_right = !in_right;
            }
            if truth(in_left, in_right) != member {
                member = !member;
                toggle(&mut cuts, next);
            }
        }
    }

    /// The times of the set up to an end, which belongs to them.
    pub fn up_to(&self, end: &T) -> Times<T> {
        let last = Cut { at: end.clone(), after: true };
        let kept = self.cuts.partition_point(|cut| *cut < last);
        let mut cuts = self.cuts[..kept].to_vec();
        if kept % 2 == 1 {
            cuts.push(last);
        }
        Times { cuts }
    }

    /// The times of the set up to an end, and all times after it.
    pub fn and_after(&self, end: &T) -> Times<T> {
        let last = Cut { at: end.clone(), after: true };
        let kept = self.cuts.partition_point(|cut| *cut < last);
        let mut cuts = self.cuts[..kept].to_vec();
        if kept % 2 == 0 {
            cuts.push(last);
        }
        Times { cuts }
    }

    /// The times from which, after exactly `time`, the set is reached.
    pub fn shifted(&self, time: &T) -> Times<T> {
        self.eventually(time, Some(time))
    }

    /// The times `t` such that some time in `[t + lower, t + upper]` is in the set.
    pub fn eventually(&self, lower: &T, upper: Option<&T>) -> Times<T> {
        let mut cuts: Vec<Cut<T>> = Vec::new();
        if upper.is_some_and(|upper| upper < lower) {
            return Times { cuts };
        }
        let mut intervals = self.cuts.chunks(2);
        let Some(upper) = upper else {
            // Only the end of the last interval matters.
            return match self.cuts.last() {
                None => Times { cuts },
                Some(_) if self.cuts.len() % 2 == 1 => Times::constant(true),
                Some(end) => {
                    let end = Cut { at: end.at.minus(lower), after: end.after };
                    if end <= start() { Times { cuts } } else { Times { cuts: vec![start(), end] } }
                }
            };
        };
        intervals.by_ref().for_each(|interval| {
            let from = Cut { at: interval[0].at.minus(upper), after: interval[0].after }.max(start());
            let to = interval.get(1).map(|end| Cut { at: end.at.minus(lower), after: end.after });
            append(&mut cuts, from, to);
        });
        Times { cuts }
    }

    /// The times `t` such that some time in `[t - upper, t - lower]` is in the set, which has none before time zero.
    pub fn once(&self, lower: &T, upper: Option<&T>) -> Times<T> {
        let mut cuts: Vec<Cut<T>> = Vec::new();
        if upper.is_some_and(|upper| upper < lower) {
            return Times { cuts };
        }
        for interval in self.cuts.chunks(2) {
            let from = Cut { at: interval[0].at.plus(lower), after: interval[0].after };
            let to = interval.get(1).zip(upper).map(|(end, upper)| Cut { at: end.at.plus(upper), after: end.after });
            append(&mut cuts, from, to);
        }
        Times { cuts }
    }

    /// The times at which `self` since `other` within the window: `other` at some `t - d`, `d` in the window, and `self` at all times
    /// from there up to `t`, the beginning excluded.
    pub fn since(&self, other: &Times<T>, lower: &T, upper: Option<&T>) -> Times<T> {
        if upper.is_some_and(|upper| upper < lower) {
            return Times { cuts: Vec::new() };
        }
        let mut cuts: Vec<Cut<T>> = Vec::new();
        let mut next = 0;
        for interval in self.cuts.chunks(2) {
            let (from, to) = (&interval[0], interval.get(1));
            // What is waited for since may lie at the very beginning of the interval, whether or not that belongs to it.
            let first = Cut { at: from.at.clone(), after: false };
            while next + 1 < other.cuts.len() && other.cuts[next + 1] <= first {
                next += 2;
            }
            let mut goal = next;
            while goal < other.cuts.len() && to.is_none_or(|to| other.cuts[goal] < *to) {
                let begin = other.cuts[goal].clone().max(first.clone());
                let early = Cut { at: begin.at.plus(lower), after: begin.after }.max(from.clone());
                let late = other.cuts.get(goal + 1).zip(upper);
                let late = late.map(|(end, upper)| Cut { at: end.at.plus(upper), after: end.after });
                let late = match (late, to) {
                    (Some(late), Some(to)) => Some(late.min(to.clone())),
                    (late, to) => late.or_else(|| to.cloned()),
                };
                append(&mut cuts, early, late);
                goal += 2;
            }
        }
        let reached = Times { cuts };
        if *lower == T::zero() { reached.combine(other, |since, now| since || now) } else { reached }
    }

    /// The times at which `self` until `other` within the window: `other` at some `t + d`, `d` in the window, and `self` at
    /// all times from `t` up to there, the end excluded.
    pub fn until(&self, other: &Times<T>, lower: &T, upper: Option<&T>) -> Times<T> {
        if upper.is_some_and(|upper| upper < lower) {
            return Times { cuts: Vec::new() };
        }
        let mut cuts: Vec<Cut<T>> = Vec::new();
        let mut next = 0;
        for interval in self.cuts.chunks(2) {
            let (from, to) = (&interval[0], interval.get(1));
            // The goal may lie at the very end of the interval, whether or not that belongs to it.
            let (first, last) =
                (Cut { at: from.at.clone(), after: false }, to.map(|to| Cut { at: to.at.clone(), after: true }));
            while next + 1 < other.cuts.len() && other.cuts[next + 1] <= first {
                next += 2;
            }
            let mut goal = next;
            while goal < other.cuts.len() && last.as_ref().is_none_or(|last| other.cuts[goal] < *last) {
                let begin = other.cuts[goal].clone().max(first.clone());
                let end = match (other.cuts.get(goal + 1), &last) {
                    (Some(end), Some(last)) => Some(end.clone().min(last.clone())),
                    (end, last) => end.or(last.as_ref()).cloned(),
                };
                // From when the goal can be reached, and still within this interval.
                let early = match upper {
                    Some(upper) => Cut { at: begin.at.minus(upper), after: begin.after }.max(start()),
                    None => start(),
                };
                let late = end.map(|end| Cut { at: end.at.minus(lower), after: end.after });
                let early = early.max(from.clone());
                let late = match (late, to) {
                    (Some(late), Some(to)) => Some(late.min(to.clone())),
                    (late, to) => late.or_else(|| to.cloned()),
                };
                append(&mut cuts, early, late);
                goal += 2;
            }
        }
        let reached = Times { cuts };
        if *lower == T::zero() { reached.combine(other, |before, now| before || now) } else { reached }
    }
}

fn start<T: Instant>() -> Cut<T> {
    Cut { at: T::zero(), after: false }
}

/// Adds a cut, or removes the same one.
fn toggle<T: Instant>(cuts: &mut Vec<Cut<T>>, cut: Cut<T>) {
    if cuts.last() == Some(&cut) {
        cuts.pop();
    } else {
        cuts.push(cut);
    }
}

/// Adds an interval that does not start before the last one does.
fn append<T: Instant>(cuts: &mut Vec<Cut<T>>, from: Cut<T>, to: Option<Cut<T>>) {
    if to.as_ref().is_some_and(|to| *to <= from) || cuts.len() % 2 == 1 {
        return;
    }
    match cuts.last() {
        Some(end) if from <= *end => {
            let longer = to.as_ref().is_none_or(|to| *end < *to);
            if longer {
                cuts.pop();
                cuts.extend(to);
            }
        }
        _ => {
            cuts.push(from);
            cuts.extend(to);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `[1,2) (3,inf)` as cuts.
    fn times(cuts: &[(i64, bool)]) -> Times<i64> {
        Times { cuts: cuts.iter().map(|&(at, after)| Cut { at, after }).collect() }
    }

    #[test]
    fn windows_widen_sets() {
        let set = times(&[(3, false), (4, true)]);
        assert_eq!(set.eventually(&1, Some(&2)), times(&[(1, false), (3, true)]));
        assert_eq!(times(&[(3, true), (4, false)]).eventually(&1, Some(&2)), times(&[(1, true), (3, false)]));
        assert_eq!(set.eventually(&5, Some(&9)), times(&[]));
        assert_eq!(set.eventually(&1, None), times(&[(0, false), (3, true)]));
        assert_eq!(set.eventually(&2, Some(&1)), times(&[]));
    }

    #[test]
    fn until_reaches_the_open_end() {
        let before = times(&[(0, false), (2, false)]);
        let goal = times(&[(2, false), (2, true)]);
        assert_eq!(before.until(&goal, &1, Some(&2)), times(&[(0, false), (1, true)]));
        // One instant later is too late: the first part fails at 2.
        let late = times(&[(3, false), (3, true)]);
        assert_eq!(before.until(&late, &0, Some(&5)), late);
    }

    #[test]
    fn what_comes_after_the_end_is_cut_off_or_added() {
        let set = times(&[(1, false), (2, true), (4, true)]);
        assert_eq!(set.up_to(&5), times(&[(1, false), (2, true), (4, true), (5, true)]));
        assert_eq!(set.up_to(&4), times(&[(1, false), (2, true)]));
        assert_eq!(set.up_to(&2), times(&[(1, false), (2, true)]));
        assert_eq!(set.and_after(&3), times(&[(1, false), (2, true), (3, true)]));
        assert_eq!(set.and_after(&1), times(&[(1, false)]));
        assert_eq!(times(&[]).and_after(&0), times(&[(0, true)]));
    }

    #[test]
    fn complements_are_involutions() {
        for set in [times(&[]), times(&[(0, false)]), times(&[(0, true), (4, false)])] {
            assert_eq!(set.clone().complement().complement(), set);
        }
    }
}
