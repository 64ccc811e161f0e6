//! Signal temporal logic: parser, exact dense-time monitor, mutants, coverage goals and meter.
//!
//! Nothing here knows a solver.

pub mod ast;
mod check;
pub mod codes;
mod collapse;
pub mod cover;
pub mod explain;
pub mod goals;
mod horizon;
pub mod interp;
pub mod levels;
mod lex;
pub mod meter;
pub mod mutate;
mod number;
mod parse;
mod print;
pub mod robust;
pub mod sample;
pub mod signal;
mod spec;
pub mod store;
pub mod stream;
mod sums;
pub mod table;
pub mod times;

pub use check::{check, definitions, load, load_definition};
pub use collapse::collapsed;
pub use horizon::{horizon, step};
pub use number::{read_sample as read_number, write_number};
pub use parse::parse;
pub use print::{comparison_text, form_text, print, print_in, window_text};
pub use spec::{Occurrence, Shape, Signal, Spec};
pub use sums::sums;
