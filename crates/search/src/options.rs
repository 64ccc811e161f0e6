//! What a user can choose about a search.

use std::path::PathBuf;
use std::time::Duration;

use smt::Interrupt;
use testcase::Strategy;

use crate::effort::Effort;
use crate::subject::Bound;

/// The choices for one run.
#[derive(Clone, Debug)]
pub struct Options {
    /// How queries are posed.
    pub strategy: Strategy,
    /// How far executions are unrolled.
    pub bound: Bound,
    /// Stop after this many tests.
    pub limit: Option<usize>,
    /// Stop after this much time.
    pub timeout: Option<Duration>,
    /// Give up on an obligation after this much time.
    pub goal_timeout: Option<Duration>,
    /// Give up on an obligation after this many conflicts; unlike time, the same on every machine.
    pub goal_conflicts: Option<u64>,
    /// Threads. The result does not depend on their number.
    pub jobs: usize,
    /// The seed of all random choices.
    pub seed: u64,
    /// By how much the budgets of the search are scaled.
    pub effort: Effort,
    /// About how many bytes a large formula may take; what needs more is left open.
    pub memory: u64,
    /// Which solver answers.
    pub solver: SolverChoice,
    /// Whether solvers keep what they have learned for the next question.
    pub incremental: bool,
    /// Whether the suite is reduced at the end.
    pub minimize: bool,
    /// Search only for the goals of one shard.
    pub shard: Option<Shard>,
    /// Write every solver conversation into this folder.
    pub record: Option<PathBuf>,
    /// Whether the solver is asked, too, what each test meets.
    pub cross_check: bool,
    /// How many random runs attack each run's claims of infeasibility.
    pub attacks: usize,
    /// Ends the run from outside; the tests found so far are kept.
    pub interrupt: Interrupt,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            strategy: Strategy::Each,
            bound: Bound(0),
            limit: None,
            timeout: None,
            goal_timeout: None,
            goal_conflicts: None,
            jobs: 1,
            seed: 0,
            effort: Effort::NORMAL,
            memory: 3 << 30,
            solver: SolverChoice::Auto,
            incremental: true,
            minimize: true,
            shard: None,
            record: None,
            cross_check: false,
            attacks: 2_000,
            interrupt: Interrupt::new(),
        }
    }
}

/// Part `index` of `count`, counted from 0. A goal belongs to the shard that its number leaves modulo `count`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// The part.
    pub index: u32,
    /// The number of parts.
    pub count: u32,
}

/// Which solver answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SolverChoice {
    /// The built-in one where it decides the problem, an installed one elsewhere.
    Auto,
    /// The built-in one.
    BuiltIn,
    /// An installed one, by name.
    Program(String),
    /// What a command of the shell starts.
    Command(String),
    /// Several of them side by side: the first definite answer counts.
    Portfolio(Vec<SolverChoice>),
}
