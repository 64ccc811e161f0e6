//! Linear temporal logic: parsers, machines and their judge, fault models and verdicts on finite traces.
//!
//! Nothing here knows a solver.

mod aiger;
pub mod circuit;
pub mod code;
pub mod codes;
mod eval;
pub mod execute;
pub mod faults;
mod file;
mod generalise;
mod grounds;
mod hoa;
mod lex;
mod load;
mod machine;
pub mod meter;
pub mod mutate;
mod parse;
mod print;
mod reduce;
mod spec;
mod symmetric_faults;
pub mod symmetry;
mod tlsf;
pub mod trace;
pub mod vacuity;
pub mod verdict;
mod verify;

pub use codes::CODES;
pub use eval::{Lasso, LastNext, Letter, holds_on_lasso, holds_on_word};
pub use file::Loaded;
pub use generalise::generalise;
pub use grounds::Grounds;
pub use load::{Dialect, load, load_with_parameters, load_with_partition};
pub use machine::{Machine, Move, State};
pub use parse::parse_formula;
pub use print::print;
pub use reduce::{quotient, quotient_until, reduce};
pub use spec::{FaultDeclaration, FaultKind, Frequency, Property, Role, Signal, Spec, Target};
pub use symmetric_faults::{Image, SymmetricFaults};
pub use verify::{Judgement, Verifier, verify};
