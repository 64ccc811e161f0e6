//! Every language keeps every promise of the conformance suite of front ends; what is known not to be kept is listed, and nothing else
//! may be broken.
#![allow(clippy::print_stderr, reason = "what is known to be broken is said")]

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value as Json;
use testkit::front::{PROMISES, Trial, rows};

/// Promises that a language does not keep yet: language, promise, and why. A promise that is kept must leave this list.
const KNOWN: &[(&str, &str, &str)] = &[(
    "linear temporal logic",
    "a suite of nothing but false claims is refused",
    "a claim may stand without a system that shows it, and random strategies are too weak to refute it: --prove does",
)];

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

/// The promises that a language breaks and is not known to break, or keeps though it is known not to.
fn broken(trial: &Trial<'_>) -> Vec<String> {
    let language = trial.row.language;
    let only = std::env::var("SPECIMEN_CONFORMANCE").unwrap_or_default();
    let mut problems = Vec::new();
    for (promise, keeps) in PROMISES {
        if !format!("{language}: {promise}").contains(&only) {
            continue;
        }
        let known = KNOWN.iter().find(|(broken_by, broken, _)| *broken_by == language && broken == promise);
        match (keeps(trial), known) {
            (Ok(()), None) => {}
            (Ok(()), Some(_)) => problems.push(format!("{language}: {promise}: kept, and listed as broken")),
            (Err(how), None) => problems.push(format!("{language}: {promise}: {how}")),
            (Err(_), Some((_, _, why))) => eprintln!("known: {language}: {promise}: {why}"),
        }
    }
    problems
}
