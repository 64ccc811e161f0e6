//! What a front end must say to have tests drawn for it.
//!
//! A [`Subject`] has two faces. [`Problem`] is the face the search sees: terms, and how to read inputs out of a model.
//! [`Replay`] is the face of the judge: concrete inputs in, verdict out, with no term and no model in sight. A test
//! enters a suite only through the second.

use smt::{Model, Term, Terms};
use testcase::{Goal, GoalId, GoalStatus, Inputs, Minimality, ObligationId, TestCase};

use crate::backend::Backend;
use crate::{Options, SearchError, Statistics};

/// A specification with a criterion: goals to cover, and the means to search and to judge.
pub trait Subject: Sync {
    /// The goals of the criterion.
    fn goals(&self) -> &[Goal];

    /// The number of obligations; those that no goal names must be met besides.
    fn obligation_count(&self) -> usize;

    /// The search problem at a bound. A subject without one has an engine of its own.
    fn encode(&self, _terms: &mut Terms, _bound: Bound) -> Option<Box<dyn Problem + '_>> {
        None
    }

    /// A search of the front end's own, where terms are not the best way to find inputs. It is asked in place of the
    /// problem, which then serves to reduce the suite only.
    ///
    /// # Errors
    /// When it cannot begin.
    fn engine<'a>(
        &'a self,
        _backend: &'a Backend,
        _options: &Options,
    ) -> Result<Option<Box<dyn Engine + 'a>>, SearchError> {
        Ok(None)
    }

    /// A judge that has seen no test yet.
    fn replay(&self) -> Box<dyn Replay + '_>;

    /// Concrete inputs drawn at random, for attacks on claims of infeasibility.
    fn random_inputs(&self, seed: u64, count: usize) -> Vec<Inputs>;

    /// Random inputs for an attack on claims that these obligations cannot be met; inputs that meet none of them may be left out.
    fn attacks(&self, seed: u64, count: usize, _claimed: &[ObligationId], _bound: Bound) -> Vec<Inputs> {
        self.random_inputs(seed, count)
    }

    /// Whether inputs keep to the bound: no test of a suite that was drawn goes beyond it.
    fn is_within(&self, _inputs: &Inputs, _bound: Bound) -> bool {
        true
    }

    /// Inputs within the bound that meet some of the open obligations, where some can be had without a search.
    fn guesses(&self, _open: &[ObligationId], _seed: u64, _bound: Bound) -> Vec<Inputs> {
        Vec::new()
    }

    /// Open obligations that can be shown impossible without a search, whatever the bound, with the reason in words.
    ///
    /// # Errors
    /// When a solver fails.
    fn impossible(
        &self,
        _open: &[ObligationId],
        _backend: &Backend,
    ) -> Result<Vec<(ObligationId, String)>, SearchError> {
        Ok(Vec::new())
    }

    /// Whether executions of few steps are also executions within a larger bound, and much easier to find: then bounds may grow.
    fn grows(&self) -> bool {
        false
    }

    /// Those of some open goals, by number, that no test can cover, with what is known about them: for measurements, which
    /// search for no tests. Most languages leave this to the search.
    fn hopeless(&self, _open: &[usize], _depth: Option<u64>) -> Vec<(usize, GoalStatus)> {
        Vec::new()
    }

    /// Whether all ways to cover a goal are looked for at once, instead of one after the other.
    fn pursues_all(&self) -> bool {
        false
    }

    /// Whether earlier alternatives of a goal are worth more: they are looked for even when a later one is met already.
    fn prefers_earlier(&self, _goal: &Goal) -> bool {
        false
    }

    /// The number of the chain that a goal belongs to: goals that depend on each other are looked for together, in one shard.
    fn chain(&self, goal: GoalId) -> u32 {
        goal.0
    }

    /// Judges what a suite holds as evidence that a goal cannot be covered.
    ///
    /// # Errors
    /// Why it is not evidence.
    fn judge_evidence(&self, _goal: GoalId, _evidence: &serde_json::Value) -> Result<(), String> {
        Err("goals of this language have no evidence".to_owned())
    }

    /// What shows that a test does not cover a goal, in words, where there is more to say than that.
    fn counterexample(&self, _goal: GoalId, _inputs: &Inputs) -> Option<String> {
        None
    }

    /// In what manner an obligation covers its goal, where a reader wants to know.
    fn manner(&self, _obligation: ObligationId) -> Option<&str> {
        None
    }

    /// Why an obligation cannot be met, in words, from a minimal set of contradicting parts.
    fn explain(&self, obligation: ObligationId, core: &[Reason]) -> String;

    /// Simpler inputs that show the same behaviour; found with the interpreter alone.
    fn simplify(&self, inputs: Inputs) -> Inputs {
        inputs
    }

    /// Simpler inputs that still meet these obligations, for a test that takes the place of two.
    fn simplify_for(&self, inputs: Inputs, _obligations: &[ObligationId]) -> Inputs {
        self.simplify(inputs)
    }

    /// As [`Subject::simplify`], for tests of the suite as it is handed out: where that takes long, nobody waits for it before.
    fn polish(&self, inputs: Inputs) -> Inputs {
        inputs
    }

    /// The tests of a suite with values that find more faults and show the same behaviour, but for those that must stay.
    fn sharpen(&self, inputs: Vec<Inputs>, _stays: &[bool]) -> Vec<Inputs> {
        inputs
    }

    /// A smallest suite for these goals, where the front end knows how to construct one.
    ///
    /// # Errors
    /// When a solver fails.
    fn smallest(&self, _goals: &[GoalId], _backend: &Backend) -> Result<Option<Smallest>, SearchError> {
        Ok(None)
    }

    /// The conflicts that a search over growing bounds may spend on one goal unless the user says otherwise, and the name of that budget;
    /// none for as many as it takes.
    fn goal_budget(&self) -> Option<(u64, &'static str)> {
        None
    }

    /// The conflicts that one question of the reduction may take, and all of them together; none for as many as the search
    /// takes.
    fn reduction_budget(&self) -> Option<(u64, u64)> {
        None
    }

    /// One test for each behaviour the criterion can tell apart, where there are few.
    ///
    /// # Errors
    /// When a solver fails.
    fn behaviours(&self, _backend: &Backend) -> Result<Option<Behaviours>, SearchError> {
        Ok(None)
    }
}

/// A search of a front end's own: over explicit states, by games, in whatever way finds inputs without terms. What it
/// finds is judged, attacked and reduced like the findings of solvers.
pub trait Engine {
    /// Works for a while on the open obligations. An engine that finds nothing any more ends the search.
    ///
    /// # Errors
    /// When it fails; having found nothing is not a failure.
    fn round(&mut self, open: &[ObligationId]) -> Result<Vec<Finding>, SearchError>;

    /// Hears what a test of the suite newly meets, whoever found it.
    fn met(&mut self, _inputs: &Inputs, _obligations: &[ObligationId]) {}

    /// What shows that an obligation cannot be met, for whoever wants to judge it again.
    fn evidence(&self, _obligation: ObligationId) -> Option<serde_json::Value> {
        None
    }

    /// Counts of what it took.
    fn statistics(&self) -> Statistics {
        Statistics::default()
    }
}

/// What a search found in one round.
#[derive(Clone, Debug)]
pub enum Finding {
    /// Inputs that should meet obligations.
    Inputs {
        /// The obligations they were looked for; may be empty.
        targets: Vec<ObligationId>,
        /// One test, or several that meet the obligations together.
        inputs: Vec<Inputs>,
    },
    /// An obligation that cannot be met, or not be decided.
    Closed(ObligationId, GoalStatus),
    /// There is nothing more to ask, for this reason.
    Finished(String),
}

/// How far executions are unrolled, in the steps of the language. Languages without steps ignore it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bound(pub u32);

/// A search problem over one arena.
pub trait Problem: Send {
    /// What holds of every execution.
    fn facts(&self) -> &[Part];

    /// What an obligation asks for: parts that must hold together. Made on demand, since for some criteria all of them
    /// together are quadratic in the specification.
    fn require(&mut self, terms: &mut Terms, obligation: ObligationId) -> Vec<Part>;

    /// What the beginning of an execution must satisfy that meets an obligation, where executions can be cut at a bound. Before the
    /// last bound only if none of them comes to an end.
    fn require_beginning(&mut self, _terms: &mut Terms, _obligation: ObligationId, _last: bool) -> Option<Vec<Part>> {
        None
    }

    /// The inputs a model shows for an obligation that holds in it: one, or two for a pair. Without an obligation, one.
    fn decode(&self, terms: &Terms, model: &Model, obligation: Option<ObligationId>) -> Vec<Inputs>;

    /// Facts that were left out, being costly and seldom needed, and that a model does not satisfy. From now on they are among the
    /// [facts](Problem::facts).
    fn lacking(&mut self, _terms: &mut Terms, _model: &Model) -> Vec<Part> {
        Vec::new()
    }

    /// Terms that say, input by input, "the same as in this test"; for the incremental strategy.
    fn same_as(&mut self, terms: &mut Terms, inputs: &Inputs) -> Vec<Term>;

    /// What holds of executions that are followed to their end.
    fn followed(&self) -> Vec<Term> {
        Vec::new()
    }

    /// What UNSAT means.
    fn completeness(&self) -> Completeness;

    /// Pairs of these obligations, the smaller first, that no test within the bound meets both of, where that can be told without a
    /// solver.
    fn exclusive(&self, _among: &[ObligationId]) -> Vec<(ObligationId, ObligationId)> {
        Vec::new()
    }

    /// The obligation a model meets, where every execution meets exactly one: then the groupwise strategy applies.
    fn class_of(&self, _terms: &Terms, _model: &Model) -> Option<ObligationId> {
        None
    }
}

/// A Boolean term, with the subject's own number for what it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The term.
    pub term: Term,
    /// What it stands for.
    pub reason: Reason,
}

/// A subject's own number for something that can stand in the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Reason(pub u32);

/// What UNSAT means for a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Completeness {
    /// That no test exists.
    Complete,
    /// That no test exists within a bound, named in words.
    UpTo(String),
}

/// Runs tests one after the other and says what they show.
pub trait Replay {
    /// Runs one more test.
    fn run(&mut self, inputs: &Inputs) -> Replayed;

    /// The same for a test that only attacks a claim: nobody reads what it expects, so that may be left out.
    fn attack(&mut self, inputs: &Inputs) -> Replayed {
        self.run(inputs)
    }

    /// Every minimal set of tests run so far that meets an obligation. Tests count from 0 in the order they were run.
    fn witnesses(&self) -> Vec<Witness>;
}

/// What the interpreter says of one test.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// The inputs with their expected outputs.
    pub test: TestCase,
    /// The obligations met for the first time, by this test alone or together with earlier ones.
    pub met: Vec<ObligationId>,
    /// Why the inputs are not allowed, if they are not.
    pub objection: Option<String>,
}

/// Tests that meet an obligation.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Witness {
    /// The obligation.
    pub obligation: ObligationId,
    /// The tests, by number.
    pub tests: Vec<u32>,
}

/// A suite a front end constructed.
#[derive(Clone, Debug)]
pub struct Smallest {
    /// The inputs of its tests.
    pub inputs: Vec<Inputs>,
    /// What is known about their number.
    pub minimality: Minimality,
}

/// Tests that stand for behaviours.
#[derive(Clone, Debug)]
pub struct Behaviours {
    /// One test for each.
    pub inputs: Vec<Inputs>,
    /// Whether it was proved that no other behaviour exists.
    pub all: bool,
}
