//! Functions of time made of straight pieces, with jumps: a value at each knot and a straight piece behind it.

/// A function of time on `[0, ∞)`.
#[derive(Clone, Debug, Default)]
pub struct Curve {
    /// The knots, the first at time zero; the last piece is level and goes on for ever.
    pub(crate) knots: Vec<Knot>,
}

/// A knot, and the piece up to the next one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Knot {
    pub(crate) time: f64,
    /// The value at the knot.
    pub(crate) at: f64,
    /// The value just after it.
    pub(crate) right: f64,
    /// The value just before the next knot.
    pub(crate) end: f64,
}

impl Curve {
    /// The same value at all times.
    pub(crate) fn constant(value: f64) -> Curve {
        Curve { knots: vec![Knot { time: 0.0, at: value, right: value, end: value }] }
    }

    /// A value at each time and one after it.
    pub(crate) fn stepping(steps: impl Iterator<Item = (f64, f64, f64)>) -> Curve {
        Curve { knots: steps.map(|(time, at, after)| Knot { time, at, right: after, end: after }).collect() }
    }

    /// Straight lines between points.
    pub(crate) fn polyline(times: &[f64], values: &[f64]) -> Curve {
        let next = values.iter().skip(1).chain(values.last());
        let knots = times.iter().zip(values).zip(next);
        Curve { knots: knots.map(|((&time, &at), &end)| Knot { time, at, right: at, end }).collect() }
    }

    /// The value at time zero.
    pub fn start(&self) -> f64 {
        self.knots[0].at
    }

    /// The value at a time.
    pub fn value(&self, time: f64) -> f64 {
        let place = self.knots.partition_point(|knot| knot.time <= time).saturating_sub(1);
        let knot = &self.knots[place];
        if knot.time == time { knot.at } else { self.inside(place, time) }
    }

    /// The value of piece `place` at a time strictly inside it.
    pub(crate) fn inside(&self, place: usize, time: f64) -> f64 {
        let knot = &self.knots[place];
        match self.knots.get(place + 1) {
            Some(next) if knot.right != knot.end => {
                let share = (time - knot.time) / (next.time - knot.time);
                knot.right + share * (knot.end - knot.right)
            }
            _ => knot.right,
        }
    }

    /// The least and the greatest value, or what they come near to, from `from` on, up to but not including `until`.
    pub(crate) fn range(&self, from: f64, until: f64) -> (f64, f64) {
        let mut range = (f64::INFINITY, f64::NEG_INFINITY);
        let mut include = |value: f64| range = (range.0.min(value), range.1.max(value));
        let first = self.knots.partition_point(|knot| knot.time <= from).saturating_sub(1);
        for (place, knot) in self.knots.iter().enumerate().skip(first) {
            if until <= knot.time {
                break;
            }
            if from <= knot.time {
                include(knot.at);
                include(knot.right);
            } else {
                include(self.inside(place, from));
            }
            match self.knots.get(place + 1) {
                Some(next) if until < next.time => include(self.inside(place, until)),
                Some(_) | None => include(knot.end),
            }
        }
        range
    }

    pub(crate) fn mapped(&self, function: impl Fn(f64) -> f64) -> Curve {
        let knot = |knot: &Knot| Knot {
            time: knot.time,
            at: function(knot.at),
            right: function(knot.right),
            end: function(knot.end),
        };
        Curve { knots: self.knots.iter().map(knot).collect() }
    }

    pub(crate) fn negated(&self) -> Curve {
        self.mapped(|value| -value)
    }

    pub(crate) fn scaled(&self, factor: f64) -> Curve {
        self.mapped(|value| value * factor)
    }

    pub(crate) fn raised(&self, by: f64) -> Curve {
        self.mapped(|value| value + by)
    }

    /// The curve as seen from `by` earlier: what happens after that much time.
    pub(crate) fn shifted(self, by: f64) -> Curve {
        if by == 0.0 {
            return self;
        }
        let first = self.knots.partition_point(|knot| knot.time <= by).saturating_sub(1);
        let mut knots: Vec<Knot> = Vec::with_capacity(self.knots.len() - first);
        for (place, knot) in self.knots.iter().enumerate().skip(first) {
            if knot.time < by {
                let value = self.inside(place, by);
                knots.push(Knot { time: 0.0, at: value, right: value, end: knot.end });
            } else {
                knots.push(Knot { time: knot.time - by, ..*knot });
            }
        }
        Curve { knots }
    }

    pub(crate) fn plus(&self, other: &Curve) -> Curve {
        self.joined(other, |left, right| left + right, false)
    }

    pub(crate) fn greatest(&self, other: &Curve) -> Curve {
        self.joined(other, f64::max, true)
    }

    pub(crate) fn least(&self, other: &Curve) -> Curve {
        self.joined(other, f64::min, true)
    }

    /// Both curves at once; where they cross, a knot is added if it matters.
    fn joined(&self, other: &Curve, function: impl Fn(f64, f64) -> f64, crossings: bool) -> Curve {
        let mut builder = Builder::with_capacity(self.knots.len().max(other.knots.len()));
        for common in Merge::new(self, other) {
            let Common { time, until, left, right } = common;
            builder.knot(time, function(left.at, right.at));
            let lines = [(left.right, left.end), (right.right, right.end)];
            if crossings
                && let Some(until) = until
                && let Some(crossing) = crossing(time, until, lines[0], lines[1])
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
pub(crate) fn crossing(from: f64, to: f64, first: (f64, f64), second: (f64, f64)) -> Option<(f64, f64)> {
    let (before, after) = (first.0 - second.0, first.1 - second.1);
    if !before.is_finite() || !after.is_finite() || 0.0 <= before * after {
        return None;
    }
    let share = before / (before - after);
    let time = from + share * (to - from);
    (from < time && time < to).then_some((time, first.0 + share * (first.1 - first.0)))
}

/// A few times at which lines cross, at most `MOST` of them.
pub(crate) struct Moments<const MOST: usize> {
    times: [f64; MOST],
    count: usize,
}

impl<const MOST: usize> Default for Moments<MOST> {
    fn default() -> Moments<MOST> {
        Moments { times: [0.0; MOST], count: 0 }
    }
}

impl<const MOST: usize> Moments<MOST> {
    /// Adds a crossing, if there is one and its time is new.
    pub(crate) fn extend(&mut self, crossing: Option<(f64, f64)>) {
        if let Some((time, _)) = crossing
            && !self.times[..self.count].contains(&time)
        {
            self.times[self.count] = time;
            self.count += 1;
        }
    }

    /// The times in their order.
    pub(crate) fn in_order(&mut self) -> impl Iterator<Item = f64> + use<'_, MOST> {
        self.times[..self.count].sort_unstable_by(f64::total_cmp);
        self.times[..self.count].iter().copied()
    }
}

/// Builds a curve from left to right, leaving out knots on a straight line.
pub(crate) struct Builder {
    pub(crate) curve: Curve,
}

impl Builder {
    pub(crate) fn with_capacity(capacity: usize) -> Builder {
        Builder { curve: Curve { knots: Vec::with_capacity(capacity) } }
    }

    /// A knot with its value; its piece follows.
    pub(crate) fn knot(&mut self, time: f64, at: f64) {
        self.curve.knots.push(Knot { time, at, right: at, end: at });
    }

    /// The piece behind the last knot.
    pub(crate) fn piece(&mut self, right: f64, end: f64) {
        let count = self.curve.knots.len();
        let last = self.curve.knots[count - 1];
        if 2 <= count {
            // A level stretch needs no knot inside; slopes are left alone, since comparing them would round.
            let before = &mut self.curve.knots[count - 2];
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
pub(crate) struct Common {
    pub(crate) time: f64,
    /// Where it ends; none for the last.
    pub(crate) until: Option<f64>,
    pub(crate) left: Knot,
    pub(crate) right: Knot,
}

/// The stretches of two curves, from left to right.
pub(crate) struct Merge<'a> {
    curves: [&'a Curve; 2],
    places: [usize; 2],
    time: Option<f64>,
}

impl<'a> Merge<'a> {
    pub(crate) fn new(left: &'a Curve, right: &'a Curve) -> Merge<'a> {
        Merge { curves: [left, right], places: [0, 0], time: Some(0.0) }
    }
}

impl Iterator for Merge<'_> {
    type Item = Common;

    fn next(&mut self) -> Option<Common> {
        let time = self.time?;
        let following = |side: usize| self.curves[side].knots.get(self.places[side] + 1).map(|knot| knot.time);
        let ends = [following(0), following(1)];
        let until = match ends {
            [Some(first), Some(second)] => Some(first.min(second)),
            [first, second] => first.or(second),
        };
        let view = |side: usize| {
            let (curve, place) = (self.curves[side], self.places[side]);
            let knot = curve.knots[place];
            let (at, right) = match knot.time == time {
                true => (knot.at, knot.right),
                false => {
                    let value = curve.inside(place, time);
                    (value, value)
                }
            };
            let end = match until {
                Some(until) if ends[side] != Some(until) => curve.inside(place, until),
                _ => knot.end,
            };
            Knot { time, at, right, end }
        };
        let common = Common { time, until, left: view(0), right: view(1) };
        for side in [0, 1] {
            if until.is_some() && ends[side] == until {
                self.places[side] += 1;
            }
        }
        self.time = until;
        Some(common)
    }
}
