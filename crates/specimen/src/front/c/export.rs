//! Suites of C programs in the formats that C people use.

use c::interp::{Interpreter, Machine, Observer, RecordedInputs, Settings};
use c::program::{Callee, EdgeId, Operation};
use fql::output::harness::harness;
use fql::output::{Call, Input, Metadata, Place, PlainOptions, Test, Tests, of_run, plain, test_comp, xml};
use source::Source;
use testcase::{Inputs, Suite};

use super::CModel;
use crate::args::ReadingArguments;
use crate::failure::Failure;
use crate::front::ExportedFile;
use crate::output::Output;

/// The suite in a format.
pub(super) fn export(suite: &Suite, format: &str, text: Option<&str>) -> Result<Vec<ExportedFile>, Failure> {
    let text = text.ok_or_else(|| {
        Failure::Environment(format!("the source {} is needed; name it with --source", suite.source.file))
    })?;
    let model = model(suite, text)?;
    let tests = tests(&model, suite)?;
    let one = |name: &str, text: String| vec![ExportedFile { name: name.to_owned(), text }];
    let many = |files: Vec<(String, String)>| {
        files.into_iter().map(|(name, text)| ExportedFile { name, text }).collect::<Vec<_>>()
    };
    Ok(match format {
        "fshell" => one("tests.txt", plain(&[tests], PlainOptions { locations: true, ..PlainOptions::default() })),
        "fshell-xml" => one("tests.xml", xml(&[without_calls(tests)])),
        "test-comp" => {
            let (files, left_out) = test_comp(&tests, &metadata(&model, suite));
            if !left_out.is_empty() {
                return Err(Failure::Rejected(format!(
                    "Test-Comp's format has only results of __VERIFIER_nondet_… functions; the suite also has {}",
                    left_out.join(", ")
                )));
            }
            many(files)
        }
        _ => {
            let asked: Vec<Input> = tests.tests.iter().flat_map(|test| test.inputs.clone()).collect();
            let files = vec![(suite.source.file.clone(), text.to_owned())];
            let sources = of_run::sources(&model.translation.program, files, &asked);
            let (files, left_out) = harness(&tests, &sources, format == "cunit");
            if let Some(first) = left_out.first() {
                let id = suite.tests.get(first.test - 1).map(|test| test.id.clone()).unwrap_or_default();
                return Err(Failure::Rejected(format!("test {id} cannot be run by a harness: {}", first.reason)));
            }
            many(files)
        }
    })
}

/// The program of a suite. The text is written to a file of its own, since it has to be preprocessed.
fn model(suite: &Suite, text: &str) -> Result<CModel, Failure> {
    let folder = std::env::temp_dir().join(format!(
        "specimen-{}-{}",
        std::process::id(),
        suite.source.sha256.get(..12).unwrap_or_default()
    ));
    let cannot = |error: std::io::Error| Failure::Environment(format!("cannot write to {}: {error}", folder.display()));
    std::fs::create_dir_all(&folder).map_err(cannot)?;
    let file = folder.join(&suite.source.file);
    std::fs::write(&file, text).map_err(cannot)?;
    let reading = ReadingArguments::of_suite(suite)?;
    let (output, collected) = Output::collecting();
    let source = Source::new(file.display().to_string(), text);
    let loaded = super::load::load(&output, source, &reading);
    let _ = std::fs::remove_dir_all(&folder);
    loaded.map_err(|failure| match failure {
        Failure::Shown => Failure::Rejected(format!("the source cannot be read any more: {:?}", collected.take())),
        other => other,
    })
}

/// The tests with what the interpreter knows about their inputs.
pub(crate) fn tests(model: &CModel, suite: &Suite) -> Result<Tests, Failure> {
    let program = &model.translation.program;
    let free = suite.options.get("free-globals").is_some();
    let interpreter = Interpreter::new(program, Settings { zero_globals: !free, ..Settings::default() });
    let mut tests = Vec::new();
    for test in &suite.tests {
        let values = testgen::c::values(&Inputs::Document(test.inputs.clone())).map_err(Failure::Rejected)?;
        let mut recorded = RecordedInputs::default();
        for (name, value) in values {
            recorded.push(name, value);
        }
        let mut calls = Calls { program, calls: Vec::new() };
        let outcome = interpreter.run(model.entry, &mut recorded, &mut calls);
        let mut inputs = of_run::inputs(program, &outcome.inputs);
        for input in &mut inputs {
            input.place.file = base(&input.place.file);
        }
        tests.push(Test { inputs, calls: calls.calls, ..Test::default() });
    }
    let mut entry = of_run::entry(program, model.entry);
    entry.place.file = base(&entry.place.file);
    Ok(Tests { entry, tests })
}

/// The same suite without the calls, which XML shows only where they are asked for.
pub(crate) fn without_calls(mut tests: Tests) -> Tests {
    tests.tests.iter_mut().for_each(|test| test.calls.clear());
    tests
}

/// Keeps the functions that are called.
struct Calls<'a> {
    program: &'a c::Program,
    calls: Vec<Call>,
}

impl Observer for Calls<'_> {
    fn taken(&mut self, edge: EdgeId, machine: &mut Machine<'_>) {
        let taken = self.program.edge(edge);
        let Operation::Call { callee, .. } = &taken.operation else { return };
        let function = match callee {
            Callee::Function(function) => Some(*function),
            Callee::Pointer { .. } => machine.current_function(),
        };
        let Some(function) = function else { return };
        let place = taken.notes.location.map(|location| Place {
            file: base(&self.program.files[location.file.0 as usize]),
            line: location.line,
            column: location.column,
        });
        let name = self.program.function(function).name.clone();
        self.calls.push(Call { name, place: place.unwrap_or_default(), value: None });
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
