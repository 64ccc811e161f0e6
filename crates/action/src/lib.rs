//! Action systems: two notations, interpreter, mutants, conformance and coverage goals.
//!
//! Nothing here knows a solver.

pub mod ast;
mod check;
pub mod codes;
mod compile;
pub mod confirm;
pub mod coverage;
pub mod dialogue;
mod difference;
pub mod export;
pub mod finding;
pub mod interp;
pub mod judge;
mod load;
mod machine;
pub mod mutate;
mod native;
pub mod observe;
mod patched;
mod print;
mod prolog;
mod regions;
mod relevance;
pub mod score;
mod shape;
pub mod spec;
mod state;
pub mod trace;
pub mod trial;
pub mod watch;

pub use check::{Checked, Revision, check};
pub use compile::Program;
pub use difference::{Change, difference};
pub use load::{Notation, load, parse};
pub use machine::{Found, Machine, OutOfFuel};
pub use patched::Patched;
pub use print::{print, print_expression, print_statement};
pub use regions::{Regions, Values};
pub use shape::Shape;
pub use spec::Spec;
pub use state::Packing;
