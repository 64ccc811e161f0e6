//! The Informal Trace Format (ITF) that model checkers write, as Quint writes it: one file for each test.

use serde_json::{Map, Value as Json, json};
use testcase::{Suite, TestRecord};

use super::{File, stem, strings};

/// The variables in which Quint names the action that led to a state, and the values that were chosen for it.
const ACTION: &str = "mbt::actionTaken";
const PICKS: &str = "mbt::nondetPicks";

pub(super) fn write(suite: &Suite) -> Vec<File> {
    suite.tests.iter().map(|test| (format!("{}-{}.itf.json", stem(suite), test.id), one(suite, test))).collect()
}

fn one(suite: &Suite, test: &TestRecord) -> String {
    let labels = strings(test.inputs.get("trace"));
    let states = strings(test.inputs.get("states"));
    let slots = strings(test.notes.get("variables"));
    let initial = test.notes.get("initial").and_then(Json::as_str).unwrap_or_default();
    // Where only labels are compared, only they are known.
    let with_states = states.len() == labels.len() && !slots.is_empty();
    let mut list = Vec::new();
    for index in 0..=labels.len() {
        let label = if index == 0 { "init" } else { labels[index - 1].as_str() };
        let (action, arguments) = split(label);
        let mut state = json!({ "#meta": { "index": index }, ACTION: action, PICKS: picks(&arguments) });
        if with_states {
            let values = if index == 0 { initial } else { states[index - 1].as_str() };
            for (name, value) in variables(test, &slots, values) {
                state[name] = value;
            }
        }
        list.push(state);
    }
    let mut vars = vec![ACTION.to_owned(), PICKS.to_owned()];
    if with_states {
        vars.extend(variables(test, &slots, initial).into_iter().map(|(name, _)| name));
    }
    let meta = json!({
        "format": "ITF",
        "format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html",
        "source": suite.source.file,
        "description": format!("{} of {}", test.id, suite.source.file),
        // What a tester does at the end: gives this input if there is one, and sees one of these.
        "then": test.inputs.get("then"),
        "allowed": test.expected.get("allowed"),
    });
    format!("{:#}\n", json!({ "#meta": meta, "vars": vars, "states": list }))
}

/// A label such as `level(3)` as the action and its arguments; one of several events stays as it is.
fn split(label: &str) -> (&str, Vec<i64>) {
    let parts = label.strip_suffix(')').and_then(|rest| rest.split_once('('));
    let numbers = |list: &str| list.split(',').map(|number| number.trim().parse().ok()).collect::<Option<Vec<i64>>>();
    match parts.and_then(|(action, list)| Some((action, numbers(list)?))) {
        Some((action, arguments)) if !action.contains('+') => (action, arguments),
        _ => (label, Vec::new()),
    }
}

/// The arguments as the choices of a model checker: each is an option.
fn picks(arguments: &[i64]) -> Json {
    let pick = |(place, value): (usize, &i64)| {
        (format!("argument{}", place + 1), json!({ "tag": "Some", "value": number(&value.to_string()) }))
    };
    Json::Object(arguments.iter().enumerate().map(pick).collect())
}

/// The variables of a state: arrays as maps, values that have names by these.
fn variables(test: &TestRecord, slots: &[String], values: &str) -> Vec<(String, Json)> {
    let mut variables: Vec<(String, Json)> = Vec::new();
    for (slot, value) in slots.iter().zip(values.split(' ')) {
        let named = test.notes.get("names").and_then(|names| names.get(slot)).and_then(|names| names.get(value));
        let value = match named.and_then(Json::as_str) {
            Some(name) => json!({ "tag": name, "value": { "#tup": [] } }),
            None => number(value),
        };
        let cell = slot.strip_suffix(']').and_then(|rest| rest.rsplit_once('['));
        match cell {
            None => variables.push((slot.clone(), value)),
            Some((array, index)) => {
                let entry = json!([number(index), value]);
                match variables.last_mut() {
                    Some((name, map)) if name == array => {
                        if let Some(entries) = map.get_mut("#map").and_then(Json::as_array_mut) {
                            entries.push(entry);
                        }
                    }
                    _ => variables
                        .push((array.to_owned(), Json::Object(Map::from_iter([("#map".to_owned(), json!([entry]))])))),
                }
            }
        }
    }
    variables
}

fn number(text: &str) -> Json {
    json!({ "#bigint": text })
}
