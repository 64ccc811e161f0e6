//! Whole runs on traces in memory: every stream at every step.

use crate::core::{Quantor, Spec, StreamId};
use crate::interp::{Fault, Monitor, Observer};
use crate::trace::Event;
use crate::value::Value;

/// A run: its steps, and why it ended early if it did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    /// The steps at which something happened.
    pub steps: Vec<RunStep>,
    /// The undefined operation that ended the run.
    pub fault: Option<Fault>,
}

/// The events of one time.
#[derive(Clone, Debug, PartialEq)]
pub struct RunStep {
    /// The time.
    pub time: i64,
    /// The events of all streams, by stream.
    pub events: Vec<(StreamId, Value)>,
}

/// Runs events, which are in the order of time, up to an end. `after` is called after every step.
pub fn record<O: Observer>(
    spec: &Spec,
    monitor: &mut Monitor<'_, O>,
    events: &[Event],
    end: i64,
    mut after: impl FnMut(&mut Monitor<'_, O>),
) -> Run {
    let mut steps = Vec::new();
    let fault = walk(spec, monitor, events, end, |monitor| {
        after(monitor);
        let events: Vec<(StreamId, Value)> =
            spec.streams().filter_map(|(id, _)| monitor.event(id).map(|value| (id, value))).collect();
        let time = monitor.time().expect("a step was made");
        if !events.is_empty() {
            steps.push(RunStep { time, events });
        }
        true
    });
    if fault.as_ref().is_some_and(|fault| steps.last().is_some_and(|step| step.time == fault.time)) {
        // What an undefined operation belongs to is not a result.
        steps.pop();
    }
    Run { steps, fault }
}

/// The same without a record, as long as `after` says to go on.
pub fn walk<O: Observer>(
    spec: &Spec,
    monitor: &mut Monitor<'_, O>,
    events: &[Event],
    end: i64,
    mut after: impl FnMut(&mut Monitor<'_, O>) -> bool,
) -> Option<Fault> {
    let mut rest = events;
    loop {
        let timer = match monitor.time() {
            None => Some(0),
            Some(_) => monitor.next_timer(),
        };
        let next = rest.first().map(|event| event.time);
        let time = match (timer.filter(|time| *time <= end), next) {
            (Some(timer), Some(next)) => timer.min(next),
            (Some(time), None) | (None, Some(time)) => time,
            (None, None) => return None,
        };
        monitor.begin(time);
        let count = rest.iter().take_while(|event| event.time == time).count();
        for event in &rest[..count] {
            monitor.provide(event.input, event.value.clone());
        }
        rest = &rest[count..];
        let done = monitor.finish();
        let goes_on = after(monitor);
        let failure = spec.outputs.iter().find_map(|output| monitor.failure(output.stream));
        let failed = failure.map(|failure| Fault { time, failure: failure.clone() });
        if let Some(fault) = done.err().or(failed) {
            return Some(fault);
        }
        if !goes_on {
            return None;
        }
    }
}

impl Run {
    /// The events of a stream.
    pub fn events(&self, stream: StreamId) -> impl Iterator<Item = (i64, &Value)> {
        self.steps.iter().filter_map(move |step| {
            let position = step.events.binary_search_by_key(&stream, |(id, _)| *id).ok()?;
            Some((step.time, &step.events[position].1))
        })
    }

    /// The assertions of the specification that the run violates, by position.
    pub fn violated(&self, spec: &Spec) -> Vec<usize> {
        let mut claims = Claims::new(spec);
        for step in &self.steps {
            claims.look(|stream| {
                let position = step.events.binary_search_by_key(&stream, |(id, _)| *id).ok()?;
                Some(step.events[position].1.clone())
            });
        }
        claims.violated()
    }
}

/// The assertions of a specification while a run goes on.
#[derive(Clone, Debug)]
pub struct Claims<'a> {
    spec: &'a Spec,
    /// Whether each one holds so far.
    holds: Vec<bool>,
}

impl<'a> Claims<'a> {
    /// The assertions before a run.
    pub fn new(spec: &'a Spec) -> Claims<'a> {
        let holds = spec.assertions.iter().map(|assertion| match assertion.quantor {
            Quantor::Some | Quantor::Exists => false,
            Quantor::Empty | Quantor::All => true,
        });
        Claims { spec, holds: holds.collect() }
    }

    /// Looks at the events of a step.
    pub fn look(&mut self, event: impl Fn(StreamId) -> Option<Value>) {
        for (assertion, holds) in self.spec.assertions.iter().zip(&mut self.holds) {
            let Some(value) = event(assertion.stream) else { continue };
            match assertion.quantor {
                Quantor::Some => *holds = true,
                Quantor::Empty => *holds = false,
                Quantor::Exists => *holds |= value.as_bool() == Some(true),
                Quantor::All => *holds &= value.as_bool() == Some(true),
            }
        }
    }

    /// Whether all hold, if the run ends here.
    pub fn hold(&self) -> bool {
        self.holds.iter().all(|holds| *holds)
    }

    /// Those that do not hold, if the run ends here, by position.
    pub fn violated(&self) -> Vec<usize> {
        (0..self.holds.len()).filter(|position| !self.holds[*position]).collect()
    }
}
