//! The lines of a table: which columns are which, and the samples they hold.

use std::collections::BTreeMap;

use source::{Code, Diagnostic, Span, nearest};
use value::{RBig, Sort};

use super::moved;
use crate::codes;
use crate::number::{read_sample, write_number};
use crate::spec::{Shape, Signal, Spec};
use crate::stream::Value;

/// Which columns of a table are which.
#[derive(Clone, Debug, Default)]
pub struct Columns {
    /// For signals that have another name in the table, the columns.
    pub signals: BTreeMap<String, String>,
    /// The column of the time; otherwise one that is called `time`, `t`, `Time` or `timestamp`, with a unit in brackets or not.
    pub time: Option<String>,
    /// How many seconds the unit of the table's times has; otherwise as the column's name says, or as the formula has it.
    pub unit: Option<RBig>,
}

/// How many seconds a unit of time has that is called so.
pub fn time_unit(name: &str) -> Option<RBig> {
    crate::check::seconds(name)
}

/// Whether a column is called as one of times is, and the unit behind the name.
fn as_time(name: &str) -> Option<Option<RBig>> {
    let (word, unit) = match name.split_once(['[', '(']) {
        Some((word, unit)) => (word.trim_end(), Some(unit.trim_end_matches([']', ')']).trim())),
        None => (name, None),
    };
    let known = matches!(word, "time" | "t" | "Time" | "timestamp" | "Timestamp");
    match unit {
        None => known.then_some(None),
        Some(unit) => time_unit(unit).filter(|_| known).map(Some),
    }
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
    help: Option<String>,
    /// An earlier place in the line that belongs to it.
    also: Option<(Span, &'static str)>,
}

impl Flaw {
    fn new(code: &'static Code, place: usize, length: usize, message: String) -> Flaw {
        Flaw { code, span: Span::new(place, place + length), message, label: None, help: None, also: None }
    }

    /// The diagnostic, for a line that begins at `start`, after a line whose time stands at `before`.
    pub fn diagnostic(self, start: usize, before: Option<Span>) -> Diagnostic {
        let mut error = Diagnostic::error(self.code, moved(self.span, start), self.message);
        if let Some(label) = self.label {
            error = error.label(label);
        }
        if let Some(help) = self.help {
            error = error.help(help);
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
    /// The time, in the unit of the formula.
    pub time: RBig,
    /// Where the time stands in the line.
    pub place: Span,
    /// For every signal its value, if there is one in this line.
    pub values: Vec<Option<Value>>,
}

/// Reads the lines of a table one by one.
pub struct Rows<'a> {
    spec: &'a Spec,
    separator: char,
    /// The column of the time.
    time: usize,
    /// The column of each signal.
    signals: Vec<usize>,
    /// How many units of the formula one unit of the table has.
    factor: RBig,
    last: Option<RBig>,
}

impl<'a> Rows<'a> {
    /// For a table with this first line.
    ///
    /// # Errors
    /// When columns are missing or named twice.
    pub fn new(header: &str, spec: &'a Spec, columns: &Columns) -> Result<Rows<'a>, Vec<Flaw>> {
        let separator = [',', ';', '\t'].into_iter().find(|&separator| header.contains(separator)).unwrap_or(',');
        let names: Vec<(usize, &str)> = fields(header, separator).collect();
        let mut flaws = Vec::new();
        let mut find = |wanted: &str, accept: &dyn Fn(&str) -> bool| {
            let found: Vec<usize> = (0..names.len()).filter(|&place| accept(names[place].1)).collect();
            match found.as_slice() {
                [] => {
                    let message = format!("the table has no column `{wanted}`");
                    let flaw = Flaw::new(&codes::SIGNAL_COLUMN, 0, header.len(), message);
                    let help = missing(wanted, &names);
                    flaws.push(Flaw { label: Some("the columns"), help, ..flaw });
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
        let column = |signal: &'a Signal| columns.signals.get(&signal.name).unwrap_or(&signal.name);
        let is_signal = |name: &str| spec.signals.iter().any(|signal| column(signal) == name);
        let apart = names.iter().any(|(_, name)| as_time(name).is_some() && !is_signal(name));
        let time = match &columns.time {
            Some(column) => find(column, &|name| name == column),
            None => find("time", &|name| as_time(name).is_some() && !(apart && is_signal(name))),
        };
        let signals = spec.signals.iter().map(|signal| find(column(signal), &|name| name == column(signal))).collect();
        if flaws.is_empty() {
            let named = names.get(time).and_then(|(_, name)| as_time(name).flatten());
            let factor = match columns.unit.clone().or(named) {
                Some(unit) => unit / spec.unit.clone().unwrap_or(RBig::ONE),
                None => RBig::ONE,
            };
            Ok(Rows { spec, separator, time, signals, factor, last: None })
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
            if text.is_empty() {
                // No sample at this time.
                values.push(None);
                continue;
            }
            match read_value(signal, text, |text| self.number(text)) {
                Ok(value) => values.push(Some(value)),
                Err(message) => flaws.push(Flaw::new(&codes::SIGNAL_VALUE, start, text.len(), message)),
            }
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

    /// The time of a line, and where it stands.
    fn row_time(&mut self, line: &str, fields: &[(usize, &str)]) -> Result<(RBig, Span), Flaw> {
        let (start, text) = fields.get(self.time).copied().unwrap_or((0, line));
        let Some(time) = self.number(text) else {
            let message = format!("the time `{}` is not a number", text.chars().take(24).collect::<String>());
            let (start, length) = if text.is_empty() { (0, line.len()) } else { (start, text.len()) };
            return Err(Flaw::new(&codes::SIGNAL_VALUE, start, length, message));
        };
        if self.last.as_ref().is_some_and(|last| time < *last) {
            let message = format!("the time {} lies before the one above", write_number(&time));
            return Err(Flaw::new(&codes::SIGNAL_TIME, start, text.len(), message));
        }
        self.last = Some(time.clone());
        let time = if self.factor.is_one() { time } else { time * &self.factor };
        Ok((time, Span::new(start, start + text.len())))
    }

    /// How many units of the formula one unit of the table has.
    pub fn factor(&self) -> &RBig {
        &self.factor
    }
}

/// What to say of a column that is not there.
fn missing(wanted: &str, names: &[(usize, &str)]) -> Option<String> {
    let known = || names.iter().map(|(_, name)| *name).filter(|name| !name.is_empty());
    let near = nearest(wanted, known()).map(str::to_owned);
    // Units and the names of groups stand around the name in many logs.
    let within = || known().find(|name| name.to_lowercase().contains(&wanted.to_lowercase())).map(str::to_owned);
    near.or_else(within).map(|name| match wanted {
        "time" => format!("`--time-column '{name}'` takes that column."),
        _ => format!("`--map '{name}={wanted}'` takes that column."),
    })
}

/// The value that a text writes for a signal.
///
/// # Errors
/// What is wrong with it.
pub fn read_text(signal: &Signal, text: &str) -> Result<Value, String> {
    read_value(signal, text, read_sample)
}

fn read_value(signal: &Signal, text: &str, number: impl Fn(&str) -> Option<RBig>) -> Result<Value, String> {
    let short = || text.chars().take(24).collect::<String>();
    match &signal.shape {
        _ if signal.sort == Sort::Bool => {
            read_truth(text).map(Value::Bool).ok_or_else(|| format!("`{}` is not a truth value", short()))
        }
        Shape::Named(names) => {
            let by_name = names.iter().position(|name| name == text);
            // Logs hold the numbers of the values as often as their names.
            let by_number = || text.parse::<usize>().ok().filter(|place| *place < names.len());
            let place = by_name.or_else(by_number).map(|place| Value::Real(RBig::from(place)));
            place.ok_or_else(|| format!("`{}` is no value of `{}`: {}", short(), signal.name, names.join(", ")))
        }
        Shape::Straight | Shape::Steps => {
            number(text).map(Value::Real).ok_or_else(|| format!("`{}` is not a number", short()))
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
