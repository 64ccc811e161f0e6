//! What a search for a difference between a model and a mutant hands to the judge: a trace, and what only the mutant does.

use std::fmt;

use crate::spec::{ActionKind, Spec};
use crate::trace::{Label, Step};

/// What it means for a mutant to conform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// Every step of the mutant from a reachable state of the model is a step of the model.
    Refinement,
    /// After every trace of the model, every output of the mutant, silence included, is one of the model.
    Ioco,
}

/// Why a mutant does not conform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kill {
    /// The way to the difference, possible in the model.
    pub trace: Vec<Seen>,
    /// The state at its end, where states are part of what is compared.
    pub state: Option<Vec<i64>>,
    /// What only the mutant does there.
    pub difference: Difference,
    /// How many steps only the mutant can make there.
    pub differences: u64,
}

/// A part of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seen {
    /// A step with the state after it.
    Step(Step),
    /// A label.
    Observed(Label),
    /// Nothing happens: the system waits for an input.
    Silence,
}

/// What only the mutant does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// It begins in this state.
    Initial(Vec<i64>),
    /// It makes this step.
    Step(Step),
    /// It does this.
    Observed(Label),
    /// It stays silent.
    Silence,
}

impl fmt::Display for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Seen::Step(step) => step.label.fmt(f),
            Seen::Observed(label) => label.fmt(f),
            Seen::Silence => f.write_str("silence"),
        }
    }
}

/// Who decides about a label: its first event does. A joint step is an input if its first event is one, and it is internal
/// only if nothing of it is seen.
pub fn kind(spec: &Spec, label: &Label) -> ActionKind {
    let kind = |name: &str| spec.action_named(name).map(|action| spec.actions()[action].kind);
    match label.0.first().and_then(|event| kind(&event.action)) {
        Some(ActionKind::Controllable) => ActionKind::Controllable,
        _ if label.0.iter().all(|event| kind(&event.action) == Some(ActionKind::Internal)) => ActionKind::Internal,
        _ => ActionKind::Observable,
    }
}
