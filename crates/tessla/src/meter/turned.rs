//! What would have been, had one decision gone the other way at one time.

use rustc_hash::FxHashMap;

use crate::core::{FunctionId, NodeId, Spec};
use crate::interp::{Monitor, Observer, Program};
use crate::obligation::{Obligation, Site};
use crate::record::walk;
use crate::trace::Event;
use crate::value::Value;

/// A decision is turned at no more than this many times of a run: the others are not looked at.
const MOST_TIMES: usize = 1000;

/// Looks for decisions that outputs show.
pub(super) struct Turned<'a> {
    pub(super) spec: &'a Spec,
    pub(super) program: &'a Program,
    pub(super) obligations: &'a [Obligation],
}

/// An event of an output: time, output and value.
type Shown = (i64, usize, Value);

impl Turned<'_> {
    /// Marks the obligations that a run meets, of those that are wanted.
    pub(super) fn look(&self, events: &[Event], end: i64, hits: &mut [bool], wanted: &[bool]) {
        let mut monitor = Monitor::observed(self.program, Times::new(self.obligations));
        let mut outputs = Vec::new();
        walk(self.spec, &mut monitor, events, end, |monitor| {
            outputs.extend(shown(self.spec, monitor));
            true
        });
        let times = monitor.into_observer().times;
        for (index, obligation) in self.obligations.iter().enumerate() {
            let Obligation::Visible { site, .. } = obligation else { continue };
            let mut each = times[index].iter().take(MOST_TIMES).copied();
            hits[index] = wanted[index] && each.any(|time| self.differs(events, end, &outputs, *site, time));
        }
    }

    /// Whether turning a conditional at a time changes an output before anything undefined is evaluated.
    fn differs(&self, events: &[Event], end: i64, outputs: &[Shown], site: Site, at: i64) -> bool {
        let turn = Turn { site, at, time: 0, failed: false, functions: Vec::new() };
        let mut monitor = Monitor::observed(self.program, turn);
        let mut rest = outputs;
        let mut differs = false;
        let fault = walk(self.spec, &mut monitor, events, end, |monitor| {
            let time = monitor.time().expect("a step was made");
            // What the plain run showed at times at which this one does nothing.
            let missed = rest.first().is_some_and(|(due, _, _)| *due < time);
            let count = rest.iter().take_while(|(due, _, _)| *due == time).count();
            let same = shown(self.spec, monitor).eq(rest[..count].iter().cloned());
            differs = missed || (!same && !monitor.observer().failed);
            rest = &rest[count..];
            !differs && !monitor.observer().failed
        });
        let failed = monitor.observer().failed;
        fault.is_none() && (differs || (!failed && !rest.is_empty()))
    }
}

/// The events of the outputs in the step just made.
fn shown<'m, O: Observer>(spec: &'m Spec, monitor: &'m Monitor<'_, O>) -> impl Iterator<Item = Shown> + 'm {
    let time = monitor.time().expect("a step was made");
    let event = move |(number, output): (usize, &crate::core::Output)| {
        monitor.event(output.stream).map(|value| (time, number, value))
    };
    spec.outputs.iter().enumerate().filter_map(event)
}

/// Notes the times at which decisions have outcomes.
struct Times {
    /// The obligations about the outcomes of a conditional.
    sites: FxHashMap<(FunctionId, NodeId), [Option<usize>; 2]>,
    times: Vec<Vec<i64>>,
    time: i64,
    functions: Vec<FunctionId>,
}

impl Times {
    fn new(obligations: &[Obligation]) -> Times {
        let mut sites: FxHashMap<(FunctionId, NodeId), [Option<usize>; 2]> = FxHashMap::default();
        for (index, obligation) in obligations.iter().enumerate() {
            if let Obligation::Visible { site, outcome } = obligation {
                sites.entry((site.function, site.node)).or_default()[usize::from(*outcome)] = Some(index);
            }
        }
        Times { sites, times: vec![Vec::new(); obligations.len()], time: 0, functions: Vec::new() }
    }
}

impl Observer for Times {
    const ACTIVE: bool = true;

    fn step(&mut self, time: i64) {
        self.time = time;
    }

    fn enter(&mut self, function: FunctionId) {
        self.functions.push(function);
    }

    fn node(&mut self, _node: NodeId, _value: &Value) {}

    fn decide(&mut self, node: NodeId, outcome: bool) {
        let Some(function) = self.functions.last() else { return };
        let site = self.sites.get(&(*function, node));
        let Some(index) = site.and_then(|outcomes| outcomes[usize::from(outcome)]) else { return };
        if self.times[index].last() != Some(&self.time) {
            self.times[index].push(self.time);
        }
    }

    fn leave(&mut self) {
        self.functions.pop();
    }
}

/// Turns a conditional at one time.
struct Turn {
    site: Site,
    at: i64,
    time: i64,
    /// Whether something undefined was evaluated.
    failed: bool,
    functions: Vec<FunctionId>,
}

impl Observer for Turn {
    const ACTIVE: bool = true;

    fn step(&mut self, time: i64) {
        self.time = time;
    }

    fn enter(&mut self, function: FunctionId) {
        self.functions.push(function);
    }

    fn node(&mut self, _node: NodeId, value: &Value) {
        self.failed |= value.is_failure();
    }

    fn decide(&mut self, _node: NodeId, _outcome: bool) {}

    fn turn(&mut self, node: NodeId, outcome: bool) -> bool {
        let here = node == self.site.node && self.functions.last() == Some(&self.site.function);
        outcome != (here && self.at == self.time)
    }

    fn leave(&mut self) {
        self.functions.pop();
    }
}
