//! FQL queries: grammar, filters, target graphs, trace automata, goals and meters over C programs.
//!
//! Nothing here knows a solver.

pub mod ast;
pub mod automaton;
pub mod bits;
pub mod codes;
pub mod criterion;
pub mod describe;
mod evaluate;
mod filter;
pub mod follow;
mod fragment;
pub mod goals;
pub mod graph;
mod lex;
pub mod macros;
pub mod mcdc;
pub mod meter;
pub mod missing;
pub mod normal;
pub mod output;
mod parse;
mod paths;
pub mod predicates;
mod print;
pub mod program;
mod property;
mod regexp;
pub mod shell;
mod spec;
pub mod target;
mod uncovered;
pub mod words;

pub use normal::normalise;
pub use parse::parse;
pub use print::{print, print_expression, print_filter};
pub use property::{Property, read_property};
pub use spec::{Spec, evaluate};
