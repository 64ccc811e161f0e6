//! Every solver that is installed passes the conformance suite.
//!
//! A solver that is not found is skipped, and said so; with `SPECIMEN_REQUIRE_SOLVERS=1` that is a failure for those
//! that are free to install everywhere.

use std::io::Write;

use smt::{Checked, Limited, Limits, ProcessSolver, Raced, Recorded, Solver, SolverProgram, found};

/// The row of a solver that is installed. A missing one is reported past the test harness, which would swallow it.
fn installed(name: &str, may_be_required: bool) -> Option<&'static SolverProgram> {
    let program = SolverProgram::named(name).expect("a row of the table");
    let Err(error) = program.locate() else { return Some(program) };
    let required = std::env::var("SPECIMEN_REQUIRE_SOLVERS").is_ok_and(|value| value == "1");
    assert!(!(required && may_be_required), "{error}");
    writeln!(std::io::stderr(), "skipped: {error}").expect("stderr is open");
    None
}

fn start(program: &SolverProgram) -> Box<dyn Solver> {
    Box::new(ProcessSolver::new(program).expect("it was located"))
}

fn conforms(name: &str, may_be_required: bool) {
    if let Some(program) = installed(name, may_be_required) {
        testkit::conformance(&mut || start(program));
    }
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

#[test]
fn layers_conform_too() {
    let Some(z3) = installed("z3", true) else { return };
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("talk.smt2");
    testkit::conformance(&mut || {
        let limited = Limited::new(start(z3), Limits::default());
        Box::new(Checked::new(Recorded::new(limited, &path).expect("the directory is there")))
    });
}

#[test]
fn races_conform_too() {
    let (Some(z3), Some(yices)) = (installed("z3", true), installed("yices", true)) else { return };
    testkit::conformance(&mut || Box::new(Raced::new(vec![start(yices), start(z3)])));
}
