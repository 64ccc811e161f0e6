//! Linear temporal logic: who wins the game of a specification, and test strategies against faults.
//!
//! Whatever an engine finds is a machine, and every machine is judged by [`ltl::verify`], which knows nothing of the
//! engines, before anyone is told.

mod arena;
mod condition;
mod extract;
mod parity;
mod priorities;
mod realizable;

pub use realizable::{Answer, Budget, realizable};
