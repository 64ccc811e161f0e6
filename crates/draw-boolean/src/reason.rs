//! What can stand in the way of an obligation, packed into the search's opaque [`Reason`]s.

use boolean::obligation::ConditionId;
use formula::NodeId;

use search::Reason;

/// What a part of an obligation or a fact stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Why {
    /// An assumption of the specification.
    Assumption(u32),
    /// The wanted value of a condition.
    Value(ConditionId),
    /// A sibling on the way to the root must let the condition through.
    Passage(NodeId),
    /// The condition must decide the outcome; not broken down further.
    Decides,
    /// Another condition must be the same in both tests.
    Same(ConditionId),
    /// The wanted outcome.
    Outcome,
    /// A term of the DNF must hold or fail.
    Term(u32),
    /// The two sides of a comparison must differ by the wanted amount.
    Difference,
}

const KINDS: u32 = 28;

impl Why {
    pub(crate) fn pack(self) -> Reason {
        let (kind, index) = match self {
            Why::Assumption(index) => (0, index),
            Why::Value(condition) => (1, condition.0),
            Why::Passage(node) => (2, node.0),
            Why::Decides => (3, 0),
            Why::Same(condition) => (4, condition.0),
            Why::Outcome => (5, 0),
            Why::Term(index) => (6, index),
            Why::Difference => (7, 0),
        };
        assert!(index < 1 << KINDS, "fewer than 2^28 nodes");
        Reason(kind << KINDS | index)
    }

    pub(crate) fn unpack(reason: Reason) -> Why {
        let index = reason.0 & ((1 << KINDS) - 1);
        match reason.0 >> KINDS {
            0 => Why::Assumption(index),
            1 => Why::Value(ConditionId(index)),
            2 => Why::Passage(NodeId(index)),
            3 => Why::Decides,
            4 => Why::Same(ConditionId(index)),
            5 => Why::Outcome,
            6 => Why::Term(index),
            _ => Why::Difference,
        }
    }
}
