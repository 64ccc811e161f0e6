//! The solver interface: what every back end and every layer over one provides.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::{Model, Term, Terms};

/// A satisfiability solver for terms.
///
/// Facts stay until the [`pop`](Solver::pop) that matches the [`push`](Solver::push) before them. All calls on one
/// solver use one arena.
pub trait Solver: Send {
    /// The name users know it by.
    fn name(&self) -> &str;

    /// What it can do.
    fn capabilities(&self) -> &Capabilities;

    /// Adds a fact.
    ///
    /// # Errors
    /// When the solver cannot take the fact or is gone.
    fn assert(&mut self, terms: &Terms, fact: Term) -> Result<(), SolverError>;

    /// Opens a scope of facts.
    ///
    /// # Errors
    /// When the solver is gone.
    fn push(&mut self) -> Result<(), SolverError>;

    /// Closes the innermost scope and forgets its facts.
    ///
    /// # Errors
    /// When the solver is gone.
    fn pop(&mut self) -> Result<(), SolverError>;

    /// Whether the facts and the query's assumptions can hold together.
    ///
    /// # Errors
    /// When the solver fails: that is never an answer.
    fn check(&mut self, terms: &Terms, query: Query<'_>) -> Result<Answer, SolverError>;

    /// The variables and clauses that it was given so far, where it knows.
    fn size(&self) -> Option<(u64, u64)> {
        None
    }
}

impl<S: Solver + ?Sized> Solver for Box<S> {
    fn name(&self) -> &str {
        (**self).name()
    }

    fn capabilities(&self) -> &Capabilities {
        (**self).capabilities()
    }

    fn assert(&mut self, terms: &Terms, fact: Term) -> Result<(), SolverError> {
        (**self).assert(terms, fact)
    }

    fn push(&mut self) -> Result<(), SolverError> {
        (**self).push()
    }

    fn pop(&mut self) -> Result<(), SolverError> {
        (**self).pop()
    }

    fn check(&mut self, terms: &Terms, query: Query<'_>) -> Result<Answer, SolverError> {
        (**self).check(terms, query)
    }

    fn size(&self) -> Option<(u64, u64)> {
        (**self).size()
    }
}

/// One question: what to assume, what to bring back, how long to try.
#[derive(Clone, Debug, Default)]
pub struct Query<'a> {
    /// Boolean terms that hold for this question only.
    pub assumptions: &'a [Term],
    /// What the answer must carry.
    pub wanted: Wanted,
    /// When to give up.
    pub limits: Limits,
    /// Ends the search from another thread.
    pub interrupt: Interrupt,
}

/// What an answer must carry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// A model with every symbol of the facts and assumptions.
    pub model: bool,
    /// A subset of the assumptions that cannot hold.
    pub core: bool,
}

/// When a solver gives up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// After this many conflicts, or as much work as stands for them; the same on every machine. Ignored by solvers that do not count.
    pub conflicts: Option<u64>,
    /// After this much time.
    pub time: Option<Duration>,
}

/// A switch that ends searches from another thread; clones share it.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

/// The answer to a query, with its evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Satisfiable, by this model (empty if none was wanted).
    Sat(Model),
    /// Unsatisfiable.
    Unsat {
        /// Assumptions that cannot hold together with the facts (empty if none was wanted or none is needed).
        core: Vec<Term>,
        /// For which values this was shown.
        scope: Scope,
    },
    /// Not decided.
    Unknown(Unknown),
}

/// For which values unsatisfiability was shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// For all values: a theorem.
    All,
    /// Only for integers whose intermediate results fit this many bits in two's complement.
    Width(u32),
}

/// Why a query was not decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// The time limit passed.
    Time,
    /// The conflict limit was reached.
    Conflicts,
    /// Someone raised the interrupt.
    Interrupted,
    /// The solver gave up, in its own words.
    Incomplete(String),
}

/// What a solver can do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// The sorts and operators it decides.
    pub theories: Theories,
    /// Whether it returns cores of assumptions.
    pub cores: bool,
    /// Whether facts can be added between checks.
    pub incremental: bool,
}

/// The theories a solver decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Theories {
    /// Linear integer arithmetic.
    pub integers: bool,
    /// Linear real arithmetic.
    pub reals: bool,
    /// Products of variables.
    pub nonlinear: bool,
    /// Bit-vectors.
    pub bit_vectors: bool,
    /// Arrays.
    pub arrays: bool,
    /// Enumerations.
    pub enumerations: bool,
}

/// A solver that could not answer at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SolverError {
    /// The program is not installed.
    Missing {
        /// The program.
        program: String,
        /// How to get it.
        hint: String,
    },
    /// The program ended or closed its output in the middle of a conversation.
    Died {
        /// The solver.
        solver: String,
        /// How it ended and what it last said.
        detail: String,
    },
    /// The program said something that is not an answer.
    Garbage {
        /// The solver.
        solver: String,
        /// What it said.
        said: String,
    },
    /// The solver does not decide a construct.
    Unsupported {
        /// The solver.
        solver: String,
        /// The construct.
        what: String,
    },
    /// A model under which a fact or an assumption does not hold: a bug in the solver or in us.
    WrongModel {
        /// The solver.
        solver: String,
        /// The fact, in SMT-LIB.
        violated: String,
        /// What was asked, as a script that other solvers can be given.
        script: String,
    },
    /// A file of the conversation could not be written.
    Record {
        /// The file.
        path: PathBuf,
        /// The system's words.
        detail: String,
    },
}

impl Interrupt {
    /// A switch that is off.
    pub fn new() -> Interrupt {
        Interrupt::default()
    }

    /// Switches it on, for good.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it is on.
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unknown::Time => f.write_str("time limit"),
            Unknown::Conflicts => f.write_str("conflict limit"),
            Unknown::Interrupted => f.write_str("interrupted"),
            Unknown::Incomplete(why) => write!(f, "the solver gave up: {why}"),
        }
    }
}

impl fmt::Display for SolverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SolverError::Missing { program, hint } => write!(f, "`{program}` was not found; {hint}"),
            SolverError::Died { solver, detail } => write!(f, "{solver} ended without an answer: {detail}"),
            SolverError::Garbage { solver, said } => write!(f, "{solver} did not answer but said `{said}`"),
            SolverError::Unsupported { solver, what } => write!(f, "{solver} does not decide {what}"),
            SolverError::WrongModel { solver, violated, .. } => {
                write!(f, "{solver} returned a model under which `{violated}` does not hold")
            }
            SolverError::Record { path, detail } => write!(f, "cannot write {}: {detail}", path.display()),
        }
    }
}

impl std::error::Error for SolverError {}
