//! All mutants of a model: one verdict each, every finding confirmed by the interpreter.

use std::time::{Duration, Instant};

use action::confirm::{interpreter_for, objection};
use action::finding::Relation;
use action::interp::Interpreter;
use action::{OutOfFuel, Spec};
use rayon::prelude::*;

use super::ioco::{ioco, ioco_back};
use super::limits::Limits;
use super::pair::{Base, Pair};
use super::refine::refine;
use super::space::Space;
use super::suspension::Suspension;
use super::verdict::{Back, Conformance, Verdict};
use search::SearchError;

/// How to examine mutants.
#[derive(Clone, Debug)]
pub struct CampaignOptions {
    /// What it means to conform.
    pub relation: Relation,
    /// When to stop.
    pub limits: Limits,
    /// Threads. The result does not depend on their number.
    pub jobs: usize,
}

/// What was found out.
pub struct Campaign {
    /// One entry for each mutant, in order.
    pub examined: Vec<Examined>,
    /// How long the exploration of the model took.
    pub exploring: Duration,
}

/// A model, explored once for all its mutants, with an interpreter of it to confirm what is found.
pub(super) struct Explored {
    space: Exploration,
    interpreter: Interpreter,
}

enum Exploration {
    /// Its states.
    States(Box<Space>),
    /// What a tester may see of it.
    Sets(Box<Suspension>),
}

impl Explored {
    pub(super) fn new(spec: &Spec, base: &Base, relation: Relation, limits: &Limits) -> Explored {
        let space = match relation {
            Relation::Refinement => Exploration::States(Box::new(Space::explore(spec, limits))),
            Relation::Ioco => {
                Exploration::Sets(Box::new(Suspension::explore(spec, base.program(), base.kinds(), limits)))
            }
        };
        Explored { space, interpreter: Interpreter::new(spec) }
    }
}

/// What was found out about one mutant.
#[derive(Clone, Debug)]
pub struct Examined {
    /// The verdict.
    pub verdict: Verdict,
    /// How long it took to make the mutant.
    pub translating: Duration,
    /// How long it took to decide.
    pub solving: Duration,
}

/// Makes a mutant, or says why it is none.
pub type Make<'a> = &'a (dyn Fn(usize) -> Result<Spec, String> + Sync);

/// Examines `count` mutants of a model.
///
/// # Errors
/// When the interpreter contradicts a finding: a bug of ours.
pub fn examine(spec: &Spec, count: usize, make: Make<'_>, options: &CampaignOptions) -> Result<Campaign, SearchError> {
    let begin = Instant::now();
    let base = Base::new(spec);
    let explored = Explored::new(spec, &base, options.relation, &options.limits);
    let exploring = begin.elapsed();
    let one = |index: usize| {
        let begin = Instant::now();
        let made = make(index);
        let pair = made.as_ref().map_err(Clone::clone);
        let pair = pair.and_then(|mutant| Pair::over(&base, spec, mutant).map_err(|why| why.0));
        let pair = pair.as_ref().map_err(Clone::clone);
        examine_one(spec, &explored, pair, &|| made.clone(), index, &options.limits, begin.elapsed())
    };
    let examined: Result<Vec<Examined>, SearchError> = if options.jobs <= 1 {
        (0..count).map(one).collect()
    } else {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(options.jobs).build();
        let pool = pool.map_err(|error| SearchError::Disagreement(format!("no threads: {error}")))?;
        pool.install(|| (0..count).into_par_iter().map(one).collect())
    };
    Ok(Campaign { examined: examined?, exploring })
}

/// What the interpreter has against a verdict: a finding must be possible in the one and impossible in the other.
fn contradiction(
    spec: &Spec,
    interpreter: &Interpreter,
    verdict: &Verdict,
    mutant: &Spec,
) -> Result<Option<String>, OutOfFuel> {
    match verdict {
        Verdict::Killed(kill) => objection(spec, interpreter, mutant, kill),
        Verdict::Conforms(Conformance { back: Back::Less(kill), .. }) => {
            objection(mutant, &interpreter_for(mutant, kill), spec, kill)
        }
        Verdict::Conforms(_) | Verdict::Unknown(_) | Verdict::Unsupported(_) => Ok(None),
    }
}

/// Examines one mutant and confirms what is found.
pub(super) fn examine_one(
    spec: &Spec,
    explored: &Explored,
    pair: Result<&Pair, String>,
    make: &dyn Fn() -> Result<Spec, String>,
    index: usize,
    limits: &Limits,
    translating: Duration,
) -> Result<Examined, SearchError> {
    let begin = Instant::now();
    let verdict = match (pair, &explored.space) {
        (Err(why), _) if limits.spent().is_some() => Verdict::Unknown(why),
        (Err(why), _) => Verdict::Unsupported(why),
        (Ok(pair), Exploration::States(space)) => refine(space, pair, limits),
        (Ok(pair), Exploration::Sets(sets)) => {
            let verdict = ioco(sets, pair, limits);
            if verdict.asks_back() { verdict.with_back(ioco_back(sets, pair, limits)) } else { verdict }
        }
    };
    let verdict = match verdict.shows_something().then(make) {
        Some(Ok(mutant)) => confirmed(spec, &explored.interpreter, verdict, &mutant, index)?,
        Some(Err(_)) | None => verdict,
    };
    Ok(Examined { verdict, translating, solving: begin.elapsed() })
}

/// A verdict that the interpreter has nothing against.
pub(super) fn confirmed(
    spec: &Spec,
    interpreter: &Interpreter,
    verdict: Verdict,
    mutant: &Spec,
    index: usize,
) -> Result<Verdict, SearchError> {
    match contradiction(spec, interpreter, &verdict, mutant) {
        Ok(None) => Ok(verdict),
        Ok(Some(objection)) => Err(SearchError::Disagreement(format!("mutant {}: {objection}", index + 1))),
        Err(OutOfFuel) => Ok(Verdict::unconfirmed()),
    }
}
