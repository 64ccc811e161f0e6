//! Generators, oracles and the corpus runner; for tests only.

mod conformance;
pub mod decisions;
pub mod problems;
pub mod terms;

pub use conformance::conformance;
pub use terms::{Choices, Pool, choices};
