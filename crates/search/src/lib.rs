//! The search for tests, without any language: each has a crate of its own that builds on this one.
//!
//! [`Session`] draws tests for a [`Subject`]; what it finds are only inputs, and a test is kept only as [`Confirmed`]
//! by the language's interpreter. What it declares impossible is attacked with random runs before anyone is told.

mod abilities;
mod audit;
mod backend;
mod bound;
mod confirm;
mod crosscheck;
pub mod effort;
mod error;
mod growing;
mod lane;
mod merge;
mod minimize;
mod options;
mod outcome;
mod ranges;
mod reduce;
mod refute;
mod session;
mod status;
mod strategy;
mod subject;

pub use abilities::{
    Abilities, Attacks, Behaviours, Certifies, Constructs, Describes, Encodes, Guesses, ReductionBudget, Refutes,
    Simplifies, Smallest,
};
pub use audit::{Audit, audit};
pub use backend::Backend;
pub use confirm::Confirmed;
pub use crosscheck::{CrossCheck, cross_check};
pub use effort::{Budget, Effort, Unit};
pub use error::SearchError;
pub use lane::{ConflictBudget, Lane};
pub use minimize::{Cover, Requirement, Witnesses, minimize};
pub use options::{Options, Shard, SolverChoice};
pub use outcome::{Outcome, Statistics};
pub use ranges::pinned;
pub use session::{ELSEWHERE, Session, Step};
pub use smt_sat::memory::on_exhaustion;
pub use subject::{
    Bound, Completeness, Engine, Finding, Part, Problem, Reason, Replay, Replayed, Searcher, Subject, Witness,
};
pub use testcase::Strategy;
