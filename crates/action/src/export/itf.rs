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
    let arity = labels.iter().map(|label| split(label).1.len()).max().unwrap_or(0);
    let mut list = Vec::new();
    for index in 0..=labels.len() {
        let label = if index == 0 { "init" } else { labels[index - 1].as_str() };
        let (action, arguments) = split(label);
        let mut state = json!({ "#meta": { "index": index }, ACTION: action, PICKS: picks(&arguments, arity) });
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

/// The arguments as the choices of a model checker: each is an option, and every state has the same ones.
fn picks(arguments: &[i64], arity: usize) -> Json {
    let pick = |place: usize| {
        let picked = match arguments.get(place) {
            Some(value) => json!({ "tag": "Some", "value": number(&value.to_string()) }),
            None => json!({ "tag": "None", "value": { "#tup": [] } }),
        };
        (format!("argument{}", place + 1), picked)
    };
    Json::Object((0..arity).map(pick).collect())
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

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};
    use testcase::{Suite, TestRecord};

    fn suite(tests: &[Json]) -> Suite {
        let tests: Vec<TestRecord> =
            tests.iter().map(|test| serde_json::from_value(test.clone()).expect("a test")).collect();
        let text = json!({
            "schema": testcase::SCHEMA, "language": "action", "criterion": "refinement", "options": {}, "strategy": "each",
            "sources": [{ "role": "main", "name": "tank.as", "sha256": "0" }],
            "bound": null, "complete": true, "minimality": "not_proved", "goals": [], "tests": tests,
            "summary": { "goals": 0, "covered": 0, "infeasible": 0, "infeasible_up_to": 0, "unknown": 0, "tests": 1 },
        });
        Suite::from_json(&text.to_string()).expect("a suite")
    }

    fn trace(test: &Json) -> Json {
        let files = super::write(&suite(std::slice::from_ref(test)));
        assert_eq!(files[0].0, "tank-t1.itf.json");
        serde_json::from_str(&files[0].1).expect("JSON")
    }

    /// As Quint writes them: every state has the same variables and picks, numbers are not those of JSON.
    #[test]
    fn arrays_are_maps_and_values_have_their_names() {
        let itf = trace(&json!({
            "id": "t1", "covers": [], "expected": { "allowed": ["full"] },
            "inputs": { "trace": ["fill(1, 30)", "full"], "states": ["1 0 30", "0 0 30"], "then": "drain(1)" },
            "notes": { "variables": ["mode", "level[0]", "level[1]"], "initial": "0 0 0",
                       "names": { "mode": { "0": "idle", "1": "busy" } } },
        }));
        let big = |number: &str| json!({ "#bigint": number });
        let (idle, busy) =
            (json!({ "tag": "idle", "value": { "#tup": [] } }), json!({ "tag": "busy", "value": { "#tup": [] } }));
        let none = json!({ "tag": "None", "value": { "#tup": [] } });
        assert_eq!(itf["vars"], json!(["mbt::actionTaken", "mbt::nondetPicks", "mode", "level"]));
        let states = itf["states"].as_array().expect("a list");
        assert_eq!(states.len(), 3);
        assert_eq!(states[0]["mbt::actionTaken"], "init");
        assert_eq!(states[0]["mbt::nondetPicks"], json!({ "argument1": none, "argument2": none }));
        assert_eq!(states[0]["mode"], idle);
        assert_eq!(states[1]["mbt::actionTaken"], "fill");
        let picks = json!({
            "argument1": { "tag": "Some", "value": big("1") }, "argument2": { "tag": "Some", "value": big("30") },
        });
        assert_eq!(states[1]["mbt::nondetPicks"], picks);
        assert_eq!(states[1]["mode"], busy);
        assert_eq!(states[1]["level"], json!({ "#map": [[big("0"), big("0")], [big("1"), big("30")]] }));
        assert_eq!(itf["#meta"]["then"], "drain(1)");
        assert_eq!(itf["#meta"]["allowed"], json!(["full"]));
        for state in states {
            let names: Vec<&String> =
                state.as_object().expect("a state").keys().filter(|key| *key != "#meta").collect();
            assert_eq!(names.len(), 4, "{names:?}");
        }
    }

    /// Where only labels are compared, only labels are written, with what may be seen at the end.
    #[test]
    fn a_trace_of_labels_has_its_closing_observation() {
        let itf = trace(&json!({
            "id": "t1", "covers": [], "inputs": { "trace": ["go", "silence"] }, "expected": { "allowed": ["silence"] },
            "notes": { "variables": ["mode"], "initial": "0" },
        }));
        assert_eq!(itf["vars"], json!(["mbt::actionTaken", "mbt::nondetPicks"]));
        assert_eq!(itf["states"][2]["mbt::actionTaken"], "silence");
        assert_eq!(itf["#meta"]["allowed"], json!(["silence"]));
    }
}
