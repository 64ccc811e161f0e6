//! Suites of C programs in the formats that C people use.

use std::path::Path;

use c::DataModel;
use c::expr::{Base, PlaceId};
use c::interp::{Interpreter, Machine, Observer, RecordedInputs, Settings};
use c::program::{Callee, EdgeId, Operation, Storage};
use fql::output::harness::{Frame, harness};
use fql::output::{
    Assignment, Call, Expected, Input, Metadata, Place, PlainOptions, Test, Tests, of_run, plain, test_comp, xml,
};
use source::Source;
use testcase::{Inputs, Suite, TestRecord};

use super::CModel;
use crate::args::ReadingArguments;
use crate::failure::Failure;
use crate::front::ExportedFile;
use crate::input;
use crate::output::Output;

/// The suite in a format; the source with the place where it was read.
pub(super) fn export(suite: &Suite, format: &str, source: Option<(&Path, &str)>) -> Result<Vec<ExportedFile>, Failure> {
    let (path, text) = source.ok_or_else(|| {
        Failure::Environment(format!("the source {} is needed; name it with --source", suite.source.file))
    })?;
    let reading = ReadingArguments::of_suite(suite)?;
    let model = model(path, text, &reading)?;
    let tests = tests(&model, suite)?;
    let one = |name: &str, text: String| vec![ExportedFile { name: name.to_owned(), text }];
    let many = |files: Vec<(String, String)>| {
        files.into_iter().map(|(name, text)| ExportedFile { name, text }).collect::<Vec<_>>()
    };
    let frame = match format {
        "fshell" => {
            let tests = without(tests, true, true);
            return Ok(one("tests.txt", plain(&[tests], PlainOptions { locations: true, ..PlainOptions::default() })));
        }
        "fshell-xml" => return Ok(one("tests.xml", xml(&[without(tests, true, true)]))),
        "test-comp" => {
            let (files, left_out) = test_comp(&tests, &metadata(&model, suite));
            if !left_out.is_empty() {
                return Err(Failure::Rejected(format!(
                    "Test-Comp's format has only results of __VERIFIER_nondet_… functions; the suite also has {}",
                    left_out.join(", ")
                )));
            }
            return Ok(many(files));
        }
        _ if suite.options.get("calls").is_some() => {
            let message = "a harness calls the function once; the tests of this suite call it several times";
            return Err(Failure::Rejected(message.to_owned()));
        }
        "cunit" => Frame::CUnit,
        "ctest" => Frame::CTest,
        _ => Frame::Make,
    };
    let asked: Vec<Input> = tests.tests.iter().flat_map(|test| test.inputs.clone()).collect();
    let mut files = vec![(suite.source.file.clone(), text.to_owned())];
    for linked in &reading.c.link {
        files.push((linked.display().to_string(), input::read_text(linked)?));
    }
    let mut flags: Vec<String> = reading.c.include.iter().map(|folder| format!("-I{}", folder.display())).collect();
    flags.extend(reading.c.define.iter().map(|define| format!("-D{define}")));
    let machine = *model.translation.program.types.model();
    flags.extend((machine.pointer == 4).then(|| "-m32".to_owned()));
    flags.extend((!machine.signed_char).then(|| "-funsigned-char".to_owned()));
    // Stubs take the place of functions that compilers believe to know.
    // Where tests rely on arithmetic that the standard leaves undefined, the compiler must do what the tests were found with.
    let wraps =
        suite.options.get("wrap").is_some() || suite.options.get("undefined").is_some_and(|rule| rule == "go-on");
    flags.extend(wraps.then(|| "-fwrapv".to_owned()));
    flags.extend(reading.c.no_library.then(|| "-fno-builtin".to_owned()));
    let sources = of_run::sources(&model.translation.program, files, &asked, flags);
    let (mut files, left_out) = harness(&tests, &sources, frame);
    if machine != DataModel::default() {
        let tester = files.iter_mut().filter(|(name, _)| name == "tester.c");
        tester.for_each(|(_, text)| *text = for_machine(&machine) + text);
    }
    if let Some(first) = left_out.first() {
        let id = suite.tests.get(first.test - 1).map(|test| test.id.clone()).unwrap_or_default();
        return Err(Failure::Rejected(format!("test {id} cannot be run by a harness: {}", first.reason)));
    }
    Ok(many(files))
}

/// Keeps a harness from being compiled for another machine than that of its tests.
fn for_machine(machine: &DataModel) -> String {
    let order = if machine.big_endian { "BIG" } else { "LITTLE" };
    format!(
        "/* The tests are for a machine with int of {0}, long of {1} and pointers of {2} bytes. */\n\
         _Static_assert(sizeof(int) == {0} && sizeof(long) == {1} && sizeof(void *) == {2},\n               \
         \"the tests are for another machine\");\n\
         _Static_assert(__BYTE_ORDER__ == __ORDER_{order}_ENDIAN__, \"the tests are for another order of bytes\");\n\n",
        machine.int, machine.long, machine.pointer
    )
}

/// The program of a suite.
fn model(path: &Path, text: &str, reading: &ReadingArguments) -> Result<CModel, Failure> {
    let (output, collected) = Output::collecting();
    let source = Source::new(path.display().to_string(), text);
    super::load::load(&output, source, reading).map_err(|failure| match failure {
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
    let prints = value("prints").and_then(serde_json::Value::as_str).unwrap_or_default();
    Expected {
        returns,
        exits: value("exits").and_then(serde_json::Value::as_i64),
        aborts: value("aborts").is_some(),
        // What was no text was replaced when the suite was written: it cannot be compared.
        prints: (!prints.contains('\u{fffd}')).then(|| prints.to_owned()),
    }
}

/// The tests with what the interpreter knows about their inputs.
pub(crate) fn tests(model: &CModel, suite: &Suite) -> Result<Tests, Failure> {
    let program = &model.translation.program;
    let free = suite.options.get("free-globals").is_some();
    let names = suite.options.get("abstract").and_then(serde_json::Value::as_array).into_iter().flatten();
    let names: Vec<String> = names.filter_map(serde_json::Value::as_str).map(str::to_owned).collect();
    let abstracted = model.abstracted(&names)?;
    let settings = Settings {
        zero_globals: !free,
        abstracted: abstracted.into_iter().collect(),
        wrap: suite.options.get("wrap").is_some(),
        go_on: suite.options.get("undefined").is_some_and(|rule| rule == "go-on"),
        rounds: suite.options.get("calls").and_then(serde_json::Value::as_u64).unwrap_or(1) as u32,
        ..Settings::default()
    };
    let interpreter = Interpreter::new(program, settings);
    let mut tests = Vec::new();
    for test in &suite.tests {
        let values = testgen::c::values(&Inputs::Document(test.inputs.clone())).map_err(Failure::Rejected)?;
        let mut recorded = RecordedInputs::default();
        for (name, value) in values {
            recorded.push(name, value);
        }
        let mut seen = Deeds { program, calls: Vec::new(), assignments: Vec::new() };
        let outcome = interpreter.run(model.entry, &mut recorded, &mut seen);
        let mut inputs = of_run::inputs(program, &outcome.inputs);
        for input in &mut inputs {
            input.place.file = base(&input.place.file);
        }
        tests.push(Test { inputs, calls: seen.calls, assignments: seen.assignments, expected: expected(test) });
    }
    let mut entry = of_run::entry(program, model.entry);
    entry.place.file = base(&entry.place.file);
    Ok(Tests { entry, tests })
}

/// The same suite without its calls or its assignments, which are shown only where they are asked for.
pub(crate) fn without(mut tests: Tests, calls: bool, assignments: bool) -> Tests {
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
                    Callee::Function(function) => Some(*function),
                    Callee::Pointer { .. } => machine.current_function(),
                };
                let Some(function) = function else { return };
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
