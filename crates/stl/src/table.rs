//! Sampled signals as tables: `time,x,y` and one line for each sample.
//!
//! Real signals are straight between samples; a Boolean signal keeps the value of a sample up to the next one. Times count from the
//! first sample.

use source::{Code, Diagnostic, Source, Span};
use value::{RBig, Sort};

use crate::codes;
use crate::number::{read_sample, write_number};
use crate::signal::{SignalValue, Step, Trace};
use crate::spec::{Signal, Spec};
use crate::stream::Value;

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
    let shown = |flaws: Vec<Flaw>, line: Span, before: Option<Span>| -> Vec<Diagnostic> {
        flaws.into_iter().map(|flaw| flaw.diagnostic(line.start as usize, before)).collect()
    };
    let mut rows = Rows::new(table.slice(header), spec).map_err(|flaws| shown(flaws, header, None))?;
    let empty = |signal: &Signal| match signal.sort == Sort::Bool {
        true => SignalValue::Bool(Vec::new()),
        false => SignalValue::Real(Vec::new()),
    };
    let mut signals: Vec<SignalValue> = spec.signals.iter().map(empty).collect();
    let mut end = None;
    let mut before = None;
    let mut errors: Vec<Diagnostic> = Vec::new();
    for line in lines {
        match rows.row(table.slice(line)) {
            Ok(row) => {
                for (signal, value) in signals.iter_mut().zip(row.values) {
                    match (signal, value) {
                        (SignalValue::Real(points), Value::Real(value)) => points.push((row.time.clone(), value)),
                        (SignalValue::Bool(steps), Value::Bool(value)) => {
                            steps.push(Step { time: row.time.clone(), at: value, after: value });
                        }
                        _ => unreachable!("a row has the sorts of its signals"),
                    }
                }
                before = Some(moved(row.place, line.start as usize));
                end = Some(row.time);
            }
            Err(flaws) => errors.extend(shown(flaws, line, before)),
        }
        if ERROR_LIMIT <= errors.len() {
            break;
        }
    }
    match end {
        _ if !errors.is_empty() => Err(errors),
        Some(end) => Ok(Trace { signals, end }),
        None => {
            let message = "the table has no samples";
            Err(vec![Diagnostic::error(&codes::SIGNAL_SYNTAX, header, message).label("only the columns")])
        }
    }
}

fn moved(span: Span, by: usize) -> Span {
    Span::new(span.start as usize + by, span.end as usize + by)
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

/// The fields of a line, without blanks and quotes, and where they stand in it.
fn fields(line: &str, separator: char) -> impl Iterator<Item = (usize, &str)> {
    line.split(separator).map(move |field| {
        let inner = field.trim().trim_matches('"').trim();
        (inner.as_ptr() as usize - line.as_ptr() as usize, inner)
    })
}

/// What is wrong with a line.
#[derive(Clone, Debug)]
pub struct Flaw {
    code: &'static Code,
    /// The place in the line.
    span: Span,
    message: String,
    label: Option<&'static str>,
    /// An earlier place in the line that belongs to it.
    also: Option<(Span, &'static str)>,
}

impl Flaw {
    fn new(code: &'static Code, place: usize, length: usize, message: String) -> Flaw {
        Flaw { code, span: Span::new(place, place + length), message, label: None, also: None }
    }

    /// The diagnostic, for a line that begins at `start`, after a line whose time stands at `before`.
    pub fn diagnostic(self, start: usize, before: Option<Span>) -> Diagnostic {
        let mut error = Diagnostic::error(self.code, moved(self.span, start), self.message);
        if let Some(label) = self.label {
            error = error.label(label);
        }
        if let Some((span, words)) = self.also {
            error = error.also(moved(span, start), words);
        }
        match before {
            Some(before) if self.code.id == codes::SIGNAL_TIME.id => error.also(before, "the time before"),
            _ => error,
        }
    }
}

/// A sample as a line of a table has it.
#[derive(Clone, Debug)]
pub struct Row {
    /// The time, counted from the first sample.
    pub time: RBig,
    /// Where the time stands in the line.
    pub place: Span,
    /// A value for every signal.
    pub values: Vec<Value>,
}

/// Reads the lines of a table one by one.
pub struct Rows<'a> {
    spec: &'a Spec,
    separator: char,
    /// The column of the time.
    time: usize,
    /// The column of each signal.
    signals: Vec<usize>,
    origin: Option<RBig>,
    last: Option<RBig>,
}

impl<'a> Rows<'a> {
    /// For a table with this first line.
    ///
    /// # Errors
    /// When columns are missing or named twice.
    pub fn new(header: &str, spec: &'a Spec) -> Result<Rows<'a>, Vec<Flaw>> {
        let separator = [',', ';', '\t'].into_iter().find(|&separator| header.contains(separator)).unwrap_or(',');
        let names: Vec<(usize, &str)> = fields(header, separator).collect();
        let mut flaws = Vec::new();
        let mut find = |wanted: &str, accept: &dyn Fn(&str) -> bool| {
            let found: Vec<usize> = (0..names.len()).filter(|&place| accept(names[place].1)).collect();
            match found.as_slice() {
                [] => {
                    let message = format!("the table has no column `{wanted}`");
                    let flaw = Flaw::new(&codes::SIGNAL_COLUMN, 0, header.len(), message);
                    flaws.push(Flaw { label: Some("the columns"), ..flaw });
                }
                [_] => {}
                [first, second, ..] => {
                    let message = format!("the table has two columns `{wanted}`");
                    let (first, second) = (names[*first], names[*second]);
                    let span = Span::new(first.0, first.0 + first.1.len());
                    let flaw = Flaw::new(&codes::SIGNAL_COLUMN, second.0, second.1.len(), message);
                    flaws.push(Flaw { also: Some((span, "the first")), ..flaw });
                }
            }
            found.first().copied().unwrap_or(0)
        };
        // A column that is a signal counts as that, unless nothing else tells the time.
        let is_time = |name: &str| matches!(name, "time" | "t" | "Time" | "timestamp");
        let is_signal = |name: &str| spec.signal(name).is_some();
        let apart = names.iter().any(|(_, name)| is_time(name) && !is_signal(name));
        let time = find("time", &|name| is_time(name) && !(apart && is_signal(name)));
        let signals = spec.signals.iter().map(|signal| find(&signal.name, &|name| name == signal.name)).collect();
        if flaws.is_empty() {
            Ok(Rows { spec, separator, time, signals, origin: None, last: None })
        } else {
            Err(flaws)
        }
    }

    /// The sample of a line.
    ///
    /// # Errors
    /// What is wrong with it; the line counts as not there then.
    pub fn row(&mut self, line: &str) -> Result<Row, Vec<Flaw>> {
        let fields: Vec<(usize, &str)> = fields(line, self.separator).collect();
        let (time, place) = self.row_time(line, &fields).map_err(|flaw| vec![flaw])?;
        let (mut values, mut flaws) = (Vec::with_capacity(self.signals.len()), Vec::new());
        for (signal, column) in self.spec.signals.iter().zip(&self.signals) {
            let Some(&(start, text)) = fields.get(*column) else {
                let message = format!("no value is given for `{}` in this line", signal.name);
                flaws.push(Flaw::new(&codes::SIGNAL_VALUE, 0, line.len(), message));
                continue;
            };
            let value = match signal.sort == Sort::Bool {
                true => read_truth(text).map(Value::Bool),
                false => self.number(text).map(Value::Real),
            };
            let Some(value) = value else {
                let sort = if signal.sort == Sort::Bool { "a truth value" } else { "a number" };
                flaws.push(match text {
                    "" => {
                        let message = format!("`{}` has no value here", signal.name);
                        Flaw::new(&codes::SIGNAL_VALUE, 0, line.len(), message)
                    }
                    text => {
                        let message = format!("`{}` is not {sort}", text.chars().take(24).collect::<String>());
                        Flaw::new(&codes::SIGNAL_VALUE, start, text.len(), message)
                    }
                });
                continue;
            };
            values.push(value);
        }
        if flaws.is_empty() { Ok(Row { time, place, values }) } else { Err(flaws) }
    }

    /// A number; where semicolons separate the fields, with a decimal comma as well.
    fn number(&self, text: &str) -> Option<RBig> {
        match self.separator {
            ';' if text.matches(',').count() == 1 && !text.contains('.') => read_sample(&text.replace(',', ".")),
            _ => read_sample(text),
        }
    }

    /// The time of a line, counted from the first, and where it stands.
    fn row_time(&mut self, line: &str, fields: &[(usize, &str)]) -> Result<(RBig, Span), Flaw> {
        let (start, text) = fields.get(self.time).copied().unwrap_or((0, line));
        let Some(time) = self.number(text) else {
            let message = format!("the time `{}` is not a number", text.chars().take(24).collect::<String>());
            let (start, length) = if text.is_empty() { (0, line.len()) } else { (start, text.len()) };
            return Err(Flaw::new(&codes::SIGNAL_VALUE, start, length, message));
        };
        if let Some(last) = &self.last
            && time <= *last
        {
            let word = if time == *last { "repeats the one before" } else { "lies before the one above" };
            let message = format!("the time {} {word}", write_number(&time));
            return Err(Flaw::new(&codes::SIGNAL_TIME, start, text.len(), message));
        }
        self.last = Some(time.clone());
        let origin = self.origin.get_or_insert_with(|| time.clone());
        Ok((time - &*origin, Span::new(start, start + text.len())))
    }
}

fn read_truth(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "1" | "1.0" | "t" => Some(true),
        "false" | "0" | "0.0" | "f" => Some(false),
        _ => None,
    }
}
