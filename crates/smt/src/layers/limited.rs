//! A cap on the limits of every query.

use crate::{Answer, Capabilities, Limits, Query, Solver, SolverError, Term, Terms};

/// A solver none of whose queries goes beyond given limits.
pub struct Limited<S> {
    inner: S,
    most: Limits,
}

impl<S: Solver> Limited<S> {
    /// Caps the limits of every query of `inner`.
    pub fn new(inner: S, most: Limits) -> Limited<S> {
        Limited { inner, most }
    }
}

fn lower<T: Ord>(left: Option<T>, right: Option<T>) -> Option<T> {
    match (left, right) {
        (Some(left), Some(right)) => Some(left.min(right)),
        (one, other) => one.or(other),
    }
}

impl<S: Solver> Solver for Limited<S> {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn capabilities(&self) -> &Capabilities {
        self.inner.capabilities()
    }

    fn assert(&mut self, terms: &Terms, fact: Term) -> Result<(), SolverError> {
        self.inner.assert(terms, fact)
    }

    fn size(&self) -> Option<(u64, u64)> {
        self.inner.size()
    }

    fn push(&mut self) -> Result<(), SolverError> {
        self.inner.push()
    }

    fn pop(&mut self) -> Result<(), SolverError> {
        self.inner.pop()
    }

    fn check(&mut self, terms: &Terms, query: Query<'_>) -> Result<Answer, SolverError> {
        let limits = Limits {
            conflicts: lower(query.limits.conflicts, self.most.conflicts),
            time: lower(query.limits.time, self.most.time),
        };
        self.inner.check(terms, Query { limits, ..query })
    }
}
