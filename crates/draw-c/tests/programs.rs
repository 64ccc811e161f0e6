//! Runs the cases of `corpus/c/generate`: a C file, and an `.expected` file that says how many goals were covered with how many
//! tests and what was found out about the others. `UPDATE_EXPECT=1` writes the latter. Directives stand in comments at the
//! top: `entry: NAME`, `criterion: NAME`, `query: FQL`, `property: branches` or `error-call`, `unwind: N`,
//! `no assertions`, `undefined: go-on` or `stop`. How tests end is said where they do not return.

#![allow(clippy::print_stderr, reason = "a test that is skipped says so")]

use std::fmt::Write;
use std::path::{Path, PathBuf};

use draw_c::{CSubject, Settings, Undefined};
use expect_test::expect_file;
use fql::criterion::Criterion;
use fql::program::{Blocks, ProgramGraph};
use search::{Backend, Options, Session, Subject};
use testcase::GoalStatus;

/// What a case asks for.
struct Case {
    entry: String,
    query: Query,
    unwind: Option<u32>,
    assertions: bool,
    undefined: Undefined,
}

enum Query {
    Written(String),
    Criterion(Criterion),
    Mcdc,
}

impl Case {
    fn of(text: &str) -> Case {
        let mut case = Case {
            entry: "main".into(),
            query: Query::Criterion(Criterion::Branch),
            unwind: None,
            assertions: true,
            undefined: Undefined::Report,
        };
        for line in text.lines().map_while(|line| line.strip_prefix("// ")) {
            match line.split_once(": ") {
                Some(("entry", name)) => case.entry = name.into(),
                Some(("query", query)) => case.query = Query::Written(query.into()),
                Some(("criterion", "mcdc")) => case.query = Query::Mcdc,
                Some(("criterion", name)) => {
                    case.query = Query::Criterion(Criterion::from_name(name).expect("a criterion"));
                }
                Some(("property", "branches")) => case.query = Query::Written("COVER EDGES(@DECISIONEDGE)".into()),
                Some(("property", "error-call")) => {
                    case.query = Query::Written("COVER EDGES(@CALL(reach_error))".into());
                }
                Some(("unwind", bound)) => case.unwind = Some(bound.parse().expect("a number")),
                Some(("undefined", "go-on")) => case.undefined = Undefined::GoOn,
                Some(("undefined", "stop")) => case.undefined = Undefined::Stop,
                _ if line == "no assertions" => case.assertions = false,
                _ => {}
            }
        }
        case
    }
}

/// A report, with what is known about every goal in one letter each.
fn report(path: &Path, hybrid: bool) -> (String, String) {
    let case = Case::of(&std::fs::read_to_string(path).expect("the case is there"));
    let mut translation = match c::load(&[path.to_owned()], &c::Options::default()) {
        Ok(translation) => translation,
        Err(findings) => {
            let messages: Vec<_> = findings.iter().map(|one| &one.diagnostic.message).collect();
            return (format!("{messages:?}"), String::new());
        }
    };
    let entry = translation.program.function_named(&case.entry).expect("the entry function is there");
    translation.program.offer_callbacks(entry);
    let mut settings = Settings::new(entry);
    settings.unwind = case.unwind;
    settings.assertions = case.assertions;
    settings.undefined = case.undefined;
    settings.hybrid = hybrid;
    let graph = ProgramGraph::new(&translation, entry, Blocks::Strict);
    let written = match &case.query {
        Query::Written(text) => Some(text.clone()),
        Query::Criterion(criterion) => criterion.query(&graph.graph).expect("the criterion fits"),
        Query::Mcdc => None,
    };
    let subject = match written {
        Some(text) => {
            let query = fql::parse(&text).expect("the query is correct");
            let (spec, _) = fql::evaluate(&query, &graph.graph).expect("the query fits the program");
            CSubject::with_query(&translation, graph, spec, settings).expect("predicates can be evaluated").0
        }
        None => CSubject::with_mcdc(&translation, graph, settings).expect("decisions are small"),
    };
    let options = Options { attacks: 300, ..Options::default() };
    let backend = Backend::new(&options);
    let mut session = Session::new(&subject, &backend, options).expect("the built-in solver is there");
    loop {
        match session.pull() {
            Ok(Some(_)) => {}
            Ok(None) => break,
            Err(error) => return (error.to_string(), String::new()),
        }
    }
    let outcome = match session.finish() {
        Ok(outcome) => outcome,
        Err(error) => return (error.to_string(), String::new()),
    };
    let covered = outcome.statuses.iter().filter(|status| **status == GoalStatus::Covered).count();
    let mut text = format!("{covered} of {} goals by {} tests\n", subject.goals().len(), outcome.tests.len());
    for (number, test) in (1..).zip(&outcome.tests) {
        let expected = &test.test().expected;
        for ending in ["exits", "aborts", "stops", "cut"].iter().filter(|ending| expected.contains_key(**ending)) {
            let _ = writeln!(text, "test {number} {ending}: {}", expected[*ending]);
        }
    }
    for (goal, status) in subject.goals().iter().zip(&outcome.statuses) {
        let _ = match status {
            GoalStatus::Covered => Ok(()),
            GoalStatus::Infeasible(reason) => writeln!(text, "impossible: {}\n    {reason}", goal.label),
            GoalStatus::InfeasibleUpTo(bound) => writeln!(text, "limited: {}\n    {bound}", goal.label),
            GoalStatus::OnlyUndefined { reason, .. } => writeln!(text, "undefined: {}\n    {reason}", goal.label),
            GoalStatus::Unknown(reason) => writeln!(text, "unknown: {}\n    {reason}", goal.label),
        };
    }
    let letter = |status: &GoalStatus| match status {
        GoalStatus::Covered => 'c',
        GoalStatus::Infeasible(_) => 'i',
        GoalStatus::InfeasibleUpTo(_) => 'l',
        GoalStatus::OnlyUndefined { .. } => 'd',
        GoalStatus::Unknown(_) => 'u',
    };
    (text, outcome.statuses.iter().map(letter).collect())
}

#[test]
fn programs_are_covered_as_expected() {
    if !std::process::Command::new("cc").arg("--version").output().is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: cc is not installed");
        return;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/c/generate");
    let entries = std::fs::read_dir(folder).expect("the corpus is there").map(|entry| entry.expect("an entry").path());
    let mut paths: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|end| end == "c")).collect();
    paths.sort();
    assert!(!paths.is_empty());
    for path in paths {
        // Places are named as the compiler was told the file.
        let folder = format!("{}/", path.parent().expect("a folder").display());
        let (text, found) = report(&path, true);
        expect_file![path.with_extension("c.expected")].assert_eq(&text.replace(&folder, ""));
        // The solver alone comes to the same, where its bounds suffice.
        let (_, solved) = report(&path, false);
        assert_eq!(found.len(), solved.len(), "{}", path.display());
        for (goal, (hybrid, solver)) in found.chars().zip(solved.chars()).enumerate() {
            let agree = hybrid == solver || (hybrid == 'c' && matches!(solver, 'l' | 'u'));
            assert!(agree, "{}: goal {}: {hybrid} by both, {solver} by the solver", path.display(), goal + 1);
        }
    }
}
