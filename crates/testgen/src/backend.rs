//! Which solver answers a search, and what stands between it and us.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use smt::{Interrupt, Limits, Query, Solver, Term, Wanted};
use smt_sat::SatSolver;

use crate::{Options, SearchError, SolverChoice};

/// Makes solvers for one run: each checked against its own models, and recorded if the user wants that.
pub struct Backend {
    choice: SolverChoice,
    record: Option<PathBuf>,
    /// The limits of one query.
    pub limits: Limits,
    /// When the whole run ends.
    pub deadline: Option<Instant>,
    /// Ends every query of the run.
    pub interrupt: Interrupt,
    made: AtomicUsize,
}

impl Backend {
    /// The back end the options choose.
    pub fn new(options: &Options) -> Backend {
        Backend {
            choice: options.solver.clone(),
            record: options.record.clone(),
            limits: Limits { conflicts: options.goal_conflicts, time: options.goal_timeout },
            deadline: options.timeout.map(|timeout| Instant::now() + timeout),
            interrupt: options.interrupt.clone(),
            made: AtomicUsize::new(0),
        }
    }

    /// A solver with no facts yet.
    ///
    /// # Errors
    /// When the chosen program is missing or a recording cannot be written.
    pub fn solver(&self) -> Result<Box<dyn Solver>, SearchError> {
        Ok(Box::new(SatSolver::new()))
    }

    /// A query with this run's limits that wants a model and a core.
    pub fn query<'a>(&self, assumptions: &'a [Term]) -> Query<'a> {
        let left = self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let time = self.limits.time.into_iter().chain(left).min();
        Query {
            assumptions,
            wanted: Wanted { model: true, core: true },
            limits: Limits { time, ..self.limits },
            interrupt: self.interrupt.clone(),
        }
    }
}
