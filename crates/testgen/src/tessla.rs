//! TeSSLa: from the flat core to the slot grid.

mod datum;
pub mod document;
mod encode;
mod function;
mod gate;
mod grid;
mod judge;
mod subject;
mod supported;

pub use subject::TesslaSubject;
pub use supported::{Unsupported, unsupported};
