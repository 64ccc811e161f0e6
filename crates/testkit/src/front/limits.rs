//! Promises about limits: signals, kills, time, load and depth.

use std::fs;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::{Desk, Trial, exits, plain, said, same};

/// How long a run may take to end, in tests: far more than the promise, which a busy machine must not break. `bench joints` measures.
const PATIENCE: Duration = Duration::from_secs(20);

/// Starts the slow search of a row, with its suite in the folder `out`.
fn slow_run(desk: &Desk<'_>, more: &[&str]) -> Result<Child, String> {
    let extension = desk.trial.row.main.rsplit('.').next().unwrap_or_default();
    let file = format!("slow.{extension}");
    fs::write(desk.path(&file), (desk.trial.row.slow.text)()).map_err(|error| error.to_string())?;
    Command::new(desk.trial.program)
        .args(["generate", &file, "--out", "out"])
        .args(desk.trial.row.slow.options)
        .args(more)
        .current_dir(desk.folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| error.to_string())
}

/// Waits for a process that is to end; one that does not is ended.
fn ended(child: &mut Child, patience: Duration) -> Result<ExitStatus, String> {
    let start = Instant::now();
    while start.elapsed() < patience {
        if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
            return Ok(status);
        }
        thread::sleep(Duration::from_millis(10));
    }
    let _ = child.kill();
    let _ = child.wait();
    Err(format!("it has not ended after {} s", patience.as_secs()))
}

/// A run that was asked to end says whether something is open, and leaves a suite that is judged as one.
fn left_a_suite(desk: &Desk<'_>, status: ExitStatus) -> Result<(), String> {
    let suite = desk.read("out/suite.json")?;
    let undecided = ["unknown", "infeasible_up_to"].iter().any(|count| suite["summary"][count] != 0);
    let expected = i32::from(undecided);
    if status.code() != Some(expected) {
        return Err(format!("it ended with {status}, and the suite says {}", suite["summary"]));
    }
    same("the schema", &(desk.trial.schema)(&suite), &Vec::new())?;
    if suite["complete"] != serde_json::Value::Bool(false) {
        return Err("a run that was cut says that it is complete".to_owned());
    }
    let replayed = desk.specimen(&["replay", "out/suite.json"]);
    exits(&replayed, expected)
}

pub(super) fn ends_when_told(trial: &Trial<'_>) -> Result<(), String> {
    let desk = Desk::new(trial);
    let mut child = slow_run(&desk, &[])?;
    thread::sleep(Duration::from_millis(1_500));
    if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
        return Err(format!("the slow specification is not slow: {status}"));
    }
    let signal = Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
    signal.map_err(|error| error.to_string())?;
    let status = ended(&mut child, PATIENCE)?;
    left_a_suite(&desk, status)
}

pub(super) fn ends_in_time(trial: &Trial<'_>) -> Result<(), String> {
    let desk = Desk::new(trial);
    let mut child = slow_run(&desk, &["--timeout", "1"])?;
    let status = ended(&mut child, PATIENCE)?;
    left_a_suite(&desk, status)
}

/// After which times runs are killed: before, while and after they write.
const KILLS: [u64; 4] = [5, 20, 60, 150];

pub(super) fn killed_is_continued(trial: &Trial<'_>) -> Result<(), String> {
    let whole = plain(Desk::new(trial).suite(&[])?);
    for after in KILLS {
        let desk = Desk::new(trial);
        let row = trial.row;
        let mut child = Command::new(trial.program)
            .args(["generate", row.main, "--out", "out"])
            .args(row.options)
            .current_dir(desk.folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| error.to_string())?;
        thread::sleep(Duration::from_millis(after));
        let _ = child.kill();
        let _ = child.wait();
        let continued = desk.suite(&["--out", "out"]).map_err(|error| format!("killed after {after} ms: {error}"))?;
        same(&format!("killed after {after} ms"), &whole, &plain(continued))?;
        let left = fs::read_dir(desk.path("out")).map_err(|error| error.to_string())?;
        let parts = left.flatten().filter(|entry| entry.file_name().to_string_lossy().ends_with(".part"));
        same("half-written files", &parts.count(), &0)?;
    }
    Ok(())
}

pub(super) fn same_bytes_under_load(trial: &Trial<'_>) -> Result<(), String> {
    let desk = Desk::new(trial);
    let calm = desk.suite(&[])?;
    let done = AtomicBool::new(false);
    let busy = || {
        while !done.load(Ordering::Relaxed) {
            std::hint::spin_loop();
        }
    };
    let loaded = thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(busy);
        }
        let loaded = desk.suite(&[]);
        done.store(true, Ordering::Relaxed);
        loaded
    });
    same("suites", &plain(calm), &plain(loaded?))
}

/// Far deeper than any language allows.
const TOO_DEEP: usize = 1_000_000;

pub(super) fn nests_as_documented(trial: &Trial<'_>) -> Result<(), String> {
    let desk = Desk::new(trial);
    let extension = trial.row.main.rsplit('.').next().unwrap_or_default();
    let file = format!("nested.{extension}");
    let check = |depth: usize| {
        fs::write(desk.path(&file), (trial.row.nested)(depth)).expect("written");
        desk.specimen(&["check", &file])
    };
    exits(&check(trial.row.depth - 10), 0).map_err(|error| format!("{} deep: {error}", trial.row.depth))?;
    let output = check(TOO_DEEP);
    let coded = String::from_utf8_lossy(&output.stderr).contains("error[");
    match output.status.code() {
        Some(0) => Ok(()),
        Some(3) if coded => Ok(()),
        _ => Err(format!("{TOO_DEEP} deep: {}", said(&output))),
    }
}
