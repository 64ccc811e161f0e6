//! Functions of time made of straight pieces, with jumps: a value at each knot and a straight piece behind it.

use super::moment::Moment;

/// A function of time on `[0, ∞)`.
#[derive(Clone, Debug)]
pub(crate) struct Curve<T> {
    /// The knots, the first at time zero; the last piece is level and goes on for ever.
    pub(crate) knots: Vec<Knot<T>>,
}

/// A knot, and the piece up to the next one.
#[derive(Clone, Debug)]
pub(crate) struct Knot<T> {
    pub(crate) time: T,
    /// The value at the knot.
    pub(crate) at: f64,
    /// The value just after it.
    pub(crate) right: f64,
    /// The value just before the next knot.
    pub(crate) end: f64,
}

impl<T: Moment> Curve<T> {
    /// The same value at all times.
    pub(crate) fn constant(value: f64) -> Curve<T> {
        Curve { knots: vec![Knot { time: T::zero(), at: value, right: value, end: value }] }
    }

    /// A value at each time and one after it.
    pub(crate) fn stepping(steps: impl Iterator<Item = (T, f64, f64)>) -> Curve<T> {
        Curve { knots: steps.map(|(time, at, after)| Knot { time, at, right: after, end: after }).collect() }
    }

    /// Straight lines between points; where two have one time, the first is where the line before it ends.
    pub(crate) fn polyline(times: &[T], values: &[f64]) -> Curve<T> {
        let next = values.iter().skip(1).chain(values.last());
        let later = times.iter().skip(1).map(Some).chain([None]);
        let knots =
            times.iter().zip(values).zip(next).zip(later).filter(|(((time, _), _), later)| *later != Some(*time));
        Curve { knots: knots.map(|(((time, &at), &end), _)| Knot { time: time.clone(), at, right: at, end }).collect() }
    }

    /// The value at time zero.
    pub(crate) fn start(&self) -> f64 {
        self.knots[0].at
    }

    /// The value of piece `place` at a time strictly inside it.
    pub(crate) fn inside(&self, place: usize, time: &T) -> f64 {
        let knot = &self.knots[place];
        match self.knots.get(place + 1) {
            Some(next) if knot.right != knot.end => {
                let share = knot.time.until(time) / knot.time.until(&next.time);
                knot.right + share * (knot.end - knot.right)
            }
            _ => knot.right,
        }
    }

    /// The least and the greatest value, or what they come near to, from `from` on, up to but not including `until`.
    pub(crate) fn range(&self, from: &T, until: Option<&T>) -> (f64, f64) {
        let mut range = (f64::INFINITY, f64::NEG_INFINITY);
        let mut include = |value: f64| range = (range.0.min(value), range.1.max(value));
        let first = self.knots.partition_point(|knot| knot.time <= *from).saturating_sub(1);
        for (place, knot) in self.knots.iter().enumerate().skip(first) {
            if until.is_some_and(|until| *until <= knot.time) {
                break;
            }
            if *from <= knot.time {
                include(knot.at);
                include(knot.right);
            } else {
                include(self.inside(place, from));
            }
            match (self.knots.get(place + 1), until) {
                (Some(next), Some(until)) if *until < next.time => include(self.inside(place, until)),
                _ => include(knot.end),
            }
        }
        range
    }

    pub(crate) fn mapped(&self, function: impl Fn(f64) -> f64) -> Curve<T> {
        let knot = |knot: &Knot<T>| Knot {
            time: knot.time.clone(),
            at: function(knot.at),
            right: function(knot.right),
            end: function(knot.end),
        };
        Curve { knots: self.knots.iter().map(knot).collect() }
    }

    pub(crate) fn negated(&self) -> Curve<T> {
        self.mapped(|value| -value)
    }

    pub(crate) fn scaled(&self, factor: f64) -> Curve<T> {
        self.mapped(|value| value * factor)
    }

    pub(crate) fn raised(&self, by: f64) -> Curve<T> {
        self.mapped(|value| value + by)
    }

    /// The curve as seen from `by` earlier: what happens after that much time.
    pub(crate) fn shifted(self, by: &T) -> Curve<T> {
        if *by == T::zero() {
            return self;
        }
        let first = self.knots.partition_point(|knot| knot.time <= *by).saturating_sub(1);
        let mut knots: Vec<Knot<T>> = Vec::with_capacity(self.knots.len() - first);
        for (place, knot) in self.knots.iter().enumerate().skip(first) {
            if knot.time < *by {
                let value = self.inside(place, by);
                knots.push(Knot { time: T::zero(), at: value, right: value, end: knot.end });
            } else {
                knots.push(Knot { time: knot.time.minus(by), ..*knot });
            }
        }
        Curve { knots }
    }

    pub(crate) fn plus(&self, other: &Curve<T>) -> Curve<T> {
        self.joined(other, |left, right| left + right, false)
    }

    pub(crate) fn greatest(&self, other: &Curve<T>) -> Curve<T> {
        self.joined(other, f64::max, true)
    }

    pub(crate) fn least(&self, other: &Curve<T>) -> Curve<T> {
        self.joined(other, f64::min, true)
    }

    /// Both curves at once; where they cross, a knot is added if it matters.
    fn joined(&self, other: &Curve<T>, function: impl Fn(f64, f64) -> f64, crossings: bool) -> Curve<T> {
        let mut builder = Builder::with_capacity(self.knots.len().max(other.knots.len()));
        for common in Merge::new(self, other) {
            let Common { time, until, left, right } = common;
            builder.knot(time.clone(), function(left.at, right.at));
            let lines = [(left.right, left.end), (right.right, right.end)];
            if crossings
                && let Some(until) = until
                && let Some(crossing) = crossing(&time, &until, lines[0], lines[1])
            {
                builder.piece(function(lines[0].0, lines[1].0), crossing.1);
                builder.knot(crossing.0, crossing.1);
                builder.piece(crossing.1, function(lines[0].1, lines[1].1));
                continue;
            }
            builder.piece(function(lines[0].0, lines[1].0), function(lines[0].1, lines[1].1));
        }
        builder.curve
    }
}

/// Where two lines over `(from, to)` cross strictly inside, and the value there.
pub(crate) fn crossing<T: Moment>(from: &T, to: &T, first: (f64, f64), second: (f64, f64)) -> Option<(T, f64)> {
    let (before, after) = (first.0 - second.0, first.1 - second.1);
    if !before.is_finite() || !after.is_finite() || 0.0 <= before * after {
        return None;
    }
    let share = before / (before - after);
    let time = from.after(share * from.until(to));
    (*from < time && time < *to).then_some((time, first.0 + share * (first.1 - first.0)))
}

/// A few times at which lines cross, at most `MOST` of them.
pub(crate) struct Crossings<T, const MOST: usize> {
    times: [Option<T>; MOST],
    count: usize,
}

impl<T: Moment, const MOST: usize> Default for Crossings<T, MOST> {
    fn default() -> Crossings<T, MOST> {
        Crossings { times: [const { None }; MOST], count: 0 }
    }
}

impl<T: Moment, const MOST: usize> Crossings<T, MOST> {
    /// Adds a crossing, if there is one and its time is new.
    pub(crate) fn extend(&mut self, crossing: Option<(T, f64)>) {
        let Some((time, _)) = crossing else { return };
        let time = Some(time);
        if !self.times[..self.count].contains(&time) {
            self.times[self.count] = time;
            self.count += 1;
        }
    }

    /// The times in their order.
    pub(crate) fn in_order(&mut self) -> impl Iterator<Item = &T> {
        self.times[..self.count].sort_unstable();
        self.times[..self.count].iter().flatten()
    }
}

/// Builds a curve from left to right, leaving out knots on a straight line.
pub(crate) struct Builder<T> {
    pub(crate) curve: Curve<T>,
}

impl<T: Moment> Builder<T> {
    pub(crate) fn with_capacity(capacity: usize) -> Builder<T> {
        Builder { curve: Curve { knots: Vec::with_capacity(capacity) } }
    }

    /// A knot with its value; its piece follows.
    pub(crate) fn knot(&mut self, time: T, at: f64) {
        self.curve.knots.push(Knot { time, at, right: at, end: at });
    }

    /// The piece behind the last knot.
    pub(crate) fn piece(&mut self, right: f64, end: f64) {
        let count = self.curve.knots.len();
        if 2 <= count {
            // A level stretch needs no knot inside; slopes are left alone, since comparing them would round.
            let (before, last) = (&self.curve.knots[count - 2], &self.curve.knots[count - 1]);
            let level = before.right == before.end && before.end == last.at && last.at == right && right == end;
            if level {
                self.curve.knots.pop();
                return;
            }
        }
        let last = &mut self.curve.knots[count - 1];
        (last.right, last.end) = (right, end);
    }
}

/// A stretch on which two curves are straight.
pub(crate) struct Common<T> {
    pub(crate) time: T,
    /// Where it ends; none for the last.
    pub(crate) until: Option<T>,
    pub(crate) left: Piece,
    pub(crate) right: Piece,
}

/// What a curve does on a stretch: the values at its beginning, just after it, and just before its end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    pub(crate) at: f64,
    pub(crate) right: f64,
    pub(crate) end: f64,
}

/// The stretches of two curves, from left to right.
pub(crate) struct Merge<'a, T> {
    curves: [&'a Curve<T>; 2],
    places: [usize; 2],
    time: Option<T>,
}

impl<'a, T: Moment> Merge<'a, T> {
    pub(crate) fn new(left: &'a Curve<T>, right: &'a Curve<T>) -> Merge<'a, T> {
        Merge { curves: [left, right], places: [0, 0], time: Some(T::zero()) }
    }
}

impl<T: Moment> Iterator for Merge<'_, T> {
    type Item = Common<T>;

    fn next(&mut self) -> Option<Common<T>> {
        let time = self.time.take()?;
        let following = |side: usize| self.curves[side].knots.get(self.places[side] + 1).map(|knot| &knot.time);
        let ends = [following(0), following(1)];
        let until = match ends {
            [Some(first), Some(second)] => Some(first.min(second)),
            [first, second] => first.or(second),
        };
        let view = |side: usize| {
            let (curve, place) = (self.curves[side], self.places[side]);
            let knot = &curve.knots[place];
            let (at, right) = match knot.time == time {
                true => (knot.at, knot.right),
                false => {
                    let value = curve.inside(place, &time);
                    (value, value)
                }
            };
            let end = match until {
                Some(until) if ends[side] != Some(until) => curve.inside(place, until),
                _ => knot.end,
            };
            Piece { at, right, end }
        };
        let (left, right) = (view(0), view(1));
        let moves = [0, 1].map(|side| until.is_some() && ends[side] == until);
        self.time = until.cloned();
        for side in [0, 1] {
            self.places[side] += usize::from(moves[side]);
        }
        Some(Common { time, until: self.time.clone(), left, right })
    }
}
