//! What a process started is ended with it, and with us.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use process::{Ending, Group};

const PATIENCE: Duration = Duration::from_secs(20);

/// A shell that leaves a process in the background, writes its number into a file and goes on with something else.
fn shell(file: &Path, then: &str) -> Command {
    let mut command = Command::new("sh");
    command.arg("-c").arg(format!("sleep 600 & echo $! > \"$1\"; {then}")).arg("sh").arg(file);
    command.stdin(Stdio::null()).stdout(Stdio::null());
    command
}

fn number(file: &Path) -> String {
    let end = Instant::now() + PATIENCE;
    loop {
        match fs::read_to_string(file) {
            Ok(text) if text.ends_with('\n') => return text.trim().to_owned(),
            _ if end < Instant::now() => panic!("the shell has not begun"),
            _ => std::thread::sleep(Duration::from_millis(5)),
        }
    }
}

/// Whether a process ends before our patience does. What nobody has waited for is dead all the same.
fn ends(number: &str) -> bool {
    let end = Instant::now() + PATIENCE;
    let runs = || fs::read_to_string(format!("/proc/{number}/stat")).is_ok_and(|stat| !stat.contains(") Z "));
    while runs() && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(5));
    }
    !runs()
}

#[test]
fn a_dropped_group_takes_its_background_along() {
    let folder = tempfile::tempdir().expect("a folder");
    for then in ["wait", "exit 0"] {
        let file = folder.path().join(format!("{then}.pid"));
        let group = Group::spawn(&mut shell(&file, then)).expect("there is a shell");
        let background = number(&file);
        drop(group);
        assert!(ends(&background), "`{then}`");
    }
}

#[test]
fn the_end_the_clock_and_interrupts_are_told_apart() {
    let start = |script: &str| Group::spawn(Command::new("sh").args(["-c", script])).expect("there is a shell");
    let Ending::Exited(status) = start("exit 3").finish(PATIENCE, || false) else { panic!("it ends") };
    assert_eq!(status.code(), Some(3));
    assert_eq!(start("sleep 600").finish(Duration::from_millis(50), || false), Ending::Late);
    assert_eq!(start("sleep 600").finish(PATIENCE, || true), Ending::Interrupted);
}

/// Plays the program that is killed: starts a group and waits. The test below runs this test in a process of its own.
#[test]
fn somebody_who_is_killed() {
    let Some(file) = std::env::var_os("PROCESS_TEST_FILE") else { return };
    let _first = Group::spawn(Command::new("true").stdout(Stdio::null())).expect("there is a program");
    let ended = Group::spawn(&mut Command::new("true")).expect("there is a program");
    drop(ended);
    let _group = Group::spawn(&mut shell(Path::new(&file), "wait")).expect("there is a shell");
    std::thread::sleep(Duration::from_secs(600));
}

#[test]
fn a_killed_program_leaves_nothing_behind() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("background.pid");
    let mut killed = Command::new(std::env::current_exe().expect("the test has a file"))
        .args(["somebody_who_is_killed", "--exact"])
        .env("PROCESS_TEST_FILE", &file)
        .stdout(Stdio::null())
        .spawn()
        .expect("the test starts");
    let background = number(&file);
    killed.kill().expect("it can be killed");
    killed.wait().expect("it ends");
    assert!(ends(&background));
}
