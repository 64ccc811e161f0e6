//! The search for tests: mutants are examined in batches, and those that a test found so far kills are not looked at again.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use action::Spec;
use rayon::prelude::*;
use testcase::{GoalStatus, Inputs, ObligationId};

use super::campaign::{Examined, Explored, confirmed, examine_one};
use super::cone::{Cones, FEWEST_ALTERNATIVES};
use super::limits::Limits;
use super::pair::Pair;
use super::subject::ActionSubject;
use super::symbolic::{SourceStrategy, bounded, bounded_in_time, strategy};
use super::verdict::{Conformance, Verdict};
use action::finding::Relation;
use action::interp::Interpreter;
use action::trial::Trial;
use search::{Backend, Options, SearchError, Statistics};
use search::{Engine, Finding};

/// How mutants are examined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Over explicit states.
    Explicit,
    /// By a solver, over the unrolled model, all mutants at once.
    Bounded,
    /// By one of the strategies of the thesis.
    Source(SourceStrategy),
}

/// What is known about a mutant that was examined.
#[derive(Clone, Debug)]
pub struct Record {
    /// The mutant's number.
    pub index: usize,
    /// The verdict.
    pub verdict: Verdict,
    /// How long it took to make the mutant.
    pub translating: Duration,
    /// How long it took to decide.
    pub solving: Duration,
    /// How many formulas were asserted for it, where the strategies of the thesis count them.
    pub assertions: u64,
}

/// Mutants examined between two looks at what the tests found so far kill. The same for any number of threads.
const BATCH: usize = 64;
/// Mutants of more bytes than this are not examined at once by a solver.
const MUTANTS_MEMORY: usize = 1 << 28;
/// The depth of a bounded search where nobody says.
const DEPTH: u64 = 100;

pub(super) struct ActionEngine<'a> {
    subject: &'a ActionSubject<'a>,
    backend: Backend,
    depth: Option<u64>,
    limits: Limits,
    jobs: usize,
    explored: Option<Explored>,
    cones: Option<Cones<'a>>,
    interpreter: Option<Interpreter>,
    /// The mutants that cones were asked about.
    tried: BTreeSet<usize>,
    records: Vec<Record>,
}

impl<'a> ActionEngine<'a> {
    pub(super) fn new(
        subject: &'a ActionSubject<'a>,
        backend: &Backend,
        options: &Options,
        depth: Option<u64>,
    ) -> ActionEngine<'a> {
        let limits = Limits {
            depth,
            deadline: backend.deadline,
            interrupt: options.interrupt.clone(),
            ..subject.limits.within(options.effort)
        };
        // The clock of the run is the back end's, so that both end together.
        let mut own = Backend::new(options);
        own.deadline = backend.deadline;
        subject.ends_with(backend.deadline, &options.interrupt);
        ActionEngine {
            subject,
            backend: own,
            depth,
            limits,
            jobs: options.jobs,
            explored: None,
            cones: None,
            interpreter: None,
            tried: BTreeSet::new(),
            records: Vec::new(),
        }
    }

    fn explicit(&mut self, open: &[ObligationId]) -> Result<Vec<Finding>, SearchError> {
        let spec = self.subject.spec;
        let (limits, relation) = (&self.limits, self.subject.relation);
        let subject = self.subject;
        let explored = self.explored.get_or_insert_with(|| Explored::new(spec, subject.base(), relation, limits));
        // A table of results has a row for every mutant, so each is examined, whatever tests were found before.
        let most = if subject.report.is_some() { open.len() } else { BATCH };
        let batch: Vec<usize> = open.iter().take(most).map(|obligation| obligation.0 as usize).collect();
        let one = |index: &usize| {
            let begin = Instant::now();
            let pair = subject.comparable(*index);
            examine_one(spec, explored, pair, &|| subject.mutant(*index), *index, limits, begin.elapsed())
        };
        let examined: Result<Vec<Examined>, SearchError> = match self.jobs {
            0 | 1 => batch.iter().map(one).collect(),
            jobs => match rayon::ThreadPoolBuilder::new().num_threads(jobs).build() {
                Ok(pool) => pool.install(|| batch.par_iter().map(one).collect()),
                Err(_) => batch.iter().map(one).collect(),
            },
        };
        let mut findings = Vec::new();
        for (index, examined) in batch.into_iter().zip(examined?) {
            findings.push(finding(self.subject, index, &examined.verdict));
            let Examined { verdict, translating, solving } = examined;
            self.records.push(Record { index, verdict, translating, solving, assertions: 0 });
        }
        Ok(findings)
    }

    /// All open mutants at once, with a solver.
    fn symbolic(&mut self, open: &[ObligationId]) -> Result<Vec<Finding>, SearchError> {
        if self.subject.relation == Relation::Ioco {
            return Ok(vec![Finding::Finished("only the explicit search knows input-output conformance".to_owned())]);
        }
        let spec = self.subject.spec;
        let found = self.by_cones(open)?;
        if !found.is_empty() {
            return Ok(found);
        }
        let most = (MUTANTS_MEMORY / size(spec)).max(1);
        let indices: Vec<usize> = open.iter().take(most).map(|obligation| obligation.0 as usize).collect();
        let (mut made, mut translated) = (Vec::new(), Vec::new());
        for index in &indices {
            if let Some(stopped) = self.limits.spent() {
                return Ok(vec![Finding::Finished(stopped.to_string())]);
            }
            let begin = Instant::now();
            made.push(self.subject.mutant(*index));
            translated.push(begin.elapsed());
        }
        let decided: Vec<(Verdict, Duration, u64)> = match self.subject.way {
            Way::Explicit | Way::Bounded => {
                let depth = self.depth.unwrap_or(DEPTH);
                let decided = bounded_in_time(spec, &made, depth, &self.backend, &self.limits)?;
                decided.into_iter().map(|(verdict, took)| (verdict, took, 0)).collect()
            }
            Way::Source(which) => {
                let (verdicts, assertions) = strategy(which, spec, &made, self.depth, &self.backend, &self.limits)?;
                verdicts
                    .into_iter()
                    .zip(assertions.each)
                    .map(|(verdict, (count, took))| (verdict, took, count))
                    .collect()
            }
        };
        let mut findings = Vec::new();
        let rows = indices.into_iter().zip(decided).zip(made.iter().zip(translated));
        for ((index, (verdict, solving, assertions)), (mutant, translating)) in rows {
            let begin = Instant::now();
            let verdict = match mutant {
                Ok(mutant) if verdict.asks_back() => match self.limits.spent() {
                    None => verdict.with_back(self.backward(mutant)?),
                    Some(stopped) => verdict.with_back(Verdict::Unknown(stopped.to_string())),
                },
                Ok(_) | Err(_) => verdict,
            };
            let solving = solving + begin.elapsed();
            findings.push(finding(self.subject, index, &verdict));
            self.records.push(Record { index, verdict, translating, solving, assertions });
        }
        Ok(findings)
    }

    /// What the cones of a model with very many alternatives tell about the next mutants: a solver is for what they leave.
    fn by_cones(&mut self, open: &[ObligationId]) -> Result<Vec<Finding>, SearchError> {
        let (subject, spec) = (self.subject, self.subject.spec);
        let mut findings = Vec::new();
        if self.subject.way != Way::Bounded || spec.alternatives().len() < FEWEST_ALTERNATIVES {
            return Ok(findings);
        }
        let (limits, depth) = (&self.limits, self.depth.unwrap_or(DEPTH));
        let cones = self.cones.get_or_insert_with(|| Cones::new(spec, subject.base(), depth, limits));
        let interpreter = self.interpreter.get_or_insert_with(|| Interpreter::new(spec));
        for index in open.iter().map(|obligation| obligation.0 as usize) {
            if BATCH <= findings.len() || limits.spent().is_some() {
                break;
            }
            if !self.tried.insert(index) {
                continue;
            }
            let begin = Instant::now();
            let Ok(mutant) = subject.mutant(index) else { continue };
            let translating = begin.elapsed();
            let Ok(pair) = Pair::over(subject.base(), spec, &mutant) else { continue };
            let Ok(Some(verdict)) = cones.examine(&pair) else { continue };
            let verdict = confirmed(spec, interpreter, verdict, &mutant, index)?;
            let solving = begin.elapsed() - translating;
            findings.push(finding(subject, index, &verdict));
            self.records.push(Record { index, verdict, translating, solving, assertions: 0 });
        }
        Ok(findings)
    }

    /// Whether the model conforms to a mutant that conforms to it, by the same engine.
    fn backward(&self, mutant: &Spec) -> Result<Verdict, SearchError> {
        let model = [Ok(self.subject.spec.clone())];
        let mut verdicts = match self.subject.way {
            Way::Explicit | Way::Bounded => {
                bounded(mutant, &model, self.depth.unwrap_or(DEPTH), &self.backend, &self.limits)?
            }
            Way::Source(which) => strategy(which, mutant, &model, self.depth, &self.backend, &self.limits)?.0,
        };
        Ok(verdicts.remove(0))
    }
}

fn finding(subject: &ActionSubject<'_>, index: usize, verdict: &Verdict) -> Finding {
    let obligation = ObligationId(index as u32);
    match verdict {
        Verdict::Killed(kill) => {
            let trial = Trial::of(kill, &|label| subject.is_input(label));
            Finding::Inputs { targets: vec![obligation], inputs: vec![Inputs::Document(trial.to_json())] }
        }
        Verdict::Conforms(conformance) => Finding::Closed(obligation, status(conformance)),
        Verdict::Unknown(why) => Finding::Closed(obligation, GoalStatus::Unknown(why.clone())),
        Verdict::Unsupported(why) => {
            Finding::Closed(obligation, GoalStatus::Unknown(format!("it cannot be compared with the model: {why}")))
        }
    }
}

/// About how many bytes a mutant of a model takes that is made as a whole.
fn size(spec: &Spec) -> usize {
    let model = spec.model();
    let names = model.variables.len() * 3 + model.types.len() * 2 + model.inputs.len() + model.internals.len();
    1_000 + names * 64 + spec.actions().len() * 16
}

/// What a goal says whose mutant conforms: nothing can kill it, or nothing up to the depth.
pub(super) fn status(conformance: &Conformance) -> GoalStatus {
    match conformance.depth() {
        None => GoalStatus::Infeasible(conformance.to_string()),
        Some(_) => GoalStatus::InfeasibleUpTo(conformance.to_string()),
    }
}

impl Engine for ActionEngine<'_> {
    fn round(&mut self, open: &[ObligationId]) -> Result<Vec<Finding>, SearchError> {
        match self.subject.way {
            Way::Explicit => self.explicit(open),
            Way::Bounded | Way::Source(_) => self.symbolic(open),
        }
    }

    fn statistics(&self) -> Statistics {
        let count = |wanted: fn(&Verdict) -> bool| self.records.iter().filter(|record| wanted(&record.verdict)).count();
        Statistics {
            sat: count(|verdict| matches!(verdict, Verdict::Killed(_))),
            unsat: count(|verdict| matches!(verdict, Verdict::Conforms(_))),
            unknown: count(|verdict| matches!(verdict, Verdict::Unknown(_) | Verdict::Unsupported(_))),
            ..Statistics::default()
        }
    }
}

/// Whoever wants to know is told when the search is over, however it ended.
impl Drop for ActionEngine<'_> {
    fn drop(&mut self) {
        if let Some(report) = &self.subject.report {
            self.records.sort_by_key(|record| record.index);
            report(&self.records);
        }
    }
}
