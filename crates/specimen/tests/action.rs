//! Adaptive tests of the car alarm, as Python and as C, of a two-phase commit and of elevators, against a right implementation and against wrong ones.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Draws a suite of the car alarm and exports it to a folder.
fn exported(format: &str) -> tempfile::TempDir {
    drawn(&root().join("examples/action/car_alarm.as"), format)
}

/// Draws a suite of a model and exports it to a folder.
fn drawn(model: &Path, format: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let specimen = |arguments: &[&str]| {
        let ran = Command::new(env!("CARGO_BIN_EXE_specimen")).args(arguments).current_dir(folder.path()).output();
        let ran = ran.expect("specimen starts");
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    };
    specimen(&["generate", model.to_str().expect("a path"), "--out", "suite", "--quiet"]);
    specimen(&["export", "suite/suite.json", "--to", format, "--out", "."]);
    folder
}

/// The tests of the model, as the program draws them for an implementation, run as pytest would.
const RETRYING: &str = r#"
import sys, types
pytest = types.ModuleType("pytest")
pytest.mark = types.SimpleNamespace(parametrize=lambda *_, **__: lambda function: function)
class Skipped(Exception): pass
class Broken(Exception): pass
def skip(reason): raise Skipped(reason)
def fail(reason, pytrace): raise Broken(reason)
pytest.skip, pytest.fail = skip, fail
sys.modules["pytest"] = pytest
import importlib
tests = importlib.import_module(sys.argv[1])
counts = {"passed": 0, "failed": 0, "inconclusive": 0}
for name, points in tests.TESTS:
    try:
        tests.test_trace(points)
        verdict = "passed"
    except Skipped:
        verdict = "inconclusive"
    except Broken as reason:
        verdict = "failed"
        print(name, reason)
    counts[verdict] += 1
print(", ".join(f"{count} {verdict}" for verdict, count in counts.items()))
"#;

/// Draws tests of a model for an implementation, and runs them on the right one and on one with each of the faults.
fn faults_found(name: &str, variable: &str, faults: &[&str]) {
    if is_missing("python3") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let model = root().join("examples/action").join(format!("{name}.as"));
    let drawn = Command::new(env!("CARGO_BIN_EXE_specimen"))
        .args(["generate", model.to_str().expect("a path"), "--to", "pytest", "--out", ".", "--quiet"])
        .current_dir(folder.path())
        .output()
        .expect("specimen starts");
    assert!(drawn.status.success(), "{}", String::from_utf8_lossy(&drawn.stderr));
    let adapter = root().join("examples/action/adapters").join(format!("{name}.py"));
    fs::copy(adapter, folder.path().join("adapter.py")).expect("copied");
    fs::write(folder.path().join("driver.py"), RETRYING).expect("written");
    for fault in [""].iter().chain(faults) {
        let ran = Command::new("python3")
            .args(["driver.py", &format!("test_{name}")])
            .env(variable, fault)
            .env("SPECIMEN_TRIES", "50")
            .current_dir(folder.path())
            .output()
            .expect("python3 starts");
        check(fault, &ran, !fault.is_empty());
    }
}

#[test]
fn tests_tell_a_right_two_phase_commit_from_wrong_ones() {
    let faults = ["hasty", "stubborn", "forgetful", "traitor", "careless", "unfair", "lossy"];
    faults_found("two_phase_commit", "TPC_FAULT", &faults);
}

/// Those that take what the model leaves open are not among them: no test tries that.
#[test]
fn tests_tell_a_right_cruise_control_from_wrong_ones() {
    faults_found("cruise_control", "CRUISE_FAULT", &["pedal", "radar", "runaway", "stale", "mute"]);
}

/// The one that skips a level on its way down is not among them: no mistake in the model asks for a way of two levels down.
#[test]
fn tests_tell_a_right_elevator_group_from_wrong_ones() {
    faults_found("elevator_group", "ELEVATOR_FAULT", &["double", "ajar", "blind", "early", "stuck"]);
}

#[allow(clippy::print_stderr)]
fn is_missing(program: &str) -> bool {
    let missing = Command::new(program).arg("--version").output().is_err();
    if missing {
        eprintln!("skipped: {program} is not installed");
    }
    missing
}

/// What a run says, and whether it found a failure.
fn check(name: &str, output: &std::process::Output, faulty: bool) {
    let text = String::from_utf8_lossy(&output.stdout);
    let last = text.lines().last().unwrap_or_default().to_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(last.contains(" passed, "), "{name}: {text}{errors}");
    assert_eq!(last.contains(" 0 failed"), !faulty, "{name}: {text}{errors}");
    assert!(!last.starts_with("0 passed"), "{name}: {last}");
}

/// Runs every test of the module; pytest itself need not be installed.
const DRIVER: &str = r#"
import sys, types
try:
    import pytest
except ImportError:
    pytest = types.ModuleType("pytest")
    pytest.mark = types.SimpleNamespace(parametrize=lambda *_, **__: lambda function: function)
    sys.modules["pytest"] = pytest
import importlib
tests = importlib.import_module(sys.argv[1])
counts = {"passed": 0, "failed": 0, "inconclusive": 0}
for name, points in tests.TESTS:
    adapter = tests.Adapter()
    adapter.reset()
    try:
        tests.run(adapter, points)
        verdict = "passed"
    except tests.Inconclusive as reason:
        verdict = "inconclusive"
    except tests.Failed as reason:
        verdict = "failed"
        print(name, reason)
    counts[verdict] += 1
print(", ".join(f"{count} {verdict}" for verdict, count in counts.items()))
"#;

#[test]
fn python_tests_tell_a_right_car_alarm_from_wrong_ones() {
    if is_missing("python3") {
        return;
    }
    let folder = exported("pytest");
    fs::copy(root().join("examples/action/adapters/car_alarm.py"), folder.path().join("adapter.py")).expect("copied");
    fs::write(folder.path().join("driver.py"), DRIVER).expect("written");
    for fault in ["", "slow", "loud", "doors"] {
        let ran = Command::new("python3")
            .args(["driver.py", "test_car_alarm"])
            .env("CAR_FAULT", fault)
            .current_dir(folder.path())
            .output();
        check(fault, &ran.expect("python3 starts"), !fault.is_empty());
    }
}

#[test]
fn c_tests_tell_a_right_car_alarm_from_wrong_ones() {
    if is_missing("gcc") {
        return;
    }
    let folder = exported("c");
    fs::copy(root().join("examples/action/adapters/car_alarm.c"), folder.path().join("adapter.c")).expect("copied");
    for fault in ["", "-DFAULT_SLOW", "-DFAULT_LOUD", "-DFAULT_DOORS"] {
        let mut compile = Command::new("gcc");
        compile.args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-o", "tests", "car_alarm_adaptive.c", "adapter.c"]);
        compile.args((!fault.is_empty()).then_some(fault)).current_dir(folder.path());
        let compiled = compile.output().expect("gcc starts");
        assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
        let ran = Command::new(folder.path().join("tests")).output().expect("the tests start");
        check(fault, &ran, !fault.is_empty());
        assert_eq!(ran.status.success(), fault.is_empty());
    }
}

/// Whether a step inside happened first decides whether the model takes `go`; so a system that refuses it shows nothing.
const MAY_REFUSE: &str = "type S = 0..3; var x: S = 0; input go; internal tick;
action tick when x = 0 { x := 1 }
action go when x = 0 { x := 2 }
action done when x = 2 { x := 3 }
do tick [] go [] done od
";

/// A system that has always ticked before anyone gives it anything.
const TICKED: &str = r#"
class Adapter:
    def reset(self):
        pass

    def give(self, label):
        return False

    def watch(self, seconds):
        return None

    def state(self):
        return None
"#;

const TICKED_C: &str = r#"
#include "specimen_adapter.h"
void specimen_reset(void) {}
int specimen_give(const char *label) { (void)label; return 0; }
const char *specimen_watch(int wait) { (void)wait; return 0; }
int specimen_state(char *text, unsigned size) { (void)text; (void)size; return 0; }
"#;

#[test]
fn a_refusal_that_the_model_allows_is_inconclusive() {
    let source = tempfile::tempdir().expect("a folder");
    let model = source.path().join("may_refuse.as");
    fs::write(&model, MAY_REFUSE).expect("written");
    let inconclusive = |name: &str, ran: &std::process::Output| {
        let text = String::from_utf8_lossy(&ran.stdout);
        let last = text.lines().last().unwrap_or_default();
        assert!(last.contains(" 0 failed") && !last.contains(" 0 inconclusive"), "{name}: {text}");
    };
    if !is_missing("python3") {
        let folder = drawn(&model, "pytest");
        fs::write(folder.path().join("adapter.py"), TICKED).expect("written");
        fs::write(folder.path().join("driver.py"), DRIVER).expect("written");
        let ran = Command::new("python3").args(["driver.py", "test_may_refuse"]).current_dir(folder.path()).output();
        inconclusive("python", &ran.expect("python3 starts"));
    }
    if !is_missing("gcc") {
        let folder = drawn(&model, "c");
        fs::write(folder.path().join("adapter.c"), TICKED_C).expect("written");
        let mut compile = Command::new("gcc");
        compile.args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-o", "tests", "may_refuse_adaptive.c", "adapter.c"]);
        let compiled = compile.current_dir(folder.path()).output().expect("gcc starts");
        assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
        inconclusive("c", &Command::new(folder.path().join("tests")).output().expect("the tests start"));
    }
}
