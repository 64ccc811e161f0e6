//! Action systems: two notations, interpreter, mutants, conformance and coverage goals.
//!
//! Nothing here knows a solver.

pub mod ast;
mod check;
pub mod codes;
mod load;
mod native;
mod print;
mod prolog;
pub mod spec;
mod suggest;

pub use check::{Checked, check};
pub use load::{Notation, load, parse};
pub use print::{print, print_expression, print_statement};
pub use spec::Spec;
