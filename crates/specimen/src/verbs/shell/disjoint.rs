//! Further suites for a query that share no test with earlier ones.

use front::Asked;
use front::failure::Failure;
use front::output::Output;
use front::specification::Specification;
use front::tests_file::GivenTest;
use search::Bound;
use serde_json::Value as Json;
use testcase::{Inputs, Status, Suite, Summary};

use crate::verbs::measure;

/// Random inputs that are tried in place of tests which an earlier suite has.
const TRIED: usize = 40;

/// The suite without the tests of earlier ones; random inputs take their place where they cover something.
pub(super) fn without_earlier(
    output: &Output,
    specification: &Specification,
    asked: &Asked,
    suite: &Suite,
    earlier: &[Suite],
    (seed, limit): (u64, Option<usize>),
) -> Result<Suite, Failure> {
    let before: Vec<&Json> = earlier.iter().flat_map(|suite| &suite.tests).map(|test| &test.inputs).collect();
    let mut kept: Vec<Inputs> = Vec::new();
    for test in suite.tests.iter().filter(|test| !before.contains(&&test.inputs)) {
        kept.push(specification.model.read_inputs(&test.inputs).map_err(Failure::Bug)?);
    }
    let most = limit.unwrap_or(usize::MAX);
    if kept.len() == suite.tests.len() && kept.len() <= most {
        return Ok(suite.clone());
    }
    let stopped = most < kept.len();
    kept.truncate(most);
    let silent = output.silent();
    if specification.model.product(&silent, asked)?.is_none() {
        let subject = specification.model.subject(&silent, asked)?;
        let mut replay = subject.replay();
        for inputs in &kept {
            replay.run(inputs);
        }
        let bound = Bound(specification.model.bound().unwrap_or(0));
        for inputs in subject.random_inputs(seed, TRIED, bound) {
            if !before.contains(&&inputs.to_json()) {
                let replayed = replay.run(&inputs);
                if replayed.objection.is_none() && !replayed.met.is_empty() && kept.len() < most {
                    kept.push(inputs);
                }
            }
        }
    }
    let given: Vec<GivenTest> = kept.into_iter().map(|inputs| GivenTest { name: String::new(), inputs }).collect();
    let mut other = measure::measured(&silent, specification, asked, &given)?;
    // What no test can cover is known from the search.
    for (goal, known) in other.goals.iter_mut().zip(&suite.goals) {
        if goal.status != Status::Covered && known.status != Status::Covered {
            goal.status = known.status;
            goal.reason.clone_from(&known.reason);
        } else if goal.status != Status::Covered {
            goal.reason = Some("only tests of earlier suites were found for it".to_owned());
        }
    }
    if !other.options.contains_key(testcase::UNLISTED) {
        other.summary = Summary::of(&other.goals, &other.tests);
    }
    other.complete = suite.complete && !stopped;
    Ok(other)
}
