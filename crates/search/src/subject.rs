//! What a front end must say to have tests drawn for it.
//!
//! A [`Subject`] has two faces. [`Problem`] is the face the search sees: terms, and how to read inputs out of a model.
//! [`Replay`] is the face of the judge: concrete inputs in, verdict out, with no term and no model in sight. A test
//! enters a suite only through the second.

use smt::{Model, Term, Terms};
use testcase::{Goal, GoalStatus, Inputs, ObligationId, TestCase};

use crate::abilities::{Abilities, Encodes};
use crate::backend::Backend;
use crate::{Options, SearchError, Statistics};

/// A specification with a criterion: goals to cover, and the means to search and to judge. What more a language can do is
/// among its [`Abilities`].
pub trait Subject: Sync {
    /// The goals of the criterion.
    fn goals(&self) -> &[Goal];

    /// The number of obligations; those that no goal names must be met as well.
    fn obligation_count(&self) -> usize;

    /// Who looks for inputs.
    ///
    /// # Errors
    /// When it cannot begin.
    fn searcher<'a>(&'a self, backend: &'a Backend, options: &Options) -> Result<Searcher<'a>, SearchError>;

    /// A judge that has seen no test yet.
    fn replay(&self) -> Box<dyn Replay + '_>;

    /// Concrete inputs drawn at random, for attacks on claims of infeasibility; within a bound, where the language has one. There
    /// may be fewer of them where judging one takes long.
    fn random_inputs(&self, seed: u64, count: usize, bound: Bound) -> Vec<Inputs>;

    /// What else the language can do.
    fn abilities(&self) -> Abilities<'_> {
        Abilities::default()
    }
}

/// Who looks for inputs.
pub enum Searcher<'a> {
    /// Solvers, asked about terms.
    Terms(&'a dyn Encodes),
    /// The language itself. Terms, if there are any, serve to reduce the suite only.
    Engine(Box<dyn Engine + 'a>),
}

/// A search of a front end's own: over explicit states, by games, in any way that finds inputs without terms. What it
/// finds is judged, attacked and reduced like the findings of solvers.
pub trait Engine {
    /// Works for a while on the open obligations. An engine that finds nothing any more ends the search.
    ///
    /// # Errors
    /// When it fails; having found nothing is not a failure.
    fn round(&mut self, open: &[ObligationId]) -> Result<Vec<Finding>, SearchError>;

    /// Hears what a test of the suite newly meets, no matter what found it.
    fn met(&mut self, _inputs: &Inputs, _obligations: &[ObligationId]) {}

    /// The bound at which the problem for solvers speaks of the tests that were found; none if it speaks of other tests, or is too
    /// large to be posed once more. It is asked for when a suite is reduced.
    fn posed(&self, asked: Bound) -> Option<Bound> {
        Some(asked)
    }

    /// What shows that an obligation cannot be met, for those who want to judge it again.
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
