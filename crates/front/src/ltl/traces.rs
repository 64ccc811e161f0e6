//! The traces that the arguments name, read a step at a time.

use std::fs::File;
use std::io::{self, BufReader};
use std::path::Path;

use ltl::Spec;
use ltl::trace::{Dump, Format, Trace, TraceError, Unknown};
use ltl::verdict::Monitor;

use crate::failure::Failure;
use crate::input;
use crate::options::{TraceArguments, TraceForm, UnknownValues};
use crate::output::Output;

/// When the steps of a trace were, where it says so.
#[derive(Clone, Debug, Default)]
pub(super) struct Times {
    ticks: Vec<u64>,
    unit: String,
}

impl Times {
    /// When a step was, which is counted from 1; none if nobody knows.
    pub(super) fn of(&self, step: u64) -> Option<String> {
        let place = usize::try_from(step.checked_sub(1)?).ok()?;
        let ticks = self.ticks.get(place)?;
        Some(match self.unit.strip_prefix('1').filter(|unit| unit.starts_with(|first: char| !first.is_ascii_digit())) {
            Some(unit) => format!("{ticks} {unit}"),
            None if self.unit.is_empty() => format!("time {ticks}"),
            None => format!("{ticks} times {}", self.unit),
        })
    }
}

/// Reads a trace to its end; `step` is called after every step. When the steps were comes back.
pub(super) fn feed(
    output: &Output,
    spec: &Spec,
    path: &Path,
    arguments: &TraceArguments,
    monitor: &mut Monitor,
    mut step: impl FnMut(&mut Monitor),
) -> Result<Times, Failure> {
    let names: Vec<&str> = monitor.atoms().iter().map(|&atom| spec.formulas.atom_name(atom)).collect();
    let name = path.display().to_string();
    let is_stdin = path.as_os_str() == "-";
    let format = format(path, arguments.trace_format, is_stdin)?;
    let unknown = match arguments.unknown {
        UnknownValues::Ignore => Unknown::Ignore,
        UnknownValues::False => Unknown::False,
        UnknownValues::Error => Unknown::Error,
    };
    let dump = Dump { clock: arguments.clock.as_deref(), reset: arguments.reset.as_deref(), unknown };
    let shown = |error| failure(output, path, error);
    let mut trace = if is_stdin {
        Trace::open("standard input", io::stdin().lock(), format, &names, dump)
    } else {
        if path.is_dir() {
            return Err(Failure::Environment(format!("{name} is a folder, not a file")));
        }
        let file = File::open(path).map_err(|error| input::cannot("read", path, &error))?;
        Trace::open(&name, BufReader::with_capacity(1 << 16, file), format, &names, dump)
    }
    .map_err(shown)?;
    let mut letter = vec![false; names.len()];
    let mut times = Times::default();
    loop {
        let more = trace.next(&mut letter);
        for warning in trace.warnings() {
            output.diagnostics(&warning.source, std::slice::from_ref(&warning.diagnostic));
        }
        if !more.map_err(shown)? {
            return Ok(times);
        }
        if let Some((ticks, unit)) = trace.time() {
            times.ticks.push(ticks);
            if times.unit != unit {
                unit.clone_into(&mut times.unit);
            }
        }
        monitor.push(&letter);
        step(monitor);
    }
}

fn format(path: &Path, given: Option<TraceForm>, is_stdin: bool) -> Result<Format, Failure> {
    if let Some(given) = given {
        return Ok(match given {
            TraceForm::Csv => Format::Csv,
            TraceForm::Jsonl => Format::JsonLines,
            TraceForm::Vcd => Format::Vcd,
            TraceForm::Waves => Format::Waves,
        });
    }
    if is_stdin {
        return Ok(Format::Csv);
    }
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
    extension.as_deref().and_then(Format::from_extension).ok_or_else(|| {
        Failure::Usage(format!(
            "the format of {} is not known by its extension (.csv, .jsonl, .vcd, .trace); say it with --trace-format",
            path.display()
        ))
    })
}

fn failure(output: &Output, path: &Path, error: TraceError) -> Failure {
    match error {
        TraceError::Rejected(rejection) => {
            output.rejected(&rejection.source, std::slice::from_ref(&rejection.diagnostic))
        }
        TraceError::Io(error) => input::cannot("read", path, &error),
    }
}
