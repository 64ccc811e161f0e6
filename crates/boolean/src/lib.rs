//! Boolean decisions: policies, guards and other formulas over typed variables.
//!
//! Nothing here knows a solver.

mod arithmetic;
mod assemble;
pub mod ast;
pub mod border;
mod build;
mod check;
pub mod codes;
pub mod couple;
pub mod goals;
pub mod interp;
mod lex;
mod load;
pub mod meter;
mod number;
pub mod obligation;
mod operator;
mod operators;
mod parse;
pub mod partition;
mod print;
mod rank;
pub mod sample;
mod smtlib;
mod spec;
pub mod table;
mod unfold;

pub use check::check;
pub use load::{Dialect, Loaded, load, load_decision};
pub use operator::Operator;
pub use parse::parse;
pub use print::print;
pub use spec::{Assumption, Condition, Decision, Expr, ExprId, ExprKind, Spec, Variable, VariableId};
