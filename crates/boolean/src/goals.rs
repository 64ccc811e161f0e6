//! Goals: what a criterion asks for.

use testcase::Goal;

use crate::obligation::{ConditionGroup, Literal, Obligation};

/// A coverage criterion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Criterion {
    /// The decision is true once and false once.
    Decision,
    /// Every condition is true once and false once.
    Condition,
    /// Both of the above.
    ConditionDecision,
    /// Every combination of condition values.
    MultipleCondition,
    /// Each condition true and deciding, false and deciding; and both outcomes (formula 3.1 of the source).
    MaskingMcdc,
    /// As masking, by a pair of tests equal in every other condition (formula 3.2 of the source).
    UniqueCauseMcdc,
    /// Unique cause where it exists, masking where unique cause is proved impossible.
    UniqueCauseMaskingMcdc,
    /// Correlated active clause coverage: as masking, and the two tests of a condition have different outcomes.
    Cacc,
    /// General active clause coverage: as masking, without the outcomes.
    Gacc,
    /// Restricted active clause coverage: as unique cause, without the outcomes.
    Racc,
    /// MUTP, MNFP and CUTPNFP of a decision in disjunctive normal form.
    Mumcut,
}

/// What counts as a condition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ConditionMode {
    /// Every occurrence on its own.
    #[default]
    Occurrence,
    /// All occurrences of an atom together.
    Variable,
}

/// What a criterion asks for on one decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goals {
    /// The conditions, in the order of the text.
    pub conditions: Vec<ConditionGroup>,
    /// The terms of the DNF, for MUMCUT; empty otherwise.
    pub terms: Vec<Vec<Literal>>,
    /// The goals; their alternatives name obligations by position.
    pub goals: Vec<Goal>,
    /// The obligations. Those no goal names must be met besides: both outcomes, for the MC/DC criteria.
    pub obligations: Vec<Obligation>,
}
