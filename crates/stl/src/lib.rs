//! Signal temporal logic: parser, exact dense-time monitor, mutants, coverage goals and meter.
//!
//! Nothing here knows a solver.
