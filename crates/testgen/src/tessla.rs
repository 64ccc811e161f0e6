//! TeSSLa: from the flat core to the slot grid.

mod datum;
pub mod document;
mod function;
mod gate;
mod grid;
mod supported;

pub use supported::{Unsupported, unsupported};
