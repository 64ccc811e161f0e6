//! Projects: from one file to a whole code base, and from one machine to many.
//!
//! A project is a folder with a `specimen.toml` ([`Manifest`]). Its files make units ([`Unit`]): a specification, or a function of a C
//! file. Each unit has a suite in a folder of its own, the [`State`] says which of them are up to date, and a [`Plan`] cuts the work into
//! tasks that any job engine can carry out. This crate knows no language and no search: it says what is to be done, and sums up what was.

mod codes;
mod database;
mod html;
mod manifest;
mod names;
mod plan;
mod reports;
mod standing;
mod state;
mod unit;

pub use codes::CODES;
pub use database::{Database, Flags};
pub use manifest::{Exclusion, Functions, MANIFEST, Manifest, Set, arguments_of};
pub use names::stable_names;
pub use plan::{Plan, PlanError, PlannedUnit, Task, TaskFile};
pub use reports::{cobertura, index, junit};
pub use standing::{Counts, Health, Standing, is_unit_excluded, standing};
pub use state::{Files, Fingerprint, FunctionsState, State, StateError, UnitState};
pub use unit::{FunctionsOf, Unit, Units, refused_option, units};
