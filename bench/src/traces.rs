//! TeSSLa: whole suites beside Z3 on the thesis's own encoding, the size of the formula, and the interpreter on a long trace.

use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::Value as Json;
use smt::{Query, Solver, Terms};
use smt_sat::SatSolver;
use source::Source;
use tessla::core::Spec;
use tessla::goals::{Criterion, GoalOptions, goals};
use tessla::run::{RunOptions, run_plain};
use testcase::{GoalStatus, ObligationId};
use testgen::tessla::TesslaSubject;
use testgen::{Backend, Bound, Options, Session, SolverChoice, Strategy, Subject};

use crate::table::{Table, ratio, seconds, timed};

/// The events of the long trace.
const EVENTS: u64 = 10_000_000;

pub(crate) fn measure() -> Vec<Table> {
    vec![suites(), growth(), interpreter()]
}

/// A suite we draw, with the arguments of the peer that draws the same.
struct Case {
    example: &'static str,
    strategy: Strategy,
    bound: u32,
    peer: Option<&'static str>,
}

const CASES: &[Case] = &[
    Case { example: "decoder", strategy: Strategy::Iterative, bound: 20, peer: Some("iterative") },
    Case { example: "decoder", strategy: Strategy::Iterative, bound: 100, peer: Some("iterative") },
    Case { example: "decoder", strategy: Strategy::Incremental, bound: 12, peer: None },
    Case { example: "decoder", strategy: Strategy::Incremental, bound: 21, peer: None },
    Case { example: "decoder", strategy: Strategy::Incremental, bound: 22, peer: None },
    Case { example: "quadratic", strategy: Strategy::Simple, bound: 20, peer: Some("simple") },
    Case { example: "quadratic", strategy: Strategy::Simple, bound: 100, peer: Some("simple") },
];

fn suites() -> Table {
    let columns = ["covered", "of", "tests", "ours", "z3", "tests of z3", "ratio", "peak MB"];
    let mut table = Table::new("Traces: whole suites beside Python and Z3", &columns);
    for case in CASES {
        let spec = load(case.example);
        let ((covered, all, tests), time) = timed(|| draw(&spec, case.strategy, case.bound));
        let peer = case.peer.map(|strategy| peer(case.example, strategy, case.bound));
        let (theirs, theirs_tests, ratio) = match peer {
            None => ("-".to_owned(), "-".to_owned(), "-".to_owned()),
            Some(None) => ("absent".to_owned(), "-".to_owned(), "-".to_owned()),
            Some(Some((spent, tests))) => (seconds(spent), tests.to_string(), ratio(spent, time)),
        };
        let name = format!("{}, {}, {} slots", case.example, case.strategy.name(), case.bound);
        eprintln!("{name}: {}", seconds(time));
        let cells = vec![
            covered.to_string(),
            all.to_string(),
            tests.to_string(),
            seconds(time),
            theirs,
            theirs_tests,
            ratio,
            peak(),
        ];
        table.row(name, cells);
    }
    table
}

/// Goals covered, all goals, tests.
fn draw(spec: &Spec, strategy: Strategy, bound: u32) -> (usize, usize, usize) {
    let goals = goals(spec, Criterion::Decision, GoalOptions::default());
    let all = goals.goals.len();
    let options = Options { strategy, bound: Bound(bound), solver: SolverChoice::BuiltIn, ..Options::default() };
    let subject = TesslaSubject::new(spec, goals, false);
    let backend = Backend::new(&options);
    let mut session = Session::new(&subject, &backend, options).expect("built in");
    while session.pull().expect("no disagreement").is_some() {}
    let outcome = session.finish().expect("no disagreement");
    let covered = outcome.statuses.iter().filter(|status| **status == GoalStatus::Covered).count();
    (covered, all, outcome.tests.len())
}

/// The time and the tests of Z3, if there is one for Python.
fn peer(example: &str, strategy: &str, bound: u32) -> Option<(Duration, u64)> {
    let script = folder("bench/peers/traces_z3.py");
    let done = Command::new("python3").arg(script).args([example, strategy, &bound.to_string()]).output().ok()?;
    let said: Json = serde_json::from_slice(&done.stdout).ok()?;
    Some((Duration::from_secs_f64(said["seconds"].as_f64()?), said["tests"].as_u64()?))
}

/// How the formula grows: nothing in it may grow faster than the number of slots.
fn growth() -> Table {
    let columns = ["symbols", "terms", "variables", "clauses", "clauses per slot"];
    let mut table = Table::new("Traces: the formula of the decoder, all goals asked for", &columns);
    let spec = load("decoder");
    for bound in [10, 20, 50, 100, 200] {
        let goals = goals(&spec, Criterion::Decision, GoalOptions::default());
        let count = goals.obligations.len() as u32;
        let subject = TesslaSubject::new(&spec, goals, false);
        let (symbols, others) = subject.size(Bound(bound));
        let (variables, clauses) = blasted(&subject, bound, count);
        let each = clauses / u64::from(bound);
        let cells = [symbols as u64, others as u64, variables, clauses, each];
        table.row(format!("{bound} slots"), cells.iter().map(u64::to_string).collect());
    }
    table
}

/// The variables and clauses the built-in solver makes of the problem.
fn blasted(subject: &TesslaSubject<'_>, bound: u32, obligations: u32) -> (u64, u64) {
    let mut terms = Terms::new();
    let mut problem = subject.encode(&mut terms, Bound(bound)).expect("it has a problem");
    let wanted: Vec<_> = (0..obligations)
        .flat_map(|number| problem.require(&mut terms, ObligationId(number)))
        .map(|part| part.term)
        .collect();
    let mut solver = SatSolver::new();
    for fact in problem.facts() {
        solver.assert(&terms, fact.term).expect("the solver takes it");
    }
    let query = Query { assumptions: &wanted, ..Query::default() };
    solver.check(&terms, query).expect("the solver answers");
    solver.size()
}

fn interpreter() -> Table {
    let mut table = Table::new("Traces: the interpreter on ten million events", &["seconds", "M events/s", "peak MB"]);
    let spec = load("decoder");
    let trace = BufReader::with_capacity(1 << 16, Pulses::new(EVENTS));
    let ((), time) = timed(|| {
        run_plain(&spec, "pulses", trace, &mut io::sink(), &RunOptions::default()).expect("a sink takes everything");
    });
    let rate = EVENTS as f64 / time.as_secs_f64() / 1e6;
    table.row("decoder", vec![seconds(time), format!("{rate:.2}"), peak()]);
    table
}

/// Pulses on the wire, as lines of text made while they are read.
struct Pulses {
    left: u64,
    time: u64,
    state: u64,
    line: Vec<u8>,
    at: usize,
}

impl Pulses {
    fn new(count: u64) -> Pulses {
        Pulses { left: count, time: 0, state: 1, line: Vec::new(), at: 0 }
    }
}

impl Read for Pulses {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at == self.line.len() {
            self.line.clear();
            self.at = 0;
            for _ in 0..self.left.min(1000) {
                self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                self.time += 1 + (self.state >> 33) % 4;
                self.line.extend_from_slice(format!("{}: wire\n", self.time).as_bytes());
            }
            self.left -= self.left.min(1000);
        }
        let length = buffer.len().min(self.line.len() - self.at);
        buffer[..length].copy_from_slice(&self.line[self.at..self.at + length]);
        self.at += length;
        Ok(length)
    }
}

/// The most memory this program has held so far, in megabytes.
fn peak() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse::<u64>().ok());
    kilobytes.map_or_else(|| "-".to_owned(), |kilobytes| (kilobytes / 1024).to_string())
}

fn load(example: &str) -> Spec {
    let path = folder("examples/tessla").join(format!("{example}.tessla"));
    let text = std::fs::read_to_string(path).expect("the example is there");
    tessla::load_alone(Source::new(example, text), tessla::Options::default()).spec.expect("the example is well formed")
}

fn folder(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}
