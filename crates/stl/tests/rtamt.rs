//! Agreement with RTAMT, another monitor, where its semantics over samples and ours over dense time coincide. Its answers are saved in
//! `corpus/stl/rtamt`; where RTAMT is installed (`RTAMT_PYTHON` names the Python that has it) it is asked again.
#![allow(clippy::print_stderr, reason = "a test that is skipped says so")]

use std::path::{Path, PathBuf};
use std::process::Command;

use source::Source;
use stl::interp::holds;
use stl::load;
use stl::robust::robustness;
use stl::table::read_table;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/stl/rtamt")
}

fn text(name: &str) -> String {
    std::fs::read_to_string(folder().join(name)).expect("a file of the corpus")
}

/// The lines of a file: our formula, RTAMT's, its robustness at time zero.
fn saved(name: &str) -> Vec<(String, String, f64)> {
    let text = text(name);
    let line = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let [ours, theirs, value] = fields[..] else { panic!("three fields: {line}") };
        (ours.to_owned(), theirs.to_owned(), value.parse().expect("a number"))
    };
    text.lines().filter(|line| !line.starts_with('#')).map(line).collect()
}

#[test]
fn verdicts_on_steps_are_the_saved_ones() {
    let cases = saved("steps.txt");
    for (ours, _, value) in &cases {
        let (spec, _) = load(&Source::new("case.stl", ours.as_str())).expect("well formed");
        let table = Source::new("steps.csv", text("steps.csv"));
        let trace = read_table(&table, &spec).expect("a table");
        assert_eq!(holds(&spec.store, &trace, spec.formula), 0.0 < *value, "{ours}");
    }
    assert_eq!(cases.len(), 40);
}

#[test]
fn robustness_on_lines_is_the_saved_one() {
    let cases = saved("lines.txt");
    for (ours, _, value) in &cases {
        let (spec, _) = load(&Source::new("case.stl", ours.as_str())).expect("well formed");
        let table = Source::new("lines.csv", text("lines.csv"));
        let trace = read_table(&table, &spec).expect("a table");
        assert_eq!(
            robustness(&spec.store, &trace, spec.formula, holds(&spec.store, &trace, spec.formula)),
            *value,
            "{ours}"
        );
        if *value != 0.0 {
            assert_eq!(holds(&spec.store, &trace, spec.formula), 0.0 < *value, "{ours}");
        }
    }
    assert_eq!(cases.len(), 40);
}

/// Reads a table and formulas, prints RTAMT's robustness at time zero for each.
const ASK: &str = r#"
import csv, logging, sys
import rtamt
logging.disable(logging.CRITICAL)
with open(sys.argv[1]) as table:
    rows = list(csv.DictReader(table))
number = lambda word: {"true": 1.0, "false": -1.0}.get(word) or float(word)
data = {name: [number(row[name]) for row in rows] for name in rows[0] if name != "time"}
for formula in sys.stdin.read().splitlines():
    spec = rtamt.StlDiscreteTimeOfflineSpecification()
    for name in data:
        spec.declare_var(name, "float")
    spec.declare_var("out", "float")
    spec.spec = "out = " + formula
    spec.parse()
    print(spec.evaluate({"time": list(range(len(rows))), **data})[0][1])
"#;

#[test]
fn an_installed_rtamt_still_says_so() {
    let python = std::env::var("RTAMT_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let has = Command::new(&python).args(["-c", "import rtamt"]).output().is_ok_and(|run| run.status.success());
    if !has {
        eprintln!("skipped: {python} has no RTAMT");
        return;
    }
    for name in ["steps", "lines"] {
        let cases = saved(&format!("{name}.txt"));
        let asked = tempfile_of(&cases.iter().map(|case| case.1.as_str()).collect::<Vec<_>>().join("\n"));
        let run = Command::new(&python)
            .args(["-c", ASK])
            .arg(folder().join(format!("{name}.csv")))
            .stdin(asked)
            .output()
            .expect("Python starts");
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        let said: Vec<f64> =
            String::from_utf8_lossy(&run.stdout).lines().map(|line| line.parse().expect("a number")).collect();
        assert_eq!(said, cases.iter().map(|case| case.2).collect::<Vec<_>>(), "{name}");
    }
}

/// A file to be read from, with a text.
fn tempfile_of(text: &str) -> std::fs::File {
    use std::io::{Seek, Write};
    let mut file = tempfile::tempfile().expect("a file");
    file.write_all(text.as_bytes()).expect("written");
    file.rewind().expect("at its start");
    file
}
