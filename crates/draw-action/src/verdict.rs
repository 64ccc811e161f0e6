//! What is found out about a mutant.

use std::fmt;

use action::finding::{Difference, Kill, Seen};
use action::score::{CONFORMS, EQUIVALENT, REFINES};

use super::limits::Stopped;

/// What is found out about a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It does not conform, and this shows it.
    Killed(Kill),
    /// It conforms.
    Conforms(Conformance),
    /// Not known.
    Unknown(String),
    /// It cannot be compared with the model.
    Unsupported(String),
}

/// That a mutant conforms to the model, and whether the model conforms to the mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conformance {
    /// What the claim that the mutant conforms rests on.
    pub proof: Proof,
    /// The other direction.
    pub back: Back,
}

/// Whether the model conforms to a mutant that conforms to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Back {
    /// It does: the mutant is equivalent.
    Equal(Proof),
    /// It does not: the mutant does less, and this is something only the model does.
    Less(Box<Kill>),
    /// Nobody knows, for this reason.
    Unknown(String),
}

/// What a claim of conformance rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// The mutant's text says the same as the model's.
    Syntactic,
    /// No state at all, reachable or not, shows a difference.
    EveryState,
    /// All reachable states were looked at.
    Exhausted {
        /// How many they are.
        states: usize,
    },
    /// By induction over traces of this length.
    Induction(u64),
    /// All traces up to this length were looked at, longer ones were not: no proof beyond it.
    UpTo(u64),
}

impl Verdict {
    /// That a mutant conforms; the other direction was not asked for yet.
    pub(super) fn conforms(proof: Proof) -> Verdict {
        let back = match proof {
            Proof::Syntactic => Back::Equal(proof),
            _ => Back::Unknown("the other direction was not looked at".to_owned()),
        };
        Verdict::Conforms(Conformance { proof, back })
    }

    /// That a finding was too much work for the interpreter.
    pub(super) fn unconfirmed() -> Verdict {
        Verdict::Unknown("what was found has too many ways for the interpreter to confirm it".to_owned())
    }

    /// Whether it rests on a trace that the interpreter can follow.
    pub(super) fn shows_something(&self) -> bool {
        let is_less = |conformance: &Conformance| matches!(conformance.back, Back::Less(_));
        matches!(self, Verdict::Killed(_)) || matches!(self, Verdict::Conforms(one) if is_less(one))
    }

    /// The name in reports.
    pub fn name(&self) -> &'static str {
        match self {
            Verdict::Killed(_) => "killed",
            Verdict::Conforms(conformance) => conformance.name(),
            Verdict::Unknown(_) => "unknown",
            Verdict::Unsupported(_) => "unsupported",
        }
    }

    /// The finding, where it is one.
    pub fn kill(&self) -> Option<&Kill> {
        match self {
            Verdict::Killed(kill) => Some(kill),
            Verdict::Conforms(_) | Verdict::Unknown(_) | Verdict::Unsupported(_) => None,
        }
    }

    /// The conformance, where it is one.
    pub fn conformance(&self) -> Option<&Conformance> {
        match self {
            Verdict::Conforms(conformance) => Some(conformance),
            Verdict::Killed(_) | Verdict::Unknown(_) | Verdict::Unsupported(_) => None,
        }
    }

    /// Whether it conforms, but nobody has looked whether the model conforms to it.
    pub(super) fn asks_back(&self) -> bool {
        matches!(self, Verdict::Conforms(Conformance { back: Back::Unknown(_), .. }))
    }

    /// The same with what was found out about the other direction, mutant and model exchanged.
    pub(super) fn with_back(self, other: Verdict) -> Verdict {
        match self {
            Verdict::Conforms(Conformance { proof, .. }) => {
                let back = match other {
                    Verdict::Killed(kill) => Back::Less(Box::new(kill)),
                    Verdict::Conforms(other) => Back::Equal(other.proof),
                    Verdict::Unknown(why) | Verdict::Unsupported(why) => Back::Unknown(why),
                };
                Verdict::Conforms(Conformance { proof, back })
            }
            Verdict::Killed(_) | Verdict::Unknown(_) | Verdict::Unsupported(_) => self,
        }
    }

    /// The verdict of a search that found nothing before it stopped.
    pub(super) fn of_nothing(stopped: Option<Stopped>, states: usize) -> Verdict {
        match stopped {
            None => Verdict::conforms(Proof::Exhausted { states }),
            Some(Stopped::Depth(depth)) => Verdict::conforms(Proof::UpTo(depth)),
            Some(other) => Verdict::Unknown(other.to_string()),
        }
    }
}

impl Conformance {
    /// The depth up to which the claim holds, where it is none about all traces.
    pub fn depth(&self) -> Option<u64> {
        match (self.proof, &self.back) {
            (Proof::UpTo(depth), _) => Some(depth),
            (_, Back::Equal(Proof::UpTo(depth))) => Some(*depth),
            _ => None,
        }
    }

    fn name(&self) -> &'static str {
        match (&self.back, self.depth()) {
            (Back::Equal(_), None) => "equivalent",
            (Back::Equal(_), Some(_)) => "equivalent_up_to",
            (Back::Less(_), None) => "refines",
            (Back::Less(_), Some(_)) => "refines_up_to",
            (Back::Unknown(_), None) => "conforms",
            (Back::Unknown(_), Some(_)) => "conforms_up_to",
        }
    }
}

impl fmt::Display for Conformance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Conformance { proof, back } = self;
        match back {
            Back::Equal(other @ Proof::UpTo(_)) => write!(f, "{EQUIVALENT} {other}"),
            Back::Equal(_) => match proof {
                Proof::Syntactic => write!(f, "{EQUIVALENT}: it says the same as the model"),
                Proof::EveryState => write!(f, "{EQUIVALENT}: no state, reachable or not, tells them apart"),
                Proof::Exhausted { states } => write!(f, "{EQUIVALENT}: all {states} reachable states agree"),
                Proof::Induction(_) | Proof::UpTo(_) => write!(f, "{EQUIVALENT} {proof}"),
            },
            Back::Less(kill) => write!(f, "{REFINES} {proof}: it does less, {}", Missing(kill)),
            Back::Unknown(why) => write!(f, "{CONFORMS} {proof}; whether it does less is not known: {why}"),
        }
    }
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Proof::Syntactic => f.write_str("by its text"),
            Proof::EveryState => f.write_str("in every state, reachable or not"),
            Proof::Exhausted { states } => write!(f, "in all {states} reachable states"),
            Proof::Induction(depth) => write!(f, "by induction over traces of {depth} steps"),
            Proof::UpTo(depth) => write!(f, "in all traces of up to {depth} steps"),
        }
    }
}

/// What only the model does, in words.
struct Missing<'a>(&'a Kill);

impl fmt::Display for Missing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let trace: Vec<String> = self.0.trace.iter().map(Seen::to_string).collect();
        let what = match &self.0.difference {
            Difference::Initial(_) => "another initial state".to_owned(),
            Difference::Step(step) => format!("`{}`", step.label),
            Difference::Observed(label) => format!("`{label}`"),
            Difference::Silence => "silence".to_owned(),
        };
        match trace.as_slice() {
            [] => write!(f, "{what} at the beginning is missing"),
            trace => write!(f, "{what} after `{}` is missing", trace.join(", ")),
        }
    }
}
