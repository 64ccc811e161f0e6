//! Generators, oracles and the corpus runner; for tests only.

pub mod problems;
pub mod terms;
