//! `specimen run` for a model: where traces lead, or what the initial state can do.

use std::path::Path;

use action::interp::Interpreter;
use action::trace::Label;
use draw_action::{Limits, Seen, Trial, graph, paths};
use serde_json::{Value as Json, json};
use testcase::{Inputs, write_atomically};

use super::ActionModel;
use crate::columns::Table;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::options::RunArguments;
use crate::output::{Form, Output};
use crate::{input, tests_file};

/// More states than this are not drawn.
const MOST_DRAWN: usize = 5_000;

pub(super) fn run(model: &ActionModel, output: &Output, arguments: &RunArguments) -> Result<Exit, Failure> {
    let mut traces: Vec<(String, Vec<Label>)> = Vec::new();
    for test in tests_file::read_all(output, model, &arguments.tests)? {
        let Inputs::Document(document) = &test.inputs else { unreachable!("tests of a model are documents") };
        let trial = Trial::from_json(&model.spec, document).map_err(Failure::Rejected)?;
        let labels = trial.trace.into_iter().filter_map(|seen| match seen {
            Seen::Step(step) => Some(step.label),
            Seen::Observed(label) => Some(label),
            Seen::Silence => None,
        });
        traces.push((test.name, labels.chain(trial.then).collect()));
    }
    if let Some(path) = &arguments.action.graph {
        draw(model, path, &traces)?;
        if arguments.tests.is_empty() {
            return Ok(Exit::Done);
        }
    }
    if arguments.tests.is_empty() {
        traces.push(("1".to_owned(), Vec::new()));
    }
    let mut exit = Exit::Done;
    for (name, labels) in &traces {
        if !one(model, output, name, labels)? {
            exit = Exit::Open;
        }
    }
    Ok(exit)
}

/// Writes the reachable states as a graph, with the ways of tests.
fn draw(model: &ActionModel, path: &Path, tests: &[(String, Vec<Label>)]) -> Result<(), Failure> {
    let limits = Limits { states: MOST_DRAWN, ..Limits::default() };
    let text = graph(&model.spec, &limits, &paths(&model.spec, tests))
        .map_err(|stopped| Failure::Environment(format!("the states cannot be drawn: {stopped}")))?;
    write_atomically(path, &text).map_err(|error| input::cannot("write", path, &error))
}

/// Runs one trace; whether it is possible.
fn one(model: &ActionModel, output: &Output, name: &str, labels: &[Label]) -> Result<bool, Failure> {
    let spec = &model.spec;
    let mut interpreter = Interpreter::new(spec);
    let too_many = |_| Failure::Environment("a state has too many ways to go on".to_owned());
    let run = interpreter.run(labels).map_err(too_many)?;
    let mut next = Vec::new();
    for state in &run.states[run.states.len() - 1] {
        for (step, weight) in interpreter.steps(state).map_err(too_many)? {
            let alike = if weight == 1 { String::new() } else { format!(" and {} alike", weight - 1) };
            next.push((format!("{}{alike}", step.label), spec.show_state(&step.post)));
        }
    }
    next.dedup();
    let shown =
        |number: usize| -> Vec<String> { run.states[number].iter().map(|state| spec.show_state(state)).collect() };
    let label = |number: usize| if number == 0 { "begin".to_owned() } else { labels[number - 1].to_string() };
    let impossible = (!run.possible).then(|| labels[run.states.len() - 1].to_string());
    let text = match output.form {
        Form::Json => {
            let steps: Vec<Json> = (0..run.states.len())
                .map(|number| json!({ "label": label(number), "states": shown(number) }))
                .collect();
            let next: Vec<Json> = next.iter().map(|(label, post)| json!({ "label": label, "state": post })).collect();
            let line = json!({ "test": name, "steps": steps, "impossible": impossible, "next": next });
            format!("{line}\n")
        }
        Form::Human => {
            let mut table = Table::new(&["step", "states"]);
            (0..run.states.len()).for_each(|number| table.row(vec![label(number), shown(number).join(" | ")]));
            let mut text = table.to_text(0);
            match &impossible {
                Some(label) => text.push_str(&format!("{label} is impossible here; possible are\n")),
                None if next.is_empty() => text.push_str("nothing is possible any more\n"),
                None => text.push_str("possible are\n"),
            }
            let mut table = Table::new(&["label", "leads to"]);
            next.into_iter().for_each(|(label, post)| table.row(vec![label, post]));
            if !table.is_empty() {
                text.push_str(&table.to_text(2));
            }
            text
        }
    };
    output.product(&text)?;
    Ok(run.possible)
}
