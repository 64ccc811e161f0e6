//! Referees for suites of signals: the exported Python program judges every test anew, with RTAMT where that is installed, and a reader
//! of waveforms finds in the VCD files what the suite says.
#![allow(clippy::print_stderr, reason = "a test that is skipped says so")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value as Json;

fn specimen(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_specimen")).args(arguments).output().expect("the program starts")
}

fn drawn(folder: &Path, formula: &str) -> PathBuf {
    let file = folder.join("formula.stl");
    std::fs::write(&file, formula).expect("written");
    let out = folder.join("out");
    let (file, place) = (file.display().to_string(), out.display().to_string());
    let generated = specimen(&["generate", &file, "--out", &place]);
    assert_eq!(generated.status.code(), Some(0), "{formula}: {}", String::from_utf8_lossy(&generated.stderr));
    out.join("suite.json")
}

fn exported(folder: &Path, suite: &Path, format: &str) -> PathBuf {
    let out = folder.join(format);
    let source = folder.join("formula.stl").display().to_string();
    let (suite, place) = (suite.display().to_string(), out.display().to_string());
    let done = specimen(&["export", &suite, "--to", format, "--out", &place, "--source", &source]);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    out
}

/// Formulas with every operator, real and Boolean signals, fractions in windows.
const FORMULAS: &[&str] = &[
    "F[1,3] velocity > 5",
    "(F[0,40] v > 100) -> (G[0,30] w > 3000)",
    "(a U[0,1] b) & F[1,2](x > 3)",
    "!(a R[0.5,1] (x <= 2)) | N[1.5] !b",
    "G[0,4](gear4 -> N[1]((w < 4000) U[0,2] ((v >= 100) & (v <= 110))))",
];

#[test]
fn the_python_program_judges_every_test_as_we_do() {
    let python = std::env::var("RTAMT_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let has = |code: &str| Command::new(&python).args(["-c", code]).output().is_ok_and(|run| run.status.success());
    if !has("") {
        assert!(std::env::var_os("SPECIMEN_REQUIRE_TOOLS").is_none(), "Python is required");
        eprintln!("skipped: {python} is not installed");
        return;
    }
    let rtamt = has("import rtamt");
    if !rtamt {
        eprintln!("RTAMT is not installed: the program's own evaluator judges alone");
    }
    for formula in FORMULAS {
        let folder = tempfile::tempdir().expect("a folder");
        let suite = drawn(folder.path(), formula);
        let program = exported(folder.path(), &suite, "python").join("test_formula.py");
        let mut command = Command::new(&python);
        command.arg(&program).args(rtamt.then_some("--rtamt"));
        let run = command.output().expect("Python starts");
        let said = String::from_utf8_lossy(&run.stdout).into_owned();
        let problems = String::from_utf8_lossy(&run.stderr).into_owned();
        assert!(run.status.success() && said.contains(", 0 disagreements"), "{formula}\n{said}{problems}");
        if rtamt && !formula.contains('R') {
            assert!(said.contains("(RTAMT too)"), "{formula}\n{said}");
        }
        // A wrong verdict is found: the check is not a formality.
        let text = std::fs::read_to_string(&program).expect("written");
        let turned = text.replacen("}, True)", "}, False)", 1);
        assert_ne!(text, turned, "{formula}: some test satisfies the formula");
        std::fs::write(&program, turned).expect("written");
        let run = Command::new(&python).arg(&program).output().expect("Python starts");
        assert_eq!(run.status.code(), Some(1), "{formula}");
    }
}

/// The value changes of a waveform: for each name its changes.
fn waveform(text: &str) -> BTreeMap<String, Vec<(u64, f64)>> {
    let (mut names, mut changes) = (BTreeMap::new(), BTreeMap::<String, Vec<(u64, f64)>>::new());
    let (head, body) = text.split_once("$enddefinitions $end\n").expect("a head");
    assert!(head.starts_with("$timescale 1 ms $end\n"));
    for line in head.lines().filter(|line| line.starts_with("$var")) {
        let words: Vec<&str> = line.split(' ').collect();
        assert!(
            matches!(words[..], ["$var", "wire", "1", _, _, "$end"] | ["$var", "real", "64", _, _, "$end"]),
            "{line}"
        );
        names.insert(words[3].to_owned(), words[4].to_owned());
    }
    let mut now = None;
    for line in body.lines() {
        if let Some(time) = line.strip_prefix('#') {
            let time: u64 = time.parse().expect("a time");
            assert!(now.is_none_or(|now| now < time), "times grow");
            now = Some(time);
            continue;
        }
        let (value, code) = match line.strip_prefix('r') {
            Some(rest) => rest.split_once(' ').expect("a value and a name"),
            None => line.split_at(1),
        };
        let name = names.get(code).expect("a name of the head").clone();
        let time = now.expect("a time before the first value");
        changes.entry(name).or_default().push((time, value.parse().expect("a number")));
    }
    changes
}

#[test]
fn waveforms_hold_the_points_of_the_signals() {
    let folder = tempfile::tempdir().expect("a folder");
    let suite = drawn(folder.path(), "(a U[0,1] b) & F[1,2](x > 3)");
    let pictures = exported(folder.path(), &suite, "svg");
    let waves = exported(folder.path(), &suite, "vcd");
    let json: Json = serde_json::from_slice(&std::fs::read(&suite).expect("a suite")).expect("JSON");
    let mut points = 0;
    for test in json["tests"].as_array().expect("tests") {
        let id = test["id"].as_str().expect("a name");
        let wave = waveform(&std::fs::read_to_string(waves.join(format!("{id}.vcd"))).expect("a waveform"));
        for (name, steps) in test["inputs"]["signals"].as_object().expect("signals") {
            for step in steps.as_array().expect("points") {
                let number = |json: &Json| match json {
                    Json::String(text) => text.parse().expect("a decimal"),
                    Json::Bool(truth) => f64::from(u8::from(*truth)),
                    other => other.as_f64().expect("a number"),
                };
                let (time, value) =
                    (number(&step[0]), number(step.as_array().and_then(|step| step.last()).expect("a value")));
                let at = (time * 1000.0).round() as u64;
                assert!(wave[name].contains(&(at, value)), "{id}: {name} is {value} at {time}: {:?}", wave[name]);
                points += 1;
            }
        }
        let picture = std::fs::read_to_string(pictures.join(format!("{id}.svg"))).expect("a picture");
        assert!(picture.starts_with("<svg") && picture.trim_end().ends_with("</svg>") && picture.contains("<polyline"));
    }
    assert!(20 < points, "{points} points are compared");
}
