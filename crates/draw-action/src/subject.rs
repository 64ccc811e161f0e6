//! The mutants of a model as goals: a mutant is covered when a test tells it from the model.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use action::judge::{Original, Rival};
use action::mutate::Mutant;
use action::spec::ActionKind;
use action::trace::Label;
use action::{Revision, Spec};
use rayon::prelude::*;
use testcase::{Goal, GoalStatus, Inputs, Location, ObligationId};

use super::campaign::{Explored, examine_one};
use super::engine::{ActionEngine, Record, Way, status};
use super::judge::{Judge, Mistakes};
use super::limits::{Limits, Stopped};
use super::pair::{Base, Pair};
use super::walk::{LONGEST, walks};
use action::finding::Relation;
use action::trial::Trial;
use search::{Abilities, Backend, Options, Refutes, SearchError};
use search::{Bound, Replay, Searcher, Subject};
use smt::Interrupt;

/// At most this many looks at a mutant beside a random walk are taken to attack claims: an attack is to cost less than the
/// search whose claims it attacks.
const MOST_LOOKS: usize = 40_000;
/// At least this many walks are made.
const FEWEST_WALKS: usize = 4;

/// A mutant that is a goal.
pub struct Entry {
    /// Its name.
    pub id: String,
    /// What it changes, in words.
    pub label: String,
    /// Where.
    pub location: Option<Location>,
    /// The action it changes.
    pub action: String,
    /// Where it comes from.
    pub origin: Origin,
}

/// Where a mutant comes from.
pub enum Origin {
    /// Made by operators.
    Made(Mutant),
    /// Read from a file, or why it could not be.
    Read {
        /// The mutant.
        spec: Box<Result<Spec, String>>,
        /// How long it took to read.
        reading: Duration,
    },
}

/// Called at the end of a search with what it found out about each mutant it examined.
pub type Report = Box<dyn Fn(&[Record]) + Sync + Send>;

/// A model with its mutants as goals.
pub struct ActionSubject<'a> {
    pub(super) spec: &'a Spec,
    pub(super) entries: Vec<Entry>,
    goals: Vec<Goal>,
    pub(super) relation: Relation,
    pub(super) way: Way,
    pub(super) limits: Limits,
    pub(super) report: Option<Report>,
    /// When the search must end. A mutant that was not made comparable until then is shown by no test.
    pub(super) until: OnceLock<Instant>,
    /// What ends the search from outside.
    interrupt: Arc<OnceLock<Interrupt>>,
    revision: Revision<'a>,
    base: Base,
    /// The mutants made comparable, each when it is first needed; or why one cannot be.
    pairs: Vec<OnceLock<Result<Pair, String>>>,
    /// The model and its mutants as the judge compares them: it shares nothing with the search.
    pub(super) original: Original,
    rivals: Vec<OnceLock<Option<Rival>>>,
    /// The mutants that begin in another state than the model.
    elsewhere: OnceLock<Vec<u32>>,
    /// For each slot the mutants for which it matters.
    by_slot: OnceLock<Vec<Vec<u32>>>,
    /// For each action the mutants that may do something else with a label that begins with it.
    by_action: OnceLock<BTreeMap<String, Vec<u32>>>,
    /// What mutants do wrong in the states that tests met.
    pub(super) mistakes: Mutex<Mistakes>,
}

impl<'a> ActionSubject<'a> {
    /// A model with these mutants as goals.
    pub fn new(spec: &'a Spec, entries: Vec<Entry>, relation: Relation, way: Way, limits: Limits) -> ActionSubject<'a> {
        let goal = |(number, entry): (u32, &Entry)| {
            let ways = vec![vec![ObligationId(number)]];
            Goal::new(entry.id.clone(), entry.label.clone(), entry.location.clone(), ways)
        };
        ActionSubject {
            spec,
            goals: (0u32..).zip(&entries).map(goal).collect(),
            revision: Revision::of(spec),
            base: Base::new(spec),
            pairs: entries.iter().map(|_| OnceLock::new()).collect(),
            original: Original::new(spec),
            rivals: entries.iter().map(|_| OnceLock::new()).collect(),
            entries,
            relation,
            way,
            limits,
            report: None,
            elsewhere: OnceLock::new(),
            until: OnceLock::new(),
            interrupt: Arc::default(),
            by_slot: OnceLock::new(),
            by_action: OnceLock::new(),
            mistakes: Mutex::default(),
        }
    }

    /// The same with someone to tell about each mutant at the end of a search.
    pub fn reporting(mut self, report: Report) -> ActionSubject<'a> {
        self.report = Some(report);
        self
    }

    /// Whether the search must end, asked during long questions.
    pub(super) fn stop(&self) -> Arc<dyn Fn() -> bool + Send + Sync> {
        let (until, interrupt) = (self.until.get().copied(), self.interrupt.clone());
        let is_raised = move || interrupt.get().is_some_and(Interrupt::is_raised);
        Arc::new(move || is_raised() || until.is_some_and(|until| until <= Instant::now()))
    }

    /// Notes what ends the search.
    pub(super) fn ends_with(&self, deadline: Option<Instant>, interrupt: &Interrupt) {
        if let Some(deadline) = deadline {
            self.until.get_or_init(|| deadline);
        }
        self.interrupt.get_or_init(|| interrupt.clone());
    }

    /// The mutants.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Makes a mutant.
    pub(super) fn mutant(&self, index: usize) -> Result<Spec, String> {
        match &self.entries[index].origin {
            Origin::Made(mutant) => mutant.spec(&self.revision).ok_or_else(|| "it is not a model".to_owned()),
            Origin::Read { spec, .. } => (**spec).clone(),
        }
    }

    /// What all pairs share.
    pub(super) fn base(&self) -> &Base {
        &self.base
    }

    /// A mutant made comparable with the model; or why it cannot be.
    pub(super) fn comparable(&self, index: usize) -> Result<&Pair, String> {
        let compare = |mutant: Spec| Pair::over(&self.base, self.spec, &mutant).map_err(|why| why.0);
        let made = || match self.until.get() {
            Some(until) if *until <= Instant::now() => Err(Stopped::Time.to_string()),
            _ => self.mutant(index).and_then(compare),
        };
        self.pairs[index].get_or_init(made).as_ref().map_err(Clone::clone)
    }

    /// A mutant as the judge sees it; none where it cannot be compared with the model.
    pub(super) fn rival(&self, index: usize) -> Option<&Rival> {
        let made = || Rival::new(&self.original, self.spec, &self.mutant(index).ok()?);
        self.rivals[index].get_or_init(made).as_ref()
    }

    /// The mutants that begin in another state: any test shows them.
    pub(super) fn beginning_elsewhere(&self) -> &[u32] {
        let elsewhere = |mutant: &u32| self.rival(*mutant as usize).is_some_and(Rival::begins_elsewhere);
        self.elsewhere.get_or_init(|| (0..self.entries.len() as u32).into_par_iter().filter(elsewhere).collect())
    }

    /// The mutants that may behave in a state in another way than they do in the initial one; ascending.
    pub(super) fn affected(&self, state: &[i64]) -> Vec<u32> {
        let slots = |mutant: u32| self.rival(mutant as usize).map(Rival::depends_on).unwrap_or_default();
        let by_slot = || {
            let all: Vec<BTreeSet<u32>> = (0..self.entries.len() as u32).into_par_iter().map(slots).collect();
            let mut by_slot = vec![Vec::new(); self.spec.slots().len()];
            for (mutant, slots) in (0u32..).zip(all) {
                slots.into_iter().for_each(|slot| by_slot[slot as usize].push(mutant));
            }
            by_slot
        };
        let by_slot = self.by_slot.get_or_init(by_slot);
        let initial = self.spec.initial();
        let moved = (0..state.len()).filter(|&slot| state[slot] != initial[slot]);
        let affected: BTreeSet<u32> = moved.flat_map(|slot| by_slot[slot].iter().copied()).collect();
        affected.into_iter().collect()
    }

    /// The mutants that may do something else with a label; ascending.
    pub(super) fn affected_by(&self, label: &Label) -> &[u32] {
        let by_action = || {
            let mut by_action: BTreeMap<String, Vec<u32>> = BTreeMap::new();
            for mutant in 0..self.entries.len() as u32 {
                let names = self.rival(mutant as usize).map(Rival::first_actions).unwrap_or_default();
                names.into_iter().for_each(|name| by_action.entry(name.to_owned()).or_default().push(mutant));
            }
            by_action
        };
        let first = label.0.first().map_or("", |event| event.action.as_str());
        self.by_action.get_or_init(by_action).get(first).map(Vec::as_slice).unwrap_or_default()
    }

    /// Whether the tester makes a label happen.
    pub(super) fn is_input(&self, label: &Label) -> bool {
        is_input(self.spec, label)
    }
}

/// Whether the tester makes a label happen: its first event decides.
pub(super) fn is_input(spec: &Spec, label: &Label) -> bool {
    let action = label.0.first().and_then(|event| spec.action_named(&event.action));
    action.is_some_and(|action| spec.actions()[action].kind == ActionKind::Controllable)
}

impl Subject for ActionSubject<'_> {
    fn goals(&self) -> &[Goal] {
        &self.goals
    }

    fn obligation_count(&self) -> usize {
        self.entries.len()
    }

    fn searcher<'s>(&'s self, backend: &'s Backend, options: &Options) -> Result<Searcher<'s>, SearchError> {
        Ok(Searcher::Engine(Box::new(ActionEngine::new(self, backend, options, depth_of(options.bound)))))
    }

    fn replay(&self) -> Box<dyn Replay + '_> {
        Box::new(Judge::new(self))
    }

    /// Each walk is followed through every mutant, so there are fewer of them where there are many mutants.
    fn random_inputs(&self, seed: u64, count: usize, bound: Bound) -> Vec<Inputs> {
        let longest = depth_of(bound).unwrap_or(u64::MAX);
        let affordable = MOST_LOOKS / (longest.clamp(1, LONGEST) as usize * self.entries.len().max(1));
        let count = count.min(affordable.max(FEWEST_WALKS));
        let documents = walks(self.spec, self.relation, seed, count, longest, self.entries.len());
        documents.iter().map(|trial: &Trial| Inputs::Document(trial.to_json())).collect()
    }

    fn abilities(&self) -> Abilities<'_> {
        Abilities { refutes: Some(self), ..Abilities::default() }
    }
}

/// The most steps of a test; none without a bound.
pub(super) fn depth_of(bound: Bound) -> Option<u64> {
    Some(u64::from(bound.0)).filter(|depth| 0 < *depth)
}

impl Refutes for ActionSubject<'_> {
    fn hopeless(&self, open: &[usize], depth: Option<u64>) -> Vec<(usize, GoalStatus)> {
        let limits = Limits { depth, ..self.limits.clone() };
        let explored = Explored::new(self.spec, &self.base, self.relation, &limits);
        let examined = |index: &usize| {
            let make = &|| self.mutant(*index);
            let found =
                examine_one(self.spec, &explored, self.comparable(*index), make, *index, &limits, Duration::ZERO);
            Some((*index, status(found.ok()?.verdict.conformance()?)))
        };
        open.par_iter().filter_map(examined).collect()
    }
}
