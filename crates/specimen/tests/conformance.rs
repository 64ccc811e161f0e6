//! Every language keeps every promise of the conformance suite of front ends.
//!
//! `SPECIMEN_CONFORMANCE='C: the same'` tries only the promises whose line, `LANGUAGE: PROMISE`, holds this text.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value as Json;
use testkit::front::{PROMISES, Trial, rows};

#[test]
fn every_language_keeps_every_promise() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema/specimen-suite-2.schema.json");
    let text = std::fs::read_to_string(path).expect("there is a schema");
    let schema = serde_json::from_str(&text).expect("the schema is JSON");
    let schema = jsonschema::validator_for(&schema).expect("the schema is a schema");
    let wrong = |suite: &Json| schema.iter_errors(suite).map(|error| error.to_string()).collect::<Vec<_>>();
    // A search keeps a processor busy: rows are tried side by side.
    let rows = rows();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut problems = Vec::new();
        while let Some(row) = rows.get(next.fetch_add(1, Ordering::Relaxed)) {
            problems.extend(broken(&Trial { row, program: Path::new(env!("CARGO_BIN_EXE_specimen")), schema: &wrong }));
        }
        problems
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let problems: Vec<String> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("no promise panics")).collect()
    });
    assert!(problems.is_empty(), "{}", problems.join("\n\n"));
}

/// The promises that a language breaks, and how.
fn broken(trial: &Trial<'_>) -> Vec<String> {
    let only = std::env::var("SPECIMEN_CONFORMANCE").unwrap_or_default();
    let mut problems = Vec::new();
    for (promise, keeps) in PROMISES {
        let line = format!("{}: {promise}", trial.row.language);
        if line.contains(&only) {
            problems.extend(keeps(trial).err().map(|how| format!("{line}: {how}")));
        }
    }
    problems
}
