//! MC/DC suites beside the classical way: one z3 query per condition, each in a process of its own and, more kindly, all
//! in one process with push and pop. The peer only finds pairs; ours also replays, explains, attacks and minimises.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use boolean::goals::{ConditionMode, Criterion, GoalOptions, goals};
use boolean::{Dialect, Spec, load};
use draw_boolean::BooleanSubject;
use search::{Backend, Bound, Encodes, Options, Outcome, Session, Subject};
use smt::{Terms, print_script};
use source::Source;
use testcase::{GoalStatus, Minimality, ObligationId};

use crate::table::{Table, ratio, seconds, timed};

struct Case {
    name: &'static str,
    file: &'static str,
    criterion: Criterion,
    mode: ConditionMode,
}

const CASES: &[Case] = &[
    Case {
        name: "20 TCAS II decisions, unique cause",
        file: "tcas2.bool",
        criterion: Criterion::UniqueCauseMcdc,
        mode: ConditionMode::Variable,
    },
    Case {
        name: "20 TCAS II decisions, masking",
        file: "tcas2.bool",
        criterion: Criterion::MaskingMcdc,
        mode: ConditionMode::Variable,
    },
    Case {
        name: "firewall, masking",
        file: "firewall.bool",
        criterion: Criterion::MaskingMcdc,
        mode: ConditionMode::Occurrence,
    },
    Case {
        name: "firewall, unique cause",
        file: "firewall.bool",
        criterion: Criterion::UniqueCauseMcdc,
        mode: ConditionMode::Occurrence,
    },
    Case {
        name: "76 conditions, masking",
        file: "wide76.bool",
        criterion: Criterion::MaskingMcdc,
        mode: ConditionMode::Occurrence,
    },
    Case {
        name: "76 conditions, unique cause",
        file: "wide76.bool",
        criterion: Criterion::UniqueCauseMcdc,
        mode: ConditionMode::Occurrence,
    },
];

pub(crate) fn measure() -> Vec<Table> {
    let columns = [
        "covered",
        "infeasible",
        "tests",
        "minimal",
        "ours",
        "z3, a process a query",
        "ratio",
        "z3, one process",
        "ratio",
    ];
    let mut table = Table::new("Decisions: whole suites beside single z3 queries", &columns);
    for case in CASES {
        let path = examples().join(case.file);
        let source =
            Source::new(case.file, std::fs::read_to_string(&path).expect("the examples are in the repository"));
        let (spec, _) = load(&source, Dialect::Bool).expect("the examples are accepted");
        let subjects: Vec<BooleanSubject<'_>> =
            (0..spec.decisions.len()).map(|decision| subject(&source, &spec, decision, case)).collect();
        let (outcomes, ours) = timed(|| subjects.iter().map(generate).collect::<Vec<_>>());
        let scripts: Vec<Vec<String>> = subjects.iter().map(queries).collect();
        let fresh = z3(&scripts.concat());
        let shared: Option<Duration> = z3(&scripts.iter().map(|scripts| scripts.join("(reset)\n")).collect::<Vec<_>>());
        let count = |name: &str| {
            outcomes.iter().flat_map(|outcome| &outcome.statuses).filter(|status| status.name() == name).count()
        };
        let proved = outcomes.iter().filter(|outcome| outcome.minimality == Minimality::Proved).count();
        let peer = |time: Option<Duration>| {
            [time.map_or("-".into(), seconds), time.map_or("-".into(), |time| ratio(time, ours))]
        };
        let mut cells = vec![
            count(GoalStatus::Covered.name()).to_string(),
            count("infeasible").to_string(),
            outcomes.iter().map(|outcome| outcome.tests.len()).sum::<usize>().to_string(),
            format!("{proved}/{}", outcomes.len()),
            seconds(ours),
        ];
        cells.extend(peer(fresh));
        cells.extend(peer(shared));
        table.row(case.name, cells);
    }
    vec![table]
}

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/boolean")
}

fn subject<'a>(source: &Source, spec: &'a Spec, decision: usize, case: &Case) -> BooleanSubject<'a> {
    let options = GoalOptions { mode: case.mode, ..GoalOptions::default() };
    let goals = goals(source, spec, decision, case.criterion, options).expect("the criterion applies");
    BooleanSubject::new(spec, decision, goals)
}

fn generate(subject: &BooleanSubject<'_>) -> Outcome {
    let options = Options::default();
    let backend = Backend::new(&options);
    let mut session = Session::new(subject, &backend, options).expect("the built-in solver is always there");
    while session.pull().expect("the search agrees with the interpreter").is_some() {}
    session.finish().expect("the search agrees with the interpreter")
}

/// One script per obligation, as the classical procedure poses it.
fn queries(subject: &BooleanSubject<'_>) -> Vec<String> {
    let query = |obligation| {
        let mut terms = Terms::new();
        let mut problem = subject.encode(&mut terms, Bound(0)).expect("decisions are encoded");
        let mut parts = problem.require(&mut terms, ObligationId(obligation));
        parts.extend_from_slice(problem.facts());
        let facts: Vec<_> = parts.iter().map(|part| part.term).collect();
        format!("{}(check-sat)\n", print_script(&terms, &facts))
    };
    (0..subject.obligation_count() as u32).map(query).collect()
}

/// The time z3 takes for the scripts, each in a process of its own; none where it is not installed.
fn z3(scripts: &[String]) -> Option<Duration> {
    let (answered, time) = timed(|| scripts.iter().all(|script| z3_once(script)));
    answered.then_some(time)
}

fn z3_once(script: &str) -> bool {
    let mut command = Command::new("z3");
    let Ok(mut child) = command.arg("-in").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn() else { return false };
    let written = child.stdin.take().is_some_and(|mut input| input.write_all(script.as_bytes()).is_ok());
    let output = child.wait_with_output();
    written
        && output.is_ok_and(|output| {
            String::from_utf8_lossy(&output.stdout).lines().all(|line| line == "sat" || line == "unsat")
        })
}
