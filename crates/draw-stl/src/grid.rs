//! The grid: points and the open cells between them.

use stl::Spec;
use stl::store::{Formula, Window};
use value::RBig;

/// Points at all multiples of a step up to a horizon, or at chosen times. Index `2n` is the point with number `n`, `2n + 1` the cell
/// behind it.
pub(super) struct Grid {
    /// The step, of a grid without chosen times.
    pub(super) step: RBig,
    /// The last index, a point.
    pub(super) last: usize,
    /// The time of each index; of a cell, its middle.
    times: Vec<RBig>,
}

impl Grid {
    /// The grid for some formulas, its step divided in two `level` times.
    pub(super) fn new(spec: &Spec, formulas: &[Formula], level: u32) -> Grid {
        let step = stl::step(&spec.store, formulas) / RBig::from(1u32 << level);
        let horizon = stl::horizon(&spec.store, formulas);
        let steps = usize::try_from((horizon / &step).ceil()).expect("the horizon was checked");
        let half = &step / RBig::from(2);
        let times = (0..=2 * steps).map(|index| &half * RBig::from(index)).collect();
        Grid { step, last: 2 * steps, times }
    }

    /// The grid of some times in order, at least one.
    pub(super) fn chosen(points: Vec<RBig>) -> Grid {
        let mut times = Vec::with_capacity(2 * points.len() - 1);
        for point in points {
            let middle = times.last().map(|before| (before + &point) / RBig::from(2));
            times.extend(middle);
            times.push(point);
        }
        Grid { step: RBig::ZERO, last: times.len() - 1, times }
    }

    /// The number of indices of the uniform grid for some formulas; nothing if it would be longer than any test may be.
    pub(super) fn size(spec: &Spec, formulas: &[Formula]) -> Option<usize> {
        let steps = stl::horizon(&spec.store, formulas) / stl::step(&spec.store, formulas);
        (steps <= RBig::from(stl::goals::LONGEST)).then(|| 2 * usize::try_from(steps.ceil()).unwrap_or(usize::MAX / 2))
    }

    /// The times of all points.
    pub(super) fn points(&self) -> Vec<RBig> {
        self.times.iter().step_by(2).cloned().collect()
    }

    /// How many indices a time is long; bounds are multiples of the step.
    pub(super) fn length(&self, time: &RBig) -> usize {
        2 * usize::try_from((time / &self.step).floor()).expect("bounds lie within the horizon")
    }

    /// The lengths of the two bounds of a window that is not empty.
    pub(super) fn bounds(&self, window: &Window) -> (usize, usize) {
        let upper = window.upper.as_ref().expect("unbounded formulas are not searched");
        (self.length(&window.lower), self.length(upper))
    }

    /// The lengths of the two bounds of a window that is not empty and looks back from indices up to `last`: beyond time zero there
    /// is nothing to see.
    pub(super) fn past_bounds(&self, window: &Window, last: usize) -> (usize, usize) {
        let lower = self.length(&window.lower);
        let upper = window.upper.as_ref().map_or(last.next_multiple_of(2), |upper| self.length(upper));
        (lower, upper.max(lower))
    }

    /// The time of an index; of a cell, its middle.
    pub(super) fn time(&self, index: usize) -> &RBig {
        &self.times[index]
    }
}

/// Whether an index is that of a cell.
pub(super) fn is_cell(index: usize) -> bool {
    index % 2 == 1
}

/// For each `place` of `range`, a fold of an associative operation over `window` entries from there on, in linear time.
/// `entry` gives the entries; `range` and what the windows reach must exist.
pub(super) fn sliding<T: Copy>(
    range: std::ops::RangeInclusive<usize>,
    window: usize,
    entry: impl Fn(usize) -> T,
    mut join: impl FnMut(T, T) -> T,
) -> Vec<T> {
    let (first, last) = (*range.start(), *range.end());
    if window == 1 {
        return range.map(entry).collect();
    }
    let end = last + window - 1;
    // Within blocks as long as the window: from each place to the end of its block, from the block's start to each place.
    let mut to_end: Vec<T> = (first..=end).map(&entry).collect();
    for place in (first..end).rev() {
        if !(place + 1).is_multiple_of(window) {
            to_end[place - first] = join(to_end[place - first], to_end[place + 1 - first]);
        }
    }
    let mut from_start: Vec<T> = (first..=end).map(&entry).collect();
    for place in first + 1..=end {
        if !place.is_multiple_of(window) {
            from_start[place - first] = join(from_start[place - 1 - first], from_start[place - first]);
        }
    }
    let fold = |place: usize| {
        let stop = place + window - 1;
        if place.is_multiple_of(window) {
            return from_start[stop - first];
        }
        join(to_end[place - first], from_start[stop - first])
    };
    range.map(fold).collect()
}

#[cfg(test)]
mod tests {
    use super::sliding;

    #[test]
    fn windows_slide() {
        let numbers = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9];
        for window in 1..6 {
            for first in 0..4 {
                for last in first..=numbers.len() - window {
                    let slid = sliding(first..=last, window, |place| numbers[place], i32::max);
                    let plain: Vec<i32> =
                        (first..=last).map(|at| *numbers[at..at + window].iter().max().expect("some")).collect();
                    assert_eq!(slid, plain, "{window} {first} {last}");
                }
            }
        }
    }
}
