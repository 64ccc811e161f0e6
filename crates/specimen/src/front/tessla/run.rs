//! `specimen run` on a trace: events in, lines of output streams out, as they come.

use std::fs::File;
use std::io::{self, BufReader, Read};

use tessla::core::Spec;
use tessla::run::{Ended, RunOptions, run_plain};
use tessla::with_room;

use crate::args::RunArguments;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{Form, Output};

/// How deeply functions may call each other: what the stack of [`with_room`] holds.
const CALL_DEPTH: u32 = 100_000;

const BUFFER: usize = 1 << 16;

pub(super) fn run(spec: &Spec, output: &Output, arguments: &RunArguments) -> Result<Exit, Failure> {
    if !arguments.set.is_empty() {
        return Err(Failure::Usage("--set gives the values of a decision; a specification reads a trace".to_owned()));
    }
    let options = RunOptions {
        abort_at: arguments.tessla.abort_at,
        stop_on: arguments.tessla.stop_on.clone(),
        until: arguments.tessla.until,
        call_depth: Some(CALL_DEPTH),
        json: output.form == Form::Json,
    };
    if let Some(name) = &options.stop_on {
        let known = spec.outputs.iter().any(|shown| shown.name.as_deref() == Some(name));
        if !known {
            return Err(Failure::Usage(format!("there is no output called `{name}` to stop on")));
        }
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

fn run_on(
    spec: &Spec,
    output: &Output,
    name: &str,
    trace: impl Read + Send,
    options: &RunOptions,
) -> Result<Exit, Failure> {
    let trace = BufReader::with_capacity(BUFFER, trace);
    let ended = with_room(move || run_plain(spec, name, trace, &mut io::stdout().lock(), options));
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
