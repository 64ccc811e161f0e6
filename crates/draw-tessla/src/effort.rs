//! What the search may spend: one row for each budget. Budgets count work, so that results are the same on every machine.

use search::{Budget, Unit};

search::budgets! {
    /// A goal, over all bounds.
    GOAL "one goal" Conflicts 100_000;
}

/// Limits of what is tried before and after a solver is asked. They do not grow with the effort: whatever they cut, the solver decides.
const fn limit(name: &'static str, unit: Unit, amount: u64) -> Budget {
    Budget { name, unit, amount }
}

pub(super) const MOMENT: Budget = limit("one question about a single moment", Unit::Conflicts, 2_000);
pub(super) const MOMENT_OBLIGATIONS: Budget = limit("proofs about single moments", Unit::Obligations, 200);
pub(super) const MOMENT_STREAMS: Budget = limit("the streams of proofs about single moments", Unit::Streams, 5_000);
pub(super) const GUESSES: Budget = limit("random runs before a solver is asked", Unit::Runs, 400);
pub(super) const GUESSED_STREAMS: Budget = limit("all random runs together", Unit::Streams, 20_000_000);
pub(super) const CHANGES: Budget = limit("making one test smaller", Unit::Runs, 600);
pub(super) const CHANGED_STREAMS: Budget = limit("all runs that make one test smaller", Unit::Streams, 20_000_000);
pub(super) const MOVES: Budget = limit("moving the numbers of one test to borders", Unit::Runs, 300);
pub(super) const MOVED_STREAMS: Budget = limit("all runs that move numbers of one test", Unit::Streams, 10_000_000);
pub(super) const UNROLLED: Budget = limit("the functions unrolled at one moment", Unit::Nodes, 20_000);

/// A limit as a number of things in memory.
pub(super) fn usual(limit: Budget) -> usize {
    limit.count(search::Effort::NORMAL)
}
