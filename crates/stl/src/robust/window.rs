//! The highest value in a window that moves with time, with a monotone queue.

use std::collections::VecDeque;

use super::curve::{Builder, Crossings, Curve, Knot, crossing};
use super::moment::Moment;

impl<T: Moment> Curve<T> {
    /// For each time `t`, the supremum over `[t, t + width]`; without the end of the window if `closed` is not set.
    pub(crate) fn highest_within(&self, width: &T, closed: bool) -> Curve<T> {
        if *width <= T::zero() {
            return if closed { self.clone() } else { Curve::constant(f64::NEG_INFINITY) };
        }
        let peaks = self.peaks();
        let mut sweep = Sweep { curve: self, width, closed, near: 0, far: 0 };
        let mut queue: VecDeque<usize> = VecDeque::new();
        let mut entered = 0;
        let mut builder = Builder::with_capacity(self.knots.len() * 2);
        let mut time = T::zero();
        sweep.far = sweep.place(width, 0);
        loop {
            let next = sweep.next_change();
            let end = time.plus(width);
            // Knots strictly inside the window seen from `time`, then those inside just after it.
            enter(&mut queue, &mut entered, &peaks, |place| self.knots[place].time < end);
            leave(&mut queue, |place| self.knots[place].time <= time);
            let inner = queue.front().map_or(f64::NEG_INFINITY, |&place| peaks[place]);
            builder.knot(time.clone(), sweep.at(&time, &end).max(inner));
            let Some(next) = next else {
                let last = self.knots[self.knots.len() - 1].right;
                builder.piece(last, last);
                return builder.curve;
            };
            enter(&mut queue, &mut entered, &peaks, |place| self.knots[place].time <= end);
            let inner = queue.front().map_or(f64::NEG_INFINITY, |&place| peaks[place]);
            sweep.stretch(&mut builder, &time, &next, inner);
            sweep.advance(&next);
            time = next;
        }
    }

    /// For each time, the supremum from there on.
    pub(crate) fn highest_ever(&self) -> Curve<T> {
        let mut later = f64::NEG_INFINITY;
        // From right to left; a piece is built at a time.
        let mut reversed: Vec<Knot<T>> = Vec::with_capacity(self.knots.len());
        let mut builder = Builder::with_capacity(2);
        for (place, knot) in self.knots.iter().enumerate().rev() {
            let level = knot.end.max(later);
            builder.curve.knots.clear();
            builder.knot(knot.time.clone(), knot.at.max(knot.right).max(level));
            let cross = self
                .knots
                .get(place + 1)
                .and_then(|next| crossing(&knot.time, &next.time, (knot.right, knot.end), (level, level)));
            match cross {
                Some((time, value)) => {
                    builder.piece(knot.right.max(level), value);
                    builder.knot(time, value);
                    builder.piece(value, level);
                }
                None => builder.piece(knot.right.max(level), knot.end.max(level)),
            }
            later = knot.at.max(knot.right).max(level);
            reversed.extend(builder.curve.knots.drain(..).rev());
        }
        reversed.reverse();
        Curve { knots: reversed }
    }

    /// For each knot, the highest value at it and beside it.
    fn peaks(&self) -> Vec<f64> {
        let mut before = f64::NEG_INFINITY;
        let peak = |knot: &Knot<T>| {
            let peak = knot.at.max(knot.right).max(before);
            before = knot.end;
            peak
        };
        self.knots.iter().map(peak).collect()
    }
}

fn enter(queue: &mut VecDeque<usize>, entered: &mut usize, peaks: &[f64], inside: impl Fn(usize) -> bool) {
    while *entered < peaks.len() && inside(*entered) {
        while queue.back().is_some_and(|&last| peaks[last] <= peaks[*entered]) {
            queue.pop_back();
        }
        queue.push_back(*entered);
        *entered += 1;
    }
}

fn leave(queue: &mut VecDeque<usize>, gone: impl Fn(usize) -> bool) {
    while queue.front().is_some_and(|&first| gone(first)) {
        queue.pop_front();
    }
}

/// The two ends of the window, each in a piece of the curve.
struct Sweep<'a, T> {
    curve: &'a Curve<T>,
    width: &'a T,
    closed: bool,
    /// The piece of the near end, that is the last knot not after it.
    near: usize,
    far: usize,
}

impl<T: Moment> Sweep<'_, T> {
    /// The last knot not after `time`, looking from `from` on.
    fn place(&self, time: &T, from: usize) -> usize {
        let knots = &self.curve.knots;
        let mut place = from;
        while place + 1 < knots.len() && knots[place + 1].time <= *time {
            place += 1;
        }
        place
    }

    fn advance(&mut self, time: &T) {
        self.near = self.place(time, self.near);
        self.far = self.place(&time.plus(self.width), self.far);
    }

    /// The next time at which an end of the window meets a knot.
    fn next_change(&self) -> Option<T> {
        let knots = &self.curve.knots;
        let near = knots.get(self.near + 1).map(|knot| knot.time.clone());
        let far = knots.get(self.far + 1).map(|knot| knot.time.minus(self.width));
        match (near, far) {
            (Some(near), Some(far)) => Some(near.min(far)),
            (near, far) => near.or(far),
        }
    }

    /// The highest value at the ends of the window, and just inside them.
    fn at(&self, time: &T, end: &T) -> f64 {
        let near = &self.curve.knots[self.near];
        let first = if near.time == *time { near.at.max(near.right) } else { self.curve.inside(self.near, time) };
        let far = &self.curve.knots[self.far];
        let last = match far.time == *end {
            true => {
                let before = self.far.checked_sub(1).map_or(f64::NEG_INFINITY, |place| self.curve.knots[place].end);
                if self.closed { before.max(far.at) } else { before }
            }
            false => self.curve.inside(self.far, end),
        };
        first.max(last)
    }

    /// The stretch up to the next change: the highest of two lines and a level.
    fn stretch(&self, builder: &mut Builder<T>, time: &T, next: &T, level: f64) {
        let line = |place: usize, from: &T, to: &T| {
            let knot = &self.curve.knots[place];
            let right = if knot.time == *from { knot.right } else { self.curve.inside(place, from) };
            let end = match self.curve.knots.get(place + 1) {
                Some(next) if next.time <= *to => knot.end,
                _ => self.curve.inside(place, to),
            };
            (right, end)
        };
        let near = line(self.near, time, next);
        let far = line(self.far, &time.plus(self.width), &next.plus(self.width));
        upper_envelope(builder, time, next, [near, far, (level, level)]);
    }
}

/// Adds the highest of three lines over `(from, to)`.
fn upper_envelope<T: Moment>(builder: &mut Builder<T>, from: &T, to: &T, lines: [(f64, f64); 3]) {
    let start = lines.iter().map(|line| line.0).fold(f64::NEG_INFINITY, f64::max);
    let end = lines.iter().map(|line| line.1).fold(f64::NEG_INFINITY, f64::max);
    let mut crossings = Crossings::<T, 3>::default();
    // One line on top at both ends is on top in between.
    if !lines.iter().any(|line| line.0 == start && line.1 == end) {
        for (first, second) in [(0, 1), (0, 2), (1, 2)] {
            crossings.extend(crossing(from, to, lines[first], lines[second]));
        }
    }
    let value = |time: &T| {
        let share = from.until(time) / from.until(to);
        let at = |line: &(f64, f64)| if line.0 == line.1 { line.0 } else { line.0 + share * (line.1 - line.0) };
        lines.iter().map(at).fold(f64::NEG_INFINITY, f64::max)
    };
    let mut right = start;
    for time in crossings.in_order() {
        let at = value(time);
        builder.piece(right, at);
        builder.knot(time.clone(), at);
        right = at;
    }
    builder.piece(right, end);
}
