//! SAT within a budget that is counted in work: some conflicts at a time, with a look at the clock after each portion.

use omega::clock::{self, Moment};
use smt::{Interrupt, Unknown};
use smt_sat::sat::{Budget, Outcome, Sat};

/// What one search with SAT may take.
pub(crate) struct Pace {
    /// When it ends, on the clock that counts work.
    pub(crate) deadline: Option<Moment>,
    /// Ends it at once.
    pub(crate) interrupt: Interrupt,
}

/// The conflicts between two looks at the clock.
const PORTION: u64 = 500;

/// What a conflict counts, and a few clauses, in units of work.
const PER_CONFLICT: u64 = 2_000;
const PER_CLAUSE: u64 = 2;

impl Pace {
    /// Looks for a model.
    pub(crate) fn solve(&self, sat: &mut Sat) -> Outcome {
        let budget = Budget { conflicts: Some(PORTION), deadline: None, interrupt: self.interrupt.clone() };
        clock::did(sat.clause_count() * PER_CLAUSE);
        loop {
            let before = sat.conflicts();
            let outcome = sat.solve(&[], &budget);
            clock::did((1 + sat.conflicts().saturating_sub(before)) * PER_CONFLICT);
            let over = clock::is_stopped() || self.deadline.is_some_and(Moment::is_over);
            match outcome {
                Outcome::Unknown(Unknown::Conflicts) if !over => {}
                other @ (Outcome::Sat | Outcome::Unsat | Outcome::Unknown(_)) => return other,
            }
        }
    }
}
