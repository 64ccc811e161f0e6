//! Suites for products of goals that are far too many to be listed.
//!
//! No goal is numbered. What tests cover is a set of words that the meter keeps; each question to the solver is for a run
//! that covers any goal outside this set. The last answer speaks of all goals that are left at once.

use c::interp::{InputValue, Inputs as Source, Interpreter, Outcome as RunOutcome};
use fql::Spec;
use fql::automaton::Automaton;
use fql::follow::Follower;
use fql::meter::{Meter, RunCoverage};
use smt::{Answer, Scope, Terms};
use smt_sat::sat::Budget;
use testcase::{Goal, GoalStatus, Inputs, Minimality, TestCase};

use super::bounds::Both;
use super::document::{self, document, of_records};
use super::draw::Drawing;
use super::problem::{CProblem, UNCUT};
use super::replay::{asked, notes, objection};
use super::seen::expected;
use super::simplify::candidates;
use super::{CSubject, Target};
use search::Backend;
use search::{Bound, Completeness, Problem};
use search::{Options, SearchError, Statistics};
use search::{Requirement, minimize};

/// Concrete runs before the solver is asked.
const CHEAP_RUNS: usize = 300;

/// Edges taken by concrete runs of one kind together.
const MOST_STEPS: u64 = 10_000_000;

/// Runs spent on simpler inputs for one test.
const SIMPLER_RUNS: usize = 100;

/// Bounds, as for goals that are asked for one by one.
const FIRST_BOUND: u32 = 2;
const LAST_BOUND: u32 = 64;

/// More covered goals than this are not told apart: then no question to the solver can exclude them.
const MOST_COVERED: usize = 2_000_000;

/// As many covered goals are listed, and told apart when the suite is reduced.
pub const MOST_LISTED: usize = 100_000;

/// What is known about a product of goals.
#[derive(Clone, Debug)]
pub struct ProductOutcome {
    /// The tests.
    pub tests: Vec<TestCase>,
    /// The number of goals.
    pub goals: u128,
    /// How many of them the tests cover.
    pub covered: u128,
    /// The goals that each test covers, by number; empty if there are more than [`MOST_LISTED`].
    pub covers: Vec<Vec<u128>>,
    /// What is known about every other goal.
    pub rest: GoalStatus,
    /// What is known about the number of tests.
    pub minimality: Minimality,
    /// Whether the search came to its end.
    pub complete: bool,
    /// Counts of what it took.
    pub statistics: Statistics,
    /// For each given test, why it is none.
    pub objections: Vec<Option<String>>,
}

/// Runs tests and keeps what they cover.
struct Judge<'a> {
    subject: &'a CSubject,
    interpreter: Interpreter<'a>,
    follower: Follower<'a, Meter<'a>>,
    tests: Vec<(TestCase, RunCoverage)>,
}

/// A run.
struct Seen {
    outcome: RunOutcome,
    run: RunCoverage,
    objection: Option<String>,
}

impl<'a> Judge<'a> {
    fn new(subject: &'a CSubject, spec: &'a Spec) -> Judge<'a> {
        let program = &subject.translation.program;
        Judge {
            subject,
            interpreter: subject.interpreter(),
            follower: Follower::new(program, &subject.graph, &subject.watched, Meter::new(spec)),
            tests: Vec::new(),
        }
    }

    fn observe(&mut self, inputs: &mut dyn Source) -> Seen {
        let outcome = self.interpreter.run(self.subject.settings.entry, inputs, &mut self.follower);
        self.seen(outcome, None)
    }

    /// The same for inputs that are drawn: the bounds that the user gave hold for them too.
    fn bounded(&mut self, inputs: &mut dyn Source) -> Seen {
        let Some(mut rounds) = self.subject.rounds() else {
            return self.observe(inputs);
        };
        let mut both = Both(&mut self.follower, &mut rounds);
        let outcome = self.interpreter.run(self.subject.settings.entry, inputs, &mut both);
        let passed = rounds.finish(outcome.steps);
        self.seen(outcome, passed)
    }

    fn seen(&mut self, outcome: RunOutcome, passed: Option<String>) -> Seen {
        let run = self.follower.listener.peek();
        let objection = objection(self.subject, &outcome)
            .or(passed)
            .or_else(|| (!run.passes).then(|| "the run does not match the passing clause".to_owned()));
        Seen { outcome, run, objection }
    }

    /// Keeps a run as a test if it covers something new.
    fn keep(&mut self, seen: &Seen, inputs: Inputs) -> bool {
        let news = seen.objection.is_none() && self.follower.listener.add(seen.run);
        if news {
            let program = &self.subject.translation.program;
            let values = document::values(&inputs).unwrap_or_default();
            let effects = self.subject.effects(&mut self.subject.recorded(&values));
            let (expected, notes) = (expected(program, &seen.outcome, &effects), notes(program, &seen.outcome));
            let test = TestCase { inputs, expected, notes };
            self.tests.push((test, seen.run));
        }
        news
    }

    /// Keeps a run with simpler inputs, if there are any that cover as much.
    fn keep_simple(&mut self, seen: Seen) -> bool {
        if seen.objection.is_some() {
            return false;
        }
        let mut best = (asked(&seen.outcome.inputs), seen);
        let (mut runs, mut at) = (0, 0);
        while at < best.0.len() && runs < SIMPLER_RUNS {
            for simpler in candidates(best.0[at].1) {
                runs += 1;
                let mut trial: Vec<(String, InputValue)> = best.0.clone();
                trial[at].1 = simpler;
                let seen = self.observe(&mut self.subject.recorded(&trial));
                if seen.objection.is_none() && self.follower.listener.includes(seen.run, best.1.run) {
                    best = (asked(&seen.outcome.inputs), seen);
                    break;
                }
            }
            at += 1;
        }
        let (values, seen) = best;
        self.keep(&seen, document(values))
    }

    fn covered(&self) -> u128 {
        self.follower.listener.covered_count().unwrap_or(u128::MAX)
    }
}

impl CSubject {
    /// The number of goals, where they are a product that is not listed.
    pub fn product(&self) -> Option<u128> {
        match &self.target {
            Target::Query(spec) if self.goals.is_empty() => spec.goals.count().filter(|count| 0 < *count),
            Target::Query(_) | Target::Mcdc(..) => None,
        }
    }

    /// A goal of a product, by number.
    pub fn unlisted_goal(&self, number: u128) -> Option<Goal> {
        let Target::Query(spec) = &self.target else { return None };
        let letters = spec.goals.get(number)?;
        let key = format!("g{}", number + 1);
        Some(Goal { key, alternatives: Vec::new(), ..super::goal(&self.graph, spec, 0, &letters) })
    }

    /// What given tests cover of a product of goals.
    pub fn measure_product(&self, given: &[Inputs]) -> Option<ProductOutcome> {
        let (goals, Target::Query(spec)) = (self.product()?, &self.target) else { return None };
        let mut judge = Judge::new(self, spec);
        let mut objections = Vec::new();
        for inputs in given {
            let objection = match document::values(inputs) {
                Err(problem) => Some(problem),
                Ok(values) => {
                    let seen = judge.observe(&mut self.recorded(&values));
                    if seen.objection.is_none() {
                        judge.follower.listener.add(seen.run);
                    }
                    let program = &self.translation.program;
                    let test = TestCase {
                        inputs: inputs.clone(),
                        expected: expected(program, &seen.outcome, &self.effects(&mut self.recorded(&values))),
                        notes: notes(program, &seen.outcome),
                    };
                    judge.tests.push((test, seen.run));
                    seen.objection
                }
            };
            objections.push(objection);
        }
        let rest = GoalStatus::Unknown("no given test covers it".into());
        let mut outcome = self.end(judge, goals, rest, false, Statistics::default());
        outcome.objections = objections;
        outcome.complete = true;
        Some(outcome)
    }

    /// Tests for a product of goals; none if the goals are listed.
    ///
    /// # Errors
    /// When a solver fails, or the search and the interpreter contradict each other.
    pub fn cover_product(&self, backend: &Backend, options: &Options) -> Result<Option<ProductOutcome>, SearchError> {
        let (Some(goals), Target::Query(spec)) = (self.product(), &self.target) else { return Ok(None) };
        backend.probe()?;
        let mut judge = Judge::new(self, spec);
        let over = |judge: &Judge<'_>| {
            let limited = options.limit.is_some_and(|limit| limit <= judge.tests.len());
            match (backend.interrupt.is_raised(), limited, backend.is_over()) {
                (true, _, _) => Some("interrupted"),
                (false, true, _) => Some("the limit of tests was reached"),
                (false, false, true) => Some("the time of the run was over"),
                (false, false, false) => None,
            }
        };
        self.draw_runs(&mut judge, options.seed, CHEAP_RUNS, |judge| over(judge).is_some())?;
        let mut statistics = Statistics::default();
        let mut bound = self.settings.unwind.unwrap_or(FIRST_BOUND);
        let rest = loop {
            if goals == judge.covered() {
                break GoalStatus::Covered;
            }
            match self.at_bound(&mut judge, backend, bound, &mut statistics, &over)? {
                AtBound::Done(status) => break status,
                AtBound::Cut(reason) if self.settings.unwind.is_some() || LAST_BOUND <= bound => {
                    break GoalStatus::InfeasibleUpTo(reason);
                }
                AtBound::Cut(_) => bound *= 2,
            }
        };
        if matches!(rest, GoalStatus::Infeasible(_) | GoalStatus::InfeasibleUpTo(_)) && options.attacks != 0 {
            let before = judge.covered();
            self.draw_runs(&mut judge, options.seed.wrapping_add(7), options.attacks, |_| backend.is_over())?;
            if before < judge.covered() && matches!(rest, GoalStatus::Infeasible(_)) {
                let text = "goals were declared impossible, but a random run covers one of them";
                return Err(SearchError::Disagreement(text.into()));
            }
        }
        statistics.found = judge.tests.len();
        let minimize = options.minimize && !matches!(rest, GoalStatus::Unknown(_));
        Ok(Some(self.end(judge, goals, rest, minimize, statistics)))
    }

    /// Random runs; those that cover something new are kept.
    fn draw_runs(
        &self,
        judge: &mut Judge<'_>,
        seed: u64,
        count: usize,
        over: impl Fn(&Judge<'_>) -> bool,
    ) -> Result<(), SearchError> {
        let mut drawing = Drawing::new(self, seed);
        let mut steps = 0;
        for _ in 0..count {
            if MOST_STEPS < steps || over(judge) {
                break;
            }
            let seen = drawing.next(|source| judge.bounded(source));
            steps += seen.outcome.steps;
            let inputs = of_records(&seen.outcome.inputs);
            judge.keep(&seen, inputs);
        }
        Ok(())
    }

    /// Asks at one bound until nothing more is found.
    fn at_bound(
        &self,
        judge: &mut Judge<'_>,
        backend: &Backend,
        bound: u32,
        statistics: &mut Statistics,
        over: &dyn Fn(&Judge<'_>) -> Option<&'static str>,
    ) -> Result<AtBound, SearchError> {
        let mut terms = Terms::new();
        let mut problem = CProblem::new(&mut terms, self, Bound(bound), Some(backend));
        let mut solver = backend.solver()?;
        for fact in problem.facts() {
            solver.assert(&terms, fact.term)?;
        }
        loop {
            if let Some(reason) = over(judge) {
                return Ok(AtBound::Done(GoalStatus::Unknown(reason.into())));
            }
            let words = judge.follower.listener.covered_words(MOST_COVERED + 1);
            if MOST_COVERED < words.len() {
                let reason = format!("more than {MOST_COVERED} goals are covered, and no more are asked for");
                return Ok(AtBound::Done(GoalStatus::Unknown(reason)));
            }
            let maker = self.maker.as_ref().expect("a query has a maker of automata");
            let mut maker = maker.lock().expect("no thread panics while it makes an automaton");
            let automaton = match maker.uncovered(words) {
                Ok(automaton) => automaton,
                Err(problem) => return Ok(AtBound::Done(GoalStatus::Unknown(problem.message))),
            };
            let parts = problem.parts(&mut terms, &maker.sets, &automaton);
            drop(maker);
            let answer = solver.check(&terms, backend.query(&parts))?;
            statistics.count(&answer);
            match answer {
                Answer::Unknown(reason) => return Ok(AtBound::Done(GoalStatus::Unknown(reason.to_string()))),
                Answer::Sat(model) => {
                    let inputs = problem.decode(&terms, &model, None).swap_remove(0);
                    let values = document::values(&inputs).map_err(SearchError::Disagreement)?;
                    let seen = judge.observe(&mut self.recorded(&values));
                    if let Some(objection) = &seen.objection {
                        let text = format!("the inputs {} are not allowed: {objection}", inputs.to_json());
                        return Err(SearchError::Disagreement(text));
                    }
                    if !judge.keep_simple(seen) {
                        let text = format!("the solver's test {} covers nothing new when run", inputs.to_json());
                        return Err(SearchError::Disagreement(text));
                    }
                }
                Answer::Unsat { .. } => {
                    // Without the last parts, executions beyond the bounds count too: then it is a theorem.
                    let answer = solver.check(&terms, backend.query(&parts[..parts.len() - UNCUT]))?;
                    statistics.count(&answer);
                    return Ok(match (answer, problem.completeness()) {
                        (Answer::Unsat { scope: Scope::All, .. }, _) | (_, Completeness::Complete) => {
                            let undefined = problem.executed.undefined || self.has_terms();
                            let refuted = undefined && self.is_refuted(backend, bound, &automaton)?;
                            AtBound::Done(match refuted {
                                true => GoalStatus::InfeasibleUpTo(self.terms_of_product()),
                                false => GoalStatus::Infeasible("no execution does that".into()),
                            })
                        }
                        (_, Completeness::UpTo(reason)) => AtBound::Cut(reason),
                    });
                }
            }
        }
    }

    /// Under which terms no execution covers more goals.
    fn terms_of_product(&self) -> String {
        let undefined = "unless something undefined happens";
        if self.has_terms() { format!("{}, {undefined}", self.terms_of_claims(1)) } else { undefined.to_owned() }
    }

    /// Whether executions with undefined behaviour may do what an automaton accepts, or that is not known.
    fn is_refuted(&self, backend: &Backend, bound: u32, automaton: &Automaton) -> Result<bool, SearchError> {
        let tolerant = self.settings.undefined != super::Undefined::Stop;
        if !tolerant && !self.has_terms() {
            return Ok(false);
        }
        let mut terms = Terms::new();
        let mut problem = CProblem::beyond_tests(&mut terms, self, Bound(bound), Some(backend), (tolerant, true));
        let mut solver = backend.solver()?;
        for fact in problem.facts() {
            solver.assert(&terms, fact.term)?;
        }
        let maker = self.maker.as_ref().expect("a query has a maker of automata");
        let maker = maker.lock().expect("no thread panics while it makes an automaton");
        let parts = problem.parts(&mut terms, &maker.sets, automaton);
        let answer = solver.check(&terms, backend.query(&parts[..parts.len() - UNCUT]))?;
        Ok(!matches!(answer, Answer::Unsat { scope: Scope::All, .. }))
    }

    /// Reduces the suite and counts.
    fn end(
        &self,
        mut judge: Judge<'_>,
        goals: u128,
        rest: GoalStatus,
        reduce: bool,
        statistics: Statistics,
    ) -> ProductOutcome {
        let covered = judge.covered();
        let tests = std::mem::take(&mut judge.tests);
        let meter = &mut judge.follower.listener;
        let listed = covered <= MOST_LISTED as u128;
        let mut covers: Vec<Vec<u128>> = match listed {
            true => tests.iter().map(|(_, run)| meter.goals_of(*run, MOST_LISTED)).collect(),
            false => vec![Vec::new(); tests.len()],
        };
        let mut kept: Vec<usize> = (0..tests.len()).collect();
        let mut minimality = Minimality::NotProved;
        if reduce && listed {
            let cover =
                minimize(tests.len(), &requirements(&covers), &Budget { conflicts: Some(20_000), ..Budget::default() });
            kept = cover.tests.iter().map(|test| *test as usize).collect();
            minimality = if cover.proved { Minimality::ProvedAmongFound } else { Minimality::NotProved };
        } else if reduce {
            kept = greedy(meter, &tests);
        }
        let complete = !matches!(rest, GoalStatus::Unknown(_));
        let tests = kept.iter().map(|at| tests[*at].0.clone()).collect();
        let covers = kept.iter().map(|at| std::mem::take(&mut covers[*at])).collect();
        ProductOutcome { tests, goals, covered, covers, rest, minimality, complete, statistics, objections: Vec::new() }
    }
}

/// What asking at one bound came to.
enum AtBound {
    /// What is known about all goals that are left.
    Done(GoalStatus),
    /// Nothing more as long as executions stay within bounds, for this reason.
    Cut(String),
}

/// One requirement for each set of tests that cover some goal.
fn requirements(covers: &[Vec<u128>]) -> Vec<Requirement> {
    let mut tests_of: std::collections::BTreeMap<u128, Vec<u32>> = std::collections::BTreeMap::new();
    for (test, goals) in (0u32..).zip(covers) {
        goals.iter().for_each(|goal| tests_of.entry(*goal).or_default().push(test));
    }
    let mut sets: Vec<Vec<u32>> = tests_of.into_values().collect();
    sets.sort_unstable();
    sets.dedup();
    let requirement =
        |tests: Vec<u32>| Requirement { alternatives: vec![vec![tests.into_iter().map(|test| vec![test]).collect()]] };
    sets.into_iter().map(requirement).collect()
}

/// Tests that cover everything together: always the one that adds most.
fn greedy(meter: &mut Meter<'_>, tests: &[(TestCase, RunCoverage)]) -> Vec<usize> {
    let mut left: Vec<usize> = (0..tests.len()).collect();
    let mut chosen: Vec<usize> = Vec::new();
    let mut all: Option<RunCoverage> = None;
    while !left.is_empty() {
        let with = |meter: &mut Meter<'_>, at: usize| match all {
            None => tests[at].1,
            Some(all) => meter.together(all, tests[at].1),
        };
        let sizes: Vec<u128> = left
            .iter()
            .map(|at| {
                let both = with(meter, *at);
                meter.count(both).unwrap_or(u128::MAX)
            })
            .collect();
        let best = (0..left.len()).max_by_key(|at| (sizes[*at], usize::MAX - at)).expect("some are left");
        if all.is_some_and(|all| meter.count(all) == Some(sizes[best])) {
            break;
        }
        let at = left.swap_remove(best);
        all = Some(with(meter, at));
        chosen.push(at);
    }
    chosen.sort_unstable();
    chosen
}
