//! Exit codes: one documented set for every verb.

use std::process::ExitCode;

/// How the program ends. `docs/book/exit-codes.md` says the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// All is well; for goals: every one is covered or proved infeasible; for `test`: every test passed.
    Done = 0,
    /// Some goal is left open: not covered, and not proved infeasible; for `test`: some test failed or is invalid.
    Open = 1,
    /// The command line is wrong.
    Usage = 2,
    /// The input is rejected: a specification, a table or a suite is wrong, or uses what is not supported.
    Rejected = 3,
    /// The environment fails: a file, a folder, a solver or a system under test is missing or fails.
    Environment = 4,
    /// A bug of ours; a reproducer was written.
    Bug = 70,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}
