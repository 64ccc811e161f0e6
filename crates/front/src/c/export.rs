//! Suites of C programs in the formats that C people use.

use std::path::Path;
use std::sync::Arc;

use c::expr::{Base, PlaceId};
use c::interp::{InputValue, Inputs as Answers, Interpreter, Machine, Observer, RecordedInputs, Settings};
use c::program::{Callee, EdgeId, Operation, Storage};
use fql::output::after::Finder;
use fql::output::harness::Frame;
use fql::output::{
    Assignment, Call, Cut, Expected, Input, Metadata, Place, PlainOptions, Test, Tests, of_run, plain, test_comp, xml,
};
use source::Source;
use testcase::{Inputs, Suite, TestRecord};

use super::{CModel, harness};
use crate::failure::Failure;
use crate::front_end::ExportedFile;
use crate::options::{CReadingArguments, ReadingArguments};
use crate::output::Output;
use crate::reader::Reader;

/// The suite in a format; the source with the place where it was read. What the format cannot say is left out, and said.
pub(super) fn export(
    output: &Output,
    suite: &Suite,
    format: &str,
    source: Option<(&Path, &str)>,
) -> Result<Vec<ExportedFile>, Failure> {
    let (path, text) = source.ok_or_else(|| {
        Failure::Environment(format!("the source {} is needed; name it with --source", suite.source.file))
    })?;
    let one = |name: &str, text: String| vec![ExportedFile { name: name.to_owned(), text }];
    let frame = match format {
        "fshell" | "fshell-xml" | "test-comp" => {
            let model = model(&reader(suite, path)?, path, text, &ReadingArguments::of_suite(suite)?.c)?;
            let tests = tests(&model, suite)?;
            return Ok(match format {
                "fshell" => {
                    let tests = without(tests, true, true);
                    one("tests.txt", plain(&[tests], PlainOptions { locations: true, ..PlainOptions::default() }))
                }
                "fshell-xml" => one("tests.xml", xml(&[without(tests, true, true)])),
                _ => exchanged(output, &model, suite, &tests)?,
            });
        }
        "cunit" => Frame::CUnit,
        "ctest" => Frame::CTest,
        _ => Frame::Make,
    };
    let made = harness::harness(suite, path, text, frame)?;
    for (test, reason) in &made.left_out {
        output.warn(&format!("test {test} is left out: {reason}"));
    }
    if made.left_out.len() == suite.tests.len()
        && let Some((test, reason)) = made.left_out.first()
    {
        return Err(Failure::Rejected(format!("test {test} cannot be run by a harness: {reason}")));
    }
    Ok(made.files)
}

/// A suite in the exchange format of Test-Comp, without the tests that it cannot say.
fn exchanged(output: &Output, model: &CModel, suite: &Suite, tests: &Tests) -> Result<Vec<ExportedFile>, Failure> {
    let (files, left_out) = test_comp(tests, &metadata(model, suite));
    let what = "Test-Comp's format has only results of __VERIFIER_nondet_… functions";
    if left_out.len() == suite.tests.len() && !left_out.is_empty() {
        let mut names: Vec<&str> = left_out.iter().flat_map(|left| &left.inputs).map(String::as_str).collect();
        names.sort_unstable();
        names.dedup();
        return Err(Failure::Rejected(format!("{what}; every test of the suite also has {}", names.join(", "))));
    }
    for left in &left_out {
        let id = suite.tests.get(left.test - 1).map(|test| test.id.as_str()).unwrap_or_default();
        output.warn(&format!("test {id} is left out: {what}, and it also has {}", left.inputs.join(", ")));
    }
    Ok(files.into_iter().map(|(name, text)| ExportedFile { name, text }).collect())
}

/// What opens the further files of the program: they are beside the source.
pub(super) fn reader(suite: &Suite, path: &Path) -> Result<Arc<Reader>, Failure> {
    let beside = path.with_file_name("suite.json");
    Ok(Reader::of_suite(suite, &beside, Some(path))?.0)
}

/// The program of a suite.
pub(super) fn model(
    reader: &Arc<Reader>,
    path: &Path,
    text: &str,
    reading: &CReadingArguments,
) -> Result<CModel, Failure> {
    let (output, collected) = Output::collecting();
    let source = Source::new(path.display().to_string(), text);
    let loaded = super::load::load(reader, &output, source, reading);
    let tested = loaded.and_then(|model| model.need_entry(&output).map(|()| model));
    tested.map_err(|failure| match failure {
        Failure::Shown => {
            let said = collected.take();
            let message = said.first().and_then(|said| said.get("message")).and_then(serde_json::Value::as_str);
            Failure::Rejected(format!(
                "the source cannot be read any more: {}",
                message.unwrap_or("no reason was given")
            ))
        }
        other => other,
    })
}

/// What a test of a suite expects.
fn expected(test: &TestRecord) -> Expected {
    let value = |name: &str| test.expected.get(name);
    let returns = value("returns").map(|value| match value {
        serde_json::Value::String(text) => text.clone(),
        other => other.to_string(),
    });
    let cut = value("cut").and_then(serde_json::Value::as_str);
    let cut = cut.map(|what| if what == "steps" { Cut::Steps } else { Cut::Inputs });
    let prints = value("prints").and_then(serde_json::Value::as_str).unwrap_or_default();
    Expected {
        returns,
        exits: value("exits").and_then(serde_json::Value::as_i64),
        aborts: value("aborts").is_some(),
        stops: value("stops").is_some(),
        cut,
        // What was no text was replaced when the suite was written: it cannot be compared.
        prints: (!prints.contains('\u{fffd}') && cut != Some(Cut::Steps)).then(|| prints.to_owned()),
        pointer: None,
        after: None,
        calls: None,
        writes: None,
    }
}

/// What a test of a suite expects of memory and of calls, as the program is now.
///
/// The error names what is not there any more.
fn seen(finder: &Finder<'_>, test: &TestRecord, expected: &mut Expected) -> Result<(), String> {
    let value = |name: &str| test.expected.get(name);
    let pointer = value("returns").filter(|value| value.is_null() || value.is_string());
    expected.pointer = pointer.map(|value| finder.wanted(value));
    expected.calls = value("calls").map(|calls| finder.calls(calls));
    expected.after = value("after").map(|after| finder.after(after)).transpose()?;
    expected.writes = value("writes").map(|writes| finder.writes(writes)).transpose()?;
    Ok(())
}

/// How the tests of a suite are run by the interpreter.
pub(super) fn settings(model: &CModel, suite: &Suite) -> Result<Settings, Failure> {
    let names = suite.options.get("abstract").and_then(serde_json::Value::as_array).into_iter().flatten();
    let names: Vec<String> = names.filter_map(serde_json::Value::as_str).map(str::to_owned).collect();
    Ok(Settings {
        zero_globals: !suite.options.contains_key("free-globals"),
        assertions: !model.reading.no_assert,
        assumptions: !suite.options.contains_key("no-assumptions"),
        abstracted: model.abstracted(&names)?,
        wrap: suite.options.contains_key("wrap"),
        go_on: goes_on(suite),
        rounds: suite.options.get("calls").and_then(serde_json::Value::as_u64).unwrap_or(1) as u32,
        ..Settings::default()
    })
}

/// Whether the tests of a suite go on behind undefined arithmetic.
fn goes_on(suite: &Suite) -> bool {
    suite.options.get("undefined").is_some_and(|rule| rule == "go-on")
}

/// Whether tests rely on arithmetic that the standard leaves undefined: the compiler must do what they were found with.
pub(super) fn wraps(suite: &Suite) -> bool {
    suite.options.contains_key("wrap") || goes_on(suite)
}

/// The inputs of a test for the interpreter. Those of a test that is cut where they end are all there are.
pub(super) fn recorded(test: &TestRecord) -> Result<RecordedInputs, Failure> {
    let values = draw_c::values(&Inputs::Document(test.inputs.clone())).map_err(Failure::Rejected)?;
    let mut recorded = RecordedInputs::default();
    recorded.strict = expected(test).cut == Some(Cut::Inputs);
    for (name, value) in values {
        recorded.push(name, value);
    }
    Ok(recorded)
}

/// The tests with what the interpreter knows about their inputs.
pub fn tests(model: &CModel, suite: &Suite) -> Result<Tests, Failure> {
    let program = &model.translation.program;
    let settings = settings(model, suite)?;
    let usual_calls = settings.rounds;
    let interpreter = Interpreter::new(program, settings);
    let mut tests = Vec::new();
    for test in &suite.tests {
        let mut seen = Deeds { program, calls: Vec::new(), assignments: Vec::new() };
        let mut given = recorded(test)?;
        let more_calls = given.calls().unwrap_or(usual_calls).saturating_sub(1);
        let outcome = interpreter.run(model.entry, &mut given, &mut seen);
        let mut inputs = of_run::inputs(program, model.entry, &outcome.inputs);
        for input in &mut inputs {
            input.place.file = base(&input.place.file);
        }
        let inputs = with_unasked(model, test, inputs, more_calls + 1)?;
        let finder = Finder::new(program, model.entry, &inputs, more_calls);
        let mut expected = expected(test);
        let gone = self::seen(&finder, test, &mut expected).err();
        let objects = finder.built(&inputs);
        let deeds = (seen.calls, seen.assignments);
        tests.push(Test { inputs, more_calls, objects, calls: deeds.0, assignments: deeds.1, expected, gone });
    }
    let watched = Finder::new(program, model.entry, &[], 0).watched();
    let mut entry = of_run::entry(program, model.entry);
    entry.place.file = base(&entry.place.file);
    Ok(Tests { entry, tests, watched })
}

/// The inputs of a run, and before them those of the test that the run did not ask for: the program may have changed since, and a
/// compiled one may ask.
fn with_unasked(model: &CModel, test: &TestRecord, asked: Vec<Input>, calls: u32) -> Result<Vec<Input>, Failure> {
    let given = draw_c::values(&Inputs::Document(test.inputs.clone())).map_err(Failure::Rejected)?;
    let program = &model.translation.program;
    let unasked = |(name, value): (String, InputValue)| match asked.iter().any(|input| input.name == name) {
        true => None,
        false => of_run::unasked(program, model.entry, &name, value, calls),
    };
    let mut inputs: Vec<Input> = given.into_iter().filter_map(unasked).collect();
    if inputs.is_empty() {
        return Ok(asked);
    }
    // A pointer stands before what it points to.
    let (pointers, others): (Vec<Input>, Vec<Input>) =
        asked.into_iter().partition(|input| input.value.starts_with("new["));
    let (new, rest): (Vec<Input>, Vec<Input>) = inputs.drain(..).partition(|input| input.value.starts_with("new["));
    let mut built: Vec<Input> = pointers.into_iter().chain(new).collect();
    built.sort_by_key(|input| input.name.matches('[').count());
    Ok(built.into_iter().chain(rest).chain(others).collect())
}

/// The same suite without its calls or its assignments, which are shown only where they are asked for.
pub fn without(mut tests: Tests, calls: bool, assignments: bool) -> Tests {
    for test in &mut tests.tests {
        if calls {
            test.calls.clear();
        }
        if assignments {
            test.assignments.clear();
        }
    }
    tests
}

/// Keeps the functions that are called and what is assigned to globals.
struct Deeds<'a> {
    program: &'a c::Program,
    calls: Vec<Call>,
    assignments: Vec<Assignment>,
}

impl Deeds<'_> {
    fn place(&self, edge: EdgeId) -> Place {
        let location = self.program.edge(edge).notes.location;
        let place = location.map(|location| Place {
            file: base(&self.program.files[location.file.0 as usize]),
            line: location.line,
            column: location.column,
        });
        place.unwrap_or_default()
    }

    /// Whether a place is a global variable or a part of one; its name as C writes it, as far as it is known.
    fn assigned(&mut self, edge: EdgeId, place: PlaceId, machine: &mut Machine<'_>) {
        let target = self.program.place(place);
        let Base::Variable(id) = target.base else { return };
        let variable = self.program.variable(id);
        if !matches!(variable.storage, Storage::Global { .. } | Storage::Static) {
            return;
        }
        let value = if target.steps.is_empty() { machine.static_value(id) } else { None };
        let types = &self.program.types;
        self.assignments.push(Assignment {
            name: variable.name.clone(),
            ty: types.show(variable.ty),
            place: self.place(edge),
            value: value.map_or_else(|| "?".to_owned(), |value| value.to_string()),
        });
    }
}

impl Observer for Deeds<'_> {
    fn taken(&mut self, edge: EdgeId, machine: &mut Machine<'_>) {
        match &self.program.edge(edge).operation {
            Operation::Call { callee, .. } => {
                let function = match callee {
                    Callee::Function(function) => *function,
                    Callee::Pointer { .. } => machine.called_function(),
                };
                let name = self.program.function(function).name.clone();
                self.calls.push(Call { name, place: self.place(edge), value: None });
            }
            Operation::Assign { place, .. } => self.assigned(edge, *place, machine),
            Operation::Skip
            | Operation::Initialise { .. }
            | Operation::Assume { .. }
            | Operation::Return { .. }
            | Operation::Assert { .. }
            | Operation::Restrict { .. } => {}
        }
    }
}

fn base(file: &str) -> String {
    file.rsplit('/').next().unwrap_or(file).to_owned()
}

fn metadata(model: &CModel, suite: &Suite) -> Metadata {
    let query = suite.options.get("query").and_then(serde_json::Value::as_str);
    let query = query.map_or_else(|| format!("COVER EDGES(@{})", suite.criterion.to_ascii_uppercase()), str::to_owned);
    let bytes = model.translation.program.types.model().pointer;
    Metadata {
        producer: format!("specimen {}", env!("CARGO_PKG_VERSION")),
        specification: format!(
            "COVER( init({}()), FQL({query}) )",
            model.translation.program.function(model.entry).name
        ),
        program: suite.source.file.clone(),
        hash: suite.source.sha256.clone(),
        architecture: format!("{}bit", u32::from(bytes) * 8),
        // A suite holds no clock.
        created: "1970-01-01T00:00:00Z".to_owned(),
    }
}
