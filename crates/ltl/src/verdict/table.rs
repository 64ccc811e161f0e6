//! The table of a trace: the pair and the verdict of every subformula in every step and after the end.

use super::cells::CellId;
use super::count::Pair;
use super::monitor::Monitor;
use super::value::Verdict;

/// A row of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The subformula.
    pub formula: String,
    /// Its pair and verdict in every step, and after the end.
    pub entries: Vec<(Pair, Verdict)>,
}

impl Monitor {
    /// The rows of all subformulas, arguments before what is made of them.
    ///
    /// # Panics
    /// If the monitor leaves out steps: see [`Monitor::keeping_all`].
    pub fn table(&mut self) -> Vec<Row> {
        assert!(self.columns.len() as u64 == self.length, "a table needs every step");
        self.absorb();
        let exact = self.exact_pairs();
        let ranks = self.ranks();
        let width = self.cells.len();
        let row = |id: CellId| {
            let entry = |column: usize| {
                let pair = exact[column * width + id as usize].earlier(self.position(column));
                (pair, Verdict::from_rank(ranks.at(column, id)))
            };
            Row { formula: self.cells.show(id), entries: (0..=self.columns.len()).map(entry).collect() }
        };
        (0..width as CellId).filter(|&id| self.cells.written[id as usize]).map(row).collect()
    }
}
