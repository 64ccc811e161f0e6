//! `specimen run` for a decision: its outcome and its conditions on given inputs.

use boolean::interp::{Assignment, Interpreter};
use serde_json::{Value as Json, json};
use testcase::Inputs;
use value::Value;

use super::BooleanModel;
use crate::columns::Table;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::options::RunArguments;
use crate::output::{Form, Output};
use crate::tests_file;

/// A test with the name people know it by.
struct Row {
    name: String,
    values: Assignment,
}

pub(super) fn run(model: &BooleanModel, output: &Output, arguments: &RunArguments) -> Result<Exit, Failure> {
    let mut tests = Vec::new();
    for test in tests_file::read_all(output, model, &arguments.tests)? {
        let Inputs::Assignment(values) = test.inputs else { unreachable!("the tests of a decision are assignments") };
        tests.push(Row { name: test.name, values: values.into_values().collect() });
    }
    for (number, text) in (1..).zip(&arguments.values.set) {
        tests.push(from_settings(model, &format!("set {number}"), text)?);
    }
    if arguments.tests.is_empty() && arguments.values.set.is_empty() {
        return Err(Failure::Usage(
            "there is nothing to run: name a table of tests, or one test with --set".to_owned(),
        ));
    }
    let text = match output.form {
        Form::Json => as_json(model, &tests),
        Form::Human => as_table(model, &tests),
    };
    output.product(&text)?;
    Ok(Exit::Done)
}

/// One JSON object per line, for each test.
fn as_json(model: &BooleanModel, tests: &[Row]) -> String {
    let decision = model.decision();
    let interpreter = Interpreter::new(&model.spec, model.number());
    let mut text = String::new();
    for test in tests {
        let run = interpreter.run(&test.values);
        let deciding = decision.formula.deciding(&run.conditions);
        let conditions: Vec<Json> = (decision.conditions.iter().zip(&run.conditions).zip(deciding))
            .map(
                |((condition, value), deciding)| json!({ "text": condition.text, "value": value, "decides": deciding }),
            )
            .collect();
        let assumptions = &model.spec.assumptions;
        let violated: Vec<&str> = run.violated.iter().map(|&number| assumptions[number].label.as_str()).collect();
        let inputs: serde_json::Map<String, Json> = (model.spec.variables.iter().zip(&test.values))
            .map(|(variable, value)| (variable.name.clone(), value::to_json(value)))
            .collect();
        let line = json!({
            "test": test.name,
            "inputs": inputs,
            "outcome": run.outcome,
            "conditions": conditions,
            "violated": violated,
        });
        text.push_str(&format!("{line}\n"));
    }
    text
}

fn as_table(model: &BooleanModel, tests: &[Row]) -> String {
    let spec = &model.spec;
    let decision = model.decision();
    let interpreter = Interpreter::new(spec, model.number());
    let mut head = vec!["test"];
    head.extend(spec.variables.iter().map(|variable| variable.name.as_str()));
    head.extend([decision.name.as_str(), "conditions", "deciding"]);
    if !spec.assumptions.is_empty() {
        head.push("violated");
    }
    let mut table = Table::new(&head);
    for test in tests {
        let run = interpreter.run(&test.values);
        let letters: String = run.conditions.iter().map(|&value| if value { 'T' } else { 'F' }).collect();
        let deciding = decision.formula.deciding(&run.conditions).into_iter();
        let deciding: Vec<String> =
            (1..).zip(deciding).filter(|(_, decides)| *decides).map(|(number, _)| format!("c{number}")).collect();
        let mut row = vec![test.name.clone()];
        row.extend(test.values.iter().map(ToString::to_string));
        row.extend([run.outcome.to_string(), letters, or_dash(deciding.join(" "))]);
        if !spec.assumptions.is_empty() {
            let violated = run.violated.iter().map(|&number| spec.assumptions[number].label.clone());
            row.push(or_dash(violated.collect::<Vec<_>>().join(", ")));
        }
        table.row(row);
    }
    let mut legend = String::new();
    for (number, condition) in (1..).zip(&decision.conditions) {
        legend.push_str(&format!("c{number}  {}\n", condition.text));
    }
    format!("{}\n{legend}", table.to_text(0))
}

fn or_dash(text: String) -> String {
    if text.is_empty() { "-".to_owned() } else { text }
}

/// The test that `NAME=VALUE,NAME=VALUE,…` writes; what is not named has its simplest value.
fn from_settings(model: &BooleanModel, name: &str, text: &str) -> Result<Row, Failure> {
    let variables = &model.spec.variables;
    let mut values: Assignment = variables.iter().map(simplest).collect();
    for setting in text.split(',').filter(|setting| !setting.trim().is_empty()) {
        let (name, written) = setting
            .split_once('=')
            .ok_or_else(|| Failure::Usage(format!("`{setting}` is not of the form NAME=VALUE")))?;
        let position = variables.iter().position(|variable| variable.name == name.trim());
        let position = position.ok_or_else(|| Failure::Rejected(format!("no input is called `{}`", name.trim())))?;
        let value = value::from_text(&variables[position].sort, written);
        values[position] = value.map_err(|error| Failure::Rejected(format!("`{}`: {error}", name.trim())))?;
    }
    Ok(Row { name: name.to_owned(), values })
}

/// The simplest value a variable's range allows.
fn simplest(variable: &boolean::Variable) -> Value {
    match &variable.range {
        Some((low, high)) => {
            let zero = value::IBig::ZERO;
            Value::Int(if *low <= zero && zero <= *high {
                zero
            } else if zero < *low {
                low.clone()
            } else {
                high.clone()
            })
        }
        None => Value::default_of(&variable.sort),
    }
}
