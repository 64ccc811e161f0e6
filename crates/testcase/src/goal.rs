//! Goals and obligations.
//!
//! A *goal* is what the user asked to see covered and what reports count. An *obligation* is what one test, or one
//! small set of tests, can meet; it is the unit of the search. A goal is covered when all obligations of one of its
//! alternatives are met. Masking MC/DC, for instance, has one goal per condition with two obligations each: the
//! condition true and deciding, the condition false and deciding.

use std::fmt;

use crate::{Inputs, Status};

/// The position of a goal in the list of its criterion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GoalId(pub u32);

/// The position of an obligation in the list of its criterion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObligationId(pub u32);

/// Something to be covered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    /// A stable name, such as `c3` or `c3=true`: the goal's `id` in a suite.
    pub key: String,
    /// A description for people.
    pub label: String,
    /// Where in the source it comes from.
    pub location: Option<Location>,
    /// Sets of obligations, each of which covers the goal when all in it are met.
    pub alternatives: Vec<Vec<ObligationId>>,
    /// How alternatives stand to each other.
    pub pursuit: Pursuit,
    /// The goal that this one depends on, if it does: both are looked for in one shard. It comes earlier in the list.
    pub follows: Option<GoalId>,
}

/// In which order the alternatives of a goal are looked for, and which of them counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pursuit {
    /// One after the other, until one is met; whichever it is, it counts.
    OneByOne,
    /// All at once; the first that is met counts.
    AllAtOnce,
    /// One after the other; a later one counts only once every earlier one is infeasible.
    InOrder,
    /// One after the other; earlier ones are worth more, and are looked for even when a later one is met already.
    BestFirst,
}

impl Goal {
    /// A goal that depends on no other, with alternatives of which any counts.
    pub fn new(key: String, label: String, location: Option<Location>, alternatives: Vec<Vec<ObligationId>>) -> Goal {
        Goal { key, label, location, alternatives, pursuit: Pursuit::OneByOne, follows: None }
    }

    /// The same with another order of its alternatives.
    #[must_use]
    pub fn pursued(self, pursuit: Pursuit) -> Goal {
        Goal { pursuit, ..self }
    }

    /// The same depending on an earlier goal.
    #[must_use]
    pub fn following(self, earlier: GoalId) -> Goal {
        Goal { follows: Some(earlier), ..self }
    }
}

/// A place in a source file, lines and columns from 1.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub struct Location {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
    /// The text at that place, shortened.
    pub text: String,
}

/// What is known about a goal, or about an obligation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GoalStatus {
    /// Tests in the suite cover it.
    Covered,
    /// No test can cover it: a theorem, with the reason in words.
    Infeasible(String),
    /// No test within the bound can cover it; the text names the bound.
    InfeasibleUpTo(String),
    /// No test without undefined behaviour can cover it, but an execution with undefined behaviour does.
    OnlyUndefined {
        /// The kind and place of the behaviour, and under which terms no other execution does it.
        reason: String,
        /// The inputs of that execution, so that it can be replayed.
        witness: Inputs,
    },
    /// Not known, with the reason.
    Unknown(String),
}

impl GoalStatus {
    /// The status in a suite.
    pub fn status(&self) -> Status {
        match self {
            GoalStatus::Covered => Status::Covered,
            GoalStatus::Infeasible(_) => Status::Infeasible,
            GoalStatus::InfeasibleUpTo(_) => Status::InfeasibleUpTo,
            GoalStatus::OnlyUndefined { .. } => Status::OnlyUndefined,
            GoalStatus::Unknown(_) => Status::Unknown,
        }
    }

    /// Its name in a suite.
    pub fn name(&self) -> &'static str {
        self.status().name()
    }

    /// The reason, where there is one.
    pub fn reason(&self) -> Option<&str> {
        match self {
            GoalStatus::Covered => None,
            GoalStatus::Infeasible(reason)
            | GoalStatus::InfeasibleUpTo(reason)
            | GoalStatus::OnlyUndefined { reason, .. }
            | GoalStatus::Unknown(reason) => Some(reason),
        }
    }

    /// The inputs of an execution that does it with undefined behaviour, where that is all there is.
    pub fn witness(&self) -> Option<&Inputs> {
        match self {
            GoalStatus::OnlyUndefined { witness, .. } => Some(witness),
            GoalStatus::Covered
            | GoalStatus::Infeasible(_)
            | GoalStatus::InfeasibleUpTo(_)
            | GoalStatus::Unknown(_) => None,
        }
    }
}

impl fmt::Display for GoalId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "goal {}", self.0)
    }
}
