//! Generators, oracles and the corpus runner; for tests only.

pub mod actions;
mod conformance;
pub mod corpus;
pub mod decisions;
pub mod front;
mod installed;
pub mod problems;
pub mod terms;

pub use conformance::conformance;
pub use installed::{installed, start};
pub use terms::{Choices, Pool, choices};
