//! Every language keeps every promise of the conformance suite of front ends; what is known not to be kept is listed, and nothing else
//! may be broken.
#![allow(clippy::print_stderr, reason = "what is known to be broken is said")]

use std::path::Path;

use serde_json::Value as Json;
use testkit::front::{PROMISES, Trial, rows};

/// Promises that a language does not keep yet: language, promise, and why. A promise that is kept must leave this list.
const KNOWN: &[(&str, &str, &str)] = &[(
    "C",
    "a run that was cut and continued gives the bytes of a whole one",
    "runs of the program and questions to the solver take turns, and what was found before decides whose turn it is",
)];

#[test]
fn every_language_keeps_every_promise() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema/specimen-suite-2.schema.json");
    let text = std::fs::read_to_string(path).expect("there is a schema");
    let schema = serde_json::from_str(&text).expect("the schema is JSON");
    let schema = jsonschema::validator_for(&schema).expect("the schema is a schema");
    let wrong = |suite: &Json| schema.iter_errors(suite).map(|error| error.to_string()).collect::<Vec<_>>();
    let only = std::env::var("SPECIMEN_CONFORMANCE").unwrap_or_default();
    let mut problems = Vec::new();
    for row in rows() {
        let trial = Trial { row: &row, program: Path::new(env!("CARGO_BIN_EXE_specimen")), schema: &wrong };
        for (promise, keeps) in PROMISES {
            if !format!("{}: {promise}", row.language).contains(&only) {
                continue;
            }
            let known = KNOWN.iter().find(|(language, broken, _)| *language == row.language && broken == promise);
            match (keeps(&trial), known) {
                (Ok(()), None) => {}
                (Ok(()), Some(_)) => problems.push(format!("{}: {promise}: kept, and listed as broken", row.language)),
                (Err(how), None) => problems.push(format!("{}: {promise}: {how}", row.language)),
                (Err(_), Some((_, _, why))) => eprintln!("known: {}: {promise}: {why}", row.language),
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n\n"));
}
