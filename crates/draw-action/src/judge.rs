//! The judge of tests, as the search calls it: every test is shown to all mutants, and each is judged by the trusted half alone.

use std::collections::BTreeMap;
use std::sync::{Arc, MutexGuard};

use action::OutOfFuel;
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

/// From this many mutants on, only those are asked that may do something else.
const MANY_MUTANTS: usize = 500;
/// The choices that one question of an attack may take: what takes more is left to those who made the claim.
const ATTACK_FUEL: u64 = 1 << 20;
/// All choices of the attacks of a run.
const MOST_ATTACK_WORK: u64 = 1 << 24;

pub(super) struct Judge<'a> {
    subject: &'a ActionSubject<'a>,
    means: Means,
    /// What it attacks claims with.
    attacking: Means,
    /// Whether to ask only those mutants that may do something else. Where they are few, all of them are asked: that is plainer.
    is_indexed: bool,
    /// The mutants that some test shows.
    met: Vec<bool>,
    /// The mutants each test shows.
    shown: Vec<Vec<u32>>,
}

/// What a judge works with.
#[derive(Clone)]
struct Means {
    interpreter: Interpreter,
    machines: Machines,
    /// The choices gone through so far.
    work: u64,
}

impl Means {
    fn new(subject: &ActionSubject<'_>) -> Means {
        Means { interpreter: Interpreter::new(subject.spec), machines: Machines::default(), work: 0 }
    }

    /// Means that leave long questions without an answer.
    fn brief(subject: &ActionSubject<'_>) -> Means {
        let stop = subject.stop();
        Means {
            interpreter: Interpreter::new(subject.spec).within(ATTACK_FUEL).stopping(stop.clone()),
            machines: Machines::default().within(ATTACK_FUEL).stopping(stop),
            work: 0,
        }
    }
}

/// The mutants of which something holds, ascending; and whether each of them was asked to the end.
struct Those {
    mutants: Arc<Vec<u32>>,
    is_all: bool,
}

impl<'a> Judge<'a> {
    pub(super) fn new(subject: &'a ActionSubject<'a>) -> Judge<'a> {
        let (is_indexed, met) = (MANY_MUTANTS <= subject.entries.len(), vec![false; subject.entries.len()]);
        Judge {
            subject,
            is_indexed,
            met,
            means: Means::new(subject),
            attacking: Means::brief(subject),
            shown: Vec::new(),
        }
    }

    /// The states along a trace, the initial one first; or why it is impossible.
    fn follow(&mut self, trial: &Trial) -> Result<Vec<Vec<i64>>, String> {
        let mut states = vec![self.subject.spec.initial().to_vec()];
        for seen in &trial.trace {
            let state = &states[states.len() - 1];
            let next = match seen {
                Seen::Step(step) => {
                    let allowed = self.means.interpreter.allows(state, step).map_err(|_| "too many ways".to_owned())?;
                    allowed.then(|| step.post.clone())
                }
                Seen::Observed(label) => {
                    let after = self.means.interpreter.after(state, label).map_err(|_| "too many ways".to_owned())?;
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
    fn shown_by_steps(&mut self, trial: &Trial, states: &[Vec<i64>]) -> Vec<u32> {
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
    fn own_mistakes(&mut self, state: &[i64]) -> Arc<Vec<u32>> {
        if let Some(known) = self.mistakes().own.get(state).cloned() {
            return known;
        }
        let errs = |machines: &mut Machines, rival: &Rival| rival.errs_by_itself(machines, state);
        let initial = self.subject.spec.initial();
        let found = if self.is_indexed && state != initial {
            // Those for which nothing has moved that matters do what they do in the initial state.
            let affected = self.subject.affected(state);
            let unmoved = self.own_mistakes(initial);
            let mut found = self.those(&affected, &errs);
            let rest = unmoved.iter().filter(|mutant| affected.binary_search(mutant).is_err());
            Arc::make_mut(&mut found.mutants).extend(rest);
            Arc::make_mut(&mut found.mutants).sort_unstable();
            let is_all = found.is_all && self.mistakes().own.contains_key(initial);
            Those { is_all, ..found }
        } else {
            self.those(&self.all(), &errs)
        };
        if found.is_all {
            self.mistakes().own.insert(state.to_vec(), found.mutants.clone());
        }
        found.mutants
    }

    /// The mutants that do something wrong in a state when they are given an input.
    fn mistakes_with(&mut self, state: &[i64], input: &Label) -> Arc<Vec<u32>> {
        let key = (state.to_vec(), input.clone());
        if let Some(known) = self.mistakes().given.get(&key).cloned() {
            return known;
        }
        let asked: Vec<u32> = match self.is_indexed {
            true => self.subject.affected_by(input).to_vec(),
            false => self.all(),
        };
        let found = self.those(&asked, &|machines, rival| rival.errs_with(machines, state, input));
        if found.is_all {
            self.mistakes().given.insert(key, found.mutants.clone());
        }
        found.mutants
    }

    fn mistakes(&self) -> MutexGuard<'_, Mistakes> {
        self.subject.mistakes.lock().expect("no judge panics while it holds the lock")
    }

    fn all(&self) -> Vec<u32> {
        (0..self.subject.entries.len() as u32).collect()
    }

    /// The mutants among some of which something holds. Of those that cannot be asked to the end it does not.
    fn those(
        &mut self,
        among: &[u32],
        holds: &(dyn Fn(&mut Machines, &Rival) -> Result<bool, OutOfFuel> + Sync),
    ) -> Those {
        let (subject, machines) = (self.subject, &self.means.machines);
        let one = |machines: &mut Machines, mutant: u32| {
            let before = machines.work();
            let found = subject.rival(mutant as usize).map_or(Ok(false), |rival| holds(machines, rival));
            (found.map(|found| found.then_some(mutant)), machines.work() - before)
        };
        let answers: Vec<(Result<Option<u32>, OutOfFuel>, u64)> =
            among.par_iter().copied().map_init(|| machines.clone(), one).collect();
        self.means.work += answers.iter().map(|(_, work)| work).sum::<u64>();
        let is_all = answers.iter().all(|(answer, _)| answer.is_ok());
        let mutants = answers.into_iter().filter_map(|(answer, _)| answer.ok().flatten()).collect();
        Those { mutants: Arc::new(mutants), is_all }
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
                end_of(self.subject.spec, &self.means.interpreter, trial)?;
                let followed = Followed::new(&self.subject.original, trial, &mut self.means.machines)
                    .map_err(|_| "too many ways".to_owned())?;
                let shown = self.those(&self.all(), &|machines, rival| followed.tells(rival, machines));
                Ok(Arc::unwrap_or_clone(shown.mutants))
            }
        }
    }

    fn case(&mut self, inputs: &Inputs, trial: &Trial, shown: &[u32]) -> TestCase {
        let spec = self.subject.spec;
        let mut expected = IndexMap::new();
        if let Ok(end) = end_of(spec, &self.means.interpreter, trial) {
            expected.insert("end".to_owned(), json!(end.states));
            expected.insert("allowed".to_owned(), json!(end.allowed));
        }
        let kills: Vec<&str> = shown.iter().map(|mutant| self.subject.entries[*mutant as usize].id.as_str()).collect();
        let mut notes = IndexMap::from([
            ("points".to_owned(), Json::from(allowed_points(spec, &self.means.interpreter, trial))),
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
                let is_new = |mutant: &&u32| !self.met[**mutant as usize];
                let met = shown.iter().filter(is_new).map(|mutant| ObligationId(*mutant)).collect();
                shown.iter().for_each(|mutant| self.met[*mutant as usize] = true);
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
        if self.attacking.work < MOST_ATTACK_WORK {
            std::mem::swap(&mut self.means, &mut self.attacking);
            let replayed = self.judge(inputs, false);
            std::mem::swap(&mut self.means, &mut self.attacking);
            return replayed;
        }
        self.shown.push(Vec::new());
        let test = TestCase { inputs: inputs.clone(), expected: IndexMap::new(), notes: IndexMap::new() };
        Replayed { test, met: Vec::new(), objection: Some("the attack has had the work it may have".to_owned()) }
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
