//! A lane: one arena, one problem and one solver that work through a fixed share of the obligations.
//!
//! The number of lanes depends on the problem, never on the number of threads, and lanes meet after every round. That
//! is what makes a run's result the same for every `--jobs`.

use std::time::Instant;

use smt::{Answer, Evaluator, Model, Op, Query, Scope, Solver, Term, Terms};
use testcase::{GoalStatus, Inputs, ObligationId};
use value::Value;

use crate::abilities::Encodes;
use crate::backend::Backend;
use crate::effort::{EXPLANATION, Effort};
use crate::ranges::pinned;
use crate::subject::{Bound, Completeness, Finding, Part, Problem, Reason};
use crate::{SearchError, Statistics};

/// Cores larger than this are shown as they are; smaller ones are made minimal.
const SMALL_CORE: usize = 32;

/// At most this many facts are told apart in an explanation.
const NAMED_FACTS: usize = 256;

/// One arena, one problem and one solver for a share of the obligations.
pub struct Lane<'a> {
    subject: &'a dyn Encodes,
    backend: &'a Backend,
    /// The arena.
    pub terms: Terms,
    /// What is looked for, in terms of it.
    pub problem: Box<dyn Problem + 'a>,
    /// Knows the facts of the problem.
    pub solver: Box<dyn Solver>,
    /// A solver in which facts are assumptions, so that cores name them; made for the first explanation.
    explainer: Option<Box<dyn Solver>>,
    /// The parts of the obligations asked for so far.
    required: Vec<Option<Vec<Part>>>,
    pub(crate) strategy: crate::strategy::Memory,
    /// The questions asked so far.
    pub statistics: Statistics,
    /// What explanations may cost, if less than usual; what is too hard is not explained.
    pub explanations: Option<ConflictBudget>,
    /// What questions may cost, if less than usual.
    pub(crate) budget: Option<ConflictBudget>,
    weight: Weight,
}

/// What questions may cost that are not worth everything, counted in conflicts of the solver.
#[derive(Clone, Copy, Debug)]
pub struct ConflictBudget {
    /// One question.
    pub once: u64,
    /// All questions together.
    pub left: u64,
}

/// So many terms cost as much to walk through as a conflict.
const TERMS_PER_CONFLICT: u64 = 100;

/// The terms of a lane, and how many there would be if each were as small as the small ones: products and quotients are not.
#[derive(Clone, Copy, Debug, Default)]
struct Weight {
    terms: usize,
    weight: u64,
}

impl Weight {
    /// The weight of all terms, of which more have been made.
    fn of(&mut self, terms: &Terms) -> u64 {
        for index in self.terms..terms.len() {
            let term = terms.at(index);
            let hard = matches!(terms.op(term), Op::BvMul | Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem)
                && !terms.args(term).iter().any(|&argument| is_power(terms, argument));
            let width = u64::from(terms.width(term).filter(|_| hard).unwrap_or(1));
            self.weight += width * width;
        }
        self.terms = terms.len();
        self.weight
    }
}

/// Whether a term is a constant power of two: to multiply by it or to divide is to shift.
fn is_power(terms: &Terms, term: Term) -> bool {
    match terms.value(term) {
        Some(Value::BitVec(bits)) => u128::try_from(bits.bits()).is_ok_and(u128::is_power_of_two),
        Some(_) | None => false,
    }
}

impl ConflictBudget {
    /// Takes out what a question about terms of some weight costs, and limits it; false if nothing is left.
    fn pay(&mut self, query: &mut Query<'_>, weight: u64) -> bool {
        if self.left == 0 {
            return false;
        }
        query.limits.conflicts = query.limits.conflicts.into_iter().chain([self.once]).min();
        self.left = self.left.saturating_sub(1 + weight / TERMS_PER_CONFLICT);
        true
    }

    /// Takes out what an answer cost.
    fn settle(&mut self, answer: &Answer) {
        if matches!(answer, Answer::Unknown(_)) {
            self.left = self.left.saturating_sub(self.once);
        }
    }
}

impl<'a> Lane<'a> {
    /// A lane for a subject; none if it has no problem at this bound.
    pub(crate) fn new(
        subject: &'a dyn Encodes,
        backend: &'a Backend,
        bound: Bound,
    ) -> Result<Option<Lane<'a>>, SearchError> {
        let mut terms = Terms::new();
        let Some(problem) = subject.encode(&mut terms, bound) else { return Ok(None) };
        let solver = if subject.is_large() { backend.large_solver()? } else { backend.solver()? };
        Lane::over(subject, backend, terms, problem, solver).map(Some)
    }

    /// A lane over a problem that was made before.
    pub fn over(
        subject: &'a dyn Encodes,
        backend: &'a Backend,
        terms: Terms,
        problem: Box<dyn Problem + 'a>,
        mut solver: Box<dyn Solver>,
    ) -> Result<Lane<'a>, SearchError> {
        for fact in problem.facts() {
            solver.assert(&terms, fact.term)?;
        }
        Ok(Lane {
            subject,
            backend,
            terms,
            problem,
            solver,
            explainer: None,
            required: vec![None; subject.obligation_count()],
            strategy: crate::strategy::Memory::default(),
            statistics: Statistics::default(),
            explanations: None,
            budget: None,
            weight: Weight::default(),
        })
    }

    /// The number of terms there would be if all were small.
    pub fn weight(&mut self) -> u64 {
        self.weight.of(&self.terms)
    }

    /// The terms of an obligation's parts.
    pub fn parts(&mut self, obligation: ObligationId) -> Vec<Term> {
        self.required(obligation).iter().map(|part| part.term).collect()
    }

    /// An obligation's parts.
    pub fn required(&mut self, obligation: ObligationId) -> &[Part] {
        let slot = &mut self.required[obligation.0 as usize];
        slot.get_or_insert_with(|| self.problem.require(&mut self.terms, obligation))
    }

    /// Asks the lane's solver.
    pub fn ask(&mut self, assumptions: &[Term]) -> Result<Answer, SearchError> {
        self.ask_within(assumptions, None)
    }

    /// As [`Lane::ask`], with a limit on conflicts.
    pub fn ask_within(&mut self, assumptions: &[Term], conflicts: Option<u64>) -> Result<Answer, SearchError> {
        let mut query = self.backend.query(assumptions);
        query.limits.conflicts = query.limits.conflicts.into_iter().chain(conflicts).min();
        if let Some(budget) = &mut self.budget
            && !budget.pay(&mut query, self.weight.of(&self.terms))
        {
            return Ok(Answer::Unknown(smt::Unknown::Conflicts));
        }
        let began = Instant::now();
        let answer = loop {
            let answer = self.solver.check(&self.terms, query.clone())?;
            let Answer::Sat(model) = &answer else { break answer };
            let lacking = self.problem.lacking(&mut self.terms, model);
            if lacking.is_empty() {
                break answer;
            }
            for fact in lacking {
                self.solver.assert(&self.terms, fact.term)?;
            }
        };
        self.statistics.solving += began.elapsed();
        if let Some((variables, clauses)) = self.solver.size() {
            (self.statistics.variables, self.statistics.clauses) = (variables, clauses);
        }
        self.budget.iter_mut().for_each(|budget| budget.settle(&answer));
        self.statistics.count(&answer);
        Ok(answer)
    }

    /// Which of the obligations hold in a model, by evaluation.
    pub fn holding(&mut self, model: &Model, among: &[ObligationId]) -> Vec<ObligationId> {
        let mut holding = Vec::new();
        for &obligation in among {
            self.required(obligation);
        }
        let mut evaluator = Evaluator::new(&self.terms, model);
        for &obligation in among {
            let parts = self.required[obligation.0 as usize].as_ref().expect("required above");
            if parts.iter().all(|part| evaluator.holds(part.term)) {
                holding.push(obligation);
            }
        }
        holding
    }

    /// The inputs a model shows for obligations that hold in it, each once.
    pub fn decode(&self, model: &Model, targets: Vec<ObligationId>) -> Finding {
        let mut inputs: Vec<Inputs> = Vec::new();
        for &target in &targets {
            for input in self.problem.decode(&self.terms, model, Some(target)) {
                if !inputs.contains(&input) {
                    inputs.push(input);
                }
            }
        }
        Finding::Inputs { targets, inputs }
    }

    /// Closes an obligation after an answer that is not SAT.
    pub(crate) fn close(&mut self, obligation: ObligationId, answer: &Answer) -> Result<Finding, SearchError> {
        let status = match answer {
            Answer::Sat(_) => unreachable!("a satisfiable obligation is decoded, not closed"),
            Answer::Unknown(reason) => GoalStatus::Unknown(reason.to_string()),
            Answer::Unsat { scope, .. } => {
                let reason = self.explanation(obligation)?;
                match (self.problem.completeness(), scope) {
                    (Completeness::Complete, Scope::All) => GoalStatus::Infeasible(reason),
                    (Completeness::UpTo(bound), Scope::All) => GoalStatus::InfeasibleUpTo(format!("{bound}: {reason}")),
                    (_, Scope::Width(_)) => GoalStatus::InfeasibleUpTo(format!("{}: {reason}", self.within(answer))),
                }
            }
        };
        Ok(Finding::Closed(obligation, status))
    }

    /// What a refutation is limited to, in words; nothing if it is not.
    pub(crate) fn within(&self, answer: &Answer) -> String {
        let mut parts = Vec::new();
        if let Completeness::UpTo(bound) = self.problem.completeness() {
            parts.push(bound);
        }
        if let Answer::Unsat { scope: Scope::Width(width), .. } = answer {
            parts.push(format!("for integers of up to {width} bits"));
        }
        parts.join(", ")
    }

    /// By how much budgets are scaled.
    pub(crate) fn effort(&self) -> Effort {
        self.backend.effort
    }

    /// Whether the run must end now.
    pub(crate) fn is_over(&self) -> bool {
        self.backend.is_over()
    }

    /// Why an obligation cannot be met: a minimal set of contradicting parts and facts, in the subject's words.
    fn explanation(&mut self, obligation: ObligationId) -> Result<String, SearchError> {
        let parts = self.required(obligation).to_vec();
        self.explained(obligation, parts)
    }

    /// Why parts cannot hold together: a minimal set of them and of the facts, in the subject's words.
    pub fn explained(&mut self, obligation: ObligationId, parts: Vec<Part>) -> Result<String, SearchError> {
        let weight = self.weight();
        if self.explanations.is_some_and(|budget| budget.left <= weight / TERMS_PER_CONFLICT) {
            return Ok(self.subject.explain(obligation, &[]));
        }
        let facts = self.problem.facts().to_vec();
        let named = if facts.len() <= NAMED_FACTS { facts.as_slice() } else { &[] };
        let mut explainer = match self.explainer.take() {
            Some(explainer) => explainer,
            None => {
                let mut explainer = self.backend.large_solver()?;
                for fact in facts.iter().filter(|_| named.is_empty()) {
                    explainer.assert(&self.terms, fact.term)?;
                }
                explainer
            }
        };
        let candidates: Vec<Part> = parts.iter().chain(named).copied().collect();
        let core = self.minimal_core(&mut *explainer, candidates)?;
        self.explainer = Some(explainer);
        let reasons: Vec<Reason> = core.iter().map(|part| part.reason).collect();
        Ok(self.subject.explain(obligation, &reasons))
    }

    /// Whether parts contradict each other.
    fn contradict(&mut self, parts: &[Part], solver: &mut dyn Solver) -> Result<Answer, SearchError> {
        let assumptions: Vec<Term> = parts.iter().map(|part| part.term).collect();
        let mut query = self.backend.query(&assumptions);
        query.limits.conflicts = query.limits.conflicts.into_iter().chain([EXPLANATION.within(self.effort())]).min();
        if let Some(budget) = &mut self.explanations
            && !budget.pay(&mut query, self.weight.of(&self.terms))
        {
            return Ok(Answer::Unknown(smt::Unknown::Conflicts));
        }
        let answer = solver.check(&self.terms, query)?;
        self.explanations.iter_mut().for_each(|budget| budget.settle(&answer));
        Ok(answer)
    }

    /// Drops parts as long as the rest still contradicts itself.
    fn minimal_core(&mut self, solver: &mut dyn Solver, mut core: Vec<Part>) -> Result<Vec<Part>, SearchError> {
        let pinned = pinned(&self.terms, core.iter().map(|part| part.term));
        let shrink = |parts: &mut Vec<Part>, core: &[Term]| {
            parts.retain(|part| core.contains(&part.term) || pinned.contains(&part.term));
        };
        match self.contradict(&core, solver)? {
            Answer::Unsat { core: terms, .. } => shrink(&mut core, &terms),
            Answer::Unknown(_) if self.explanations.is_some() => return Ok(Vec::new()),
            Answer::Unknown(_) => return Ok(core),
            // The explainer is a solver of its own: where it finds a model, the claim it should explain is false.
            Answer::Sat(_) => {
                return Err(SearchError::Disagreement("one solver refutes what another says is infeasible".into()));
            }
        }
        if SMALL_CORE < core.len() {
            return Ok(core);
        }
        // Facts go last, so that parts of the obligation are dropped only where facts alone explain less.
        let mut kept = 0;
        while kept < core.len() {
            if pinned.contains(&core[kept].term) {
                kept += 1;
                continue;
            }
            let mut fewer = core.clone();
            fewer.remove(kept);
            match self.contradict(&fewer, solver)? {
                Answer::Unsat { core: terms, .. } => {
                    shrink(&mut fewer, &terms);
                    core = fewer;
                    kept = 0;
                }
                Answer::Sat(_) | Answer::Unknown(_) => kept += 1,
            }
        }
        Ok(core)
    }
}
