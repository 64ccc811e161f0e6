//! The search of this front end: coarse grid, proof, finer grids.

use smt::{Answer, Scope, Solver, Terms};
use stl::goals::Obligation;
use testcase::{GoalStatus, ObligationId};

use super::StlSubject;
use super::coarse::look;
use super::effort::GRID;
use super::grid::Grid;
use super::problem::StlProblem;
use super::prove::Prover;
use super::simplify::calm;
use search::{Backend, Options, SearchError, Statistics, Strategy};
use search::{Bound, Engine, Finding, Problem};

/// What a claim about chosen times is limited to.
const CHOSEN: &str = "signals whose propositions change at sums of bounds and halfway between them only";

/// A grid is halved at most this many times.
pub(super) const FINEST: u32 = 4;

/// A grid is halved this many times if the user does not say.
const USUAL: u32 = 2;

/// Where the coarsest grid has more indices than this, signals that change at few chosen times are tried first.
const LONG: usize = 400;

/// Middles between chosen times are added at most this many times.
const MIDDLES: u32 = 1;

/// A test for one goal is asked to meet at most this many others.
const SOFT_TRIES: usize = 24;

/// Searches one obligation after the other.
pub(super) struct StlEngine<'a> {
    subject: &'a StlSubject,
    backend: &'a Backend,
    levels: Vec<Level<'a>>,
    prover: Option<Prover<'a>>,
    /// The number of indices of the coarsest grid; none if it is too long for anything.
    size: Option<usize>,
    finest: u32,
    soft: bool,
    seed: u64,
    statistics: Statistics,
}

/// A grid with its solver.
struct Level<'a> {
    terms: Terms,
    problem: StlProblem<'a>,
    solver: Box<dyn Solver>,
}

impl<'a> StlEngine<'a> {
    pub(super) fn new(subject: &'a StlSubject, backend: &'a Backend, options: &Options) -> StlEngine<'a> {
        let wanted = if options.bound.0 == 0 { USUAL } else { (options.bound.0 - 1).min(FINEST) };
        let size = Grid::size(&subject.spec, &subject.formulas());
        let largest = GRID.count(options.effort);
        let fits = |level: &u32| size.is_some_and(|size| size << level <= largest);
        let affordable = (0..=wanted).rev().find(fits).unwrap_or(0);
        StlEngine {
            subject,
            backend,
            levels: Vec::new(),
            prover: None,
            size,
            finest: affordable,
            soft: options.strategy == Strategy::Soft,
            seed: options.seed,
            statistics: Statistics::default(),
        }
    }

    fn level(&mut self, level: u32) -> Result<&mut Level<'a>, SearchError> {
        while self.levels.len() <= level as usize {
            let mut terms = Terms::new();
            let problem = StlProblem::new(&mut terms, self.subject, self.levels.len() as u32);
            let mut solver = self.backend.solver()?;
            for fact in problem.facts() {
                solver.assert(&terms, fact.term)?;
            }
            self.levels.push(Level { terms, problem, solver });
        }
        Ok(&mut self.levels[level as usize])
    }

    fn ask(&mut self, level: u32, targets: &[ObligationId], kind: Option<bool>) -> Result<Answer, SearchError> {
        let backend = self.backend;
        let Level { terms, problem, solver } = self.level(level)?;
        let wanted: Vec<_> = targets.iter().map(|&target| problem.wanted(terms, target, kind)).collect();
        let answer = solver.check(terms, backend.query(&wanted))?;
        self.statistics.count(&answer);
        Ok(answer)
    }

    /// A signal for a target: of the kind that the seed's coin says, satisfying or violating, if there is one.
    fn either_kind(&mut self, level: u32, target: ObligationId) -> Result<Answer, SearchError> {
        let Obligation::Differ(_) = self.subject.goals.obligations[target.0 as usize] else {
            return self.ask(level, &[target], None);
        };
        let first = coin(self.seed, target);
        match self.ask(level, &[target], Some(first))? {
            Answer::Unsat { .. } => self.ask(level, &[target], Some(!first)),
            answer => Ok(answer),
        }
    }

    /// Inputs for a target and, if asked for, for as many others as a greedy choice can add.
    fn found(
        &mut self,
        level: u32,
        target: ObligationId,
        open: &[ObligationId],
        answer: Answer,
    ) -> Result<Finding, SearchError> {
        let Answer::Sat(mut model) = answer else { unreachable!("only models are decoded") };
        let mut targets = vec![target];
        if self.soft {
            for &other in open.iter().filter(|&&other| other != target).take(SOFT_TRIES) {
                targets.push(other);
                match self.ask(level, &targets, None)? {
                    Answer::Sat(better) => model = better,
                    Answer::Unsat { .. } | Answer::Unknown(_) => {
                        targets.pop();
                    }
                }
            }
        }
        let Level { terms, problem, .. } = &self.levels[level as usize];
        let trace = calm(self.subject, &problem.trace(terms, &model), &targets);
        Ok(Finding::Inputs { inputs: vec![self.subject.inputs(&trace)], targets })
    }

    /// A signal that changes at few chosen times, where the grid of all times is long.
    fn chosen(&mut self, target: ObligationId) -> Result<Option<Finding>, SearchError> {
        if self.size.is_some_and(|size| size <= LONG) {
            return Ok(None);
        }
        let first = coin(self.seed, target);
        for level in 0..=MIDDLES {
            let found = look(self.subject, target, [first, !first], level, self.backend, &mut self.statistics)?;
            if let Some(trace) = found {
                let trace = calm(self.subject, &trace, &[target]);
                return Ok(Some(Finding::Inputs { inputs: vec![self.subject.inputs(&trace)], targets: vec![target] }));
            }
        }
        Ok(None)
    }

    /// Whether it is proved that no signal at all meets an obligation.
    fn is_proved(&mut self, target: ObligationId) -> Result<bool, SearchError> {
        if self.size.is_none_or(|size| GRID.count(self.backend.effort) < size) {
            return Ok(false);
        }
        let prover = match &mut self.prover {
            Some(prover) => prover,
            empty => empty.insert(Prover::new(&self.subject.spec, &self.subject.formulas(), self.backend)?),
        };
        let obligation = &self.subject.goals.obligations[target.0 as usize];
        let answer = prover.refute(self.subject.spec.formula, obligation, self.backend)?;
        self.statistics.count(&answer);
        Ok(matches!(answer, Answer::Unsat { scope: Scope::All, .. }))
    }
}

impl Engine for StlEngine<'_> {
    fn round(&mut self, open: &[ObligationId]) -> Result<Vec<Finding>, SearchError> {
        let target = open[0];
        if let Some(found) = self.chosen(target)? {
            return Ok(vec![found]);
        }
        let reason = impossible(&self.subject.goals.obligations[target.0 as usize]);
        if self.size.is_none() {
            return Ok(vec![Finding::Closed(target, GoalStatus::InfeasibleUpTo(format!("{CHOSEN}: {reason}")))]);
        }
        let mut scope = String::new();
        for level in 0..=self.finest {
            match self.either_kind(level, target)? {
                answer @ Answer::Sat(_) => return Ok(vec![self.found(level, target, open, answer)?]),
                Answer::Unknown(reason) => {
                    return Ok(vec![Finding::Closed(target, GoalStatus::Unknown(reason.to_string()))]);
                }
                Answer::Unsat { .. } => scope = self.levels[level as usize].problem.scope(),
            }
            if level == 0 && self.is_proved(target)? {
                return Ok(vec![Finding::Closed(target, GoalStatus::Infeasible(reason.to_owned()))]);
            }
        }
        Ok(vec![Finding::Closed(target, GoalStatus::InfeasibleUpTo(format!("{scope}: {reason}")))])
    }

    fn statistics(&self) -> Statistics {
        self.statistics
    }

    fn posed(&self, asked: Bound) -> Option<Bound> {
        // Tests of a long grid need not lie on it, and questions about all of it are too large to be asked again and again.
        self.size.filter(|size| *size <= LONG).map(|_| asked)
    }
}

/// A fair coin, the same for the same seed.
fn coin(seed: u64, target: ObligationId) -> bool {
    let mixed = (seed ^ u64::from(target.0).wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (mixed >> 61) & 1 == 1
}

/// What it means that an obligation cannot be met.
pub(super) fn impossible(obligation: &Obligation) -> &'static str {
    match obligation {
        Obligation::Differ(_) => "the mutant means the same as the formula",
        Obligation::Hold { verdict: None, .. } => "no signal satisfies the predicate",
        Obligation::Hold { verdict: Some(true), .. } => "no signal satisfies both the predicate and the formula",
        Obligation::Hold { verdict: Some(false), .. } => "no signal satisfies the predicate and violates the formula",
    }
}
