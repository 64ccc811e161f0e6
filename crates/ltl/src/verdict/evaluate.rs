//! The predictive evaluation (definitions 18 and 19), with the two corrections that the thesis's own tables demand: `¬e(¬φ)` for
//! pairs `(∞,b)`, and the left argument in the rule of `U`.

use super::cells::{Cell, CellId, Root};
use super::count::{Count, Pair};
use super::monitor::{Longest, Monitor};
use super::value::Verdict;

/// The ranks of all cells: for every column that is kept, and after the end.
pub(super) struct Ranks {
    pub(super) ranks: Vec<i8>,
    pub(super) width: usize,
}

/// What experience says of a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Prediction {
    /// Longer than any that was seen to end.
    No,
    /// None was ever seen to end.
    Unknown,
    /// No longer than one that was seen to end.
    Yes,
}

impl Monitor {
    /// The verdict of every property on the trace so far (counting semantics).
    pub fn verdicts(&mut self) -> Vec<Verdict> {
        self.absorb();
        let ranks = self.ranks();
        self.cells.roots.iter().map(|root| self.verdict_of(*root, &ranks)).collect()
    }

    pub(super) fn verdict_of(&self, root: Root, ranks: &Ranks) -> Verdict {
        match root {
            Root::Constant(value) => Verdict::of(value),
            Root::Cell(cell) => Verdict::from_rank(ranks.at(0, cell)),
        }
    }

    /// Evaluates every cell, from the end to the beginning. Everything must be absorbed.
    pub(super) fn ranks(&mut self) -> Ranks {
        self.count();
        let width = self.cells.len();
        let columns = self.columns.len();
        let mut ranks = Ranks { ranks: vec![0; (columns + 1) * width], width };
        for column in (0..=columns).rev() {
            for id in 0..width as CellId {
                let pair = self.pair(column, id);
                let rank = match self.prediction(column, id, pair) {
                    Outcome::Rank(rank) => rank,
                    Outcome::Parts => self.parts(column, id, &ranks),
                };
                ranks.ranks[column * width + id as usize] = rank;
            }
        }
        ranks
    }

    /// The pair of a cell in absolute time.
    pub(super) fn pair(&self, column: usize, id: CellId) -> Pair {
        self.pairs[column * self.cells.len() + id as usize]
    }

    /// The step of a column; the end is the step after the last.
    pub(super) fn position(&self, column: usize) -> u64 {
        self.columns.get(column).map_or(self.length + 1, |column| column.position)
    }

    /// The longest waits before a column.
    pub(super) fn experience(&self, column: usize, id: CellId) -> Longest {
        match self.columns.get(column) {
            Some(column) => self.experiences[column.experience as usize][id as usize],
            None => self.total[id as usize],
        }
    }

    /// The predictions of satisfaction and of violation.
    pub(super) fn predictions(&self, column: usize, id: CellId, pair: Pair) -> (Prediction, Prediction) {
        let longest = self.experience(column, id);
        let position = self.position(column);
        (predict(pair.satisfied, position, longest.satisfied), predict(pair.violated, position, longest.violated))
    }

    /// Definition 19: the rank, or that the parts of the formula decide.
    pub(super) fn prediction(&self, column: usize, id: CellId, pair: Pair) -> Outcome {
        if let Some(value) = pair.decided() {
            return Outcome::Rank(Verdict::of(value).rank());
        }
        let (satisfied, violated) = self.predictions(column, id, pair);
        let finite = |count: Count| count < Count::INFINITE;
        let balance = match (finite(pair.satisfied), finite(pair.violated)) {
            (true, true) => satisfied.cmp(&violated),
            (true, false) => satisfied.cmp(&Prediction::Unknown),
            (false, true) => Prediction::Unknown.cmp(&violated),
            (false, false) => std::cmp::Ordering::Equal,
        };
        match balance {
            std::cmp::Ordering::Greater => Outcome::Rank(1),
            std::cmp::Ordering::Less => Outcome::Rank(-1),
            std::cmp::Ordering::Equal => Outcome::Parts,
        }
    }

    /// The auxiliary `r`.
    fn parts(&self, column: usize, id: CellId, ranks: &Ranks) -> i8 {
        let at = |id: CellId| ranks.at(column, id);
        let is_end = column == self.columns.len();
        match self.cells.cells[id as usize] {
            Cell::Atom(_) => 0,
            Cell::Not(argument) => -at(argument),
            Cell::And(left, right) => at(left).min(at(right)),
            Cell::Or(left, right) => at(left).max(at(right)),
            Cell::Implies(left, right) => (-at(left)).max(at(right)),
            Cell::Next { argument, .. } if self.rules.stepwise_next => ranks.at(self.column_after(column, 1), argument),
            Cell::Next { inner, count, .. } => ranks.at(self.column_after(column, count), inner),
            Cell::Finally(argument) if is_end => at(argument),
            Cell::Finally(argument) => at(argument).max(ranks.at(column + 1, id)),
            Cell::Globally(argument) if is_end => at(argument),
            Cell::Globally(argument) => at(argument).min(ranks.at(column + 1, id)),
            Cell::Until { right, .. } | Cell::Release { right, .. } if is_end || self.rules.printed_until => at(right),
            Cell::Until { left, right, next } => at(right).max(at(left).min(at(next))),
            Cell::Release { left, right, next } => at(right).min(at(left).max(at(next))),
        }
    }

    /// The column `count` steps later; the end if the trace ends before. Steps that are asked for are never left out.
    pub(super) fn column_after(&self, column: usize, count: u32) -> usize {
        let Some(here) = self.columns.get(column) else { return column };
        let wanted = here.position + u64::from(count);
        if self.length < wanted {
            return self.columns.len();
        }
        let place = column + count as usize;
        match self.columns.get(place) {
            Some(found) if found.position == wanted => place,
            _ => self.columns.partition_point(|column| column.position < wanted),
        }
    }
}

/// What definition 19 says of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Rank(i8),
    Parts,
}

impl Ranks {
    pub(super) fn at(&self, column: usize, id: CellId) -> i8 {
        self.ranks[column * self.width + id as usize]
    }
}

/// Definition 18.
fn predict(seen: Count, position: u64, longest: u64) -> Prediction {
    if longest == 0 {
        return Prediction::Unknown;
    }
    let waits = seen.number().is_some_and(|seen| seen - position < longest);
    if waits { Prediction::Yes } else { Prediction::No }
}
