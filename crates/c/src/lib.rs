//! C programs: preprocessing, parser, type checker, control-flow automaton and concrete interpreter.
//!
//! Nothing here knows a solver.

pub mod ast;
mod bounds;
mod callback;
pub mod codes;
pub mod expr;
mod extended;
pub mod interp;
mod lex;
mod library;
mod load;
mod lower;
pub mod model;
mod outside;
mod parse;
mod preprocess;
mod print;
pub mod program;
mod prune;
pub mod standard;
mod target;
pub mod text;
pub mod token;
mod type_name;
pub mod types;

pub use callback::STAND_IN;
pub use lex::lex;
pub use library::{needs_model, unsupported};
pub use load::{Finding, Options, Translation, load, load_text, load_units, preprocess};
pub use lower::{Predicate, Shape, is_unknown_name};
pub use model::DataModel;
pub use outside::World;
pub use parse::{parse, parse_expression};
pub use preprocess::Preprocessor;
pub use program::Program;
