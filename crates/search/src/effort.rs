//! What a search may spend: budgets that count work, so that results are the same on every machine, and the effort that scales them.
//!
//! Each crate that searches has one table of its budgets. Time is never a budget: it is the user's limit.

use std::fmt;

/// By how much budgets are scaled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    percent: u32,
}

impl Effort {
    /// A tenth of the usual.
    pub const QUICK: Effort = Effort { percent: 10 };
    /// The usual.
    pub const NORMAL: Effort = Effort { percent: 100 };
    /// Ten times the usual.
    pub const THOROUGH: Effort = Effort { percent: 1_000 };

    /// The efforts with a name.
    const NAMED: [(&'static str, Effort); 3] =
        [("quick", Effort::QUICK), ("normal", Effort::NORMAL), ("thorough", Effort::THOROUGH)];
    /// The largest factor.
    const MOST: u32 = 1_000_000;

    /// An effort by its name, or by the factor.
    pub fn from_name(text: &str) -> Option<Effort> {
        let named = Effort::NAMED.iter().find(|(name, _)| *name == text).map(|(_, effort)| *effort);
        let factor = || text.parse::<u32>().ok().filter(|factor| (1..=Effort::MOST).contains(factor));
        named.or_else(|| factor().map(|factor| Effort { percent: factor * 100 }))
    }

    /// What this effort grants where the usual one grants `amount`: never nothing.
    pub fn of(self, amount: u64) -> u64 {
        let scaled = u128::from(amount) * u128::from(self.percent) / 100;
        u64::try_from(scaled).unwrap_or(u64::MAX).max(amount.min(1))
    }

    /// The same for a number of things in memory.
    pub fn count(self, amount: usize) -> usize {
        usize::try_from(self.of(amount as u64)).unwrap_or(usize::MAX)
    }
}

impl Default for Effort {
    fn default() -> Effort {
        Effort::NORMAL
    }
}

impl fmt::Display for Effort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match Effort::NAMED.iter().find(|(_, effort)| effort == self) {
            Some((name, _)) => f.write_str(name),
            None => write!(f, "{}", self.percent / 100),
        }
    }
}

/// What a budget counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Conflicts of a solver.
    Conflicts,
    /// Runs of an interpreter.
    Runs,
    /// Steps of runs.
    Steps,
    /// States.
    States,
    /// Pairs of tests.
    Pairs,
    /// Points of a grid.
    Points,
    /// Streams that are computed, in all runs together.
    Streams,
    /// Nodes of functions.
    Nodes,
    /// Obligations.
    Obligations,
}

impl Unit {
    fn name(self) -> &'static str {
        match self {
            Unit::Conflicts => "conflicts",
            Unit::Runs => "runs",
            Unit::Steps => "steps",
            Unit::States => "states",
            Unit::Pairs => "pairs",
            Unit::Points => "points",
            Unit::Streams => "streams",
            Unit::Nodes => "nodes",
            Unit::Obligations => "obligations",
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
    /// How much there is at the usual effort.
    pub amount: u64,
}

impl Budget {
    /// How much an effort grants.
    pub fn within(self, effort: Effort) -> u64 {
        effort.of(self.amount)
    }

    /// The same for a number of things in memory.
    pub fn count(self, effort: Effort) -> usize {
        usize::try_from(self.within(effort)).unwrap_or(usize::MAX)
    }
}

impl Budget {
    /// What is said of a goal that stays open because nothing is left.
    pub fn spent(self, effort: Effort) -> String {
        let (amount, unit, name) = (self.within(effort), self.unit.name(), self.name);
        format!("the budget of {amount} {unit} for {name} is spent (`--effort` grants more)")
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} {}", self.name, self.amount, self.unit.name())
    }
}

/// A table of budgets: constants, and the list of all of them.
#[macro_export]
macro_rules! budgets {
    ($($(#[$about:meta])* $row:ident $name:literal $unit:ident $amount:literal;)*) => {
        $($(#[$about])* pub(crate) const $row: $crate::Budget =
            $crate::Budget { name: $name, unit: $crate::Unit::$unit, amount: $amount };)*

        /// Every budget of this crate.
        pub const BUDGETS: &[$crate::Budget] = &[$($row,)*];
    };
}

budgets! {
    /// Each attempt to select one test fewer.
    SELECTION "each attempt to select one test fewer" Conflicts 20_000;
    /// The proof that no smaller suite exists.
    LOWER_BOUND "the proof that no smaller suite exists" Conflicts 20_000;
    /// Two tests in one.
    MERGED_PAIRS "putting one test in the place of two" Pairs 4_000;
    /// The reason why a goal is infeasible.
    EXPLANATION "the explanation of one goal" Conflicts 100_000;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn efforts_have_names_or_factors() {
        for (text, amount, shown) in [
            ("quick", 2_000, "quick"),
            ("normal", 20_000, "normal"),
            ("thorough", 200_000, "thorough"),
            ("1", 20_000, "normal"),
            ("7", 140_000, "7"),
        ] {
            let effort = Effort::from_name(text).expect("an effort");
            assert_eq!((SELECTION.within(effort), effort.to_string().as_str()), (amount, shown), "{text}");
            assert_eq!(Effort::from_name(shown), Some(effort), "{text}");
        }
        for wrong in ["", "0", "-1", "1.5", "lazy", "9999999999"] {
            assert_eq!(Effort::from_name(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_budget_never_becomes_nothing_nor_too_large() {
        assert_eq!(Effort::QUICK.of(1), 1);
        assert_eq!(Effort::QUICK.of(0), 0);
        assert_eq!(Effort::THOROUGH.of(u64::MAX), u64::MAX);
    }

    #[test]
    fn budgets_have_different_names() {
        for (place, budget) in BUDGETS.iter().enumerate() {
            assert!(0 < budget.amount);
            assert!(BUDGETS[..place].iter().all(|other| other.name != budget.name), "{}", budget.name);
        }
    }
}
