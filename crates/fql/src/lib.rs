//! FQL queries: grammar, filters, target graphs, trace automata, goals and meters over C programs.
//!
//! Nothing here knows a solver.

pub mod ast;
pub mod bits;
pub mod codes;
pub mod graph;
mod lex;
pub mod macros;
pub mod normal;
mod parse;
mod print;

pub use normal::normalise;
pub use parse::parse;
pub use print::{print, print_expression, print_filter};
