//! The judge of tests: follows a test through the model and tells which mutants it would show.

use std::sync::Arc;

use action::Machine;
use action::interp::Interpreter;
use action::trace::{Label, Step};
use indexmap::IndexMap;
use rayon::prelude::*;
use serde_json::{Value as Json, json};
use testcase::{Inputs, ObligationId, TestCase};

use super::campaign::Relation;
use super::document::Trial;
use super::engine::shows;
use super::observe::{allowed_points, end_of};
use super::refine::unsafe_steps;
use super::subject::ActionSubject;
use super::verdict::Seen;
use crate::subject::{Replay, Replayed, Witness};

/// What a mutant does wrong in one state: the labels of its steps that the model cannot make.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Weakness {
    labels: Vec<Label>,
}

pub(super) struct Judge<'a> {
    subject: &'a ActionSubject<'a>,
    interpreter: Interpreter,
    /// The mutants each test shows.
    shown: Vec<Vec<u32>>,
}

impl<'a> Judge<'a> {
    pub(super) fn new(subject: &'a ActionSubject<'a>) -> Judge<'a> {
        Judge { subject, interpreter: Interpreter::new(subject.spec), shown: Vec::new() }
    }

    /// The states along a trace, the initial one first; or why it is impossible.
    fn follow(&mut self, trial: &Trial) -> Result<Vec<Vec<i64>>, String> {
        let mut states = vec![self.subject.spec.initial().to_vec()];
        for seen in &trial.trace {
            let state = &states[states.len() - 1];
            let next = match seen {
                Seen::Step(step) => {
                    let allowed = self.interpreter.allows(state, step).map_err(|_| "too many ways".to_owned())?;
                    allowed.then(|| step.post.clone())
                }
                Seen::Observed(label) => {
                    let after = self.interpreter.after(state, label).map_err(|_| "too many ways".to_owned())?;
                    if 1 < after.len() {
                        return Err(format!("`{label}` leads to several states: the test must name one"));
                    }
                    after.into_iter().next()
                }
                Seen::Silence => Some(state.clone()),
            };
            states.push(next.ok_or_else(|| format!("the model cannot do `{seen}` after {} steps", states.len() - 1))?);
        }
        Ok(states)
    }

    /// The mutants that a test shows by a step from one of the states along it.
    fn shown_by_steps(&self, trial: &Trial, states: &[Vec<i64>]) -> Vec<u32> {
        let mut shown = vec![false; self.subject.entries.len()];
        for (position, state) in states.iter().enumerate() {
            let next = match trial.trace.get(position) {
                Some(Seen::Step(Step { label, .. }) | Seen::Observed(label)) => Some(label),
                Some(Seen::Silence) => None,
                None => trial.then.as_ref(),
            };
            let weaknesses = self.weaknesses(state);
            for (mutant, weakness) in weaknesses.iter().enumerate() {
                // What the system does by itself may be seen at any time; an input only if the test gives it.
                let visible = |label: &Label| !self.subject.is_input(label) || next == Some(label);
                shown[mutant] |= weakness.labels.iter().any(visible);
            }
        }
        (0u32..).zip(shown).filter(|(_, shown)| *shown).map(|(mutant, _)| mutant).collect()
    }

    /// What each mutant does wrong in a state, remembered for all tests.
    fn weaknesses(&self, state: &[i64]) -> Arc<Vec<Weakness>> {
        let known =
            self.subject.weaknesses.lock().expect("no judge panics while it holds the lock").get(state).cloned();
        if let Some(known) = known {
            return known;
        }
        let found: Vec<Weakness> =
            (0..self.subject.entries.len()).into_par_iter().map(|mutant| self.weakness(mutant, state)).collect();
        let found = Arc::new(found);
        let mut all = self.subject.weaknesses.lock().expect("no judge panics while it holds the lock");
        all.insert(state.to_vec(), found.clone());
        found
    }

    fn weakness(&self, mutant: usize, state: &[i64]) -> Weakness {
        let Some(pair) = self.subject.pair(mutant) else { return Weakness::default() };
        let mut machines = (Machine::default(), Machine::default());
        let bad = unsafe_steps(pair, &mut machines, state, &self.subject.limits).unwrap_or_default();
        let mut labels: Vec<Label> = bad.into_keys().map(|step| step.label).collect();
        labels.dedup();
        Weakness { labels }
    }

    fn shown_by(&mut self, trial: &Trial) -> Result<Vec<u32>, String> {
        match self.subject.relation {
            Relation::Refinement => {
                let states = self.follow(trial)?;
                let mut shown = self.shown_by_steps(trial, &states);
                let others = (0u32..).zip(&self.subject.entries).map(|(mutant, _)| mutant);
                let elsewhere = |mutant: &u32| self.begins_elsewhere(*mutant as usize);
                shown.extend(others.filter(elsewhere));
                shown.sort_unstable();
                shown.dedup();
                Ok(shown)
            }
            Relation::Ioco => {
                end_of(self.subject.spec, trial)?;
                let spec = self.subject.spec;
                let all: Vec<u32> = (0..self.subject.entries.len() as u32).collect();
                let tells = |mutant: &u32| match self.subject.mutant(*mutant as usize) {
                    Ok(other) => shows(spec, &other, trial, &self.subject.limits),
                    Err(_) => false,
                };
                Ok(all.into_par_iter().filter(tells).collect())
            }
        }
    }

    /// Any test shows a mutant that begins in another state.
    fn begins_elsewhere(&self, mutant: usize) -> bool {
        self.subject.pair(mutant).is_some_and(|pair| !pair.same_start)
    }

    fn case(&mut self, inputs: &Inputs, trial: &Trial, shown: &[u32]) -> TestCase {
        let spec = self.subject.spec;
        let mut expected = IndexMap::new();
        if let Ok(end) = end_of(spec, trial) {
            expected.insert("end".to_owned(), json!(end.states));
            expected.insert("allowed".to_owned(), json!(end.allowed));
        }
        let kills: Vec<&str> = shown.iter().map(|mutant| self.subject.entries[*mutant as usize].id.as_str()).collect();
        let notes = IndexMap::from([
            ("points".to_owned(), Json::from(allowed_points(spec, trial))),
            ("kills".to_owned(), json!(kills)),
        ]);
        TestCase { inputs: inputs.clone(), expected, notes }
    }
}

impl Replay for Judge<'_> {
    fn run(&mut self, inputs: &Inputs) -> Replayed {
        let trial = match inputs {
            Inputs::Document(document) => Trial::from_json(self.subject.spec, document),
            Inputs::Assignment(_) => Err("a test of an action system is a trace".to_owned()),
        };
        let judged = trial.and_then(|trial| self.shown_by(&trial).map(|shown| (trial, shown)));
        match judged {
            Ok((trial, shown)) => {
                let is_new = |mutant: &&u32| !self.shown.iter().any(|earlier| earlier.binary_search(mutant).is_ok());
                let met = shown.iter().filter(is_new).map(|mutant| ObligationId(*mutant)).collect();
                let test = self.case(inputs, &trial, &shown);
                self.shown.push(shown);
                Replayed { test, met, objection: None }
            }
            Err(objection) => {
                self.shown.push(Vec::new());
                let test = TestCase { inputs: inputs.clone(), expected: IndexMap::new(), notes: IndexMap::new() };
                Replayed { test, met: Vec::new(), objection: Some(objection) }
            }
        }
    }

    fn witnesses(&self) -> Vec<Witness> {
        let mut witnesses: Vec<Witness> = (0u32..)
            .zip(&self.shown)
            .flat_map(|(test, shown)| {
                shown.iter().map(move |mutant| Witness { obligation: ObligationId(*mutant), tests: vec![test] })
            })
            .collect();
        witnesses.sort();
        witnesses
    }
}
