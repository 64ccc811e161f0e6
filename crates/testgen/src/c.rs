//! C: symbolic execution of programs towards the goals of queries.

mod build;
mod float;
mod input;
mod layout;
mod machine;
mod network;
mod object;
mod order;
mod settings;
mod state;
pub mod trace;
mod value;

pub use settings::{Beyond, Settings};
