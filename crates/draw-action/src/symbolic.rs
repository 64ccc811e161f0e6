//! The symbolic side: steps as terms, and searches over them.

mod bounded;
mod encode;
mod frame;
mod read;
mod strategies;
mod translate;

pub use bounded::bounded;
pub(super) use bounded::bounded_in_time;
pub use strategies::{Assertions, SourceStrategy, strategy};
pub use translate::translate;
