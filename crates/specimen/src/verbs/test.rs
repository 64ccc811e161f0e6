//! `specimen test`: a saved suite against a system under test.

use std::path::Path;
use std::time::Duration;

use front::adapter::{Adapter, Silence};
use front::exit::Exit;
use front::failure::Failure;
use front::output::{Form, Output};
use front::{input, reader};
use serde_json::{Value as Json, json};
use testcase::{GoalRecord, Suite, TestRecord};

use crate::args::TestArguments;
use crate::verbs::replay;
use crate::{execute, present};

/// After this many tests in a row without an answer, going on is pointless.
const PATIENCE: usize = 3;

/// What became of a test.
#[derive(Clone, Debug, PartialEq)]
enum Verdict {
    /// The system gives what the suite expects.
    Pass,
    /// It gives something else.
    Fail(Json),
    /// The adapter cannot create that state.
    Invalid(String),
    /// No answer came, or none that can be understood.
    Error(String),
}

/// A goal that a failed test targets.
struct Suspect<'a> {
    goal: &'a GoalRecord,
    /// Of the tests that target it and expect the same, how many failed.
    failed: usize,
    /// And how many passed.
    passed: usize,
}

pub(crate) fn run(output: &Output, arguments: &TestArguments) -> Result<Exit, Failure> {
    let suite = replay::read(&arguments.suite)?;
    let Some(against) = &arguments.against else { return executed(output, arguments, &suite) };
    let (verdicts, distrust) = verdicts(&suite, against, arguments.test_timeout)?;
    let text = match output.form {
        Form::Json => as_json(&suite, against, &verdicts),
        Form::Human => as_text(&suite, &arguments.suite, &verdicts),
    };
    output.product(&text)?;
    if let Some(distrust) = distrust {
        return Err(Failure::Environment(distrust));
    }
    Ok(match () {
        () if verdicts.iter().any(|verdict| matches!(verdict, Verdict::Error(_))) => Exit::Environment,
        () if verdicts.iter().all(|verdict| *verdict == Verdict::Pass) => Exit::Done,
        () => Exit::Open,
    })
}

/// Builds and runs the tests of a C suite.
fn executed(output: &Output, arguments: &TestArguments, suite: &Suite) -> Result<Exit, Failure> {
    let path = arguments.source.clone().unwrap_or_else(|| reader::main_beside(suite, &arguments.suite));
    let text = input::read_lossy(&path)?;
    let executed = execute::execute(suite, (&path, &text))?;
    Ok(if execute::report(output, &executed) { Exit::Done } else { Exit::Open })
}

/// Runs the tests in order, and says why not to trust the verdicts if there is a reason.
fn verdicts(suite: &Suite, command: &str, timeout: Duration) -> Result<(Vec<Verdict>, Option<String>), Failure> {
    let mut verdicts = Vec::new();
    let mut running: Option<Adapter> = None;
    let mut silent = 0;
    for test in &suite.tests {
        if silent == PATIENCE {
            verdicts.push(Verdict::Error("not run: the tests before it had no answer".to_owned()));
            continue;
        }
        let mut adapter = match running.take() {
            Some(adapter) => adapter,
            None => Adapter::start(command)?,
        };
        let question = json!({ "id": test.id, "inputs": test.inputs }).to_string();
        let verdict = match adapter.ask(question, timeout) {
            Ok(answer) => judged(suite, test, answer.trim()),
            Err(Silence::NotFound) if verdicts.is_empty() => {
                return Err(Failure::Environment(format!("the shell cannot run `{command}`")));
            }
            Err(silence) => Verdict::Error(described(&silence)),
        };
        // After an answer that was not understood the next line may belong to this test: a new process begins afresh.
        if matches!(verdict, Verdict::Error(_)) {
            silent += 1;
        } else {
            silent = 0;
            running = Some(adapter);
        }
        verdicts.push(verdict);
    }
    let unasked = running.map_or(0, |adapter| adapter.finish(timeout));
    let distrust = (0 < unasked).then(|| {
        format!(
            "the command wrote {} nobody asked for: which answer belongs to which test is uncertain",
            front::words::counted(unasked, "line")
        )
    });
    Ok((verdicts, distrust))
}

fn described(silence: &Silence) -> String {
    match silence {
        Silence::Ended(how) => format!("the command ended without an answer ({how})"),
        Silence::NotFound => "the shell could not run the command any more".to_owned(),
        Silence::Late(patience) => {
            format!("no answer within {} s; an adapter must flush its output after every line", patience.as_secs_f64())
        }
        Silence::Garbage(what) => format!("the answer is {what}"),
    }
}

/// Compares an answer with what the suite expects.
fn judged(suite: &Suite, test: &TestRecord, answer: &str) -> Verdict {
    if let Some(reason) = answer.strip_prefix("invalid")
        && (reason.is_empty() || reason.starts_with(char::is_whitespace))
    {
        let reason = reason.trim();
        return Verdict::Invalid(if reason.is_empty() { "no reason given" } else { reason }.to_owned());
    }
    let garbage = || Verdict::Error(format!("the answer is not understood: {}", shortened(answer)));
    let Ok(json) = serde_json::from_str::<Json>(answer) else { return garbage() };
    let mut given = serde_json::Map::new();
    match json {
        Json::Object(fields) => given = fields,
        alone => match test.expected.keys().next() {
            Some(name) if test.expected.len() == 1 => {
                given.insert(name.clone(), alone);
            }
            _ => return garbage(),
        },
    }
    let mut passes = true;
    for (name, expected) in &test.expected {
        let Some(found) = given.get(name) else {
            return Verdict::Error(format!("the answer has no `{name}`: {}", shortened(answer)));
        };
        let ports = suite.interface.iter().flat_map(|interface| &interface.outputs);
        let sort = ports.into_iter().find(|port| port.name == *name).and_then(testcase::Port::sort);
        passes &= match sort {
            None => found == expected,
            Some(sort) => match (value::from_json(&sort, found), value::from_json(&sort, expected)) {
                (Ok(found), Ok(expected)) => found == expected,
                (Err(_), _) => {
                    return Verdict::Error(format!(
                        "`{name}` is of sort {sort}, not {}",
                        shortened(&found.to_string())
                    ));
                }
                (Ok(_), Err(_)) => return Verdict::Error(format!("the suite expects {expected} of `{name}`: {sort}")),
            },
        };
    }
    if passes { Verdict::Pass } else { Verdict::Fail(Json::Object(given)) }
}

fn shortened(text: &str) -> String {
    const LONGEST: usize = 60;
    let mut short: String = text.chars().take(LONGEST).flat_map(char::escape_debug).collect();
    if text.chars().nth(LONGEST).is_some() {
        short.push('…');
    }
    format!("`{short}`")
}

/// The goals a failed test targets; those that no passing test of the same outcome targets come first.
fn suspects<'a>(suite: &'a Suite, verdicts: &[Verdict], failed: &TestRecord) -> Vec<Suspect<'a>> {
    let alike = || (suite.tests.iter().zip(verdicts)).filter(|(test, _)| test.expected == failed.expected);
    let mut suspects: Vec<Suspect<'a>> = Vec::new();
    for goal in suite.goals.iter().filter(|goal| failed.covers.contains(&goal.id)) {
        let count = |wanted: &dyn Fn(&Verdict) -> bool| {
            alike().filter(|(test, verdict)| wanted(verdict) && test.covers.contains(&goal.id)).count()
        };
        suspects.push(Suspect {
            goal,
            failed: count(&|verdict| matches!(verdict, Verdict::Fail(_))),
            passed: count(&|verdict| *verdict == Verdict::Pass),
        });
    }
    suspects.sort_by_key(|suspect| (suspect.passed, std::cmp::Reverse(suspect.failed)));
    suspects
}

fn counts(verdicts: &[Verdict]) -> [(&'static str, usize); 4] {
    let count = |wanted: fn(&Verdict) -> bool| verdicts.iter().filter(|verdict| wanted(verdict)).count();
    [
        ("passed", count(|verdict| matches!(verdict, Verdict::Pass))),
        ("failed", count(|verdict| matches!(verdict, Verdict::Fail(_)))),
        ("invalid", count(|verdict| matches!(verdict, Verdict::Invalid(_)))),
        ("without an answer", count(|verdict| matches!(verdict, Verdict::Error(_)))),
    ]
}

fn as_json(suite: &Suite, command: &str, verdicts: &[Verdict]) -> String {
    let one = |(test, verdict): (&TestRecord, &Verdict)| {
        let mut line = json!({ "id": test.id, "verdict": "pass" });
        match verdict {
            Verdict::Pass => {}
            Verdict::Fail(given) => {
                let targets: Vec<Json> = (suspects(suite, verdicts, test).iter())
                    .map(|suspect| {
                        let goal = suspect.goal;
                        json!({
                            "goal": goal.id, "label": goal.label, "location": goal.location,
                            "failed": suspect.failed, "passed": suspect.passed,
                        })
                    })
                    .collect();
                line = json!({
                    "id": test.id, "verdict": "fail", "inputs": test.inputs,
                    "expected": test.expected, "given": given, "targets": targets,
                });
            }
            Verdict::Invalid(reason) => line = json!({ "id": test.id, "verdict": "invalid", "reason": reason }),
            Verdict::Error(reason) => line = json!({ "id": test.id, "verdict": "error", "reason": reason }),
        }
        line
    };
    let [(_, passed), (_, failed), (_, invalid), (_, errors)] = counts(verdicts);
    let whole = json!({
        "source": suite.source,
        "criterion": suite.criterion,
        "against": command,
        "tests": suite.tests.iter().zip(verdicts).map(one).collect::<Vec<_>>(),
        "summary": {
            "tests": verdicts.len(), "passed": passed, "failed": failed, "invalid": invalid, "errors": errors,
        },
    });
    format!("{whole:#}\n")
}

fn as_text(suite: &Suite, path: &Path, verdicts: &[Verdict]) -> String {
    let mut text = String::new();
    for (test, verdict) in suite.tests.iter().zip(verdicts) {
        match verdict {
            Verdict::Pass => {}
            Verdict::Fail(given) => text.push_str(&failure(suite, verdicts, test, given)),
            Verdict::Invalid(reason) => text.push_str(&format!("{}  invalid: {reason}\n", test.id)),
            Verdict::Error(reason) => text.push_str(&format!("{}  error: {reason}\n", test.id)),
        }
    }
    if !text.is_empty() {
        text.push('\n');
    }
    let parts = counts(verdicts).into_iter().filter(|(_, count)| 0 < *count);
    let parts: Vec<String> = parts.map(|(words, count)| format!("{count} {words}")).collect();
    let tests = front::words::counted(verdicts.len(), "test");
    let separator = if parts.is_empty() { "" } else { ": " };
    text.push_str(&format!("{}: {tests}{separator}{}\n", path.display(), parts.join(", ")));
    text
}

/// A failed test with its diagnosis.
fn failure(suite: &Suite, verdicts: &[Verdict], test: &TestRecord, given: &Json) -> String {
    let mut parts = Vec::new();
    for (name, expected) in &test.expected {
        let found = given.get(name).unwrap_or(&Json::Null);
        if found != expected {
            parts.push(format!("{name} is {}, expected {}", present::cell(Some(found)), present::cell(Some(expected))));
        }
    }
    let mut text = format!("{}  fail: {}\n", test.id, parts.join("; "));
    let inputs = test.inputs.as_object().into_iter().flatten();
    let inputs: Vec<String> = inputs.map(|(name, value)| format!("{name}={}", present::cell(Some(value)))).collect();
    text.push_str(&format!("    {}\n", inputs.join(" ")));
    let suspects = suspects(suite, verdicts, test);
    let most = suspects.first().map(|suspect| suspect.passed);
    let (first, others): (Vec<&Suspect<'_>>, Vec<&Suspect<'_>>) =
        suspects.iter().partition(|suspect| Some(suspect.passed) == most);
    for suspect in first {
        let goal = suspect.goal;
        text.push_str(&format!("    targets {} ({}) {}\n", goal.id, present::place(goal), goal.label));
    }
    if !others.is_empty() {
        let others: Vec<String> = others.iter().map(|suspect| suspect.goal.id.clone()).collect();
        text.push_str(&format!("    and {}, which passing tests with that outcome target too\n", others.join(" ")));
    }
    text
}

#[cfg(test)]
mod tests {
    use indexmap::IndexMap;

    use super::*;

    fn judge(answer: &str) -> Verdict {
        let suite = json!({
            "schema": testcase::SCHEMA_1, "language": "boolean", "source": { "file": "p", "sha256": "" },
            "interface": { "inputs": [], "outputs": [{ "name": "grant", "sort": "Bool" }] },
            "criterion": "decision", "strategy": "each", "bound": null, "complete": true, "minimality": "not_proved",
            "goals": [], "tests": [],
            "summary": {
                "goals": 0, "covered": 0, "infeasible": 0, "infeasible_up_to": 0, "unknown": 0, "tests": 0,
            },
        });
        let suite = Suite::from_json(&suite.to_string()).expect("a suite");
        let expected = IndexMap::from([("grant".to_owned(), json!(true))]);
        let test =
            TestRecord { id: "t1".into(), inputs: json!({}), expected, notes: IndexMap::new(), covers: Vec::new() };
        judged(&suite, &test, answer)
    }

    #[test]
    fn answers_are_understood_or_refused() {
        assert_eq!(judge("true"), Verdict::Pass);
        assert_eq!(judge("{\"grant\": true, \"why\": 3}"), Verdict::Pass);
        assert_eq!(judge("false"), Verdict::Fail(json!({ "grant": false })));
        assert_eq!(judge("invalid no such card"), Verdict::Invalid("no such card".to_owned()));
        assert_eq!(judge("invalid"), Verdict::Invalid("no reason given".to_owned()));
        for answer in
            ["", "True", "invalidated", "1", "null", "[true]", "{}", "{\"grant\": 1}", "true true", "\u{1b}[2J"]
        {
            assert!(matches!(judge(answer), Verdict::Error(_)), "{answer}: {:?}", judge(answer));
        }
    }
}
