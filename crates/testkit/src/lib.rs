//! Generators, oracles and the corpus runner; for tests only.

pub mod decisions;
pub mod terms;

pub use terms::{Choices, Pool, choices};
