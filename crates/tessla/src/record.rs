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
    let mut run = Run::default();
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
            (None, None) => return run,
        };
        monitor.begin(time);
        let count = rest.iter().take_while(|event| event.time == time).count();
        for event in &rest[..count] {
            monitor.provide(event.input, event.value.clone());
        }
        rest = &rest[count..];
        let done = monitor.finish();
        after(monitor);
        let events: Vec<(StreamId, Value)> =
            spec.streams().filter_map(|(id, _)| monitor.event(id).map(|value| (id, value.clone()))).collect();
        let failed = spec.outputs.iter().find_map(|output| match monitor.event(output.stream) {
            Some(Value::Failure(failure)) => Some(Fault { time, failure: failure.clone() }),
            Some(_) | None => None,
        });
        if let Some(fault) = done.err().or(failed) {
            run.fault = Some(fault);
            return run;
        }
        if !events.is_empty() {
            run.steps.push(RunStep { time, events });
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
        let holds = |assertion: &crate::core::Assertion| {
            let mut events = self.events(assertion.stream);
            match assertion.quantor {
                Quantor::Some => events.next().is_some(),
                Quantor::Empty => events.next().is_none(),
                Quantor::Exists => events.any(|(_, value)| value.as_bool() == Some(true)),
                Quantor::All => events.all(|(_, value)| value.as_bool() == Some(true)),
            }
        };
        let all = spec.assertions.iter().enumerate();
        all.filter(|(_, assertion)| !holds(assertion)).map(|(position, _)| position).collect()
    }
}
