//! Generators, oracles and the corpus runner; for tests only.

pub mod terms;
