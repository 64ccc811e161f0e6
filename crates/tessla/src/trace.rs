//! Traces: events as lines of text, read one after the other.

mod line;
mod value;

use std::io::BufRead;

use rustc_hash::FxHashMap;
use source::{Code, Diagnostic, Severity, Source, Span};

use crate::codes::{TRACE_ORDER, TRACE_STREAM, TRACE_SYNTAX, TRACE_VALUE};
use crate::core::Spec;
use crate::types::Type;
use crate::value::Value;

use line::{Line, Range};

/// An event of an input.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// When.
    pub time: i64,
    /// The input, by its position in the specification.
    pub input: usize,
    /// Its value.
    pub value: Value,
}

/// What is wrong with a trace: a diagnostic and a text whose lines have the numbers of the trace's lines.
#[derive(Clone, Debug)]
pub struct TraceError {
    /// The text, empty but for the line in question.
    pub source: Source,
    /// What is wrong.
    pub diagnostic: Diagnostic,
    /// Whether the events before it are complete, so that the step of the last one can be made.
    pub after_step: bool,
}

/// Reads events in the order of time. Memory does not grow with the length of the trace.
pub struct TraceReader<'a, R> {
    reader: R,
    name: String,
    types: Vec<&'a Type>,
    names: Vec<&'a str>,
    by_name: FxHashMap<&'a str, usize>,
    buffer: Vec<u8>,
    line: u64,
    time: Option<i64>,
    /// The input found last: traces often repeat one.
    recent: usize,
    ranges: Vec<Range>,
    /// An event read ahead while ranges give earlier ones.
    ahead: Option<(Event, Span)>,
    ended: bool,
    foreign: Foreign,
}

/// Lines of streams that the specification does not declare.
#[derive(Default)]
struct Foreign {
    /// Whether they are errors; otherwise they only let time pass.
    rejected: bool,
    /// The streams, in the order of the trace.
    streams: Vec<String>,
    /// The first such line.
    first: Option<Box<TraceError>>,
    /// The latest time of such a line: lines for earlier times must not follow.
    time: Option<i64>,
    /// The latest time of all, lines for many times included.
    reached: Option<i64>,
}

impl<'a, R: BufRead> TraceReader<'a, R> {
    /// Reads a trace for the inputs of a specification.
    pub fn new(spec: &'a Spec, name: &str, reader: R) -> TraceReader<'a, R> {
        let names: Vec<&str> =
            spec.inputs.iter().map(|id| spec.stream(*id).name.as_deref().unwrap_or_default()).collect();
        TraceReader {
            reader,
            name: name.to_owned(),
            types: spec.inputs.iter().map(|id| &spec.stream(*id).element).collect(),
            by_name: names.iter().enumerate().map(|(index, name)| (*name, index)).collect(),
            names,
            buffer: Vec::new(),
            line: 0,
            time: None,
            recent: 0,
            ranges: Vec::new(),
            ahead: None,
            ended: false,
            foreign: Foreign::default(),
        }
    }

    /// The same, but lines of streams that the specification does not declare are errors.
    pub fn rejecting_undeclared(mut self, rejecting: bool) -> TraceReader<'a, R> {
        self.foreign.rejected = rejecting;
        self
    }

    /// The latest time of lines that were ignored: the run goes on up to it.
    pub fn reached(&self) -> Option<i64> {
        self.foreign.reached
    }

    /// What to say about lines that were ignored, once the trace has been read: one warning.
    pub fn ignored(&self) -> Option<Box<TraceError>> {
        let mut warning = self.foreign.first.clone()?;
        let names: Vec<String> = self.foreign.streams.iter().map(|name| format!("`{name}`")).collect();
        let message = format!("events of streams that are not declared are ignored: {}", names.join(", "));
        warning.diagnostic = Diagnostic { severity: Severity::Warning, message, ..warning.diagnostic };
        warning.diagnostic = warning.diagnostic.help("`--reject-undeclared-inputs` refuses such traces.");
        Some(warning)
    }

    /// The number of the line read last.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// The next event.
    ///
    /// # Errors
    /// What is wrong with the line; also when the trace cannot be read.
    pub fn next_event(&mut self) -> Result<Option<Event>, Box<TraceError>> {
        loop {
            if self.ahead.is_none() && !self.ended {
                self.read_ahead()?;
            }
            if self.ranges.is_empty()
                && let Some((event, place)) = self.ahead.take()
            {
                return self.in_line(event, place).map(Some);
            }
            let next_range = self.next_range();
            let is_range_next = match (&self.ahead, next_range) {
                (Some((event, _)), Some((_, time))) => time < event.time,
                (None, Some(_)) => self.ended,
                (_, None) => false,
            };
            if is_range_next {
                let (index, _) = next_range.expect("there is a range");
                return self.take_range(index).map(Some);
            }
            if let Some((event, place)) = self.ahead.take() {
                return self.in_line(event, place).map(Some);
            }
            if self.ended {
                return Ok(None);
            }
        }
    }

    /// The event of a line, if it is before neither the last one nor a line that was ignored.
    #[inline]
    fn in_line(&mut self, event: Event, place: Span) -> Result<Event, Box<TraceError>> {
        match self.foreign.time {
            Some(before) if event.time < before => Err(self.decreasing(before, event.time, place)),
            _ => self.in_order(event, place),
        }
    }

    fn decreasing(&self, before: i64, time: i64, place: Span) -> Box<TraceError> {
        let message = format!("Decreasing time stamps: first = {before}, second = {time}");
        let mut error = self.error(&TRACE_ORDER, place, message);
        error.after_step = true;
        error
    }

    /// The event, if it is not before the last one.
    #[inline]
    fn in_order(&mut self, event: Event, place: Span) -> Result<Event, Box<TraceError>> {
        match self.time {
            Some(before) if event.time < before => Err(self.decreasing(before, event.time, place)),
            _ => {
                self.time = Some(event.time);
                Ok(event)
            }
        }
    }

    fn next_range(&self) -> Option<(usize, i64)> {
        self.ranges.iter().enumerate().map(|(index, range)| (index, range.next)).min_by_key(|(_, time)| *time)
    }

    fn take_range(&mut self, index: usize) -> Result<Event, Box<TraceError>> {
        let (event, more) = self.ranges[index].take();
        if !more {
            self.ranges.remove(index);
        }
        let value = match event.value {
            Ok(value) => value,
            Err(problem) => return Err(self.error(&TRACE_SYNTAX, Span::default(), problem)),
        };
        self.checked(event.input, &value, Span::default())?;
        self.in_order(Event { time: event.time, input: event.input, value }, Span::default())
    }

    /// Reads lines up to the next event.
    fn read_ahead(&mut self) -> Result<(), Box<TraceError>> {
        self.buffer.clear();
        self.line += 1;
        match self.reader.read_until(b'\n', &mut self.buffer) {
            Ok(0) => {
                self.ended = true;
                return Ok(());
            }
            Ok(_) => {}
            Err(problem) => {
                return Err(self.error(&TRACE_SYNTAX, Span::default(), format!("The trace cannot be read: {problem}")));
            }
        }
        while matches!(self.buffer.last(), Some(b'\n' | b'\r')) {
            self.buffer.pop();
        }
        if let Some((time, name, value)) = line::quick(&self.buffer)
            && let Some(input) = self.known(name)
        {
            let fits = matches!((&value, self.types[input]), (Value::Int(_), Type::Int) | (Value::Bool(_), Type::Bool))
                || (matches!(value, Value::Unit) && self.types[input].is_unit());
            if fits {
                self.recent = input;
                let place = Span::new(0, 0);
                self.ahead = Some((Event { time, input, value }, place));
                return Ok(());
            }
        }
        self.read_slowly()
    }

    fn known(&self, name: &[u8]) -> Option<usize> {
        if self.names.get(self.recent).is_some_and(|recent| recent.as_bytes() == name) {
            return Some(self.recent);
        }
        std::str::from_utf8(name).ok().and_then(|name| self.by_name.get(name)).copied()
    }

    fn read_slowly(&mut self) -> Result<(), Box<TraceError>> {
        let Ok(text) = std::str::from_utf8(&self.buffer) else {
            return Err(self.error(&TRACE_SYNTAX, Span::default(), "The line is not UTF-8 text"));
        };
        let parsed = match Line::read(text) {
            Ok(None) => return Ok(()),
            Ok(Some(parsed)) => parsed,
            Err((place, problem)) => return Err(self.error(&TRACE_SYNTAX, place, problem)),
        };
        // A line of a later time is wrong, but what came before it is complete.
        let is_later = self.time.is_some_and(|before| parsed.single_time().is_some_and(|time| before < time));
        let located = |mut error: Box<TraceError>| {
            error.after_step = is_later;
            error
        };
        let Some(input) = self.by_name.get(&*parsed.stream).copied() else {
            let message = format!("Undeclared input stream: {}", parsed.stream);
            let error = located(self.error(&TRACE_STREAM, parsed.stream_place, message));
            return if self.foreign.rejected { Err(error) } else { self.ignore(&parsed, error) };
        };
        self.recent = input;
        match parsed.single_time() {
            Some(time) => {
                let value = match parsed.value(None) {
                    Ok(value) => value,
                    Err(problem) => return Err(located(self.error(&TRACE_SYNTAX, parsed.value_place, problem))),
                };
                let value = self.checked(input, &value, parsed.value_place).map_err(located)?;
                self.ahead = Some((Event { time, input, value }, parsed.time_place));
            }
            None => {
                if let Some(range) = Range::new(parsed, input) {
                    self.ranges.push(range);
                }
            }
        }
        Ok(())
    }

    /// Lets time pass to a line of a stream that is not declared.
    fn ignore(&mut self, line: &Line, error: Box<TraceError>) -> Result<(), Box<TraceError>> {
        let latest = self.time.max(self.foreign.time);
        match (line.single_time(), latest) {
            (Some(time), Some(before)) if time < before => return Err(self.decreasing(before, time, line.time_place)),
            (Some(time), _) => self.foreign.time = Some(time),
            (None, _) => {}
        }
        self.foreign.reached = self.foreign.reached.max(line.last_time());
        self.foreign.first.get_or_insert(error);
        if !self.foreign.streams.iter().any(|known| *known == *line.stream) {
            self.foreign.streams.push(line.stream.to_string());
        }
        Ok(())
    }

    /// The value, if it has the type of the input.
    fn checked(&self, input: usize, value: &Value, place: Span) -> Result<Value, Box<TraceError>> {
        if value::conforms(value, self.types[input]) {
            return Ok(value.clone());
        }
        let message = format!(
            "Unexpected value of type {} ({}), expected type {}, in input stream '{}'",
            value::type_text(value),
            crate::show::Shown(value),
            self.types[input],
            self.names[input]
        );
        Err(self.error(&TRACE_VALUE, place, message))
    }

    /// That an input has two events at one time; the line read last is the second.
    pub fn repeated(&self, input: usize, time: i64) -> Box<TraceError> {
        let message = format!("Multiple events {} at timestamp {time}", self.names[input]);
        let digits = self.buffer.iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.error(&TRACE_ORDER, Span::new(0, digits), message)
    }

    fn error(&self, code: &'static Code, place: Span, message: impl Into<String>) -> Box<TraceError> {
        let before = usize::try_from(self.line.saturating_sub(1)).unwrap_or(0);
        let text = format!("{}{}", "\n".repeat(before), String::from_utf8_lossy(&self.buffer));
        let mut span = Span::new(before + place.start as usize, before + place.end as usize);
        if code.id == TRACE_ORDER.id && place.end == 0 {
            let digits = self.buffer.iter().take_while(|byte| byte.is_ascii_digit()).count();
            span = Span::new(before, before + digits);
        }
        let diagnostic = Diagnostic::error(code, span, message);
        Box::new(TraceError { source: Source::new(&self.name, text), diagnostic, after_step: false })
    }
}
