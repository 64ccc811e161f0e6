//! Counting: the summary of a suite.

use crate::{GoalRecord, Status, Summary, TestRecord};

impl Summary {
    /// The counts of these goals and tests.
    pub fn of(goals: &[GoalRecord], tests: &[TestRecord]) -> Summary {
        let count = |status: Status| goals.iter().filter(|goal| goal.status == status).count();
        Summary {
            goals: goals.len(),
            covered: count(Status::Covered),
            infeasible: count(Status::Infeasible),
            infeasible_up_to: count(Status::InfeasibleUpTo),
            only_undefined: count(Status::OnlyUndefined),
            unknown: count(Status::Unknown),
            tests: tests.len(),
        }
    }

    /// How many goals have a status.
    pub fn count(&self, status: Status) -> usize {
        match status {
            Status::Covered => self.covered,
            Status::Infeasible => self.infeasible,
            Status::InfeasibleUpTo => self.infeasible_up_to,
            Status::OnlyUndefined => self.only_undefined,
            Status::Unknown => self.unknown,
        }
    }

    /// Whether some goal is neither covered nor proved impossible.
    pub fn has_open_goals(&self) -> bool {
        0 < self.infeasible_up_to + self.only_undefined + self.unknown
    }
}
