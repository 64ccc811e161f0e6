//! `specimen test`: a saved suite against a system under test.
//!
//! A test is one question (`question`), a conversation that the language leads (`conversation`), or steps that a strategy
//! answers (the model drives those). What came of it is told in `report`, and for build servers in `junit`.

mod conversation;
mod junit;
mod question;
mod report;

use std::path::Path;
use std::time::Duration;

use front::adapter::{Adapter, Silence, Told};
use front::exit::Exit;
use front::failure::Failure;
use front::output::{Form, Output};
use front::specification::Specification;
use front::words::counted;
use front::{input, language, reader};
use serde_json::Value as Json;
use testcase::{Suite, TestRecord, write_atomically};

use crate::args::TestArguments;
use crate::execute;
use crate::verbs::replay;

/// After this many tests in a row without an answer, going on is pointless.
const PATIENCE: usize = 3;

/// What became of a test.
#[derive(Clone, Debug, PartialEq)]
enum Verdict {
    /// The system gives what the suite expects.
    Pass,
    /// It gives something else: the outputs.
    Fail(Json),
    /// It does something else, in words.
    Differs(String),
    /// It went another way that the specification allows, too.
    Inconclusive(String),
    /// The adapter cannot create that state.
    Invalid(String),
    /// No answer came, or none that can be understood.
    Error(String),
}

/// A test that was tried.
#[derive(Clone, Debug, PartialEq)]
struct Attempt {
    verdict: Verdict,
    /// What was given and seen, where a test is more than one question.
    trace: Vec<String>,
}

impl Attempt {
    fn of(verdict: Verdict) -> Attempt {
        Attempt { verdict, trace: Vec::new() }
    }

    fn told(told: Told, trace: Vec<String>) -> Attempt {
        let verdict = match told {
            Told::Pass => Verdict::Pass,
            Told::Fail(words) => Verdict::Differs(words),
            Told::Inconclusive(words) => Verdict::Inconclusive(words),
            Told::Trouble(words) => Verdict::Error(words),
        };
        Attempt { verdict, trace }
    }

    fn is_failure(&self) -> bool {
        matches!(self.verdict, Verdict::Fail(_) | Verdict::Differs(_))
    }

    fn is_pass(&self) -> bool {
        self.verdict == Verdict::Pass
    }
}

pub(crate) fn run(output: &Output, arguments: &TestArguments) -> Result<Exit, Failure> {
    let suite = replay::read(&arguments.suite)?;
    let Some(against) = &arguments.against else { return executed(output, arguments, &suite) };
    let (attempts, distrust) = match driven(output, arguments, &suite, against)? {
        Some(attempts) => (attempts, None),
        None => asked(&suite, against, arguments.test_timeout)?,
    };
    let text = match output.form {
        Form::Json => report::as_json(&suite, against, &attempts),
        Form::Human => report::as_text(&suite, &arguments.suite, &attempts),
    };
    output.product(&text)?;
    write_junit(arguments.junit.as_deref(), &suite, &attempts)?;
    if let Some(distrust) = distrust {
        return Err(Failure::Environment(distrust));
    }
    Ok(match () {
        () if attempts.iter().any(|attempt| matches!(attempt.verdict, Verdict::Error(_))) => Exit::Environment,
        () if attempts.iter().all(Attempt::is_pass) => Exit::Done,
        () => Exit::Open,
    })
}

/// Tests that are strategies: the model, which is looked for beside the suite, drives the system and judges it.
fn driven(
    output: &Output,
    arguments: &TestArguments,
    suite: &Suite,
    command: &str,
) -> Result<Option<Vec<Attempt>>, Failure> {
    let is_driven = language::front_of(&suite.language).is_some_and(|front| front.is_driven());
    if !is_driven {
        return Ok(None);
    }
    let source = arguments.source.as_deref();
    let specification = Specification::of_suite(output, suite, &arguments.suite, source)?;
    let tried = specification.model.drive(suite, command, arguments.test_timeout)?;
    Ok(Some(tried.into_iter().map(|told| Attempt::told(told, Vec::new())).collect()))
}

/// Builds and runs the tests of a C suite.
fn executed(output: &Output, arguments: &TestArguments, suite: &Suite) -> Result<Exit, Failure> {
    let path = arguments.source.clone().unwrap_or_else(|| reader::main_beside(suite, &arguments.suite));
    let text = input::read_lossy(&path)?;
    let executed = execute::execute(suite, (&path, &text))?;
    let verdict = |test: &TestRecord| {
        let find =
            |list: &[(String, String)]| list.iter().find(|(id, _)| *id == test.id).map(|(_, words)| words.clone());
        match (find(&executed.failed), find(&executed.left_out)) {
            (Some(words), _) => Attempt::of(Verdict::Differs(words)),
            (None, Some(reason)) => Attempt::of(Verdict::Invalid(reason)),
            (None, None) => Attempt::of(Verdict::Pass),
        }
    };
    let attempts: Vec<Attempt> = suite.tests.iter().map(verdict).collect();
    write_junit(arguments.junit.as_deref(), suite, &attempts)?;
    Ok(if execute::report(output, &executed) { Exit::Done } else { Exit::Open })
}

fn write_junit(path: Option<&Path>, suite: &Suite, attempts: &[Attempt]) -> Result<(), Failure> {
    let Some(path) = path else { return Ok(()) };
    write_atomically(path, &junit::written(suite, attempts))
        .map_err(|error| Failure::Environment(format!("cannot write {}: {error}", path.display())))
}

/// Runs the tests in order, and says why not to trust the verdicts if there is a reason.
fn asked(suite: &Suite, command: &str, timeout: Duration) -> Result<(Vec<Attempt>, Option<String>), Failure> {
    let converse = language::front_of(&suite.language).and_then(|front| front.converse());
    let mut attempts = Vec::new();
    let mut running: Option<Adapter> = None;
    let mut silent = 0;
    for test in &suite.tests {
        if silent == PATIENCE {
            let words = "not run: the tests before it had no answer".to_owned();
            attempts.push(Attempt::of(Verdict::Error(words)));
            continue;
        }
        let mut adapter = match running.take() {
            Some(adapter) => adapter,
            None => Adapter::start(command)?,
        };
        let tried = match converse {
            Some(converse) => conversation::hold(converse, test, &mut adapter, timeout),
            None => question::ask(suite, test, &mut adapter, timeout),
        };
        let attempt = match tried {
            Ok(attempt) => attempt,
            Err(Silence::NotFound) if attempts.is_empty() => {
                return Err(Failure::Environment(format!("the shell cannot run `{command}`")));
            }
            Err(silence) => Attempt::of(Verdict::Error(silence.to_string())),
        };
        // After an answer that was not understood the next line may belong to this test: a new process begins afresh.
        if matches!(attempt.verdict, Verdict::Error(_)) {
            silent += 1;
        } else {
            silent = 0;
            running = Some(adapter);
        }
        attempts.push(attempt);
    }
    let unasked = running.map_or(0, |adapter| adapter.finish(timeout));
    let distrust = (0 < unasked).then(|| {
        format!(
            "the command wrote {} nobody asked for: which answer belongs to which test is uncertain",
            counted(unasked, "line")
        )
    });
    Ok((attempts, distrust))
}
