//! `specimen run`: the concrete interpreter on given inputs.

use boolean::interp::Interpreter;
use serde_json::{Value as Json, json};

use crate::args::RunArguments;
use crate::columns::Table;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{Form, Output};
use crate::specification::Specification;
use crate::tests_file::{self, GivenTest};

pub(crate) fn run(output: &Output, arguments: &RunArguments) -> Result<Exit, Failure> {
    let specification = Specification::read(output, &arguments.spec.file, &arguments.spec.reading)?;
    let mut tests = tests_file::read_all(output, &specification, &arguments.tests)?;
    for (number, text) in (1..).zip(&arguments.set) {
        tests.push(tests_file::from_settings(&specification, &format!("set {number}"), text)?);
    }
    if arguments.tests.is_empty() && arguments.set.is_empty() {
        return Err(Failure::Usage(
            "there is nothing to run: name a table of tests, or one test with --set".to_owned(),
        ));
    }
    let text = match output.form {
        Form::Json => as_json(&specification, &tests),
        Form::Human => as_table(&specification, &tests),
    };
    output.product(&text)?;
    Ok(Exit::Done)
}

/// One JSON object per line, for each test.
fn as_json(specification: &Specification, tests: &[GivenTest]) -> String {
    let decision = &specification.spec.decisions[specification.decision()];
    let interpreter = Interpreter::new(&specification.spec, specification.decision());
    let mut text = String::new();
    for test in tests {
        let run = interpreter.run(&test.values);
        let deciding = decision.formula.deciding(&run.conditions);
        let conditions: Vec<Json> = (decision.conditions.iter().zip(&run.conditions).zip(deciding))
            .map(
                |((condition, value), deciding)| json!({ "text": condition.text, "value": value, "decides": deciding }),
            )
            .collect();
        let assumptions = &specification.spec.assumptions;
        let violated: Vec<&str> = run.violated.iter().map(|&number| assumptions[number].label.as_str()).collect();
        let inputs: serde_json::Map<String, Json> = (specification.spec.variables.iter().zip(&test.values))
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

fn as_table(specification: &Specification, tests: &[GivenTest]) -> String {
    let spec = &specification.spec;
    let decision = &spec.decisions[specification.decision()];
    let interpreter = Interpreter::new(spec, specification.decision());
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
