//! Long signals: read line by line, judged as they come in, never held as a whole.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, stdin};
use std::path::Path;

use serde_json::{Map, json};
use source::{Diagnostic, Source, Span};
use stl::interp::Verdict;
use stl::stream::{Monitor, Report, Value};
use stl::table::{Flaw, Row, Rows};
use stl::write_number;
use value::RBig;

use super::run::{Judged, short};
use super::{StlModel, log};
use crate::failure::Failure;
use crate::input;
use crate::output::Output;
use crate::recording::Form;

/// Tables with more bytes than this are not read as a whole.
const LONG: u64 = 16 << 20;
/// Lines with more bytes than this are not samples.
const LONGEST_LINE: u64 = 1 << 20;

/// Whether a table is judged line by line: standard input, and what is long.
pub(super) fn is_long(path: &Path) -> bool {
    let is_suite = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
    let length = || std::fs::metadata(path).map_or(0, |metadata| metadata.len());
    path == Path::new("-") || (!is_suite && Form::of(path) == Form::Table && LONG < length())
}

/// Judges a table while it is read; none where it must be read as a whole, since a line has no value of a signal or repeats a time.
pub(super) fn judge(
    model: &StlModel,
    output: &Output,
    path: &Path,
    monitor: Monitor<'_>,
) -> Result<Option<Judged>, Failure> {
    let (name, reader): (String, Box<dyn BufRead>) = if path == Path::new("-") {
        ("standard input".to_owned(), Box::new(BufReader::new(stdin())))
    } else {
        let file = File::open(path).map_err(|error| input::cannot("read", path, &error))?;
        (input::file_name(path), Box::new(BufReader::with_capacity(1 << 20, file)))
    };
    let lines = Lines { path, reader, number: 0, line: Vec::new() };
    let Some((report, origin)) = lines.monitored(model, output, monitor)? else { return Ok(None) };
    let when = match (&report.settled, &report.needed) {
        (Some(time), _) => format!("known from {} on", write_number(&(time + &origin))),
        (None, Some(time)) => format!("open until {}", write_number(&(time + &origin))),
        (None, None) => "known at the end".to_owned(),
    };
    let more = Map::from_iter([
        ("samples".to_owned(), json!(report.samples)),
        ("settled".to_owned(), json!(report.settled.as_ref().map(write_number))),
    ]);
    // A verdict that is presumed is about the samples; with the last values kept, what looks back may say the opposite.
    let robustness = match report.verdict {
        Verdict::Decided(_) => Some(report.robustness),
        Verdict::Presumed(truth) => (truth == report.holds).then_some(report.robustness),
        Verdict::Undecided => None,
    };
    let judged = Judged { name, of: None, verdict: report.verdict, needed: report.needed, robustness, when, more };
    short(model, output, &judged, &origin, &report.end);
    Ok(Some(judged))
}

struct Lines<'a> {
    path: &'a Path,
    reader: Box<dyn BufRead>,
    number: u64,
    line: Vec<u8>,
}

impl Lines<'_> {
    /// The report, and the time of the first line.
    fn monitored(
        mut self,
        model: &StlModel,
        output: &Output,
        mut monitor: Monitor<'_>,
    ) -> Result<Option<(Report, RBig)>, Failure> {
        let flaw = |lines: &Lines<'_>, text: &str, flaws: Vec<Flaw>| {
            let errors: Vec<Diagnostic> = flaws.into_iter().map(|flaw| flaw.diagnostic(0, None)).collect();
            output.rejected(&lines.source(text), &errors)
        };
        let empty = |lines: &Lines<'_>, message: &str| {
            let error = Diagnostic::error(&stl::codes::SIGNAL_SYNTAX, Span::default(), message);
            output.rejected(&lines.source(""), &[error])
        };
        let Some(header) = self.next(output)? else { return Err(empty(&self, "the table is empty")) };
        let header = header.trim_start_matches('\u{feff}').to_owned();
        let columns = log::columns(&model.spec, &model.reading)?;
        let mut rows = Rows::new(&header, &model.spec, &columns).map_err(|flaws| flaw(&self, &header, flaws))?;
        let (mut origin, mut last) = (None, None);
        while let Some(line) = self.next(output)? {
            match rows.row(line) {
                Ok(Row { time, values, .. }) => {
                    let values: Option<Vec<Value>> = values.into_iter().collect();
                    let Some(values) = values.filter(|_| last.as_ref() != Some(&time)) else {
                        // A file is read again, as a whole; what comes in once cannot be.
                        let text = line.to_owned();
                        return if self.path == Path::new("-") { Err(self.not_whole(output, &text)) } else { Ok(None) };
                    };
                    let start = origin.get_or_insert_with(|| time.clone());
                    monitor.sample(&time - &*start, values);
                    last = Some(time);
                }
                Err(flaws) => {
                    let line = line.to_owned();
                    return Err(flaw(&self, &line, flaws));
                }
            }
        }
        let report = monitor.finish().ok_or_else(|| empty(&self, "the table has no samples"))?;
        Ok(Some((report, origin.unwrap_or(RBig::ZERO))))
    }

    /// What is wrong with a line that repeats a time, or has no value of a signal.
    fn not_whole(&self, output: &Output, text: &str) -> Failure {
        let message = "a stream has one line for each time, with a value of every signal";
        let help = "Jumps and signals with times of their own are read from files: write the table to one.";
        let error = Diagnostic::error(&stl::codes::SIGNAL_TIME, Span::from(0..text.len()), message).help(help);
        output.rejected(&self.source(text), &[error])
    }

    /// The line at hand as a source of its own, for diagnostics.
    fn source(&self, text: &str) -> Source {
        Source::new(format!("{}, line {}", self.path.display(), self.number), text)
    }

    /// The next line that is not blank.
    fn next(&mut self, output: &Output) -> Result<Option<&str>, Failure> {
        loop {
            self.line.clear();
            let mut reader = Read::take(&mut self.reader, LONGEST_LINE);
            let read = reader.read_until(b'\n', &mut self.line);
            let read = read.map_err(|error| input::cannot("read", self.path, &error))?;
            self.number += 1;
            if read == 0 {
                return Ok(None);
            }
            if LONGEST_LINE <= read as u64 {
                let message = format!("a line has more than {LONGEST_LINE} bytes");
                let error = Diagnostic::error(&stl::codes::SIGNAL_SYNTAX, Span::default(), message);
                return Err(output.rejected(&self.source(""), &[error]));
            }
            if !self.line.iter().all(u8::is_ascii_whitespace) {
                break;
            }
        }
        match std::str::from_utf8(&self.line) {
            Ok(_) => {}
            Err(_) => {
                let error =
                    Diagnostic::error(&stl::codes::SIGNAL_SYNTAX, Span::default(), "the line is not UTF-8 text");
                return Err(output.rejected(&self.source(""), &[error]));
            }
        }
        let text = std::str::from_utf8(&self.line).expect("just looked at");
        Ok(Some(text.trim_end_matches(['\n', '\r'])))
    }
}
