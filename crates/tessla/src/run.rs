//! Runs a specification on a trace, line by line, and writes what it puts out.

use std::io::{self, BufRead, Write};

use crate::codes::RUN_TIME;
use crate::core::{Output, Spec};
use crate::files::Files;
use crate::interp::{Fault, Monitor, Observer, Program};
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
    let mut runner = Runner { spec, out, options, line: Vec::with_capacity(1 << 16), stopped: false };
    let ended = runner.run(monitor, trace);
    runner.flush()?;
    ended
}

/// Compiles and runs a specification without an observer.
///
/// # Errors
/// When the output cannot be written.
pub fn run_plain<R: BufRead, W: Write>(
    spec: &Spec,
    trace_name: &str,
    trace: R,
    out: &mut W,
    options: &RunOptions,
) -> io::Result<Ended> {
    let program = Program::new(spec);
    let mut monitor = Monitor::new(&program);
    if let Some(depth) = options.call_depth {
        monitor = monitor.with_call_depth(depth);
    }
    let mut trace = TraceReader::new(spec, trace_name, trace);
    run(spec, &mut monitor, &mut trace, out, options)
}

struct Runner<'a, W> {
    spec: &'a Spec,
    out: &'a mut W,
    options: &'a RunOptions,
    line: Vec<u8>,
    stopped: bool,
}

impl<W: Write> Runner<'_, W> {
    fn run<R: BufRead, O: Observer>(
        &mut self,
        monitor: &mut Monitor<'_, O>,
        trace: &mut TraceReader<'_, R>,
    ) -> io::Result<Ended> {
        let mut count = 0;
        let mut open = false;
        loop {
            if self.options.abort_at.is_some_and(|limit| count >= limit) {
                break;
            }
            let event = match trace.next_event() {
                Ok(Some(event)) => event,
                Ok(None) => break,
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
            let repeated = Event { value: Value::Unit, ..event };
            if !monitor.provide(repeated.input, event.value) {
                return Ok(Ended::BadTrace(trace.repeated(&repeated)));
            }
        }
        if open && let Some(fault) = self.finish(monitor)? {
            return Ok(fault);
        }
        let end =
            self.options.until.map_or(0, |until| until.saturating_add(1)).max(i64::from(monitor.time().is_none()));
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
        for output in &self.spec.outputs {
            let Some(value) = monitor.event(output.stream) else { continue };
            if let Value::Failure(failure) = value {
                let fault = Fault { time, failure: failure.clone() };
                self.line.truncate(start);
                return Ok(Some(self.failed(&fault)));
            }
            if self.options.json {
                write_json(&mut self.line, time, output, value);
            } else {
                write_event(&mut self.line, time, output, value);
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

fn write_event(line: &mut Vec<u8>, time: i64, output: &Output, value: &Value) {
    let Some(name) = &output.name else {
        line.extend_from_slice(plain_text(value).as_bytes());
        line.push(b'\n');
        return;
    };
    write_number(line, time);
    line.extend_from_slice(b": ");
    line.extend_from_slice(name.as_bytes());
    line.extend_from_slice(b" = ");
    match value {
        Value::Int(number) => write_number(line, *number),
        Value::Bool(true) => line.extend_from_slice(b"true"),
        Value::Bool(false) => line.extend_from_slice(b"false"),
        Value::Unit => line.extend_from_slice(b"()"),
        other => line.extend_from_slice(Shown(other).to_string().as_bytes()),
    }
    line.push(b'\n');
}

fn write_json(line: &mut Vec<u8>, time: i64, output: &Output, value: &Value) {
    let shown = match &output.name {
        Some(name) => serde_json::json!({ "time": time, "stream": name, "value": Shown(value).to_string() }),
        None => serde_json::json!({ "time": time, "print": plain_text(value) }),
    };
    line.extend_from_slice(shown.to_string().as_bytes());
    line.push(b'\n');
}

fn write_number(line: &mut Vec<u8>, number: i64) {
    let mut digits = [0_u8; 20];
    let mut at = digits.len();
    let mut rest = number.unsigned_abs();
    loop {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if number < 0 {
        line.push(b'-');
    }
    line.extend_from_slice(&digits[at..]);
}
