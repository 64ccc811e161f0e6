//! What the search is for: goals, obligations, tests and suites; and how suites are written down.
//!
//! Nothing here knows a solver or a language.

pub mod export;
mod goal;
mod interface;
mod read;
#[cfg(test)]
mod sample;
mod sources;
mod status;
mod strategy;
mod suite;
mod summary;
mod test;
mod wire;
mod write;

pub use goal::{Goal, GoalId, GoalStatus, Location, ObligationId, Pursuit};
pub use interface::{Interface, Port};
pub use read::SuiteError;
pub use sources::{Role, SourceFile, Sources, is_plain};
pub use status::Status;
pub use strategy::{Method, Strategy};
pub use suite::{
    GoalRecord, Minimality, Provenance, SCHEMA, SCHEMA_1, SourceRecord, Suite, Summary, TEXT, TestRecord, UNLISTED,
};
pub use test::{Inputs, TestCase};
pub use write::{fingerprint, write_atomically, write_bytes_atomically};
