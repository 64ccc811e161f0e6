//! Signals: piecewise-linear reals and Boolean steps, exact, over `[0, ∞)`.

mod document;

use std::borrow::Cow;

use value::RBig;

pub use document::{from_json, to_json};

/// A signal for every name of a specification, in its order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The signals.
    pub signals: Vec<SignalValue>,
    /// Where the last value is held from.
    pub end: RBig,
}

/// A signal over time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SignalValue {
    /// Straight lines between points; the last value is held. Two points at one time are a jump: the first is where the line before it
    /// ends, the second is the value at that time, from which the next line goes on.
    Real(Vec<(RBig, RBig)>),
    /// Steps; the last value is held.
    Bool(Vec<Step>),
    /// The values of an enumeration by their numbers, each from its time on; the last one is held.
    Named(Vec<(RBig, RBig)>),
}

/// A step of a Boolean signal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// When.
    pub time: RBig,
    /// The value at that instant.
    pub at: bool,
    /// The value after it, up to the next step.
    pub after: bool,
}

impl SignalValue {
    /// The times of its points or steps.
    pub fn times(&self) -> impl Iterator<Item = &RBig> + Clone {
        let (points, steps): (&[(RBig, RBig)], &[Step]) = match self {
            SignalValue::Real(points) | SignalValue::Named(points) => (points, &[]),
            SignalValue::Bool(steps) => (&[], steps),
        };
        points.iter().map(|point| &point.0).chain(steps.iter().map(|step| &step.time))
    }

    /// The same signal with no point that the others imply.
    pub fn tidy(&self) -> SignalValue {
        match self {
            SignalValue::Real(points) => SignalValue::Real(without_collinear(points)),
            SignalValue::Bool(steps) => {
                let mut tidy: Vec<Step> = Vec::new();
                for step in steps {
                    let idle = tidy.last().is_some_and(|last| last.after == step.at && step.at == step.after);
                    if !idle {
                        tidy.push(step.clone());
                    }
                }
                SignalValue::Bool(tidy)
            }
            SignalValue::Named(values) => {
                let mut tidy = values.clone();
                tidy.dedup_by(|next, before| next.1 == before.1);
                SignalValue::Named(tidy)
            }
        }
    }

    /// The numbers of a signal as lines with jumps; none for truth values.
    pub fn polyline(&self) -> Option<Cow<'_, [(RBig, RBig)]>> {
        match self {
            SignalValue::Real(points) => Some(Cow::Borrowed(points)),
            SignalValue::Named(values) => Some(Cow::Owned(held(values))),
            SignalValue::Bool(_) => None,
        }
    }
}

/// Lines with jumps for samples whose values are kept up to the next one.
pub fn held(samples: &[(RBig, RBig)]) -> Vec<(RBig, RBig)> {
    let mut points: Vec<(RBig, RBig)> = Vec::with_capacity(2 * samples.len());
    for (time, value) in samples {
        if let Some((_, before)) = points.last().cloned().filter(|(_, before)| before != value) {
            points.push((time.clone(), before));
        }
        points.push((time.clone(), value.clone()));
    }
    points
}

/// The samples of which [`held`] makes these lines: for each time, the value from then on.
pub fn samples(points: &[(RBig, RBig)]) -> Vec<(RBig, RBig)> {
    let last = |(place, point): (usize, &(RBig, RBig))| points.get(place + 1).is_none_or(|next| next.0 != point.0);
    points.iter().enumerate().filter(|&pair| last(pair)).map(|(_, point)| point.clone()).collect()
}

impl Trace {
    /// The same trace with no point that the others imply.
    pub fn tidy(&self) -> Trace {
        Trace { signals: self.signals.iter().map(SignalValue::tidy).collect(), end: self.end.clone() }
    }
}

fn without_collinear(points: &[(RBig, RBig)]) -> Vec<(RBig, RBig)> {
    let mut kept: Vec<(RBig, RBig)> = Vec::new();
    for point in points {
        while let [.., first, middle] = kept.as_slice() {
            if !is_collinear(first, middle, point) {
                break;
            }
            kept.pop();
        }
        kept.push(point.clone());
    }
    // The last value is held: a level end needs no second point.
    while let [.., before, last] = kept.as_slice() {
        if before.1 != last.1 {
            break;
        }
        kept.pop();
    }
    kept
}

/// Whether the middle one of three points lies on a line with the others.
fn is_collinear(first: &(RBig, RBig), middle: &(RBig, RBig), last: &(RBig, RBig)) -> bool {
    // Most lines are level, and that is told without arithmetic.
    match (first.1 == middle.1, middle.1 == last.1) {
        (true, true) => true,
        (true, false) => first.0 == middle.0,
        (false, true) => middle.0 == last.0,
        (false, false) => {
            let (run, rise) = (&middle.0 - &first.0, &middle.1 - &first.1);
            let (run_on, rise_on) = (&last.0 - &middle.0, &last.1 - &middle.1);
            run * rise_on == run_on * rise
        }
    }
}

/// The value of a polyline at a time.
pub fn value_at(points: &[(RBig, RBig)], time: &RBig) -> RBig {
    let next = points.partition_point(|point| point.0 <= *time);
    if next == 0 {
        return points[0].1.clone();
    }
    let before = &points[next - 1];
    match points.get(next) {
        None => before.1.clone(),
        Some(after) => {
            let share = (time - &before.0) / (&after.0 - &before.0);
            &before.1 + share * (&after.1 - &before.1)
        }
    }
}

/// What the value of a polyline comes near to just before a time; at time zero, the value there.
pub fn value_before(points: &[(RBig, RBig)], time: &RBig) -> RBig {
    let next = points.partition_point(|point| point.0 < *time);
    match points.get(next) {
        // The first of two points is where the line before ends.
        Some(point) if point.0 == *time && 0 < next => point.1.clone(),
        _ => value_at(points, time),
    }
}

/// The values of a stepping signal at a time and just after it.
pub fn truth_at(steps: &[Step], time: &RBig) -> (bool, bool) {
    let next = steps.partition_point(|step| step.time <= *time);
    match next.checked_sub(1).map(|place| &steps[place]) {
        None => (steps[0].at, steps[0].at),
        Some(step) if step.time == *time => (step.at, step.after),
        Some(step) => (step.after, step.after),
    }
}
