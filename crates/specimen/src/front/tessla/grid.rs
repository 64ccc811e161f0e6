//! The grid: one column for each time at which something happens, one row for each named stream.

use std::fmt::Write as _;

use tessla::core::{Spec, StreamId};
use tessla::show::Shown;
use tessla::value::Value;

/// Longer values are cut.
const LONGEST: usize = 24;

/// A grid, filled step by step.
pub(super) struct Grid {
    rows: Vec<(String, StreamId, Vec<String>)>,
    times: Vec<i64>,
}

impl Grid {
    /// A row for each input, output and named definition of the user's, in this order.
    pub(super) fn new(spec: &Spec) -> Grid {
        let mut rows: Vec<(String, StreamId, Vec<String>)> = Vec::new();
        let mut add = |name: String, id: StreamId| {
            if !rows.iter().any(|(known, stream, _)| *stream == id || *known == name) {
                rows.push((name, id, Vec::new()));
            }
        };
        for id in &spec.inputs {
            add(spec.stream(*id).name.clone().unwrap_or_default(), *id);
        }
        for (id, stream) in spec.streams() {
            if let Some(name) = &stream.name
                && spec.is_user(stream.origin)
                && !spec.outputs.iter().any(|output| output.stream == id)
            {
                add(name.clone(), id);
            }
        }
        for output in &spec.outputs {
            add(output.name.clone().unwrap_or_else(|| "print".to_owned()), output.stream);
        }
        Grid { rows, times: Vec::new() }
    }

    /// A column, unless nothing happens in it.
    pub(super) fn add(&mut self, time: i64, event: impl Fn(StreamId) -> Option<Value>) {
        if self.rows.iter().all(|(_, id, _)| event(*id).is_none()) {
            return;
        }
        self.times.push(time);
        for (_, id, cells) in &mut self.rows {
            cells.push(event(*id).as_ref().map(cell).unwrap_or_default());
        }
    }

    pub(super) fn to_text(&self) -> String {
        let head = "#times:";
        let name_width = self.rows.iter().map(|(name, _, _)| name.chars().count()).max().unwrap_or(0).max(head.len());
        let width = |column: usize| {
            let cells = self.rows.iter().map(|(_, _, cells)| cells[column].chars().count());
            cells.max().unwrap_or(0).max(self.times[column].to_string().len())
        };
        let widths: Vec<usize> = (0..self.times.len()).map(width).collect();
        let mut text = format!("{head:<name_width$}");
        for (time, width) in self.times.iter().zip(&widths) {
            let _ = write!(text, "  {time:>width$}");
        }
        text.push('\n');
        for (name, _, cells) in &self.rows {
            let mut line = format!("{name:<name_width$}");
            for (cell, width) in cells.iter().zip(&widths) {
                let _ = write!(line, "  {cell:>width$}");
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}

fn cell(value: &Value) -> String {
    let text = Shown(value).to_string();
    if text.chars().count() <= LONGEST {
        return text;
    }
    text.chars().take(LONGEST - 1).chain(['…']).collect()
}
