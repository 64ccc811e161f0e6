//! C programs: preprocessing, parser, type checker, control-flow automaton and concrete interpreter.
//!
//! Nothing here knows a solver.

pub mod expr;
pub mod model;
pub mod program;
pub mod types;

pub use model::DataModel;
pub use program::Program;
