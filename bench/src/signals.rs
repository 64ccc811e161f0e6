//! STL: the monitor on long signals, and a complete suite for the largest requirement of the literature.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use draw_stl::StlSubject;
use search::{Backend, Options, Outcome, Session, SolverChoice};
use serde_json::{Value as Json, json};
use source::Source;
use stl::goals::{Criterion, GoalOptions, goals};
use stl::interp::holds;
use stl::robust::robustness;
use stl::signal::{SignalValue, Trace};
use stl::store::{Formula, Node, Window};
use stl::stream::{Monitor, Value};
use stl::table::write_table;
use stl::{Spec, horizon, write_number};
use value::RBig;

use crate::table::{Table, busy, ratio, seconds};

/// The samples of a signal.
const SAMPLES: usize = 20_000;
/// How often a short signal is judged, for the clock's sake.
const REPEATS: u32 = 200;
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
/// The back ends of RTAMT. The C++ one is in the source distribution of PyPI alone, and is built with CMake and Boost.
const BACK_ENDS: &[&str] = &["discrete", "dense", "cpp"];

pub(crate) fn measure() -> Vec<Table> {
    vec![monitor(), streams(), suites(), survey()]
}

/// Monitors with RTAMT beside them, where it is installed: `RTAMT_PYTHON` names the Python that has it.
fn monitor() -> Table {
    let columns = ["exact", "robust", "RTAMT discrete", "ratio", "RTAMT dense", "ratio", "RTAMT C++", "ratio"];
    let mut table = Table::new("Monitoring 20,000 samples: microseconds of processor time per sample", &columns);
    for (text, theirs) in FORMULAS {
        eprintln!("{text}");
        let spec = load(text);
        let trace = walk(spec.signals.len());
        let repeated = |work: &mut dyn FnMut()| busy(|| (0..REPEATS).for_each(|_| work())).1 / REPEATS;
        let exact = repeated(&mut || {
            std::hint::black_box(holds(&spec.store, &trace, spec.formula));
        });
        let mut value = 0.0;
        let verdict = holds(&spec.store, &trace, spec.formula);
        let robust = repeated(&mut || value = robustness(&spec.store, &trace, spec.formula, verdict));
        let each = |time: Duration| format!("{:.3}", time.as_secs_f64() * 1e6 / SAMPLES as f64);
        let mut cells = vec![each(exact), each(robust)];
        let length = write_number(&horizon(&spec.store, &[spec.formula]));
        for back_end in BACK_ENDS {
            cells.extend(match rtamt(back_end, theirs, &write_table(&spec, &trace), &length) {
                Rtamt::Absent => ["absent".to_owned(), "-".to_owned()],
                Rtamt::Stopped => [format!("> {}", each(PATIENCE)), format!("> {}", ratio(PATIENCE, robust))],
                // Its online monitors do not agree with its own offline ones wherever operators are nested.
                Rtamt::Done(time, other) if *back_end == "cpp" && 1e-6 <= (value - other).abs() => {
                    [format!("{}, value {other} for {value}", each(time)), ratio(time, robust)]
                }
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
        let (report, time) = busy(|| {
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

fn rtamt(back_end: &str, formula: &str, table: &str, horizon: &str) -> Rtamt {
    let python = std::env::var("RTAMT_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("peers/rtamt_monitor.py");
    let path = std::env::temp_dir().join(format!("specimen-bench-signals-{}.csv", std::process::id()));
    std::fs::write(&path, table).expect("a file for samples");
    let begin = Instant::now();
    let child = Command::new(python)
        .arg(script)
        .args([back_end, formula])
        .arg(&path)
        .arg(horizon)
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

/// Complete suites, with Z3 beside them where Python has it: `RTAMT_PYTHON` names the Python here too.
fn suites() -> Table {
    let columns = ["mutants", "tests", "seconds", "Z3: tests", "seconds", "ratio"];
    let mut table = Table::new("Complete suites against all mutants, processor time", &columns);
    for number in 1..=6 {
        let name = format!("requirement{number}.stl");
        eprintln!("{name}");
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/stl").join(&name);
        let text = std::fs::read_to_string(path).expect("the example is there");
        let source = Source::new(name.as_str(), text);
        let (spec, _) = stl::load(&source).expect("the example is well formed");
        let (outcome, time) = busy(|| drawn(&source, &spec));
        let killed = outcome.statuses.iter().filter(|status| status.name() == "covered").count();
        let tests = outcome.tests.len();
        let peer = match z3(&problem(&source, &spec)) {
            None => ["absent".to_owned(), "-".to_owned(), "-".to_owned()],
            Some((theirs, theirs_killed, found)) => {
                assert_eq!(theirs_killed, killed, "{name}: Z3 kills as many mutants");
                [found.to_string(), seconds(theirs), ratio(theirs, time)]
            }
        };
        table.row(name, [killed.to_string(), tests.to_string(), seconds(time)].into_iter().chain(peer).collect());
    }
    table
}

/// Wrong formalisations: does a suite drawn from each of them hold a signal that the right formula judges otherwise? The figures of the
/// thesis are for the answers of eleven people, which it does not print.
fn survey() -> Table {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/stl/survey.txt");
    let text = std::fs::read_to_string(path).expect("the survey is there");
    let (mut mutants, mut tests, mut detected) = (Vec::new(), Vec::new(), 0);
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (meant, candidate) = line.split_once('\t').expect("two formulas");
        let source = Source::new("candidate.stl", candidate);
        let (spec, meant) = (load(candidate), load(meant));
        let outcome = drawn(&source, &spec);
        let differs = |test: &search::Confirmed| {
            let testcase::Inputs::Document(document) = &test.test().inputs else { return false };
            let judged = |spec: &Spec| {
                let trace = stl::signal::from_json(spec, document).expect("the same signals");
                holds(&spec.store, &trace, spec.formula)
            };
            judged(&spec) != judged(&meant)
        };
        detected += usize::from(outcome.tests.iter().any(differs));
        mutants.push(outcome.statuses.len());
        tests.push(outcome.tests.len());
    }
    let spread = |counts: &[usize]| {
        let (least, most) = (counts.iter().min().unwrap_or(&0), counts.iter().max().unwrap_or(&0));
        format!("{least} / {:.0} / {most}", counts.iter().sum::<usize>() as f64 / counts.len() as f64)
    };
    let columns = ["faulty", "detected", "mutants (min/avg/max)", "tests (min/avg/max)"];
    let mut table = Table::new("Faulty formalisations detected by their own tests", &columns);
    let cells = vec![mutants.len().to_string(), detected.to_string(), spread(&mutants), spread(&tests)];
    table.row("our stand-ins", cells);
    let thesis = ["26", "26", "22 / 40 / 60", "3 / 6 / 11"];
    table.row("Mayer's thesis, section 6.1", thesis.map(str::to_owned).to_vec());
    table
}

/// A complete suite against all mutants.
fn drawn(source: &Source, spec: &Spec) -> Outcome {
    let options = Options { solver: SolverChoice::BuiltIn, ..Options::default() };
    let subject = StlSubject::new(source, spec, Criterion::Mutation, &GoalOptions::default()).expect("bounded");
    let backend = Backend::new(&options);
    let mut session = Session::new(&subject, &backend, options).expect("built in");
    while session.pull().expect("no disagreement").is_some() {}
    session.finish().expect("no disagreement")
}

/// A formula and its mutants as `peers/signals_z3.py` reads them.
fn problem(source: &Source, spec: &Spec) -> Json {
    let mut spec = spec.clone();
    let goals = goals(source, &mut spec, Criterion::Mutation, &GoalOptions::default()).expect("few goals");
    let number = |number: &RBig| Json::from(stl::write_number(number));
    let window = |window: &Window| json!([number(&window.lower), number(window.upper.as_ref().expect("bounded"))]);
    let place = |formula: &Formula| json!(formula.0);
    let node = |place_of: usize| {
        let node = spec.store.node(Formula(place_of as u32));
        let parts: Vec<Json> = node.args().iter().map(place).collect();
        let name = |signal: &stl::store::SignalId| spec.signals[signal.0 as usize].name.clone();
        match node {
            Node::Constant(truth) => json!(["constant", truth]),
            Node::Signal(signal) => json!(["signal", name(signal)]),
            Node::Compare(comparison) => {
                let form: serde_json::Map<String, Json> =
                    comparison.form.iter().map(|(factor, signal)| (name(signal), number(factor))).collect();
                json!(["compare", form, comparison.relation.text(), number(&comparison.bound)])
            }
            Node::Not(_) => json!(["not", parts]),
            Node::And(..) => json!(["and", parts]),
            Node::Or(..) => json!(["or", parts]),
            Node::Implies(..) => json!(["implies", parts]),
            Node::Next(time, _) => json!(["next", [number(time)], parts]),
            Node::Finally(bounds, _) => json!(["finally", window(bounds), parts]),
            Node::Globally(bounds, _) => json!(["globally", window(bounds), parts]),
            Node::Until(bounds, ..) => json!(["until", window(bounds), parts]),
            Node::Release(bounds, ..) => json!(["release", window(bounds), parts]),
            Node::Once(..) | Node::Historically(..) | Node::Since(..) => unreachable!("the peer does not look back"),
        }
    };
    let nodes: Vec<Json> = (0..spec.store.len()).map(node).collect();
    let mutants: Vec<Json> = goals.formulas().iter().map(place).collect();
    json!({ "nodes": nodes, "formula": place(&spec.formula), "mutants": mutants, "step": number(&spec.step()) })
}

/// The processor time of Z3, the mutants it kills and the signals it needs; none where it is not installed.
fn z3(problem: &Json) -> Option<(Duration, usize, usize)> {
    let python = std::env::var("RTAMT_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("peers/signals_z3.py");
    let mut child = Command::new(python)
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    // Where Z3 is missing the peer ends without reading.
    let _ = child.stdin.take()?.write_all(problem.to_string().as_bytes());
    let output = child.wait_with_output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let words: Vec<&str> = text.split_whitespace().collect();
    let [time, killed, _, found] = words[..] else { return None };
    Some((Duration::from_secs_f64(time.parse().ok()?), killed.parse().ok()?, found.parse().ok()?))
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
