//! Solvers that are silent, die, babble or lie: no run may believe them, and none may hang or crash.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::time::Duration;

use super::{Bench, Row, waited};
use crate::root;

/// A solver as a script of the shell.
const SOLVERS: &[(&str, &str)] = &[
    ("is silent", "sleep 600"),
    ("dies at once", "exit 1"),
    ("dies after a line", "read line; exit 9"),
    ("babbles", "while read line; do echo '((((('; done"),
    ("says unsat", "while read line; do case $line in *check-sat*) echo unsat;; *get-unsat*) echo '()';; esac; done"),
    (
        "says sat without a model",
        "while read line; do case $line in *check-sat*) echo sat;; *get-*) echo '()';; esac; done",
    ),
    (
        "says unsat and blames everything",
        "while read -r line; do case $line in *check-sat-assuming*) core=${line#*assuming }; echo unsat;; *check-sat*) echo unsat;; *get-unsat*) echo \"${core%)}\";; esac; done",
    ),
    ("talks without an end", "yes unsat"),
];

pub(super) fn run(bench: &Bench<'_>) -> Result<Vec<Row>, String> {
    let mut rows = Vec::new();
    for (what, script) in SOLVERS {
        // One that does not answer costs the time limit of each of its runs.
        eprintln!("torture: a solver that {what}");
        let folder = bench.scratch.join("solver");
        fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        let path = folder.join("z3");
        let text =
            format!("#!/bin/sh\ncase $1 in *version*) echo 'Z3 version 4.13.0 - 64 bit'; exit 0;; esac\n{script}\n");
        fs::write(&path, text).map_err(|error| error.to_string())?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).map_err(|error| error.to_string())?;
        let mut wrong = Vec::new();
        for file in ["examples/boolean/policy.bool", "examples/stl/requirement2.stl"] {
            let paths = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap_or_default());
            let mut command = Command::new(bench.program);
            command
                .arg("generate")
                .arg(root().join(file))
                .args(["--solver", "z3", "--timeout", "3"])
                .env("PATH", paths);
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            let mut child = command.spawn().map_err(|error| error.to_string())?;
            match waited(&mut child, Duration::from_secs(40)) {
                Some(status) if matches!(status.code(), Some(1 | 4)) => {}
                Some(status) if status.code() == Some(0) => wrong.push(format!("{file}: it is believed")),
                Some(status) => wrong.push(format!("{file}: {status}")),
                None => wrong.push(format!("{file}: no end")),
            }
        }
        rows.push(Row { part: "solvers", what: format!("a solver that {what}"), tried: 2, wrong });
    }
    Ok(rows)
}
