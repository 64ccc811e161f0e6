//! Whether executions can go on at all, asked of a solver before a loop or a recursion is unrolled once more.

use smt::{Answer, Limits, Query, Solver, Term};
use smt_sat::SatSolver;

use super::Machine;

/// Conflicts spent on one question.
const CONFLICTS: u64 = 300;

/// Questions for one unrolling.
const MOST_QUESTIONS: usize = 3_000;

/// A solver that knows the facts found so far.
pub(super) struct Pruner {
    solver: SatSolver,
    told: usize,
    asked: usize,
}

impl Pruner {
    pub(super) fn new() -> Pruner {
        Pruner { solver: SatSolver::without_luck(), told: 0, asked: 0 }
    }
}

impl Machine<'_> {
    /// Whether some test may satisfy a guard; yes where that is not known.
    pub(super) fn may_happen(&mut self, guard: Term) -> bool {
        if self.cells.build.is_true(guard) || self.quiet.is_some() || self.late || MOST_QUESTIONS <= self.pruner.asked {
            return true;
        }
        self.pruner.asked += 1;
        let terms = &*self.cells.build.terms;
        for (fact, _) in &self.facts[self.pruner.told..] {
            if self.pruner.solver.assert(terms, *fact).is_err() {
                self.pruner.asked = MOST_QUESTIONS;
                return true;
            }
        }
        self.pruner.told = self.facts.len();
        let limits = Limits { conflicts: Some(CONFLICTS), ..Limits::default() };
        let query = Query { assumptions: &[guard], limits, ..Query::default() };
        !matches!(self.pruner.solver.check(terms, query), Ok(Answer::Unsat { .. }))
    }
}
