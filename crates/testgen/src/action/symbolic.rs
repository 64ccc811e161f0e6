//! The symbolic side: steps as terms, and searches over them.

mod bounded;
mod encode;
mod read;
mod strategies;

pub use bounded::bounded;
pub use strategies::{Assertions, SourceStrategy, strategy};
