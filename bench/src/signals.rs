//! STL: the monitor on long signals, and a complete suite for the largest requirement of the literature.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use source::Source;
use stl::Spec;
use stl::goals::{Criterion, GoalOptions};
use stl::interp::holds;
use stl::robust::{Doubles, curve};
use stl::signal::{SignalValue, Trace};
use stl::stream::{Monitor, Value};
use stl::table::write_table;
use testgen::stl::StlSubject;
use testgen::{Backend, Options, Session, SolverChoice};
use value::RBig;

use crate::table::{Table, ratio, seconds, timed};

/// The samples of a signal.
const SAMPLES: usize = 20_000;
/// The samples of a long one.
const STREAM: usize = 10_000_000;

/// Formulas whose windows differ tenfold: the time must not. Each as we and as RTAMT write it.
const FORMULAS: &[(&str, &str)] = &[
    ("G[0,1000](x > 0 -> F[0,100] y > 0)", "always[0:1000]((x > 0) implies eventually[0:100] (y > 0))"),
    ("G[0,10000](x > 0 -> F[0,1000] y > 0)", "always[0:10000]((x > 0) implies eventually[0:1000] (y > 0))"),
    ("(x > -100) U[100,10000] (y > 3)", "(x > -100) until[100:10000] (y > 3)"),
    ("G[0,10000]((x > -100) U[0,1000] (y > 0))", "always[0:10000]((x > -100) until[0:1000] (y > 0))"),
];

/// RTAMT is stopped after this time.
const PATIENCE: Duration = Duration::from_secs(60);
/// The back ends of RTAMT. The C++ one is not part of what PyPI installs.
const BACK_ENDS: &[&str] = &["discrete", "dense", "cpp"];

pub(crate) fn measure() -> Vec<Table> {
    vec![monitor(), streams(), suites()]
}

/// Monitors with RTAMT beside them, where it is installed: `RTAMT_PYTHON` names the Python that has it.
fn monitor() -> Table {
    let columns = ["exact", "robust", "RTAMT discrete", "ratio", "RTAMT dense", "ratio", "RTAMT C++", "ratio"];
    let mut table = Table::new("Monitoring 20,000 samples: microseconds per sample", &columns);
    for (text, theirs) in FORMULAS {
        eprintln!("{text}");
        let spec = load(text);
        let trace = walk(spec.signals.len());
        let doubles = Doubles::new(&trace);
        let (_, exact) = timed(|| std::hint::black_box(holds(&spec.store, &trace, spec.formula)));
        let (value, robust) = timed(|| std::hint::black_box(curve(&spec.store, &doubles, spec.formula).start()));
        let each = |time: Duration| format!("{:.3}", time.as_secs_f64() * 1e6 / SAMPLES as f64);
        let mut cells = vec![each(exact), each(robust)];
        for back_end in BACK_ENDS {
            cells.extend(match rtamt(back_end, theirs, &write_table(&spec, &trace)) {
                Rtamt::Absent => ["absent".to_owned(), "-".to_owned()],
                Rtamt::Stopped => [format!("> {}", each(PATIENCE)), format!("> {}", ratio(PATIENCE, robust))],
                Rtamt::Done(time, other) => {
                    assert!((value - other).abs() < 1e-6, "{text}: {value} and RTAMT's {other}");
                    [each(time), ratio(time, robust)]
                }
            });
        }
        table.row(*text, cells);
    }
    table
}

/// A signal as long as anybody's patience, judged line by line in memory that does not grow with it.
fn streams() -> Table {
    let columns = ["samples", "verdict", "seconds", "microseconds each", "most samples remembered"];
    let mut table = Table::new("Ten million samples, judged as they come in", &columns);
    for text in ["G(x > 19 -> F[0,1000] x < 15)", "G(x > -100)", "(x > -100) U[0,inf] (x > 100)"] {
        eprintln!("{text}");
        let spec = load(text);
        let mut monitor = Monitor::new(&spec).expect("nothing is nested");
        let mut walker = Walker { state: 1, value: 0 };
        let mut most = 0;
        let (report, time) = timed(|| {
            for sample in 0..STREAM {
                monitor.sample(RBig::from(sample), vec![Value::Real(RBig::from(walker.step()))]);
                most = most.max(monitor.remembered());
            }
            monitor.finish().expect("there are samples")
        });
        let each = format!("{:.3}", time.as_secs_f64() * 1e6 / STREAM as f64);
        table.row(
            text,
            vec![report.samples.to_string(), report.holds.to_string(), seconds(time), each, most.to_string()],
        );
    }
    table
}

enum Rtamt {
    Absent,
    Stopped,
    Done(Duration, f64),
}

fn rtamt(back_end: &str, formula: &str, table: &str) -> Rtamt {
    let python = std::env::var("RTAMT_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("peers/rtamt_monitor.py");
    let path = std::env::temp_dir().join(format!("specimen-bench-signals-{}.csv", std::process::id()));
    std::fs::write(&path, table).expect("a file for samples");
    let begin = Instant::now();
    let child = Command::new(python)
        .arg(script)
        .args([back_end, formula])
        .arg(&path)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut child) = child else { return Rtamt::Absent };
    // What it prints is a line: no pipe fills up.
    let ended = loop {
        match child.try_wait().expect("the peer is ours") {
            Some(_) => break true,
            None if PATIENCE < begin.elapsed() => break false,
            None => std::thread::sleep(Duration::from_millis(20)),
        }
    };
    if !ended {
        child.kill().expect("the peer can be stopped");
    }
    let output = child.wait_with_output().expect("the peer ends");
    std::fs::remove_file(&path).expect("our own file");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let numbers: Vec<f64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    match numbers.as_slice() {
        _ if !ended => Rtamt::Stopped,
        [time, value] => Rtamt::Done(Duration::from_secs_f64(*time), *value),
        _ => Rtamt::Absent,
    }
}

fn suites() -> Table {
    let mut table = Table::new("Complete suites against all mutants", &["mutants", "tests", "seconds"]);
    for number in 1..=6 {
        let name = format!("requirement{number}.stl");
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/stl").join(&name);
        let text = std::fs::read_to_string(path).expect("the example is there");
        let source = Source::new(name.as_str(), text);
        let (spec, _) = stl::load(&source).expect("the example is well formed");
        let options = Options { solver: SolverChoice::BuiltIn, ..Options::default() };
        let ((goals, tests), time) = timed(|| {
            let subject =
                StlSubject::new(&source, &spec, Criterion::Mutation, &GoalOptions::default()).expect("bounded");
            let backend = Backend::new(&options);
            let mut session = Session::new(&subject, &backend, options.clone()).expect("built in");
            while session.pull().expect("no disagreement").is_some() {}
            let outcome = session.finish().expect("no disagreement");
            (outcome.statuses.len(), outcome.tests.len())
        });
        table.row(name, vec![goals.to_string(), tests.to_string(), seconds(time)]);
    }
    table
}

fn load(text: &str) -> Spec {
    stl::load(&Source::new("bench.stl", text)).expect("the formula is well formed").0
}

/// Signals that wander, the same in every run.
fn walk(count: usize) -> Trace {
    let mut state = 1;
    let mut signal = || {
        let mut walker = Walker { state, value: 0 };
        let points = (0..SAMPLES).map(|time| (RBig::from(time), RBig::from(walker.step()))).collect();
        state = walker.state;
        SignalValue::Real(points)
    };
    Trace { signals: (0..count).map(|_| signal()).collect(), end: RBig::from(SAMPLES - 1) }
}

struct Walker {
    state: u64,
    value: i64,
}

impl Walker {
    fn step(&mut self) -> i64 {
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.value = (self.value + (self.state >> 33) as i64 % 5 - 2).clamp(-20, 20);
        self.value
    }
}
