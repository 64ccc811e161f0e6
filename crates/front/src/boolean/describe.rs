//! What `check` says about decisions; when verbose, what they are made of.

use boolean::partition::partitions;
use boolean::{Decision, Spec};
use serde_json::{Map, Value as Json, json};

use crate::columns::Table;
use crate::exit::Exit;
use crate::front_end::Description;
use crate::output::Output;
use crate::words::counted;

pub(super) fn describe(output: &Output, spec: &Spec) -> Description {
    Description { text: as_text(output, spec), json: as_json(output, spec), exit: Exit::Done }
}

fn as_json(output: &Output, spec: &Spec) -> Map<String, Json> {
    let one = |number: usize, decision: &Decision| {
        let mut json = json!({ "name": decision.name, "conditions": decision.conditions.len() });
        if output.verbose {
            json["nodes"] = json!(decision.formula.len());
            json["atoms"] = json!(decision.atom_count());
            json["classes"] = classes(spec, number)
                .into_iter()
                .map(|(variable, classes)| json!({ "input": variable, "classes": classes }))
                .collect();
        }
        json
    };
    let decisions: Vec<Json> =
        (spec.decisions.iter().enumerate()).map(|(number, decision)| one(number, decision)).collect();
    Map::from_iter([
        ("inputs".to_owned(), json!(spec.variables.len())),
        ("assumptions".to_owned(), json!(written(spec))),
        ("decisions".to_owned(), json!(decisions)),
    ])
}

/// How many assumptions stand in the file; ranges of inputs are assumptions too, and nobody wrote those as such.
fn written(spec: &Spec) -> usize {
    let is_range = |span: &source::Span| spec.variables.iter().any(|variable| variable.span == *span);
    spec.assumptions.iter().filter(|assumption| !is_range(&assumption.span)).count()
}

fn as_text(output: &Output, spec: &Spec) -> String {
    let each: Vec<String> = spec
        .decisions
        .iter()
        .map(|decision| format!("{} ({})", decision.name, counted(decision.conditions.len(), "condition")))
        .collect();
    let mut text = format!(
        "ok, {}, {}; {}: {}\n",
        counted(spec.variables.len(), "input"),
        counted(written(spec), "assumption"),
        if each.len() == 1 { "decision" } else { "decisions" },
        each.join(", ")
    );
    for (number, decision) in spec.decisions.iter().enumerate().filter(|_| output.verbose) {
        text.push_str(&format!(
            "\n{}: {}, {}, {}\n",
            decision.name,
            counted(decision.formula.len(), "node"),
            counted(decision.conditions.len(), "condition"),
            counted(decision.atom_count(), "atom"),
        ));
        let mut table = Table::new(&["input", "classes"]);
        for (variable, classes) in classes(spec, number) {
            table.row(vec![variable, classes.join("  ")]);
        }
        if !table.is_empty() {
            text.push_str(&table.to_text(2));
        }
    }
    text
}

/// The numeric inputs that conditions compare with constants, each with the classes of its values.
fn classes(spec: &Spec, decision: usize) -> Vec<(String, Vec<String>)> {
    let variables = &spec.variables;
    let parts = partitions(spec, decision).into_iter();
    parts
        .map(|part| {
            let classes = part.classes.iter().map(ToString::to_string).collect();
            (variables[part.variable.0 as usize].name.clone(), classes)
        })
        .collect()
}
