//! `specimen assess`: how many faults a suite finds that are planted in the specification, or that are given as files.

use front::assess::{self, Assessed, Assessment, Found, Terms};
use front::columns::Table;
use front::exit::Exit;
use front::failure::{Failure, INVALID_SUITE};
use front::output::{Form, Output};
use front::specification::Specification;
use front::tests_file::{self, GivenTest};
use front::words::counted;
use serde_json::{Value as Json, json};

use crate::args::AssessArguments;
use crate::interrupt;
use crate::verbs::replay;

pub(crate) fn run(output: &Output, arguments: &AssessArguments) -> Result<Exit, Failure> {
    let suite = replay::read(&arguments.suite)?;
    let specification = Specification::of_suite(output, &suite, &arguments.suite, arguments.source.as_deref())?;
    let tests =
        tests_file::of_suite(&*specification.model, &suite).map_err(|error| Failure::Refused(&INVALID_SUITE, error))?;
    let faults = match &arguments.variants {
        Some(folder) => assess::variants(&specification, folder)?,
        None => assess::planted(&specification, &suite)?,
    };
    let terms = Terms { runs: arguments.runs, seed: arguments.seed };
    let assessment = assess::assess(&specification, &suite, &tests, faults, terms, &interrupt::on_ctrl_c())?;
    if assessment.faults.is_empty() && assessment.complete {
        return Err(Failure::Usage("there is nothing to assess: no changed text is a valid specification".to_owned()));
    }
    let text = match output.form {
        Form::Json => format!("{:#}\n", to_json(&assessment, &tests)),
        Form::Human => to_text(output, &assessment, &tests),
    };
    output.product(&text)?;
    let is_missed = |assessed: &Assessed| matches!(assessed.found, Found::Missed(_));
    Ok(if assessment.complete && !assessment.faults.iter().any(is_missed) { Exit::Done } else { Exit::Open })
}

/// How many faults are found, missed, and not seen by anything.
fn tally(assessment: &Assessment) -> (usize, usize, usize) {
    let count = |holds: fn(&Found) -> bool| assessment.faults.iter().filter(|fault| holds(&fault.found)).count();
    (
        count(|found| matches!(found, Found::By(_))),
        count(|found| matches!(found, Found::Missed(_))),
        count(|found| matches!(found, Found::Unseen(_))),
    )
}

fn to_text(output: &Output, assessment: &Assessment, tests: &[GivenTest]) -> String {
    let (found, missed, unseen) = tally(assessment);
    let mut table = Table::new(&["fault", "place", "kind", "change", "result"]);
    for Assessed { fault, found } in &assessment.faults {
        if matches!(found, Found::By(_)) && !output.verbose {
            continue;
        }
        let place = fault.location.as_ref().map(|place| format!("{}:{}", place.line, place.column));
        let result = match found {
            Found::By(test) => format!("found by {}", tests[*test].name),
            Found::Missed(inputs) => format!("missed: {inputs} would find it"),
            Found::Unseen(runs) => format!("not seen in {} either", counted(*runs, "random run")),
        };
        let place = place.unwrap_or_else(|| "-".to_owned());
        table.row(vec![fault.id.clone(), place, fault.operator.to_owned(), fault.words.clone(), result]);
    }
    let all = assessment.faults.len();
    let share = 100.0 * found as f64 / (found + missed).max(1) as f64;
    let mut text = if table.is_empty() { String::new() } else { format!("{}\n", table.to_text(0)) };
    text.push_str(&format!(
        "{}: {found} found, {missed} missed, {unseen} not seen by anything\n",
        counted(all, "fault")
    ));
    text.push_str(&format!("{share:.1} % of the faults that are known to change something are found\n"));
    if !assessment.invalid.is_empty() {
        text.push_str(&format!("{} left out: not valid\n", counted(assessment.invalid.len(), "changed text")));
    }
    if !assessment.complete {
        text.push_str("interrupted: not every fault was tried\n");
    }
    text
}

fn to_json(assessment: &Assessment, tests: &[GivenTest]) -> Json {
    let (found, missed, unseen) = tally(assessment);
    let fault = |Assessed { fault, found }: &Assessed| {
        let result = match found {
            Found::By(test) => json!({ "result": "found", "test": tests[*test].name }),
            Found::Missed(inputs) => json!({ "result": "missed", "inputs": inputs }),
            Found::Unseen(runs) => json!({ "result": "unseen", "runs": runs }),
        };
        let mut whole = json!({
            "id": fault.id,
            "operator": fault.operator,
            "location": fault.location,
            "words": fault.words,
        });
        if let (Some(whole), Some(result)) = (whole.as_object_mut(), result.as_object()) {
            whole.extend(result.clone());
        }
        whole
    };
    json!({
        "summary": { "faults": assessment.faults.len(), "found": found, "missed": missed, "unseen": unseen },
        "complete": assessment.complete,
        "invalid": assessment.invalid,
        "faults": assessment.faults.iter().map(fault).collect::<Vec<_>>(),
    })
}
