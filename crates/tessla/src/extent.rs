//! How far a run goes: its moments, the largest collection and the deepest call in it.

use crate::core::{FunctionId, NodeId, Spec};
use crate::interp::{Monitor, Observer, Program};
use crate::record::walk;
use crate::trace::Event;
use crate::value::Value;

/// What a run takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    /// Times at which some stream has an event.
    pub moments: usize,
    /// The elements of the largest list, set or map that was given or computed.
    pub elements: usize,
    /// How deeply functions called each other, folds included; 0 without calls.
    pub depth: usize,
    /// Whether an integer of more than 64 bits was given or computed.
    pub large: bool,
    /// Whether something undefined was evaluated, needed or not.
    pub undefined: bool,
}

/// How far the run of a trace goes, whose events are in the order of time.
pub fn extent(spec: &Spec, events: &[Event], end: i64) -> Extent {
    let program = Program::new(spec);
    let mut observed = Observed::default();
    events.iter().for_each(|event| observed.look(&event.value));
    let mut monitor = Monitor::observed(&program, observed);
    let mut moments = 0;
    walk(spec, &mut monitor, events, end, |monitor| {
        moments += usize::from(monitor.has_events());
        true
    });
    Extent { moments, ..monitor.into_observer().extent }
}

/// Looks at everything that is evaluated.
#[derive(Default)]
struct Observed {
    extent: Extent,
    inside: usize,
}

impl Observed {
    fn look(&mut self, value: &Value) {
        let mut open = vec![value];
        let mut largest = 0;
        while let Some(value) = open.pop() {
            match value {
                Value::Big(_) => self.extent.large = true,
                Value::Some(inner) => open.push(inner),
                Value::Object(object) => open.extend(&object.values),
                Value::List(items) => {
                    largest = largest.max(items.len());
                    open.extend(items.iter());
                }
                Value::Set(items) => {
                    largest = largest.max(items.len());
                    open.extend(items.iter());
                }
                Value::Map(entries) => {
                    largest = largest.max(entries.len());
                    open.extend(entries.iter().flat_map(|(key, value)| [key, value]));
                }
                Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::String(_) => {}
                Value::Failure(_) => self.extent.undefined = true,
                Value::Unit | Value::None => {}
            }
        }
        self.extent.elements = self.extent.elements.max(largest);
    }
}

impl Observer for Observed {
    const ACTIVE: bool = true;

    fn enter(&mut self, _function: FunctionId) {
        self.extent.depth = self.extent.depth.max(self.inside);
        self.inside += 1;
    }

    fn node(&mut self, _node: NodeId, value: &Value) {
        self.look(value);
    }

    fn decide(&mut self, _node: NodeId, _outcome: bool) {}

    fn leave(&mut self) {
        self.inside -= 1;
    }
}
