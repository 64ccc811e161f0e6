//! What suites are worth: faults that `specimen assess` plants, and how many of them the tests find that are drawn by default.
//!
//! Each row is two commands as a user types them. The faults are made from texts by operators that no criterion has; beside the suite stand as many
//! random runs as it has tests.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use random::SplitMix;
use serde_json::Value as Json;

use crate::table::Table;

/// Examples with the options that a user needs.
const RUNS: &[(&str, &[&str])] = &[
    ("boolean/policy.bool", &[]),
    ("boolean/tcas2.bool", &[]),
    ("first-steps/guard/refund.bool", &[]),
    ("tessla/counter.tessla", &[]),
    ("tessla/traffic.tessla", &[]),
    ("tessla/margin.tessla", &[]),
    ("first-steps/pump/pump.tessla", &[]),
    ("stl/requirement1.stl", &[]),
    ("stl/requirement2.stl", &[]),
    ("stl/requirement3.stl", &[]),
    ("stl/requirement4.stl", &[]),
    ("stl/requirement5.stl", &[]),
    ("stl/requirement6.stl", &[]),
    ("stl/cooling.stl", &[]),
    ("action/lift.as", &[]),
    ("action/car_alarm.as", &[]),
    ("action/car_alarm.as", &["--criterion", "ioco", "--operators", "all"]),
    ("first-steps/login/login.as", &["--criterion", "ioco"]),
    ("c/triangle.c", &["--function", "triangle"]),
    ("c/triangle.c", &["--function", "triangle", "--criterion", "mcdc"]),
    ("c/ranking.c", &[]),
    ("c/turnstile.c", &[]),
    ("c/calculator.c", &[]),
    ("first-steps/unit/level.c", &[]),
];

/// Random guards, as one row.
const GUARDS: usize = 40;

/// The seed of the guards.
const SEED: u64 = 2026;

/// Random runs against a fault that no test finds.
const ATTACKS: &str = "1000";

/// What was counted.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    tests: u64,
    faults: u64,
    found: u64,
    missed: u64,
    unseen: u64,
    by_chance: u64,
}

pub(crate) fn measure() -> Vec<Table> {
    let program =
        std::env::current_exe().ok().map(|path| path.with_file_name("specimen")).filter(|path| path.is_file());
    let Some(program) = program else {
        eprintln!("strength: build the program first");
        return Vec::new();
    };
    let columns = ["tests", "faults", "found", "missed", "not seen", "found of known", "as many random runs"];
    let mut table = Table::new("Strength: faults found by suites", &columns);
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let mut all = Counts::default();
    for (file, options) in RUNS {
        let name = std::iter::once(file).chain(options.iter()).copied().collect::<Vec<_>>().join(" ");
        match counts(&program, &examples.join(file), options) {
            Some(counts) => row(&mut table, &mut all, &name, counts),
            None => table.row(name, vec!["-".to_owned(); columns.len()]),
        }
    }
    for values in ["border", "small"] {
        let mut sum = Counts::default();
        for text in guards() {
            let Ok(folder) = tempfile::tempdir() else { continue };
            let file = folder.path().join("guard.bool");
            if std::fs::write(&file, text).is_ok() {
                add(&mut sum, counts(&program, &file, &["--values", values]).unwrap_or_default());
            }
        }
        row(&mut table, &mut all, &format!("{GUARDS} random guards, seed {SEED}, --values {values}"), sum);
    }
    row(&mut table, &mut Counts::default(), "all", all);
    vec![table]
}

fn row(table: &mut Table, all: &mut Counts, name: &str, counts: Counts) {
    let percent = |part: u64| match counts.found + counts.missed {
        0 => "-".to_owned(),
        known => format!("{:.0} %", 100.0 * part as f64 / known as f64),
    };
    eprintln!("{name}: {} of {}", counts.found, counts.faults);
    let numbers = [counts.tests, counts.faults, counts.found, counts.missed, counts.unseen];
    let cells = numbers.iter().map(u64::to_string).chain([percent(counts.found), percent(counts.by_chance)]);
    table.row(name, cells.collect());
    add(all, counts);
}

fn add(all: &mut Counts, more: Counts) {
    all.tests += more.tests;
    all.faults += more.faults;
    all.found += more.found;
    all.missed += more.missed;
    all.unseen += more.unseen;
    all.by_chance += more.by_chance;
}

/// Draws a suite and assesses it.
fn counts(program: &PathBuf, file: &Path, options: &[&str]) -> Option<Counts> {
    let folder = tempfile::tempdir().ok()?;
    let out = folder.path().join("suite");
    let mut generate = Command::new(program);
    generate.arg("generate").arg(file).args(options).arg("--out").arg(&out).args(["--timeout", "60"]);
    generate.stdout(Stdio::null()).stderr(Stdio::null()).status().ok()?;
    let mut assess = Command::new(program);
    assess.arg("assess").arg(out.join("suite.json")).args(["--format", "json", "--runs", ATTACKS]);
    let said: Json = serde_json::from_slice(&assess.stderr(Stdio::null()).output().ok()?.stdout).ok()?;
    let suite: Json = serde_json::from_str(&std::fs::read_to_string(out.join("suite.json")).ok()?).ok()?;
    let number = |name: &str| said["summary"][name].as_u64().unwrap_or(0);
    Some(Counts {
        tests: suite["summary"]["tests"].as_u64().unwrap_or(0),
        faults: number("faults"),
        found: number("found"),
        missed: number("missed"),
        unseen: number("unseen"),
        by_chance: number("by_as_many_random_runs"),
    })
}

/// Guards as people write them: three to six conditions, most of them comparisons of bounded integers with constants or with each other.
fn guards() -> Vec<String> {
    let mut random = SplitMix::new(SEED);
    (0..GUARDS).map(|_| guard(&mut random)).collect()
}

fn guard(random: &mut SplitMix) -> String {
    let mut text = String::from("input a, b, c: int in 0..100;\ninput p, q: bool;\ndecision d = ");
    let conditions = 3 + random.below(4);
    for at in 0..conditions {
        if 0 < at {
            text.push_str(if random.below(2) == 0 { " && " } else { " || " });
        }
        let name = ["a", "b", "c"][random.below(3) as usize];
        let relation = ["<", "<=", ">", ">=", "=="][random.below(5) as usize];
        let condition = match random.below(6) {
            0 => "p".to_owned(),
            1 => "!q".to_owned(),
            2 => format!("{name} {relation} {} + {}", ["a", "b", "c"][random.below(3) as usize], random.below(10)),
            _ => format!("{name} {relation} {}", random.below(100)),
        };
        let open = at + 1 < conditions && random.below(3) == 0;
        text.push_str(&if open { format!("({condition} || {name} > {})", random.below(100)) } else { condition });
    }
    text.push_str(";\n");
    text
}
