//! A model, run as an implementation that resolves its choices at random, passes its own tests; and no random test fails a
//! mutant that is said to conform.
//!
//! The driver follows the points of a test as the exported programs do, so this is also a test of what they are told.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use action::interp::Interpreter;
use action::mutate::{OperatorSet, mutants};
use action::spec::ActionKind;
use action::trace::{Label, Step, read_label};
use action::{Notation, Revision, Spec, load};
use draw_action::{ActionSubject, CampaignOptions, Entry, Limits, Origin, Relation, Way, examine};
use search::{Backend, Options, Session, Subject};
use serde_json::Value as Json;
use source::Source;
use testcase::Inputs;

/// A small generator of random numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % count as u64) as usize
    }
}

/// How an implementation answers to an input that it refuses.
#[derive(Clone, Copy, PartialEq)]
enum Manner {
    /// It says so.
    Refuses,
    /// It takes any input, and ignores those it can do nothing with.
    Ignores,
}

/// A model as an implementation.
struct System<'a> {
    spec: &'a Spec,
    interpreter: Interpreter,
    state: Vec<i64>,
    manner: Manner,
    random: Random,
}

/// Steps the implementation makes inside before somebody asks whether an output can still come.
const PATIENCE: usize = 200;

impl System<'_> {
    fn kind(&self, label: &Label) -> ActionKind {
        let kind = |name: &str| self.spec.actions()[self.spec.action_named(name).expect("known")].kind;
        let kinds: Vec<ActionKind> = label.0.iter().map(|event| kind(&event.action)).collect();
        match kinds[0] {
            ActionKind::Controllable => ActionKind::Controllable,
            _ if kinds.iter().all(|kind| *kind == ActionKind::Internal) => ActionKind::Internal,
            _ => ActionKind::Observable,
        }
    }

    fn own(&mut self) -> Vec<Step> {
        let steps = self.interpreter.steps(&self.state).expect("few ways");
        steps
            .into_iter()
            .map(|(step, _)| step)
            .filter(|step| self.kind(&step.label) != ActionKind::Controllable)
            .collect()
    }

    /// The next output; none where nothing comes. Who does not wait may or may not see one.
    fn watch(&mut self, waits: bool) -> Option<String> {
        let patience = if waits { PATIENCE } else { self.random.below(3) };
        let mut steps = 0;
        loop {
            if steps == patience {
                if !waits || self.is_silent() {
                    return None;
                }
                steps = 0;
            }
            steps += 1;
            let own = self.own();
            if own.is_empty() {
                return None;
            }
            let step = own[self.random.below(own.len())].clone();
            self.state = step.post;
            if self.kind(&step.label) == ActionKind::Observable {
                return Some(step.label.to_string());
            }
        }
    }

    /// Whether internal steps only go round among states without outputs.
    fn is_silent(&mut self) -> bool {
        let here = self.state.clone();
        let (mut seen, mut open) = (BTreeSet::from([here.clone()]), vec![here.clone()]);
        let mut silent = true;
        while let Some(state) = open.pop().filter(|_| silent) {
            self.state = state;
            for step in self.own() {
                silent &= self.kind(&step.label) != ActionKind::Observable;
                if seen.insert(step.post.clone()) {
                    open.push(step.post);
                }
            }
        }
        self.state = here;
        silent
    }

    /// Whether the input was taken; nothing where the system does not tell.
    fn give(&mut self, label: &str) -> Option<bool> {
        let label = read_label(label).expect("a label");
        let posts: Vec<Vec<i64>> = self.interpreter.after(&self.state, &label).expect("few ways").into_iter().collect();
        match posts.len() {
            0 => (self.manner == Manner::Refuses).then_some(false),
            count => {
                self.state = posts[self.random.below(count)].clone();
                (self.manner == Manner::Refuses).then_some(true)
            }
        }
    }

    fn numbers(&self) -> String {
        self.state.iter().map(i64::to_string).collect::<Vec<_>>().join(" ")
    }
}

/// Why a test does not pass.
enum End {
    Failed(String),
    Inconclusive,
}

fn covers(pattern: &str, label: &str) -> bool {
    let Some((name, rest)) = pattern.split_once('(') else { return pattern == label };
    let inner =
        label.strip_prefix(name).and_then(|rest| rest.strip_prefix('(')).and_then(|rest| rest.strip_suffix(')'));
    let between = |value: i64| {
        let (low, high) = rest.strip_suffix(')')?.split_once("..")?;
        Some((low.parse::<i64>().ok()?..=high.parse().ok()?).contains(&value))
    };
    pattern == label || inner.is_some_and(|inner| rest == "*)" || inner.parse().ok().and_then(between).unwrap_or(false))
}

fn allowed(patterns: &[&str], seen: Option<&str>) -> bool {
    patterns.iter().any(|pattern| covers(pattern, seen.unwrap_or("(silence)")))
}

fn texts<'a>(point: &'a Json, name: &str) -> Vec<&'a str> {
    point[name].as_array().map(|list| list.iter().filter_map(Json::as_str).collect()).unwrap_or_default()
}

fn unexpected(patterns: &[&str], seen: Option<&str>, wanted: &str) -> End {
    let shown = seen.unwrap_or("nothing");
    if allowed(patterns, seen) { End::Inconclusive } else { End::Failed(format!("{shown} instead of {wanted}")) }
}

fn check_state(system: &System<'_>, point: &Json, label: &str, wanted: &str) -> Result<(), End> {
    let Some(states) = point["steps"].get(label).and_then(Json::as_array) else { return Ok(()) };
    let now = system.numbers();
    if !states.iter().any(|state| *state == now) {
        return Err(End::Failed(format!("after {label} the state is {now}, not one of {states:?}")));
    }
    if wanted.is_empty() || wanted == now { Ok(()) } else { Err(End::Inconclusive) }
}

fn give(system: &mut System<'_>, point: &Json, label: &str) -> Result<(), End> {
    let taken = system.give(label);
    if point["refusable"] == true && taken != Some(true) {
        return Err(End::Inconclusive);
    }
    if taken == Some(false) { Err(End::Failed(format!("the system refuses {label}"))) } else { Ok(()) }
}

/// Follows the points of a test; states are looked at only where they are part of the relation.
fn follow(system: &mut System<'_>, points: &[Json], states: bool) -> Result<(), End> {
    for point in points {
        let text = |name: &str| point[name].as_str().unwrap_or_default();
        let (label, patterns) = (text("label"), texts(point, "allowed"));
        let look = |system: &System<'_>, label: &str, wanted: &str| {
            if states { check_state(system, point, label, wanted) } else { Ok(()) }
        };
        match text("kind") {
            "internal" => {}
            "input" => {
                if let Some(early) = system.watch(false) {
                    return Err(unexpected(&patterns, Some(&early), label));
                }
                give(system, point, label)?;
                look(system, label, text("state"))?;
            }
            "output" => {
                let seen = system.watch(true);
                if seen.as_deref() != Some(label) {
                    return Err(unexpected(&patterns, seen.as_deref(), label));
                }
                look(system, label, text("state"))?;
            }
            "silence" => {
                if let Some(seen) = system.watch(true) {
                    return Err(unexpected(&patterns, Some(&seen), "silence"));
                }
            }
            "watch" => {
                let seen = system.watch(true);
                if !allowed(&patterns, seen.as_deref()) {
                    return Err(End::Failed(format!("{seen:?} at the end, not one of {patterns:?}")));
                }
                look(system, seen.as_deref().unwrap_or("(silence)"), "")?;
            }
            "try" => {
                if let Some(early) = system.watch(false) {
                    return Err(unexpected(&patterns, Some(&early), label));
                }
                if point["steps"][label].as_array().is_none_or(Vec::is_empty) {
                    if system.give(label) == Some(true) {
                        return Err(End::Failed(format!("the system takes {label}, which the model refuses")));
                    }
                    continue;
                }
                give(system, point, label)?;
                look(system, label, "")?;
                let (after, seen) = (texts(point, "after"), system.watch(true));
                if !allowed(&after, seen.as_deref()) {
                    return Err(End::Failed(format!("{seen:?} after {label}, not one of {after:?}")));
                }
            }
            other => panic!("a point of the kind {other}"),
        }
    }
    Ok(())
}

fn entries(spec: &Spec, notation: Notation, most: usize) -> Vec<Entry> {
    let all = mutants(spec, &OperatorSet::all(), notation);
    let stride = all.len().div_ceil(most).max(1);
    all.into_iter()
        .step_by(stride)
        .map(|mutant| Entry {
            id: mutant.id.clone(),
            label: mutant.describe(),
            location: None,
            action: mutant.action().to_owned(),
            origin: Origin::Made(mutant),
        })
        .collect()
}

/// The tests of a suite: inputs, and points for the driver.
fn suite(subject: &ActionSubject<'_>) -> Vec<(Inputs, Vec<Json>)> {
    let options = Options::default();
    let backend = Backend::new(&options);
    let mut session = Session::new(subject, &backend, options).expect("a session");
    while session.pull().expect("no disagreement").is_some() {}
    let outcome = session.finish().expect("no disagreement");
    outcome.tests.iter().map(|test| points(subject, &test.test().inputs)).collect()
}

fn points(subject: &ActionSubject<'_>, inputs: &Inputs) -> (Inputs, Vec<Json>) {
    let replayed = subject.replay().run(inputs);
    assert_eq!(replayed.objection, None);
    (inputs.clone(), replayed.test.notes["points"].as_array().expect("a list").clone())
}

/// Runs tests against a system; how many ended in pass and how many in no verdict.
fn passes(
    name: &str,
    system: &Spec,
    manner: Manner,
    tests: &[(Inputs, Vec<Json>)],
    states: bool,
    seed: u64,
) -> [usize; 2] {
    let mut counts = [0, 0];
    for (number, (inputs, points)) in tests.iter().enumerate() {
        for run in 0..8 {
            let mut system = System {
                spec: system,
                interpreter: Interpreter::new(system),
                state: system.initial().to_vec(),
                manner,
                random: Random(seed ^ ((number * 64 + run) as u64) << 20),
            };
            match follow(&mut system, points, states) {
                Ok(()) => counts[0] += 1,
                Err(End::Inconclusive) => counts[1] += 1,
                Err(End::Failed(why)) => panic!("{name} fails {}: {why}", inputs.to_json()),
            }
        }
    }
    counts
}

const RELATIONS: [(Relation, bool); 2] = [(Relation::Refinement, true), (Relation::Ioco, false)];

fn folder(name: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name);
    let listing = std::fs::read_dir(root).expect("the folder is there");
    let mut paths: Vec<PathBuf> = listing.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "as" || extension == "pl"));
    paths.sort();
    paths
}

#[test]
fn every_shipped_model_passes_its_own_suite() {
    let mut models = 0;
    for path in
        ["examples/action", "examples/action/units", "corpus/action/accept", "corpus/action/run"].map(folder).concat()
    {
        let text = std::fs::read_to_string(&path).expect("readable");
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let notation = Notation::from_extension(extension).expect("a notation");
        let name = path.display().to_string();
        let (spec, _) = load(&Source::new(&name, text), notation).unwrap_or_else(|errors| panic!("{name}: {errors:?}"));
        for (relation, states) in RELATIONS {
            // Large models are looked at to a small depth.
            let limits = Limits { depth: Some(5), states: 3_000, ..Limits::default() };
            let subject = ActionSubject::new(&spec, entries(&spec, notation, 24), relation, Way::Explicit, limits);
            let tests = suite(&subject);
            for manner in [Manner::Refuses, Manner::Ignores] {
                passes(&name, &spec, manner, &tests, states, 1);
            }
        }
        models += 1;
    }
    assert!(25 <= models, "{models} models");
}

/// A random model whose actions are inputs, outputs or internal at random.
fn random_model(seed: u64) -> Option<Spec> {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5eed);
    let mut choices = testkit::Choices::seeded(seed, 400);
    let text = testkit::actions::model(&mut choices);
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines.retain(|line| !line.starts_with("input ") && !line.starts_with("internal "));
    let actions: Vec<String> = lines
        .iter()
        .filter_map(|line| line.strip_prefix("action "))
        .map(|rest| rest.split([' ', '(']).next().unwrap_or_default().to_owned())
        .collect();
    let place = lines.iter().position(|line| line.starts_with("do ")).expect("a do-od block");
    for action in actions {
        match random.below(5) {
            0 | 1 => lines.insert(place, format!("input {action};")),
            2 => lines.insert(place, format!("internal {action};")),
            _ => {}
        }
    }
    load(&Source::new("random.as", lines.join("\n")), Notation::Native).ok().map(|(spec, _)| spec)
}

/// The seeds of the random models that are looked at: `SPECIMEN_RANDOM_MODELS` says how many, `SPECIMEN_SEED` where to begin.
fn random_models() -> std::ops::Range<u64> {
    let number =
        |name: &str, otherwise| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise);
    let first = number("SPECIMEN_SEED", 0);
    first..first + number("SPECIMEN_RANDOM_MODELS", 40)
}

#[test]
fn random_models_pass_their_own_suites_and_fail_no_conforming_mutant() {
    let (mut models, mut conforming, mut counts) = (0usize, 0, [0usize; 2]);
    for seed in random_models() {
        let Some(spec) = random_model(seed) else { continue };
        models += 1;
        let name = format!("random model {seed}");
        for (relation, states) in RELATIONS {
            let limits = Limits { states: 2_000, ..Limits::default() };
            let all = entries(&spec, Notation::Native, 8);
            let revision = Revision::of(&spec);
            let made: Vec<Result<Spec, String>> = all
                .iter()
                .map(|entry| match &entry.origin {
                    Origin::Made(mutant) => mutant.spec(&revision).ok_or_else(|| "none".to_owned()),
                    Origin::Read { .. } => Err("none".to_owned()),
                })
                .collect();
            let subject = ActionSubject::new(&spec, all, relation, Way::Explicit, limits.clone());
            let mut tests = suite(&subject);
            tests
                .extend(subject.random_inputs(seed, 8, search::Bound(0)).iter().map(|inputs| points(&subject, inputs)));
            for manner in [Manner::Refuses, Manner::Ignores] {
                let more = passes(&name, &spec, manner, &tests, states, seed);
                counts = [counts[0] + more[0], counts[1] + more[1]];
            }
            let options = CampaignOptions { relation, limits, jobs: 1 };
            let campaign = examine(&spec, made.len(), &|index| made[index].clone(), &options).expect("confirmed");
            for (number, (mutant, one)) in made.iter().zip(&campaign.examined).enumerate() {
                let proved = one.verdict.conformance().is_some_and(|claim| claim.depth().is_none());
                if let (Ok(mutant), true) = (mutant, proved) {
                    conforming += 1;
                    // A refinement may do less than any test waits for, and input-output conformance takes every input.
                    if relation == Relation::Ioco {
                        let name = format!("conforming mutant {number} of {name}");
                        passes(&name, mutant, Manner::Ignores, &tests, false, seed + 1);
                    }
                }
            }
        }
    }
    assert!(random_models().count() / 2 <= models, "{models} models");
    assert!(models <= conforming, "{conforming} conforming mutants");
    assert!(0 < counts[0] && 0 < counts[1], "{counts:?}");
}
