//! SAT within a budget that is counted in work: some conflicts at a time, with a look at the budget after each portion.

use omega::work::{self, Deadline};
use smt::{Interrupt, Unknown};
use smt_sat::sat::{Budget, Outcome, Sat};

/// What one search with SAT may take.
pub(crate) struct SatBudget {
    /// After how much work it ends.
    pub(crate) deadline: Option<Deadline>,
    /// Ends it at once.
    pub(crate) interrupt: Interrupt,
}

/// The conflicts between two looks at the budget.
const PORTION: u64 = 500;

/// The steps that a conflict counts for, and a clause.
const PER_CONFLICT: u64 = 2_000;
const PER_CLAUSE: u64 = 2;

impl SatBudget {
    /// Looks for a model.
    pub(crate) fn solve(&self, sat: &mut Sat) -> Outcome {
        let budget = Budget { conflicts: Some(PORTION), deadline: None, interrupt: self.interrupt.clone() };
        work::spend(sat.clause_count() * PER_CLAUSE);
        loop {
            let before = sat.conflicts();
            let outcome = sat.solve(&[], &budget);
            work::spend((1 + sat.conflicts().saturating_sub(before)) * PER_CONFLICT);
            let over = work::is_stopped() || self.deadline.is_some_and(Deadline::is_over);
            match outcome {
                Outcome::Unknown(Unknown::Conflicts) if !over => {}
                other @ (Outcome::Sat | Outcome::Unsat | Outcome::Unknown(_)) => return other,
            }
        }
    }
}
