//! The search for tests of a program: cheap concrete runs first, then the solver at growing bounds.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::Ordering;

use smt::{Answer, Model, Scope, Term, Terms};
use testcase::{GoalStatus, Inputs, ObligationId};
use value::Sort;

use super::greybox::Greybox;
use super::problem::CProblem;
use super::{Beyond, CSubject};
use crate::backend::Backend;
use crate::lane::Lane;
use crate::subject::{Bound, Engine, Finding};
use crate::{Options, SearchError, Statistics, Strategy};

/// From this many open obligations on, the solver is asked for any of them.
const MANY: usize = 24;

/// The first bound, if the user gives none.
const FIRST_BOUND: u32 = 2;

/// Bounds are doubled up to this one.
const LAST_BOUND: u32 = 64;

/// Steps of runs without success before the solver is asked at all, for each edge of the program, and their range.
const STEPS_PER_EDGE: u64 = 4_000;
const FIRST_STEPS: (u64, u64) = (100_000, 2_000_000);

/// Steps of runs without success before the solver is asked about a problem, for each of its terms.
const STEPS_PER_TERM: u64 = 30;

/// The conflicts that one question of an explanation may take.
const EXPLANATION_CONFLICTS: u64 = 1_500;

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
    /// What is known at the current bound about obligations that no test was found for.
    closed: BTreeMap<ObligationId, GoalStatus>,
    /// Selectors of the obligations that were offered to the solver together.
    offered: BTreeMap<ObligationId, Term>,
    explained: usize,
    /// Obligations for which a partial loop gave an execution.
    tried: BTreeSet<ObligationId>,
    /// The last test that the solver found.
    last: Option<Inputs>,
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
            closed: BTreeMap::new(),
            offered: BTreeMap::new(),
            explained: 0,
            tried: BTreeSet::new(),
            last: None,
            statistics: Statistics::default(),
        }
    }

    fn lane(&mut self) -> Result<&mut Lane<'a>, SearchError> {
        if self.lane.is_none() {
            let mut terms = Terms::new();
            let problem = CProblem::new(&mut terms, self.subject, Bound(self.bound), Some(self.backend));
            self.subject.points.store(problem.executed.trace.points.len(), Ordering::Relaxed);
            self.subject.reached.store(self.bound, Ordering::Relaxed);
            let trace = &problem.executed.trace;
            self.grows = trace.cuts.iter().any(|cut| cut.bound) && self.subject.settings.unwind.is_none();
            let solver = self.backend.large_solver()?;
            let mut lane = Lane::over(self.subject, self.backend, terms, Box::new(problem), solver)?;
            lane.explanation_conflicts = Some(EXPLANATION_CONFLICTS);
            self.lane = Some(lane);
            self.offered.clear();
        }
        Ok(self.lane.as_mut().expect("made above"))
    }

    /// Asks for one obligation.
    fn one(&mut self, target: ObligationId) -> Result<Option<Finding>, SearchError> {
        let lane = self.lane()?;
        let parts = lane.parts(target);
        match lane.ask(&parts)? {
            Answer::Sat(model) => {
                let model = self.nearest(&parts, model)?;
                let found = self.lane()?.decode(&model, vec![target]);
                self.learn(&found);
                return Ok(self.possible(target, found));
            }
            Answer::Unknown(reason) => {
                self.closed.insert(target, GoalStatus::Unknown(reason.to_string()));
                return Ok(None);
            }
            Answer::Unsat { .. } => {}
        }
        // Without the last part, executions beyond the bounds count too: then it is a theorem.
        let all = &parts[..parts.len() - 1];
        let partial = self.is_partial();
        let lane = self.lane()?;
        match lane.ask(all)? {
            Answer::Unsat { scope: Scope::All, .. } if !partial => {
                let reason = self.reason(target)?;
                Ok(Some(Finding::Closed(target, GoalStatus::Infeasible(reason))))
            }
            _ => {
                let status = self.bounded()?;
                self.closed.insert(target, status);
                Ok(None)
            }
        }
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
        parts.pop();
        lane.explained(target, parts)
    }

    /// What is said of a goal that no execution within the bound reaches.
    fn bounded(&mut self) -> Result<GoalStatus, SearchError> {
        let lane = self.lane()?;
        let crate::Completeness::UpTo(bound) = lane.problem.completeness() else {
            return Ok(GoalStatus::Infeasible("no execution does that".into()));
        };
        Ok(GoalStatus::InfeasibleUpTo(bound))
    }

    /// Asks for any of many obligations.
    fn any(&mut self, open: &[ObligationId]) -> Result<Vec<Finding>, SearchError> {
        self.lane()?;
        let mut offered = std::mem::take(&mut self.offered);
        let lane = self.lane.as_mut().expect("made above");
        for &obligation in open {
            if offered.contains_key(&obligation) {
                continue;
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
        match lane.ask(&[some])? {
            Answer::Sat(model) => {
                let targets = lane.holding(&model, open);
                let found = lane.decode(&model, targets);
                self.learn(&found);
                Ok(vec![found])
            }
            Answer::Unknown(_) => Ok(Vec::new()),
            Answer::Unsat { .. } => self.none_of(open),
        }
    }

    /// No execution within the bound meets any of these obligations: perhaps none at all does.
    fn none_of(&mut self, open: &[ObligationId]) -> Result<Vec<Finding>, SearchError> {
        let lane = self.lane()?;
        let mut choices = Vec::new();
        for &obligation in open {
            let parts = lane.parts(obligation);
            choices.push(lane.terms.and(&parts[..parts.len() - 1]));
        }
        let some = lane.terms.or(&choices);
        if let Answer::Unsat { scope: Scope::All, .. } = lane.ask(&[some])? {
            let mut findings = Vec::new();
            for &obligation in open {
                let reason = self.reason(obligation)?;
                findings.push(Finding::Closed(obligation, GoalStatus::Infeasible(reason)));
            }
            return Ok(findings);
        }
        let mut findings = Vec::new();
        for &obligation in open {
            let lane = self.lane()?;
            let parts = lane.parts(obligation);
            match lane.ask(&parts[..parts.len() - 1])? {
                Answer::Unsat { scope: Scope::All, .. } => {
                    let reason = self.reason(obligation)?;
                    findings.push(Finding::Closed(obligation, GoalStatus::Infeasible(reason)));
                }
                _ => {
                    let status = self.bounded()?;
                    self.closed.insert(obligation, status);
                }
            }
        }
        Ok(findings)
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
            }
        }
    }

    /// Whether a larger bound can help.
    fn can_grow(&self) -> bool {
        self.grows && self.bound < LAST_BOUND && !self.backend.is_over()
    }

    /// Goes on with a larger bound.
    fn grow(&mut self) {
        if let Some(lane) = self.lane.take() {
            self.statistics = self.statistics + lane.statistics;
        }
        self.bound *= 2;
        self.closed.clear();
    }
}

impl Engine for CEngine<'_> {
    fn round(&mut self, open: &[ObligationId]) -> Result<Vec<Finding>, SearchError> {
        if !self.started {
            self.started = true;
            if let Some(reason) = self.passed_bound()? {
                return Ok(vec![Finding::Finished(reason)]);
            }
            if self.subject.settings.hybrid {
                self.greybox = Some(Greybox::new(self.subject, self.options.seed, open));
                let steps = STEPS_PER_EDGE * self.subject.edge_count() as u64;
                let found = self.run_more(open, steps.clamp(FIRST_STEPS.0, FIRST_STEPS.1));
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
            if self.lane.is_none() {
                // The larger the problem, the more runs are cheaper than questions about it.
                let terms = self.lane()?.terms.len() as u64;
                let found = self.run_more(open, STEPS_PER_TERM * terms);
                if !found.is_empty() {
                    return Ok(found);
                }
            }
            let many = match self.options.strategy {
                Strategy::Each | Strategy::Incremental | Strategy::Simple | Strategy::Hard | Strategy::Soft => {
                    MANY < rest.len()
                }
                Strategy::Iterative | Strategy::Groupwise => true,
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

    fn statistics(&self) -> Statistics {
        let lane = self.lane.as_ref().map_or(Statistics::default(), |lane| lane.statistics);
        self.statistics + lane
    }
}
