//! `cargo xtask torture`: kills, signals, a full disk, little memory, solvers that die or lie, hostile HTTP clients.
//!
//! Each part runs the release build as a user would and counts what went wrong. The figures go to
//! `bench/results/torture.md`; a part that this machine cannot try (a small disk needs root) says so.

mod disk;
mod http;
mod kills;
mod memory;
mod solvers;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::{Outcome, root};

/// Where the figures are written.
const RESULTS: &str = "bench/results/torture.md";

/// One search for each language that takes long enough to be disturbed.
const SEARCHES: &[(&str, &str, &[&str])] = &[
    ("Boolean", "examples/boolean/firewall.bool", &[]),
    ("action systems", "examples/action/car_alarm.as", &["--criterion", "ioco"]),
    ("STL", "examples/stl/requirement6.stl", &[]),
    ("TeSSLa", "examples/tessla/decoder.tessla", &["--bound", "22"]),
    ("LTL", "examples/ltl/arbiter.ltl", &["--criterion", "stuck-at"]),
    ("C", "examples/c/ranking.c", &["--criterion", "condition"]),
];

/// What came of a part: its rows of the table.
struct Row {
    part: &'static str,
    what: String,
    tried: usize,
    /// What went wrong, in words; nothing if all held.
    wrong: Vec<String>,
}

/// Runs everything; `ROUNDS` says how often each disturbance is tried for each language.
pub(crate) fn run(words: &[&str]) -> Outcome {
    let rounds: usize = match words {
        [] => 10,
        [rounds] => rounds.parse().map_err(|_| format!("`{rounds}` is not a number of rounds"))?,
        _ => return Err("torture [ROUNDS]".to_owned()),
    };
    let program = program()?;
    let scratch = root().join("target/torture");
    let _ = fs::remove_dir_all(&scratch);
    fs::create_dir_all(&scratch).map_err(|error| format!("{}: {error}", scratch.display()))?;
    let mut rows = Vec::new();
    for (name, part) in [
        ("kills", kills::run as fn(&Bench) -> Result<Vec<Row>, String>),
        ("memory", memory::run),
        ("disk", disk::run),
        ("solvers", solvers::run),
        ("HTTP", http::run),
    ] {
        eprintln!("torture: {name}");
        rows.extend(part(&Bench { program: &program, scratch: &scratch, rounds })?);
    }
    let table = table(&rows, rounds);
    fs::write(root().join(RESULTS), &table).map_err(|error| format!("{RESULTS}: {error}"))?;
    println!("{table}");
    let wrong: usize = rows.iter().map(|row| row.wrong.len()).sum();
    if wrong == 0 { Ok(()) } else { Err(format!("{wrong} of the promises did not hold; see {RESULTS}")) }
}

/// What a part works with.
struct Bench<'a> {
    program: &'a Path,
    scratch: &'a Path,
    rounds: usize,
}

impl Bench<'_> {
    /// The program on a file of the examples, with its output thrown away.
    fn generate(&self, file: &str, more: &[&str], out: &Path) -> Command {
        let mut command = Command::new(self.program);
        command.arg("generate").arg(root().join(file)).args(more).arg("--out").arg(out);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }
}

/// The program: `SPECIMEN`, or the release build, which is made if need be.
fn program() -> Result<PathBuf, String> {
    if let Some(named) = std::env::var_os("SPECIMEN") {
        return Ok(PathBuf::from(named));
    }
    crate::run(&mut crate::cargo(&["build", "--release", "--package", "specimen"]))?;
    Ok(root().join("target/release/specimen"))
}

/// Waits for a process; one that takes too long is ended, and nothing is given.
fn waited(child: &mut Child, patience: Duration) -> Option<ExitStatus> {
    let begun = Instant::now();
    while begun.elapsed() < patience {
        if let Ok(Some(status)) = child.try_wait() {
            return Some(status);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let _ = child.kill();
    let _ = child.wait();
    None
}

/// What is wrong with the end of a run: a signal, a panic, a bug that it reports itself, or no end at all.
fn bad_end(status: Option<ExitStatus>) -> Option<String> {
    match status {
        None => Some("no end".to_owned()),
        Some(status) => match status.code() {
            Some(0..=4) => None,
            Some(code) => Some(format!("exit code {code}")),
            None => Some(status.to_string()),
        },
    }
}

fn table(rows: &[Row], rounds: usize) -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut text = format!(
        "# Torture\n\nWritten by `cargo xtask torture {rounds}` on a machine with {cores} cores.\n\n\
         | part | what | tried | went wrong |\n|---|---|---|---|\n"
    );
    for row in rows {
        let wrong = match row.wrong.len() {
            0 => "0".to_owned(),
            count => format!("{count}: {}", row.wrong.iter().take(3).cloned().collect::<Vec<_>>().join("; ")),
        };
        text.push_str(&format!("| {} | {} | {} | {wrong} |\n", row.part, row.what, row.tried));
    }
    text
}
