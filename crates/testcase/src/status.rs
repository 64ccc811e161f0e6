//! The statuses of goals in a suite.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What a suite says about a goal; the reason stands beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "&'static str", try_from = "String")]
pub enum Status {
    /// Tests in the suite cover it.
    Covered,
    /// No test can cover it.
    Infeasible,
    /// No test within the bound can cover it.
    InfeasibleUpTo,
    /// Only executions with undefined behaviour cover it.
    OnlyUndefined,
    /// Not known.
    Unknown,
}

impl Status {
    /// Every status, in the order of reports.
    pub const ALL: [Status; 5] =
        [Status::Covered, Status::Infeasible, Status::InfeasibleUpTo, Status::OnlyUndefined, Status::Unknown];

    /// The name in a suite.
    pub fn name(self) -> &'static str {
        match self {
            Status::Covered => "covered",
            Status::Infeasible => "infeasible",
            Status::InfeasibleUpTo => "infeasible_up_to",
            Status::OnlyUndefined => "only_undefined",
            Status::Unknown => "unknown",
        }
    }

    /// The name with spaces, for tables.
    pub fn words(self) -> String {
        self.name().replace('_', " ")
    }

    /// Whether it says that nothing, or nothing within a bound, can cover the goal.
    pub fn is_claim(self) -> bool {
        matches!(self, Status::Infeasible | Status::InfeasibleUpTo)
    }

    /// Whether the goal is neither covered nor proved impossible.
    pub fn is_open(self) -> bool {
        matches!(self, Status::InfeasibleUpTo | Status::OnlyUndefined | Status::Unknown)
    }
}

impl From<Status> for &'static str {
    fn from(status: Status) -> &'static str {
        status.name()
    }
}

impl TryFrom<String> for Status {
    type Error = String;

    fn try_from(name: String) -> Result<Status, String> {
        let found = Status::ALL.into_iter().find(|status| status.name() == name);
        found.ok_or_else(|| format!("a goal has the unknown status `{name}`"))
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
