//! Generators, oracles and the corpus runner; for tests only.

mod conformance;
pub mod problems;
pub mod terms;

pub use conformance::conformance;
