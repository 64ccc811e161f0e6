//! What ends a verb before its end, by whose fault it is.

use std::fmt;

use search::SearchError;
use serde_json::Value as Json;
use source::Code;

use crate::exit::Exit;

/// Why a verb ended early.
#[derive(Debug)]
pub enum Failure {
    /// The command line is wrong in a way only the verb can see.
    Usage(String),
    /// The input is wrong, and the diagnostics have been shown.
    Shown,
    /// What is asked for does not fit the specification, in one line.
    Rejected(String),
    /// A suite, its sources, its tests or a plan cannot be used: the kind of mistake, and what it is.
    Refused(&'static Code, String),
    /// The environment fails: a file, a folder, a solver.
    Environment(String),
    /// There is nothing to search for: the specification is at fault. What proves it goes with it.
    Pointless(String, Json),
    /// The same, and it has been shown.
    PointlessShown,
    /// A solver that is not ours has given a wrong answer, or seems to: what was seen, and what it was asked.
    WrongSolver(String, Option<String>),
    /// We are wrong.
    Bug(String),
    /// The reader of our output has closed it.
    Closed,
}

/// What our solvers are called.
const OURS: [&str; 2] = ["auto", "sat"];

/// What to do about a contradiction of which we do not know whose it is.
const DOUBT: &str =
    "`--solver built-in` shows whether the solver or specimen is wrong, and `--smt2-out FOLDER` keeps what was asked";

/// The diagnostics of what has no place in a specification.
pub const CODES: &[&Code] = &[&REQUEST, &INVALID_SUITE, &OTHER_SOURCES, &INVALID_TESTS, &INVALID_PLAN];

const REQUEST: Code = Code {
    id: "request",
    title: "What is asked for does not fit the specification",
    explanation: "The options name something that the specification does not have, or ask for something that it cannot give: a function, a loop, a signal, a \
                  format. The message says what; `specimen check FILE -v` lists what there is.",
};

/// A suite cannot be used.
pub const INVALID_SUITE: Code = Code {
    id: "suite-invalid",
    title: "A suite is not one",
    explanation: "A file is not a suite of this program, or not one that fits the others. Suites are written by `specimen generate --out FOLDER` as \
                  `suite.json`; the book's page on suites describes the format, and a schema of it is published.",
};

/// The sources are not those of the suite.
pub const OTHER_SOURCES: Code = Code {
    id: "suite-sources",
    title: "The sources are not those of the suite",
    explanation: "A suite lists every file that it was made from, by content, and is judged by those files only. Copies are in the folder `sources` beside it; \
                  `--source FILE` names another place. After an edit, `specimen generate --out FOLDER` brings the suite up to date.",
};

/// Given tests cannot be used.
pub const INVALID_TESTS: Code = Code {
    id: "tests-invalid",
    title: "Given tests cannot be used",
    explanation: "A table or a suite of tests does not fit the specification: a value is missing, out of range, or violates an assumption.",
};

/// A plan cannot be used.
pub const INVALID_PLAN: Code = Code {
    id: "plan-invalid",
    title: "A plan or a task cannot be used",
    explanation: "A plan is carried out by the version of the program that made it, and its tasks must be whole and as they were written. `specimen plan --out \
                  FOLDER` makes a new one.",
};

impl Failure {
    /// The code of a mistake of the user's that has no place in a specification.
    pub fn code(&self) -> Option<&'static Code> {
        match self {
            Failure::Rejected(_) => Some(&REQUEST),
            Failure::Refused(code, _) => Some(code),
            Failure::Usage(_)
            | Failure::Shown
            | Failure::Environment(_)
            | Failure::Pointless(..)
            | Failure::PointlessShown
            | Failure::WrongSolver(..)
            | Failure::Bug(_)
            | Failure::Closed => None,
        }
    }

    /// The exit code.
    pub fn exit(&self) -> Exit {
        match self {
            Failure::Usage(_) => Exit::Usage,
            Failure::Shown | Failure::Rejected(_) | Failure::Refused(..) => Exit::Rejected,
            Failure::Environment(_) | Failure::WrongSolver(..) => Exit::Environment,
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
            | Failure::Refused(_, text)
            | Failure::Environment(text)
            | Failure::Pointless(text, _)
            | Failure::WrongSolver(text, _)
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
            SearchError::Distrusted { .. } => Failure::WrongSolver(format!("{text}; {DOUBT}"), None),
            SearchError::Solver(SolverError::WrongModel { solver, script, .. }) if !OURS.contains(&solver.as_str()) => {
                Failure::WrongSolver(text, Some(script))
            }
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
