//! FQL queries: grammar, filters, target graphs, trace automata, goals and meters over C programs.
//!
//! Nothing here knows a solver.

pub mod ast;
pub mod automaton;
pub mod bits;
pub mod codes;
mod evaluate;
mod filter;
mod fragment;
pub mod goals;
pub mod graph;
mod lex;
pub mod macros;
pub mod meter;
pub mod normal;
mod parse;
mod paths;
mod print;
mod regexp;
mod spec;
mod suggest;
pub mod target;
pub mod words;

pub use normal::normalise;
pub use parse::parse;
pub use print::{print, print_expression, print_filter};
pub use spec::{Spec, evaluate};
