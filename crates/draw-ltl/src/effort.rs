//! The budgets of the search, in one table: what each limits, in which unit, and how much it allows. All of them count work, so
//! that the same input gives the same answer on every machine. Where a question stays open, its reason names the row that cut.

use std::fmt;

/// What a budget counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Steps of operations on decision diagrams, and what counts as much.
    Steps,
    /// Nodes of decision diagrams.
    Nodes,
    /// States of an automaton, a machine or a game.
    States,
    /// Moves of a machine.
    Moves,
    /// Positions of a game that counts visits.
    Positions,
    /// Values that counts of visits may take, one after the other.
    Counts,
    /// Marks of a condition.
    Marks,
    /// Classes of letters.
    Classes,
    /// Parts of a formula.
    Parts,
    /// Inputs of a specification.
    Inputs,
    /// Machines.
    Machines,
}

impl Unit {
    fn name(self) -> &'static str {
        match self {
            Unit::Steps => "steps",
            Unit::Nodes => "nodes",
            Unit::States => "states",
            Unit::Moves => "moves",
            Unit::Positions => "positions",
            Unit::Counts => "counts",
            Unit::Marks => "marks",
            Unit::Classes => "classes of letters",
            Unit::Parts => "parts",
            Unit::Inputs => "inputs",
            Unit::Machines => "machines",
        }
    }
}

/// A budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Its name, as reasons have it.
    pub name: &'static str,
    /// What it counts.
    pub unit: Unit,
    /// How much it allows.
    pub amount: u64,
}

impl Budget {
    const fn new(name: &'static str, unit: Unit, amount: u64) -> Budget {
        Budget { name, unit, amount }
    }

    /// The same, with so many times as much.
    pub(crate) const fn times(self, scale: usize) -> Budget {
        Budget { amount: self.amount.saturating_mul(scale as u64), ..self }
    }

    /// How much it allows, as a size.
    pub(crate) const fn size(&self) -> usize {
        self.amount as usize
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "`{}` ({} {})", self.name, self.amount, self.unit.name())
    }
}

macro_rules! budgets {
    ($($(#[$about:meta])* $constant:ident = $name:literal, $unit:ident, $amount:literal;)*) => {
        $($(#[$about])* pub(crate) const $constant: Budget = Budget::new($name, Unit::$unit, $amount);)*

        /// All budgets.
        pub const BUDGETS: &[Budget] = &[$($constant),*];
    };
}

budgets! {
    /// One fault at one frequency, where the user names no time.
    STRATEGY = "strategy", Steps, 600_000_000;
    /// What a machine may cost the judge.
    JUDGE_STATES = "judge-states", States, 200_000;
    JUDGE_NODES = "judge-nodes", Nodes, 10_000_000;
    /// What a system that hides a fault may cost, for one guarantee.
    SYSTEM_STATES = "system-states", States, 100_000;
    SYSTEM_NODES = "system-nodes", Nodes, 4_000_000;
    /// What a smaller machine in place of another may cost.
    REDUCTION_STATES = "reduction-states", States, 20_000;
    REDUCTION_NODES = "reduction-nodes", Nodes, 1_000_000;
    /// What merging states of a machine may take in all.
    REDUCTION = "reduction", Steps, 50_000_000;
    /// What is answered at once.
    QUICK_NODES = "quick-game-nodes", Nodes, 400_000;
    /// A game.
    GAME_NODES = "game-nodes", Nodes, 30_000_000;
    GAME_AUTOMATON = "game-automaton", States, 400;
    GAME_MARKS = "game-marks", Marks, 60;
    /// The ways in which a game's condition holds or fails.
    GAME_TERMS = "game-terms", Parts, 4_000;
    /// The nodes of the tree of a game's condition.
    GAME_TREE = "game-condition", States, 2_000;
    /// A game that is solved state by state.
    EXPLICIT_STATES = "explicit-game", States, 30_000;
    EXPLICIT_MOVES = "explicit-machine", Moves, 400_000;
    /// The machine of who wins a game.
    MACHINE_STATES = "machine-states", States, 20_000;
    MACHINE_MOVES = "machine-moves", Moves, 1_000_000;
    /// Games that count visits of accepting states: the small ones, which are tried first, and the large ones.
    VISITS_SMALL = "visits-small", Positions, 250;
    VISITS_SMALL_NODES = "visits-small-nodes", Nodes, 500_000;
    VISITS_SMALL_COUNTS = "visits-small-counts", Counts, 5;
    VISITS_LARGE = "visits-large", Positions, 6_000;
    VISITS_MOVES = "visits-machine", Moves, 400_000;
    /// Universal automata.
    UNIVERSAL_PARTS = "universal-parts", Parts, 300;
    UNIVERSAL_STATES = "universal-automaton", States, 6_000;
    /// Machines state by state with SAT.
    BOUNDED_CLASSES = "bounded-classes", Classes, 2_000;
    BOUNDED_STATES = "bounded-automaton", States, 1_500;
    /// Visits of accepting states on the way through a component.
    BOUNDED_RANK = "bounded-rank", Counts, 40;
    /// Strategies that keep a fault from showing and are passed over.
    PASSED_OVER = "passed-over", Machines, 16;
    /// With more inputs, whether a system can have a fault is not decided by a game in which it announces them.
    ANNOUNCED_INPUTS = "announced-inputs", Inputs, 6;
}

/// The budgets that the user's effort scales; the others limit what single steps may take.
pub const SCALED: &[search::Budget] =
    &[search::Budget { name: "one fault at one frequency", unit: search::Unit::Steps, amount: STRATEGY.amount }];

/// How hard games that count visits are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effort {
    Small,
    Large,
}

impl Effort {
    /// The most positions of a game.
    pub(crate) fn positions(self) -> usize {
        match self {
            Effort::Small => VISITS_SMALL.size(),
            Effort::Large => VISITS_LARGE.size(),
        }
    }

    /// The most nodes of decision diagrams, where the budget allows more.
    pub(crate) fn nodes(self) -> usize {
        match self {
            Effort::Small => VISITS_SMALL_NODES.size(),
            Effort::Large => usize::MAX,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_book_lists_every_budget() {
        let book = include_str!("../../../docs/book/ltl.md");
        for Budget { name, unit, amount } in BUDGETS {
            let row = format!("| `{name}` | {amount} {} |", unit.name());
            assert!(book.contains(&row), "{row}");
        }
    }

    #[test]
    fn the_judge_has_the_budget_of_the_table() {
        let judge = ltl::meter::JUDGE;
        assert_eq!([judge.states, judge.nodes], [JUDGE_STATES.size(), JUDGE_NODES.size()]);
        assert_eq!(judge.deadline, None);
    }

    #[test]
    fn every_budget_has_a_name_of_its_own() {
        let mut names: Vec<&str> = BUDGETS.iter().map(|budget| budget.name).collect();
        names.sort_unstable();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count);
        assert!(BUDGETS.iter().all(|budget| 0 < budget.amount));
    }
}
