//! The search loop: lanes ask, the judge decides, until every obligation is closed.

use std::collections::VecDeque;

use rayon::prelude::*;
use testcase::{Goal, GoalId, GoalStatus, Inputs, ObligationId, Pursuit};

use crate::abilities::simplified;
use crate::backend::Backend;
use crate::growing::Growing;
use crate::lane::Lane;
use crate::outcome::Found;
use crate::status::Ledger;
use crate::subject::{Bound, Engine, Finding, Replay, Searcher, Subject};
use crate::{Confirmed, Options, Outcome, SearchError, Statistics, Strategy};

/// One lane per this many obligations.
const OBLIGATIONS_PER_LANE: usize = 24;

/// At most this many lanes: each repeats the encoding.
const MOST_LANES: usize = 8;

/// Why a goal is open that is not looked for because another shard does that.
pub const ELSEWHERE: &str = "it belongs to another shard";

/// A search in progress. [`Session::pull`] moves it on by one step; [`Session::finish`] ends it at any time.
pub struct Session<'a> {
    subject: &'a dyn Subject,
    options: Options,
    backend: &'a Backend,
    searcher: Option<Asked<'a>>,
    replay: Box<dyn Replay + 'a>,
    /// The number of the chain that each goal belongs to.
    chains: Vec<u32>,
    ledger: Ledger,
    tests: Vec<Confirmed>,
    /// How many of the tests, from the first, stay in the suite in any case.
    kept: usize,
    seen: std::collections::HashSet<String>,
    steps: VecDeque<Step>,
    finished: Option<String>,
    /// What tests met before there was an engine to hear it.
    unheard: Vec<(Inputs, Vec<ObligationId>)>,
    /// Whether earlier runs, whose tests these are, were complete.
    concluded: bool,
    /// Whether guesses were tried.
    guessed: bool,
    pool: Option<rayon::ThreadPool>,
}

/// Who looks for inputs; made for the first round.
enum Asked<'a> {
    /// Solvers, side by side.
    Lanes(Vec<Lane<'a>>),
    /// Solvers, one bound after the other.
    Growing(Box<Growing<'a>>),
    /// The front end itself.
    Engine(Box<dyn Engine + 'a>),
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A test was kept; the number says which, and the obligations are those it newly meets.
    Test {
        /// Its number, from 0.
        number: usize,
        /// What it newly meets.
        met: Vec<ObligationId>,
    },
    /// An obligation was closed without a test.
    Closed {
        /// The obligation.
        obligation: ObligationId,
        /// What is known about it.
        status: GoalStatus,
    },
}

impl<'a> Session<'a> {
    /// A search at its beginning. Nothing is encoded before the first [`Session::pull`].
    ///
    /// # Errors
    /// When the chosen solver is missing.
    pub fn new(subject: &'a dyn Subject, backend: &'a Backend, options: Options) -> Result<Session<'a>, SearchError> {
        backend.probe()?;
        let lanes = lane_count(subject, &options);
        let threads = options.jobs.clamp(1, lanes);
        let pool = (1 < threads).then(|| rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok()).flatten();
        Ok(Session {
            subject,
            backend,
            searcher: None,
            replay: subject.replay(),
            chains: chains(subject.goals()),
            ledger: Ledger::new(subject.obligation_count()),
            tests: Vec::new(),
            kept: 0,
            seen: Default::default(),
            steps: VecDeque::new(),
            finished: None,
            unheard: Vec::new(),
            concluded: false,
            guessed: false,
            pool,
            options,
        })
    }

    /// Adds tests of the user's, which stay in the suite even if they meet nothing. Before any other test.
    ///
    /// # Errors
    /// With the number of a test and the reason when its inputs are not allowed.
    pub fn keep_tests(&mut self, tests: &[Inputs]) -> Result<(), (usize, String)> {
        assert!(self.tests.is_empty(), "tests that stay come first");
        self.add_tests(tests)?;
        self.kept = self.tests.len();
        Ok(())
    }

    /// Adds tests that are already there. What they meet need not be searched for.
    ///
    /// # Errors
    /// With the number of a test and the reason when its inputs are not allowed.
    pub fn add_tests(&mut self, tests: &[Inputs]) -> Result<(), (usize, String)> {
        for (number, inputs) in tests.iter().enumerate() {
            self.keep(inputs).map_err(|objection| (number, objection))?;
        }
        Ok(())
    }

    /// Takes over what an earlier run found out about a goal, by its key.
    pub fn settle(&mut self, key: &str, status: GoalStatus) {
        self.ledger.settle(key, status);
    }

    /// Says that the tests and what is settled come from complete runs, and that nothing more is looked for: tests are
    /// handed out as they are, and what is open stays open.
    pub fn conclude(&mut self) {
        self.concluded = true;
    }

    /// The next step, or none when the search is over.
    ///
    /// # Errors
    /// When a solver fails, or the search and the interpreter contradict each other.
    pub fn pull(&mut self) -> Result<Option<Step>, SearchError> {
        let backend = self.backend;
        self.next().map_err(|error| backend.blamed(error))
    }

    fn next(&mut self) -> Result<Option<Step>, SearchError> {
        while self.steps.is_empty() {
            let open = self.open();
            if open.is_empty() || self.is_over() {
                return Ok(None);
            }
            if self.guessed {
                self.round(&open)?;
            } else {
                self.guess(&open)?;
            }
        }
        Ok(self.steps.pop_front())
    }

    /// Keeps what can be had without a search. Strategies that ask for particular tests do not want that.
    fn guess(&mut self, open: &[ObligationId]) -> Result<(), SearchError> {
        self.guessed = true;
        let Some(guesses) = self.subject.abilities().guesses else { return Ok(()) };
        match self.options.strategy {
            Strategy::Iterative | Strategy::Incremental | Strategy::Growing => {
                for inputs in guesses.guesses(open, self.options.seed, self.options.bound) {
                    self.judge(Finding::Inputs { targets: Vec::new(), inputs: vec![inputs] })?;
                }
            }
            Strategy::Soft | Strategy::Each | Strategy::Groupwise => {}
            Strategy::Simple | Strategy::Hard => return Ok(()),
        }
        for (obligation, reason) in guesses.impossible(&self.open(), self.backend)? {
            self.judge(Finding::Closed(obligation, GoalStatus::Infeasible(reason)))?;
        }
        Ok(())
    }

    /// Whether the next [`Session::pull`] searches: until then it hands out what was found together.
    pub fn is_about_to_search(&self) -> bool {
        self.steps.is_empty()
    }

    /// The tests kept so far.
    pub fn tests(&self) -> &[Confirmed] {
        &self.tests
    }

    /// What is known so far about every goal; none for open ones.
    pub fn statuses(&self) -> Vec<Option<GoalStatus>> {
        self.subject.goals().iter().map(|goal| self.ledger.goal(goal)).collect()
    }

    /// Whether something is still looked for.
    pub fn has_open_goals(&self) -> bool {
        !self.open().is_empty()
    }

    /// What is known so far, as a suite that can be continued: not reduced, not complete.
    ///
    /// # Errors
    /// When the tests do not replay as they did.
    pub fn snapshot(&self) -> Result<Outcome, SearchError> {
        let plain = Options { minimize: false, ..self.options.clone() };
        let reason = "the run has not come to it yet".into();
        let statistics = self.statistics();
        let found = Found {
            ledger: self.ledger.clone(),
            tests: self.tests.clone(),
            kept: self.kept,
            complete: false,
            statistics,
            evidence: self.evidence(),
            posed: self.posed(),
            last: false,
            concluded: self.concluded,
        };
        Outcome::new(self.subject, self.backend, &plain, found, reason)
    }

    /// Ends the search: attacks its claims, reduces the suite, and says what is known about every goal.
    ///
    /// # Errors
    /// When a claim is refuted, or a solver fails.
    pub fn finish(self) -> Result<Outcome, SearchError> {
        let backend = self.backend;
        self.ended().map_err(|error| backend.blamed(error))
    }

    fn ended(mut self) -> Result<Outcome, SearchError> {
        // Where nothing is left to be asked, it does not matter what would have ended the run; but what an engine gave up because the
        // run was to end is left.
        let undecided = |goal: &Goal| matches!(self.ledger.goal(goal), Some(GoalStatus::Unknown(_)));
        let given_up = self.backend.is_over() && self.subject.goals().iter().any(undecided);
        let mut complete = self.concluded || (self.open().is_empty() && !given_up);
        // The hard strategy asks once: with the answer it is done, even if goals stay open.
        let answered = self.finished.is_some() && !self.is_cut() && self.statistics().unknown == 0;
        complete |= self.options.strategy == Strategy::Hard && answered;
        self.note_end();
        self.attack()?;
        let goals = self.subject.goals();
        let impossible = |goal: &&Goal| matches!(self.ledger.settled(goal), Some(GoalStatus::Infeasible(_)));
        if let Some(goal) = goals.iter().filter(impossible).find(|goal| self.ledger.met_alternative(goal).is_some()) {
            let text = format!("{} was declared impossible by an earlier run, but tests cover it", goal.key);
            return Err(SearchError::Disagreement(text));
        }
        for (number, goal) in (0u32..).zip(goals) {
            if !self.in_shard(GoalId(number)) && self.ledger.goal(goal).is_none() {
                self.ledger.settle(&goal.key, GoalStatus::Unknown(ELSEWHERE.into()));
            }
        }
        let reason = self.finished.clone().unwrap_or_else(|| "the run ended before its turn".into());
        let statistics = self.statistics();
        let (evidence, posed) = (self.evidence(), self.posed());
        // When the time is over or the user interrupts, nobody waits for a smaller suite.
        let limited = self.options.limit.is_some_and(|limit| limit <= self.tests.len());
        // A shard knows too little: the whole is reduced when shards are merged.
        let whole = self.options.shard.is_none();
        let minimize = self.options.minimize && whole && (complete || limited) && !self.backend.interrupt.is_raised();
        let options = Options { minimize, ..self.options.clone() };
        let (ledger, tests, kept, concluded) = (self.ledger, self.tests, self.kept, self.concluded);
        let found = Found { ledger, tests, kept, complete, statistics, evidence, posed, last: true, concluded };
        Outcome::new(self.subject, self.backend, &options, found, reason)
    }

    /// What shows that obligations cannot be met.
    fn evidence(&self) -> Vec<(ObligationId, serde_json::Value)> {
        let Some(Asked::Engine(engine)) = &self.searcher else { return Vec::new() };
        let refuted = |status: &GoalStatus| matches!(status, GoalStatus::Infeasible(_) | GoalStatus::InfeasibleUpTo(_));
        let closed = self.ledger.closed().filter(|(_, status)| refuted(status));
        closed.filter_map(|(obligation, _)| Some((obligation, engine.evidence(obligation)?))).collect()
    }

    /// The bound at which the problem for solvers speaks of the tests.
    fn posed(&self) -> Option<Bound> {
        match &self.searcher {
            Some(Asked::Engine(engine)) => engine.posed(self.options.bound),
            Some(Asked::Lanes(_) | Asked::Growing(_)) | None => Some(self.options.bound),
        }
    }

    fn statistics(&self) -> Statistics {
        match &self.searcher {
            None => Statistics::default(),
            Some(Asked::Lanes(lanes)) => lanes.iter().fold(Statistics::default(), |sum, lane| sum + lane.statistics),
            Some(Asked::Growing(growing)) => growing.statistics(),
            Some(Asked::Engine(engine)) => engine.statistics(),
        }
    }

    /// The obligations still worth asking for, in order.
    fn open(&self) -> Vec<ObligationId> {
        let goals = self.subject.goals();
        let mut wanted = free_obligations(goals, self.subject.obligation_count());
        for (number, goal) in goals.iter().enumerate() {
            if self.in_shard(GoalId(number as u32)) {
                let ways = match goal.pursuit {
                    Pursuit::AllAtOnce => usize::MAX,
                    Pursuit::OneByOne | Pursuit::InOrder | Pursuit::BestFirst => 1,
                };
                wanted.extend(self.ledger.pursued(goal).take(ways).flatten());
                if goal.pursuit == Pursuit::BestFirst {
                    wanted.extend(self.ledger.better(goal).into_iter().flatten());
                }
            }
        }
        wanted.retain(|&obligation| self.ledger.get(obligation).is_none());
        wanted.sort_unstable();
        wanted.dedup();
        wanted
    }

    fn in_shard(&self, goal: GoalId) -> bool {
        self.options.shard.is_none_or(|shard| self.chains[goal.0 as usize] % shard.count == shard.index)
    }

    /// Whether a limit of the run has been reached.
    fn is_cut(&self) -> bool {
        self.backend.is_over() || self.options.limit.is_some_and(|limit| limit <= self.tests.len())
    }

    fn is_over(&mut self) -> bool {
        self.note_end();
        self.finished.is_some()
    }

    /// Keeps in mind what ended the run, if something has.
    fn note_end(&mut self) {
        if self.finished.is_none() && self.is_cut() {
            self.finished = Some(if self.backend.interrupt.is_raised() {
                "interrupted".into()
            } else if self.options.limit.is_some_and(|limit| limit <= self.tests.len()) {
                "the limit of tests was reached".into()
            } else {
                "the time of the run was over".into()
            });
        }
    }

    /// One round of the search; then the findings are judged in order.
    fn round(&mut self, open: &[ObligationId]) -> Result<(), SearchError> {
        let mut searcher = match self.searcher.take() {
            Some(searcher) => searcher,
            None => self.asked()?,
        };
        if let Asked::Engine(engine) = &mut searcher {
            self.unheard.drain(..).for_each(|(inputs, met)| engine.met(&inputs, &met));
        }
        let findings = match &mut searcher {
            Asked::Lanes(lanes) if lanes.is_empty() => {
                vec![Ok(vec![Finding::Finished("this has no search".into())])]
            }
            Asked::Lanes(lanes) => self.ask(lanes, open),
            Asked::Growing(growing) => vec![growing.round(open)],
            Asked::Engine(engine) => match engine.round(open) {
                Ok(findings) if findings.is_empty() => {
                    vec![Ok(vec![Finding::Finished("the search found nothing more".into())])]
                }
                other => vec![other],
            },
        };
        self.searcher = Some(searcher);
        for finding in findings {
            finding?.into_iter().try_for_each(|finding| self.judge(finding))?;
        }
        Ok(())
    }

    fn asked(&self) -> Result<Asked<'a>, SearchError> {
        let encodes = match self.subject.searcher(self.backend, &self.options)? {
            Searcher::Engine(engine) => return Ok(Asked::Engine(engine)),
            Searcher::Terms(encodes) => encodes,
        };
        let by_steps = self.options.strategy == Strategy::Incremental;
        if let Some(budget) = encodes.growth()
            && (by_steps || self.options.strategy == Strategy::Growing)
        {
            let growing = Growing::new(encodes, self.backend, budget, self.options.bound, by_steps);
            return Ok(Asked::Growing(Box::new(growing)));
        }
        let mut lanes = Vec::new();
        for _ in 0..lane_count(self.subject, &self.options) {
            // Large problems take long to write down.
            if !lanes.is_empty() && self.backend.is_over() {
                break;
            }
            lanes.extend(Lane::new(encodes, self.backend, self.options.bound)?);
        }
        Ok(Asked::Lanes(lanes))
    }

    /// All lanes ask once, side by side. Their findings come in the order of the lanes.
    fn ask(&self, lanes: &mut [Lane<'a>], open: &[ObligationId]) -> Vec<Result<Vec<Finding>, SearchError>> {
        let share = self.subject.obligation_count().div_ceil(lanes.len());
        let shares: Vec<Vec<ObligationId>> = (0..lanes.len())
            .map(|lane| open.iter().copied().filter(|obligation| obligation.0 as usize / share == lane).collect())
            .collect();
        let strategy = self.options.strategy;
        let last = self.tests.last().map(|test| test.test().inputs.clone());
        let ask = |(lane, share): (&mut Lane<'a>, &Vec<ObligationId>)| match share.as_slice() {
            [] => Ok(Vec::new()),
            share => lane.round(strategy, share, last.as_ref()),
        };
        match &self.pool {
            Some(pool) => pool.install(|| lanes.par_iter_mut().zip(&shares).map(ask).collect()),
            None => lanes.iter_mut().zip(&shares).map(ask).collect(),
        }
    }

    fn judge(&mut self, finding: Finding) -> Result<(), SearchError> {
        match finding {
            Finding::Finished(reason) => self.finished = Some(reason),
            Finding::Closed(obligation, status) => {
                if self.ledger.get(obligation).is_none() {
                    self.ledger.close(obligation, status.clone());
                    self.steps.push_back(Step::Closed { obligation, status });
                }
            }
            // Nothing is kept beyond the limit.
            Finding::Inputs { .. } if self.options.limit.is_some_and(|limit| limit <= self.tests.len()) => {}
            Finding::Inputs { targets, inputs } => {
                let news = targets.is_empty() || targets.iter().any(|&target| !self.ledger.is_met(target));
                let found: Vec<String> = inputs.iter().map(|input| input.to_json().to_string()).collect();
                for input in inputs.into_iter().filter(|_| news) {
                    let simple = simplified(self.subject, input);
                    self.keep(&simple).map_err(|objection| {
                        SearchError::Disagreement(format!(
                            "the inputs {} are not allowed: {objection}",
                            simple.to_json()
                        ))
                    })?;
                }
                if let Some(&missed) = targets.iter().find(|&&target| !self.ledger.is_met(target)) {
                    return Err(SearchError::Disagreement(format!(
                        "the solver's test for obligation {} does not meet it when run: {}",
                        missed.0,
                        found.join("; ")
                    )));
                }
            }
        }
        Ok(())
    }

    /// Runs inputs and keeps the test, unless it is there already.
    fn keep(&mut self, inputs: &Inputs) -> Result<(), String> {
        if !self.seen.insert(inputs.to_json().to_string()) {
            return Ok(());
        }
        let (test, met) = Confirmed::by(&mut *self.replay, inputs)?;
        for &obligation in &met {
            self.ledger.close(obligation, GoalStatus::Covered);
        }
        match &mut self.searcher {
            Some(Asked::Engine(engine)) => engine.met(inputs, &met),
            Some(Asked::Lanes(_) | Asked::Growing(_)) => {}
            None => self.unheard.push((inputs.clone(), met.clone())),
        }
        self.steps.push_back(Step::Test { number: self.tests.len(), met });
        self.tests.push(test);
        Ok(())
    }

    /// Attacks claims of infeasibility with random runs; a bounded claim that falls becomes a test.
    fn attack(&mut self) -> Result<(), SearchError> {
        let found = crate::refute::attack(self.subject, self.backend, &self.ledger, &self.options)?;
        for inputs in found {
            self.keep(&inputs).map_err(SearchError::Disagreement)?;
        }
        Ok(())
    }
}

/// How many lanes work side by side: a matter of the problem, never of the number of threads.
fn lane_count(subject: &dyn Subject, options: &Options) -> usize {
    match options.strategy {
        Strategy::Each | Strategy::Iterative => {
            (subject.obligation_count() / OBLIGATIONS_PER_LANE).clamp(1, MOST_LANES)
        }
        Strategy::Simple | Strategy::Hard | Strategy::Soft | Strategy::Groupwise => 1,
        Strategy::Incremental | Strategy::Growing => 1,
    }
}

/// Numbers goals so that those that follow each other have one number: a shard has all of them.
fn chains(goals: &[Goal]) -> Vec<u32> {
    let mut chains: Vec<u32> = Vec::with_capacity(goals.len());
    let mut next = 0;
    for goal in goals {
        let earlier = goal.follows.and_then(|earlier| chains.get(earlier.0 as usize).copied());
        chains.push(earlier.unwrap_or(next));
        next += u32::from(earlier.is_none());
    }
    chains
}

/// The obligations that no goal names: they must be met as well.
pub(crate) fn free_obligations(goals: &[Goal], count: usize) -> Vec<ObligationId> {
    let mut named = vec![false; count];
    for obligation in goals.iter().flat_map(|goal| goal.alternatives.iter().flatten()) {
        named[obligation.0 as usize] = true;
    }
    (0..count as u32).map(ObligationId).filter(|obligation| !named[obligation.0 as usize]).collect()
}
