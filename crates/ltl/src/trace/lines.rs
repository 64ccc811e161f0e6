//! The lines of a trace, one at a time, and what is wrong with one of them.

use std::io::{BufRead, Read};

use source::{Code, Diagnostic, Rejection, Source, Span};

use super::{TraceError, Warning};
use crate::codes;

/// The longest line, in bytes.
const LONGEST: usize = 16 << 20;
/// The last line whose number is shown in excerpts; they are made by counting line breaks.
const LAST_SHOWN: u64 = 100_000_000;

/// A reader of lines.
pub(super) struct Lines<'a> {
    name: String,
    input: Box<dyn BufRead + 'a>,
    line: Vec<u8>,
    /// The number of the line at hand, from 1.
    number: u64,
}

impl<'a> Lines<'a> {
    pub(super) fn new(name: &str, input: impl BufRead + 'a) -> Lines<'a> {
        Lines { name: name.to_owned(), input: Box::new(input), line: Vec::new(), number: 0 }
    }

    /// Goes to the next line; false at the end.
    pub(super) fn advance(&mut self) -> Result<bool, TraceError> {
        self.line.clear();
        let read = (&mut self.input).take(LONGEST as u64 + 1).read_until(b'\n', &mut self.line)?;
        if read == 0 {
            return Ok(false);
        }
        self.number += 1;
        if LONGEST < read {
            self.line.truncate(80);
            return Err(self.reject(&codes::TRACE_SYNTAX, 0, 0, "the line is longer than 16 MiB", None));
        }
        while matches!(self.line.last(), Some(b'\n' | b'\r')) {
            self.line.pop();
        }
        if self.number == 1 && self.line.starts_with(b"\xef\xbb\xbf") {
            self.line.drain(..3);
        }
        Ok(true)
    }

    /// The bytes of the line at hand, without its line break.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.line
    }

    /// The text of the line at hand.
    pub(super) fn text(&self) -> Result<&str, TraceError> {
        std::str::from_utf8(&self.line).map_err(|error| {
            let message = format!("line {} is not UTF-8 text", self.number);
            let start = error.valid_up_to();
            self.reject(&source::codes::NOT_UTF8, start, start + char::REPLACEMENT_CHARACTER.len_utf8(), &message, None)
        })
    }

    /// The error at some bytes of the line at hand.
    pub(super) fn reject(
        &self,
        code: &'static Code,
        start: usize,
        end: usize,
        message: &str,
        help: Option<String>,
    ) -> TraceError {
        let (source, span) = self.excerpt(start, end);
        let mut diagnostic = Diagnostic::error(code, span, message);
        diagnostic.help.extend(help);
        TraceError::Rejected(Box::new(Rejection { source, diagnostic }))
    }

    /// The warning about some bytes of the line at hand.
    pub(super) fn warning(&self, code: &'static Code, start: usize, end: usize, message: &str) -> Warning {
        let (source, span) = self.excerpt(start, end);
        Warning { source, diagnostic: Diagnostic::warning(code, span, message) }
    }

    /// A text in which the line at hand has its number, and a place in that line.
    fn excerpt(&self, start: usize, end: usize) -> (Source, Span) {
        let before = self.number.saturating_sub(1).min(LAST_SHOWN) as usize;
        let line = String::from_utf8_lossy(&self.line);
        let text = format!("{}{line}", "\n".repeat(before));
        let length = text.len();
        let boundary = |mut at: usize| {
            at = (before + at).min(length);
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let (start, end) = (boundary(start), boundary(end));
        let span = Span::new(start, end.max(start));
        (Source::new(self.name.as_str(), text), span)
    }
}
