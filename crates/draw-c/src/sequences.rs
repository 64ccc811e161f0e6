//! Calls one after the other: what one call from the initial state does not do, a later one may, since static memory keeps its values.
//!
//! Whoever claims that something depending on static memory is impossible asks here first: longer and longer sequences of calls are
//! run at random and then asked for. What is found is a test that says how often it calls; the fewest calls that do are kept.

use std::collections::BTreeSet;

use c::interp::{CALLS, InputRecord, InputValue, Inputs as Source, Origin, RecordedInputs, Request};
use smt::{Answer, Scope, Solver, Term, Terms};
use testcase::{Inputs, ObligationId};

use super::CSubject;
use super::document::{self, of_records};
use super::draw::Drawing;
use super::effort;
use super::problem::{CProblem, UNCUT};
use super::replay::CReplay;
use search::Backend;
use search::SearchError;
use search::{Bound, Problem};

/// A test calls at most so often.
pub(super) const LONGEST: u32 = 64;

/// Random runs, and the edges they may take together.
const RUNS: usize = 60;
const MOST_STEPS: u64 = 4_000_000;

/// Loops are unrolled at most so often: there are several calls.
const MOST_BOUND: u32 = 8;

/// Programs of more points, all calls together, are not asked about.
const MOST_POINTS: usize = 12_000;

/// Models that no run confirms, for one number of calls.
const ATTEMPTS: usize = 4;

/// Looks for sequences of calls.
pub(super) struct Sequences<'a> {
    subject: &'a CSubject,
    backend: &'a Backend,
    seed: u64,
    replay: CReplay<'a>,
    unrolled: Vec<Unrolled<'a>>,
}

/// What was found about obligations.
pub(super) struct Sought {
    /// Tests, each with what it meets.
    pub(super) found: Vec<(Inputs, Vec<ObligationId>)>,
    /// No test with so many calls meets any of the others.
    pub(super) excluded: u32,
}

/// The program with so many calls.
struct Unrolled<'a> {
    calls: u32,
    bound: u32,
    terms: Terms,
    problem: CProblem<'a>,
    solver: Box<dyn Solver>,
}

/// Inputs for several calls.
struct Repeated<'s> {
    source: &'s mut dyn Source,
    calls: u32,
}

impl Source for Repeated<'_> {
    fn value(&mut self, request: &Request<'_>) -> Option<InputValue> {
        self.source.value(request)
    }

    fn calls(&self) -> Option<u32> {
        Some(self.calls)
    }
}

impl<'a> Sequences<'a> {
    pub(super) fn new(subject: &'a CSubject, backend: &'a Backend, seed: u64) -> Sequences<'a> {
        Sequences { subject, backend, seed, replay: CReplay::new(subject), unrolled: Vec::new() }
    }

    /// Looks for calls that meet obligations.
    pub(super) fn search(&mut self, open: &[ObligationId], bound: u32) -> Result<Sought, SearchError> {
        let mut left: BTreeSet<ObligationId> = open.iter().copied().collect();
        let mut sought = Sought { found: self.draw(&mut left), excluded: 1 };
        let mut calls = 2;
        while calls <= self.subject.settings.most_calls && !left.is_empty() && !self.backend.is_over() {
            let Some(at) = self.unroll(bound.min(MOST_BOUND), calls)? else { break };
            let excluded = self.ask(at, &mut left, &mut sought.found)?;
            if excluded && sought.excluded == calls / 2 {
                sought.excluded = calls;
            }
            calls *= 2;
        }
        Ok(sought)
    }

    /// Runs sequences at random.
    fn draw(&mut self, left: &mut BTreeSet<ObligationId>) -> Vec<(Inputs, Vec<ObligationId>)> {
        let mut drawing = Drawing::new(self.subject, self.seed.wrapping_add(11));
        let (mut found, mut steps) = (Vec::new(), 0);
        for run in 0..RUNS {
            if left.is_empty() || MOST_STEPS < steps || self.backend.is_over() {
                break;
            }
            let calls = 2 << (run % 6).min(LONGEST.ilog2() as usize - 1);
            let replay = &mut self.replay;
            let seen = drawing.next(|source| replay.bounded(&mut Repeated { source, calls }));
            steps += seen.outcome.steps;
            if seen.met.iter().any(|obligation| left.contains(obligation)) {
                found.extend(self.kept(&of_records(&seen.outcome.inputs), left));
            }
        }
        found
    }

    /// A test with the fewest calls that meet as many of the obligations that are left; these are not left any more.
    fn kept(&mut self, inputs: &Inputs, left: &mut BTreeSet<ObligationId>) -> Option<(Inputs, Vec<ObligationId>)> {
        let values = document::values(inputs).ok()?;
        let whole = self.replay.bounded(&mut self.subject.recorded(&values));
        let wanted: Vec<ObligationId> = whole.met.iter().copied().filter(|met| left.contains(met)).collect();
        let most = calls_of(&whole.outcome.inputs)?;
        if wanted.is_empty() {
            return None;
        }
        let mut best = whole.outcome.inputs;
        for calls in 2..most {
            let mut recorded = self.subject.recorded(&values);
            recorded.push(CALLS, InputValue::Integer(calls.into()));
            if let Some(fewer) = self.meeting(recorded, &wanted) {
                best = fewer;
                break;
            }
        }
        let mut at = 0;
        while at < calls_of(&best).unwrap_or(1) && 2 < calls_of(&best).unwrap_or(1) {
            match self.meeting(self.subject.recorded(&without_call(&best, at)), &wanted) {
                Some(fewer) => best = fewer,
                None => at += 1,
            }
        }
        left.retain(|obligation| !wanted.contains(obligation));
        Some((of_records(&best), wanted))
    }

    /// What a run asks for, if it meets obligations.
    fn meeting(&mut self, mut inputs: RecordedInputs, wanted: &[ObligationId]) -> Option<Vec<InputRecord>> {
        let seen = self.replay.bounded(&mut inputs);
        let meets = wanted.iter().all(|obligation| seen.met.contains(obligation));
        meets.then_some(seen.outcome.inputs)
    }

    /// The program unrolled with so many calls; none where it is too large.
    fn unroll(&mut self, bound: u32, calls: u32) -> Result<Option<usize>, SearchError> {
        if let Some(at) = self.unrolled.iter().position(|one| (one.calls, one.bound) == (calls, bound)) {
            return Ok(Some(at));
        }
        let mut terms = Terms::new();
        let problem = CProblem::of_calls(&mut terms, self.subject, Bound(bound), Some(self.backend), calls);
        let trace = &problem.executed.trace;
        if trace.exhausted || MOST_POINTS < trace.points.len() {
            return Ok(None);
        }
        let mut solver = self.backend.large_solver()?;
        for fact in problem.facts() {
            solver.assert(&terms, fact.term)?;
        }
        self.unrolled.push(Unrolled { calls, bound, terms, problem, solver });
        Ok(Some(self.unrolled.len() - 1))
    }

    /// Asks for tests; whether none at all meets what is left then.
    fn ask(
        &mut self,
        at: usize,
        left: &mut BTreeSet<ObligationId>,
        found: &mut Vec<(Inputs, Vec<ObligationId>)>,
    ) -> Result<bool, SearchError> {
        let mut attempts = 0;
        let unrolled = &mut self.unrolled[at];
        let mut ways: Vec<(ObligationId, Term, Term)> =
            left.iter().map(|&obligation| unrolled.ways(obligation)).collect();
        while !ways.is_empty() && attempts < ATTEMPTS {
            let choices: Vec<Term> = ways.iter().map(|(_, whole, _)| *whole).collect();
            let unrolled = &mut self.unrolled[at];
            match unrolled.check(self.backend, &choices)? {
                Answer::Sat(model) => {
                    let inputs = unrolled.problem.decode(&unrolled.terms, &model, None).into_iter().next();
                    let test = inputs.and_then(|inputs| self.kept(&inputs, left));
                    attempts += usize::from(test.is_none());
                    found.extend(test);
                    ways.retain(|(obligation, _, _)| left.contains(obligation));
                }
                Answer::Unsat { .. } => {
                    let choices: Vec<Term> = ways.iter().map(|(_, _, possible)| *possible).collect();
                    return Ok(matches!(
                        unrolled.check(self.backend, &choices)?,
                        Answer::Unsat { scope: Scope::All, .. }
                    ));
                }
                Answer::Unknown(_) => return Ok(false),
            }
        }
        Ok(ways.is_empty())
    }
}

/// How often a run with these inputs calls the function.
fn calls_of(records: &[InputRecord]) -> Option<u32> {
    records.iter().find(|record| record.origin == Origin::Calls).and_then(|record| match record.value {
        InputValue::Integer(calls) => u32::try_from(calls).ok(),
        _ => None,
    })
}

/// The inputs without those of one call; later calls come one earlier.
fn without_call(records: &[InputRecord], call: u32) -> Vec<(String, InputValue)> {
    let mut values = Vec::new();
    for record in records {
        let named = record.own_name() != record.name;
        match (&record.origin, record.value) {
            (Origin::Calls, InputValue::Integer(calls)) => {
                values.push((CALLS.to_owned(), InputValue::Integer(calls - 1)));
            }
            (Origin::Parameter(_), _) if record.call == call => {}
            (_, _) if named && record.call == call => {}
            (_, value) if named && call < record.call => {
                let own = record.own_name();
                let (root, rest) = own.split_at(own.find(['.', '[', '@', '(']).unwrap_or(own.len()));
                let mark = if record.call == 1 { String::new() } else { format!("@{}", record.call) };
                values.push((format!("{root}{mark}{rest}"), value));
            }
            (_, value) => values.push((record.name.clone(), value)),
        }
    }
    values
}

impl Unrolled<'_> {
    /// When a test meets an obligation, and when an execution may, whether it is followed to its end or not.
    fn ways(&mut self, obligation: ObligationId) -> (ObligationId, Term, Term) {
        let parts: Vec<Term> = self.problem.require(&mut self.terms, obligation).iter().map(|part| part.term).collect();
        let whole = self.terms.and(&parts);
        let possible = self.terms.and(&parts[..parts.len() - UNCUT]);
        (obligation, whole, possible)
    }

    fn check(&mut self, backend: &Backend, choices: &[Term]) -> Result<Answer, SearchError> {
        let some = self.terms.or(choices);
        let mut query = backend.query(std::slice::from_ref(&some));
        query.limits.conflicts =
            query.limits.conflicts.into_iter().chain([effort::SEQUENCE.within(backend.effort)]).min();
        Ok(self.solver.check(&self.terms, query)?)
    }
}
