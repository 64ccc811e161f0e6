//! `specimen run` for a formula: verdict and robustness of given signals.

use std::path::Path;

use serde_json::json;
use source::Diagnostic;
use stl::interp::{Outlook, Verdict, holds, times};
use stl::robust::robustness;
use stl::signal::{Trace, from_json};
use stl::stream::Monitor;
use stl::times::Times;
use stl::{horizon, write_number};
use testcase::{Inputs, write_atomically};
use value::RBig;

use super::report::{self, Case, Part};
use super::{StlModel, as_read, log, oracle, stream};
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
    /// What its time zero is called.
    pub(super) origin: RBig,
    /// Whether it goes on after its end in a way that is not known: a table does, a test keeps its last values.
    pub(super) goes_on: bool,
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
    let mut models = Vec::new();
    if arguments.stl.definitions {
        if arguments.tests.iter().any(|path| path == Path::new("-")) {
            return Err(Failure::Usage(
                "standard input can be read once only: name a file for several requirements".to_owned(),
            ));
        }
        for name in stl::definitions(&model.source).map_err(|errors| output.rejected(&model.source, &errors))? {
            models.push((Some(name.clone()), definition(model, output, &name)?));
        }
    }
    let whole = arguments.stl.definitions.then(|| "the formula".to_owned());
    let (mut judged, mut kept) = (Vec::new(), Vec::new());
    let all = models.iter().map(|(of, model)| (of.clone(), model)).chain([(whole, model)]);
    for (of, model) in all {
        for (one, row) in judge_all(model, output, arguments)? {
            kept.push((model, row));
            judged.push(Judged { of: of.clone(), ..one });
        }
    }
    let cases: Vec<Option<Case<'_>>> = judged
        .iter()
        .zip(&kept)
        .map(|(judged, (model, row))| row.as_ref().map(|row| Case::new(&model.spec, judged, row)))
        .collect();
    show(output, &judged, if arguments.stl.explain { &cases } else { &[] })?;
    write(model, arguments, &judged, &cases)?;
    Ok(if judged.iter().all(Judged::is_good) { Exit::Done } else { Exit::Open })
}

/// Writes the page and the list for build servers, where they are asked for.
fn write(
    model: &StlModel,
    arguments: &RunArguments,
    judged: &[Judged],
    cases: &[Option<Case<'_>>],
) -> Result<(), Failure> {
    let file = input::file_name(Path::new(model.source.name()));
    let to =
        |path: &Path, text: &str| write_atomically(path, text).map_err(|error| input::cannot("write", path, &error));
    if let Some(path) = &arguments.stl.junit {
        let reasons: Vec<Vec<String>> =
            cases.iter().map(|case| case.as_ref().map(Case::reasons).unwrap_or_default()).collect();
        to(path, &report::junit(&file, judged, &reasons))?;
    }
    if let Some(path) = &arguments.stl.report {
        if cases.iter().any(Option::is_none) {
            return Err(Failure::Usage(
                "a signal that is judged while it is read is not kept, so it cannot be drawn: name a shorter file"
                    .to_owned(),
            ));
        }
        let cases: Vec<&Case<'_>> = cases.iter().flatten().collect();
        let title = model.spec.title.clone().unwrap_or(file);
        to(path, &report::page(&title, model.spec.requirement.as_deref(), &cases))?;
    }
    Ok(())
}

/// The same file with one of its definitions as the formula.
fn definition(model: &StlModel, output: &Output, name: &str) -> Result<StlModel, Failure> {
    let loaded = stl::load_definition(&model.source, name);
    let (mut spec, _) = loaded.map_err(|errors| output.rejected(&model.source, &errors))?;
    spec = as_read(spec, &model.reading)?;
    Ok(StlModel { source: model.source.clone(), spec, reading: model.reading.clone() })
}

/// What is known about all signals of all files, with the signals that are kept.
fn judge_all(
    model: &StlModel,
    output: &Output,
    arguments: &RunArguments,
) -> Result<Vec<(Judged, Option<Row>)>, Failure> {
    let mut judged = Vec::new();
    for path in &arguments.tests {
        let monitor = stream::is_long(path).then(|| Monitor::new(&model.spec)).flatten();
        if let Some(monitor) = monitor
            && let Some(one) = stream::judge(model, output, path, monitor)?
        {
            judged.push((one, None));
            continue;
        }
        if path == Path::new("-") {
            let message = "an operator without an upper bound stands within another temporal operator, or looks back from within one, or \
                           a signal has steps: nothing of the signal can be forgotten, so it must be a file";
            return Err(Failure::Rejected(message.to_owned()));
        }
        for row in read(model, output, path)? {
            let judged_row = judge(model, &row);
            match row.goes_on {
                true => short(model, output, &judged_row, &row.origin, &row.trace.end),
                false => held(model, output, &row),
            }
            judged.push((judged_row, Some(row)));
        }
    }
    Ok(judged)
}

/// The signals of a file: of a suite, or the one of a recording, which may be long and goes no way round.
fn read(model: &StlModel, output: &Output, path: &Path) -> Result<Vec<Row>, Failure> {
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json")) {
        let tests = tests_file::read_all(output, model, &[path.to_owned()])?;
        let row = |test: tests_file::GivenTest| {
            let Inputs::Document(document) = &test.inputs else { unreachable!("the tests of a formula are signals") };
            Ok(Row {
                name: test.name,
                trace: from_json(&model.spec, document).map_err(Failure::Rejected)?,
                origin: RBig::ZERO,
                goes_on: false,
            })
        };
        return tests.into_iter().map(row).collect();
    }
    let recording = log::read(output, &model.spec, &model.reading, path)?;
    Ok(vec![Row { name: input::file_name(path), trace: recording.trace, origin: recording.origin, goes_on: true }])
}

/// What is known about a signal.
pub(super) struct Judged {
    pub(super) name: String,
    /// The requirement it was judged by, where there are several.
    pub(super) of: Option<String>,
    pub(super) verdict: Verdict,
    /// Up to when samples are needed, where it is undecided.
    pub(super) needed: Option<RBig>,
    /// None where the verdict is undecided.
    pub(super) robustness: Option<f64>,
    /// When the formula holds, or when the verdict was settled.
    pub(super) when: String,
    /// The rest, as fields of a JSON object.
    pub(super) more: serde_json::Map<String, serde_json::Value>,
}

impl Judged {
    /// Whether the formula holds, or no sample contradicts it.
    pub(super) fn is_good(&self) -> bool {
        truth(self.verdict) == Some(true)
    }

    /// Whether the formula does not hold, or no sample fulfils it.
    pub(super) fn is_violated(&self) -> bool {
        truth(self.verdict) == Some(false)
    }
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
    // A verdict that is presumed is about the samples; what looks back sees more where the last values are kept, and may say the opposite.
    let keeps = |truth: bool| match outlook.verdict {
        Verdict::Presumed(_) => holds(store, &row.trace, formula) == truth,
        Verdict::Decided(_) | Verdict::Undecided => true,
    };
    let distance = |truth: bool| keeps(truth).then(|| robustness(store, &row.trace, formula, truth));
    let times = intervals(&outlook.times, &row.origin);
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

/// A verdict in words.
pub(super) fn verdict_text(verdict: Verdict) -> String {
    match verdict {
        Verdict::Decided(truth) => truth.to_string(),
        Verdict::Presumed(truth) => format!("presumably {truth}"),
        Verdict::Undecided => "undecided".to_owned(),
    }
}

fn show(output: &Output, judged: &[Judged], explained: &[Option<Case<'_>>]) -> Result<(), Failure> {
    let mut text = String::new();
    let several = judged.iter().any(|one| one.of.is_some());
    let heads: &[&str] = if several { &["requirement"] } else { &[] };
    let mut table = Table::new(&[heads, &["signal", "verdict", "robustness", "holds at"]].concat());
    for (place, one) in judged.iter().enumerate() {
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
                if let Some(Some(case)) = explained.get(place) {
                    line.insert("reasons".to_owned(), json!(case.reasons()));
                    let part =
                        |part: Part| json!({ "formula": part.name, "times": intervals(&part.holds, &case.row.origin) });
                    line.insert("parts".to_owned(), json!(case.parts().into_iter().map(part).collect::<Vec<_>>()));
                }
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
        explained.iter().flatten().for_each(|case| text += &explanation(case));
    }
    output.product(&text)
}

/// Why a verdict is what it is, and when the parts of the formula hold, for people.
fn explanation(case: &Case<'_>) -> String {
    let of = case.judged.of.as_ref().map(|of| format!("{of}, ")).unwrap_or_default();
    let mut text = format!("\n{of}{}: {}\n", case.judged.name, verdict_text(case.judged.verdict));
    for line in case.reasons() {
        text += &format!("  {line}\n");
    }
    let mut table = Table::new(&["part", "holds at"]);
    for part in case.parts() {
        table.row(vec![part.name, shortened(&intervals(&part.holds, &case.row.origin))]);
    }
    text + "\n" + &table.to_text(2)
}

/// A set of times, as intervals; time zero is called `origin`.
fn intervals(times: &Times<RBig>, origin: &RBig) -> Vec<String> {
    let at = |cut: &stl::times::Cut<RBig>| write_number(&(&cut.at + origin));
    let interval = |ends: &[stl::times::Cut<RBig>]| {
        let open = if ends[0].after { '(' } else { '[' };
        let start = at(&ends[0]);
        match ends.get(1) {
            Some(end) => format!("{open}{start},{}{}", at(end), if end.after { ']' } else { ')' }),
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
pub(super) fn short(model: &StlModel, output: &Output, judged: &Judged, origin: &RBig, end: &RBig) {
    let length = horizon(&model.spec.store, &[model.spec.formula]);
    let (name, end_text) = (&judged.name, write_number(&(end + origin)));
    let message = match (&judged.needed, judged.verdict) {
        (Some(needed), _) => {
            format!(
                "signal {name} ends at {end_text}: the verdict is open, samples up to {} decide it",
                write_number(&(needed + origin))
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
