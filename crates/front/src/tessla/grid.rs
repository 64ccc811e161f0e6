//! The grid: one column for each time at which something happens, one row for each instance of a named stream or of a call.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use tessla::core::{FunctionId, NodeId, NodeKind, Spec, StreamId};
use tessla::interp::{Monitor, Observer};
use tessla::place::Origin;
use tessla::show::Shown;
use tessla::value::Value;

/// Longer values are cut.
const LONGEST: usize = 24;

/// Longer names of values are cut.
const LONGEST_NAME: usize = 40;

/// A grid, filled step by step.
pub(super) struct Grid {
    rows: Vec<(String, Row, Vec<String>)>,
    times: Vec<i64>,
}

/// What a row shows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Row {
    Stream(StreamId),
    /// A value inside the function of a lift.
    Value(FunctionId, NodeId),
}

impl Grid {
    /// A row for each input, named definition, call and output of the user's, in this order, and for the values in lifted functions
    /// where they are wanted. Where several have one name, each says which calls lead to it.
    pub(super) fn new(spec: &Spec, values: bool) -> Grid {
        let mut named: Vec<(String, Row, Origin)> = Vec::new();
        let is_output = |id: StreamId| spec.outputs.iter().any(|output| output.stream == id);
        let mut add = |name: String, id: StreamId, origin: Origin| {
            if !named.iter().any(|(_, row, _)| *row == Row::Stream(id)) {
                named.push((name, Row::Stream(id), origin));
            }
        };
        for id in &spec.inputs {
            add(spec.stream(*id).name.clone().unwrap_or_default(), *id, spec.stream(*id).origin);
        }
        for (id, stream) in spec.streams() {
            if let Some(name) = &stream.name
                && spec.is_user(stream.origin)
                && !is_output(id)
            {
                add(name.clone(), id, stream.origin);
            }
        }
        for result in spec.results.iter().filter(|result| !is_output(result.stream)) {
            add(cut(written(spec, result.call), LONGEST_NAME), result.stream, result.call);
        }
        for output in &spec.outputs {
            let name = output.name.clone().unwrap_or_else(|| "print".to_owned());
            add(name, output.stream, spec.stream(output.stream).origin);
        }
        if values {
            named.extend(values_of(spec));
        }
        let mut rows: Vec<(String, Row, Vec<String>)> = Vec::with_capacity(named.len());
        for (name, row, origin) in &named {
            let shared = named.iter().filter(|(other, _, _)| other == name).count() > 1;
            let title = if shared { title(spec, name, *origin) } else { name.clone() };
            let same = rows.iter().filter(|(known, _, _)| *known == title).count();
            rows.push((if same == 0 { title } else { format!("{title} {}", same + 1) }, *row, Vec::new()));
        }
        Grid { rows, times: Vec::new() }
    }

    /// A column of what a run shows at its latest time, unless nothing happens in it.
    pub(super) fn add(&mut self, monitor: &Monitor<'_, Inside>) {
        let event = |row: &Row| match row {
            Row::Stream(id) => monitor.event(*id),
            Row::Value(function, node) => monitor.observer().values.get(&(*function, *node)).cloned(),
        };
        if self.rows.iter().all(|(_, row, _)| event(row).is_none()) {
            return;
        }
        self.times.push(monitor.time().unwrap_or(0));
        for (_, row, cells) in &mut self.rows {
            cells.push(event(row).as_ref().map(cell).unwrap_or_default());
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

/// The values of lifted functions that stand in the user's text, but for constants and what comes in.
fn values_of(spec: &Spec) -> Vec<(String, Row, Origin)> {
    let mut found = Vec::new();
    for (function, id) in spec.functions.iter().zip(0u32..) {
        for (node, index) in function.nodes.iter().zip(0u32..) {
            let is_given = matches!(node.kind, NodeKind::Constant(_) | NodeKind::Parameter(_));
            if !is_given && spec.is_user(node.origin) && node.origin != Origin::default() {
                let row = Row::Value(FunctionId(id), NodeId(index));
                found.push((format!("  {}", cut(written(spec, node.origin), LONGEST_NAME)), row, node.origin));
            }
        }
    }
    found
}

/// What stands at a place, on one line.
fn written(spec: &Spec, origin: Origin) -> String {
    spec.files.slice(origin.place).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Keeps the values of one time.
#[derive(Debug, Default)]
pub(super) struct Inside {
    functions: Vec<FunctionId>,
    values: BTreeMap<(FunctionId, NodeId), Value>,
}

impl Observer for Inside {
    const ACTIVE: bool = true;

    fn step(&mut self, _time: i64) {
        self.values.clear();
    }

    fn enter(&mut self, function: FunctionId) {
        self.functions.push(function);
    }

    fn node(&mut self, node: NodeId, value: &Value) {
        if let Some(function) = self.functions.last() {
            self.values.insert((*function, node), value.clone());
        }
    }

    fn decide(&mut self, _node: NodeId, _outcome: bool) {}

    fn leave(&mut self) {
        self.functions.pop();
    }
}

/// A name with the calls that lead to it, outermost first.
fn title(spec: &Spec, name: &str, origin: Origin) -> String {
    let path = spec.path(origin);
    let calls = path.iter().filter(|step| step.name != "=>").map(|step| {
        let place = spec.files.source(step.call.file).place(step.call.span.start);
        format!("{} at {}:{}", step.name, place.line, place.column)
    });
    let calls: Vec<String> = calls.collect();
    if calls.is_empty() { name.to_owned() } else { format!("{name} ({})", calls.join(" > ")) }
}

fn cell(value: &Value) -> String {
    cut(Shown(value).to_string(), LONGEST)
}

fn cut(text: String, longest: usize) -> String {
    if text.chars().count() <= longest {
        return text;
    }
    text.chars().take(longest - 1).chain(['…']).collect()
}
