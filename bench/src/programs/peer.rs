//! CBMC as a peer.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

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

/// `cbmc --cover` on a program.
pub(crate) fn cover(file: &Path, criterion: &str, unwind: u32, limit: u64) -> Peer {
    let program = std::env::var("CBMC").unwrap_or_else(|_| "cbmc".into());
    let before = processor_time();
    let started = Command::new(program)
        .args(["--cover", criterion, "--unwind", &unwind.to_string(), "--show-test-suite"])
        .arg(file)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut child) = started else { return Peer::Absent };
    let mut output = child.stdout.take().expect("the output is piped");
    let reader = std::thread::spawn(move || {
        let mut text = String::new();
        std::io::Read::read_to_string(&mut output, &mut text).map(|_| text)
    });
    let start = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(_)) => break,
            Ok(None) if start.elapsed() < Duration::from_secs(limit) => std::thread::sleep(Duration::from_millis(10)),
            Ok(None) | Err(_) => {
                let _ = child.kill();
                let _ = child.wait();
                return Peer::GaveUp;
            }
        }
    }
    let time = processor_time() - before;
    let Ok(Ok(text)) = reader.join() else { return Peer::GaveUp };
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
