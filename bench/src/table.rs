//! Result tables: rows of measured seconds with ratios to our own figure.

use std::fmt;
use std::time::{Duration, Instant};

use crate::programs::processor_time;

/// A table of measurements.
pub(crate) struct Table {
    title: String,
    /// The names of the columns after the first.
    columns: Vec<String>,
    rows: Vec<(String, Vec<String>)>,
}

impl Table {
    pub(crate) fn new(title: &str, columns: &[&str]) -> Table {
        Table { title: title.into(), columns: columns.iter().map(|&column| column.into()).collect(), rows: Vec::new() }
    }

    pub(crate) fn row(&mut self, name: impl Into<String>, cells: Vec<String>) {
        assert_eq!(cells.len(), self.columns.len(), "a row has a cell for every column");
        self.rows.push((name.into(), cells));
    }
}

/// Markdown, so that a result can be kept as it is printed.
impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let first = self.rows.iter().map(|(name, _)| name.len()).chain([4]).max().unwrap_or(4);
        let width = |column: usize| {
            let cells = self.rows.iter().map(|(_, cells)| cells[column].chars().count());
            cells.chain([self.columns[column].len()]).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.columns.len()).map(width).collect();
        writeln!(f, "## {}\n", self.title)?;
        write!(f, "| {:first$} |", "case")?;
        for (column, width) in self.columns.iter().zip(&widths) {
            write!(f, " {column:>width$} |")?;
        }
        write!(f, "\n|{:-<1$}|", "", first + 2)?;
        for width in &widths {
            write!(f, "{:->1$}:|", "", width + 1)?;
        }
        for (name, cells) in &self.rows {
            write!(f, "\n| {name:first$} |")?;
            for (cell, width) in cells.iter().zip(&widths) {
                write!(f, " {cell:>width$} |")?;
            }
        }
        writeln!(f)
    }
}

/// Runs `work` and returns its result with the time it took.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed())
}

/// Runs `work` and returns its result with the processor time it took: other programs on the machine do not count.
pub(crate) fn busy<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let before = processor_time();
    let result = work();
    (result, processor_time().saturating_sub(before))
}

pub(crate) fn seconds(time: Duration) -> String {
    format!("{:.3} s", time.as_secs_f64())
}

/// The step in which processor time is counted.
const TICK: Duration = Duration::from_millis(10);

/// How many times the peer's time ours is; a bound where ours was too short to be counted.
pub(crate) fn ratio(peer: Duration, ours: Duration) -> String {
    if ours.is_zero() {
        return format!("> {:.1}x", peer.as_secs_f64() / TICK.as_secs_f64());
    }
    format!("{:.1}x", peer.as_secs_f64() / ours.as_secs_f64())
}
