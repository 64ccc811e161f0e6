//! Runs a specification on a trace, line by line, and writes what it puts out.

use std::io::{self, BufRead, Write};

use crate::codes::RUN_TIME;
use crate::core::{Output, Spec};
use crate::files::Files;
use crate::interp::{Cell, Fault, Kind, Monitor, Observer, Program};
use crate::place::Origin;
use crate::report::Report;
use crate::show::{Shown, plain_text};
use crate::trace::{Event, TraceError, TraceReader};
use crate::value::Value;

/// What bounds a run.
#[derive(Clone, Debug, Default)]
pub struct RunOptions {
    /// Stop after this many events of the trace.
    pub abort_at: Option<u64>,
    /// Stop after the first event of the output with this name.
    pub stop_on: Option<String>,
    /// Go on up to this time after the trace has ended: timers run out.
    pub until: Option<i64>,
    /// How deeply functions may call each other; the caller provides the stack.
    pub call_depth: Option<u32>,
    /// Whether each line is a JSON object.
    pub json: bool,
    /// Whether lines of streams that are not declared are errors; otherwise they only let time pass.
    pub reject_undeclared: bool,
}

/// How a run ended.
#[derive(Debug)]
pub enum Ended {
    /// The trace ended, or a bound was reached.
    Finished,
    /// An operation that was needed is undefined.
    Failed(Box<Report>),
    /// The trace is wrong.
    BadTrace(Box<TraceError>),
}

/// Runs a specification on a trace and writes the lines of its outputs.
///
/// # Errors
/// When the output cannot be written.
pub fn run<R: BufRead, W: Write, O: Observer>(
    spec: &Spec,
    monitor: &mut Monitor<'_, O>,
    trace: &mut TraceReader<'_, R>,
    out: &mut W,
    options: &RunOptions,
) -> io::Result<Ended> {
    let label = |output: &Output| format!(": {} = ", output.name.as_deref().unwrap_or_default());
    let labels = spec.outputs.iter().map(label).collect();
    let line = Vec::with_capacity(1 << 16);
    let mut runner = Runner { spec, out, options, labels, line, stopped: false };
    let ended = runner.run(monitor, trace);
    runner.flush()?;
    ended
}

/// Compiles and runs a specification without an observer. Second comes what there is to say about lines that were ignored.
///
/// # Errors
/// When the output cannot be written.
pub fn run_plain<R: BufRead, W: Write>(
    spec: &Spec,
    trace_name: &str,
    trace: R,
    out: &mut W,
    options: &RunOptions,
) -> io::Result<(Ended, Option<Box<TraceError>>)> {
    let program = Program::new(spec);
    let mut monitor = Monitor::new(&program);
    if let Some(depth) = options.call_depth {
        monitor = monitor.with_call_depth(depth);
    }
    let mut trace = TraceReader::new(spec, trace_name, trace).rejecting_undeclared(options.reject_undeclared);
    let ended = run(spec, &mut monitor, &mut trace, out, options)?;
    Ok((ended, trace.ignored()))
}

struct Runner<'a, W> {
    spec: &'a Spec,
    out: &'a mut W,
    options: &'a RunOptions,
    /// What stands between the time and the value, for each output.
    labels: Vec<String>,
    line: Vec<u8>,
    stopped: bool,
}

impl<W: Write> Runner<'_, W> {
    fn run<R: BufRead, O: Observer>(
        &mut self,
        monitor: &mut Monitor<'_, O>,
        trace: &mut TraceReader<'_, R>,
    ) -> io::Result<Ended> {
        let (mut count, mut open, mut reached) = (0, false, None);
        loop {
            if self.options.abort_at.is_some_and(|limit| count >= limit) {
                break;
            }
            let event = match trace.next_event() {
                Ok(Some(event)) => event,
                Ok(None) => {
                    reached = trace.reached();
                    break;
                }
                Err(error) => {
                    if error.after_step
                        && open
                        && let Some(fault) = self.finish(monitor)?
                    {
                        return Ok(fault);
                    }
                    return Ok(Ended::BadTrace(error));
                }
            };
            count += 1;
            if !(open && monitor.time() == Some(event.time)) {
                if open && let Some(fault) = self.finish(monitor)? {
                    return Ok(fault);
                }
                if let Some(fault) = self.advance(monitor, event.time)? {
                    return Ok(fault);
                }
                if self.stopped {
                    return Ok(Ended::Finished);
                }
                monitor.begin(event.time);
                open = true;
            }
            let Event { time, input, value } = event;
            if !monitor.provide(input, value) {
                return Ok(Ended::BadTrace(trace.repeated(input, time)));
            }
        }
        if open && let Some(fault) = self.finish(monitor)? {
            return Ok(fault);
        }
        let until = self.options.until.max(reached);
        let end = until.map_or(0, |until| until.saturating_add(1)).max(i64::from(monitor.time().is_none()));
        if let Some(fault) = self.advance(monitor, end)? {
            return Ok(fault);
        }
        Ok(Ended::Finished)
    }

    /// Makes the steps that come before a time: time 0, and the times at which timers run out.
    fn advance<O: Observer>(&mut self, monitor: &mut Monitor<'_, O>, before: i64) -> io::Result<Option<Ended>> {
        while !self.stopped {
            let next = match monitor.time() {
                None => Some(0),
                Some(_) => monitor.next_timer(),
            };
            let Some(next) = next.filter(|next| *next < before) else { break };
            monitor.begin(next);
            if let Some(fault) = self.finish(monitor)? {
                return Ok(Some(fault));
            }
        }
        Ok(None)
    }

    fn finish<O: Observer>(&mut self, monitor: &mut Monitor<'_, O>) -> io::Result<Option<Ended>> {
        if self.stopped {
            return Ok(Some(Ended::Finished));
        }
        if let Err(fault) = monitor.finish() {
            return Ok(Some(self.failed(&fault)));
        }
        let time = monitor.time().expect("a step was made");
        let start = self.line.len();
        let digits = Digits::new(time);
        for (output, label) in self.spec.outputs.iter().zip(&self.labels) {
            let (cell, other) = monitor.cell(output.stream);
            if cell.kind == Kind::Nothing {
                continue;
            }
            if let (Kind::Other, Value::Failure(failure)) = (cell.kind, other) {
                let fault = Fault { time, failure: failure.clone() };
                self.line.truncate(start);
                return Ok(Some(self.failed(&fault)));
            }
            if output.name.is_some() && !self.options.json {
                self.line.extend_from_slice(digits.text());
                self.line.extend_from_slice(label.as_bytes());
                write_cell(&mut self.line, cell, other);
            } else {
                let value = monitor.event(output.stream).expect("the output has an event");
                write_other_form(&mut self.line, self.options.json, time, output, &value);
            }
            self.stopped |= self.options.stop_on.is_some() && output.name == self.options.stop_on;
        }
        if self.line.len() > 1 << 15 {
            self.flush()?;
        }
        Ok(self.stopped.then_some(Ended::Finished))
    }

    fn failed(&self, fault: &Fault) -> Ended {
        Ended::Failed(Box::new(describe(self.spec, fault)))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.write_all(&self.line)?;
        self.line.clear();
        self.out.flush()
    }
}

/// What to say about an undefined operation: at its place if that is the user's, or at the call that led to it.
pub fn describe(spec: &Spec, fault: &Fault) -> Report {
    let message = format!("{} (t = {})", fault.failure.message, fault.time);
    let origin = fault.failure.origin;
    let place = user_place(spec, origin).unwrap_or(origin.place);
    let mut report = Report::error(&RUN_TIME, place, message);
    if place != origin.place {
        report = report.help(format!("The operation itself is at {}.", spec.files.describe(origin.place)));
    }
    report
}

/// The innermost place of the user's on the way to something.
pub(crate) fn user_place(spec: &Spec, origin: Origin) -> Option<crate::place::Place> {
    let is_user = |files: &Files, place: crate::place::Place| !files.is_library(place.file);
    if is_user(&spec.files, origin.place) {
        return Some(origin.place);
    }
    let path = spec.path(origin);
    path.iter().rev().map(|step| step.call).find(|place| is_user(&spec.files, *place))
}

/// The rest of a line.
fn write_cell(line: &mut Vec<u8>, cell: Cell, other: &Value) {
    match cell.kind {
        Kind::Nothing => {}
        Kind::Unit => line.extend_from_slice(b"()"),
        Kind::Bool => line.extend_from_slice(if cell.word == 0 { b"false" } else { b"true" }),
        Kind::Int => line.extend_from_slice(Digits::new(cell.word).text()),
        Kind::Other => line.extend_from_slice(Shown(other).to_string().as_bytes()),
    }
    line.push(b'\n');
}

/// A line of `print`, or one that is a JSON object.
fn write_other_form(line: &mut Vec<u8>, json: bool, time: i64, output: &Output, value: &Value) {
    let text = match &output.name {
        None if !json => plain_text(value),
        None => serde_json::json!({ "time": time, "print": plain_text(value) }).to_string(),
        Some(name) => {
            serde_json::json!({ "time": time, "stream": name, "value": Shown(value).to_string() }).to_string()
        }
    };
    line.extend_from_slice(text.as_bytes());
    line.push(b'\n');
}

/// The decimal digits of a number.
struct Digits {
    text: [u8; 20],
    start: usize,
}

impl Digits {
    fn new(number: i64) -> Digits {
        let mut text = [0_u8; 20];
        let mut start = text.len();
        let mut rest = number.unsigned_abs();
        while rest >= 100 {
            let two = (rest % 100) as u8;
            rest /= 100;
            start -= 2;
            text[start] = b'0' + two / 10;
            text[start + 1] = b'0' + two % 10;
        }
        let rest = rest as u8;
        if rest >= 10 {
            start -= 1;
            text[start] = b'0' + rest % 10;
        }
        start -= 1;
        text[start] = b'0' + if rest >= 10 { rest / 10 } else { rest };
        if number < 0 {
            start -= 1;
            text[start] = b'-';
        }
        Digits { text, start }
    }

    fn text(&self) -> &[u8] {
        &self.text[self.start..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_those_of_the_number() {
        for number in [0, 7, -1, 10, 1_234_567, i64::MAX, i64::MIN] {
            assert_eq!(Digits::new(number).text(), number.to_string().as_bytes());
        }
    }
}
