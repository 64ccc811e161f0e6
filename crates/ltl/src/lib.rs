//! Linear temporal logic: parsers, automata, games on machines, fault models and verdicts on finite traces.
//!
//! Nothing here knows a solver.

pub mod automaton;
pub mod bdd;
pub mod circuit;
pub mod clock;
pub mod code;
pub mod codes;
pub mod deterministic;
mod eval;
pub mod execute;
pub mod faults;
mod file;
mod formulas;
mod generalise;
mod graph;
mod grounds;
mod hierarchy;
mod hoa;
mod hoa_read;
mod lex;
mod load;
mod machine;
pub mod mutate;
mod nnf;
pub mod normal;
mod parse;
mod print;
mod reduce;
pub mod simplify;
mod spec;
pub mod symmetry;
mod tlsf;
pub mod trace;
pub mod unfold;
pub mod verdict;
mod verify;

pub use codes::CODES;
pub use eval::{Lasso, LastNext, Letter, holds_on_lasso, holds_on_word};
pub use file::Loaded;
pub use formulas::{AtomId, Binary, Formula, Formulas, Node, Unary};
pub use generalise::generalise;
pub use grounds::Grounds;
pub use hierarchy::Class;
pub use hoa_read::from_hoa;
pub use load::{Dialect, load, load_with_parameters, load_with_partition};
pub use machine::{Machine, Move, State};
pub use nnf::nnf;
pub use parse::parse_formula;
pub use print::print;
pub use reduce::{quotient, quotient_until, reduce};
pub use spec::{FaultDeclaration, FaultKind, Frequency, Property, Role, Signal, Spec, Target};
pub use verify::{Judgement, Verifier, verify};
