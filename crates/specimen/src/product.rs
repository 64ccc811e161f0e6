//! Suites for products of goals that are too many to be listed: their covered goals are named, the others only counted.

use draw_c::{CSubject, ProductOutcome};
use front::Asked;
use front::failure::Failure;
use front::output::Output;
use front::specification::Specification;
use front::tests_file::GivenTest;
use indexmap::IndexMap;
use search::{Backend, Effort, Options, Statistics};
use serde_json::{Value as Json, json};
use testcase::{GoalRecord, GoalStatus, Inputs, Method, SCHEMA, Status, Suite, Summary, TestRecord, UNLISTED};

/// Draws a suite; the second part is the number of tests before it was reduced.
pub(crate) fn draw(
    output: &Output,
    specification: &Specification,
    asked: &Asked,
    subject: &CSubject,
    options: &Options,
) -> Result<(Suite, Statistics), Failure> {
    if options.shard.is_some() {
        return Err(Failure::Usage("goals that are not listed cannot be divided into shards".to_owned()));
    }
    let backend = Backend::new(options);
    let outcome = subject.cover_product(&backend, options)?;
    let outcome = outcome.ok_or_else(|| Failure::Bug("a product of goals is drawn that is none".to_owned()))?;
    if output.verbose {
        let counts = &outcome.statistics;
        output.talk(&format!(
            "{} queries: {} sat, {} unsat, {} unknown; {} tests found, {} kept",
            counts.queries(),
            counts.sat,
            counts.unsat,
            counts.unknown,
            counts.found,
            outcome.tests.len()
        ));
    }
    let mut suite = suite(specification, asked, subject, &outcome);
    suite.strategy = Method::Product;
    suite.options.insert("seed".to_owned(), json!(options.seed));
    if options.effort != Effort::NORMAL {
        suite.options.insert("effort".to_owned(), json!(options.effort.to_string()));
    }
    Ok((suite, outcome.statistics))
}

/// Measures given tests.
pub(crate) fn measure(
    output: &Output,
    specification: &Specification,
    asked: &Asked,
    subject: &CSubject,
    tests: &[GivenTest],
) -> Result<Suite, Failure> {
    let inputs: Vec<Inputs> = tests.iter().map(|test| test.inputs.clone()).collect();
    let outcome = subject.measure_product(&inputs);
    let outcome = outcome.ok_or_else(|| Failure::Bug("a product of goals is measured that is none".to_owned()))?;
    for (test, objection) in tests.iter().zip(&outcome.objections) {
        if let Some(objection) = objection {
            output.warn(&format!("test {} covers nothing: its inputs are not allowed: {objection}", test.name));
        }
    }
    let mut suite = suite(specification, asked, subject, &outcome);
    suite.strategy = Method::Measure;
    Ok(suite)
}

fn suite(specification: &Specification, asked: &Asked, subject: &CSubject, outcome: &ProductOutcome) -> Suite {
    let mut covering: IndexMap<u128, Vec<String>> = IndexMap::new();
    for (number, goals) in (1..).zip(&outcome.covers) {
        for goal in goals {
            covering.entry(*goal).or_default().push(format!("t{number}"));
        }
    }
    covering.sort_keys();
    let goals: Vec<GoalRecord> = covering
        .into_iter()
        .filter_map(|(number, tests)| {
            let goal = subject.unlisted_goal(number)?;
            let (id, label, location) = (goal.key, goal.label, goal.location);
            Some(GoalRecord {
                id,
                label,
                location,
                status: Status::Covered,
                reason: None,
                witness: None,
                tests,
                evidence: Vec::new(),
            })
        })
        .collect();
    let tests: Vec<TestRecord> = (1..)
        .zip(outcome.tests.iter().zip(&outcome.covers))
        .map(|(number, (test, covers))| TestRecord {
            id: format!("t{number}"),
            inputs: test.inputs.to_json(),
            expected: test.expected.clone(),
            notes: test.notes.clone(),
            covers: covers.iter().map(|goal| format!("g{}", goal + 1)).collect(),
        })
        .collect();
    let count = |number: u128| usize::try_from(number).unwrap_or(usize::MAX);
    let left = count(outcome.goals - outcome.covered);
    let of = |found: bool| if found { left } else { 0 };
    let mut options = asked.options.clone();
    let reason = outcome.rest.reason().unwrap_or_default();
    options.insert(UNLISTED.to_owned(), json!(format!("{}: {reason}", outcome.rest.name())));
    Suite {
        schema: SCHEMA.to_owned(),
        language: specification.language.front().family().to_owned(),
        source: specification.record.clone(),
        others: specification.others(),
        provenance: None,
        interface: specification.model.interface(),
        criterion: asked.criterion.clone(),
        options,
        strategy: Method::Unnamed,
        bound: None,
        complete: outcome.complete,
        minimality: outcome.minimality,
        summary: Summary {
            goals: count(outcome.goals),
            covered: count(outcome.covered),
            infeasible: of(matches!(outcome.rest, GoalStatus::Infeasible(_))),
            infeasible_up_to: of(matches!(outcome.rest, GoalStatus::InfeasibleUpTo(_))),
            only_undefined: of(matches!(outcome.rest, GoalStatus::OnlyUndefined { .. })),
            unknown: of(matches!(outcome.rest, GoalStatus::Unknown(_))),
            tests: tests.len(),
        },
        goals,
        tests,
    }
}

/// What a suite says about the goals that it does not list; none if it lists all.
pub(crate) fn unlisted(suite: &Suite) -> Option<String> {
    let text = suite.options.get(UNLISTED).and_then(Json::as_str)?;
    let left = suite.summary.goals - suite.summary.covered;
    (0 < left).then(|| format!("{left} goals that are not covered are not listed; {text}"))
}
