//! The judge of tests, as the search calls it: every test is shown to all mutants, and each is judged by the trusted half alone.

use std::collections::BTreeMap;
use std::sync::{Arc, MutexGuard};

use action::finding::{Relation, Seen};
use action::interp::Interpreter;
use action::judge::{Followed, Machines, Rival};
use action::observe::{allowed_points, end_of, state_notes};
use action::trace::{Label, Step};
use action::trial::Trial;
use indexmap::IndexMap;
use rayon::prelude::*;
use serde_json::{Value as Json, json};
use testcase::{Inputs, ObligationId, TestCase};

use super::subject::ActionSubject;
use search::{Replay, Replayed, Witness};

/// For states of the model met by tests, which mutants do something wrong there: by themselves, or on an input.
#[derive(Default)]
pub(super) struct Mistakes {
    own: BTreeMap<Vec<i64>, Arc<Vec<u32>>>,
    given: BTreeMap<(Vec<i64>, Label), Arc<Vec<u32>>>,
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
            // What the system does by itself may be seen at any time; an input only if the test gives it.
            self.own_mistakes(state).iter().for_each(|mutant| shown[*mutant as usize] = true);
            if let Some(input) = next.filter(|label| self.subject.is_input(label)) {
                self.mistakes_with(state, input).iter().for_each(|mutant| shown[*mutant as usize] = true);
            }
        }
        (0u32..).zip(shown).filter(|(_, shown)| *shown).map(|(mutant, _)| mutant).collect()
    }

    /// The mutants that do something wrong by themselves in a state, remembered for all tests.
    fn own_mistakes(&self, state: &[i64]) -> Arc<Vec<u32>> {
        if let Some(known) = self.mistakes().own.get(state).cloned() {
            return known;
        }
        let found = self.those(&|machines, rival| rival.errs_by_itself(machines, state).unwrap_or(false));
        self.mistakes().own.insert(state.to_vec(), found.clone());
        found
    }

    /// The mutants that do something wrong in a state when they are given an input.
    fn mistakes_with(&self, state: &[i64], input: &Label) -> Arc<Vec<u32>> {
        let key = (state.to_vec(), input.clone());
        if let Some(known) = self.mistakes().given.get(&key).cloned() {
            return known;
        }
        let found = self.those(&|machines, rival| rival.errs_with(machines, state, input).unwrap_or(false));
        self.mistakes().given.insert(key, found.clone());
        found
    }

    fn mistakes(&self) -> MutexGuard<'_, Mistakes> {
        self.subject.mistakes.lock().expect("no judge panics while it holds the lock")
    }

    /// The mutants of which something holds, ascending.
    fn those(&self, holds: &(dyn Fn(&mut Machines, &Rival) -> bool + Sync)) -> Arc<Vec<u32>> {
        let one = |machines: &mut Machines, mutant: u32| {
            let found = self.subject.rival(mutant as usize).is_some_and(|rival| holds(machines, rival));
            found.then_some(mutant)
        };
        let all = 0..self.subject.entries.len() as u32;
        Arc::new(all.into_par_iter().map_init(Machines::default, one).flatten().collect())
    }

    fn shown_by(&mut self, trial: &Trial) -> Result<Vec<u32>, String> {
        match self.subject.relation {
            Relation::Refinement => {
                let states = self.follow(trial)?;
                let mut shown = self.shown_by_steps(trial, &states);
                shown.extend(self.subject.beginning_elsewhere());
                shown.sort_unstable();
                shown.dedup();
                Ok(shown)
            }
            Relation::Ioco => {
                end_of(self.subject.spec, &self.interpreter, trial)?;
                let followed = Followed::new(&self.subject.original, trial).map_err(|_| "too many ways".to_owned())?;
                let shown = self.those(&|machines, rival| followed.tells(rival, machines).unwrap_or(false));
                Ok(Arc::unwrap_or_clone(shown))
            }
        }
    }

    fn case(&mut self, inputs: &Inputs, trial: &Trial, shown: &[u32]) -> TestCase {
        let spec = self.subject.spec;
        let mut expected = IndexMap::new();
        if let Ok(end) = end_of(spec, &self.interpreter, trial) {
            expected.insert("end".to_owned(), json!(end.states));
            expected.insert("allowed".to_owned(), json!(end.allowed));
        }
        let kills: Vec<&str> = shown.iter().map(|mutant| self.subject.entries[*mutant as usize].id.as_str()).collect();
        let mut notes = IndexMap::from([
            ("points".to_owned(), Json::from(allowed_points(spec, &self.interpreter, trial))),
            ("kills".to_owned(), json!(kills)),
        ]);
        notes.extend(state_notes(spec));
        TestCase { inputs: inputs.clone(), expected, notes }
    }
}

impl Judge<'_> {
    fn judge(&mut self, inputs: &Inputs, expects: bool) -> Replayed {
        let trial = match inputs {
            Inputs::Document(document) => Trial::from_json(self.subject.spec, document),
            Inputs::Assignment(_) => Err("a test of an action system is a trace".to_owned()),
        };
        let bare = || TestCase { inputs: inputs.clone(), expected: IndexMap::new(), notes: IndexMap::new() };
        let judged = trial.and_then(|trial| self.shown_by(&trial).map(|shown| (trial, shown)));
        match judged {
            Ok((trial, shown)) => {
                let is_new = |mutant: &&u32| !self.shown.iter().any(|earlier| earlier.binary_search(mutant).is_ok());
                let met = shown.iter().filter(is_new).map(|mutant| ObligationId(*mutant)).collect();
                let test = if expects { self.case(inputs, &trial, &shown) } else { bare() };
                self.shown.push(shown);
                Replayed { test, met, objection: None }
            }
            Err(objection) => {
                self.shown.push(Vec::new());
                Replayed { test: bare(), met: Vec::new(), objection: Some(objection) }
            }
        }
    }
}

impl Replay for Judge<'_> {
    fn run(&mut self, inputs: &Inputs) -> Replayed {
        self.judge(inputs, true)
    }

    fn attack(&mut self, inputs: &Inputs) -> Replayed {
        self.judge(inputs, false)
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
