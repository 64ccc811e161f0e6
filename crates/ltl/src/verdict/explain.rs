//! Why a verdict is what it is: the subformula, the step and the waits that decided it.

use std::fmt;

use super::cells::{Cell, CellId, Root};
use super::count::{Count, Pair};
use super::evaluate::{Outcome, Ranks};
use super::expect::Expectation;
use super::monitor::Monitor;
use super::value::Verdict;

/// Why a property has its verdict.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The verdict of the property.
    pub verdict: Verdict,
    /// The subformula that decided.
    pub formula: String,
    /// What decided.
    pub reason: Reason,
    /// Whether it is about the step after the last.
    pub is_to_come: bool,
    /// What waits are compared with.
    pub expectation: Expectation,
}

/// What decides a verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The property is a truth constant.
    Constant,
    /// It was seen in this step, and nothing can change it.
    Seen {
        /// The step.
        step: u64,
    },
    /// The subformula is open, and earlier waits were compared with this one.
    Open {
        /// The step from which on it is open; one past the end for what the future must still show.
        since: u64,
        /// The wait for its satisfaction, where experience with that was asked.
        satisfaction: Option<Wait>,
        /// The wait for its violation, likewise.
        violation: Option<Wait>,
    },
    /// Nothing like it was ever seen to end.
    NoExperience {
        /// The step from which on it is open.
        since: u64,
    },
}

/// A wait and the longest that was seen before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait {
    /// How many steps it takes at least.
    pub waited: u64,
    /// The longest that was seen to end.
    pub longest: Option<u64>,
}

impl Monitor {
    /// Why every property has its verdict (counting semantics).
    pub fn explanations(&mut self) -> Vec<Explanation> {
        self.absorb();
        // By the printed rule of `U` something that was seen can decide what is open: then the step is wanted.
        let exact = if self.rules.printed_until { self.exact_pairs() } else { Vec::new() };
        let ranks = self.ranks();
        (0..self.cells.roots.len()).map(|number| self.explanation(number, &ranks, &exact)).collect()
    }

    fn explanation(&self, number: usize, ranks: &Ranks, exact: &[Pair]) -> Explanation {
        let root = self.cells.roots[number];
        let verdict = self.verdict_of(root, ranks);
        let expectation = self.expectation;
        match (root, self.decisions[number]) {
            (Root::Constant(value), _) => Explanation {
                verdict,
                formula: value.to_string(),
                reason: Reason::Constant,
                is_to_come: false,
                expectation,
            },
            (Root::Cell(cell), Some((_, step))) => Explanation {
                verdict,
                formula: self.cells.show(cell),
                reason: Reason::Seen { step },
                is_to_come: false,
                expectation,
            },
            (Root::Cell(cell), None) => {
                let (column, cell) = self.culprit(cell, ranks);
                Explanation {
                    verdict,
                    formula: self.cells.show(cell),
                    reason: self.reason(column, cell, exact),
                    is_to_come: column == self.columns.len(),
                    expectation,
                }
            }
        }
    }

    /// The place whose experience decides the rank of a cell in the first column.
    fn culprit(&self, root: CellId, ranks: &Ranks) -> (usize, CellId) {
        let (mut column, mut cell) = (0, root);
        loop {
            if self.prediction(column, cell, self.pair(column, cell)) != Outcome::Parts {
                return (column, cell);
            }
            let rank = ranks.at(column, cell);
            let is_end = column == self.columns.len();
            let decides = |part: CellId| ranks.at(column, part) == rank;
            (column, cell) = match self.cells.cells[cell as usize] {
                Cell::Atom(_) => return (column, cell),
                Cell::Not(argument) => (column, argument),
                Cell::And(left, right) | Cell::Or(left, right) => (column, if decides(left) { left } else { right }),
                Cell::Implies(left, right) => (column, if decides(right) { right } else { left }),
                Cell::Next { argument, .. } if self.rules.stepwise_next => (self.column_after(column, 1), argument),
                Cell::Next { inner, count, .. } => (self.column_after(column, count), inner),
                Cell::Finally(argument) | Cell::Globally(argument) if is_end || decides(argument) => (column, argument),
                Cell::Finally(_) | Cell::Globally(_) => (column + 1, cell),
                Cell::Until { right, .. } | Cell::Release { right, .. }
                    if is_end || self.rules.printed_until || decides(right) =>
                {
                    (column, right)
                }
                Cell::Until { left, next, .. } | Cell::Release { left, next, .. } => {
                    (column, if decides(left) { left } else { next })
                }
            };
        }
    }

    fn reason(&self, column: usize, cell: CellId, exact: &[Pair]) -> Reason {
        let since = self.position(column);
        if let Some(pair) = exact.get(column * self.cells.len() + cell as usize)
            && pair.decided().is_some()
        {
            let step = pair.satisfied.min(pair.violated).number().unwrap_or(since);
            return Reason::Seen { step };
        }
        let pair = self.pair(column, cell);
        if self.prediction(column, cell, pair) == Outcome::Parts {
            return Reason::NoExperience { since };
        }
        let longest = self.experience(column, cell);
        let wait = |seen: Count, longest: u64| {
            seen.number().map(|seen| Wait { waited: seen - since, longest: longest.checked_sub(1) })
        };
        Reason::Open {
            since,
            satisfaction: wait(pair.satisfied, longest.satisfied),
            violation: wait(pair.violated, longest.violated),
        }
    }
}

impl Explanation {
    /// By how many steps the wait that decided is longer than any before; zero if it is not.
    pub fn excess(&self) -> u64 {
        match self.reason {
            Reason::Open { satisfaction: Some(Wait { waited, longest: Some(longest) }), .. } => {
                waited.saturating_sub(longest)
            }
            Reason::Constant | Reason::Seen { .. } | Reason::Open { .. } | Reason::NoExperience { .. } => 0,
        }
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.reason {
            Reason::Constant => write!(out, "always {}", self.formula),
            Reason::Seen { step } => write!(out, "seen in step {step}"),
            Reason::Open { since, satisfaction, violation } => {
                let begins = if self.is_to_come { "to come in step" } else { "pending since step" };
                write!(out, "`{}`: {begins} {since}", self.formula)?;
                match (satisfaction, violation) {
                    (Some(holds), None) if self.expectation != Expectation::Longest => {
                        write!(out, ", waited {}, expected {} at most", holds.waited, Shown(holds.longest))
                    }
                    (None, Some(fails)) if self.expectation != Expectation::Longest => {
                        write!(out, ", unbroken for {}, failure expected after {}", fails.waited, Shown(fails.longest))
                    }
                    (Some(holds), None) => {
                        write!(out, ", waited {}, longest seen {}", holds.waited, Shown(holds.longest))
                    }
                    (None, Some(fails)) => {
                        write!(
                            out,
                            ", unbroken for {}, latest failure seen after {}",
                            fails.waited,
                            Shown(fails.longest)
                        )
                    }
                    (Some(holds), Some(fails)) => {
                        let seen = if self.expectation == Expectation::Longest { "seen" } else { "expected" };
                        write!(out, ", waited {}", holds.waited.min(fails.waited))?;
                        match holds.longest {
                            Some(longest) => write!(out, ", {seen} to hold after {longest} at most")?,
                            None => write!(out, ", never seen to hold")?,
                        }
                        match fails.longest {
                            Some(longest) => write!(out, ", to fail after {longest} at most"),
                            None => write!(out, ", never to fail"),
                        }
                    }
                    (None, None) => Ok(()),
                }
            }
            Reason::NoExperience { since } => {
                let begins = if self.is_to_come { "to come in step" } else { "pending since step" };
                write!(out, "`{}`: {begins} {since}, nothing like it was seen to end", self.formula)
            }
        }
    }
}

struct Shown(Option<u64>);

impl fmt::Display for Shown {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(number) => write!(out, "{number}"),
            None => out.write_str("none"),
        }
    }
}
