//! `specimen run` for C programs: the interpreter on given inputs.

use c::interp::{Blind, Ending, InputValue, Interpreter, Limit, Outcome, RecordedInputs, Settings};
use serde_json::json;
use testcase::Inputs;

use super::{CModel, tests};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::options::RunArguments;
use crate::output::{Form, Output};
use crate::tests_file;

pub(super) fn run(model: &CModel, output: &Output, arguments: &RunArguments) -> Result<Exit, Failure> {
    let mut given: Vec<(String, Inputs)> = Vec::new();
    for test in tests_file::read_all(output, model, &arguments.tests)? {
        given.push((test.name, test.inputs));
    }
    for (number, text) in (1..).zip(&arguments.values.set) {
        let source = source::Source::new("--set", text.as_str());
        for inputs in tests::read(model, &source)? {
            given.push((format!("set {number}"), inputs));
        }
    }
    if given.is_empty() {
        // A program may well have no inputs; those that it has are zero.
        given.push(("1".into(), tests::document(Vec::new())));
    }
    let settings = Settings { assertions: !model.reading.no_assert, ..Settings::default() };
    let interpreter = Interpreter::new(&model.translation.program, settings);
    let mut text = String::new();
    for (name, inputs) in &given {
        let values = draw_c::values(inputs).map_err(Failure::Rejected)?;
        let mut recorded = recorded(&values);
        let mut outcome = interpreter.run(model.entry, &mut recorded, &mut Blind);
        // What goes on for ever with zeros is cut where the values end that it was given.
        if outcome.ending == Ending::GivenUp(Limit::Steps) && !values.is_empty() {
            let mut strict = self::recorded(&values);
            strict.strict = true;
            let cut = interpreter.run(model.entry, &mut strict, &mut Blind);
            if let Ending::EndOfInputs { .. } = cut.ending {
                outcome = cut;
            }
        }
        let unused: Vec<&str> = recorded.unused().collect();
        if !unused.is_empty() {
            output.warn(&format!("test {name}: nobody asked for {}", unused.join(", ")));
        }
        text.push_str(&match output.form {
            Form::Json => as_json(model, name, &outcome),
            Form::Human => as_text(model, name, &outcome),
        });
    }
    output.product(&text)?;
    Ok(Exit::Done)
}

fn recorded(values: &[(String, InputValue)]) -> RecordedInputs {
    let mut recorded = RecordedInputs::default();
    for (name, value) in values {
        recorded.push(name.as_str(), *value);
    }
    recorded
}

fn as_json(model: &CModel, name: &str, outcome: &Outcome) -> String {
    let inputs = tests::of_records(&outcome.inputs).to_json();
    let line = json!({
        "test": name,
        "inputs": inputs,
        "ending": ending(model, &outcome.ending),
        "output": String::from_utf8_lossy(&outcome.output),
        "steps": outcome.steps,
    });
    format!("{line}\n")
}

fn as_text(model: &CModel, name: &str, outcome: &Outcome) -> String {
    let mut text = format!("test {name}: {} after {} steps\n", ending(model, &outcome.ending), outcome.steps);
    for record in &outcome.inputs {
        text.push_str(&format!("  in  {} = {}\n", record.name, record.value));
    }
    for line in String::from_utf8_lossy(&outcome.output).lines() {
        text.push_str(&format!("  out {line}\n"));
    }
    text
}

fn ending(model: &CModel, ending: &Ending) -> String {
    let program = &model.translation.program;
    let at = |edge: &c::program::EdgeId| {
        let location = program.edge(*edge).notes.location;
        location.map(|location| format!(" at {}", program.place_text(location))).unwrap_or_default()
    };
    match ending {
        Ending::Returned(None) => "returned".into(),
        Ending::Returned(Some(value)) => format!("returned {value}"),
        Ending::Exited(status) => format!("exit({status})"),
        Ending::Aborted => "aborted".into(),
        Ending::Stopped { function, edge } => {
            format!("stopped in {}(){}", program.function(*function).name, at(edge))
        }
        Ending::Unmodelled { function, edge } => {
            format!("stopped{}: `{}` has no model", at(edge), program.function(*function).name)
        }
        Ending::AssertionFailed(edge) => format!("assertion failed{}", at(edge)),
        Ending::Excluded(edge) => format!("an assumption does not hold{}", at(edge)),
        Ending::Undefined { fault, edge } => format!("undefined behaviour{}: {}", at(edge), fault.text()),
        Ending::GivenUp(limit) => format!("given up: {limit:?}"),
        Ending::Unsupported { what, edge } => format!("not supported{}: {what}", at(edge)),
        Ending::EndOfInputs { name, .. } => format!("cut: no value is given for {name}"),
        Ending::NoInput(what) => format!("no input: {what}"),
    }
}
