//! Obligations: what one test, or one pair of tests, has to show.
//!
//! These are definitions only. The meter decides them on concrete tests; an encoder elsewhere asks a solver for
//! tests that meet them. The two share nothing but this page.
//!
//! Notation: φ is the decision, t a test, c a condition; det(c, φ, t) says that flipping c alone flips φ at t.

use formula::LeafId;

/// The number of a condition group in [`crate::goals::Goals::conditions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ConditionId(pub u32);

/// A condition as a criterion counts it: one occurrence, or all occurrences of one atom flipped together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConditionGroup {
    /// The leaves of the decision's formula that flip together; they show the same atom.
    pub leaves: Vec<LeafId>,
    /// The text of the condition.
    pub label: String,
}

/// What has to be shown.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Obligation {
    /// One test with φ(t) = `outcome`.
    Outcome {
        /// The wanted outcome.
        outcome: bool,
    },
    /// One test with c(t) = `value`.
    Condition {
        /// The condition.
        condition: ConditionId,
        /// Its wanted value.
        value: bool,
    },
    /// One test in which every condition has the given value.
    Vector {
        /// The wanted value of every condition.
        values: Vec<bool>,
    },
    /// One test with c(t) = `value` and det(c, φ, t), and φ(t) = `outcome` where one is given.
    Active {
        /// The condition.
        condition: ConditionId,
        /// Its wanted value.
        value: bool,
        /// The wanted outcome of the decision.
        outcome: Option<bool>,
    },
    /// Two tests t, t' with c(t), ¬c(t'), det at both, and every other condition equal in both.
    UniqueCause {
        /// The condition.
        condition: ConditionId,
    },
    /// One test at which every literal of the term holds and every other term of the DNF fails (a unique true point),
    /// in which `condition`, which is not in the term, has `value`.
    UniqueTrue {
        /// The term of the DNF, by position in [`crate::goals::Goals::terms`].
        term: u32,
        /// A condition outside the term, and its value; none where the term mentions all of them.
        free: Option<(ConditionId, bool)>,
    },
    /// One test at which every literal of the term but one holds, that one fails, and φ is false (a near false point),
    /// in which `free`, which is not in the term, has its value.
    NearFalse {
        /// The term.
        term: u32,
        /// The position of the failing literal in the term.
        literal: u32,
        /// A condition outside the term, and its value; none where the term mentions all of them.
        free: Option<(ConditionId, bool)>,
    },
    /// Two tests, a unique true point of the term and a near false point for one of its literals, that differ in that
    /// literal's condition only.
    NeighbourPair {
        /// The term.
        term: u32,
        /// The position of the literal in the term.
        literal: u32,
    },
    /// One test at which the two sides of a comparison differ by exactly `offset` (left minus right), with det(c, φ, t): a wrong
    /// comparison shows only where it decides.
    Boundary {
        /// The condition; its atom is a comparison of two numbers.
        condition: ConditionId,
        /// −1, 0 or 1.
        offset: i8,
    },
}

/// A literal of a DNF term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Literal {
    /// The condition.
    pub condition: ConditionId,
    /// Whether it stands unnegated.
    pub positive: bool,
}

impl Obligation {
    /// Whether it takes two tests.
    pub fn is_pair(&self) -> bool {
        match self {
            Obligation::UniqueCause { .. } | Obligation::NeighbourPair { .. } => true,
            Obligation::Outcome { .. }
            | Obligation::Condition { .. }
            | Obligation::Vector { .. }
            | Obligation::Active { .. }
            | Obligation::UniqueTrue { .. }
            | Obligation::NearFalse { .. }
            | Obligation::Boundary { .. } => false,
        }
    }
}
