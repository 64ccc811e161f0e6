//! The judge of tests: which mutants a test tells from the model.
//!
//! It knows the model, the mutant and the machine that runs both, and nothing of how a test was found: what mutants are
//! compared by, where they differ and when a system is silent are decided here once more, in plain ways.

mod follow;
mod rival;

use std::sync::Arc;

pub use follow::Followed;
pub use rival::{Original, Rival};

use crate::machine::Machine;

/// The choices that one question may take.
const FUEL: u64 = 200_000_000;

/// The machines a judge works with; they keep their memory between questions.
#[derive(Clone, Debug)]
pub struct Machines {
    mutant: Machine,
    model: Machine,
    /// The choices that one question may take.
    fuel: u64,
}

impl Default for Machines {
    fn default() -> Machines {
        Machines { mutant: Machine::default(), model: Machine::default(), fuel: FUEL }
    }
}

impl Machines {
    /// Machines that leave a question that takes long without an answer when `stop` says so.
    #[must_use]
    pub fn stopping(self, stop: Arc<dyn Fn() -> bool + Send + Sync>) -> Machines {
        let model = self.model.stopping(stop.clone());
        Machines { mutant: self.mutant.stopping(stop), model, ..self }
    }

    /// Machines that take this many choices for one question and no more.
    #[must_use]
    pub fn within(self, fuel: u64) -> Machines {
        Machines { fuel, ..self }
    }

    /// The choices gone through so far.
    pub fn work(&self) -> u64 {
        self.mutant.work() + self.model.work()
    }
}
