//! The front ends: one module a language, which loads, describes, draws charts and exports; the registry of languages; their options; and
//! the only reader of a user's files.
//!
//! Nothing here knows a terminal: what is said goes to an [`Output`](output::Output), whose channel the program decides.

mod action;
mod archive;
mod boolean;
mod front_end;
mod ltl;
mod recording;
mod stl;
mod tessla;

pub mod adapter;
pub mod assess;
pub mod c;
pub mod columns;
pub mod exit;
pub mod failure;
pub mod faults;
pub mod input;
pub mod language;
pub mod options;
pub mod output;
pub mod reader;
pub mod specification;
pub mod tests_file;
pub mod words;

pub use front_end::{Asked, Description, ExportedFile, FrontEnd, Model, Mutant, one_of};
