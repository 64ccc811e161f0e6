//! `specimen run` for a formula: verdict and robustness of given signals.

use std::path::Path;

use serde_json::json;
use source::{Diagnostic, Source};
use stl::interp::{holds, times};
use stl::robust::robustness;
use stl::signal::{Trace, from_json};
use stl::stream::Monitor;
use stl::{horizon, write_number};
use testcase::Inputs;

use super::{StlModel, oracle, stream};
use crate::args::RunArguments;
use crate::columns::Table;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{Form, Output};
use crate::{input, tests_file};

/// A signal with the name people know it by.
pub(super) struct Row {
    pub(super) name: String,
    pub(super) trace: Trace,
}

pub(super) fn run(model: &StlModel, output: &Output, arguments: &RunArguments) -> Result<Exit, Failure> {
    if !arguments.set.is_empty() || arguments.tests.is_empty() {
        return Err(Failure::Usage("name a table (CSV) of samples, or a suite".to_owned()));
    }
    if let Some(path) = &arguments.oracle {
        let mut rows = Vec::new();
        for path in &arguments.tests {
            rows.extend(read(model, output, path)?);
        }
        short_signals(model, output, &rows);
        return oracle::run(model, output, &rows, path);
    }
    let mut judged = Vec::new();
    for path in &arguments.tests {
        match stream::is_long(path).then(|| Monitor::new(&model.spec)).flatten() {
            Some(monitor) => judged.push(stream::judge(model, output, path, monitor)?),
            None if path == Path::new("-") => {
                let message = "an operator without an upper bound stands within another temporal operator: \
                               nothing of the signal can be forgotten, so it must be a file";
                return Err(Failure::Rejected(message.to_owned()));
            }
            None => {
                let rows = read(model, output, path)?;
                short_signals(model, output, &rows);
                judged.extend(rows.iter().map(|row| judge(model, row)));
            }
        }
    }
    show(output, &judged)
}

/// The signals of a file: of a suite, or the one of a table, which may be long and goes no way round.
fn read(model: &StlModel, output: &Output, path: &Path) -> Result<Vec<Row>, Failure> {
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json")) {
        let tests = tests_file::read_all(output, model, &[path.to_owned()])?;
        let row = |test: tests_file::GivenTest| {
            let Inputs::Document(document) = &test.inputs else { unreachable!("the tests of a formula are signals") };
            Ok(Row { name: test.name, trace: from_json(&model.spec, document).map_err(Failure::Rejected)? })
        };
        return tests.into_iter().map(row).collect();
    }
    let file = Source::from_bytes(&path.display().to_string(), input::read(path)?)
        .map_err(|rejection| output.rejected(&rejection.source, std::slice::from_ref(&rejection.diagnostic)))?;
    let trace = stl::table::read_table(&file, &model.spec).map_err(|errors| output.rejected(&file, &errors))?;
    Ok(vec![Row { name: input::file_name(path), trace }])
}

/// What is known about a signal.
pub(super) struct Judged {
    pub(super) name: String,
    pub(super) holds: bool,
    pub(super) robustness: f64,
    /// When the formula holds, or when the verdict was settled.
    pub(super) when: String,
    /// The rest, as fields of a JSON object.
    pub(super) more: serde_json::Map<String, serde_json::Value>,
}

fn judge(model: &StlModel, row: &Row) -> Judged {
    let (store, formula) = (&model.spec.store, model.spec.formula);
    let times = intervals(model, &row.trace);
    Judged {
        name: row.name.clone(),
        holds: holds(store, &row.trace, formula),
        robustness: robustness(store, &row.trace, formula),
        when: shortened(&times),
        more: serde_json::Map::from_iter([("times".to_owned(), json!(times))]),
    }
}

fn show(output: &Output, judged: &[Judged]) -> Result<Exit, Failure> {
    let mut text = String::new();
    let mut table = Table::new(&["signal", "verdict", "robustness", "holds at"]);
    for one in judged {
        match output.form {
            Form::Json => {
                let distance = one.robustness;
                let distance = if distance.is_finite() { json!(distance) } else { json!(distance.to_string()) };
                let mut line = serde_json::Map::from_iter([
                    ("test".to_owned(), json!(one.name)),
                    ("holds".to_owned(), json!(one.holds)),
                    ("robustness".to_owned(), distance),
                ]);
                line.extend(one.more.clone());
                text.push_str(&format!("{}\n", serde_json::Value::Object(line)));
            }
            Form::Human => {
                table.row(vec![one.name.clone(), one.holds.to_string(), one.robustness.to_string(), one.when.clone()]);
            }
        }
    }
    if output.form == Form::Human {
        text = table.to_text(0);
    }
    output.product(&text)?;
    Ok(Exit::Done)
}

/// The times at which the formula holds, as intervals.
fn intervals(model: &StlModel, trace: &Trace) -> Vec<String> {
    let times = times(&model.spec.store, trace, model.spec.formula);
    let interval = |ends: &[stl::times::Cut<value::RBig>]| {
        let open = if ends[0].after { '(' } else { '[' };
        let start = write_number(&ends[0].at);
        match ends.get(1) {
            Some(end) => format!("{open}{start},{}{}", write_number(&end.at), if end.after { ']' } else { ')' }),
            None => format!("{open}{start},inf)"),
        }
    };
    times.cuts.chunks(2).map(interval).collect()
}

fn shortened(intervals: &[String]) -> String {
    match intervals {
        [] => "never".to_owned(),
        few if few.len() <= 4 => few.join(" "),
        many => format!("{} … ({} intervals)", many[..3].join(" "), many.len()),
    }
}

/// Says which signals end before the formula's horizon.
fn short_signals(model: &StlModel, output: &Output, rows: &[Row]) {
    let length = horizon(&model.spec.store, &[model.spec.formula]);
    for row in rows.iter().filter(|row| row.trace.end < length) {
        let span = model.spec.occurrences.last().map(|place| place.span).unwrap_or_default();
        let message = format!(
            "signal {} ends at {}, but the formula looks {} ahead: the last values are held",
            row.name,
            write_number(&row.trace.end),
            write_number(&length)
        );
        output.diagnostics(&model.source, &[Diagnostic::warning(&stl::codes::SIGNAL_SHORT, span, message)]);
    }
}
