//! What is found out about a mutant.

use std::fmt;

use action::trace::{Label, Step};

use super::limits::Stopped;

/// What is found out about a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It does not conform, and this shows it.
    Killed(Kill),
    /// It conforms: a theorem.
    Equivalent(Equivalence),
    /// It conforms in all traces up to this length; longer ones were not looked at.
    ConformsUpTo(u64),
    /// Not known.
    Unknown(String),
    /// It cannot be compared with the model.
    Unsupported(String),
}

/// What a claim of conformance rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Equivalence {
    /// The mutant's text says the same as the model's.
    Syntactic,
    /// No state at all, reachable or not, tells them apart.
    EveryState,
    /// All reachable states were looked at.
    Exhausted {
        /// How many they are.
        states: usize,
    },
    /// By induction over traces of this length.
    Induction(u64),
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

impl Verdict {
    /// The name in reports.
    pub fn name(&self) -> &'static str {
        match self {
            Verdict::Killed(_) => "killed",
            Verdict::Equivalent(_) => "equivalent",
            Verdict::ConformsUpTo(_) => "conforms_up_to",
            Verdict::Unknown(_) => "unknown",
            Verdict::Unsupported(_) => "unsupported",
        }
    }

    /// The finding, where it is one.
    pub fn kill(&self) -> Option<&Kill> {
        match self {
            Verdict::Killed(kill) => Some(kill),
            Verdict::Equivalent(_) | Verdict::ConformsUpTo(_) | Verdict::Unknown(_) | Verdict::Unsupported(_) => None,
        }
    }

    /// The verdict of a search that found nothing before it stopped.
    pub(super) fn of_nothing(stopped: Option<Stopped>, states: usize) -> Verdict {
        match stopped {
            None => Verdict::Equivalent(Equivalence::Exhausted { states }),
            Some(Stopped::Depth(depth)) => Verdict::ConformsUpTo(depth),
            Some(other) => Verdict::Unknown(other.to_string()),
        }
    }
}

impl fmt::Display for Equivalence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Equivalence::Syntactic => f.write_str("it says the same as the model"),
            Equivalence::EveryState => f.write_str("no state, reachable or not, tells it from the model"),
            Equivalence::Exhausted { states } => write!(f, "all {states} reachable states agree"),
            Equivalence::Induction(depth) => write!(f, "by induction over traces of {depth} steps"),
        }
    }
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
