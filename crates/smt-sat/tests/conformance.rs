//! The suite that every back end passes.

use smt_sat::SatSolver;
use testkit::conformance;

#[test]
fn the_built_in_solver_conforms() {
    conformance(&mut || Box::new(SatSolver::new()));
}
