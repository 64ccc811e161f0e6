//! What became of the tests, for people and as JSON.

use std::path::Path;

use front::words::counted;
use serde_json::{Value as Json, json};
use testcase::{GoalRecord, Suite, TestRecord};

use super::{Attempt, Verdict};
use crate::present;

/// A goal that a failed test targets.
struct Suspect<'a> {
    goal: &'a GoalRecord,
    /// Of the tests that target it and expect the same, how many failed.
    failed: usize,
    /// And how many passed.
    passed: usize,
}

/// The goals a failed test targets; those that no passing test of the same outcome targets come first.
fn suspects<'a>(suite: &'a Suite, attempts: &[Attempt], failed: &TestRecord) -> Vec<Suspect<'a>> {
    let alike = || (suite.tests.iter().zip(attempts)).filter(|(test, _)| test.expected == failed.expected);
    let mut suspects: Vec<Suspect<'a>> = Vec::new();
    for goal in suite.goals.iter().filter(|goal| failed.covers.contains(&goal.id)) {
        let count = |wanted: fn(&Attempt) -> bool| {
            alike().filter(|(test, attempt)| wanted(attempt) && test.covers.contains(&goal.id)).count()
        };
        suspects.push(Suspect { goal, failed: count(Attempt::is_failure), passed: count(Attempt::is_pass) });
    }
    suspects.sort_by_key(|suspect| (suspect.passed, std::cmp::Reverse(suspect.failed)));
    suspects
}

fn counts(attempts: &[Attempt]) -> [(&'static str, usize); 5] {
    let count = |wanted: fn(&Verdict) -> bool| attempts.iter().filter(|attempt| wanted(&attempt.verdict)).count();
    [
        ("passed", count(|verdict| matches!(verdict, Verdict::Pass))),
        ("failed", count(|verdict| matches!(verdict, Verdict::Fail(_) | Verdict::Differs(_)))),
        ("inconclusive", count(|verdict| matches!(verdict, Verdict::Inconclusive(_)))),
        ("invalid", count(|verdict| matches!(verdict, Verdict::Invalid(_)))),
        ("without an answer", count(|verdict| matches!(verdict, Verdict::Error(_)))),
    ]
}

pub(super) fn as_json(suite: &Suite, command: &str, attempts: &[Attempt]) -> String {
    let one = |(test, attempt): (&TestRecord, &Attempt)| {
        let targets = || -> Vec<Json> {
            (suspects(suite, attempts, test).iter())
                .map(|suspect| {
                    let goal = suspect.goal;
                    json!({
                        "goal": goal.id, "label": goal.label, "location": goal.location,
                        "failed": suspect.failed, "passed": suspect.passed,
                    })
                })
                .collect()
        };
        let mut line = match &attempt.verdict {
            Verdict::Pass => json!({ "id": test.id, "verdict": "pass" }),
            Verdict::Fail(given) => json!({
                "id": test.id, "verdict": "fail", "inputs": test.inputs,
                "expected": test.expected, "given": given, "targets": targets(),
            }),
            Verdict::Differs(reason) => json!({
                "id": test.id, "verdict": "fail", "inputs": test.inputs, "reason": reason, "targets": targets(),
            }),
            Verdict::Inconclusive(reason) => json!({ "id": test.id, "verdict": "inconclusive", "reason": reason }),
            Verdict::Invalid(reason) => json!({ "id": test.id, "verdict": "invalid", "reason": reason }),
            Verdict::Error(reason) => json!({ "id": test.id, "verdict": "error", "reason": reason }),
        };
        if !attempt.trace.is_empty() {
            line["trace"] = json!(attempt.trace);
        }
        line
    };
    let [(_, passed), (_, failed), (_, inconclusive), (_, invalid), (_, errors)] = counts(attempts);
    let mut summary = json!({
        "tests": attempts.len(), "passed": passed, "failed": failed, "invalid": invalid, "errors": errors,
    });
    if 0 < inconclusive {
        summary["inconclusive"] = json!(inconclusive);
    }
    let whole = json!({
        "source": suite.source,
        "criterion": suite.criterion,
        "against": command,
        "tests": suite.tests.iter().zip(attempts).map(one).collect::<Vec<_>>(),
        "summary": summary,
    });
    format!("{whole:#}\n")
}

pub(super) fn as_text(suite: &Suite, path: &Path, attempts: &[Attempt]) -> String {
    let mut text = String::new();
    for (test, attempt) in suite.tests.iter().zip(attempts) {
        match &attempt.verdict {
            Verdict::Pass => {}
            Verdict::Fail(_) | Verdict::Differs(_) => text.push_str(&failure(suite, attempts, test, attempt)),
            Verdict::Inconclusive(reason) => text.push_str(&format!("{}  inconclusive: {reason}\n", test.id)),
            Verdict::Invalid(reason) => text.push_str(&format!("{}  invalid: {reason}\n", test.id)),
            Verdict::Error(reason) => text.push_str(&format!("{}  error: {reason}\n", test.id)),
        }
    }
    if !text.is_empty() {
        text.push('\n');
    }
    let parts = counts(attempts).into_iter().filter(|(_, count)| 0 < *count);
    let parts: Vec<String> = parts.map(|(words, count)| format!("{count} {words}")).collect();
    let tests = counted(attempts.len(), "test");
    let separator = if parts.is_empty() { "" } else { ": " };
    text.push_str(&format!("{}: {tests}{separator}{}\n", path.display(), parts.join(", ")));
    text
}

/// More goals than this are counted, not listed: mutants by the hundred say nothing about a failure.
const TARGETS: usize = 6;

/// The same where a trace says what happened.
const BESIDE_A_TRACE: usize = 2;

/// A failed test with its diagnosis.
pub(super) fn failure(suite: &Suite, attempts: &[Attempt], test: &TestRecord, attempt: &Attempt) -> String {
    let (what, inputs) = match &attempt.verdict {
        Verdict::Fail(given) => (differences(test, given), inputs(test)),
        Verdict::Differs(words) => (words.clone(), attempt.trace.join(" ")),
        _ => (String::new(), String::new()),
    };
    let mut text = format!("{}  fail: {what}\n", test.id);
    if !inputs.is_empty() {
        text.push_str(&format!("    {inputs}\n"));
    }
    let room = if attempt.trace.is_empty() { TARGETS } else { BESIDE_A_TRACE };
    let suspects = suspects(suite, attempts, test);
    let most = suspects.first().map(|suspect| suspect.passed);
    let (first, others): (Vec<&Suspect<'_>>, Vec<&Suspect<'_>>) =
        suspects.iter().partition(|suspect| Some(suspect.passed) == most);
    for suspect in first.iter().take(room) {
        let goal = suspect.goal;
        text.push_str(&format!("    targets {} ({}) {}\n", goal.id, present::place(goal), goal.label));
    }
    if room < first.len() {
        text.push_str(&format!("    and {} like these\n", counted(first.len() - room, "goal")));
    }
    if !others.is_empty() {
        let others: Vec<String> = others.iter().map(|suspect| suspect.goal.id.clone()).collect();
        let more = others.len().saturating_sub(2 * room);
        let named = others[..others.len() - more].join(" ");
        let more = if more == 0 { String::new() } else { format!(" and {more} more") };
        text.push_str(&format!("    and {named}{more}, which passing tests with that outcome target too\n"));
    }
    text
}

fn inputs(test: &TestRecord) -> String {
    let inputs = test.inputs.as_object().into_iter().flatten();
    inputs.map(|(name, value)| format!("{name}={}", present::cell(Some(value)))).collect::<Vec<_>>().join(" ")
}

/// What is not as expected.
fn differences(test: &TestRecord, given: &Json) -> String {
    let mut parts = Vec::new();
    for (name, expected) in &test.expected {
        let found = given.get(name).unwrap_or(&Json::Null);
        if found == expected {
            continue;
        }
        parts.push(first_event(name, found, expected).unwrap_or_else(|| {
            format!("{name} is {}, expected {}", present::cell(Some(found)), present::cell(Some(expected)))
        }));
    }
    parts.join("; ")
}

/// Of two streams of events `[time, value]`, the first event in which they differ.
fn first_event(name: &str, found: &Json, expected: &Json) -> Option<String> {
    let events = |json: &Json| -> Option<Vec<(i64, Json)>> {
        json.as_array()?.iter().map(|event| Some((event.get(0)?.as_i64()?, event.get(1)?.clone()))).collect()
    };
    let (found, expected) = (events(found)?, events(expected)?);
    let at = (0..).find(|at| found.get(*at) != expected.get(*at))?;
    let told = |event: &(i64, Json)| match &event.1 {
        Json::Null => format!("an event at {}", event.0),
        value => format!("{} at {}", present::cell(Some(value)), event.0),
    };
    Some(match (found.get(at), expected.get(at)) {
        (Some(found), Some(expected)) => format!("{name} is {}, expected {}", told(found), told(expected)),
        (Some(found), None) => format!("{name} is {}, where nothing more is expected", told(found)),
        (None, expected) => format!("{name} ends too early, expected {}", expected.map(told).unwrap_or_default()),
    })
}
