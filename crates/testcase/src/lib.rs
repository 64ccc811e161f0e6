//! What the search is for: goals, obligations, tests and suites; and how suites are written down.
//!
//! Nothing here knows a solver or a language.

mod goal;
mod suite;
mod test;

pub use goal::{Goal, GoalId, GoalStatus, Location, ObligationId};
pub use suite::{GoalRecord, Minimality, SCHEMA, SourceRecord, Suite, Summary, TestRecord};
pub use test::{Inputs, TestCase};
