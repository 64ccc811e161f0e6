//! `specimen replay`: judges a saved suite again and believes nothing it says. The interpreter runs every test, everything that can
//! be computed again is compared, and what is said to be impossible is attacked with random runs, or proved again on request.

use front::Asked;
use front::exit::Exit;
use front::failure::{Failure, INVALID_SUITE};
use front::output::{Form, Output};
use front::specification::Specification;
use front::tests_file::GivenTest;
use front::words::counted;
use front::{input, tests_file};
use search::{Audit, Bound, Options, Subject};
use serde_json::json;
use testcase::{GoalId, GoalRecord, Inputs, Status, Suite};

use crate::args::ReplayArguments;
use crate::drawing::{self, Start};
use crate::verbs::measure;
use crate::{interrupt, present, provenance};

pub(crate) fn run(output: &Output, arguments: &ReplayArguments) -> Result<Exit, Failure> {
    let suite = read(&arguments.suite)?;
    let specification = Specification::of_suite(output, &suite, &arguments.suite, arguments.source.as_deref())?;
    let tests =
        tests_file::of_suite(&*specification.model, &suite).map_err(|error| Failure::Refused(&INVALID_SUITE, error))?;
    let mut audit = audited(output, &specification, &suite, &tests)?;
    let has_claims = suite.goals.iter().any(|goal| is_claim(&goal));
    let proved = match arguments.prove && has_claims {
        true => Some(proved(output, &specification, &suite, &mut audit)?),
        false => None,
    };
    for difference in &audit.differences {
        output.complain(difference);
    }
    let agrees = audit.differences.is_empty();
    let made = suite.provenance.as_ref().map(|made| made.version.as_str());
    if let Some(version) = made.filter(|version| !agrees && *version != provenance::VERSION) {
        output.warn(&format!(
            "the suite was drawn by {version}, this is {}: `specimen generate --out` brings it up to date",
            provenance::VERSION
        ));
    }
    let text = match output.form {
        Form::Json => {
            let whole = json!({
                "agrees": agrees,
                "differences": audit.differences,
                "summary": suite.summary,
                "claims_not_proved": proved.unwrap_or(audit.unproved),
            });
            format!("{whole:#}\n")
        }
        Form::Human if agrees => {
            let claims = match proved {
                Some(0) => "every claim of impossibility was proved again\n".to_owned(),
                Some(left) => format!("{} could not be proved again\n", claims(left)),
                None if 0 < audit.unproved => {
                    format!(
                        "{} attacked with random runs, not proved again: --prove does that\n",
                        claims(audit.unproved)
                    )
                }
                None => String::new(),
            };
            format!("every test gives what the suite expects\n{claims}{}", present::counts(output, &suite))
        }
        Form::Human => format!("{}\n", counted(audit.differences.len(), "difference")),
    };
    output.product(&text)?;
    Ok(match (agrees, proved) {
        (false, _) => Exit::Rejected,
        (true, Some(1..)) => Exit::Open,
        (true, _) => present::exit(&suite, None),
    })
}

/// Whether a goal is said to be impossible, within a bound or altogether.
fn is_claim(goal: &&GoalRecord) -> bool {
    goal.status.is_claim()
}

fn claims(count: usize) -> String {
    format!("{} of impossibility", counted(count, "claim"))
}

/// Reads a suite from a file.
pub(crate) fn read(path: &std::path::Path) -> Result<Suite, Failure> {
    let text = input::read_text(path)?;
    Suite::from_json(&text).map_err(|error| Failure::Refused(&INVALID_SUITE, format!("{}: {error}", path.display())))
}

/// Compares a suite with everything that can be computed again.
fn audited(
    output: &Output,
    specification: &Specification,
    suite: &Suite,
    tests: &[GivenTest],
) -> Result<Audit, Failure> {
    let asked = Asked::of_suite(suite);
    let mut differences = header_differs(specification, suite);
    if specification.model.product(output, &asked)?.is_some() {
        let judged = measure::measured(output, specification, &asked, tests)?;
        differences.extend(product_differs(suite, &judged));
        return Ok(Audit { differences, ..Audit::default() });
    }
    let subject = specification.model.subject(output, &asked)?;
    let bound = Bound(suite.bound.and_then(|bound| u32::try_from(bound).ok()).unwrap_or(0));
    let options = Options { bound, seed: seed(suite), ..Options::default() };
    let inputs: Vec<Inputs> = tests.iter().map(|test| test.inputs.clone()).collect();
    let mut audit = search::audit(&*subject, suite, &inputs, &options);
    differences.append(&mut audit.differences);
    differences.extend(evidence_differs(&*subject, suite));
    Ok(Audit { differences, ..audit })
}

/// Evidence that shows nothing, and claims that are made without the evidence that their language demands.
fn evidence_differs(subject: &dyn Subject, suite: &Suite) -> Vec<String> {
    let mut differences = Vec::new();
    let certifies = subject.abilities().certifies;
    for said in &suite.goals {
        let Some(place) = subject.goals().iter().position(|goal| goal.key == said.id) else { continue };
        let goal = GoalId(place as u32);
        for evidence in &said.evidence {
            let judged = match certifies {
                Some(certifies) => certifies.judge_evidence(goal, evidence),
                None => Err("goals of this language have no evidence".to_owned()),
            };
            if let Err(why) = judged {
                let manner = evidence["manner"].as_str().map(|manner| format!(" at {manner}")).unwrap_or_default();
                differences.push(format!("what is shown for {}{manner} shows nothing: {why}", said.id));
            }
        }
        let Some(certifies) = certifies.filter(|_| said.status == Status::Infeasible) else { continue };
        let missing = certifies.not_shown(goal, &said.evidence);
        if !missing.is_empty() {
            let manners = missing.join(", ");
            differences.push(format!("goal {} is said to be impossible, and nothing shows it at {manners}", said.id));
        }
    }
    differences
}

/// Random runs of a replay are other ones than those of the run that made the claims.
fn seed(suite: &Suite) -> u64 {
    suite.options.get("seed").and_then(serde_json::Value::as_u64).unwrap_or(0).wrapping_add(1)
}

/// What the suite says about itself as a whole.
fn header_differs(specification: &Specification, suite: &Suite) -> Vec<String> {
    let mut differences = Vec::new();
    let language = specification.language.front().family();
    if suite.language != language {
        differences.push(format!("the language is said to be {}, and is {language}", suite.language));
    }
    if suite.interface != specification.model.interface() {
        differences.push("the inputs and outputs of the specification are not those of the suite".to_owned());
    }
    if suite.bound.is_some() && specification.model.bound().is_none() {
        differences.push("a bound is named for a language without steps".to_owned());
    }
    differences
}

/// Searches anew for every goal that is said to be impossible; the number of those that could not be proved again.
fn proved(output: &Output, specification: &Specification, suite: &Suite, audit: &mut Audit) -> Result<usize, Failure> {
    let bound = Bound(suite.bound.and_then(|bound| u32::try_from(bound).ok()).unwrap_or(0));
    let options = Options {
        strategy: specification.model.strategy(),
        bound,
        seed: seed(suite),
        minimize: false,
        interrupt: interrupt::on_ctrl_c(),
        ..Options::default()
    };
    let asked = Asked::of_suite(suite);
    let start = Start::anew(specification, &asked, options);
    let drawn = drawing::draw(&output.silent(), start)?.suite;
    let mut left = 0;
    for said in suite.goals.iter().filter(is_claim) {
        let found = drawn.goals.iter().find(|goal| goal.id == said.id).map_or(Status::Unknown, |goal| goal.status);
        match (said.status, found) {
            (_, Status::Covered) => {
                audit.differences.push(format!("goal {} is said to be impossible, but a test covers it", said.id));
            }
            (_, Status::Infeasible) | (Status::InfeasibleUpTo, Status::InfeasibleUpTo) => {}
            _ => left += 1,
        }
    }
    Ok(left)
}

/// Where a suite of goals that are not listed says other than the interpreter.
fn product_differs(suite: &Suite, judged: &Suite) -> Vec<String> {
    let mut differences = Vec::new();
    for (said, found) in suite.tests.iter().zip(&judged.tests) {
        if said.expected != found.expected {
            let (said_text, found) = (json!(said.expected), json!(found.expected));
            differences.push(format!("test {} expects {said_text}, but gives {found}", said.id));
        }
    }
    if suite.summary.covered != judged.summary.covered {
        let (said, found) = (suite.summary.covered, judged.summary.covered);
        differences.push(format!("{} are said to be covered, but the tests cover {found}", counted(said, "goal")));
    }
    for found in &judged.goals {
        if !suite.goals.is_empty() && !suite.goals.iter().any(|goal| goal.id == found.id) {
            differences.push(format!("the suite does not know the goal {}", found.id));
        }
    }
    for said in &suite.goals {
        if !judged.goals.iter().any(|found| found.id == said.id && found.status == said.status) {
            differences.push(format!("goal {} is said to be {}, and is not", said.id, said.status));
        }
    }
    differences
}
