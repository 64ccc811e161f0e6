//! `specimen replay`: judges a saved suite again, by the interpreter alone.

use serde_json::json;
use testcase::{GoalId, Suite, TestRecord};

use crate::args::ReplayArguments;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::front::Asked;
use crate::output::{Form, Output};
use crate::present::counted;
use crate::specification::Specification;
use crate::verbs::measure;
use crate::{input, present, tests_file};

pub(crate) fn run(output: &Output, arguments: &ReplayArguments) -> Result<Exit, Failure> {
    let suite = read(&arguments.suite)?;
    let specification = Specification::of_suite(output, &suite, &arguments.suite, arguments.source.as_deref())?;
    let tests = tests_file::of_suite(&*specification.model, &suite).map_err(Failure::Rejected)?;
    let judged = measure::measured(output, &specification, &Asked::of_suite(&suite), &tests)?;
    let mut differences = differences(&suite, &judged, |id, test| {
        let subject = specification.model.subject(&output.silent(), &Asked::of_suite(&suite)).ok()?;
        let place = subject.goals().iter().position(|goal| goal.key == id)?;
        let number = suite.tests.iter().position(|record| record.id == test)?;
        subject.counterexample(GoalId(place as u32), &tests.get(number)?.inputs)
    });
    differences.extend(wrong_evidence(output, &specification, &suite)?);
    for difference in &differences {
        output.complain(difference);
    }
    let agrees = differences.is_empty();
    let text = match output.form {
        Form::Json => {
            let whole = json!({ "agrees": agrees, "differences": differences, "summary": suite.summary });
            format!("{whole:#}\n")
        }
        Form::Human if agrees => {
            format!("every test gives what the suite expects\n{}", present::counts(output, &suite))
        }
        Form::Human => format!("{}\n", counted(differences.len(), "difference")),
    };
    output.product(&text)?;
    Ok(if agrees { present::exit(&suite, None) } else { Exit::Rejected })
}

/// Reads a suite from a file.
pub(crate) fn read(path: &std::path::Path) -> Result<Suite, Failure> {
    let text = input::read_text(path)?;
    Suite::from_json(&text).map_err(|error| Failure::Rejected(format!("{}: {error}", path.display())))
}

/// What the suite shows for goals that cannot be covered, and does not show it.
fn wrong_evidence(output: &Output, specification: &Specification, suite: &Suite) -> Result<Vec<String>, Failure> {
    let mut wrong = Vec::new();
    if suite.goals.iter().all(|goal| goal.evidence.is_empty()) {
        return Ok(wrong);
    }
    let subject = specification.model.subject(output, &Asked::of_suite(suite))?;
    for said in &suite.goals {
        let Some(place) = subject.goals().iter().position(|goal| goal.key == said.id) else { continue };
        for evidence in &said.evidence {
            if let Err(why) = subject.judge_evidence(GoalId(place as u32), evidence) {
                let manner = evidence["manner"].as_str().map(|manner| format!(" at {manner}")).unwrap_or_default();
                wrong.push(format!("what is shown for {}{manner} shows nothing: {why}", said.id));
            }
        }
    }
    Ok(wrong)
}

/// Where the suite says other than the interpreter.
fn differences(suite: &Suite, judged: &Suite, shown: impl Fn(&str, &str) -> Option<String>) -> Vec<String> {
    let mut differences = Vec::new();
    for (said, found) in suite.tests.iter().zip(&judged.tests) {
        if said.expected != found.expected {
            let text = |test: &TestRecord| json!(test.expected).to_string();
            differences.push(format!("test {} expects {}, but gives {}", said.id, text(said), text(found)));
        }
    }
    for found in &judged.goals {
        match suite.goals.iter().find(|goal| goal.id == found.id) {
            None => differences.push(format!("the suite does not know the goal {}", found.id)),
            Some(said) if said.status == "covered" && found.status != "covered" => {
                let why = said.tests.first().and_then(|test| shown(&said.id, test));
                let why = why.map(|why| format!(": {why}")).unwrap_or_default();
                differences.push(format!("goal {} is said to be covered, but the tests do not cover it{why}", said.id));
            }
            Some(said) if said.status != "covered" && found.status == "covered" => {
                differences.push(format!("goal {} is said to be {}, but the tests cover it", said.id, said.status));
            }
            Some(_) => {}
        }
    }
    for said in &suite.goals {
        if !judged.goals.iter().any(|found| found.id == said.id) {
            differences.push(format!("the specification has no goal {}", said.id));
        }
    }
    differences
}
