//! Outside solvers in tests: used where they are installed, and said so where they are not.

use std::io::Write;

use smt::{ProcessSolver, Solver, SolverProgram};

/// The solvers that anybody can install, so that a test may insist on them.
const FREE: &[&str] = &["z3", "cvc5", "yices", "bitwuzla"];

/// The row of a solver, if it is installed. A missing one is reported on stderr, past the test harness, which would
/// swallow it.
///
/// # Panics
/// When it is missing, free to install, and `SPECIMEN_REQUIRE_SOLVERS=1` is set.
pub fn installed(name: &str) -> Option<&'static SolverProgram> {
    let program = SolverProgram::named(name).expect("a row of the table");
    let Err(error) = program.locate() else { return Some(program) };
    let required = std::env::var("SPECIMEN_REQUIRE_SOLVERS").is_ok_and(|value| value == "1");
    assert!(!(required && FREE.contains(&name)), "{error}");
    writeln!(std::io::stderr(), "skipped: {error}").expect("stderr is open");
    None
}

/// A fresh solver of a program that is installed.
pub fn start(program: &SolverProgram) -> Box<dyn Solver> {
    Box::new(ProcessSolver::new(program).expect("it was located"))
}
