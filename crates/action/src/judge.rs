//! The judge of tests: which mutants a test tells from the model.
//!
//! It knows the model, the mutant and the machine that runs both, and nothing of how a test was found: what mutants are
//! compared by, where they differ and when a system is silent are decided here once more, in plain ways.

mod follow;
mod rival;

pub use follow::Followed;
pub use rival::{Original, Rival};

use crate::machine::Machine;

/// The choices that one question may take.
const FUEL: u64 = 200_000_000;

/// The machines a judge works with; they keep their memory between questions.
#[derive(Clone, Debug, Default)]
pub struct Machines {
    mutant: Machine,
    model: Machine,
}
