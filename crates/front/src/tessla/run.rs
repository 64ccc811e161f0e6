//! `specimen run` on a trace: events in, lines of output streams out, as they come.

use std::fs::File;
use std::io::{self, BufReader, Read};

use tessla::core::Spec;
use tessla::interp::{Monitor, Program};
use tessla::record::walk;
use tessla::run::{Ended, RunOptions, describe, run_plain};
use tessla::trace::{TraceError, TraceReader};
use tessla::with_room;

use super::grid::{Grid, Inside};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input;
use crate::options::RunArguments;
use crate::output::{Form, Output};

/// How deeply functions may call each other: what the stack of [`with_room`] holds.
const CALL_DEPTH: u32 = 100_000;

const BUFFER: usize = 1 << 16;

pub(super) fn run(
    spec: &Spec,
    output: &Output,
    arguments: &RunArguments,
    reject_undeclared: bool,
) -> Result<Exit, Failure> {
    let options = RunOptions {
        abort_at: arguments.tessla.abort_at,
        stop_on: arguments.tessla.stop_on.clone(),
        until: arguments.tessla.until,
        call_depth: Some(CALL_DEPTH),
        json: output.form == Form::Json,
        reject_undeclared,
    };
    if let Some(name) = &options.stop_on {
        let known = spec.outputs.iter().any(|shown| shown.name.as_deref() == Some(name));
        if !known {
            return Err(Failure::Usage(format!("no output is called `{name}` to stop on")));
        }
    }
    if arguments.tessla.grid {
        return show_grid(spec, output, arguments, &options);
    }
    match arguments.tests.as_slice() {
        [] => run_on(spec, output, "standard input", io::stdin(), &options),
        [path] if path.as_os_str() == "-" => run_on(spec, output, "standard input", io::stdin(), &options),
        [path] => {
            let name = path.display().to_string();
            let file =
                File::open(path).map_err(|error| Failure::Environment(format!("cannot read {name}: {error}")))?;
            run_on(spec, output, &name, file, &options)
        }
        _ => Err(Failure::Usage("one trace is run at a time".to_owned())),
    }
}

/// Shows all named streams of a run: kept in memory, so for traces of a size that people look at.
fn show_grid(spec: &Spec, output: &Output, arguments: &RunArguments, options: &RunOptions) -> Result<Exit, Failure> {
    let [path] = arguments.tests.as_slice() else {
        return Err(Failure::Usage("a grid is made of one trace; name its file".to_owned()));
    };
    let text = input::read(path)?;
    let name = path.display().to_string();
    let mut reader = TraceReader::new(spec, &name, text.as_slice()).rejecting_undeclared(options.reject_undeclared);
    let mut events = Vec::new();
    loop {
        match reader.next_event() {
            Ok(Some(_)) if arguments.tessla.abort_at.is_some_and(|limit| limit <= events.len() as u64) => break,
            Ok(Some(event)) => events.push(event),
            Ok(None) => break,
            Err(error) => return Err(output.rejected(&error.source, std::slice::from_ref(&error.diagnostic))),
        }
    }
    warn_of_ignored(output, reader.ignored());
    let last = events.last().map_or(0, |event| event.time).max(reader.reached().unwrap_or(0));
    let end = arguments.tessla.until.unwrap_or(last).max(last);
    let program = Program::new(spec);
    let mut grid = Grid::new(spec, arguments.tessla.values);
    let mut monitor = Monitor::observed(&program, Inside::default());
    let fault = walk(spec, &mut monitor, &events, end, |monitor| {
        grid.add(monitor);
        true
    });
    output.product(&grid.to_text())?;
    match fault {
        None => Ok(Exit::Done),
        Some(fault) => {
            let report = describe(spec, &fault);
            Err(output.rejected(spec.files.source(report.file), std::slice::from_ref(&report.diagnostic)))
        }
    }
}

/// Says that lines of the trace were ignored, if some were.
pub(super) fn warn_of_ignored(output: &Output, ignored: Option<Box<TraceError>>) {
    if let Some(warning) = ignored {
        output.diagnostics(&warning.source, std::slice::from_ref(&warning.diagnostic));
    }
}

fn run_on(
    spec: &Spec,
    output: &Output,
    name: &str,
    trace: impl Read + Send,
    options: &RunOptions,
) -> Result<Exit, Failure> {
    let trace = BufReader::with_capacity(BUFFER, trace);
    let ran = with_room(move || run_plain(spec, name, trace, &mut output.writer(), options));
    let ended = ran.map(|(ended, ignored)| {
        warn_of_ignored(output, ignored);
        ended
    });
    match ended {
        Ok(Ended::Finished) => Ok(Exit::Done),
        Ok(Ended::Failed(report)) => {
            Err(output.rejected(spec.files.source(report.file), std::slice::from_ref(&report.diagnostic)))
        }
        Ok(Ended::BadTrace(error)) => Err(output.rejected(&error.source, std::slice::from_ref(&error.diagnostic))),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Err(Failure::Closed),
        Err(error) => Err(Failure::Environment(format!("cannot write to standard output: {error}"))),
    }
}
