//! Terms, what they mean, and the programs that solve them.
//!
//! This is the untrusted half of Specimen: nothing in a language crate depends on it. Terms live in an append-only
//! hash-consed arena ([`Terms`]) in which children stand before their parents, so that every pass over them is a loop.
//!
//! [`eval`] says what a term is worth under a [`Model`]; it is the judge of every [`Solver`]. [`read_script`] and
//! [`print_script`] are SMT-LIB in both directions, [`Simplifier`] makes terms smaller, [`ProcessSolver`] talks to
//! programs that speak SMT-LIB, and the layers [`Checked`], [`Recorded`], [`Raced`] and [`Limited`] go over any solver.
//!
//! ```
//! use smt::{Model, Terms, eval, print_term, read_script};
//! use value::Value;
//!
//! let mut terms = Terms::new();
//! let script = read_script(&mut terms, "(declare-const x Int) (assert (< 3 (* x x)))").unwrap();
//! let fact = script.assertions()[0];
//! let x = terms.symbol("x", &value::Sort::Int);
//! let mut model = Model::new();
//! assert_eq!(eval(&terms, &model, fact), Value::Bool(false));
//! model.insert(x, Value::int(-2));
//! assert_eq!(eval(&terms, &model, fact), Value::Bool(true));
//! assert_eq!(print_term(&terms, fact), "(< 3 (* x x))");
//! ```

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
mod unique;

pub use eval::{Evaluator, canonical, eval};
pub use layers::{Anew, Checked, Limited, MakeSolver, Raced, Recorded};
pub use model::Model;
pub use op::{Arity, Op, Theory};
pub use print::{ScriptWriter, logic_of, print_script, print_sort, print_term, print_value};
pub use process::{Found, PROGRAMS, ProcessSolver, SolverProgram, found};
pub use rank::SortError;
pub use read::{Command, ReadError, Script, read_script, read_term};
pub use simplify::Simplifier;
pub use solver::{
    Answer, Capabilities, Interrupt, Limits, Query, Scope, Solver, SolverError, Theories, Unknown, Wanted,
};
pub use substitute::substitute;
pub use terms::{SortId, Term, Terms};
