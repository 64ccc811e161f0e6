//! The exported harness of every C example is compiled and run.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn specimen(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_specimen")).args(arguments).output().expect("the program starts")
}

/// The examples, each with the function to test where it is not `main`.
const EXAMPLES: &[(&str, Option<&str>)] = &[
    ("bar.c", None),
    ("bubble.c", None),
    ("list2.c", None),
    ("sort1.c", None),
    ("sort2.c", None),
    ("triangle.c", None),
    ("turnstile.c", None),
];

#[test]
fn every_exported_harness_compiles_and_runs() {
    for (name, function) in EXAMPLES {
        let folder = tempfile::tempdir().expect("a folder");
        let file = root().join("examples/c").join(name).display().to_string();
        let out = folder.path().join("out").display().to_string();
        let mut arguments = vec!["generate", &file, "--criterion", "branch", "--out", &out];
        arguments.extend(function.iter().flat_map(|function| ["--function", function]));
        let drawn = specimen(&arguments);
        assert_eq!(drawn.status.code(), Some(0), "{name}: {}", String::from_utf8_lossy(&drawn.stderr));
        let suite = format!("{out}/suite.json");
        let harness = folder.path().join("harness").display().to_string();
        let exported = specimen(&["export", &suite, "--to", "harness", "--out", &harness]);
        assert!(exported.status.success(), "{name}: {}", String::from_utf8_lossy(&exported.stderr));
        let run = Command::new("make").arg("-s").arg("run_tests").current_dir(&harness).output().expect("make starts");
        assert!(run.status.success(), "{name}: {}", String::from_utf8_lossy(&run.stderr));
        let ran = String::from_utf8_lossy(&run.stdout).lines().filter(|line| line.starts_with("./tester ")).count();
        let text = std::fs::read_to_string(&suite).expect("a suite");
        let suite: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(suite["tests"].as_array().map(Vec::len), Some(ran), "{name}: every test was run");
    }
}
