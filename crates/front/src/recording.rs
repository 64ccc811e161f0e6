//! Recordings of systems in forms that are not of one language: value change dumps and JSON lines, as values with times.

mod dump;
mod json_lines;

use std::path::Path;

use source::Span;
use value::RBig;

pub(crate) use dump::read_dump;
pub(crate) use json_lines::read_json_lines;

/// The forms of recordings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// A head of names and a line for each sample.
    Table,
    /// A JSON object for each sample.
    JsonLines,
    /// A value change dump.
    Dump,
}

impl Form {
    /// The form that an extension names; everything else is a table.
    pub(crate) fn of(path: &Path) -> Form {
        match path.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase()).as_deref() {
            Some("vcd") => Form::Dump,
            Some("jsonl" | "ndjson") => Form::JsonLines,
            _ => Form::Table,
        }
    }
}

/// A value of one of the columns that were asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sample {
    /// When: in the unit of the recording, or in seconds for a dump.
    pub(crate) time: RBig,
    /// Which of the columns.
    pub(crate) column: usize,
    /// The value as text; none where it is not known.
    pub(crate) text: Option<String>,
    /// Where it stands.
    pub(crate) span: Span,
}

/// What was recorded.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recorded {
    /// The samples, in the order of their times.
    pub(crate) samples: Vec<Sample>,
    /// Up to when.
    pub(crate) end: Option<RBig>,
}

/// What is wrong with a recording.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    pub(crate) kind: Kind,
    pub(crate) span: Span,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
}

/// The kinds of problems.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The text is not of its form.
    Syntax,
    /// A column is missing.
    Column,
    /// A value is wrong.
    Value,
    /// The times do not increase.
    Time,
}

impl Problem {
    fn new(kind: Kind, span: Span, message: impl Into<String>) -> Problem {
        Problem { kind, span, message: message.into(), help: None }
    }
}

/// What to say of a column that is not there.
fn missing(wanted: &str, known: &[&str], span: Span) -> Problem {
    let near =
        source::nearest(wanted, known.iter().copied()).map(|near| format!("`--map '{near}={wanted}'` takes `{near}`."));
    let (shown, more) = known.split_at(known.len().min(8));
    let list = || shown.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let listed = match more.len() {
        0 => format!("It has {}.", list()),
        more => format!("It has {} and {more} more.", list()),
    };
    let help = near.unwrap_or(listed);
    Problem { help: Some(help), ..Problem::new(Kind::Column, span, format!("the recording has no signal `{wanted}`")) }
}
