//! A second formula in place of a person: does it judge the signals as the candidate does, and if not, which small changes of the
//! candidate would.

use std::path::Path;

use serde_json::json;
use source::Source;
use stl::goals::{Criterion, GoalOptions, goals};
use stl::interp::{holds, verdicts};
use stl::print;
use stl::signal::{from_json, to_json};

use super::StlModel;
use super::run::Row;
use crate::columns::Table;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input;
use crate::output::{Form, Output};
use crate::present::counted;

pub(super) fn run(model: &StlModel, output: &Output, rows: &[Row], path: &Path) -> Result<Exit, Failure> {
    let file = Source::from_bytes(&path.display().to_string(), input::read(path)?)
        .map_err(|rejection| output.rejected(&rejection.source, std::slice::from_ref(&rejection.diagnostic)))?;
    let (oracle, warnings) = stl::load(&file).map_err(|errors| output.rejected(&file, &errors))?;
    output.diagnostics(&file, &warnings);
    let mut answers = Vec::new();
    for row in rows {
        let trace = from_json(&oracle, &restricted(&oracle, to_json(&model.spec, &row.trace)))
            .map_err(|problem| Failure::Rejected(format!("{}: {problem}", path.display())))?;
        answers.push(holds(&oracle.store, &trace, oracle.formula));
    }
    let own: Vec<bool> = rows.iter().map(|row| holds(&model.spec.store, &row.trace, model.spec.formula)).collect();
    let conflicts = own.iter().zip(&answers).filter(|(own, answer)| own != answer).count();
    let fitting = if conflicts == 0 { Vec::new() } else { fitting(model, rows, &answers) };
    output.product(&text(output, rows, &own, &answers, &fitting))?;
    Ok(if conflicts == 0 { Exit::Done } else { Exit::Open })
}

/// The signals that the oracle knows.
fn restricted(oracle: &stl::Spec, mut document: serde_json::Value) -> serde_json::Value {
    if let Some(signals) = document.get_mut("signals").and_then(serde_json::Value::as_object_mut) {
        signals.retain(|name, _| oracle.signal(name).is_some());
    }
    document
}

/// The mutants that judge every signal as the oracle does, in words.
fn fitting(model: &StlModel, rows: &[Row], answers: &[bool]) -> Vec<String> {
    let mut spec = model.spec.clone();
    let Ok(goals) = goals(&model.source, &mut spec, Criterion::Mutation, &GoalOptions::default()) else {
        return Vec::new();
    };
    let formulas = goals.formulas();
    let mut fits = vec![true; formulas.len()];
    for (row, answer) in rows.iter().zip(answers) {
        for (fits, verdict) in fits.iter_mut().zip(verdicts(&spec.store, &row.trace, &formulas)) {
            *fits &= verdict == *answer;
        }
    }
    let fitting = goals.mutants.iter().zip(&fits).filter(|(_, fits)| **fits);
    fitting.map(|(mutant, _)| format!("{}: {}", print(&spec, mutant.formula), mutant.description)).collect()
}

fn text(output: &Output, rows: &[Row], own: &[bool], answers: &[bool], fitting: &[String]) -> String {
    let conflicts = own.iter().zip(answers).filter(|(own, answer)| own != answer).count();
    if output.form == Form::Json {
        let tests: Vec<_> = (rows.iter().zip(own).zip(answers))
            .map(|((row, own), answer)| json!({ "test": row.name, "holds": own, "oracle": answer }))
            .collect();
        return format!("{:#}\n", json!({ "tests": tests, "conflicts": conflicts, "fitting": fitting }));
    }
    let mut table = Table::new(&["signal", "formula", "oracle", ""]);
    for ((row, own), answer) in rows.iter().zip(own).zip(answers) {
        let mark = if own == answer { "" } else { "conflict" };
        table.row(vec![row.name.clone(), own.to_string(), answer.to_string(), mark.to_owned()]);
    }
    let mut text = table.to_text(0);
    text += &match conflicts {
        0 => format!("\nthe oracle agrees on {}\n", counted(rows.len(), "signal")),
        _ => format!(
            "\n{} of {}: the formula does not say what the oracle means\n",
            counted(conflicts, "conflict"),
            counted(rows.len(), "signal")
        ),
    };
    if !fitting.is_empty() {
        text += "small changes that fit all answers:\n";
        for words in fitting {
            text += &format!("  {words}\n");
        }
    }
    text
}
