//! What an earlier run left in the folder of `--out`: it is continued, brought up to date, or refused.
//!
//! Claims of an earlier run hold for the files it read and the options it was given, and for nothing else: they are taken over only
//! where every file and every option that shapes reading, goals or tests is the same.

use front::failure::{Failure, INVALID_SUITE};
use front::output::Output;
use front::specification::Specification;
use front::tests_file;
use front::words::counted;
use serde_json::Value as Json;
use testcase::{GoalRecord, Inputs, SCHEMA_1, Status, Suite};

use crate::drawing::Shape;
use crate::provenance;

/// What is taken over from an earlier run.
#[derive(Default)]
pub(crate) struct Resumed {
    /// Tests that were found.
    pub(crate) tests: Vec<Inputs>,
    /// What was found out about goals.
    pub(crate) known: Vec<GoalRecord>,
    /// Whether tests that cannot be used any more are left out without a word.
    pub(crate) lenient: bool,
}

/// Looks at the suite in a folder.
pub(crate) fn resumed(
    output: &Output,
    specification: &Specification,
    shape: &Shape,
    earlier: &Suite,
) -> Result<Resumed, Failure> {
    if earlier.source.file != specification.record.file {
        return Err(refused(&[format!("its source is {}, not {}", earlier.source.file, specification.record.file)]));
    }
    if earlier.schema == SCHEMA_1 {
        return Ok(updated(output, specification, earlier, "it is of an earlier version"));
    }
    // What another version claims, this one may know better.
    if earlier.provenance.as_ref().is_some_and(|made| made.version != provenance::VERSION) {
        return Ok(updated(output, specification, earlier, "it was drawn by another version"));
    }
    let otherwise = shape.differences(earlier);
    if !otherwise.is_empty() {
        return Err(refused(&otherwise));
    }
    let changes = earlier.sources().differences(&specification.reader.record());
    if !changes.is_empty() {
        return Ok(updated(output, specification, earlier, &changes.join(", ")));
    }
    if earlier.complete {
        // A finished suite is drawn again from the start: the same run gives the same bytes.
        return Ok(Resumed::default());
    }
    let tests = tests_file::of_suite(&*specification.model, earlier)
        .map_err(|error| Failure::Refused(&INVALID_SUITE, error))?;
    output.talk(&format!("continuing a partial suite of {}", counted(tests.len(), "test")));
    let tests = tests.into_iter().map(|test| test.inputs).collect();
    // What could not be decided is tried again.
    let known = earlier.goals.iter().filter(|goal| goal.status != Status::Unknown).cloned().collect();
    Ok(Resumed { tests, known, lenient: false })
}

/// Keeps the tests of a suite whose sources have changed; what it says about goals is not believed.
fn updated(output: &Output, specification: &Specification, earlier: &Suite, why: &str) -> Resumed {
    let read = |inputs: &Json| specification.model.read_inputs(inputs).ok();
    let tests: Vec<Inputs> = earlier.tests.iter().filter_map(|test| read(&test.inputs)).collect();
    output.talk(&format!("updating the suite in the folder ({why}): tests that still serve are kept, claims are not"));
    Resumed { tests, known: Vec::new(), lenient: true }
}

fn refused(differences: &[String]) -> Failure {
    Failure::Environment(format!(
        "the folder holds another suite: {}; name another folder, or replace the suite with --force",
        differences.join("; ")
    ))
}
