//! Linear temporal logic: who wins the game of a specification, and test strategies against faults.
//!
//! Whatever an engine finds is a machine, and every machine is judged by [`ltl::verify`] and [`ltl::meter`], which know nothing of
//! the engines, before anyone is told. What the engines may cost is in [`effort`].

mod ahead;
mod arena;
mod bounded;
mod condition;
mod counting;
pub mod effort;
mod explicit;
mod extract;
mod functional;
mod guarantees;
mod inductive;
mod injection;
mod parity;
mod premises;
mod priorities;
mod proposals;
mod realizable;
mod reference;
mod refinement;
mod replay;
mod sat_budget;
mod strategies;
mod strategy_search;
mod synthesis;
mod universal;
mod vacuity;
mod visits;

pub use realizable::{Allowance, Answer, realizable};
pub use strategies::{StrategySubject, USUAL_BOUND};
