//! Inputs found by running: tests are changed, and those that take a new way through the program are changed in turn.
//!
//! This is greybox search as fuzzers do it, with the interpreter as the instrumented program. Comparisons are observed
//! with their operands, so that an input which stands on one side of a comparison can be given the value of the other
//! side. The solver is left with what this does not find.

mod change;
mod scout;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use c::interp::{InputRecord, InputValue, Inputs as Source, Request};
use c::program::EdgeId;
use c::types::TypeId;
use rustc_hash::FxHashSet;
use testcase::ObligationId;

use super::CSubject;
use super::document::{document, values};
use super::draw::Drawing;
use super::replay::{CReplay, Seen, is_whole, objection};
use change::Changes;
use scout::{Comparison, Scout};
use search::Backend;
use search::Finding;

/// Steps without success that the first search waits for in any case.
const FIRST_PATIENCE: u64 = 50_000;

/// Random inputs to begin with.
const FIRST_RUNS: u64 = 40;

/// What a run costs besides the edges it takes, in edges.
const RUN_COST: u64 = 60;

/// Edges taken by all runs together.
const MOST_STEPS: u64 = 60_000_000;

/// At most this many inputs are kept to be changed.
const MOST_ENTRIES: usize = 1_500;

/// Inputs of more values are not changed value by value.
const MOST_VALUES: usize = 4_096;

/// At most this many changes of an entry are tried together with others.
const MOST_CHANGES: usize = 400;

/// At most this many entries are kept for a branch of which one side is missing.
const MOST_NEARBY: usize = 24;

/// Judged runs are remembered until this many obligations are named together.
const MOST_REMEMBERED: usize = 2_000_000;

/// The value of one input.
#[derive(Clone, Debug)]
struct Given {
    name: Rc<str>,
    ty: TypeId,
    value: InputValue,
}

/// Inputs worth changing.
struct Entry {
    values: Rc<Vec<Given>>,
    /// Whether the comparisons whose other side nobody took have been turned, and the others.
    turned: [bool; 2],
    /// Changes that turn its comparisons, to be tried several at once.
    changes: Vec<(usize, InputValue)>,
}

/// A run that is a test, and what it meets.
struct Judged {
    values: Rc<Vec<Given>>,
    met: Vec<ObligationId>,
    /// Whether the run came to an end of its own.
    whole: bool,
}

/// A search by running.
pub(super) struct Greybox<'a> {
    subject: &'a CSubject,
    replay: CReplay<'a>,
    scout: Scout,
    drawing: Drawing,
    changes: Changes,
    entries: Vec<Entry>,
    /// For each stage how many entries, from the first, were turned.
    waiting: [usize; 2],
    /// The entries that come to a branch of which no test took the other side.
    nearby: BTreeMap<EdgeId, Vec<usize>>,
    judged: Vec<Judged>,
    remembered: usize,
    open: BTreeSet<ObligationId>,
    /// What some test met, where goals can be covered in several ways.
    shown: Option<BTreeSet<ObligationId>>,
    /// Runs whose ways are new are judged only if goals ask for more than single edges.
    thorough: bool,
    paths: FxHashSet<u64>,
    /// Whether goals speak of values, so that runs on the same way may differ.
    values: bool,
    steps: u64,
    /// Steps after which this search ends.
    most_steps: u64,
    runs: u64,
    /// The steps when something was found last.
    last: u64,
    /// Steps without a new obligation after which nobody expects one.
    patience: u64,
    /// Whether this is the first search: then the solver has not been asked for anything.
    first: bool,
}

impl<'a> Greybox<'a> {
    pub(super) fn new(subject: &'a CSubject, seed: u64, open: &[ObligationId]) -> Greybox<'a> {
        let thorough = open.iter().any(|&obligation| subject.only_edge(obligation).is_none());
        let drawing = Drawing::new(subject, seed);
        Greybox {
            subject,
            replay: CReplay::new(subject),
            scout: Scout::new(&subject.translation.program),
            changes: Changes::new(subject, drawing.constants().to_vec(), seed),
            drawing,
            entries: Vec::new(),
            waiting: [0; 2],
            nearby: BTreeMap::new(),
            judged: Vec::new(),
            remembered: 0,
            open: open.iter().copied().collect(),
            shown: subject.goals.iter().any(|goal| 1 < goal.alternatives.len()).then(BTreeSet::new),
            thorough,
            paths: FxHashSet::default(),
            values: !subject.watched.is_empty(),
            steps: 0,
            most_steps: MOST_STEPS,
            runs: 0,
            last: 0,
            patience: 0,
            first: true,
        }
    }

    /// Few tests that meet what could be met by running. The search ends when nothing new was met for so many steps.
    pub(super) fn search(&mut self, open: &[ObligationId], patience: u64, backend: &Backend) -> Vec<Finding> {
        self.open = open.iter().copied().collect();
        self.judged.clear();
        self.last = self.steps;
        self.patience = patience;
        self.most_steps = self.steps + MOST_STEPS;
        self.first = self.runs == 0;
        if self.runs == 0 {
            for _ in 0..FIRST_RUNS {
                if self.is_over(backend) {
                    break;
                }
                self.draw();
            }
        }
        while !self.is_over(backend) && !self.entries.is_empty() {
            match self.next_waiting() {
                Some((at, stage)) => self.turn(at, stage, backend),
                None => self.vary(),
            }
        }
        self.findings(open)
    }

    /// The first entry whose comparisons were not turned, with the stage; what was turned once stays so.
    fn next_waiting(&mut self) -> Option<(usize, usize)> {
        for (stage, at) in self.waiting.iter_mut().enumerate() {
            while self.entries.get(*at).is_some_and(|entry| entry.turned[stage]) {
                *at += 1;
            }
            if *at < self.entries.len() {
                return Some((*at, stage));
            }
        }
        None
    }

    /// Takes inputs that someone else found as inputs to change.
    pub(super) fn add(&mut self, inputs: &testcase::Inputs) {
        let Ok(found) = values(inputs) else { return };
        let outcome = self.replay.scout(&mut self.subject.recorded(&found), &mut self.scout);
        let values = given(&outcome.inputs);
        self.seen(values, &outcome);
    }

    fn is_over(&self, backend: &Backend) -> bool {
        // What comes early need not be waited for as long as what comes late.
        let patience = if self.first { self.patience.min(FIRST_PATIENCE + 3 * self.last) } else { self.patience };
        self.open.is_empty() || self.most_steps < self.steps || patience < self.steps - self.last || backend.is_over()
    }

    /// Runs random inputs.
    fn draw(&mut self) {
        let (scout, replay) = (&mut self.scout, &mut self.replay);
        let outcome = self.drawing.next(|source| replay.scout(source, scout));
        let values = given(&outcome.inputs);
        self.seen(values, &outcome);
    }

    /// Runs inputs that were made from others.
    fn try_values(&mut self, values: Vec<Given>) {
        if !self.changes.is_new(&values) {
            return;
        }
        let mut source = Changed { values: &values, used: vec![false; values.len()], at: 0, more: &mut self.changes };
        let outcome = self.replay.scout(&mut source, &mut self.scout);
        let values = given(&outcome.inputs);
        self.seen(values, &outcome);
    }

    /// Takes note of a run.
    fn seen(&mut self, values: Vec<Given>, outcome: &c::interp::Outcome) {
        self.runs += 1;
        self.steps += outcome.steps + RUN_COST;
        let valid = objection(self.subject, outcome).is_none();
        let new = self.scout.is_new(valid);
        let values = Rc::new(values);
        let other = self.thorough && (self.values || self.paths.insert(self.scout.path()));
        if valid && (new || other) {
            self.judge(&values);
        }
        if new && self.entries.len() < MOST_ENTRIES && values.len() <= MOST_VALUES && !values.is_empty() {
            self.entries.push(Entry { values, turned: [false; 2], changes: Vec::new() });
        }
    }

    /// Asks the judge what inputs meet.
    fn judge(&mut self, values: &Rc<Vec<Given>>) {
        let mut source = Changed { values, used: vec![false; values.len()], at: 0, more: &mut change::Simplest };
        let Seen { met, outcome, .. } = self.replay.bounded(&mut source);
        self.steps += 2 * outcome.steps;
        let before = self.open.len();
        self.shown.iter_mut().for_each(|shown| shown.extend(&met));
        for obligation in &met {
            self.open.remove(obligation);
        }
        if self.open.len() < before {
            self.last = self.steps;
            self.drop_settled();
        }
        if !met.is_empty() && (self.open.len() < before || self.remembered + met.len() < MOST_REMEMBERED) {
            self.remembered += met.len();
            let whole = is_whole(&outcome.ending);
            self.judged.push(Judged { values: values.clone(), met, whole });
        }
    }

    /// Nobody looks for further ways to cover a goal once it is covered.
    fn drop_settled(&mut self) {
        let Some(shown) = &self.shown else { return };
        let (mut settled, mut needed) = (BTreeSet::new(), BTreeSet::new());
        for goal in &self.subject.goals {
            let covered = goal.alternatives.iter().any(|way| way.iter().all(|obligation| shown.contains(obligation)));
            let into = if covered { &mut settled } else { &mut needed };
            into.extend(goal.alternatives.iter().flatten().copied());
        }
        self.open.retain(|obligation| needed.contains(obligation) || !settled.contains(obligation));
    }

    /// Turns comparisons of a run one by one: those whose other side was never taken, or the others.
    fn turn(&mut self, at: usize, stage: usize, backend: &Backend) {
        self.entries[at].turned[stage] = true;
        let values = self.entries[at].values.clone();
        self.scout.log = Some(Vec::new());
        let mut source =
            Changed { values: &values, used: vec![false; values.len()], at: 0, more: &mut change::Simplest };
        let outcome = self.replay.scout(&mut source, &mut self.scout);
        self.steps += outcome.steps;
        let log = self.scout.log.take().unwrap_or_default();
        let log: Vec<Comparison> =
            log.into_iter().filter(|one| self.scout.is_frontier(one.edge) == (stage == 0)).collect();
        let candidates = self.changes.turned(&self.subject.translation.program, &values, &log, stage == 0);
        if stage == 0 {
            let edges: BTreeSet<EdgeId> = log.iter().map(|one| one.edge).collect();
            for edge in edges {
                let entries = self.nearby.entry(edge).or_default();
                entries.push(at);
                if MOST_NEARBY < entries.len() {
                    entries.remove(0);
                }
            }
        }
        let room = MOST_CHANGES.saturating_sub(self.entries[at].changes.len());
        self.entries[at].changes.extend(candidates.iter().copied().take(room));
        for (place, value) in candidates {
            if self.is_over(backend) {
                return;
            }
            let mut changed = (*values).clone();
            changed[place].value = value;
            self.try_values(changed);
        }
    }

    /// Changes inputs at random.
    fn vary(&mut self) {
        let count = self.entries.len();
        let other = self.changes.pick(count);
        let one = self.near_the_goal().unwrap_or_else(|| self.changes.pick(count));
        let (one, other) = (&self.entries[one], &self.entries[other]);
        let before = self.runs;
        let values = self.changes.varied(&self.subject.translation.program, (&one.values, &one.changes), &other.values);
        self.try_values(values);
        // What was tried before counts as a run too: the search must end.
        if self.runs == before {
            self.runs += 1;
            self.steps += RUN_COST;
        }
    }

    /// Mostly an entry that comes to a branch of which one side is missing, every such branch as often.
    fn near_the_goal(&mut self) -> Option<usize> {
        self.nearby.retain(|&edge, _| self.scout.is_missing_beside(edge));
        if self.nearby.is_empty() || self.changes.below(4) == 0 {
            return None;
        }
        let edge = self.changes.below(self.nearby.len());
        let entries = self.nearby.values().nth(edge)?;
        entries.get(self.changes.below(entries.len())).copied()
    }

    /// Tests that meet everything open that was met, chosen greedily.
    fn findings(&self, open: &[ObligationId]) -> Vec<Finding> {
        let mut left: BTreeSet<ObligationId> =
            open.iter().copied().filter(|obligation| !self.open.contains(obligation)).collect();
        // Beginnings of runs are for what no run meets that comes to an end.
        let mut findings = self.chosen(&mut left, true);
        findings.extend(self.chosen(&mut left, false));
        findings
    }

    /// Tests for what is left, of runs that came to an end or of the others.
    fn chosen(&self, left: &mut BTreeSet<ObligationId>, whole: bool) -> Vec<Finding> {
        let kind = self.judged.iter().enumerate().filter(|(_, judged)| judged.whole == whole);
        let mut gains: Vec<(usize, usize)> = kind.map(|(at, judged)| (judged.met.len(), at)).collect();
        let mut findings = Vec::new();
        while !left.is_empty() && !gains.is_empty() {
            // The gain of a test only shrinks: the first that keeps its place is the best.
            gains.sort_unstable_by(|left, right| right.0.cmp(&left.0).then(left.1.cmp(&right.1)));
            let mut best: Option<(usize, usize)> = None;
            for (place, (gain, at)) in gains.iter_mut().enumerate() {
                if best.is_some_and(|(most, _)| *gain <= most) {
                    break;
                }
                *gain = self.judged[*at].met.iter().filter(|met| left.contains(met)).count();
                if best.is_none_or(|(most, _)| most < *gain) {
                    best = Some((*gain, place));
                }
            }
            let Some((gain, place)) = best else { break };
            if gain == 0 {
                break;
            }
            let (_, at) = gains.swap_remove(place);
            let judged = &self.judged[at];
            let targets: Vec<ObligationId> = judged.met.iter().copied().filter(|met| left.remove(met)).collect();
            let inputs = document(judged.values.iter().map(|given| (given.name.to_string(), given.value)));
            findings.push(Finding::Inputs { targets, inputs: vec![inputs] });
        }
        findings
    }
}

/// The inputs of a run.
fn given(records: &[InputRecord]) -> Vec<Given> {
    let mut given: Vec<Given> = Vec::with_capacity(records.len());
    for record in records {
        let same = given.last().filter(|last| *last.name == *record.name).map(|last| last.name.clone());
        let name = same.unwrap_or_else(|| record.name.as_str().into());
        given.push(Given { name, ty: record.ty, value: record.value });
    }
    given
}

/// Answers requests with given values, by name and in order; another source answers what is not given.
struct Changed<'a, S> {
    values: &'a [Given],
    used: Vec<bool>,
    at: usize,
    more: &'a mut S,
}

impl<S: Source> Source for Changed<'_, S> {
    fn value(&mut self, request: &Request<'_>) -> Option<InputValue> {
        let fits = |given: &Given| *given.name == *request.name;
        while self.used.get(self.at) == Some(&true) {
            self.at += 1;
        }
        let place = (self.at..self.values.len()).find(|&place| !self.used[place] && fits(&self.values[place]));
        match place {
            Some(place) => {
                self.used[place] = true;
                Some(self.values[place].value)
            }
            None => self.more.value(request),
        }
    }

    fn calls(&self) -> Option<u32> {
        let given = self.values.iter().find(|given| *given.name == *c::interp::CALLS)?;
        match given.value {
            InputValue::Integer(calls) => Some(u32::try_from(calls).unwrap_or(1).min(super::sequences::LONGEST)),
            _ => None,
        }
    }
}
