//! Boolean decisions: policies, guards and other formulas over typed variables.
//!
//! Nothing here knows a solver.

pub mod goals;
pub mod obligation;
mod operator;
mod spec;

pub use operator::Operator;
pub use spec::{Assumption, Condition, Decision, Expr, ExprId, ExprKind, Spec, Variable, VariableId};
