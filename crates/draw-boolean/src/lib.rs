//! Boolean decisions as a [`Subject`]: encodings, constructions of small suites, explanations.

mod behaviours;
mod copy;
mod couple;
pub mod effort;
mod encode;
mod explain;
mod grow;
mod precheck;
mod reason;
mod simplify;
mod smallest;

use boolean::border::{exchanged, to_the_border};
use boolean::goals::Goals;
use boolean::interp::{Assignment, Interpreter, decides};
use boolean::meter::Meter;
use boolean::obligation::Obligation;
use boolean::sample::Sampler;
use boolean::{Decision, Spec};
use indexmap::IndexMap;
use serde_json::Value as Json;
use smt::Terms;
use testcase::{Goal, GoalId, Inputs, ObligationId, TestCase};
use value::Value;

pub use couple::{Coupling, CouplingKind, couplings};
pub use precheck::precheck;

use search::{Abilities, Behaviours, Constructs, Encodes, Simplifies, Smallest};
use search::{Backend, Options, SearchError};
use search::{Bound, Problem, Reason, Replay, Replayed, Searcher, Subject, Witness};

/// One decision with the goals of a criterion.
pub struct BooleanSubject<'a> {
    spec: &'a Spec,
    number: usize,
    goals: Goals,
    interpreter: Interpreter<'a>,
    /// Whether tests keep the simplest values, instead of those on the borders of comparisons.
    small: bool,
}

impl<'a> BooleanSubject<'a> {
    /// The decision at position `decision` of `spec`, with goals made for it.
    pub fn new(spec: &'a Spec, decision: usize, goals: Goals) -> BooleanSubject<'a> {
        BooleanSubject { spec, number: decision, goals, interpreter: Interpreter::new(spec, decision), small: false }
    }

    /// The same with the simplest values in tests, wherever they lie.
    #[must_use]
    pub fn with_small_values(mut self) -> BooleanSubject<'a> {
        self.small = true;
        self
    }

    /// The inputs that assign `values` to the variables, in order of declaration.
    pub fn inputs(&self, values: Assignment) -> Inputs {
        inputs(self.spec, values)
    }

    fn decision(&self) -> &'a Decision {
        &self.spec.decisions[self.number]
    }

    /// The tests with some of them exchanged for others that show more, such that everything stays covered.
    fn exchanged(&self, tests: Vec<Assignment>, stays: &[bool]) -> Vec<Assignment> {
        let met = |tests: &[Assignment]| {
            let mut meter = Meter::brief(self.spec, self.number, &self.goals);
            tests.iter().for_each(|values| {
                meter.add(values);
            });
            meter
        };
        let before = met(&tests);
        let keeps = |tests: &[Assignment]| {
            let after = met(tests);
            let stays_covered = |(number, goal): (u32, &Goal)| match goal.alternatives.as_slice() {
                [_] => !before.is_covered(GoalId(number)) || after.is_covered(GoalId(number)),
                // Which of several alternatives counts may depend on what is possible: none is lost.
                several => several.iter().flatten().all(|one| !before.is_met(*one) || after.is_met(*one)),
            };
            (0u32..).zip(&self.goals.goals).all(stays_covered)
        };
        let cost = tests.len() as u64 * (self.spec.exprs.len() + self.goals.obligations.len()) as u64;
        exchanged(self.spec, self.number, tests, stays, &keeps, cost)
    }

    fn has_boundaries(&self) -> bool {
        self.goals.obligations.iter().any(|obligation| matches!(obligation, Obligation::Boundary { .. }))
    }
}

impl Subject for BooleanSubject<'_> {
    fn goals(&self) -> &[Goal] {
        &self.goals.goals
    }

    fn obligation_count(&self) -> usize {
        self.goals.obligations.len()
    }

    fn searcher<'s>(&'s self, _backend: &'s Backend, _options: &Options) -> Result<Searcher<'s>, SearchError> {
        Ok(Searcher::Terms(self))
    }

    fn replay(&self) -> Box<dyn Replay + '_> {
        Box::new(BooleanReplay { subject: self, meter: Meter::new(self.spec, self.number, &self.goals) })
    }

    fn random_inputs(&self, seed: u64, count: usize, _bound: Bound) -> Vec<Inputs> {
        let mut sampler = Sampler::new(self.spec, seed);
        (0..count).map(|_| self.inputs(sampler.draw())).collect()
    }

    fn abilities(&self) -> Abilities<'_> {
        Abilities { encodes: Some(self), simplifies: Some(self), constructs: Some(self), ..Abilities::default() }
    }
}

impl Encodes for BooleanSubject<'_> {
    fn encode(&self, terms: &mut Terms, _bound: Bound) -> Option<Box<dyn Problem + '_>> {
        Some(Box::new(encode::BooleanProblem::new(terms, self.spec, self.decision(), &self.goals)))
    }

    fn explain(&self, obligation: ObligationId, core: &[Reason]) -> String {
        let explainer = explain::Explainer { spec: self.spec, decision: self.decision(), goals: &self.goals };
        explainer.explain(&self.goals.obligations[obligation.0 as usize], core)
    }
}

impl Simplifies for BooleanSubject<'_> {
    fn simplify(&self, inputs: Inputs) -> Inputs {
        match inputs {
            Inputs::Assignment(values) if !self.has_boundaries() => {
                let values = values.into_values().collect();
                self.inputs(simplify::simplify(self.spec, &self.interpreter, values))
            }
            other => other,
        }
    }

    fn sharpen(&self, tests: Vec<Inputs>, stays: &[bool], _: &dyn Fn() -> bool) -> Vec<Inputs> {
        if self.small || self.has_boundaries() {
            return tests;
        }
        let values = |inputs: Inputs| match inputs {
            Inputs::Assignment(values) => values.into_values().collect(),
            Inputs::Document(_) => unreachable!("the tests of a decision are assignments"),
        };
        let tests = tests.into_iter().map(values).collect();
        let moved = to_the_border(self.spec, self.number, tests, stays);
        let moved = self.exchanged(moved, stays);
        moved.into_iter().map(|values| self.inputs(values)).collect()
    }
}

impl Constructs for BooleanSubject<'_> {
    fn smallest(&self, goals: &[GoalId], backend: &Backend) -> Result<Option<Smallest>, SearchError> {
        if self.has_boundaries() {
            return Ok(None);
        }
        smallest::smallest(self.spec, self.decision(), &self.goals, goals, backend)
    }

    fn behaviours(&self, backend: &Backend) -> Result<Option<Behaviours>, SearchError> {
        if self.has_boundaries() {
            return Ok(None);
        }
        behaviours::behaviours(self.spec, self.decision(), backend)
    }
}

/// The judge of one decision: the interpreter and the meter of the language crate.
struct BooleanReplay<'a> {
    subject: &'a BooleanSubject<'a>,
    meter: Meter<'a>,
}

impl Replay for BooleanReplay<'_> {
    fn run(&mut self, inputs: &Inputs) -> Replayed {
        let Inputs::Assignment(values) = inputs else { unreachable!("the tests of a decision are assignments") };
        let values: Assignment = values.values().cloned().collect();
        let measured = self.meter.add(&values);
        let spec = self.subject.spec;
        let objection = measured
            .run
            .violated
            .first()
            .map(|&assumption| format!("they violate the assumption `{}`", spec.assumptions[assumption].label));
        let truths = |truths: &[bool]| Json::Array(truths.iter().map(|&truth| Json::Bool(truth)).collect());
        let decision = self.subject.decision();
        let deciding = decision.formula.deciding(&measured.run.conditions);
        let expected = IndexMap::from([(decision.name.clone(), Json::Bool(measured.run.outcome))]);
        let notes = IndexMap::from([
            ("conditions".to_owned(), truths(&measured.run.conditions)),
            ("deciding".to_owned(), truths(&deciding)),
        ]);
        Replayed { test: TestCase { inputs: inputs.clone(), expected, notes }, met: measured.met, objection }
    }

    fn witnesses(&self) -> Vec<Witness> {
        let witnesses = self.meter.witnesses().into_iter();
        witnesses.map(|witness| Witness { obligation: witness.obligation, tests: witness.tests }).collect()
    }
}

fn inputs(spec: &Spec, values: Assignment) -> Inputs {
    let names = spec.variables.iter().map(|variable| variable.name.clone());
    Inputs::Assignment(names.zip(values).collect::<IndexMap<String, Value>>())
}
