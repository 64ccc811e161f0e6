//! `kill -9` and `TERM` at moments spread over a run; what is in the folder then, and what a continued run makes of it.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use super::{Bench, Row, SEARCHES, bad_end, waited};

/// The longest that a whole run may take.
const PATIENCE: Duration = Duration::from_secs(300);

/// How soon a run ends after TERM, a busy machine included.
const POLITE: Duration = Duration::from_secs(10);

pub(super) fn run(bench: &Bench<'_>) -> Result<Vec<Row>, String> {
    let mut rows = Vec::new();
    for (language, file, more) in SEARCHES {
        let whole = bench.scratch.join("whole");
        // Of its own: a folder that holds the suite of another language is refused.
        let _ = fs::remove_dir_all(&whole);
        let begun = Instant::now();
        let mut child = bench.generate(file, more, &whole).spawn().map_err(|error| error.to_string())?;
        if let Some(bad) = bad_end(waited(&mut child, PATIENCE)) {
            return Err(format!("{file}: {bad}"));
        }
        let length = begun.elapsed();
        let expected = fs::read(whole.join("suite.json")).map_err(|error| format!("{file}: {error}"))?;
        for (what, signal) in [("kill -9, continued, same bytes", "-KILL"), ("TERM, replayed", "-TERM")] {
            let mut wrong = Vec::new();
            for round in 0..bench.rounds {
                let out = bench.scratch.join("cut");
                let _ = fs::remove_dir_all(&out);
                let moment = length.mul_f64((round as f64 + 0.5) / bench.rounds as f64);
                let cut = cut(bench, (file, more), &out, moment, signal)?;
                let problem = match (signal, cut) {
                    // Before the search there is nothing to finish: the signal ends the program at once.
                    ("-TERM", Some(bad)) if bad.contains("SIGTERM") && !out.join("suite.json").is_file() => None,
                    ("-TERM", Some(bad)) => Some(bad),
                    ("-TERM", None) => replayed(bench, &out),
                    _ => continued(bench, (file, more), &out, &expected)?,
                };
                wrong.extend(problem.map(|problem| format!("after {} ms: {problem}", moment.as_millis())));
            }
            rows.push(Row { part: "kills", what: format!("{language}: {what}"), tried: bench.rounds, wrong });
        }
    }
    Ok(rows)
}

/// Starts a run and sends it a signal; what is wrong with its end, if it was asked politely.
fn cut(
    bench: &Bench<'_>,
    (file, more): (&str, &[&str]),
    out: &Path,
    moment: Duration,
    signal: &str,
) -> Result<Option<String>, String> {
    let mut child = bench.generate(file, more, out).spawn().map_err(|error| error.to_string())?;
    std::thread::sleep(moment);
    let _ = Command::new("kill").args([signal, &child.id().to_string()]).status();
    let status = waited(&mut child, POLITE);
    Ok(if signal == "-KILL" { None } else { bad_end(status) })
}

/// What `replay` has against the folder of a run that was cut. A run that had not begun to write leaves nothing, which is no fault.
fn replayed(bench: &Bench<'_>, out: &Path) -> Option<String> {
    let suite = out.join("suite.json");
    if !suite.is_file() {
        return None;
    }
    let output = Command::new(bench.program).arg("replay").arg(suite).output().ok()?;
    match output.status.code() {
        Some(0 | 1) => None,
        _ => Some(format!("replay: {}", String::from_utf8_lossy(&output.stderr).lines().next().unwrap_or_default())),
    }
}

/// Runs again in the same folder: the bytes are those of a run that nobody disturbed.
fn continued(
    bench: &Bench<'_>,
    (file, more): (&str, &[&str]),
    out: &Path,
    expected: &[u8],
) -> Result<Option<String>, String> {
    let mut child = bench.generate(file, more, out).spawn().map_err(|error| error.to_string())?;
    if let Some(bad) = bad_end(waited(&mut child, PATIENCE)) {
        return Ok(Some(bad));
    }
    let found = fs::read(out.join("suite.json")).map_err(|error| error.to_string())?;
    let (found, expected) = (without_folder(&found), without_folder(expected));
    Ok((found != expected).then(|| "other bytes".to_owned()))
}

/// The suite without the name of the folder in its command line.
fn without_folder(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    text.lines()
        .filter(|line| {
            !line.contains("/cut\"")
                && !line.contains("/whole\"")
                && line.trim() != "\"cut\""
                && line.trim() != "\"whole\""
        })
        .collect::<Vec<_>>()
        .join("\n")
}
