//! The concrete interpreter: a specification compiled to slots, stepped through time.
//!
//! [`Program`] is compiled once, [`Monitor`] runs it. A step takes the events of one time, computes all streams in order, and then sets
//! the timers. What streams remember is updated when the next step begins, so that between steps every stream can be looked at.

mod cell;
mod compile;
mod evaluate;
mod monitor;
mod quick;

pub(crate) use cell::{Cell, Kind};

pub use compile::Program;
pub use monitor::{Fault, Monitor};

use crate::core::{FunctionId, NodeId};
use crate::value::Value;

/// What wants to know how values were computed.
pub trait Observer {
    /// Whether it wants to know anything; runs without are faster.
    const ACTIVE: bool;

    /// The streams of a time are about to be computed.
    fn step(&mut self, _time: i64) {}

    /// A function is about to be evaluated.
    fn enter(&mut self, function: FunctionId);

    /// A node of the innermost function was evaluated. Nodes that are masked are not.
    fn node(&mut self, node: NodeId, value: &Value);

    /// A conditional of the innermost function chose a branch.
    fn decide(&mut self, node: NodeId, outcome: bool);

    /// The branch that is taken where a conditional would choose one: another one in runs that ask what would have been.
    fn turn(&mut self, _node: NodeId, outcome: bool) -> bool {
        outcome
    }

    /// The innermost function is done.
    fn leave(&mut self);
}

/// Wants to know nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unobserved;

impl Observer for Unobserved {
    const ACTIVE: bool = false;

    fn enter(&mut self, _function: FunctionId) {}

    fn node(&mut self, _node: NodeId, _value: &Value) {}

    fn decide(&mut self, _node: NodeId, _outcome: bool) {}

    fn leave(&mut self) {}
}
