//! Until without a window: for each time, the best moment to have waited for.

use super::curve::{Builder, Common, Crossings, Curve, Knot, Merge, Piece, crossing};
use super::moment::Moment;

impl<T: Moment> Curve<T> {
    /// For each time `t`, the supremum over `t' ≥ t` of the lesser of `goal` at `t'` and the infimum of `self` on `[t, t')`.
    pub(crate) fn until(&self, goal: &Curve<T>) -> Curve<T> {
        let stretches: Vec<Common<T>> = Merge::new(self, goal).collect();
        // From right to left; a stretch is built at a time.
        let mut reversed: Vec<Knot<T>> = Vec::with_capacity(stretches.len());
        let mut builder = Builder::with_capacity(4);
        // What holds at the end of the stretch at hand; after the last one nothing new comes.
        let mut later = f64::NEG_INFINITY;
        for stretch in stretches.iter().rev() {
            let Common { time, until, left, right } = stretch;
            builder.curve.knots.clear();
            builder.knot(time.clone(), 0.0);
            let waited = match until {
                None => {
                    builder.piece(right.right, right.end);
                    left.right.min(right.right)
                }
                Some(until) => behind(&mut builder, time, until, left, right, later),
            };
            later = right.at.max(left.at.min(waited));
            builder.curve.knots[0].at = later;
            reversed.extend(builder.curve.knots.drain(..).rev());
        }
        reversed.reverse();
        Curve { knots: reversed }
    }
}

/// Adds the stretch behind a knot, on which both curves are straight. Between the crossings of the lines involved the result is
/// straight too, so it is enough to compute it there. Returns what a knot at the start can gain by waiting: there the goal just
/// after it does not count alone, since the first part must hold up to it.
fn behind<T: Moment>(builder: &mut Builder<T>, from: &T, to: &T, hold: &Piece, goal: &Piece, later: f64) -> f64 {
    let hold_line = (hold.right, hold.end);
    let goal_line = (goal.right, goal.end);
    let meeting = crossing(from, to, hold_line, goal_line);
    let end = (hold.end, goal.end);
    let levels = [
        goal.end,
        hold.end,
        hold.end.min(goal.end),
        later,
        hold.end.min(later),
        meeting.as_ref().map_or(goal.end, |(_, value)| *value),
    ];
    // The meeting, and two lines with six levels.
    let mut times = Crossings::<T, 13>::default();
    times.extend(meeting.clone());
    for level in levels {
        for line in [hold_line, goal_line] {
            times.extend(crossing(from, to, line, (level, level)));
        }
    }
    let at = |line: (f64, f64), share: f64| if line.0 == line.1 { line.0 } else { line.0 + share * (line.1 - line.0) };
    let waiting = |time: &T, hold_now: f64, goal_now: f64| {
        let within = if hold_line.0 <= hold_line.1 {
            // The first part rises: its infimum is its value now.
            hold_now.min(goal_now.max(end.1))
        } else {
            // It falls: its infimum is its value when the goal comes, and both may meet on the way.
            let met = meeting.as_ref().filter(|(meeting, _)| time <= meeting);
            let met = met.map_or(f64::NEG_INFINITY, |(_, value)| *value);
            hold_now.min(goal_now).max(end.0.min(end.1)).max(met)
        };
        within.max(hold_now.min(end.0).min(later))
    };
    let value = |time: &T, hold_now: f64, goal_now: f64| goal_now.max(waiting(time, hold_now, goal_now));
    let mut right = value(from, hold_line.0, goal_line.0);
    for time in times.in_order() {
        let share = from.until(time) / from.until(to);
        let here = value(time, at(hold_line, share), at(goal_line, share));
        builder.piece(right, here);
        builder.knot(time.clone(), here);
        right = here;
    }
    builder.piece(right, value(to, hold_line.1, goal_line.1));
    waiting(from, hold_line.0, goal_line.0)
}
