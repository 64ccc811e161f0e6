//! What can end a search without a result.

use std::fmt;

use smt::SolverError;

/// A search that has no result. Everything a search merely could not decide is a status instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SearchError {
    /// A solver failed or is missing.
    Solver(SolverError),
    /// The search and the interpreter contradict each other: a bug of ours, with what was seen.
    Disagreement(String),
    /// The same where a solver that is not ours answered: it or we are wrong.
    Distrusted {
        /// The solver.
        solver: String,
        /// What was seen.
        what: String,
    },
    /// There is nothing to test, for every criterion: the specification is at fault.
    Pointless {
        /// Why, in words.
        reason: String,
        /// What proves it.
        proof: serde_json::Value,
    },
}

impl From<SolverError> for SearchError {
    fn from(error: SolverError) -> SearchError {
        SearchError::Solver(error)
    }
}

impl fmt::Display for SearchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SearchError::Solver(error) => error.fmt(f),
            SearchError::Pointless { reason, .. } => f.write_str(reason),
            SearchError::Distrusted { solver, what } => {
                write!(f, "what {solver} answered and what the interpreter shows contradict each other: {what}")
            }
            SearchError::Disagreement(what) => write!(f, "the search and the interpreter disagree: {what}"),
        }
    }
}

impl std::error::Error for SearchError {}
