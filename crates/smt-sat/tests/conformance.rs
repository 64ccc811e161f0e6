//! The built-in solver passes the conformance suite of all back ends.

use smt::{Anew, Checked, MakeSolver, Solver};
use smt_sat::SatSolver;

#[test]
fn conforms() {
    testkit::conformance(&mut || -> Box<dyn Solver> { Box::new(Checked::new(SatSolver::new())) });
}

#[test]
fn solvers_made_anew_conform_too() {
    testkit::conformance(&mut || -> Box<dyn Solver> {
        let make: MakeSolver = Box::new(|| Ok(Box::new(SatSolver::new())));
        Box::new(Checked::new(Anew::new(make).expect("the built-in solver is always there")))
    });
}
