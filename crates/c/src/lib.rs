//! C programs: preprocessing, parser, type checker, control-flow automaton and concrete interpreter.
//!
//! Nothing here knows a solver.
