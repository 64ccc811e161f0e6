//! What a suite is worth: which of many changed specifications its tests tell from the one it was drawn from.
//!
//! A changed text is loaded as any specification is, and its interpreter runs the tests. A difference in what a test expects is what a
//! user would see if the system under test were built like the changed text.

use std::collections::BTreeMap;
use std::path::Path;

use search::{Bound, Replay, Subject};
use serde_json::{Value as Json, json};
use smt::Interrupt;
use source::Source;
use testcase::{Inputs, Location, ObligationId, Suite};

use crate::failure::Failure;
use crate::faults::{self, Fault};
use crate::front_end::{Asked, Model};
use crate::input;
use crate::options::ReadingArguments;
use crate::output::Output;
use crate::specification::Specification;
use crate::tests_file::GivenTest;

/// What became of a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// A test of the suite shows it; tests count from 0.
    By(usize),
    /// No test of the suite shows it, but these inputs do.
    Missed(Json),
    /// No test shows it, and so many random runs do not either: it may change nothing.
    Unseen(usize),
}

/// A fault and what became of it.
#[derive(Clone, Debug)]
pub struct Assessed {
    /// The fault.
    pub fault: Fault,
    /// What became of it.
    pub found: Found,
    /// Whether as many random runs as there are tests show it.
    pub by_chance: bool,
}

/// An assessment.
#[derive(Clone, Debug, Default)]
pub struct Assessment {
    /// The faults that are specifications, in order.
    pub faults: Vec<Assessed>,
    /// Changed texts that are not, by name.
    pub invalid: Vec<String>,
    /// Whether every fault was tried.
    pub complete: bool,
}

/// What is asked of an assessment.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// Random runs against a fault that no test shows.
    pub runs: usize,
    /// Their seed.
    pub seed: u64,
}

/// The faults that are planted in a specification where tests of a suite can come to.
pub fn planted(specification: &Specification, suite: &Suite) -> Result<Vec<Fault>, Failure> {
    refuse_strategies(specification)?;
    let unknown = || {
        Failure::Usage("no faults are planted in this notation; `--variants FOLDER` takes them from files".to_owned())
    };
    let syntax = specification.language.front().faults().ok_or_else(unknown)?;
    let mut faults = faults::plant(specification.model.source(), syntax);
    if let Some(lines) = specification.model.lines(&Asked::of_suite(suite))? {
        let is_reached = |place: &Location| lines.iter().any(|lines| lines.contains(&place.line));
        faults.retain(|fault| fault.location.as_ref().is_some_and(is_reached));
    }
    Ok(faults)
}

/// Strategies are tried on implementations: what they do on another specification says nothing.
fn refuse_strategies(specification: &Specification) -> Result<(), Failure> {
    match specification.language.front().is_driven() {
        true => Err(Failure::Usage(
            "strategies are tried on mutants of an implementation, not of the specification: `specimen mutants FILE \
             --implementation CIRCUIT` does that"
                .to_owned(),
        )),
        false => Ok(()),
    }
}

/// The files of a folder as changed texts, in the order of names: those with the extension of the specification.
pub fn variants(specification: &Specification, folder: &Path) -> Result<Vec<Fault>, Failure> {
    refuse_strategies(specification)?;
    let cannot = |error: std::io::Error| input::cannot("read", folder, &error);
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(cannot)? {
        let path = entry.map_err(cannot)?.path();
        let extension = path.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
        if path.is_file() && extension.as_deref() == Some(specification.language.extension()) {
            paths.push(path);
        }
    }
    paths.sort();
    if paths.is_empty() {
        let extension = specification.language.extension();
        return Err(Failure::Environment(format!("no file in {} ends with .{extension}", folder.display())));
    }
    let read = |path: &std::path::PathBuf| {
        let id = input::file_name(path);
        let text = String::from_utf8_lossy(&input::read(path)?).into_owned();
        Ok(Fault { words: format!("the text of {id}"), id, operator: "file", location: None, text })
    };
    paths.iter().map(read).collect()
}

/// Tries the tests of a suite on every fault.
pub fn assess(
    specification: &Specification,
    suite: &Suite,
    tests: &[GivenTest],
    faults: Vec<Fault>,
    terms: Terms,
    interrupt: &Interrupt,
) -> Result<Assessment, Failure> {
    let quiet = Output::collecting().0;
    let asked = Asked::of_suite(suite);
    if let Some(rivals) = specification.model.rivals(&asked, &faults)? {
        return Ok(among_goals(&*rivals, tests, faults, terms));
    }
    let reading = ReadingArguments::of_suite(suite)?;
    let subject = specification.model.subject(&quiet, &asked)?;
    let bound = Bound(suite.bound.and_then(|bound| u32::try_from(bound).ok()).unwrap_or(0));
    let random = subject.random_inputs(terms.seed, terms.runs, bound);
    let given = Runs::of(&*subject, tests.iter().map(|test| &test.inputs));
    let attacks = Runs::of(&*subject, &random);
    let mut assessment = Assessment { complete: true, ..Assessment::default() };
    for fault in faults {
        if interrupt.is_raised() {
            assessment.complete = false;
            break;
        }
        let Some(changed) = changed(specification, &quiet, &fault, &reading) else {
            assessment.invalid.push(fault.id);
            continue;
        };
        let Ok(rival) = changed.subject(&quiet, &asked) else {
            assessment.invalid.push(fault.id);
            continue;
        };
        let run = attacks.differing(&*changed, &*rival);
        let found = match (given.differing(&*changed, &*rival), run) {
            (Some(test), _) => Found::By(test),
            (None, Some(run)) => Found::Missed(attacks.inputs[run].clone()),
            (None, None) => Found::Unseen(random.len()),
        };
        let by_chance = run.is_some_and(|run| run < tests.len());
        assessment.faults.push(Assessed { fault, found, by_chance });
    }
    Ok(assessment)
}

/// The same where changed texts are goals, which the judge of the language holds tests against: systems that have a choice are not told
/// apart by what one run of them shows.
fn among_goals(rivals: &dyn Subject, tests: &[GivenTest], faults: Vec<Fault>, terms: Terms) -> Assessment {
    let first = |inputs: &[Inputs]| {
        let mut replay = rivals.replay();
        for inputs in inputs {
            replay.run(inputs);
        }
        let mut first: BTreeMap<ObligationId, usize> = BTreeMap::new();
        for witness in replay.witnesses() {
            let test = witness.tests.iter().max().map_or(0, |test| *test as usize);
            first.entry(witness.obligation).and_modify(|known| *known = test.min(*known)).or_insert(test);
        }
        first
    };
    let given: Vec<Inputs> = tests.iter().map(|test| test.inputs.clone()).collect();
    let random = rivals.random_inputs(terms.seed, terms.runs, Bound(0));
    let (by_tests, by_runs) = (first(&given), first(&random));
    let mut assessment = Assessment { complete: true, ..Assessment::default() };
    for fault in faults {
        let Some(goal) = rivals.goals().iter().find(|goal| goal.key == fault.id) else {
            assessment.invalid.push(fault.id);
            continue;
        };
        let met = |first: &BTreeMap<ObligationId, usize>| {
            goal.alternatives.iter().flatten().find_map(|obligation| first.get(obligation).copied())
        };
        let run = met(&by_runs);
        let found = match (met(&by_tests), run) {
            (Some(test), _) => Found::By(test),
            (None, Some(run)) => Found::Missed(random[run].to_json()),
            (None, None) => Found::Unseen(random.len()),
        };
        let by_chance = run.is_some_and(|run| run < tests.len());
        assessment.faults.push(Assessed { fault, found, by_chance });
    }
    assessment
}

/// A changed text as a specification, if it is one.
fn changed(
    specification: &Specification,
    quiet: &Output,
    fault: &Fault,
    reading: &ReadingArguments,
) -> Option<Box<dyn Model>> {
    let source = Source::new(specification.model.source().name(), fault.text.clone());
    specification.language.front().load_changed(&specification.reader, quiet, source, reading).ok()
}

/// Inputs, and what the specification does with each.
struct Runs {
    inputs: Vec<Json>,
    outcomes: Vec<Json>,
}

impl Runs {
    fn of<'a>(subject: &dyn Subject, inputs: impl IntoIterator<Item = &'a Inputs>) -> Runs {
        let mut replay = subject.replay();
        let mut runs = Runs { inputs: Vec::new(), outcomes: Vec::new() };
        for inputs in inputs {
            runs.inputs.push(inputs.to_json());
            runs.outcomes.push(outcome(&mut *replay, inputs));
        }
        runs
    }

    /// The first inputs with which a changed specification does something else. Inputs that it does not understand show it, too.
    fn differing(&self, changed: &dyn Model, rival: &dyn Subject) -> Option<usize> {
        let mut replay = rival.replay();
        (0..self.inputs.len()).find(|&at| match changed.read_inputs(&self.inputs[at]) {
            Ok(inputs) => outcome(&mut *replay, &inputs) != self.outcomes[at],
            Err(_) => true,
        })
    }
}

/// What a run shows to somebody outside: what it expects, or that it is not allowed.
fn outcome(replay: &mut dyn Replay, inputs: &Inputs) -> Json {
    let replayed = replay.run(inputs);
    match replayed.objection {
        Some(_) => Json::Null,
        None => json!(replayed.test.expected),
    }
}
