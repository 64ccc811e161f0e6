//! `specimen measure`: which goals given tests cover.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use front::Asked;
use front::exit::Exit;
use front::failure::Failure;
use front::output::Output;
use front::specification::Specification;
use front::tests_file::{self, GivenTest};
use indexmap::IndexMap;
use search::{Options, Replay, Replayed, Subject};
use testcase::{
    GoalRecord, Method, Minimality, Role, SCHEMA, SCHEMA_1, SourceFile, Sources, Status, Suite, Summary, TestRecord,
};

use crate::args::MeasureArguments;
use crate::drawing::{self, Start};
use crate::verbs::replay;
use crate::{interrupt, present};

pub(crate) fn run(output: &Output, arguments: &MeasureArguments) -> Result<Exit, Failure> {
    let specification = Specification::read(output, &arguments.spec.file, &arguments.spec.reading)?;
    let asked = specification.asked(&arguments.criterion)?;
    let tests = tests_file::read_all(output, &*specification.model, &arguments.tests)?;
    warn_of_changes(output, &specification, &arguments.tests);
    let suite = measured(output, &specification, &asked, &tests)?;
    present::suite(output, &suite)?;
    if arguments.feasible {
        output.talk(&ratio(output, &specification, &asked, &suite, arguments.timeout)?);
    }
    let numbered = suite.goals.iter().enumerate();
    let open: Vec<usize> = numbered.filter(|(_, goal)| goal.status != Status::Covered).map(|(at, _)| at).collect();
    if let Some(missing) = specification.model.missing(output, &asked, &open)? {
        output.talk(&format!("missing: {missing}"));
    }
    Ok(present::exit(&suite, None))
}

/// Says where given suites were drawn from other versions of these files: what they cover now may be something else.
fn warn_of_changes(output: &Output, specification: &Specification, paths: &[PathBuf]) {
    let is_suite = |path: &&PathBuf| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
    // What shapes goals is the business of this command line.
    let read = |sources: Sources, main_only: bool| {
        let counts = |file: &SourceFile| match file.role {
            Role::Main => true,
            Role::Include | Role::Link | Role::Header | Role::Partition => !main_only,
            Role::Preprocessed | Role::Mutant | Role::Reference | Role::Query | Role::Tests => false,
        };
        Sources(sources.0.into_iter().filter(counts).collect())
    };
    for path in paths.iter().filter(is_suite) {
        let Ok(suite) = replay::read(path) else { continue };
        if suite.source.file != specification.record.file {
            continue;
        }
        let first = suite.schema == SCHEMA_1;
        let (old, now) = (read(suite.sources(), first), read(specification.reader.record(), first));
        let differences = old.differences(&now);
        if !differences.is_empty() {
            output.warn(&format!("since {} was drawn: {}", path.display(), differences.join(", ")));
        }
    }
}

/// The part of the feasible goals that is covered; which goals are feasible is searched for.
fn ratio(
    output: &Output,
    specification: &Specification,
    asked: &Asked,
    suite: &Suite,
    timeout: Option<Duration>,
) -> Result<String, Failure> {
    let strategy = specification.model.strategy();
    let options =
        Options { strategy, timeout, minimize: false, interrupt: interrupt::on_ctrl_c(), ..Options::default() };
    let start = Start::anew(specification, asked, options);
    let drawn = drawing::draw(&output.silent(), start)?.suite;
    let is_covered = |goal: &&GoalRecord| goal.status == Status::Covered;
    let covered = suite.goals.iter().filter(is_covered).count();
    let known: BTreeSet<&str> = suite.goals.iter().filter(is_covered).map(|goal| goal.id.as_str()).collect();
    let mut rest = drawn.goals.iter().filter(|goal| !known.contains(goal.id.as_str()));
    let (mut feasible, mut open) = (covered, 0);
    for goal in &mut rest {
        match goal.status {
            Status::Covered => feasible += 1,
            Status::Infeasible => {}
            Status::InfeasibleUpTo | Status::OnlyUndefined | Status::Unknown => open += 1,
        }
    }
    let percent = |of: usize| if of == 0 { 100.0 } else { 100.0 * covered as f64 / of as f64 };
    let text = format!("coverage of feasible goals: {covered} of {feasible}");
    Ok(match open {
        0 => format!("{text} ({:.1} %)", percent(feasible)),
        _ => format!(
            "{text} or more ({:.1} % to {:.1} %): it is not known whether {} can be covered",
            percent(feasible + open),
            percent(feasible),
            front::words::counted(open, "goal")
        ),
    })
}

/// The given tests as a suite: each goal is covered by some of them, or open.
pub(crate) fn measured(
    output: &Output,
    specification: &Specification,
    asked: &Asked,
    tests: &[GivenTest],
) -> Result<Suite, Failure> {
    if let Some(product) = specification.model.product(output, asked)? {
        return crate::product::measure(output, specification, asked, &product, tests);
    }
    let subject = specification.model.subject(output, asked)?;
    let mut replay = subject.replay();
    let mut replayed = Vec::new();
    for test in tests {
        let result = replay.run(&test.inputs);
        if let Some(objection) = &result.objection {
            output.warn(&format!("test {} covers nothing: its inputs are not allowed: {objection}", test.name));
        }
        replayed.push(result);
    }
    let by_goal = covering(&*subject, &*replay);
    let records = records(tests, &replayed, &*subject, &by_goal);
    let half = half_covered(&*subject, &*replay);
    let mut goals = goal_records(&*subject, &by_goal, &half);
    let open: Vec<usize> = (0..goals.len()).filter(|goal| by_goal[*goal].is_empty()).collect();
    let depth = specification.model.bound().map(u64::from);
    let hopeless = subject.abilities().refutes.map(|refutes| refutes.hopeless(&open, depth));
    for (goal, status) in hopeless.into_iter().flatten() {
        goals[goal].status = status.status();
        goals[goal].reason = status.reason().map(str::to_owned);
    }
    Ok(Suite {
        schema: SCHEMA.to_owned(),
        language: specification.language.front().family().to_owned(),
        source: specification.record.clone(),
        others: specification.others(),
        provenance: None,
        interface: specification.model.interface(),
        criterion: asked.criterion.clone(),
        options: asked.options.clone(),
        strategy: Method::Measure,
        bound: None,
        complete: true,
        minimality: Minimality::NotProved,
        summary: Summary::of(&goals, &records),
        goals,
        tests: records,
    })
}

/// For each goal the tests that cover it together: those of the first alternative all of whose obligations are met.
fn covering(subject: &dyn Subject, replay: &dyn Replay) -> Vec<Vec<u32>> {
    let mut first: IndexMap<_, Vec<u32>> = IndexMap::new();
    for witness in replay.witnesses() {
        first.entry(witness.obligation).or_insert(witness.tests);
    }
    let of_goal = |goal: &testcase::Goal| {
        let met = goal.alternatives.iter().find(|all| all.iter().all(|obligation| first.contains_key(obligation)));
        let mut tests: Vec<u32> = met.into_iter().flatten().flat_map(|obligation| first[obligation].clone()).collect();
        tests.sort_unstable();
        tests.dedup();
        tests
    };
    subject.goals().iter().map(of_goal).collect()
}

fn records(tests: &[GivenTest], replayed: &[Replayed], subject: &dyn Subject, by_goal: &[Vec<u32>]) -> Vec<TestRecord> {
    let mut covers: Vec<Vec<String>> = vec![Vec::new(); tests.len()];
    for (goal, by) in subject.goals().iter().zip(by_goal) {
        by.iter().for_each(|&test| covers[test as usize].push(goal.key.clone()));
    }
    let numbered = (1..).zip(replayed.iter().zip(covers));
    numbered
        .map(|(number, (replayed, covers))| TestRecord {
            id: format!("t{number}"),
            inputs: replayed.test.inputs.to_json(),
            expected: replayed.test.expected.clone(),
            notes: replayed.test.notes.clone(),
            covers,
        })
        .collect()
}

/// For each goal whether tests meet a part of what it needs together, such as one side of a pair of MC/DC.
fn half_covered(subject: &dyn Subject, replay: &dyn Replay) -> Vec<bool> {
    let met: BTreeSet<_> = replay.witnesses().into_iter().map(|witness| witness.obligation).collect();
    let of_goal = |goal: &testcase::Goal| {
        let mut pairs = goal.alternatives.iter().filter(|all| 1 < all.len());
        pairs.any(|all| all.iter().any(|obligation| met.contains(obligation)))
    };
    subject.goals().iter().map(of_goal).collect()
}

fn goal_records(subject: &dyn Subject, by_goal: &[Vec<u32>], half: &[bool]) -> Vec<GoalRecord> {
    let reason = |half: bool| match half {
        true => "half covered: a given test shows one side of a pair, none the other",
        false => "no given test covers it",
    };
    let record = |((goal, by), half): ((&testcase::Goal, &Vec<u32>), &bool)| GoalRecord {
        id: goal.key.clone(),
        label: goal.label.clone(),
        location: goal.location.clone(),
        status: if by.is_empty() { Status::Unknown } else { Status::Covered },
        reason: by.is_empty().then(|| reason(*half).to_owned()),
        witness: None,
        tests: by.iter().map(|test| format!("t{}", test + 1)).collect(),
        evidence: Vec::new(),
    };
    subject.goals().iter().zip(by_goal).zip(half).map(record).collect()
}
