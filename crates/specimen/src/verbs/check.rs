//! `specimen check`: parse and type-check.

use serde_json::json;

use crate::args::CheckArguments;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{Form, Output};
use crate::present::counted;
use crate::specification::Specification;

pub(crate) fn run(output: &Output, arguments: &CheckArguments) -> Result<Exit, Failure> {
    let mut exit = Exit::Done;
    for file in &arguments.files {
        let name = file.display().to_string();
        let line = match Specification::read(output, file, &arguments.reading) {
            Ok(specification) => accepted(output, &name, &specification),
            Err(Failure::Shown) => {
                exit = Exit::Rejected;
                match output.form {
                    Form::Human => continue,
                    Form::Json => json!({ "file": name, "ok": false }).to_string(),
                }
            }
            Err(failure) => return Err(failure),
        };
        output.product(&format!("{line}\n"))?;
    }
    Ok(exit)
}

fn accepted(output: &Output, name: &str, specification: &Specification) -> String {
    let spec = &specification.spec;
    let decisions: Vec<_> = spec
        .decisions
        .iter()
        .map(|decision| json!({ "name": decision.name, "conditions": decision.conditions.len() }))
        .collect();
    match output.form {
        Form::Json => json!({
            "file": name,
            "ok": true,
            "inputs": spec.variables.len(),
            "assumptions": spec.assumptions.len(),
            "decisions": decisions,
        })
        .to_string(),
        Form::Human => {
            let each: Vec<String> = spec
                .decisions
                .iter()
                .map(|decision| format!("{} ({})", decision.name, counted(decision.conditions.len(), "condition")))
                .collect();
            format!(
                "{name}: ok, {}, {}; {}: {}",
                counted(spec.variables.len(), "input"),
                counted(spec.assumptions.len(), "assumption"),
                if each.len() == 1 { "decision" } else { "decisions" },
                each.join(", ")
            )
        }
    }
}
