//! Samples of signals, each with times of its own, put together to a trace.

use value::{RBig, Sort};

use crate::number::write_number;
use crate::signal::{SignalValue, Step, Trace, held, truth_at, value_at};
use crate::spec::{Shape, Signal, Spec};
use crate::stream::Value;

/// A trace, and where its time zero lies in the times that were recorded.
#[derive(Clone, Debug)]
pub struct Recording {
    /// The trace; its times count from the first at which all signals are known.
    pub trace: Trace,
    /// The recorded time that is its time zero.
    pub origin: RBig,
    /// The first recorded time, where not all signals were known at it, and the signal that came last.
    pub late: Option<(RBig, String)>,
}

/// Gathers samples, in the order of their times.
pub struct Gatherer<'a> {
    spec: &'a Spec,
    samples: Vec<Vec<(RBig, Value)>>,
    first: Option<RBig>,
    last: Option<RBig>,
    /// Whether all signals keep their values between samples, whatever they are declared to be.
    holds: bool,
}

impl<'a> Gatherer<'a> {
    /// For the signals of a specification.
    pub fn new(spec: &'a Spec) -> Gatherer<'a> {
        Gatherer { spec, samples: vec![Vec::new(); spec.signals.len()], first: None, last: None, holds: false }
    }

    /// For recordings of changes: all signals keep their values up to the next change.
    pub fn of_changes(spec: &'a Spec) -> Gatherer<'a> {
        Gatherer { holds: true, ..Gatherer::new(spec) }
    }

    /// A sample of a signal, not before the last one of all.
    pub fn sample(&mut self, signal: usize, time: RBig, value: Value) {
        self.reach(time.clone());
        self.samples[signal].push((time, value));
    }

    /// That the recording goes on up to a time.
    pub fn reach(&mut self, time: RBig) {
        self.first.get_or_insert_with(|| time.clone());
        self.last = Some(time);
    }

    /// The trace of all samples.
    ///
    /// # Errors
    /// When a signal has none.
    pub fn finish(self) -> Result<Recording, String> {
        let (Some(first), Some(last)) = (self.first, self.last) else {
            return Err("the table has no samples".to_owned());
        };
        let mut origin = first.clone();
        let mut late = None;
        for (signal, samples) in self.spec.signals.iter().zip(&self.samples) {
            let Some((begin, _)) = samples.first() else { return Err(format!("`{}` has no value", signal.name)) };
            if origin < *begin {
                origin = begin.clone();
                late = Some((first.clone(), signal.name.clone()));
            }
        }
        // A straight signal is not known beyond its last sample; all others keep their values.
        let is_straight = |signal: &Signal| signal.sort == Sort::Real && signal.shape == Shape::Straight && !self.holds;
        let ends = self.spec.signals.iter().zip(&self.samples).filter(|(signal, _)| is_straight(signal));
        let last = ends.filter_map(|(_, samples)| samples.last().map(|sample| sample.0.clone())).fold(last, RBig::min);
        if last < origin {
            return Err(format!("the recording ends before {}, where all signals are known", write_number(&origin)));
        }
        let mut signals = Vec::new();
        for (signal, samples) in self.spec.signals.iter().zip(self.samples) {
            let value = match &signal.shape {
                _ if signal.sort == Sort::Bool => steps(samples),
                Shape::Named(_) => SignalValue::Named(last_of_each(numbers(samples))),
                Shape::Steps => SignalValue::Real(held(&last_of_each(numbers(samples)))),
                Shape::Straight if self.holds => SignalValue::Real(held(&last_of_each(numbers(samples)))),
                Shape::Straight => SignalValue::Real(ends_of_each(numbers(samples))),
            };
            signals.push(from(value, &origin));
        }
        Ok(Recording { trace: Trace { signals, end: last - &origin }, origin, late })
    }
}

fn numbers(samples: Vec<(RBig, Value)>) -> Vec<(RBig, RBig)> {
    let number = |(time, value)| match value {
        Value::Real(value) => (time, value),
        Value::Bool(_) => unreachable!("a sample has the sort of its signal"),
    };
    samples.into_iter().map(number).collect()
}

fn steps(samples: Vec<(RBig, Value)>) -> SignalValue {
    let mut steps: Vec<Step> = Vec::with_capacity(samples.len());
    for (time, value) in samples {
        let Value::Bool(truth) = value else { unreachable!("a sample has the sort of its signal") };
        if steps.last().is_some_and(|last| last.time == time) {
            steps.pop();
        }
        steps.push(Step { time, at: truth, after: truth });
    }
    SignalValue::Bool(steps)
}

/// Of several samples at one time the last one.
fn last_of_each(samples: Vec<(RBig, RBig)>) -> Vec<(RBig, RBig)> {
    crate::signal::samples(&samples)
}

/// Of several samples at one time the first one, with which the line before it ends, and the last.
fn ends_of_each(samples: Vec<(RBig, RBig)>) -> Vec<(RBig, RBig)> {
    let mut points: Vec<(RBig, RBig)> = Vec::with_capacity(samples.len());
    for sample in samples {
        if let [.., before, last] = points.as_slice()
            && before.0 == last.0
            && last.0 == sample.0
        {
            points.pop();
        }
        if points.last() != Some(&sample) {
            points.push(sample);
        }
    }
    points
}

/// A signal as seen from a time at which it is known.
fn from(value: SignalValue, origin: &RBig) -> SignalValue {
    match value {
        SignalValue::Real(points) => {
            let start = (RBig::ZERO, value_at(&points, origin));
            let later =
                points.into_iter().filter(|point| *origin < point.0).map(|(time, value)| (time - origin, value));
            SignalValue::Real([start].into_iter().chain(later).collect())
        }
        SignalValue::Named(values) => {
            let place = values.partition_point(|value| value.0 <= *origin).saturating_sub(1);
            let start = (RBig::ZERO, values[place].1.clone());
            let later = values.into_iter().skip(place + 1).map(|(time, value)| (time - origin, value));
            SignalValue::Named([start].into_iter().chain(later).collect())
        }
        SignalValue::Bool(steps) => {
            let (at, after) = truth_at(&steps, origin);
            let start = Step { time: RBig::ZERO, at, after };
            let later = steps.into_iter().filter(|step| *origin < step.time);
            let later = later.map(|step| Step { time: step.time - origin, ..step });
            SignalValue::Bool([start].into_iter().chain(later).collect())
        }
    }
}
