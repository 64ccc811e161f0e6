//! What the search may spend: one row for each budget. Budgets count work, so that results are the same on every machine.

/// What a budget counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Conflicts of a solver.
    Conflicts,
    /// Runs of the interpreter.
    Runs,
    /// Streams that are computed, in all runs together.
    Streams,
    /// Nodes of functions.
    Nodes,
    /// Obligations.
    Obligations,
}

/// A budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// What it is for.
    pub name: &'static str,
    /// What it counts.
    pub unit: Unit,
    /// How much there is.
    pub amount: u64,
}

macro_rules! budgets {
    ($($row:ident $name:literal $unit:ident $amount:literal;)*) => {
        $(#[doc = $name] pub(super) const $row: Budget = Budget { name: $name, unit: Unit::$unit, amount: $amount };)*

        /// Every budget.
        pub const BUDGETS: &[Budget] = &[$($row,)*];
    };
}

budgets! {
    GOAL "one goal" Conflicts 100_000;
    MOMENT "one question about a single moment" Conflicts 2_000;
    MOMENT_OBLIGATIONS "proofs about single moments" Obligations 200;
    MOMENT_STREAMS "the streams of proofs about single moments" Streams 5_000;
    GUESSES "random runs before a solver is asked" Runs 400;
    GUESSED_STREAMS "all random runs together" Streams 20_000_000;
    CHANGES "making one test smaller" Runs 600;
    CHANGED_STREAMS "all runs that make one test smaller" Streams 20_000_000;
    UNROLLED "the functions unrolled at one moment" Nodes 20_000;
}

impl Budget {
    /// The amount as a number of things in memory.
    pub(super) fn count(self) -> usize {
        usize::try_from(self.amount).unwrap_or(usize::MAX)
    }
}
