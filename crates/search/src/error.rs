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
    /// There is nothing to test, whatever is searched: the specification is at fault.
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
            SearchError::Disagreement(what) => write!(f, "the search and the interpreter disagree: {what}"),
        }
    }
}

impl std::error::Error for SearchError {}
