//! What ends a verb before its end, by whose fault it is.

use std::fmt;

use search::SearchError;
use serde_json::Value as Json;

use crate::exit::Exit;

/// Why a verb ended early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The command line is wrong in a way only the verb can see.
    Usage(String),
    /// The input is wrong, and the diagnostics have been shown.
    Shown,
    /// The input is wrong, in one line.
    Rejected(String),
    /// The environment does not play along.
    Environment(String),
    /// There is nothing to search for: the specification is at fault. What proves it goes with it.
    Pointless(String, Json),
    /// The same, and it has been shown.
    PointlessShown,
    /// We are wrong.
    Bug(String),
    /// Whoever read our output has seen enough.
    Closed,
}

impl Failure {
    /// The exit code.
    pub(crate) fn exit(&self) -> Exit {
        match self {
            Failure::Usage(_) => Exit::Usage,
            Failure::Shown | Failure::Rejected(_) => Exit::Rejected,
            Failure::Environment(_) => Exit::Environment,
            Failure::Pointless(..) | Failure::PointlessShown => Exit::Open,
            Failure::Bug(_) => Exit::Bug,
            Failure::Closed => Exit::Done,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Usage(text)
            | Failure::Rejected(text)
            | Failure::Environment(text)
            | Failure::Pointless(text, _)
            | Failure::Bug(text) => f.write_str(text),
            Failure::Shown | Failure::PointlessShown | Failure::Closed => Ok(()),
        }
    }
}

impl From<SearchError> for Failure {
    fn from(error: SearchError) -> Failure {
        use smt::SolverError;
        let text = error.to_string();
        match error {
            SearchError::Pointless { reason, proof } => Failure::Pointless(reason, proof),
            SearchError::Disagreement(_) | SearchError::Solver(SolverError::WrongModel { .. }) => Failure::Bug(text),
            SearchError::Solver(
                SolverError::Missing { .. }
                | SolverError::Died { .. }
                | SolverError::Garbage { .. }
                | SolverError::Unsupported { .. }
                | SolverError::Record { .. },
            ) => Failure::Environment(text),
        }
    }
}
