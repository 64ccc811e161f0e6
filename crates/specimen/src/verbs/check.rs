//! `specimen check`: parse and type-check; with `--verbose`, what the decisions are made of.

use boolean::Decision;
use boolean::partition::partitions;
use serde_json::{Value as Json, json};

use crate::args::CheckArguments;
use crate::columns::Table;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{Form, Output};
use crate::present::counted;
use crate::specification::Specification;

pub(crate) fn run(output: &Output, arguments: &CheckArguments) -> Result<Exit, Failure> {
    let mut exit = Exit::Done;
    for file in &arguments.files {
        let name = file.display().to_string();
        let text = match Specification::read(output, file, &arguments.reading) {
            Ok(specification) => match output.form {
                Form::Json => format!("{}\n", as_json(output, &name, &specification)),
                Form::Human => as_text(output, &name, &specification),
            },
            Err(Failure::Shown) => {
                exit = Exit::Rejected;
                match output.form {
                    Form::Human => continue,
                    Form::Json => format!("{}\n", json!({ "file": name, "ok": false })),
                }
            }
            Err(failure) => return Err(failure),
        };
        output.product(&text)?;
    }
    Ok(exit)
}

fn as_json(output: &Output, name: &str, specification: &Specification) -> Json {
    let spec = &specification.spec;
    let one = |number: usize, decision: &Decision| {
        let mut json = json!({ "name": decision.name, "conditions": decision.conditions.len() });
        if output.verbose {
            json["nodes"] = json!(decision.formula.len());
            json["atoms"] = json!(decision.atom_count());
            json["classes"] = classes(specification, number)
                .into_iter()
                .map(|(variable, classes)| json!({ "input": variable, "classes": classes }))
                .collect();
        }
        json
    };
    let decisions: Vec<Json> =
        (spec.decisions.iter().enumerate()).map(|(number, decision)| one(number, decision)).collect();
    json!({
        "file": name,
        "ok": true,
        "inputs": spec.variables.len(),
        "assumptions": spec.assumptions.len(),
        "decisions": decisions,
    })
}

fn as_text(output: &Output, name: &str, specification: &Specification) -> String {
    let spec = &specification.spec;
    let each: Vec<String> = spec
        .decisions
        .iter()
        .map(|decision| format!("{} ({})", decision.name, counted(decision.conditions.len(), "condition")))
        .collect();
    let mut text = format!(
        "{name}: ok, {}, {}; {}: {}\n",
        counted(spec.variables.len(), "input"),
        counted(spec.assumptions.len(), "assumption"),
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
        for (variable, classes) in classes(specification, number) {
            table.row(vec![variable, classes.join("  ")]);
        }
        if !table.is_empty() {
            text.push_str(&table.to_text(2));
        }
    }
    text
}

/// The numeric inputs that conditions compare with constants, each with the classes of its values.
fn classes(specification: &Specification, decision: usize) -> Vec<(String, Vec<String>)> {
    let variables = &specification.spec.variables;
    let parts = partitions(&specification.spec, decision).into_iter();
    parts
        .map(|part| {
            let classes = part.classes.iter().map(ToString::to_string).collect();
            (variables[part.variable.0 as usize].name.clone(), classes)
        })
        .collect()
}
