//! Every suite this crate reads and writes is one the published schema allows.

use serde_json::Value as Json;
use testcase::Suite;

fn schema(text: &str) -> jsonschema::Validator {
    let schema: Json = serde_json::from_str(text).expect("the schema is JSON");
    jsonschema::validator_for(&schema).expect("the schema is a schema")
}

const SECOND: &str = include_str!("../../../docs/schema/specimen-suite-2.schema.json");
const FIRST: &str = include_str!("../../../docs/schema/specimen-suite-1.schema.json");

fn check(text: &str) {
    let written = Suite::from_json(text).expect("a suite").to_json_string();
    let first = if text.contains("specimen-suite/1") { FIRST } else { SECOND };
    for (text, schema) in [(text, schema(first)), (written.as_str(), schema(SECOND))] {
        let json: Json = serde_json::from_str(text).expect("JSON");
        let errors: Vec<String> =
            schema.iter_errors(&json).map(|error| format!("{}: {error}", error.instance_path)).collect();
        assert_eq!(errors, Vec::<String>::new());
    }
}

#[test]
fn suites_follow_the_schema() {
    check(include_str!("suites/policy.json"));
    check(include_str!("suites/nasty.json"));
    check(include_str!("suites/document.json"));
    check(include_str!("suites/empty.json"));
}

#[test]
fn the_schema_and_the_reader_reject_the_same_slips() {
    let policy = include_str!("suites/policy.json");
    for (from, to) in [
        ("\"complete\": true,", "\"complete\": true, \"date\": 1,"),
        ("\"criterion\": \"masking-mcdc\",", ""),
        ("\"status\": \"unknown\"", "\"status\": \"open\""),
        ("\"minimality\": \"proved\"", "\"minimality\": \"perhaps\""),
        ("specimen-suite/2", "specimen-suite/3"),
        ("specimen-suite/2", "specimen-suite/1"),
        ("\"role\": \"main\"", "\"role\": \"chief\""),
        ("\"sources\"", "\"source\""),
    ] {
        let text = policy.replace(from, to);
        assert_ne!(text, policy, "the slip `{to}` was made");
        let json: Json = serde_json::from_str(&text).expect("JSON");
        assert!(!schema(SECOND).is_valid(&json), "the schema rejects `{to}`");
        assert!(Suite::from_json(&text).is_err(), "the reader rejects `{to}`");
    }
}
