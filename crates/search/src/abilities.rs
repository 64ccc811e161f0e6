//! What some languages can do beyond what a [`Subject`] must: each ability is a trait of its own, and the search makes use of
//! those that a language names.

use smt::Terms;
use testcase::{GoalId, GoalStatus, Inputs, Minimality, ObligationId};

use crate::backend::Backend;
use crate::subject::{Bound, Problem, Reason, Subject};
use crate::{Budget, SearchError};

/// The abilities of a language: those it has are named.
#[derive(Clone, Copy, Default)]
pub struct Abilities<'a> {
    /// It poses problems to solvers.
    pub encodes: Option<&'a dyn Encodes>,
    /// It chooses random runs for the claims they attack.
    pub attacks: Option<&'a dyn Attacks>,
    /// It finds tests, and goals that have none, without a search.
    pub guesses: Option<&'a dyn Guesses>,
    /// It makes tests simpler or stronger.
    pub simplifies: Option<&'a dyn Simplifies>,
    /// It constructs small suites.
    pub constructs: Option<&'a dyn Constructs>,
    /// It has more to say about goals than whether they are covered.
    pub describes: Option<&'a dyn Describes>,
    /// It judges evidence for claims of infeasibility.
    pub certifies: Option<&'a dyn Certifies>,
    /// It decides without a search for tests that goals cannot be covered.
    pub refutes: Option<&'a dyn Refutes>,
}

/// Poses problems to solvers.
pub trait Encodes: Subject {
    /// The problem at a bound; none where it would be too large, or would not speak of the tests of this subject.
    fn encode(&self, terms: &mut Terms, bound: Bound) -> Option<Box<dyn Problem + '_>>;

    /// Why an obligation cannot be met, in words, from a minimal set of contradicting parts.
    fn explain(&self, obligation: ObligationId, core: &[Reason]) -> String;

    /// What one goal may spend in a search over growing bounds, where such a search pays: where executions of few steps are also
    /// executions within a larger bound, and much easier to find.
    fn growth(&self) -> Option<Budget> {
        None
    }

    /// Whether its problems are for solvers that are made for large ones.
    fn is_large(&self) -> bool {
        false
    }

    /// What one question of the reduction may spend, and what all of them together may; none for as much as the search takes.
    fn reduction(&self) -> Option<ReductionBudget> {
        None
    }
}

/// What the questions of a reduction may spend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReductionBudget {
    /// One question.
    pub once: Budget,
    /// All of them together.
    pub all: Budget,
}

/// Chooses random runs for the claims they attack.
pub trait Attacks {
    /// Random inputs for an attack on claims that these obligations cannot be met; inputs that meet none of them may be left out.
    fn attacks(&self, seed: u64, count: usize, claimed: &[ObligationId], bound: Bound) -> Vec<Inputs>;

    /// Whether inputs keep to the bound: no test of a suite that was drawn goes beyond it.
    fn is_within(&self, inputs: &Inputs, bound: Bound) -> bool;
}

/// Finds tests, and goals that have none, without a search.
pub trait Guesses {
    /// Inputs within the bound that meet some of the open obligations.
    fn guesses(&self, open: &[ObligationId], seed: u64, bound: Bound) -> Vec<Inputs>;

    /// Open obligations that can be shown impossible for every bound, with the reason in words.
    ///
    /// # Errors
    /// When a solver fails.
    fn impossible(&self, open: &[ObligationId], backend: &Backend) -> Result<Vec<(ObligationId, String)>, SearchError>;
}

/// Makes tests simpler or stronger.
pub trait Simplifies {
    /// Simpler inputs that show the same behaviour; found with the interpreter alone.
    fn simplify(&self, inputs: Inputs) -> Inputs {
        inputs
    }

    /// Simpler inputs that still meet these obligations, for a test that takes the place of two.
    fn simplify_for(&self, inputs: Inputs, _obligations: &[ObligationId]) -> Inputs {
        self.simplify(inputs)
    }

    /// As [`Simplifies::simplify`], for tests of the suite as it is handed out: where that takes long, nobody waits for it before.
    fn polish(&self, inputs: Inputs) -> Inputs {
        inputs
    }

    /// The tests of a suite with values that find more faults and show the same behaviour, but for those that must stay, and for all that
    /// are left once it is late.
    fn sharpen(&self, inputs: Vec<Inputs>, _stays: &[bool], _late: &dyn Fn() -> bool) -> Vec<Inputs> {
        inputs
    }
}

/// Constructs small suites.
pub trait Constructs {
    /// A smallest suite for these goals, where there is a way to construct one.
    ///
    /// # Errors
    /// When a solver fails.
    fn smallest(&self, goals: &[GoalId], backend: &Backend) -> Result<Option<Smallest>, SearchError>;

    /// One test for each behaviour the criterion can tell apart, where there are few.
    ///
    /// # Errors
    /// When a solver fails.
    fn behaviours(&self, backend: &Backend) -> Result<Option<Behaviours>, SearchError>;
}

/// Has more to say about goals than whether they are covered.
pub trait Describes {
    /// In what manner an obligation covers its goal, where a reader wants to know.
    fn manner(&self, obligation: ObligationId) -> Option<&str>;

    /// What shows that a test does not cover a goal, in words.
    fn counterexample(&self, goal: GoalId, inputs: &Inputs) -> Option<String>;
}

/// Judges evidence for claims of infeasibility.
pub trait Certifies {
    /// Judges what a suite holds as evidence that a goal cannot be covered.
    ///
    /// # Errors
    /// Why it is not evidence.
    fn judge_evidence(&self, goal: GoalId, evidence: &serde_json::Value) -> Result<(), String>;

    /// The manners in which a goal can be covered that no evidence speaks of: a claim that it cannot be covered at all must show
    /// something for each.
    fn not_shown(&self, goal: GoalId, evidence: &[serde_json::Value]) -> Vec<String>;
}

/// Decides without a search for tests that goals cannot be covered: for measurements, which search for none.
pub trait Refutes {
    /// Those of some open goals, by number, that no test can cover, with what is known about them.
    fn hopeless(&self, open: &[usize], depth: Option<u64>) -> Vec<(usize, GoalStatus)>;
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

/// Random inputs for an attack on claims that these obligations cannot be met.
pub(crate) fn attacks(
    subject: &dyn Subject,
    seed: u64,
    count: usize,
    claimed: &[ObligationId],
    bound: Bound,
) -> Vec<Inputs> {
    match subject.abilities().attacks {
        Some(attacks) => attacks.attacks(seed, count, claimed, bound),
        None => subject.random_inputs(seed, count, bound),
    }
}

/// Whether inputs keep to the bound.
pub(crate) fn is_within(subject: &dyn Subject, inputs: &Inputs, bound: Bound) -> bool {
    subject.abilities().attacks.is_none_or(|attacks| attacks.is_within(inputs, bound))
}

/// Simpler inputs that show the same behaviour.
pub(crate) fn simplified(subject: &dyn Subject, inputs: Inputs) -> Inputs {
    match subject.abilities().simplifies {
        Some(simplifies) => simplifies.simplify(inputs),
        None => inputs,
    }
}

/// Simpler inputs that still meet these obligations.
pub(crate) fn simplified_for(subject: &dyn Subject, inputs: Inputs, obligations: &[ObligationId]) -> Inputs {
    match subject.abilities().simplifies {
        Some(simplifies) => simplifies.simplify_for(inputs, obligations),
        None => inputs,
    }
}

/// In what manner an obligation covers its goal.
pub(crate) fn manner(subject: &dyn Subject, obligation: ObligationId) -> Option<&str> {
    subject.abilities().describes?.manner(obligation)
}
