//! Counting: the summary of a suite.

use crate::{GoalRecord, Summary, TestRecord};

/// The statuses a goal of a suite can have.
pub(crate) const STATUSES: &[&str] = &["covered", "infeasible", "infeasible_up_to", "only_undefined", "unknown"];

impl Summary {
    /// The counts of these goals and tests.
    pub fn of(goals: &[GoalRecord], tests: &[TestRecord]) -> Summary {
        let count = |status: &str| goals.iter().filter(|goal| goal.status == status).count();
        Summary {
            goals: goals.len(),
            covered: count("covered"),
            infeasible: count("infeasible"),
            infeasible_up_to: count("infeasible_up_to"),
            only_undefined: count("only_undefined"),
            unknown: count("unknown"),
            tests: tests.len(),
        }
    }

    /// Whether some goal is neither covered nor proved impossible.
    pub fn has_open_goals(&self) -> bool {
        0 < self.infeasible_up_to + self.only_undefined + self.unknown
    }
}
