//! Signals: piecewise-linear reals and Boolean steps, exact, over `[0, ∞)`.

mod document;

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
    /// Straight lines between points; the last value is held.
    Real(Vec<(RBig, RBig)>),
    /// Steps; the last value is held.
    Bool(Vec<Step>),
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
            SignalValue::Real(points) => (points, &[]),
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
        }
    }
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
            let (run, rise) = (&middle.0 - &first.0, &middle.1 - &first.1);
            let (run_on, rise_on) = (&point.0 - &middle.0, &point.1 - &middle.1);
            if run * rise_on != run_on * rise {
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

/// The values of a stepping signal at a time and just after it.
pub fn truth_at(steps: &[Step], time: &RBig) -> (bool, bool) {
    let next = steps.partition_point(|step| step.time <= *time);
    match next.checked_sub(1).map(|place| &steps[place]) {
        None => (steps[0].at, steps[0].at),
        Some(step) if step.time == *time => (step.at, step.after),
        Some(step) => (step.after, step.after),
    }
}
