//! A test for people: its trace, and what is watched at its end.

use serde_json::Value as Json;
use testcase::TestRecord;

pub(super) fn show(test: &TestRecord) -> String {
    let list = |json: Option<&Json>| -> Vec<String> {
        let items = json.and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default();
        items.iter().map(|item| item.as_str().unwrap_or_default().to_owned()).collect()
    };
    let trace = list(test.inputs.get("trace"));
    let trace = if trace.is_empty() { "(nothing)".to_owned() } else { trace.join(", ") };
    let mut text = format!("{trace}\n");
    let allowed = list(test.expected.get("allowed"));
    match test.inputs.get("then").and_then(Json::as_str) {
        Some(then) if allowed.is_empty() => text.push_str(&format!("then {then}, which the model refuses\n")),
        Some(then) => text.push_str(&format!("then {then}, which leads to {}\n", allowed.join(" | "))),
        None if allowed.is_empty() => text.push_str("then nothing is possible any more\n"),
        None => text.push_str(&format!("then one of {}\n", allowed.join(", "))),
    }
    text
}
