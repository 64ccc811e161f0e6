//! Linear temporal logic: who wins the game of a specification, and test strategies against faults.
//!
//! Whatever an engine finds is a machine, and every machine is judged by [`ltl::verify`], which knows nothing of the
//! engines, before anyone is told.

mod arena;
mod bounded;
mod condition;
mod contest;
mod counting;
mod explicit;
mod extract;
mod hollow;
mod inductive;
mod mirror;
mod pace;
mod parity;
mod premises;
mod priorities;
mod proposals;
mod pursuit;
mod realizable;
mod strategies;
mod strategy_judge;
mod synthesis;
mod universal;

pub use realizable::{Allowance, Answer, realizable};
pub use strategies::{StrategySubject, USUAL_BOUND};
