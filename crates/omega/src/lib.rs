//! Words without end: temporal formulas as an arena, decision diagrams, automata, and how one becomes the other.
//!
//! The judge of strategies and the search for them share this crate on purpose: both need automata, and a second translation would
//! be a second place for the same mistakes. What keeps it right is the evaluator of lassos in `ltl`, which shares nothing with it.

pub mod automaton;
pub mod bdd;
pub mod deterministic;
mod formulas;
pub mod graph;
mod hierarchy;
mod hoa;
mod hoa_read;
pub mod memory;
mod nnf;
pub mod normal;
pub mod simplify;
pub mod unfold;
pub mod work;

pub use formulas::{AtomId, Binary, Formula, Formulas, Node, Unary};
pub use hierarchy::Class;
pub use hoa_read::from_hoa;
pub use nnf::nnf;
