//! STL: signals that separate a formula from its mutants.
//!
//! Time is cut into points and open cells between them; a search problem says that a formula is surely true or surely false of a
//! signal whose propositions do not change inside cells. What such signals cannot show is looked for on finer grids, and what no
//! signal at all can show is proved with a second encoding that allows too much.

mod atoms;
mod coarse;
pub mod effort;
mod encode;
mod engine;
mod forms;
mod grid;
mod linear;
mod precheck;
mod problem;
mod prove;
mod simplify;

use indexmap::IndexMap;
use serde_json::{Value as Json, json};
use smt::Terms;
use source::{Diagnostic, Source};
use stl::goals::{Criterion, GoalOptions, Goals, Obligation, goals, untestable};
use stl::levels::Levels;
use stl::meter::Meter;
use stl::robust::robustness;
use stl::sample::Sampler;
use stl::signal::{Trace, from_json, to_json};
use stl::store::{Formula, SignalId};
use stl::{Shape, Signal, Spec};
use testcase::{Goal, Inputs, ObligationId, TestCase};
use value::Sort;

pub use precheck::precheck;

use search::{Abilities, Encodes, Simplifies};
use search::{Backend, Options, SearchError, Strategy};
use search::{Bound, Problem, Reason, Replay, Replayed, Searcher, Subject, Witness};

/// A formula with the goals of a criterion.
pub struct StlSubject {
    /// What is searched and proved: the same meaning in fewer operators.
    spec: Spec,
    goals: Goals,
    /// What is judged: the formula as it is written, and the goals as they were made of it.
    judged: Judged,
}

struct Judged {
    spec: Spec,
    goals: Goals,
}

/// Mutants with more operators than this in all are judged in fewer operators, as they are searched.
const MOST_OPERATORS: usize = 50_000;

impl StlSubject {
    /// The formula of `spec` with the goals of a criterion.
    ///
    /// # Errors
    /// When there are too many goals, or tests cannot be drawn for the formula.
    pub fn new(
        source: &Source,
        spec: &Spec,
        criterion: Criterion,
        options: &GoalOptions,
    ) -> Result<StlSubject, Vec<Diagnostic>> {
        let subject = StlSubject::unchecked(source, spec, criterion, options)?;
        match untestable(source, &subject.spec, &subject.goals) {
            Some(error) => Err(vec![error]),
            None => Ok(subject),
        }
    }

    /// As [`StlSubject::new`], for listing goals and judging signals only.
    ///
    /// # Errors
    /// When there are too many goals.
    pub fn unchecked(
        source: &Source,
        spec: &Spec,
        criterion: Criterion,
        options: &GoalOptions,
    ) -> Result<StlSubject, Vec<Diagnostic>> {
        let mut spec = spec.clone();
        let mut goals = goals(source, &mut spec, criterion, options)?;
        let (formula, written) = (spec.formula, goals.clone());
        let roots: Vec<Formula> = std::iter::once(spec.formula).chain(goals.formulas()).collect();
        let mut images = stl::collapsed(&mut spec.store, &roots).into_iter();
        spec.formula = images.next().expect("an image for each");
        for (obligation, image) in goals.obligations.iter_mut().zip(images) {
            let (Obligation::Differ(formula) | Obligation::Hold { predicate: formula, .. }) = obligation;
            *formula = image;
        }
        let few = spec.store.below(&roots).len() <= MOST_OPERATORS;
        let judged =
            Judged { spec: Spec { formula, ..spec.clone() }, goals: if few { written } else { goals.clone() } };
        Ok(StlSubject { spec, goals, judged })
    }

    /// The formula, its mutants and whatever else the goals are about.
    pub fn spec(&self) -> &Spec {
        &self.judged.spec
    }

    /// The goals with their mutants.
    pub fn goals_of(&self) -> &Goals {
        &self.judged.goals
    }

    /// The formula and those of all goals, as they are searched.
    fn formulas(&self) -> Vec<Formula> {
        std::iter::once(self.spec.formula).chain(self.goals.formulas()).collect()
    }

    fn inputs(&self, trace: &Trace) -> Inputs {
        Inputs::Document(to_json(&self.spec, trace))
    }

    fn trace(&self, inputs: &Inputs) -> Result<Trace, String> {
        match inputs {
            Inputs::Document(json) => from_json(&self.spec, json),
            Inputs::Assignment(_) => Err("a test is a signal".into()),
        }
    }
}

impl Subject for StlSubject {
    fn goals(&self) -> &[Goal] {
        &self.goals.goals
    }

    fn obligation_count(&self) -> usize {
        self.goals.obligations.len()
    }

    fn searcher<'a>(&'a self, backend: &'a Backend, options: &Options) -> Result<Searcher<'a>, SearchError> {
        Ok(match options.strategy {
            Strategy::Each | Strategy::Soft => {
                Searcher::Engine(Box::new(engine::StlEngine::new(self, backend, options)))
            }
            // The other strategies pose queries of their own, on the coarsest grid.
            Strategy::Simple | Strategy::Hard | Strategy::Iterative | Strategy::Groupwise => Searcher::Terms(self),
            Strategy::Incremental | Strategy::Growing => Searcher::Terms(self),
        })
    }

    fn replay(&self) -> Box<dyn Replay + '_> {
        Box::new(StlReplay { subject: self, meter: Meter::new(&self.judged.spec, &self.judged.goals) })
    }

    fn random_inputs(&self, seed: u64, count: usize, _bound: Bound) -> Vec<Inputs> {
        let formulas = self.goals.formulas();
        let mut sampler = Sampler::new(&self.spec, &formulas, seed);
        (0..count).map(|_| self.inputs(&sampler.draw())).collect()
    }

    fn abilities(&self) -> Abilities<'_> {
        Abilities { encodes: Some(self), simplifies: Some(self), ..Abilities::default() }
    }
}

impl Simplifies for StlSubject {
    fn simplify_for(&self, inputs: Inputs, obligations: &[ObligationId]) -> Inputs {
        match self.trace(&inputs) {
            Ok(trace) => self.inputs(&simplify::calm(self, &trace, obligations)),
            Err(_) => inputs,
        }
    }
}

impl Encodes for StlSubject {
    fn encode(&self, terms: &mut Terms, bound: Bound) -> Option<Box<dyn Problem + '_>> {
        grid::Grid::size(&self.spec, &self.formulas())?;
        let level = bound.0.saturating_sub(1).min(engine::FINEST);
        Some(Box::new(problem::StlProblem::new(terms, self, level)))
    }

    fn explain(&self, obligation: ObligationId, _core: &[Reason]) -> String {
        engine::impossible(&self.goals.obligations[obligation.0 as usize]).to_owned()
    }
}

/// The judge: the exact monitor.
struct StlReplay<'a> {
    subject: &'a StlSubject,
    meter: Meter<'a>,
}

impl Replay for StlReplay<'_> {
    fn run(&mut self, inputs: &Inputs) -> Replayed {
        let spec = &self.subject.judged.spec;
        let trace = match self.subject.trace(inputs) {
            Ok(trace) => trace,
            Err(objection) => {
                let test = TestCase { inputs: inputs.clone(), expected: IndexMap::new(), notes: IndexMap::new() };
                return Replayed { test, met: Vec::new(), objection: Some(objection) };
            }
        };
        let measured = self.meter.add(&trace);
        let expected = IndexMap::from([("holds".to_owned(), Json::Bool(measured.holds))]);
        let mut notes =
            IndexMap::from([("kind".to_owned(), json!(if measured.holds { "positive" } else { "negative" }))]);
        let distance = robustness(&spec.store, &trace, spec.formula, measured.holds);
        if distance.is_finite() {
            // Rounded, so that it does not depend on the order of operations.
            notes.insert("robustness".to_owned(), json!((distance * 1e6).round() / 1e6));
        }
        let thresholds = thresholds(spec);
        if !thresholds.is_empty() {
            notes.insert("thresholds".to_owned(), Json::Object(thresholds));
        }
        Replayed { test: TestCase { inputs: inputs.clone(), expected, notes }, met: measured.new, objection: None }
    }

    fn witnesses(&self) -> Vec<Witness> {
        let mut witnesses = Vec::new();
        for (place, tests) in self.meter.witnesses().iter().enumerate() {
            let obligation = ObligationId(place as u32);
            witnesses.extend(tests.iter().map(|&test| Witness { obligation, tests: vec![test] }));
        }
        witnesses
    }
}

/// The numbers each real signal is compared with, for charts.
fn thresholds(spec: &Spec) -> serde_json::Map<String, Json> {
    let mut all = serde_json::Map::new();
    let has_numbers = |signal: &Signal| signal.sort == Sort::Real && !matches!(signal.shape, Shape::Named(_));
    for (place, signal) in spec.signals.iter().enumerate().filter(|(_, signal)| has_numbers(signal)) {
        let levels = Levels::of(&spec.store, &[spec.formula], SignalId(place as u32));
        let numbers = levels.thresholds.iter().map(|number| Json::String(stl::write_number(number)));
        all.insert(signal.name.clone(), Json::Array(numbers.collect()));
    }
    all
}
