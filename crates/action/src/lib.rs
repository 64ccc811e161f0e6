//! Action systems: two notations, interpreter, mutants, conformance and coverage goals.
//!
//! Nothing here knows a solver.
