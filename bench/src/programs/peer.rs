//! CBMC as a peer.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use super::processor_time;

/// What CBMC did.
pub(crate) enum Peer {
    /// It is not installed.
    Absent,
    /// It came to no end in time, or failed.
    GaveUp,
    /// It covered so many of its goals.
    Done { goals: usize, covered: usize, tests: usize, time: Duration },
}

/// `cbmc --cover` on a program, for so many seconds of processor time. As in our own runs, memory is there when it is asked for.
pub(crate) fn cover(file: &Path, criterion: &str, unwind: u32, limit: u64) -> Peer {
    let program = std::env::var("CBMC").unwrap_or_else(|_| "cbmc".into());
    let before = processor_time();
    if Command::new(&program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_err() {
        return Peer::Absent;
    }
    let ended = Command::new("sh")
        .args(["-c", "ulimit -t \"$1\"; shift; exec \"$@\"", "sh", &limit.to_string(), &program])
        .args(["--cover", criterion, "--unwind", &unwind.to_string(), "--no-malloc-may-fail", "--show-test-suite"])
        .arg(file)
        .stderr(Stdio::null())
        .output();
    let time = processor_time() - before;
    let Ok(output) = ended else { return Peer::GaveUp };
    let text = String::from_utf8_lossy(&output.stdout);
    let covered = text.lines().filter(|line| line.ends_with(": SATISFIED")).count();
    let failed = text.lines().filter(|line| line.ends_with(": FAILED")).count();
    if covered + failed == 0 {
        return Peer::GaveUp;
    }
    // A test is a line behind the heading, empty where its inputs are results of functions only.
    let suite = text.split("Test suite:").nth(1).unwrap_or("");
    let tests = suite.lines().count().saturating_sub(1);
    Peer::Done { goals: covered + failed, covered, tests, time }
}
