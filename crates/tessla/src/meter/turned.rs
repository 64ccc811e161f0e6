//! What would have been, had one decision gone the other way at one time.

use crate::core::{FunctionId, NodeId, Spec};
use crate::interp::{Monitor, Observer, Program};
use crate::obligation::Site;
use crate::record::walk;
use crate::trace::Event;
use crate::value::Value;

/// A decision is turned at no more than this many times of a run: the others are not looked at.
const MOST_TIMES: usize = 1000;

/// Whether a run has a time at which a conditional has an outcome that an output shows.
pub(super) fn is_visible(
    spec: &Spec,
    program: &Program,
    events: &[Event],
    end: i64,
    site: Site,
    outcome: bool,
) -> bool {
    let plain = run(spec, program, events, end, Turn::new(site, outcome, None));
    let times = plain.turn.times.iter().take(MOST_TIMES);
    times.copied().any(|time| {
        let other = run(spec, program, events, end, Turn::new(site, outcome, Some(time)));
        differ(&plain, &other)
    })
}

/// The outputs of a run: time, output and value, in this order.
struct Ran {
    outputs: Vec<(i64, usize, Value)>,
    turn: Turn,
}

fn run(spec: &Spec, program: &Program, events: &[Event], end: i64, turn: Turn) -> Ran {
    let mut monitor = Monitor::observed(program, turn);
    let mut outputs = Vec::new();
    walk(spec, &mut monitor, events, end, |monitor| {
        let time = monitor.time().expect("a step was made");
        for (number, output) in spec.outputs.iter().enumerate() {
            outputs.extend(monitor.event(output.stream).map(|value| (time, number, value.clone())));
        }
    });
    Ran { outputs, turn: monitor.into_observer() }
}

/// Whether the outputs of two runs differ before anything undefined is evaluated in the second.
fn differ(plain: &Ran, other: &Ran) -> bool {
    let same = plain.outputs.iter().zip(&other.outputs).take_while(|(left, right)| left == right).count();
    let time = |ran: &Ran| ran.outputs.get(same).map(|(time, _, _)| *time);
    let first = match (time(plain), time(other)) {
        (Some(left), Some(right)) => left.min(right),
        (Some(time), None) | (None, Some(time)) => time,
        (None, None) => return false,
    };
    other.turn.failed.is_none_or(|failed| first < failed)
}

/// Watches a conditional, and turns it at one time.
#[derive(Debug)]
struct Turn {
    site: Site,
    outcome: bool,
    /// When it is turned, if it is.
    at: Option<i64>,
    time: i64,
    /// The times at which it had the outcome.
    times: Vec<i64>,
    /// When something undefined was evaluated first.
    failed: Option<i64>,
    /// The functions being evaluated.
    functions: Vec<FunctionId>,
}

impl Turn {
    fn new(site: Site, outcome: bool, at: Option<i64>) -> Turn {
        Turn { site, outcome, at, time: 0, times: Vec::new(), failed: None, functions: Vec::new() }
    }

    fn is_here(&self, node: NodeId) -> bool {
        node == self.site.node && self.functions.last() == Some(&self.site.function)
    }
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
        if value.is_failure() {
            self.failed.get_or_insert(self.time);
        }
    }

    fn decide(&mut self, node: NodeId, outcome: bool) {
        if self.is_here(node) && outcome == self.outcome && self.times.last() != Some(&self.time) {
            self.times.push(self.time);
        }
    }

    fn turn(&mut self, node: NodeId, outcome: bool) -> bool {
        let turned = self.at == Some(self.time) && self.is_here(node);
        outcome != turned
    }

    fn leave(&mut self) {
        self.functions.pop();
    }
}
