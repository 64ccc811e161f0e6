//! Terms, what they mean, and the programs that solve them.
//!
//! This is the untrusted half of Specimen: nothing in a language crate depends on it. Terms live in an append-only
//! hash-consed arena ([`Terms`]) in which children stand before their parents, so that every pass over them is a loop.

mod eval;
mod layers;
mod model;
mod op;
mod print;
mod process;
mod rank;
mod read;
mod simplify;
mod solver;
mod substitute;
mod terms;

pub use eval::{Evaluator, canonical, eval};
pub use layers::{Checked, Limited, Raced, Recorded};
pub use model::Model;
pub use op::{Arity, Op, Theory};
pub use print::{ScriptWriter, print_script, print_sort, print_term, print_value};
pub use process::{Found, PROGRAMS, ProcessSolver, SolverProgram, found};
pub use rank::SortError;
pub use read::{Command, ReadError, Script, read_script, read_term};
pub use simplify::Simplifier;
pub use solver::{
    Answer, Capabilities, Interrupt, Limits, Query, Scope, Solver, SolverError, Theories, Unknown, Wanted,
};
pub use substitute::substitute;
pub use terms::{SortId, Term, Terms};
