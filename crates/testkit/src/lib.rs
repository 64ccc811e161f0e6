//! Generators, oracles and the corpus runner; for tests only.

pub mod conformance;
pub mod problems;
pub mod terms;
