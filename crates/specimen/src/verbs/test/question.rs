//! Tests that are one question: the inputs go to the system, and its answer is compared with what the suite expects.

use std::time::Duration;

use front::adapter::{Adapter, Silence};
use serde_json::{Value as Json, json};
use testcase::{Suite, TestRecord};

use super::{Attempt, Verdict};

/// Asks the system about a test.
pub(super) fn ask(
    suite: &Suite,
    test: &TestRecord,
    adapter: &mut Adapter,
    timeout: Duration,
) -> Result<Attempt, Silence> {
    let question = json!({ "id": test.id, "inputs": test.inputs }).to_string();
    let answer = adapter.ask(question, timeout)?;
    Ok(Attempt::of(judged(suite, test, answer.trim())))
}

/// Compares an answer with what the suite expects.
fn judged(suite: &Suite, test: &TestRecord, answer: &str) -> Verdict {
    if let Some(reason) = invalid(answer) {
        return Verdict::Invalid(reason);
    }
    if test.expected.is_empty() {
        return Verdict::Error("the suite expects nothing of this test: no answer could be wrong".to_owned());
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

/// The reason of an adapter that cannot create what a test asks for.
pub(super) fn invalid(answer: &str) -> Option<String> {
    let reason = answer.strip_prefix("invalid")?;
    (reason.is_empty() || reason.starts_with(char::is_whitespace)).then(|| match reason.trim() {
        "" => "no reason given".to_owned(),
        reason => reason.to_owned(),
    })
}

pub(super) fn shortened(text: &str) -> String {
    const LONGEST: usize = 60;
    let mut short: String = text.chars().take(LONGEST).flat_map(char::escape_debug).collect();
    if text.chars().nth(LONGEST).is_some() {
        short.push('…');
    }
    format!("`{short}`")
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
