//! Bounded search over the unrolled model, all mutants in one solver, and induction for those that are left.
//!
//! Every mutant has a selector. At each depth one question asks for a trace of that length whose last state any selected
//! mutant leaves by a step the model cannot make; each answer retires every mutant it shows. When no such trace exists,
//! induction over traces without repeated states tries to prove that longer ones are of no use either.

use std::time::{Duration, Instant};

use action::interp::Interpreter;
use action::spec::Spec;
use action::trace::Step;
use action::{OutOfFuel, Shape};
use smt::{Answer, Evaluator, Model, Op, Scope, Solver, Term, Terms};
use value::Sort;

use super::encode::{Encoder, Unmade, label_in_hull, state_symbols, symbols, within};
use super::read::numbers;
use crate::limits::{Limits, Stopped};
use crate::pair::{Base, Pair};
use crate::verdict::{Proof, Verdict};
use action::confirm::objection;
use action::finding::{Difference, Kill, Seen};
use search::Backend;
use search::SearchError;

/// Examines mutants of a model for refinement, up to a depth. Verdicts are as the explicit search gives them; traces are
/// shortest, though not always the same ones.
///
/// # Errors
/// When a solver fails, or the interpreter contradicts a finding.
pub fn bounded(
    spec: &Spec,
    mutants: &[Result<Spec, String>],
    depth: u64,
    backend: &Backend,
    limits: &Limits,
) -> Result<Vec<Verdict>, SearchError> {
    let decided = bounded_in_time(spec, mutants, depth, backend, limits)?;
    Ok(decided.into_iter().map(|(verdict, _)| verdict).collect())
}

/// The same with the time that each mutant took after the one that was decided before it.
pub(crate) fn bounded_in_time(
    spec: &Spec,
    mutants: &[Result<Spec, String>],
    depth: u64,
    backend: &Backend,
    limits: &Limits,
) -> Result<Vec<(Verdict, Duration)>, SearchError> {
    let base = Base::new(spec);
    let mut all: Vec<Option<Verdict>> = Vec::with_capacity(mutants.len());
    let mut open: Vec<(usize, &Spec, Vec<usize>)> = Vec::new();
    for (index, mutant) in mutants.iter().enumerate() {
        let (verdict, changed) = match limits.spent() {
            Some(stopped) => (Some(Verdict::Unknown(stopped.to_string())), Vec::new()),
            None => settled(&base, spec, mutant),
        };
        if let (None, Ok(mutant)) = (&verdict, mutant) {
            open.push((index, mutant, changed));
        }
        all.push(verdict);
    }
    let specs: Vec<&Spec> = std::iter::once(spec).chain(open.iter().map(|(_, mutant, _)| *mutant)).collect();
    let shape = Shape::of(&specs);
    let mut search = Search::new(spec, open, &shape, backend, limits)?;
    match search.run(depth) {
        Ok(()) => {}
        Err(Ended::Solver(error)) => return Err(error),
        Err(Ended::TooLarge(why)) => search.leave_open(&format!("the model is too large to be encoded: {why}")),
        Err(Ended::Unknown(why)) => search.leave_open(&why),
    }
    let mut times = vec![Duration::ZERO; all.len()];
    for (index, verdict, took) in search.verdicts {
        all[index] = Some(verdict);
        times[index] = took;
    }
    let all = all.into_iter().map(|verdict| verdict.unwrap_or(Verdict::conforms(Proof::UpTo(depth))));
    Ok(all.zip(times).collect())
}

/// The verdict on a mutant that needs no search; otherwise the alternatives that it changes.
fn settled(base: &Base, spec: &Spec, mutant: &Result<Spec, String>) -> (Option<Verdict>, Vec<usize>) {
    let decided = |verdict| (Some(verdict), Vec::new());
    let mutant = match mutant {
        Err(why) => return decided(Verdict::Unsupported(why.clone())),
        Ok(mutant) => mutant,
    };
    match Pair::over(base, spec, mutant) {
        Err(why) => decided(Verdict::Unsupported(why.0)),
        Ok(pair) if pair.is_same() => decided(Verdict::conforms(Proof::Syntactic)),
        Ok(pair) if !pair.same_start => {
            let difference = Difference::Initial(mutant.initial().to_vec());
            decided(Verdict::Killed(Kill { trace: Vec::new(), state: None, difference, differences: 1 }))
        }
        Ok(pair) => (None, pair.changed_places()),
    }
}

/// Why a search ended early.
enum Ended {
    Solver(SearchError),
    TooLarge(String),
    Unknown(String),
}

impl From<SearchError> for Ended {
    fn from(error: SearchError) -> Ended {
        Ended::Solver(error)
    }
}

impl From<smt::SolverError> for Ended {
    fn from(error: smt::SolverError) -> Ended {
        Ended::Solver(error.into())
    }
}

impl From<Unmade> for Ended {
    fn from(error: Unmade) -> Ended {
        match error {
            Unmade::TooLarge(why) => Ended::TooLarge(why),
            Unmade::Stopped(stopped) => Ended::Unknown(stopped.to_string()),
        }
    }
}

/// A mutant still open, with its selector.
struct Candidate<'a> {
    index: usize,
    spec: &'a Spec,
    /// Its alternatives that are not the model's.
    changed: Vec<usize>,
    selector: Term,
}

struct Search<'a> {
    spec: &'a Spec,
    interpreter: Interpreter,
    shape: &'a Shape,
    backend: &'a Backend,
    limits: &'a Limits,
    terms: Terms,
    forward: Box<dyn Solver>,
    backward: Box<dyn Solver>,
    open: Vec<Candidate<'a>>,
    /// What was decided, and how long each took after the one before.
    verdicts: Vec<(usize, Verdict, Duration)>,
    since: Instant,
    /// The states and labels of the trace.
    states: Vec<Vec<Term>>,
    labels: Vec<Vec<Term>>,
    /// The states of a trace that ends in a bad state, the last one first.
    behind: Vec<Vec<Term>>,
    /// The step only a mutant can make.
    bad_label: Vec<Term>,
    bad_post: Vec<Term>,
    /// Holds where no state of the trace occurs twice.
    simple: Term,
}

impl<'a> Search<'a> {
    fn new(
        spec: &'a Spec,
        open: Vec<(usize, &'a Spec, Vec<usize>)>,
        shape: &'a Shape,
        backend: &'a Backend,
        limits: &'a Limits,
    ) -> Result<Search<'a>, SearchError> {
        let mut terms = Terms::new();
        let candidate = |(index, spec, changed): (usize, &'a Spec, Vec<usize>), terms: &mut Terms| {
            let selector = terms.symbol(&format!("mutant.{index}"), &Sort::Bool);
            Candidate { index, spec, changed, selector }
        };
        let open: Vec<Candidate<'a>> = open.into_iter().map(|one| candidate(one, &mut terms)).collect();
        let bad_label = symbols(&mut terms, "bad-label", shape.width());
        let bad_post = state_symbols(&mut terms, spec, "bad-post");
        let simple = terms.symbol("simple", &Sort::Bool);
        let mut search = Search {
            spec,
            interpreter: Interpreter::new(spec),
            shape,
            backend,
            limits,
            terms,
            // The two share what memory there is.
            forward: backend.roomy_solver(limits.memory as u64 / 3)?,
            backward: backend.roomy_solver(limits.memory as u64 / 3)?,
            open,
            verdicts: Vec::new(),
            since: Instant::now(),
            states: Vec::new(),
            labels: Vec::new(),
            behind: Vec::new(),
            bad_label,
            bad_post,
            simple,
        };
        search.bound_bad_step()?;
        Ok(search)
    }

    fn encoder(&self) -> Encoder<'a> {
        Encoder { spec: self.spec, shape: self.shape, limits: self.limits }
    }

    /// The step of a mutant lies in the types of some mutant.
    fn bound_bad_step(&mut self) -> Result<(), SearchError> {
        for slot in 0..self.spec.slots().len() {
            let mutants = self.open.iter().map(|candidate| &candidate.spec.slots()[slot]);
            let all = std::iter::once(&self.spec.slots()[slot]).chain(mutants);
            let (low, high) =
                all.fold((i64::MAX, i64::MIN), |(low, high), slot| (low.min(slot.low), high.max(slot.high)));
            let fact = within(&mut self.terms, self.bad_post[slot], low, high);
            self.forward.assert(&self.terms, fact)?;
            self.backward.assert(&self.terms, fact)?;
        }
        let label = self.bad_label.clone();
        for solver in [true, false] {
            self.bound_label(&label, solver)?;
        }
        Ok(())
    }

    /// Cells of labels lie in the hull of all they can be.
    fn bound_label(&mut self, label: &[Term], forward: bool) -> Result<(), SearchError> {
        let specs = std::iter::once(self.spec).chain(self.open.iter().map(|candidate| candidate.spec));
        for fact in label_in_hull(&mut self.terms, self.shape, specs, label) {
            let solver = if forward { &mut self.forward } else { &mut self.backward };
            solver.assert(&self.terms, fact)?;
        }
        Ok(())
    }

    fn run(&mut self, depth: u64) -> Result<(), Ended> {
        self.begin()?;
        for length in 0..=depth {
            if self.open.is_empty() {
                return Ok(());
            }
            self.spent()?;
            self.prove_backward(length)?;
            self.kill_at(length)?;
            if self.open.is_empty() {
                return Ok(());
            }
            self.extend()?;
            if self.is_exhausted()? {
                self.close_all(Verdict::conforms(Proof::Induction(length + 1)));
                return Ok(());
            }
        }
        self.close_all(Verdict::conforms(Proof::UpTo(depth)));
        Ok(())
    }

    /// Ends the search where time or memory is spent.
    fn spent(&self) -> Result<(), Ended> {
        let stopped = self.limits.spent();
        let full = (self.limits.memory / 3 < self.terms.memory()).then_some(Stopped::Memory(self.limits.memory));
        stopped.or(full).map_or(Ok(()), |stopped| Err(Ended::Unknown(stopped.to_string())))
    }

    fn leave_open(&mut self, why: &str) {
        self.close_all(Verdict::Unknown(why.to_owned()));
    }

    fn close_all(&mut self, verdict: Verdict) {
        let closed = self.open.drain(..).map(|candidate| (candidate.index, verdict.clone())).collect();
        self.decide(closed);
    }

    /// Notes verdicts that came together, and shares among them the time they took.
    fn decide(&mut self, verdicts: Vec<(usize, Verdict)>) {
        let took = self.since.elapsed() / verdicts.len().max(1) as u32;
        self.since = Instant::now();
        self.verdicts.extend(verdicts.into_iter().map(|(index, verdict)| (index, verdict, took)));
    }

    fn begin(&mut self) -> Result<(), Ended> {
        let state = state_symbols(&mut self.terms, self.spec, "state.0");
        let initial = super::encode::equals(&mut self.terms, &state, self.spec.initial());
        self.forward.assert(&self.terms, initial)?;
        self.states.push(state);
        let last = state_symbols(&mut self.terms, self.spec, "behind.0");
        let types = self.encoder().in_types(&mut self.terms, &last);
        self.backward.assert(&self.terms, types)?;
        self.behind.push(last);
        let bad = self.bad_at(0, true)?;
        self.backward.assert(&self.terms, bad)?;
        Ok(())
    }

    /// The fact that some selected mutant makes a bad step from a state.
    fn bad_at(&mut self, index: usize, behind: bool) -> Result<Term, Ended> {
        let state = if behind { self.behind[index].clone() } else { self.states[index].clone() };
        let (label, post) = (self.bad_label.clone(), self.bad_post.clone());
        let allowed = self.encoder().step(&mut self.terms, &state, &label, &post, None)?;
        let forbidden = self.terms.not(allowed);
        let mut choices = Vec::new();
        for position in 0..self.open.len() {
            self.spent()?;
            let step = self.mutant_step(position, &state)?;
            let selector = self.open[position].selector;
            choices.push(self.terms.and(&[selector, step]));
        }
        let any = self.terms.or(&choices);
        Ok(self.terms.and(&[forbidden, any]))
    }

    fn mutant_step(&mut self, position: usize, state: &[Term]) -> Result<Term, Ended> {
        let encoder = Encoder { spec: self.open[position].spec, shape: self.shape, limits: self.limits };
        let (label, post) = (&self.bad_label, &self.bad_post);
        Ok(encoder.step(&mut self.terms, state, label, post, Some(&self.open[position].changed))?)
    }

    /// Retires every mutant with a difference behind a trace of this length.
    fn kill_at(&mut self, length: u64) -> Result<(), Ended> {
        let active = self.terms.symbol(&format!("active.{length}"), &Sort::Bool);
        let bad = self.bad_at(length as usize, false)?;
        let fact = self.terms.implies(active, bad);
        self.forward.assert(&self.terms, fact)?;
        while !self.open.is_empty() {
            match self.forward.check(&self.terms, self.backend.query(&[active]))? {
                Answer::Sat(model) => self.retire(length, &model)?,
                Answer::Unsat { scope: Scope::All, .. } => return Ok(()),
                Answer::Unsat { scope: Scope::Width(width), .. } => {
                    return Err(Ended::Unknown(format!("decided only for integers of {width} bits")));
                }
                Answer::Unknown(why) => return Err(Ended::Unknown(why.to_string())),
            }
        }
        Ok(())
    }

    fn retire(&mut self, length: u64, model: &Model) -> Result<(), Ended> {
        let kill = self.kill(length, model)?;
        let state = self.states[length as usize].clone();
        let mut killed = Vec::new();
        for position in 0..self.open.len() {
            let step = self.mutant_step(position, &state)?;
            if Evaluator::new(&self.terms, model).holds(step) {
                killed.push(position);
            }
        }
        if killed.is_empty() {
            return Err(SearchError::Disagreement("a model shows no mutant's step".to_owned()).into());
        }
        let mut verdicts = Vec::new();
        for position in killed.into_iter().rev() {
            let candidate = self.open.remove(position);
            let verdict = match objection(self.spec, &self.interpreter, candidate.spec, &kill) {
                Ok(None) => Verdict::Killed(kill.clone()),
                Ok(Some(objection)) => {
                    let text = format!("mutant {}: {objection}", candidate.index + 1);
                    return Err(SearchError::Disagreement(text).into());
                }
                Err(OutOfFuel) => Verdict::unconfirmed(),
            };
            let retired = self.terms.not(candidate.selector);
            self.forward.assert(&self.terms, retired)?;
            self.backward.assert(&self.terms, retired)?;
            verdicts.push((candidate.index, verdict));
        }
        self.decide(verdicts);
        Ok(())
    }

    fn kill(&self, length: u64, model: &Model) -> Result<Kill, SearchError> {
        let mut trace = Vec::new();
        for step in 0..length as usize {
            let label = self.shape.decode(&numbers(&self.terms, model, &self.labels[step])?);
            trace.push(Seen::Step(Step { label, post: numbers(&self.terms, model, &self.states[step + 1])? }));
        }
        let label = self.shape.decode(&numbers(&self.terms, model, &self.bad_label)?);
        let step = Step { label, post: numbers(&self.terms, model, &self.bad_post)? };
        let state = numbers(&self.terms, model, &self.states[length as usize])?;
        Ok(Kill { trace, state: Some(state), difference: Difference::Step(step), differences: 1 })
    }

    /// Makes the trace one step longer.
    fn extend(&mut self) -> Result<(), Ended> {
        let length = self.states.len();
        let label = symbols(&mut self.terms, &format!("label.{length}"), self.shape.width());
        let state = state_symbols(&mut self.terms, self.spec, &format!("state.{length}"));
        self.bound_label(&label, true)?;
        let pre = self.states[length - 1].clone();
        let step = self.encoder().step(&mut self.terms, &pre, &label, &state, None)?;
        self.forward.assert(&self.terms, step)?;
        for index in 0..length {
            let other = self.states[index].clone();
            let distinct = self.distinct(&other, &state);
            let fact = self.terms.implies(self.simple, distinct);
            self.forward.assert(&self.terms, fact)?;
        }
        self.labels.push(label);
        self.states.push(state);
        Ok(())
    }

    fn distinct(&mut self, left: &[Term], right: &[Term]) -> Term {
        let differ: Vec<Term> =
            left.iter().zip(right).map(|(left, right)| self.terms.app(Op::Distinct, &[*left, *right])).collect();
        self.terms.or(&differ)
    }

    /// Whether no trace of the present length is without repetition: then every state has been looked at.
    fn is_exhausted(&mut self) -> Result<bool, Ended> {
        let answer = self.forward.check(&self.terms, self.backend.query(&[self.simple]))?;
        Ok(matches!(answer, Answer::Unsat { scope: Scope::All, .. }))
    }

    /// Closes mutants to whose bad states no trace of `length` steps without repetition leads. Shorter ones were looked at.
    fn prove_backward(&mut self, length: u64) -> Result<(), Ended> {
        if 0 < length {
            self.extend_backward()?;
        }
        let mut position = 0;
        while position < self.open.len() {
            let mut chosen = vec![self.open[position].selector];
            let others: Vec<Term> = self
                .open
                .iter()
                .filter(|other| other.index != self.open[position].index)
                .map(|other| other.selector)
                .collect();
            chosen.extend(others.into_iter().map(|other| self.terms.not(other)));
            let answer = self.backward.check(&self.terms, self.backend.query(&chosen))?;
            if matches!(answer, Answer::Unsat { scope: Scope::All, .. }) {
                let proof = if length == 0 { Proof::EveryState } else { Proof::Induction(length) };
                let candidate = self.open.remove(position);
                let retired = self.terms.not(candidate.selector);
                self.forward.assert(&self.terms, retired)?;
                self.backward.assert(&self.terms, retired)?;
                self.decide(vec![(candidate.index, Verdict::conforms(proof))]);
            } else {
                position += 1;
            }
        }
        Ok(())
    }

    fn extend_backward(&mut self) -> Result<(), Ended> {
        let length = self.behind.len();
        let label = symbols(&mut self.terms, &format!("behind-label.{length}"), self.shape.width());
        let state = state_symbols(&mut self.terms, self.spec, &format!("behind.{length}"));
        self.bound_label(&label, false)?;
        let types = self.encoder().in_types(&mut self.terms, &state);
        self.backward.assert(&self.terms, types)?;
        let post = self.behind[length - 1].clone();
        let step = self.encoder().step(&mut self.terms, &state, &label, &post, None)?;
        self.backward.assert(&self.terms, step)?;
        for index in 0..length {
            let other = self.behind[index].clone();
            let distinct = self.distinct(&other, &state);
            self.backward.assert(&self.terms, distinct)?;
        }
        self.behind.push(state);
        Ok(())
    }
}
