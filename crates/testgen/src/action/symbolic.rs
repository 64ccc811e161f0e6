//! The symbolic side: steps as terms, and searches over them.

mod bounded;
mod encode;
mod observed;
mod read;
mod strategies;

pub use bounded::bounded;
pub use observed::observed;
pub use strategies::{Assertions, SourceStrategy, strategy};
