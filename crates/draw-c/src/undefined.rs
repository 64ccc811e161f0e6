//! Goals that only executions meet that are not tests: something undefined happens in them, or they begin in another state.
//!
//! That no execution without undefined behaviour meets a goal is not that none does. Whoever claims a goal to be impossible asks here
//! first: the program is unrolled once more with executions that go on behind undefined behaviour in any way that control flow
//! allows. Where such an execution may meet the goal, one is looked for that does, up to the behaviour or behind arithmetic that
//! machines carry on with; its inputs are the witness.

use std::collections::{BTreeMap, BTreeSet};

use c::interp::{Ending, Fault, Inputs as Source};
use c::program::EdgeId;
use smt::{Answer, Evaluator, Model, Scope, Solver, Term, Terms};
use testcase::{GoalStatus, Inputs, ObligationId};

use super::document::{self, of_records};
use super::draw::Drawing;
use super::effort;
use super::problem::{CProblem, UNCUT, reasons};
use super::replay::CReplay;
use super::sequences::{Sequences, Sought};
use super::{Beyond, CSubject, Undefined};
use search::Backend;
use search::SearchError;
use search::{Bound, Problem};

/// Random runs that are looked at for what they do with undefined behaviour, and the edges they may take together.
const RUNS: usize = 60;
const MOST_STEPS: u64 = 20_000_000;

/// Models that are tried for one goal.
const ATTEMPTS: usize = 6;

/// Claims of which it is asked at once whether undefined behaviour refutes any.
const CROWD: usize = 200;

/// Looks for executions with undefined behaviour.
pub(super) struct Tolerance<'a> {
    subject: &'a CSubject,
    backend: &'a Backend,
    seed: u64,
    replay: CReplay<'a>,
    /// What runs with undefined behaviour met: where it happens, and the inputs.
    shown: BTreeMap<ObligationId, (String, Inputs)>,
    drawn: bool,
    /// Unrolled with undefined behaviour, and with any state before the call besides.
    unrolled: Option<Unrolled<'a>>,
    relaxed: Option<Unrolled<'a>>,
    sequences: Option<Sequences<'a>>,
    /// Whether tests were found that call the function several times.
    several: bool,
}

/// What is to be said of claims.
#[derive(Default)]
pub(super) struct Judged {
    pub(super) claims: Vec<(ObligationId, GoalStatus)>,
    /// Tests that refute the others: they call the function several times.
    pub(super) tests: Vec<(Inputs, Vec<ObligationId>)>,
}

/// The program unrolled with executions that something undefined happens in.
struct Unrolled<'a> {
    bound: u32,
    terms: Terms,
    problem: CProblem<'a>,
    solver: Box<dyn Solver>,
    /// When an execution is cut for no other reason than undefined behaviour.
    followed: Term,
}

impl<'a> Tolerance<'a> {
    pub(super) fn new(subject: &'a CSubject, backend: &'a Backend, seed: u64) -> Tolerance<'a> {
        let replay = CReplay::tolerant(subject);
        Tolerance {
            subject,
            backend,
            seed,
            replay,
            shown: BTreeMap::new(),
            drawn: false,
            unrolled: None,
            relaxed: None,
            sequences: None,
            several: false,
        }
    }

    /// Whether tests were found that call the function several times.
    pub(super) fn calls_several_times(&self) -> bool {
        self.several
    }

    /// What is to be said of obligations that no execution without undefined behaviour meets.
    pub(super) fn judged(
        &mut self,
        claims: Vec<(ObligationId, GoalStatus)>,
        bound: u32,
    ) -> Result<Judged, SearchError> {
        let settings = &self.subject.settings;
        if settings.beyond == Beyond::Partial {
            return Ok(Judged { claims, ..Judged::default() });
        }
        let reports = settings.undefined != Undefined::Stop;
        if reports {
            self.draw();
        }
        let is_claim =
            |status: &GoalStatus| matches!(status, GoalStatus::Infeasible(_) | GoalStatus::InfeasibleUpTo(_));
        let open = |(obligation, status): &&(ObligationId, GoalStatus)| {
            is_claim(status) && !self.shown.contains_key(obligation)
        };
        let limited = |status: &GoalStatus| matches!(status, GoalStatus::InfeasibleUpTo(_));
        let open: Vec<(ObligationId, bool)> =
            claims.iter().filter(open).map(|(obligation, status)| (*obligation, limited(status))).collect();
        let unsettled = match self.subject.has_terms() {
            true => self.refuted(&open, bound, (reports, true))?,
            false => open.iter().map(|(obligation, _)| *obligation).collect(),
        };
        // Whether something undefined is needed is asked of single calls: several may do without.
        let shown = claims.iter().map(|(obligation, _)| *obligation).filter(|one| self.shown.contains_key(one));
        let stateful: Vec<ObligationId> = unsettled.iter().copied().chain(shown).collect();
        let sought = self.several_calls(&stateful, bound)?;
        let met: BTreeSet<ObligationId> = sought.found.iter().flat_map(|(_, met)| met.iter().copied()).collect();
        let claims: Vec<(ObligationId, GoalStatus)> =
            claims.into_iter().filter(|(obligation, _)| !met.contains(obligation)).collect();
        // What is impossible under any terms need not be asked for once more.
        let open: Vec<(ObligationId, bool)> =
            open.into_iter().filter(|(one, _)| unsettled.contains(one) && !met.contains(one)).collect();
        let refuted = if reports { self.refuted(&open, bound, (true, false))? } else { Vec::new() };
        let has_terms = self.subject.has_terms();
        let only_here = |obligation: &ObligationId| has_terms && unsettled.contains(obligation);
        let mut judged = Vec::with_capacity(claims.len());
        for (obligation, status) in claims {
            if is_claim(&status) && refuted.contains(&obligation) {
                self.look_for(obligation)?;
            }
            let status = match (self.shown.get(&obligation), status) {
                (Some((reason, witness)), GoalStatus::Infeasible(_)) => {
                    GoalStatus::OnlyUndefined { reason: reason.clone(), witness: witness.clone() }
                }
                // What other executions do is not known in full: then neither is that undefined behaviour is needed.
                (Some((reason, _)), GoalStatus::InfeasibleUpTo(terms)) => GoalStatus::InfeasibleUpTo(format!(
                    "{terms}, or something undefined happens, as in a run: {reason}"
                )),
                (None, GoalStatus::Infeasible(_)) if refuted.contains(&obligation) => {
                    GoalStatus::InfeasibleUpTo(format!("unless something undefined happens: {}", self.faults()))
                }
                (None, GoalStatus::InfeasibleUpTo(terms)) if refuted.contains(&obligation) => {
                    GoalStatus::InfeasibleUpTo(format!("{terms}, or something undefined happens: {}", self.faults()))
                }
                (None, GoalStatus::Infeasible(_)) if only_here(&obligation) => {
                    GoalStatus::InfeasibleUpTo(self.subject.terms_of_claims(sought.excluded))
                }
                (None, GoalStatus::InfeasibleUpTo(terms)) if only_here(&obligation) => {
                    let own = self.subject.terms_of_claims(sought.excluded);
                    GoalStatus::InfeasibleUpTo(format!("{terms}, {own}"))
                }
                (_, status) => status,
            };
            judged.push((obligation, status));
        }
        Ok(Judged { claims: judged, tests: sought.found })
    }

    /// Looks for several calls that meet obligations which one call from the initial state does not meet.
    fn several_calls(&mut self, open: &[ObligationId], bound: u32) -> Result<Sought, SearchError> {
        let subject = self.subject;
        if open.is_empty() || subject.changing.is_empty() || subject.settings.most_calls <= 1 || subject.is_reactive() {
            return Ok(Sought { found: Vec::new(), excluded: 1 });
        }
        let (backend, seed) = (self.backend, self.seed);
        let sequences = self.sequences.get_or_insert_with(|| Sequences::new(subject, backend, seed));
        let sought = sequences.search(open, bound)?;
        self.several |= !sought.found.is_empty();
        Ok(sought)
    }

    /// Runs the program at random and remembers what runs with undefined behaviour meet.
    fn draw(&mut self) {
        if std::mem::replace(&mut self.drawn, true) {
            return;
        }
        let mut drawing = Drawing::new(self.subject, self.seed);
        let mut steps = 0;
        for _ in 0..RUNS {
            if MOST_STEPS < steps || self.backend.is_over() {
                break;
            }
            steps += drawing.next(|source| self.show(source)).1;
        }
    }

    /// Runs inputs; the edge at which the run ended because it could not go on, and the edges it took.
    fn show(&mut self, source: &mut dyn Source) -> (Option<EdgeId>, u64) {
        let (outcome, met) = self.replay.observe_undefined(source);
        let stopped = match outcome.ending {
            Ending::Undefined { fault, edge } => Some((fault, edge)),
            Ending::Returned(_)
            | Ending::Exited(_)
            | Ending::Aborted
            | Ending::AssertionFailed(_)
            | Ending::Stopped { .. }
            | Ending::Unmodelled { .. }
            | Ending::Excluded(_)
            | Ending::EndOfInputs { .. } => None,
            // Runs that are given up or not supported show nothing.
            Ending::GivenUp(_) | Ending::Unsupported { .. } | Ending::NoInput(_) => return (None, outcome.steps),
        };
        // Where runs go on behind arithmetic, only what ends one makes it more than a test.
        let goes_on = self.subject.settings.undefined == Undefined::GoOn;
        let first = if goes_on { stopped } else { outcome.undefined.or(stopped) };
        if let Some((fault, edge)) = first {
            let reason = told(self.subject, fault, edge);
            let inputs = of_records(&outcome.inputs);
            for obligation in met {
                self.shown.entry(obligation).or_insert_with(|| (reason.clone(), inputs.clone()));
            }
        }
        (stopped.map(|(_, edge)| edge), outcome.steps)
    }

    /// The program unrolled to a bound.
    fn unrolled(&mut self, bound: u32, (tolerant, relaxed): (bool, bool)) -> Result<&mut Unrolled<'a>, SearchError> {
        let slot = if relaxed { &mut self.relaxed } else { &mut self.unrolled };
        if slot.as_ref().is_none_or(|unrolled| unrolled.bound != bound) {
            let mut terms = Terms::new();
            let clock = Some(self.backend);
            let mut problem =
                CProblem::beyond_tests(&mut terms, self.subject, Bound(bound), clock, (tolerant, relaxed));
            let mut solver = self.backend.large_solver()?;
            for fact in problem.facts() {
                solver.assert(&terms, fact.term)?;
            }
            let followed = problem.followed_but_undefined(&mut terms);
            *slot = Some(Unrolled { bound, terms, problem, solver, followed });
        }
        Ok(slot.as_mut().expect("made above"))
    }

    /// Those of the obligations that an execution with undefined behaviour may meet, or of which that is not known. Where a claim
    /// is limited already, executions that are cut for other reasons do not count.
    fn refuted(
        &mut self,
        open: &[(ObligationId, bool)],
        bound: u32,
        (tolerant, relaxed): (bool, bool),
    ) -> Result<Vec<ObligationId>, SearchError> {
        if open.is_empty() {
            return Ok(Vec::new());
        }
        if self.backend.is_over() {
            return Ok(open.iter().map(|(obligation, _)| *obligation).collect());
        }
        let (subject, backend) = (self.subject, self.backend);
        let unrolled = self.unrolled(bound, (tolerant, relaxed))?;
        if !relaxed && unrolled.problem.executed.trace.cuts.iter().all(|cut| cut.undefined.is_none()) {
            return Ok(Vec::new());
        }
        if CROWD <= open.len()
            && let ids = open.iter().map(|(obligation, _)| *obligation).collect::<Vec<_>>()
            && let Some(parts) = subject.any_but(&mut unrolled.problem, &mut unrolled.terms, &ids)
        {
            let answer = unrolled.solver.check(&unrolled.terms, backend.query(&parts[..parts.len() - UNCUT]))?;
            if matches!(answer, Answer::Unsat { scope: Scope::All, .. }) {
                return Ok(Vec::new());
            }
        }
        let mut refuted = Vec::new();
        let mut left: Vec<(ObligationId, Term)> =
            open.iter().map(|&(obligation, limited)| (obligation, unrolled.possible(obligation, limited))).collect();
        while !left.is_empty() {
            let choices: Vec<Term> = left.iter().map(|(_, choice)| *choice).collect();
            let some = unrolled.terms.or(&choices);
            let mut query = backend.query(std::slice::from_ref(&some));
            query.limits.conflicts =
                query.limits.conflicts.into_iter().chain([effort::UNDEFINED.within(backend.effort)]).min();
            match unrolled.solver.check(&unrolled.terms, query)? {
                Answer::Unsat { scope: Scope::All, .. } => break,
                Answer::Sat(model) => {
                    let mut evaluator = Evaluator::new(&unrolled.terms, &model);
                    let before = left.len();
                    left.retain(|(obligation, choice)| {
                        let holds = evaluator.holds(*choice);
                        if holds {
                            refuted.push(*obligation);
                        }
                        !holds
                    });
                    if left.len() == before {
                        refuted.extend(left.iter().map(|(obligation, _)| *obligation));
                        break;
                    }
                }
                Answer::Unsat { .. } | Answer::Unknown(_) => {
                    refuted.extend(left.iter().map(|(obligation, _)| *obligation));
                    break;
                }
            }
        }
        Ok(refuted)
    }

    /// Looks for a run that meets an obligation with undefined behaviour.
    fn look_for(&mut self, obligation: ObligationId) -> Result<(), SearchError> {
        let backend = self.backend;
        let Some(unrolled) = &mut self.unrolled else { return Ok(()) };
        let mut wanted = vec![unrolled.possible(obligation, true)];
        wanted.extend(unrolled.problem.touches(&mut unrolled.terms, obligation));
        for attempt in 0..ATTEMPTS {
            let Some(unrolled) = &mut self.unrolled else { return Ok(()) };
            if self.shown.contains_key(&obligation) || backend.is_over() {
                return Ok(());
            }
            let mut query = backend.query(&wanted);
            query.limits.conflicts =
                query.limits.conflicts.into_iter().chain([effort::UNDEFINED.within(backend.effort)]).min();
            let answer = unrolled.solver.check(&unrolled.terms, query)?;
            let Answer::Sat(model) = answer else {
                if attempt == 0 {
                    wanted[0] = unrolled.possible(obligation, false);
                    continue;
                }
                return Ok(());
            };
            let Some(inputs) = unrolled.decoded(&model) else { return Ok(()) };
            let Ok(values) = document::values(&inputs) else { return Ok(()) };
            let (stopped, _) = self.show(&mut self.subject.recorded(&values));
            let (Some(edge), Some(unrolled)) = (stopped, &mut self.unrolled) else { return Ok(()) };
            // The run ended before it came to the goal: it has to get there without that.
            wanted.push(unrolled.problem.defined_at(&mut unrolled.terms, edge));
        }
        Ok(())
    }

    /// What may be undefined, in words.
    fn faults(&self) -> String {
        match &self.unrolled {
            Some(unrolled) => {
                let cuts = unrolled.problem.executed.trace.cuts.iter().filter(|cut| cut.undefined.is_some());
                reasons(cuts.map(|cut| &cut.reason))
            }
            None => "that was not looked at in the time of the run".to_owned(),
        }
    }
}

impl Unrolled<'_> {
    /// When an execution may meet an obligation, or one that is cut for no other reason than undefined behaviour.
    fn possible(&mut self, obligation: ObligationId, followed: bool) -> Term {
        let parts = self.problem.require(&mut self.terms, obligation);
        let mut parts: Vec<Term> = parts[..parts.len() - UNCUT].iter().map(|part| part.term).collect();
        parts.extend(followed.then_some(self.followed));
        self.terms.and(&parts)
    }

    fn decoded(&self, model: &Model) -> Option<Inputs> {
        self.problem.decode(&self.terms, model, None).into_iter().next()
    }
}

/// What is undefined, and where.
fn told(subject: &CSubject, fault: Fault, edge: EdgeId) -> String {
    let program = &subject.translation.program;
    let place = program.edge(edge).notes.location;
    place.map_or_else(|| fault.text().to_owned(), |place| format!("{} ({})", fault.text(), program.place_text(place)))
}
