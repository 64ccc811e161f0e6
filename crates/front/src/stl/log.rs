//! Recordings of systems as signals: tables, JSON lines and value change dumps.

use std::path::Path;

use source::{Code, Diagnostic, Source};
use stl::codes::{SIGNAL_COLUMN, SIGNAL_SYNTAX, SIGNAL_TIME, SIGNAL_VALUE};
use stl::table::{Columns, Gatherer, Recording, read_recording, read_text, time_unit};
use stl::{Spec, write_number};
use value::RBig;

use crate::failure::Failure;
use crate::input;
use crate::options::StlReadingArguments;
use crate::output::Output;
use crate::recording::{Form, Kind, Problem, Recorded, read_dump, read_json_lines};

/// Which columns are which, as the options say.
pub(super) fn columns(spec: &Spec, reading: &StlReadingArguments) -> Result<Columns, Failure> {
    let pairs = reading.log.pairs()?;
    if let Some((name, _)) = pairs.iter().find(|(name, _)| spec.signal(name).is_none()) {
        let known: Vec<&str> = spec.signals.iter().map(|signal| signal.name.as_str()).collect();
        return Err(Failure::Usage(format!(
            "`--map` names `{name}`, which is no signal of the formula: {}",
            known.join(", ")
        )));
    }
    let unit = match &reading.time_unit {
        None => None,
        Some(name) => Some(
            time_unit(name)
                .ok_or_else(|| Failure::Usage(format!("`{name}` is not a unit of time: h, min, s, ms, us or ns")))?,
        ),
    };
    Ok(Columns { signals: pairs.into_iter().collect(), time: reading.log.time_column.clone(), unit })
}

/// The signals of a file.
pub(super) fn read(
    output: &Output,
    spec: &Spec,
    reading: &StlReadingArguments,
    path: &Path,
) -> Result<Recording, Failure> {
    let file = Source::from_bytes(&path.display().to_string(), input::read(path)?)
        .map_err(|rejection| output.rejected(&rejection.source, std::slice::from_ref(&rejection.diagnostic)))?;
    read_source(output, spec, reading, &file)
}

/// The signals of a text whose name tells its form.
pub(super) fn read_source(
    output: &Output,
    spec: &Spec,
    reading: &StlReadingArguments,
    file: &Source,
) -> Result<Recording, Failure> {
    let columns = columns(spec, reading)?;
    let recording = match Form::of(Path::new(file.name())) {
        Form::Table => read_recording(file, spec, &columns),
        form => of_changes(file, spec, &columns, form).map_err(|error| vec![error]),
    };
    let recording = recording.map_err(|errors| output.rejected(file, &errors))?;
    if let Some((first, name)) = &recording.late {
        let message = format!(
            "the recording begins at {}, but `{name}` is known only from {} on: time zero is there",
            write_number(first),
            write_number(&recording.origin)
        );
        let end = file.text().lines().next().map_or(0, str::len);
        output.diagnostics(file, &[Diagnostic::warning(&stl::codes::SIGNAL_LATE, source::Span::new(0, end), message)]);
    }
    Ok(recording)
}

fn of_changes(file: &Source, spec: &Spec, columns: &Columns, form: Form) -> Result<Recording, Diagnostic> {
    let column = |name: &String| columns.signals.get(name).unwrap_or(name).clone();
    let wanted: Vec<String> = spec.signals.iter().map(|signal| column(&signal.name)).collect();
    let (recorded, holds): (Result<Recorded, Problem>, bool) = match form {
        Form::Dump => (read_dump(file.text(), &wanted), true),
        Form::JsonLines | Form::Table => (read_json_lines(file.text(), &wanted, columns.time.as_deref()), false),
    };
    let recorded = recorded.map_err(diagnostic)?;
    let own = spec.unit.clone().unwrap_or(RBig::ONE);
    let factor = match (holds, &columns.unit) {
        // A dump counts in seconds.
        (true, _) => RBig::ONE / own,
        (false, Some(unit)) => unit / own,
        (false, None) => RBig::ONE,
    };
    let mut gatherer = if holds { Gatherer::of_changes(spec) } else { Gatherer::new(spec) };
    for sample in recorded.samples {
        let signal = &spec.signals[sample.column];
        let Some(text) = &sample.text else {
            let message = format!("the value of `{}` is not known here", signal.name);
            return Err(Diagnostic::error(&SIGNAL_VALUE, sample.span, message));
        };
        let value =
            read_text(signal, text).map_err(|message| Diagnostic::error(&SIGNAL_VALUE, sample.span, message))?;
        gatherer.sample(sample.column, sample.time * &factor, value);
    }
    if let Some(end) = recorded.end {
        gatherer.reach(end * factor);
    }
    gatherer.finish().map_err(|message| Diagnostic::error(&SIGNAL_SYNTAX, source::Span::default(), message))
}

fn diagnostic(problem: Problem) -> Diagnostic {
    let code: &'static Code = match problem.kind {
        Kind::Syntax => &SIGNAL_SYNTAX,
        Kind::Column => &SIGNAL_COLUMN,
        Kind::Value => &SIGNAL_VALUE,
        Kind::Time => &SIGNAL_TIME,
    };
    let error = Diagnostic::error(code, problem.span, problem.message);
    match problem.help {
        Some(help) => error.help(help),
        None => error,
    }
}
