//! Traces: finite sequences of steps, read from files a step at a time.

mod csv;
mod dump_atom;
mod json_lines;
mod lines;
mod vcd;
mod waves;

use std::io::{self, BufRead};

use source::{Diagnostic, Rejection, Source};

use crate::codes;
use source::nearest;

/// A written form of traces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A head of names, then a line of values for every step.
    Csv,
    /// A JSON object (values by name) or array (the names of what is true) for every step.
    JsonLines,
    /// A value change dump.
    Vcd,
    /// A line `name: T--T` for every signal.
    Waves,
}

/// How a value change dump is read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Dump<'a> {
    /// The signal whose rising edges are the steps; otherwise every time with a change is one.
    pub clock: Option<&'a str>,
    /// The signal that is true while the system is reset, or false if its name begins with `!`: such steps are none of the trace.
    pub reset: Option<&'a str>,
    /// What unknown and undriven values are.
    pub unknown: Unknown,
}

/// What values are that a dump does not know (x) or nobody drives (z).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unknown {
    /// A mistake.
    #[default]
    Error,
    /// False.
    False,
    /// A reason to leave the step out.
    Ignore,
}

/// Why a trace cannot be read.
#[derive(Debug)]
pub enum TraceError {
    /// The text is wrong.
    Rejected(Box<Rejection>),
    /// The file cannot be read.
    Io(io::Error),
}

/// Something to say about a trace that does not stop it from being read.
#[derive(Clone, Debug)]
pub struct Warning {
    /// The text that it is about, or enough of it.
    pub source: Source,
    /// What there is to say.
    pub diagnostic: Diagnostic,
}

/// A trace that is read step by step.
pub struct Trace<'a> {
    steps: Box<dyn Steps + 'a>,
    warnings: Vec<Warning>,
}

/// What a format must do.
trait Steps {
    /// The values of the next step, or that there is none.
    fn next(&mut self, letter: &mut [bool], warnings: &mut Vec<Warning>) -> Result<bool, TraceError>;

    /// The time of the step that was read last, and its unit, where the format has times.
    fn time(&self) -> Option<(u64, &str)> {
        None
    }
}

impl Format {
    /// The format of files with this extension, written without its dot.
    pub fn from_extension(extension: &str) -> Option<Format> {
        match extension {
            "csv" => Some(Format::Csv),
            "jsonl" | "ndjson" => Some(Format::JsonLines),
            "vcd" => Some(Format::Vcd),
            "trace" | "waves" => Some(Format::Waves),
            _ => None,
        }
    }
}

impl<'a> Trace<'a> {
    /// Opens a trace called `name`. A letter will hold the values of `signals` in their order. `dump` is about value change dumps.
    ///
    /// # Errors
    /// When the head is wrong.
    pub fn open(
        name: &str,
        input: impl BufRead + 'a,
        format: Format,
        signals: &[&str],
        dump: Dump<'_>,
    ) -> Result<Trace<'a>, TraceError> {
        let lines = lines::Lines::new(name, input);
        let wanted: Vec<String> = signals.iter().map(|signal| (*signal).to_owned()).collect();
        let mut warnings = Vec::new();
        let steps: Box<dyn Steps + 'a> = match format {
            Format::Csv => Box::new(csv::Csv::open(lines, &wanted, &mut warnings)?),
            Format::JsonLines => Box::new(json_lines::JsonLines::new(lines, wanted)),
            Format::Vcd => Box::new(vcd::Vcd::open(lines, &wanted, dump)?),
            Format::Waves => Box::new(waves::Waves::open(lines, &wanted, &mut warnings)?),
        };
        Ok(Trace { steps, warnings })
    }

    /// Reads the next step into `letter`; false at the end.
    ///
    /// # Errors
    /// When the text is wrong.
    pub fn next(&mut self, letter: &mut [bool]) -> Result<bool, TraceError> {
        self.steps.next(letter, &mut self.warnings)
    }

    /// The time of the step that was read last, and its unit, where the format has times.
    pub fn time(&self) -> Option<(u64, &str)> {
        self.steps.time()
    }

    /// The warnings that came up since this was last asked.
    pub fn warnings(&mut self) -> Vec<Warning> {
        std::mem::take(&mut self.warnings)
    }
}

impl From<io::Error> for TraceError {
    fn from(error: io::Error) -> TraceError {
        TraceError::Io(error)
    }
}

/// The truth value that a text writes.
fn truth(text: &[u8]) -> Option<bool> {
    match text {
        b"1" | b"T" | b"t" | b"true" | b"True" | b"TRUE" => Some(true),
        b"0" | b"F" | b"f" | b"-" | b"false" | b"False" | b"FALSE" => Some(false),
        _ => None,
    }
}

/// What to say of a signal that the trace does not have.
fn missing(signal: &str, known: &[&str]) -> (&'static source::Code, String, Option<String>) {
    let near = nearest(signal, known.iter().copied()).map(|near| format!("Is it the signal `{near}`?"));
    let help = near.or_else(|| (!known.is_empty()).then(|| format!("The trace has {}", listed(known))));
    (&codes::TRACE_MISSING, format!("the trace has no signal `{signal}`"), help)
}

/// What to say of signals that no property mentions.
fn extra(names: &[&str]) -> String {
    format!("no property mentions {}", listed(names))
}

/// The first few names, and how many there are besides.
fn listed(names: &[&str]) -> String {
    let (shown, more) = names.split_at(names.len().min(5));
    let list = shown.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    if more.is_empty() { list } else { format!("{list} and {} more", more.len()) }
}
