//! The program beside an earlier build of itself, on the examples and as people run them: processor time, tests and covered goals.
//!
//! `SPECIMEN_BEFORE=PROGRAM cargo xtask bench versions`. Both run in turn, three times each, and the least time counts: a
//! machine that does other work slows both down.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::table::{Table, busy, seconds};

/// How often each of the two runs.
const ROUNDS: usize = 3;

/// Runs below this are repeated.
const LONG: Duration = Duration::from_millis(300);

/// How often they are.
const REPEATED: u32 = 20;

/// After how many seconds a run is ended.
const LIMIT: &str = "60";

/// Examples and options that both versions know.
const RUNS: &[(&str, &[&str])] = &[
    ("boolean/policy.bool", &[]),
    ("boolean/firewall.bool", &[]),
    ("boolean/firewall.bool", &["--criterion", "unique-cause-mcdc"]),
    ("boolean/tcas2.bool", &[]),
    ("boolean/wide76.bool", &[]),
    ("tessla/counter.tessla", &[]),
    ("tessla/traffic.tessla", &[]),
    ("tessla/decoder.tessla", &[]),
    ("tessla/quadratic.tessla", &[]),
    ("stl/requirement3.stl", &[]),
    ("stl/requirement5.stl", &[]),
    ("stl/requirement6.stl", &[]),
    ("stl/autobahn.stl", &[]),
    ("action/car_alarm.as", &[]),
    ("action/car_alarm.as", &["--criterion", "ioco", "--operators", "all"]),
    ("action/car_alarm_1000.pl", &[]),
    ("action/ring_6.as", &[]),
    ("ltl/arbiter.ltl", &["--criterion", "stuck-at"]),
    ("ltl/traffic-light.ltl", &["--criterion", "stuck-at"]),
    ("ltl/fdir.ltl", &["--criterion", "stuck-at"]),
    ("c/triangle.c", &["--criterion", "mcdc", "--function", "triangle"]),
    ("c/bubble.c", &["--criterion", "branch"]),
    ("c/list2.c", &["--criterion", "branch"]),
    ("c/queue.c", &["--criterion", "branch", "--function", "client"]),
    ("c/ranking.c", &["--criterion", "mcdc"]),
];

pub(crate) fn measure() -> Vec<Table> {
    let now = std::env::current_exe().ok().map(|path| path.with_file_name("specimen")).filter(|path| path.is_file());
    let before = std::env::var_os("SPECIMEN_BEFORE").map(PathBuf::from).filter(|path| path.is_file());
    let (Some(now), Some(before)) = (now, before) else {
        eprintln!("versions: build the program first, and name an earlier build of it in SPECIMEN_BEFORE");
        return Vec::new();
    };
    let columns = ["before", "now", "now of before", "goals before", "goals now", "tests before", "tests now"];
    let mut table = Table::new("Whole runs beside an earlier version: seconds of processor time", &columns);
    let mut ratios = Vec::new();
    for (file, options) in RUNS {
        let [old, new] = compare([&before, &now], file, options);
        let part = new.time.as_secs_f64() / old.time.as_secs_f64().max(0.001);
        ratios.push(part);
        let name = [&[*file], *options].concat().join(" ");
        eprintln!("{name}: {} → {}", seconds(old.time), seconds(new.time));
        let part = format!("{:.0} %", 100.0 * part);
        table.row(
            name,
            vec![seconds(old.time), seconds(new.time), part, old.covered, new.covered, old.tests, new.tests],
        );
    }
    let mean = (ratios.iter().map(|part| part.ln()).sum::<f64>() / ratios.len() as f64).exp();
    let blank = || vec![String::new(); 2];
    table.row("geometric mean", [blank(), vec![format!("{:.0} %", 100.0 * mean)], blank(), blank()].concat());
    vec![table]
}

/// The least time of a program on one input, and what came of it.
struct Run {
    time: Duration,
    covered: String,
    tests: String,
}

fn compare(programs: [&PathBuf; 2], file: &str, options: &[&str]) -> [Run; 2] {
    let none = || Run { time: Duration::MAX, covered: "-".into(), tests: "-".into() };
    let mut runs = [none(), none()];
    for _ in 0..ROUNDS {
        for (program, least) in programs.iter().zip(&mut runs) {
            let run = run(program, file, options);
            if run.time < least.time {
                *least = run;
            }
        }
    }
    runs
}

fn run(program: &Path, file: &str, options: &[&str]) -> Run {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples").join(file);
    let mut command = Command::new(program);
    command.arg("generate").arg(path).args(options).args(["--format", "json", "--timeout", LIMIT]);
    command.stderr(Stdio::null());
    let (mut output, mut time) = busy(|| command.output().ok());
    // Processor time is counted in ticks: short runs are repeated until there are enough of them.
    if time < LONG {
        let again = |_| command.output().ok();
        let (last, all) = busy(|| (0..REPEATED).filter_map(again).last());
        (output, time) = (last, all / REPEATED);
    }
    let suite = output.and_then(|output| serde_json::from_slice::<serde_json::Value>(&output.stdout).ok());
    let count = |of: &str| {
        let counted = suite.as_ref().and_then(|suite| suite["summary"][of].as_u64());
        counted.map_or_else(|| "-".to_owned(), |counted| counted.to_string())
    };
    let covered = format!("{} of {}", count("covered"), count("goals"));
    Run { time, covered, tests: count("tests") }
}
