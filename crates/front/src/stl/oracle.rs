//! A second formula in place of a person: does it judge the signals as the candidate does, and if not, which small changes of the
//! candidate would.

use std::path::Path;

use serde_json::{Value as Json, json};
use source::Source;
use stl::goals::{Criterion, GoalOptions, goals};
use stl::interp::{holds, verdicts};
use stl::print;
use stl::sample::Sampler;
use stl::signal::{from_json, to_json};

use super::StlModel;
use super::run::Row;
use crate::columns::Table;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input;
use crate::output::{Form, Output};
use crate::words::counted;

/// So many courses of free signals are tried.
const TRIES: usize = 200;

pub(super) fn run(model: &StlModel, output: &Output, rows: &[Row], path: &Path) -> Result<Exit, Failure> {
    let file = Source::from_bytes(&path.display().to_string(), input::read(path)?)
        .map_err(|rejection| output.rejected(&rejection.source, std::slice::from_ref(&rejection.diagnostic)))?;
    let (oracle, warnings) = stl::load(&file).map_err(|errors| output.rejected(&file, &errors))?;
    output.diagnostics(&file, &warnings);
    let own: Vec<bool> = rows.iter().map(|row| holds(&model.spec.store, &row.trace, model.spec.formula)).collect();
    let free = free_signals(&model.spec, &oracle)
        .map_err(|problem| Failure::Rejected(format!("{}: {problem}", path.display())))?;
    let mut answers = Vec::new();
    for (row, own) in rows.iter().zip(&own) {
        let given = restricted(&oracle, to_json(&model.spec, &row.trace));
        let answer = answer(&oracle, given, &free, *own);
        answers.push(answer.map_err(|problem| Failure::Rejected(format!("{}: {problem}", path.display())))?);
    }
    let conflicts = own.iter().zip(&answers).filter(|(own, answer)| own != answer).count();
    // Where the oracle speaks of more signals, no change of the candidate alone can fit.
    let fitting = if conflicts == 0 || !free.is_empty() { Vec::new() } else { fitting(model, rows, &answers) };
    output.product(&text(output, rows, &own, &answers, &fitting, &free))?;
    Ok(if conflicts == 0 { Exit::Done } else { Exit::Open })
}

/// The signals of the oracle that the candidate does not speak of: they are free.
pub(super) fn free_signals(candidate: &stl::Spec, oracle: &stl::Spec) -> Result<Vec<String>, String> {
    let mut free = Vec::new();
    for signal in &oracle.signals {
        match candidate.signals.iter().find(|own| own.name == signal.name) {
            None => free.push(signal.name.clone()),
            Some(own) if own.sort != signal.sort => {
                return Err(format!("`{}` is {} here and {} in the candidate", signal.name, signal.sort, own.sort));
            }
            Some(_) => {}
        }
    }
    Ok(free)
}

/// What the oracle says of a signal. Where it speaks of signals that are not given, they are free: it disagrees with the
/// candidate if it does so for some of those that are tried.
pub(super) fn answer(oracle: &stl::Spec, mut given: Json, free: &[String], own: bool) -> Result<bool, String> {
    if free.is_empty() {
        return Ok(holds(&oracle.store, &from_json(oracle, &given)?, oracle.formula));
    }
    let mut sampler = Sampler::new(oracle, &[], 1);
    for _ in 0..TRIES {
        let drawn = to_json(oracle, &sampler.draw());
        for name in free {
            given["signals"][name] = drawn["signals"][name].clone();
        }
        if holds(&oracle.store, &from_json(oracle, &given)?, oracle.formula) != own {
            return Ok(!own);
        }
    }
    Ok(own)
}

/// The signals that the oracle knows.
pub(super) fn restricted(oracle: &stl::Spec, mut document: Json) -> Json {
    if let Some(signals) = document.get_mut("signals").and_then(Json::as_object_mut) {
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

fn text(output: &Output, rows: &[Row], own: &[bool], answers: &[bool], fitting: &[String], free: &[String]) -> String {
    let conflicts = own.iter().zip(answers).filter(|(own, answer)| own != answer).count();
    if output.form == Form::Json {
        let tests: Vec<_> = (rows.iter().zip(own).zip(answers))
            .map(|((row, own), answer)| json!({ "test": row.name, "holds": own, "oracle": answer }))
            .collect();
        return format!("{:#}\n", json!({ "tests": tests, "conflicts": conflicts, "fitting": fitting, "free": free }));
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
    if !free.is_empty() {
        let names = free.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        text += &format!(
            "the formula does not speak of {names}: {TRIES} courses of what is missing were tried for each signal\n"
        );
    }
    if !fitting.is_empty() {
        text += "small changes that fit all answers:\n";
        for words in fitting {
            text += &format!("  {words}\n");
        }
    }
    text
}
