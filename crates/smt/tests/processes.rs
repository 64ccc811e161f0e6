//! Every solver that is installed passes the conformance suite.
//!
//! A solver that is not found is skipped, and said so; with `SPECIMEN_REQUIRE_SOLVERS=1` that is a failure for those
//! that are free to install everywhere.

use smt::{Checked, Limited, Limits, ProcessSolver, Raced, Recorded, found};
use testkit::{installed, start};

fn conforms(name: &str) {
    if let Some(program) = installed(name) {
        testkit::conformance(&mut || start(program));
    }
}

#[test]
fn z3() {
    conforms("z3");
}

#[test]
fn cvc5() {
    conforms("cvc5");
}

#[test]
fn yices() {
    conforms("yices");
}

#[test]
fn bitwuzla() {
    conforms("bitwuzla");
}

#[test]
fn mathsat() {
    conforms("mathsat");
}

#[test]
fn opensmt() {
    conforms("opensmt");
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
    let Some(z3) = installed("z3") else { return };
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("talk.smt2");
    testkit::conformance(&mut || {
        let limited = Limited::new(start(z3), Limits::default());
        Box::new(Checked::new(Recorded::new(limited, &path).expect("the directory is there")))
    });
}

#[test]
fn races_conform_too() {
    let (Some(z3), Some(yices)) = (installed("z3"), installed("yices")) else { return };
    testkit::conformance(&mut || Box::new(Raced::new(vec![start(yices), start(z3)])));
}

#[test]
fn a_command_of_the_shell_conforms_too() {
    let Some(z3) = installed("z3") else { return };
    let command = format!("'{}' -in -smt2", z3.locate().expect("it is installed").display());
    testkit::conformance(&mut || Box::new(Checked::new(ProcessSolver::command(&command))));
}
