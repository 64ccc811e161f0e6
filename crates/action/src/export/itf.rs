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
    let mut list: Vec<Json> = vec![json!({ "#meta": { "index": 0 }, "action": "init" })];
    for (index, label) in labels.iter().enumerate() {
        let mut state = json!({ "#meta": { "index": index + 1 }, "action": label });
        if let Some(text) = states.get(index) {
            let numbers: Vec<Json> = text.split(' ').map(|number| json!({ "#bigint": number })).collect();
            state["state"] = Json::Array(numbers);
        }
        list.push(state);
    }
    let description = format!("{} of {}", test.id, suite.source.file);
    let then = test.inputs.get("then").and_then(Json::as_str);
    let whole = json!({
        "#meta": { "format": "ITF", "description": description, "then": then },
        "vars": ["action", "state"],
        "states": list,
    });
    format!("{whole:#}\n")
}
