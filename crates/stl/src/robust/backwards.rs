//! Curves while time runs backwards, for operators that look back.

use super::curve::{Curve, Knot};
use super::moment::Moment;

impl<T: Moment> Curve<T> {
    /// The curve as seen from `end`, after which it does not change, backwards. Beyond time zero nothing holds.
    pub(crate) fn backwards(&self, end: &T) -> Curve<T> {
        let tail = self.knots[self.knots.len() - 1].right;
        let mut knots = vec![Knot { time: T::zero(), at: tail, right: tail, end: tail }];
        for (place, knot) in self.knots.iter().enumerate().rev() {
            let (right, before) = match place.checked_sub(1) {
                Some(place) => (self.knots[place].end, self.knots[place].right),
                None => (f64::NEG_INFINITY, f64::NEG_INFINITY),
            };
            add(&mut knots, Knot { time: knot.time.before(end), at: knot.at, right, end: before });
        }
        Curve { knots }
    }

    /// What [`Curve::backwards`] made, or something made of it, the right way round again.
    pub(crate) fn forwards(&self, end: &T) -> Curve<T> {
        let count = self.knots.partition_point(|knot| knot.time <= *end);
        let mut knots: Vec<Knot<T>> = Vec::with_capacity(count + 1);
        for place in (0..count).rev() {
            let knot = &self.knots[place];
            let (right, before) = match place.checked_sub(1) {
                Some(place) => (self.knots[place].end, self.knots[place].right),
                None => (knot.at, knot.at),
            };
            let time = knot.time.before(end);
            if knots.is_empty() && T::zero() < time {
                let at = self.inside(place, end);
                knots.push(Knot { time: T::zero(), at, right: at, end: knot.right });
            }
            add(&mut knots, Knot { time, at: knot.at, right, end: before });
        }
        Curve { knots }
    }
}

/// Adds a knot behind the others; one that rounding has put where the last one is only tells how it goes on.
fn add<T: Moment>(knots: &mut Vec<Knot<T>>, knot: Knot<T>) {
    match knots.last_mut() {
        Some(last) if knot.time <= last.time => {
            last.right = knot.right;
            last.end = knot.end;
        }
        _ => knots.push(knot),
    }
}
