//! C programs: preprocessing, parser, type checker, control-flow automaton and concrete interpreter.
//!
//! Nothing here knows a solver.

pub mod ast;
pub mod codes;
pub mod expr;
mod lex;
pub mod model;
mod parse;
pub mod program;
pub mod text;
pub mod token;
pub mod types;

pub use lex::lex;
pub use model::DataModel;
pub use parse::{parse, parse_expression};
pub use program::Program;
