//! Every solver that is installed passes the conformance suite.
//!
//! A solver that is not found is skipped, and said so; with `SPECIMEN_REQUIRE_SOLVERS=1` that is a failure for those
//! that are free to install everywhere.

use smt::{ProcessSolver, Solver, SolverProgram, found};

fn conforms(name: &str, may_be_required: bool) {
    let program = SolverProgram::named(name).expect("a row of the table");
    if let Err(error) = program.locate() {
        let required = std::env::var("SPECIMEN_REQUIRE_SOLVERS").is_ok_and(|value| value == "1");
        assert!(!(required && may_be_required), "{error}");
        eprintln!("skipped: {error}");
        return;
    }
    testkit::conformance(&mut || -> Box<dyn Solver> { Box::new(ProcessSolver::new(program).expect("it was located")) });
}

#[test]
fn z3() {
    conforms("z3", true);
}

#[test]
fn cvc5() {
    conforms("cvc5", true);
}

#[test]
fn yices() {
    conforms("yices", true);
}

#[test]
fn bitwuzla() {
    conforms("bitwuzla", false);
}

#[test]
fn mathsat() {
    conforms("mathsat", false);
}

#[test]
fn opensmt() {
    conforms("opensmt", false);
}

#[test]
fn what_is_found_says_its_version() {
    for solver in found() {
        let version = solver.version.unwrap_or_default();
        assert!(version.contains('.'), "{}: {version}", solver.name);
    }
}
