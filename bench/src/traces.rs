//! TeSSLa: whole suites beside Z3 on the thesis's own encoding, the size of the formula, and the interpreter on a long trace.

use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use draw_tessla::TesslaSubject;
use search::{Backend, Bound, Encodes, Options, Session, SolverChoice, Strategy};
use serde_json::Value as Json;
use smt::{Query, Solver, Terms};
use smt_sat::SatSolver;
use source::Source;
use tessla::core::Spec;
use tessla::goals::{Criterion, GoalOptions, goals};
use tessla::run::{RunOptions, run_plain};
use testcase::{GoalStatus, ObligationId};

use crate::table::{Table, ratio, seconds, timed};

/// How often short runs are repeated.
const REPEATED: usize = 7;

/// The events of the long trace.
const EVENTS: u64 = 10_000_000;

pub(crate) fn measure() -> Vec<Table> {
    vec![suites(), strategies(), growth(), interpreter()]
}

/// A suite we draw, with the arguments of the peer that draws the same.
struct Case {
    example: &'static str,
    strategy: Strategy,
    /// Whether the suite is made small and proved so; the peer does neither.
    minimize: bool,
    /// How many times there are to a unit: as many as slots show all that real times show.
    ticks: u32,
    bound: u32,
    peer: Option<&'static str>,
}

const fn case(example: &'static str, strategy: Strategy, minimize: bool, bound: u32) -> Case {
    Case { example, strategy, minimize, ticks: 1, bound, peer: None }
}

const CASES: &[Case] = &[
    Case { peer: Some("iterative"), ..case("decoder", Strategy::Iterative, false, 20) },
    Case { peer: Some("iterative"), ..case("decoder", Strategy::Iterative, false, 100) },
    Case { peer: Some("iterative"), ..case("decoder", Strategy::Iterative, true, 20) },
    Case { peer: Some("iterative"), ..case("decoder", Strategy::Iterative, true, 100) },
    Case { ticks: 20, ..case("decoder", Strategy::Iterative, false, 20) },
    Case { ticks: 100, ..case("decoder", Strategy::Iterative, false, 100) },
    Case { peer: Some("simple"), ..case("quadratic", Strategy::Simple, true, 20) },
    Case { peer: Some("simple"), ..case("quadratic", Strategy::Simple, true, 100) },
];

fn suites() -> Table {
    let columns = ["covered", "of", "tests", "ours", "z3", "tests of z3", "ratio", "peak MB"];
    let mut table = Table::new("Traces: whole suites beside Python and Z3, seconds of processor time", &columns);
    for case in CASES {
        let spec = load(case.example, case.ticks);
        let ((covered, all, tests), time) = worked(|| draw(&spec, case));
        let peer = case.peer.map(|strategy| peer(case.example, strategy, case.bound));
        let (theirs, theirs_tests, ratio) = match peer {
            None => ("-".to_owned(), "-".to_owned(), "-".to_owned()),
            Some(None) => ("absent".to_owned(), "-".to_owned(), "-".to_owned()),
            Some(Some((spent, tests))) => (seconds(spent), tests.to_string(), ratio(spent, time)),
        };
        // The peer does the job of the first: every decision, impossible ones told, and no word on smaller suites.
        let kind = if case.minimize { "smallest suite, proved and attacked" } else { "tests as found" };
        let times = if case.ticks > 1 { ", real times" } else { "" };
        let name = format!("{}, {}, {} slots{times}, {kind}", case.example, case.strategy.name(), case.bound);
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

/// The strategies beside each other: the same suites, the one no slower than the other. The best of several runs.
fn strategies() -> Table {
    let columns = ["tests", "iterative", "incremental", "tests of incremental", "ratio"];
    let mut table =
        Table::new("Traces: the decoder by both strategies, smallest suites, seconds of processor time", &columns);
    let spec = load("decoder", 1);
    let best = |strategy, bound| {
        let case = case("decoder", strategy, true, bound);
        let runs = (0..REPEATED).map(|_| worked(|| draw(&spec, &case)));
        runs.map(|((_, _, tests), time)| (time, tests)).min().expect("several runs")
    };
    for bound in 12..=22 {
        let (iterative, tests) = best(Strategy::Iterative, bound);
        let (incremental, others) = best(Strategy::Incremental, bound);
        eprintln!("{bound} slots: {} {}", seconds(iterative), seconds(incremental));
        let share = incremental.as_secs_f64() / iterative.as_secs_f64();
        let cells = vec![
            tests.to_string(),
            seconds(iterative),
            seconds(incremental),
            others.to_string(),
            format!("{share:.2}"),
        ];
        table.row(format!("{bound} slots"), cells);
    }
    table
}

/// The processor time of this thread, where the system tells it; time on the clock elsewhere.
fn worked<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let spent = || {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        text.split_ascii_whitespace().next()?.parse().ok().map(Duration::from_nanos)
    };
    let before = spent();
    let (result, clock) = timed(work);
    match (before, spent()) {
        (Some(before), Some(after)) => (result, after - before),
        _ => (result, clock),
    }
}

/// Goals covered, all goals, tests.
fn draw(spec: &Spec, case: &Case) -> (usize, usize, usize) {
    let goals = goals(spec, Criterion::Decision, GoalOptions::default());
    let all = goals.goals.len();
    let options = Options {
        strategy: case.strategy,
        bound: Bound(case.bound),
        solver: SolverChoice::BuiltIn,
        minimize: case.minimize,
        // The peer does not doubt its answers.
        attacks: if case.minimize { Options::default().attacks } else { 0 },
        ..Options::default()
    };
    let subject = TesslaSubject::new(spec, goals, false);
    let backend = Backend::new(&options);
    let mut session = Session::new(&subject, &backend, options).expect("built in");
    while session.pull().expect("no disagreement").is_some() {}
    let outcome = session.finish().expect("no disagreement");
    let covered = outcome.statuses.iter().filter(|status| **status == GoalStatus::Covered).count();
    (covered, all, outcome.tests.len())
}

/// The processor time and the tests of Z3, if there is one for Python.
fn peer(example: &str, strategy: &str, bound: u32) -> Option<(Duration, u64)> {
    let script = folder("bench/peers/traces_z3.py");
    let done = Command::new("python3").arg(script).args([example, strategy, &bound.to_string()]).output().ok()?;
    let said: Json = serde_json::from_slice(&done.stdout).ok()?;
    Some((Duration::from_secs_f64(said["seconds"].as_f64()?), said["tests"].as_u64()?))
}

/// How the formula grows: nothing in it may grow faster than the number of slots.
fn growth() -> Table {
    let columns = ["symbols", "terms", "variables", "clauses", "variables per slot", "clauses per slot"];
    let mut table = Table::new("Traces: the formula of the decoder, all goals asked for", &columns);
    let spec = load("decoder", 1);
    for bound in [10, 20, 40, 80, 160] {
        let goals = goals(&spec, Criterion::Decision, GoalOptions::default());
        let count = goals.obligations.len() as u32;
        let subject = TesslaSubject::new(&spec, goals, false);
        let (symbols, others) = subject.size(Bound(bound));
        let (variables, clauses) = blasted(&subject, bound, count);
        let slots = u64::from(bound);
        let cells = [symbols as u64, others as u64, variables, clauses, variables / slots, clauses / slots];
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
    let columns = ["output lines", "seconds", "M events/s", "M lines/s", "peak MB"];
    let mut table = Table::new("Traces: the interpreter on ten million events", &columns);
    let spec = load("decoder", 1);
    let trace = BufReader::with_capacity(1 << 16, Pulses::new(EVENTS));
    let mut lines = Lines(0);
    let ((), time) = worked(|| {
        run_plain(&spec, "pulses", trace, &mut lines, &RunOptions::default()).expect("the counter takes everything");
    });
    let rate = |count: u64| format!("{:.2}", count as f64 / time.as_secs_f64() / 1e6);
    table.row("decoder", vec![lines.0.to_string(), seconds(time), rate(EVENTS), rate(lines.0), peak()]);
    table
}

/// Counts lines.
struct Lines(u64);

impl Write for Lines {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        self.0 += text.iter().filter(|byte| **byte == b'\n').count() as u64;
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Pulses on the wire, as lines of text made while they are read: 1 to 10 in each interval, none when the timer runs out, since that
/// would stop the decoder.
struct Pulses {
    left: u64,
    time: u64,
    /// When the next interval may begin.
    next: u64,
    state: u64,
    line: Vec<u8>,
    at: usize,
}

impl Pulses {
    fn new(count: u64) -> Pulses {
        Pulses { left: count, time: 0, next: 1, state: 1, line: Vec::new(), at: 0 }
    }

    fn random(&mut self, sides: u64) -> u64 {
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 33) % sides
    }

    fn advance(&mut self) {
        self.time += 1 + self.random(3);
        if self.time + 1 >= self.next {
            self.time = self.next + self.random(4);
            self.next = self.time + 11;
        }
    }
}

impl Read for Pulses {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at == self.line.len() {
            self.line.clear();
            self.at = 0;
            for _ in 0..self.left.min(1000) {
                self.advance();
                writeln!(self.line, "{}: wire", self.time)?;
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

fn load(example: &str, ticks: u32) -> Spec {
    let path = folder("examples/tessla").join(format!("{example}.tessla"));
    let text = std::fs::read_to_string(path).expect("the example is there");
    let options = tessla::Options { ticks: std::num::NonZeroU32::new(ticks), ..tessla::Options::default() };
    tessla::load_alone(Source::new(example, text), options).spec.expect("the example is well formed")
}

fn folder(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}
