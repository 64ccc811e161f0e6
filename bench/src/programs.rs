//! C programs: the reference queries of Tautschnig's thesis, a dozen programs beside CBMC, and how the cost grows.
//!
//! CBMC is the program `cbmc` on the path, or what the environment variable `CBMC` names. Times are processor time, ours
//! and CBMC's with everything they start, so that a busy machine does not change them much.

mod generated;
mod peer;
mod plot;
mod queries;

use std::path::{Path, PathBuf};
use std::time::Duration;

use c::{Options as Reading, Shape};
use draw_c::{CSubject, Settings};
use fql::criterion::Criterion;
use fql::program::{Blocks, ProgramGraph};
use search::{Backend, Options, Session, Step, Subject};
use testcase::{GoalStatus, Minimality};

use crate::table::{Table, ratio, seconds};

pub(crate) fn measure() -> Vec<Table> {
    PARTS.iter().flat_map(|(_, part)| part()).collect()
}

/// The tables, each by a name of its own: together they take long.
pub(crate) const PARTS: &[crate::Topic] = &[
    ("programs-queries", || vec![queries::reference()]),
    ("programs-branch", || vec![beside("branch")]),
    ("programs-mcdc", || vec![beside("mcdc")]),
    ("programs-solver", || vec![without_runs()]),
    ("programs-bounds", || vec![queries::bounds()]),
    ("programs-products", || vec![queries::products()]),
    ("programs-growth", || vec![generated::growth()]),
];

/// How a program is tested.
pub(crate) struct Task {
    pub(crate) file: PathBuf,
    pub(crate) query: String,
    pub(crate) unwind: Option<u32>,
    pub(crate) blocks: Blocks,
    pub(crate) assertions: bool,
    /// Whether inputs are looked for by running first.
    pub(crate) hybrid: bool,
    /// Seconds.
    pub(crate) limit: u64,
}

/// What came out.
pub(crate) struct Figures {
    pub(crate) goals: usize,
    pub(crate) covered: usize,
    pub(crate) infeasible: usize,
    /// Proved only within a bound.
    pub(crate) limited: usize,
    pub(crate) tests: usize,
    /// Whether it was proved that no smaller suite covers the same, whatever the bound.
    pub(crate) least: bool,
    /// Until the last goal was covered that is covered at all.
    pub(crate) covering: Duration,
    /// Until the end, with proofs, attacks and the reduction of the suite.
    pub(crate) time: Duration,
}

impl Figures {
    /// Goals, and how many of them are decided.
    pub(crate) fn summary(&self) -> String {
        let open = self.goals - self.covered - self.infeasible - self.limited;
        let mut text = format!("{}/{}", self.covered, self.goals);
        for (count, what) in [(self.infeasible, "impossible"), (self.limited, "limited"), (open, "open")] {
            if count != 0 {
                text += &format!(", {count} {what}");
            }
        }
        text
    }
}

/// A program with the goals of a criterion or a query.
pub(crate) fn subject(task: &Task) -> CSubject {
    let shape = Shape { inserted_skips: task.blocks == Blocks::Strict, ..Shape::default() };
    let reading = Reading { shape, ..Reading::default() };
    let translation = c::load(std::slice::from_ref(&task.file), &reading).expect("the program is correct");
    let entry = translation.program.function_named("main").expect("programs begin with main");
    let mut settings = Settings::new(entry);
    settings.unwind = task.unwind;
    settings.assertions = task.assertions;
    settings.hybrid = task.hybrid;
    let graph = ProgramGraph::new(&translation, entry, task.blocks);
    let query = match Criterion::from_name(&task.query) {
        Some(criterion) => criterion.query(&graph.graph).expect("the criterion fits"),
        None => Some(task.query.clone()),
    };
    match query {
        Some(text) => {
            let query = fql::parse(&text).expect("the query is correct");
            let (spec, _) = fql::evaluate(&query, &graph.graph).expect("the query fits the program");
            CSubject::with_query(&translation, graph, spec, settings).expect("predicates can be evaluated").0
        }
        None => CSubject::with_mcdc(&translation, graph, settings).expect("decisions are small"),
    }
}

/// Draws the suite for a criterion or a query.
pub(crate) fn draw(task: &Task) -> Figures {
    let before = processor_time();
    let subject = subject(task);
    let options = Options { timeout: Some(Duration::from_secs(task.limit)), ..Options::default() };
    let backend = Backend::new(&options);
    let mut session = Session::new(&subject, &backend, options).expect("the built-in solver is there");
    let mut covering = Duration::ZERO;
    while let Some(step) = session.pull().expect("no disagreement") {
        if matches!(step, Step::Test { met, .. } if !met.is_empty()) {
            covering = processor_time() - before;
        }
    }
    let outcome = session.finish().expect("no disagreement");
    let count = |test: &dyn Fn(&GoalStatus) -> bool| outcome.statuses.iter().filter(|status| test(status)).count();
    Figures {
        goals: subject.goals().len(),
        covered: count(&|status| *status == GoalStatus::Covered),
        infeasible: count(&|status| matches!(status, GoalStatus::Infeasible(_))),
        limited: count(&|status| matches!(status, GoalStatus::InfeasibleUpTo(_))),
        tests: outcome.tests.len(),
        least: outcome.minimality == Minimality::Proved,
        covering,
        time: processor_time() - before,
    }
}

/// The processor time this process and the ones it waited for have used.
pub(crate) fn processor_time() -> Duration {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let behind = text.rsplit_once(')').map_or("", |(_, rest)| rest);
    // User and system time of this process and of its children, in hundredths of a second.
    let ticks: u64 = behind.split_whitespace().skip(11).take(4).filter_map(|word| word.parse::<u64>().ok()).sum();
    Duration::from_millis(10 * ticks)
}

/// The most memory this process has had, in megabytes.
pub(crate) fn most_memory() -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).map_or(0, |kilobytes| kilobytes / 1024)
}

pub(crate) fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// The programs, and how often CBMC must unroll their loops to reach what we reach.
const PROGRAMS: &[(&str, u32)] = &[
    ("buffer", 7),
    ("calendar", 12),
    ("codec", 9),
    ("crc", 17),
    ("expression", 8),
    ("frame", 11),
    ("huffman", 7),
    ("ini", 13),
    ("json", 8),
    ("lexer", 10),
    ("sorting", 7),
    ("tcp", 8),
];

/// A longer program, made by rule: its devices, each about 57 lines.
const DRIVER: (u32, u32) = (18, 2);

/// Seconds for one program: of the clock for ours, of the processor for CBMC.
const LIMIT: u64 = 60;

/// What the runs before the solver are good for.
fn without_runs() -> Table {
    let mut table =
        Table::new("Programs, branch: runs first, and the solver alone", &["both", "time", "solver", "time"]);
    for (name, _) in PROGRAMS {
        let mut cells = Vec::new();
        for hybrid in [true, false] {
            let file = folder("programs").join(format!("{name}.c"));
            let query = "branch".to_owned();
            let task = Task { file, query, unwind: None, blocks: Blocks::Strict, assertions: false, hybrid, limit: 60 };
            let found = draw(&task);
            cells.extend([found.summary(), seconds(found.time)]);
        }
        eprintln!("{name}: {}", cells.join(" "));
        table.row(*name, cells);
    }
    table
}

/// Each program by ours and by CBMC. Ours has two times: until everything is covered that is covered at all, which is when a
/// suite with the same coverage is there, and until the end, with what CBMC does not do: proofs that need no bound, attacks on
/// claims, and a reduced suite.
fn beside(criterion: &str) -> Table {
    let title = format!("Programs, {criterion}: beside CBMC");
    let columns = [
        "lines",
        "goals",
        "tests",
        "covered",
        "whole",
        "CBMC goals",
        "CBMC tests",
        "CBMC time",
        "by covered",
        "by whole",
    ];
    let mut table = Table::new(&title, &columns);
    let scratch = tempfile::tempdir().expect("a folder");
    let driver = scratch.path().join("driver.c");
    std::fs::write(&driver, generated::driver(DRIVER.0)).expect("written");
    let shipped = PROGRAMS.iter().map(|(name, unwind)| (*name, folder("programs").join(format!("{name}.c")), *unwind));
    for (name, file, unwind) in shipped.chain([("driver", driver, DRIVER.1)]) {
        let lines = std::fs::read_to_string(&file).expect("the program is there").lines().count();
        let task = Task {
            file: file.clone(),
            query: criterion.to_owned(),
            unwind: None,
            blocks: Blocks::Strict,
            assertions: false,
            hybrid: true,
            limit: LIMIT,
        };
        let ours = draw(&task);
        let theirs = peer::cover(&file, criterion, unwind, LIMIT);
        let least = if ours.least { ", least" } else { "" };
        let mut cells = vec![lines.to_string(), ours.summary(), format!("{}{least}", ours.tests)];
        cells.extend([seconds(ours.covering), seconds(ours.time)]);
        let dash = || "-".to_owned();
        cells.extend(match theirs {
            peer::Peer::Absent => vec!["absent".into(), dash(), dash(), dash(), dash()],
            peer::Peer::GaveUp => {
                let limit = Duration::from_secs(LIMIT);
                let more = |time| format!("> {}", ratio(limit, time));
                vec!["none".into(), dash(), format!("> {LIMIT} s"), more(ours.covering), more(ours.time)]
            }
            peer::Peer::Done { goals, covered, tests, time } => {
                let ratios = [ratio(time, ours.covering), ratio(time, ours.time)];
                let cells = [format!("{covered}/{goals}"), tests.to_string(), seconds(time)];
                cells.into_iter().chain(ratios).collect()
            }
        });
        eprintln!("{criterion} {name}: {}", cells.join(" "));
        table.row(name, cells);
    }
    table
}
