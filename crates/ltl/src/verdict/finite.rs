//! The plainer semantics of finite traces: FLTL with strong or weak `X`, the three-valued μ, the weak and the strong view.

use super::cells::{Cell, CellId, Root};
use super::monitor::Monitor;
use super::value::Verdict;
use crate::eval::LastNext;

impl Monitor {
    /// FLTL: the trace is all there is. Of an empty trace nothing is said.
    pub fn finite_verdicts(&mut self, last_next: LastNext) -> Vec<Verdict> {
        self.absorb();
        if self.length == 0 {
            return self.on_cells(|_, _| Verdict::Inconclusive);
        }
        let width = self.cells.len();
        let (mut next, mut row) = (vec![false; width], vec![false; width]);
        for column in (0..self.columns.len()).rev() {
            let is_last = column + 1 == self.columns.len();
            for id in 0..width {
                row[id] = match self.decision(column, id as CellId) {
                    Some(value) => value,
                    None => finite(self.cells.cells[id], id, &row, &next, is_last, last_next),
                };
            }
            std::mem::swap(&mut next, &mut row);
        }
        self.on_cells(|_, cell| Verdict::of(next[cell as usize]))
    }

    /// μ: true or false if that is seen without recognising tautologies and contradictions (a polynomial part of LTL₃).
    pub fn plain_verdicts(&mut self) -> Vec<Verdict> {
        self.absorb();
        self.on_cells(|monitor, cell| monitor.first(cell).map_or(Verdict::Inconclusive, Verdict::of))
    }

    /// The weak view: an open end satisfies everything.
    pub fn weak_verdicts(&mut self) -> Vec<Verdict> {
        self.absorb();
        self.on_cells(|monitor, cell| Verdict::of(monitor.first(cell) != Some(false)))
    }

    /// The strong view: an open end satisfies nothing.
    pub fn strong_verdicts(&mut self) -> Vec<Verdict> {
        self.absorb();
        self.on_cells(|monitor, cell| Verdict::of(monitor.first(cell) == Some(true)))
    }

    /// The decided value of a cell in the first step.
    pub(super) fn first(&self, cell: CellId) -> Option<bool> {
        if self.columns.is_empty() { None } else { self.decision(0, cell) }
    }

    pub(super) fn on_cells(&self, verdict: impl Fn(&Monitor, CellId) -> Verdict) -> Vec<Verdict> {
        let of_root = |root: &Root| match root {
            Root::Constant(value) => Verdict::of(*value),
            Root::Cell(cell) => verdict(self, *cell),
        };
        self.cells.roots.iter().map(of_root).collect()
    }
}

/// The value of a cell that is not decided, if the trace is all there is.
fn finite(cell: Cell, id: usize, row: &[bool], next: &[bool], is_last: bool, last_next: LastNext) -> bool {
    let at = |id: CellId| row[id as usize];
    let after = |id: usize, beyond: bool| if is_last { beyond } else { next[id] };
    match cell {
        Cell::Atom(_) => unreachable!("propositions are decided in every step"),
        Cell::Not(argument) => !at(argument),
        Cell::And(left, right) => at(left) && at(right),
        Cell::Or(left, right) => at(left) || at(right),
        Cell::Implies(left, right) => !at(left) || at(right),
        Cell::Next { argument, .. } => after(argument as usize, last_next == LastNext::Weak),
        Cell::Finally(argument) => at(argument) || after(id, false),
        Cell::Globally(argument) => at(argument) && after(id, true),
        Cell::Until { left, right, .. } => at(right) || (at(left) && after(id, false)),
        Cell::Release { left, right, .. } => at(right) && (at(left) || after(id, true)),
    }
}
