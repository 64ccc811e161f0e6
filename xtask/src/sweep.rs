//! Draws tests from every specification that the repository holds, each for a few seconds: the search and the
//! interpreter must agree, nothing may panic, and every run must end.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::{Outcome, cargo, root, run, target};

/// What files of specifications end with.
const EXTENSIONS: &[&str] = &["bool", "tessla", "stl", "as", "pl", "ltl", "tlsf", "c"];

/// The seconds that a search is given, and those after which it hangs.
const SEARCH: &str = "3";
const PATIENCE: Duration = Duration::from_secs(60);

/// The exit codes that are answers: done, open, not asked properly, rejected, not to be had here.
const ANSWERS: &[i32] = &[0, 1, 2, 3, 4];

/// Sweeps the corpus and the examples, or the files and folders that are named.
pub(crate) fn sweep(places: &[&str]) -> Outcome {
    run(&mut cargo(&["build", "--release", "--quiet", "--package", "specimen"]))?;
    let program = target().join("release/specimen");
    let usual = [root().join("corpus"), root().join("examples")];
    let mut open: Vec<PathBuf> = match places.is_empty() {
        true => usual.to_vec(),
        false => places.iter().map(PathBuf::from).collect(),
    };
    let mut files = Vec::new();
    while let Some(place) = open.pop() {
        if place.is_dir() {
            let entries = std::fs::read_dir(&place).map_err(|error| format!("{}: {error}", place.display()))?;
            open.extend(entries.filter_map(Result::ok).map(|entry| entry.path()));
        } else if place.extension().is_some_and(|end| EXTENSIONS.iter().any(|known| end == *known)) {
            files.push(place);
        }
    }
    files.sort();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut wrong = 0;
    for file in &files {
        let (ended, said) = generate(&program, file)?;
        if !ended.is_some_and(|code| ANSWERS.contains(&code)) {
            wrong += 1;
            println!("{}: {}: {}", file.display(), name(ended), said.lines().last().unwrap_or_default());
        }
        *counts.entry(name(ended)).or_default() += 1;
    }
    for (ended, count) in counts {
        println!("{count:5} x {ended}");
    }
    if wrong == 0 { Ok(()) } else { Err(format!("{wrong} of {} specifications have no answer", files.len())) }
}

fn name(ended: Option<i32>) -> String {
    ended.map_or("no end, or ended by a signal".to_owned(), |code| format!("exit code {code}"))
}

/// How a run ended, none if it did not, and what it said.
fn generate(program: &Path, file: &Path) -> Result<(Option<i32>, String), String> {
    let said = target().join("sweep.txt");
    let failed = |error: std::io::Error| format!("{}: {error}", said.display());
    let out = std::fs::File::create(&said).map_err(failed)?;
    let mut child = std::process::Command::new(program)
        .args(["generate", "--timeout", SEARCH])
        .arg(file)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(out)
        .spawn()
        .map_err(|error| format!("{}: {error}", program.display()))?;
    let begun = Instant::now();
    let ended = loop {
        match child.try_wait().map_err(|error| error.to_string())? {
            Some(status) => break status.code(),
            None if PATIENCE < begun.elapsed() => {
                child.kill().and_then(|()| child.wait()).map_err(|error| error.to_string())?;
                break None;
            }
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    };
    Ok((ended, String::from_utf8_lossy(&std::fs::read(&said).map_err(failed)?).into_owned()))
}
