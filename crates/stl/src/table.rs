//! Sampled signals as tables: `time,x,y` and one line for each sample.
//!
//! Real signals are straight between samples; a Boolean signal keeps the value of a sample up to the next one. Times count from the
//! first sample.

use source::{Diagnostic, Source, Span};
use value::{RBig, Sort};

use crate::codes;
use crate::number::{read_sample, write_number};
use crate::signal::{SignalValue, Step, Trace};
use crate::spec::Spec;

/// The number of errors after which reading stops.
const ERROR_LIMIT: usize = 20;

/// The trace that a table holds.
///
/// # Errors
/// What is wrong with the table.
pub fn read_table(table: &Source, spec: &Spec) -> Result<Trace, Vec<Diagnostic>> {
    let mut lines = lines(table.text()).filter(|line| !table.slice(*line).trim().is_empty());
    let Some(header) = lines.next() else {
        let error = Diagnostic::error(&codes::SIGNAL_SYNTAX, Span::default(), "the table is empty");
        return Err(vec![error.help("The first line names the columns: `time,x,y`.")]);
    };
    let text = table.slice(header);
    let separator = [',', ';', '\t'].into_iter().find(|&separator| text.contains(separator)).unwrap_or(',');
    let columns = columns(table, header, separator, spec)?;
    let mut reader = Reader::new(table, spec, separator, columns);
    for line in lines {
        reader.line(line);
        if ERROR_LIMIT <= reader.errors.len() {
            break;
        }
    }
    reader.finish(header)
}

/// The trace as a table with a line for every point; Boolean values are those from that time on.
pub fn write_table(spec: &Spec, trace: &Trace) -> String {
    let mut times: Vec<&RBig> = vec![&trace.end];
    for signal in &trace.signals {
        match signal {
            SignalValue::Real(points) => times.extend(points.iter().map(|point| &point.0)),
            SignalValue::Bool(steps) => times.extend(steps.iter().map(|step| &step.time)),
        }
    }
    times.sort();
    times.dedup();
    let names: Vec<&str> = spec.signals.iter().map(|signal| signal.name.as_str()).collect();
    let mut text = format!("time,{}\n", names.join(","));
    for time in times {
        text += &write_number(time);
        for signal in &trace.signals {
            text.push(',');
            text += &match signal {
                SignalValue::Real(points) => write_number(&crate::signal::value_at(points, time)),
                SignalValue::Bool(steps) => crate::signal::truth_at(steps, time).1.to_string(),
            };
        }
        text.push('\n');
    }
    text
}

fn lines(text: &str) -> impl Iterator<Item = Span> + '_ {
    let mut start = 0;
    text.split_inclusive('\n').map(move |line| {
        let span = Span::new(start, start + line.trim_end_matches(['\n', '\r']).len());
        start += line.len();
        span
    })
}

fn fields(table: &Source, line: Span, separator: char) -> impl Iterator<Item = Span> + '_ {
    let mut start = line.start as usize;
    table.slice(line).split(separator).map(move |field| {
        let inner = field.trim().trim_matches('"').trim();
        let lead = inner.as_ptr() as usize - field.as_ptr() as usize;
        let span = Span::new(start + lead, start + lead + inner.len());
        start += field.len() + separator.len_utf8();
        span
    })
}

/// The column of the time, and that of each signal.
struct Columns {
    time: usize,
    signals: Vec<usize>,
}

fn columns(table: &Source, header: Span, separator: char, spec: &Spec) -> Result<Columns, Vec<Diagnostic>> {
    let names: Vec<Span> = fields(table, header, separator).collect();
    let mut errors = Vec::new();
    let mut find = |wanted: &str, accept: &dyn Fn(&str) -> bool| {
        let found: Vec<usize> = (0..names.len()).filter(|&place| accept(table.slice(names[place]))).collect();
        match found.as_slice() {
            [] => {
                let message = format!("the table has no column `{wanted}`");
                errors.push(Diagnostic::error(&codes::SIGNAL_COLUMN, header, message).label("the columns"));
            }
            [_] => {}
            [first, second, ..] => {
                let message = format!("the table has two columns `{wanted}`");
                let error = Diagnostic::error(&codes::SIGNAL_COLUMN, names[*second], message);
                errors.push(error.also(names[*first], "the first"));
            }
        }
        found.first().copied().unwrap_or(0)
    };
    let time = find("time", &|name| matches!(name, "time" | "t" | "Time" | "timestamp"));
    let signals = spec.signals.iter().map(|signal| find(&signal.name, &|name| name == signal.name)).collect();
    if errors.is_empty() { Ok(Columns { time, signals }) } else { Err(errors) }
}

struct Reader<'a> {
    table: &'a Source,
    spec: &'a Spec,
    separator: char,
    columns: Columns,
    origin: Option<RBig>,
    last: Option<(RBig, Span)>,
    signals: Vec<SignalValue>,
    errors: Vec<Diagnostic>,
}

impl<'a> Reader<'a> {
    fn new(table: &'a Source, spec: &'a Spec, separator: char, columns: Columns) -> Reader<'a> {
        let empty = |signal: &crate::spec::Signal| match signal.sort == Sort::Bool {
            true => SignalValue::Bool(Vec::new()),
            false => SignalValue::Real(Vec::new()),
        };
        let signals = spec.signals.iter().map(empty).collect();
        Reader { table, spec, separator, columns, origin: None, last: None, signals, errors: Vec::new() }
    }

    fn line(&mut self, line: Span) {
        let fields: Vec<Span> = fields(self.table, line, self.separator).collect();
        let Some(time) = self.time(line, &fields) else { return };
        for (place, signal) in self.spec.signals.iter().enumerate() {
            let Some(&field) = fields.get(self.columns.signals[place]) else {
                let message = format!("there is no value for `{}` in this line", signal.name);
                self.errors.push(Diagnostic::error(&codes::SIGNAL_VALUE, line, message));
                continue;
            };
            let text = self.table.slice(field);
            let read = match &mut self.signals[place] {
                SignalValue::Real(points) => read_sample(text).map(|value| points.push((time.clone(), value))),
                SignalValue::Bool(steps) => {
                    read_truth(text).map(|value| steps.push(Step { time: time.clone(), at: value, after: value }))
                }
            };
            if read.is_none() {
                let sort = if signal.sort == Sort::Bool { "a truth value" } else { "a number" };
                let message = match text {
                    "" => format!("`{}` has no value here", signal.name),
                    text => format!("`{}` is not {sort}", text.chars().take(24).collect::<String>()),
                };
                let place = if text.is_empty() { line } else { field };
                self.errors.push(Diagnostic::error(&codes::SIGNAL_VALUE, place, message));
            }
        }
    }

    /// The time of a line, counted from the first.
    fn time(&mut self, line: Span, fields: &[Span]) -> Option<RBig> {
        let field = fields.get(self.columns.time).copied().unwrap_or(line);
        let text = self.table.slice(field);
        let Some(time) = read_sample(text) else {
            let message = format!("the time `{}` is not a number", text.chars().take(24).collect::<String>());
            let place = if text.is_empty() { line } else { field };
            self.errors.push(Diagnostic::error(&codes::SIGNAL_VALUE, place, message));
            return None;
        };
        if let Some((last, place)) = &self.last
            && time <= *last
        {
            let word = if time == *last { "repeats the one before" } else { "lies before the one above" };
            let message = format!("the time {} {word}", write_number(&time));
            let error = Diagnostic::error(&codes::SIGNAL_TIME, field, message).also(*place, "the time before");
            self.errors.push(error);
            return None;
        }
        self.last = Some((time.clone(), field));
        let origin = self.origin.get_or_insert_with(|| time.clone());
        Some(time - &*origin)
    }

    fn finish(self, header: Span) -> Result<Trace, Vec<Diagnostic>> {
        if !self.errors.is_empty() {
            return Err(self.errors);
        }
        match (self.last, self.origin) {
            (Some((last, _)), Some(origin)) => Ok(Trace { signals: self.signals, end: last - origin }),
            _ => {
                let message = "the table has no samples";
                Err(vec![Diagnostic::error(&codes::SIGNAL_SYNTAX, header, message).label("only the columns")])
            }
        }
    }
}

fn read_truth(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "1" | "1.0" | "t" => Some(true),
        "false" | "0" | "0.0" | "f" => Some(false),
        _ => None,
    }
}
