//! The search for tests of a program: cheap concrete runs first, then the solver at growing bounds.

use std::collections::{BTreeMap, BTreeSet};

use smt::{Answer, Evaluator, Model, Scope, Term, Terms};
use smt_sat::NO_ROOM;
use testcase::{GoalStatus, Inputs, ObligationId};
use value::Sort;

use super::greybox::Greybox;
use super::problem::{CProblem, UNCUT};
use super::replay::CReplay;
use super::undefined::Tolerance;
use super::{Beyond, CSubject, Unrolled, document, effort};
use search::Backend;
use search::{Bound, Completeness, Engine, Finding, Problem};
use search::{ConflictBudget, Lane};
use search::{Options, SearchError, Statistics, Strategy};

/// From this many open obligations on, the solver is asked for any of them.
const MANY: usize = 3;

/// From this many open obligations on, it is asked first whether all of them are impossible.
const CROWD: usize = 200;

/// The first bound, if the user gives none.
const FIRST_BOUND: u32 = 2;

/// Bounds grow up to this one.
const LAST_BOUND: u32 = 64;

/// Problems of fewer terms are small: the bound after theirs may be four times as large.
const FEW_TERMS: usize = 6_000;

/// Questions about fewer terms are cheap, and runs need not take as long.
const MANY_TERMS: u64 = 10_000;

/// The share of these steps behind every test that the solver finds.
const NEWS_SHARE: u64 = 4;

/// What explanations may cost: the conflicts of one question, and of all of them.
const EXPLANATIONS: ConflictBudget = ConflictBudget { once: 1_500, left: 4_500 };

/// At most this many claims of infeasibility are explained; the others are only made.
const EXPLAINED: usize = 60;

pub(super) struct CEngine<'a> {
    subject: &'a CSubject,
    backend: &'a Backend,
    options: Options,
    started: bool,
    /// The search by running, which has its turn before the solver at every bound.
    greybox: Option<Greybox<'a>>,
    bound: u32,
    lane: Option<Lane<'a>>,
    /// Whether a larger bound would follow more executions.
    grows: bool,
    /// Whether a question took too much memory.
    full: bool,
    /// Why executions are not followed or cannot be had, whatever the bound.
    hindrances: String,
    /// What is known at the current bound about obligations that no test was found for.
    closed: BTreeMap<ObligationId, GoalStatus>,
    /// Selectors of the obligations that were offered to the solver together.
    offered: BTreeMap<ObligationId, Term>,
    explained: usize,
    /// What is left for explanations.
    budget: ConflictBudget,
    /// Whether the search by running has not yet made use of what the solver found last.
    news: bool,
    /// Obligations for which a partial loop gave an execution.
    tried: BTreeSet<ObligationId>,
    /// The obligations for which beginnings of executions were looked for, with the bounds.
    begun: BTreeSet<(u32, ObligationId)>,
    /// The last test that the solver found.
    last: Option<Inputs>,
    /// Whether executions with undefined behaviour were left out, and who looks at them once a claim is made.
    undefined: bool,
    tolerance: Option<Tolerance<'a>>,
    /// What the reduction of the suite needs to know.
    unrolled: Unrolled,
    statistics: Statistics,
}

impl<'a> CEngine<'a> {
    pub(super) fn new(subject: &'a CSubject, backend: &'a Backend, options: &Options) -> CEngine<'a> {
        CEngine {
            subject,
            backend,
            options: options.clone(),
            started: false,
            greybox: None,
            bound: subject.settings.unwind.unwrap_or(FIRST_BOUND),
            lane: None,
            grows: false,
            full: false,
            hindrances: String::new(),
            closed: BTreeMap::new(),
            offered: BTreeMap::new(),
            explained: 0,
            budget: EXPLANATIONS,
            news: false,
            tried: BTreeSet::new(),
            begun: BTreeSet::new(),
            last: None,
            undefined: false,
            tolerance: None,
            unrolled: Unrolled::NOTHING,
            statistics: Statistics::default(),
        }
    }

    fn lane(&mut self) -> Result<&mut Lane<'a>, SearchError> {
        if self.lane.is_none() {
            let mut terms = Terms::new();
            let problem = CProblem::new(&mut terms, self.subject, Bound(self.bound), Some(self.backend));
            self.unrolled.points = problem.executed.trace.points.len();
            self.unrolled.bound = self.bound;
            let trace = &problem.executed.trace;
            let cut = trace.cuts.iter().any(|cut| cut.bound);
            self.grows = cut && !trace.exhausted && self.subject.settings.unwind.is_none();
            self.undefined |= problem.executed.undefined;
            self.hindrances = problem.hindrances();
            let solver = self.backend.large_solver()?;
            let mut lane = Lane::over(self.subject, self.backend, terms, Box::new(problem), solver)?;
            lane.explanations = Some(self.budget);
            self.unrolled.weight = lane.weight();
            self.lane = Some(lane);
            self.offered.clear();
        }
        Ok(self.lane.as_mut().expect("made above"))
    }

    /// Asks for one obligation.
    fn one(&mut self, target: ObligationId) -> Result<Option<Finding>, SearchError> {
        self.lane()?;
        let conflicts = self.conflicts();
        let lane = self.lane()?;
        let parts = lane.parts(target);
        match lane.ask_within(&parts, conflicts)? {
            Answer::Sat(model) => {
                let model = self.nearest(&parts, model)?;
                let found = self.lane()?.decode(&model, vec![target]);
                self.learn(&found);
                Ok(self.possible(target, found))
            }
            Answer::Unknown(reason) => {
                self.note(&reason);
                self.closed.insert(target, GoalStatus::Unknown(reason.to_string()));
                Ok(None)
            }
            Answer::Unsat { scope, .. } => Ok(self.none_of(&[target], scope)?.pop()),
        }
    }

    /// The beginning of an execution that meets an obligation on its way, where no execution that comes to an end does.
    fn beginning(&mut self) -> Result<Option<Finding>, SearchError> {
        let (bound, last, conflicts) = (self.bound, !self.can_grow(), self.conflicts());
        if self.is_partial() {
            return Ok(None);
        }
        for obligation in self.closed.keys().copied().collect::<Vec<_>>() {
            if self.begun.contains(&(bound, obligation)) {
                continue;
            }
            let lane = self.lane()?;
            let Some(parts) = lane.problem.require_beginning(&mut lane.terms, obligation, last) else {
                return Ok(None);
            };
            let parts: Vec<Term> = parts.iter().map(|part| part.term).collect();
            let answer = lane.ask_within(&parts, conflicts)?;
            let found = match answer {
                Answer::Sat(model) => Some(lane.decode(&model, vec![obligation])),
                Answer::Unsat { .. } | Answer::Unknown(_) => None,
            };
            self.begun.insert((bound, obligation));
            // Behind the bound the run goes on with whatever there is: only runs tell whether it is a test.
            if let Some(found) = found.filter(|found| self.is_met(obligation, found)) {
                self.learn(&found);
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Whether runs of what was found meet an obligation.
    fn is_met(&self, obligation: ObligationId, found: &Finding) -> bool {
        let Finding::Inputs { inputs, .. } = found else { return false };
        let mut replay = CReplay::new(self.subject);
        let values = inputs.iter().filter_map(|inputs| document::values(inputs).ok());
        let mut seen = values.map(|values| replay.bounded(&mut self.subject.recorded(&values)));
        seen.any(|seen| seen.met.contains(&obligation))
    }

    /// A model that keeps of the last test what it can, where the strategy asks for that.
    fn nearest(&mut self, parts: &[Term], model: Model) -> Result<Model, SearchError> {
        let Some(last) = self.last.take().filter(|_| self.options.strategy == Strategy::Incremental) else {
            return Ok(model);
        };
        let lane = self.lane()?;
        let mut same = lane.problem.same_as(&mut lane.terms, &last);
        loop {
            let assumptions: Vec<Term> = parts.iter().chain(&same).copied().collect();
            match lane.ask(&assumptions)? {
                Answer::Sat(near) => return Ok(near),
                Answer::Unsat { core, .. } if same.iter().any(|term| core.contains(term)) => {
                    same.retain(|term| !core.contains(term));
                }
                Answer::Unsat { .. } | Answer::Unknown(_) => return Ok(model),
            }
        }
    }

    /// What is made of a test for an obligation. Behind a partial loop it may be none.
    fn possible(&mut self, target: ObligationId, found: Finding) -> Option<Finding> {
        if !self.is_partial() {
            return Some(found);
        }
        if !self.tried.insert(target) {
            let reason = "the executions that were found leave a loop earlier than the program does";
            self.closed.insert(target, GoalStatus::Unknown(reason.into()));
            return None;
        }
        match found {
            Finding::Inputs { inputs, .. } => Some(Finding::Inputs { targets: Vec::new(), inputs }),
            other => Some(other),
        }
    }

    fn is_partial(&self) -> bool {
        self.subject.settings.beyond == Beyond::Partial
    }

    /// Which bound executions may pass, if none may.
    fn passed_bound(&mut self) -> Result<Option<String>, SearchError> {
        if self.subject.settings.beyond != Beyond::Asserted {
            return Ok(None);
        }
        let mut terms = Terms::new();
        let mut problem = CProblem::new(&mut terms, self.subject, Bound(self.bound), Some(self.backend));
        let beyond = problem.beyond(&mut terms);
        let cuts = problem.executed.trace.cuts.iter().filter(|cut| cut.bound);
        let reasons: BTreeSet<String> = cuts.map(|cut| cut.reason.clone()).collect();
        let mut lane = Lane::over(self.subject, self.backend, terms, Box::new(problem), self.backend.large_solver()?)?;
        Ok(match lane.ask(&[beyond])? {
            Answer::Unsat { .. } => None,
            Answer::Sat(_) => {
                let reasons: Vec<String> = reasons.into_iter().collect();
                Some(format!("a bound is too small: it is possible that {}", reasons.join(", or that ")))
            }
            Answer::Unknown(reason) => Some(format!("it is not known whether the bounds suffice: {reason}")),
        })
    }

    /// Why a goal is impossible.
    fn reason(&mut self, target: ObligationId) -> Result<String, SearchError> {
        self.explained += 1;
        if EXPLAINED < self.explained {
            return Ok("no execution does that".into());
        }
        let lane = self.lane()?;
        let mut parts = lane.required(target).to_vec();
        parts.truncate(parts.len() - UNCUT);
        lane.explained(target, parts)
    }

    /// What is said of a goal that no execution within the bound reaches.
    fn bounded(&mut self) -> Result<GoalStatus, SearchError> {
        let lane = self.lane()?;
        let Completeness::UpTo(bound) = lane.problem.completeness() else {
            return Ok(GoalStatus::Infeasible("no execution does that".into()));
        };
        Ok(GoalStatus::InfeasibleUpTo(bound))
    }

    /// Asks for any of many obligations.
    fn any(&mut self, open: &[ObligationId]) -> Result<Vec<Finding>, SearchError> {
        self.lane()?;
        let conflicts = self.conflicts();
        let mut offered = std::mem::take(&mut self.offered);
        let lane = self.lane.as_mut().expect("made above");
        for &obligation in open {
            if offered.contains_key(&obligation) {
                continue;
            }
            if self.backend.is_over() {
                return Ok(Vec::new());
            }
            let parts = lane.parts(obligation);
            let selector = lane.terms.fresh("selector", &Sort::Bool);
            let all = lane.terms.and(&parts);
            let chosen = lane.terms.implies(selector, all);
            lane.solver.assert(&lane.terms, chosen)?;
            offered.insert(obligation, selector);
        }
        let selectors: Vec<Term> = open.iter().map(|obligation| offered[obligation]).collect();
        self.offered = offered;
        let some = lane.terms.or(&selectors);
        match lane.ask_within(&[some], conflicts)? {
            Answer::Sat(model) => {
                let targets = lane.holding(&model, open);
                let found = lane.decode(&model, targets);
                self.learn(&found);
                Ok(vec![found])
            }
            Answer::Unknown(reason) => {
                self.note(&reason);
                Ok(Vec::new())
            }
            Answer::Unsat { scope, .. } => self.none_of(open, scope),
        }
    }

    /// Whether no execution at all meets any of the obligations of a query, asked with one automaton for all of them: what makes
    /// an automaton for each of thousands unnecessary.
    fn all_are_impossible(&mut self, open: &[ObligationId]) -> Result<bool, SearchError> {
        let (subject, backend) = (self.subject, self.backend);
        if open.len() < CROWD || self.is_partial() || open.iter().any(|&first| subject.only_edge(first).is_some()) {
            return Ok(false);
        }
        let mut terms = Terms::new();
        let mut problem = CProblem::new(&mut terms, subject, Bound(self.bound), Some(backend));
        self.undefined |= problem.executed.undefined;
        let Some(parts) = subject.any_but(&mut problem, &mut terms, open) else { return Ok(false) };
        let mut solver = backend.large_solver()?;
        for fact in problem.facts() {
            solver.assert(&terms, fact.term)?;
        }
        let answer = solver.check(&terms, backend.query(&parts[..parts.len() - UNCUT]))?;
        self.statistics.count(&answer);
        Ok(matches!(answer, Answer::Unsat { scope: Scope::All, .. }))
    }

    /// No execution within the bound meets any of these obligations: perhaps none at all does, or a larger bound does not help.
    fn none_of(&mut self, open: &[ObligationId], scope: Scope) -> Result<Vec<Finding>, SearchError> {
        let mut findings = Vec::new();
        let (mut impossible, mut hopeless) = (Vec::new(), Vec::new());
        if !self.is_partial() {
            // Without the last parts, executions that are not followed count too: then it is a theorem.
            let all = self.lane()?.problem.completeness() == Completeness::Complete && scope == Scope::All;
            impossible = if all { open.to_vec() } else { self.excluded(open, UNCUT)? };
            if self.can_grow() && !self.hindrances.is_empty() {
                let known: BTreeSet<ObligationId> = impossible.iter().copied().collect();
                let rest: Vec<ObligationId> = open.iter().copied().filter(|open| !known.contains(open)).collect();
                hopeless = self.excluded(&rest, UNCUT - 1)?;
            }
        }
        findings.extend(self.impossible(&impossible)?);
        let impossible: BTreeSet<ObligationId> = impossible.into_iter().collect();
        for &obligation in open.iter().filter(|obligation| !impossible.contains(obligation)) {
            if hopeless.contains(&obligation) {
                let reason = format!("unless {}", self.hindrances);
                findings.push(Finding::Closed(obligation, GoalStatus::InfeasibleUpTo(reason)));
            } else {
                let status = self.bounded()?;
                self.closed.insert(obligation, status);
            }
        }
        Ok(findings)
    }

    /// Closes obligations that no execution meets, the first of them with an explanation.
    fn impossible(&mut self, obligations: &[ObligationId]) -> Result<Vec<Finding>, SearchError> {
        let mut findings = Vec::with_capacity(obligations.len());
        for &obligation in obligations {
            let reason = self.reason(obligation)?;
            findings.push(Finding::Closed(obligation, GoalStatus::Infeasible(reason)));
        }
        Ok(findings)
    }

    /// Which of these obligations no execution meets, even if the last few of their parts are left out.
    fn excluded(&mut self, among: &[ObligationId], left_out: usize) -> Result<Vec<ObligationId>, SearchError> {
        let (mut left, backend) = (among.to_vec(), self.backend);
        while !left.is_empty() {
            let lane = self.lane()?;
            let mut choices = Vec::new();
            for &obligation in &left {
                if backend.is_over() {
                    return Ok(Vec::new());
                }
                let parts = lane.parts(obligation);
                choices.push(lane.terms.and(&parts[..parts.len() - left_out]));
            }
            let some = lane.terms.or(&choices);
            match lane.ask(&[some])? {
                Answer::Unsat { scope: Scope::All, .. } => return Ok(left),
                // What holds in the model is possible; the others are asked for once more.
                Answer::Sat(model) => {
                    let mut evaluator = Evaluator::new(&lane.terms, &model);
                    let holding: Vec<bool> = choices.iter().map(|&choice| evaluator.holds(choice)).collect();
                    let mut holding = holding.into_iter();
                    left.retain(|_| holding.next() == Some(false));
                    if left.len() == choices.len() {
                        break;
                    }
                }
                Answer::Unsat { .. } | Answer::Unknown(_) if left.len() == 1 => break,
                // All of them together are too hard.
                Answer::Unsat { .. } | Answer::Unknown(_) => {
                    let mut found = Vec::new();
                    for &obligation in &left {
                        found.extend(self.excluded(&[obligation], left_out)?);
                    }
                    return Ok(found);
                }
            }
        }
        Ok(Vec::new())
    }

    /// What more runs find.
    fn run_more(&mut self, open: &[ObligationId], patience: u64) -> Vec<Finding> {
        let backend = self.backend;
        self.greybox.as_mut().map(|greybox| greybox.search(open, patience, backend)).unwrap_or_default()
    }

    /// Tells the search by running what the solver found.
    fn learn(&mut self, found: &Finding) {
        if let Finding::Inputs { inputs, .. } = found {
            self.last = inputs.last().cloned();
            if let Some(greybox) = &mut self.greybox {
                inputs.iter().for_each(|inputs| greybox.add(inputs));
                self.news = true;
            }
        }
    }

    /// Takes note of why a question was not answered: where memory was short, larger bounds do not help.
    fn note(&mut self, reason: &smt::Unknown) {
        self.full |= matches!(reason, smt::Unknown::Incomplete(text) if text == NO_ROOM);
    }

    /// The conflicts that a question may take: what is too hard may be easy where more executions are followed.
    fn conflicts(&self) -> Option<u64> {
        self.can_grow().then_some(effort::QUESTION.within(self.backend.effort))
    }

    /// Whether a larger bound can help.
    fn can_grow(&self) -> bool {
        self.grows && !self.full && self.bound < LAST_BOUND && !self.backend.is_over()
    }

    /// Goes on with a larger bound.
    fn grow(&mut self) {
        let mut factor = 2;
        if let Some(lane) = self.lane.take() {
            self.statistics = self.statistics + lane.statistics;
            self.budget = lane.explanations.unwrap_or(self.budget);
            if lane.terms.len() < FEW_TERMS {
                factor = 4;
            }
        }
        self.bound = (factor * self.bound).min(LAST_BOUND);
        self.closed.clear();
    }
}

impl CEngine<'_> {
    /// What is found before undefined behaviour is looked at.
    fn searched(&mut self, open: &[ObligationId]) -> Result<Vec<Finding>, SearchError> {
        if !self.started {
            self.started = true;
            if let Some(reason) = self.passed_bound()? {
                return Ok(vec![Finding::Finished(reason)]);
            }
            if self.subject.settings.hybrid {
                self.greybox = Some(Greybox::new(self.subject, self.options.seed, open));
                let effort = self.backend.effort;
                let steps = effort::STEPS_PER_EDGE.within(effort).saturating_mul(self.subject.edge_count() as u64);
                let range = (effort::FEWEST_STEPS.within(effort), effort::MOST_STEPS.within(effort));
                let found = self.run_more(open, steps.clamp(range.0, range.1));
                if !found.is_empty() {
                    return Ok(found);
                }
            }
        }
        loop {
            if self.backend.is_over() {
                return Ok(vec![Finding::Finished("the time of the run was over".into())]);
            }
            let rest: Vec<ObligationId> =
                open.iter().copied().filter(|obligation| !self.closed.contains_key(obligation)).collect();
            let Some(&first) = rest.first() else {
                if let Some(found) = self.beginning()? {
                    return Ok(vec![found]);
                }
                if self.can_grow() {
                    self.grow();
                    continue;
                }
                let closed = std::mem::take(&mut self.closed);
                return Ok(closed
                    .into_iter()
                    .map(|(obligation, status)| Finding::Closed(obligation, status))
                    .collect());
            };
            let fresh = self.lane.is_none();
            if fresh || std::mem::take(&mut self.news) {
                // The larger the problem, the more runs are cheaper than questions about it.
                let terms = self.lane()?.terms.len() as u64;
                let steps = effort::STEPS_PER_TERM.amount * terms * terms.min(MANY_TERMS) / MANY_TERMS;
                let steps = self.backend.effort.of(steps);
                let found = self.run_more(open, if fresh { steps } else { steps / NEWS_SHARE });
                if !found.is_empty() {
                    return Ok(found);
                }
            }
            if fresh && rest.len() == open.len() && self.all_are_impossible(open)? {
                return self.impossible(open);
            }
            let many = match self.options.strategy {
                Strategy::Each | Strategy::Incremental | Strategy::Simple | Strategy::Hard | Strategy::Soft => {
                    MANY < rest.len()
                }
                Strategy::Iterative | Strategy::Groupwise | Strategy::Growing => true,
            };
            if many && !self.is_partial() {
                let found = self.any(&rest)?;
                if !found.is_empty() {
                    return Ok(found);
                }
                if rest.iter().any(|obligation| self.closed.contains_key(obligation)) {
                    continue;
                }
            }
            if let Some(found) = self.one(first)? {
                return Ok(vec![found]);
            }
        }
    }

    /// Claims that something is impossible, with executions in mind that something undefined happens in.
    fn claimed(&mut self, findings: Vec<Finding>) -> Result<Vec<Finding>, SearchError> {
        if !self.undefined && !self.subject.has_terms() {
            return Ok(findings);
        }
        let (mut claims, mut others) = (Vec::new(), Vec::new());
        for finding in findings {
            match finding {
                Finding::Closed(obligation, status) => claims.push((obligation, status)),
                other @ (Finding::Inputs { .. } | Finding::Finished(_)) => others.push(other),
            }
        }
        if claims.is_empty() {
            return Ok(others);
        }
        let (subject, backend, seed) = (self.subject, self.backend, self.options.seed);
        let tolerance = self.tolerance.get_or_insert_with(|| Tolerance::new(subject, backend, seed));
        let judged = tolerance.judged(claims, self.bound)?;
        others.extend(judged.tests.into_iter().map(|(test, targets)| Finding::Inputs { targets, inputs: vec![test] }));
        others.extend(judged.claims.into_iter().map(|(obligation, status)| Finding::Closed(obligation, status)));
        Ok(others)
    }
}

impl Engine for CEngine<'_> {
    fn round(&mut self, open: &[ObligationId]) -> Result<Vec<Finding>, SearchError> {
        let findings = self.searched(open)?;
        self.claimed(findings)
    }

    fn posed(&self, asked: Bound) -> Option<Bound> {
        // The problem is that of single calls: where tests call several times, it says nothing about how many are needed.
        let several = self.tolerance.as_ref().is_some_and(Tolerance::calls_several_times);
        self.unrolled.posed(asked).filter(|_| !several)
    }

    fn statistics(&self) -> Statistics {
        let lane = self.lane.as_ref().map_or(Statistics::default(), |lane| lane.statistics);
        self.statistics + lane
    }
}
