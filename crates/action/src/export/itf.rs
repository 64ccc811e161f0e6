//! The Informal Trace Format (ITF) that model checkers write: one file for each test.

use serde_json::{Value as Json, json};
use testcase::Suite;

use super::{File, stem, strings};

pub(super) fn write(suite: &Suite) -> Vec<File> {
    suite.tests.iter().map(|test| (format!("{}-{}.itf.json", stem(suite), test.id), one(suite, test))).collect()
}

fn one(suite: &Suite, test: &testcase::TestRecord) -> String {
    let labels = strings(test.inputs.get("trace"));
    let states = strings(test.inputs.get("states"));
    let names = strings(test.notes.get("variables"));
    let initial = test.notes.get("initial").and_then(Json::as_str).unwrap_or_default();
    // Where only labels are compared, only they are known.
    let with_states = states.len() == labels.len() && !names.is_empty();
    let mut list = Vec::new();
    for index in 0..=labels.len() {
        let action = if index == 0 { "init" } else { labels[index - 1].as_str() };
        let mut state = json!({ "#meta": { "index": index }, "action": action });
        if with_states {
            let values = if index == 0 { initial } else { states[index - 1].as_str() };
            for (name, value) in names.iter().zip(values.split(' ')) {
                state[name.as_str()] = json!({ "#bigint": value });
            }
        }
        list.push(state);
    }
    let description = format!("{} of {}", test.id, suite.source.file);
    let then = test.inputs.get("then").and_then(Json::as_str);
    let mut vars = vec!["action".to_owned()];
    vars.extend(names.into_iter().filter(|_| with_states));
    let whole = json!({
        "#meta": { "format": "ITF", "description": description, "then": then },
        "vars": vars,
        "states": list,
    });
    format!("{whole:#}\n")
}
