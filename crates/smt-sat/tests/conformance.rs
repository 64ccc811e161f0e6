//! The built-in solver passes the conformance suite of all back ends.

use smt::{Checked, Solver};
use smt_sat::SatSolver;

#[test]
fn conforms() {
    testkit::conformance(&mut || -> Box<dyn Solver> { Box::new(Checked::new(SatSolver::new())) });
}
