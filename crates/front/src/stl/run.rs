//! `specimen run` for a formula: verdict and robustness of given signals.

use std::path::Path;

use serde_json::json;
use source::{Diagnostic, Source};
use stl::interp::{Outlook, Verdict, holds, times};
use stl::robust::robustness;
use stl::signal::{Trace, from_json};
use stl::stream::Monitor;
use stl::times::Times;
use stl::{horizon, write_number};
use testcase::Inputs;

use super::{StlModel, oracle, stream, time};
use crate::columns::Table;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::options::RunArguments;
use crate::output::{Form, Output};
use crate::{input, tests_file};

/// A signal with the name people know it by.
pub(super) struct Row {
    pub(super) name: String,
    pub(super) trace: Trace,
    /// Whether it goes on after its end in a way that is not known: a table does, a test keeps its last values.
    goes_on: bool,
}

pub(super) fn run(model: &StlModel, output: &Output, arguments: &RunArguments) -> Result<Exit, Failure> {
    if arguments.tests.is_empty() {
        return Err(Failure::Usage("name a table (CSV) of samples, or a suite".to_owned()));
    }
    if let Some(path) = &arguments.stl.oracle {
        let mut rows = Vec::new();
        for path in &arguments.tests {
            rows.extend(read(model, output, path)?);
        }
        rows.iter().for_each(|row| held(model, output, row));
        return oracle::run(model, output, &rows, path);
    }
    let mut judged = Vec::new();
    if arguments.stl.definitions {
        if arguments.tests.iter().any(|path| path == Path::new("-")) {
            return Err(Failure::Usage(
                "standard input can be read once only: name a file for several requirements".to_owned(),
            ));
        }
        for name in stl::definitions(&model.source).map_err(|errors| output.rejected(&model.source, &errors))? {
            let part = definition(model, output, &name)?;
            judged.extend(
                judge_all(&part, output, arguments)?.into_iter().map(|one| Judged { of: Some(name.clone()), ..one }),
            );
        }
    }
    let whole = arguments.stl.definitions.then(|| "the formula".to_owned());
    judged.extend(judge_all(model, output, arguments)?.into_iter().map(|one| Judged { of: whole.clone(), ..one }));
    show(output, &judged)?;
    let good = |judged: &Judged| matches!(judged.verdict, Verdict::Decided(true) | Verdict::Presumed(true));
    Ok(if judged.iter().all(good) { Exit::Done } else { Exit::Open })
}

/// The same file with one of its definitions as the formula.
fn definition(model: &StlModel, output: &Output, name: &str) -> Result<StlModel, Failure> {
    let loaded = stl::load_definition(&model.source, name);
    let (mut spec, _) = loaded.map_err(|errors| output.rejected(&model.source, &errors))?;
    if let Some(horizon) = &model.reading.horizon {
        spec = spec.bounded(&time(horizon)?);
    }
    Ok(StlModel { source: model.source.clone(), spec, reading: model.reading.clone() })
}

/// What is known about all signals of all files.
fn judge_all(model: &StlModel, output: &Output, arguments: &RunArguments) -> Result<Vec<Judged>, Failure> {
    let mut judged = Vec::new();
    for path in &arguments.tests {
        match stream::is_long(path).then(|| Monitor::new(&model.spec)).flatten() {
            Some(monitor) => judged.push(stream::judge(model, output, path, monitor)?),
            None if path == Path::new("-") => {
                let message = "an operator without an upper bound stands within another temporal operator, or looks back from within one: \
                               nothing of the signal can be forgotten, so it must be a file";
                return Err(Failure::Rejected(message.to_owned()));
            }
            None => {
                for row in read(model, output, path)? {
                    let judged_row = judge(model, &row);
                    match row.goes_on {
                        true => short(model, output, &judged_row, &row.trace.end),
                        false => held(model, output, &row),
                    }
                    judged.push(judged_row);
                }
            }
        }
    }
    Ok(judged)
}

/// The signals of a file: of a suite, or the one of a table, which may be long and goes no way round.
fn read(model: &StlModel, output: &Output, path: &Path) -> Result<Vec<Row>, Failure> {
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json")) {
        let tests = tests_file::read_all(output, model, &[path.to_owned()])?;
        let row = |test: tests_file::GivenTest| {
            let Inputs::Document(document) = &test.inputs else { unreachable!("the tests of a formula are signals") };
            Ok(Row {
                name: test.name,
                trace: from_json(&model.spec, document).map_err(Failure::Rejected)?,
                goes_on: false,
            })
        };
        return tests.into_iter().map(row).collect();
    }
    let file = Source::from_bytes(&path.display().to_string(), input::read(path)?)
        .map_err(|rejection| output.rejected(&rejection.source, std::slice::from_ref(&rejection.diagnostic)))?;
    let trace = stl::table::read_table(&file, &model.spec).map_err(|errors| output.rejected(&file, &errors))?;
    Ok(vec![Row { name: input::file_name(path), trace, goes_on: true }])
}

/// What is known about a signal.
pub(super) struct Judged {
    pub(super) name: String,
    /// The requirement it was judged by, where there are several.
    pub(super) of: Option<String>,
    pub(super) verdict: Verdict,
    /// Up to when samples are needed, where it is undecided.
    pub(super) needed: Option<value::RBig>,
    /// None where the verdict is undecided.
    pub(super) robustness: Option<f64>,
    /// When the formula holds, or when the verdict was settled.
    pub(super) when: String,
    /// The rest, as fields of a JSON object.
    pub(super) more: serde_json::Map<String, serde_json::Value>,
}

fn judge(model: &StlModel, row: &Row) -> Judged {
    let (store, formula) = (&model.spec.store, model.spec.formula);
    let outlook = match row.goes_on {
        true => Outlook::of(&model.spec, &row.trace),
        false => {
            let verdict = Verdict::Decided(holds(store, &row.trace, formula));
            Outlook { verdict, needed: None, times: times(store, &row.trace, formula) }
        }
    };
    let distance = |truth: bool| Some(robustness(store, &row.trace, formula, truth));
    let times = intervals(&outlook.times);
    Judged {
        name: row.name.clone(),
        of: None,
        robustness: truth(outlook.verdict).and_then(distance),
        verdict: outlook.verdict,
        needed: outlook.needed,
        when: shortened(&times),
        more: serde_json::Map::from_iter([("times".to_owned(), json!(times))]),
    }
}

/// The truth value that a verdict speaks of.
fn truth(verdict: Verdict) -> Option<bool> {
    match verdict {
        Verdict::Decided(truth) | Verdict::Presumed(truth) => Some(truth),
        Verdict::Undecided => None,
    }
}

fn verdict_text(verdict: Verdict) -> String {
    match verdict {
        Verdict::Decided(truth) => truth.to_string(),
        Verdict::Presumed(truth) => format!("presumably {truth}"),
        Verdict::Undecided => "undecided".to_owned(),
    }
}

fn show(output: &Output, judged: &[Judged]) -> Result<(), Failure> {
    let mut text = String::new();
    let several = judged.iter().any(|one| one.of.is_some());
    let heads: &[&str] = if several { &["requirement"] } else { &[] };
    let mut table = Table::new(&[heads, &["signal", "verdict", "robustness", "holds at"]].concat());
    for one in judged {
        match output.form {
            Form::Json => {
                let distance = match one.robustness {
                    Some(distance) if !distance.is_finite() => json!(distance.to_string()),
                    distance => json!(distance),
                };
                let mut line = serde_json::Map::from_iter([
                    ("test".to_owned(), json!(one.name)),
                    ("verdict".to_owned(), json!(verdict_text(one.verdict))),
                    ("holds".to_owned(), json!(truth(one.verdict))),
                    ("decided".to_owned(), json!(matches!(one.verdict, Verdict::Decided(_)))),
                    ("robustness".to_owned(), distance),
                ]);
                if let Some(of) = &one.of {
                    line.insert("requirement".to_owned(), json!(of));
                }
                if let Some(needed) = &one.needed {
                    line.insert("needed".to_owned(), json!(write_number(needed)));
                }
                line.extend(one.more.clone());
                text.push_str(&format!("{}\n", serde_json::Value::Object(line)));
            }
            Form::Human => {
                let distance = one.robustness.map_or_else(|| "-".to_owned(), |distance| distance.to_string());
                let cells = [one.name.clone(), verdict_text(one.verdict), distance, one.when.clone()];
                table.row(one.of.iter().cloned().chain(cells).collect());
            }
        }
    }
    if output.form == Form::Human {
        text = table.to_text(0);
    }
    output.product(&text)
}

/// A set of times, as intervals.
fn intervals(times: &Times<value::RBig>) -> Vec<String> {
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

/// Says that a table or stream ends before the formula's horizon, and what follows.
pub(super) fn short(model: &StlModel, output: &Output, judged: &Judged, end: &value::RBig) {
    let length = horizon(&model.spec.store, &[model.spec.formula]);
    let (name, end_text) = (&judged.name, write_number(end));
    let message = match (&judged.needed, judged.verdict) {
        (Some(needed), _) => {
            format!(
                "signal {name} ends at {end_text}: the verdict is open, samples up to {} decide it",
                write_number(needed)
            )
        }
        (None, Verdict::Decided(_)) if *end < length => format!(
            "signal {name} ends at {end_text}, but the formula looks {} ahead: the verdict is decided all the same, \
             the robustness is that of the last values held",
            write_number(&length)
        ),
        (None, _) => return,
    };
    warn(model, output, message);
}

/// Says that a test ends before the formula's horizon.
fn held(model: &StlModel, output: &Output, row: &Row) {
    let length = horizon(&model.spec.store, &[model.spec.formula]);
    if row.trace.end < length {
        let (name, end) = (&row.name, write_number(&row.trace.end));
        let length = write_number(&length);
        warn(
            model,
            output,
            format!("signal {name} ends at {end}, but the formula looks {length} ahead: the last values are held"),
        );
    }
}

fn warn(model: &StlModel, output: &Output, message: String) {
    let span = model.spec.occurrences.last().map(|place| place.span).unwrap_or_default();
    output.diagnostics(&model.source, &[Diagnostic::warning(&stl::codes::SIGNAL_SHORT, span, message)]);
}
