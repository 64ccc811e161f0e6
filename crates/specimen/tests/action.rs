//! Adaptive tests of the car alarm, as Python and as C, against a right implementation and against wrong ones.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Draws a suite of the car alarm and exports it to a folder.
fn exported(format: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let specimen = |arguments: &[&str]| {
        let ran = Command::new(env!("CARGO_BIN_EXE_specimen")).args(arguments).current_dir(folder.path()).output();
        let ran = ran.expect("specimen starts");
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    };
    let model = root().join("examples/action/car_alarm.as");
    specimen(&["generate", model.to_str().expect("a path"), "--out", "suite", "--quiet"]);
    specimen(&["export", "suite/suite.json", "--to", format, "--out", "."]);
    folder
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
import test_car_alarm as tests
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
        let ran = Command::new("python3").arg("driver.py").env("CAR_FAULT", fault).current_dir(folder.path()).output();
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
