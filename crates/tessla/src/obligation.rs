//! Obligations: what one test has to show.
//!
//! These are definitions only. The meter decides them on concrete runs; an encoder elsewhere asks a solver for traces that meet
//! them. The two share nothing but this page.
//!
//! A function is evaluated at a time if its lift is triggered: an argument has an event (and, for a signal lift, every argument
//! has had one). A node is evaluated if its function is and evaluation on demand reaches it: branches not chosen and right
//! operands not needed are masked.

use crate::core::{Definition, Function, FunctionId, NodeId, NodeKind, Spec, StreamId};
use crate::operator::Operator;

/// A node of a value function. Every lift has a function of its own, so this is also an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Site {
    /// The function.
    pub function: FunctionId,
    /// The node.
    pub node: NodeId,
}

/// What has to be shown at some time of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Obligation {
    /// The whole run satisfies all assertions, as every test must: where no trace does, the assertions contradict each other.
    Assertions,
    /// The conditional is evaluated and its condition has this outcome.
    Branch {
        /// The conditional.
        site: Site,
        /// The outcome of its condition.
        outcome: bool,
    },
    /// The condition is evaluated with this value.
    Condition {
        /// The condition: an operand of connectives that is none itself.
        site: Site,
        /// Its value.
        value: bool,
    },
    /// The decision is evaluated, the condition in it too, with this value, and nothing that is evaluated masks it: wherever
    /// the condition stands in the left operand of `&&` or `||` and does not settle it, the right operand does not either.
    Active {
        /// The decision: the outermost connective, or the condition itself.
        decision: Site,
        /// The condition.
        condition: NodeId,
        /// Its value.
        value: bool,
    },
    /// The conditional is evaluated with this outcome, and an output would be another one, then or later, had it taken the other
    /// branch at this one time. What would have been is looked at as long as nothing undefined is evaluated in it.
    Visible {
        /// The conditional.
        site: Site,
        /// The outcome of its condition.
        outcome: bool,
    },
    /// A partial operator is evaluated outside its domain.
    Undefined {
        /// The operator.
        site: Site,
    },
    /// The trigger of a `last` has an event.
    Last {
        /// The stream.
        stream: StreamId,
        /// Whether there is a value to show.
        remembered: bool,
    },
    /// Something happens to the timer of a `delay`.
    Delay {
        /// The stream.
        stream: StreamId,
        /// What.
        what: Timing,
    },
    /// The streams of a `merge` have events; [`merged_by`] says which streams these are.
    Merge {
        /// The stream.
        stream: StreamId,
        /// Which.
        from: Merged,
    },
    /// An output shows something, at a moment: a time at which some stream has an event.
    Output {
        /// The stream.
        stream: StreamId,
        /// What.
        shown: Shown,
    },
}

/// The streams that a stream merges, the first that has an event being taken: those of a `merge`, and those of a lift by a function
/// that says the same, `if isNone(a) then b else a`.
pub fn merged_by(spec: &Spec, stream: StreamId) -> Option<Vec<StreamId>> {
    match &spec.stream(stream).definition {
        Definition::Merge(streams) => Some(streams.clone()),
        Definition::Lift { arguments, function } if arguments.len() == 2 => {
            let (first, second) = choice(spec.function(*function))?;
            Some(vec![arguments[first as usize], arguments[second as usize]])
        }
        Definition::Lift { .. }
        | Definition::Input(_)
        | Definition::Nil
        | Definition::Unit
        | Definition::Time(_)
        | Definition::Last { .. }
        | Definition::Delay { .. }
        | Definition::SignalLift { .. }
        | Definition::DefaultFrom { .. } => None,
    }
}

/// The parameters of a function that gives the first that is there.
fn choice(function: &Function) -> Option<(u32, u32)> {
    let NodeKind::If { condition, then, otherwise } = function.node(function.root).kind else { return None };
    let parameter = |node: NodeId| match function.node(node).kind {
        NodeKind::Parameter(position) => Some(position),
        _ => None,
    };
    let (mut condition, mut taken, mut other) = (condition, otherwise, then);
    while let NodeKind::Apply(Operator::Not, operands) = &function.node(condition).kind {
        condition = operands[0];
        std::mem::swap(&mut taken, &mut other);
    }
    let NodeKind::Apply(Operator::IsNone, operands) = &function.node(condition).kind else { return None };
    let (tested, taken, other) = (parameter(operands[0])?, parameter(taken)?, parameter(other)?);
    (tested == taken && taken != other).then_some((taken, other))
}

/// What an output shows at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Shown {
    /// An event with this truth value.
    Truth(bool),
    /// An event.
    Event,
    /// No event, though something else has one.
    Nothing,
}

/// What happens to a timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Timing {
    /// It runs out.
    Fired,
    /// A reset comes while it is running and before it runs out.
    Reset,
    /// It runs out and is set again at the same time.
    Rearmed,
}

/// Which streams of a merge have an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Merged {
    /// This one alone, by position.
    Only(u32),
    /// Several at once.
    Several,
}
