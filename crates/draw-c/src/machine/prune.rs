//! Whether executions can go on at all, asked of a solver before a loop or a recursion is unrolled once more.

use smt::{Answer, Limits, Query, Solver, Term};
use smt_sat::SatSolver;

use super::Machine;

/// Conflicts spent on one question.
const CONFLICTS: u64 = 100;

/// What the questions of one unrolling may cost together; one costs as much as the solver knows clauses.
const ALL_COSTS: u64 = 8_000_000;

/// What they may cost as long as no answer was of use, and what one more may cost for each that was.
const FIRST_COSTS: u64 = 1_500_000;
const USEFUL: u64 = 500_000;

/// What a question costs besides, and one that takes all its conflicts.
const QUESTION_COST: u64 = 3_000;
const CONFLICTS_COST: u64 = 100_000;

/// A solver that knows the facts found so far.
pub(super) struct Pruner {
    solver: SatSolver,
    told: usize,
    /// What further questions may cost, and what they could if answers were of use.
    left: u64,
    most: u64,
}

impl Pruner {
    pub(super) fn new() -> Pruner {
        Pruner { solver: SatSolver::without_luck(), told: 0, left: FIRST_COSTS, most: ALL_COSTS - FIRST_COSTS }
    }
}

impl Machine<'_> {
    /// Whether some test may satisfy a guard; yes where that is not known.
    pub(super) fn may_happen(&mut self, guard: Term) -> bool {
        if self.cells.build.is_true(guard)
            || self.quiet.is_some()
            || self.cells.clock.is_late()
            || self.pruner.left == 0
        {
            return true;
        }
        let terms = &*self.cells.build.terms;
        for (fact, _) in &self.facts[self.pruner.told..] {
            if self.pruner.solver.assert(terms, *fact).is_err() {
                self.pruner.left = 0;
                return true;
            }
        }
        self.pruner.told = self.facts.len();
        let limits = Limits { conflicts: Some(CONFLICTS), ..Limits::default() };
        let query = Query { assumptions: &[guard], limits, ..Query::default() };
        let answer = self.pruner.solver.check(terms, query);
        let unknown = if matches!(answer, Ok(Answer::Unknown(_))) { CONFLICTS_COST } else { 0 };
        let (_, clauses) = self.pruner.solver.size();
        self.pruner.left = self.pruner.left.saturating_sub(clauses + QUESTION_COST + unknown);
        let useful = matches!(answer, Ok(Answer::Unsat { .. }));
        if useful {
            let more = self.pruner.most.min(USEFUL);
            self.pruner.most -= more;
            self.pruner.left += more;
        }
        !useful
    }
}
