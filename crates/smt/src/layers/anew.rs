//! A new solver for every question: nothing is carried over from one to the next.

use super::Facts;
use crate::{Answer, Capabilities, Query, Solver, SolverError, Term, Terms};

/// Makes a solver with no facts.
pub type MakeSolver = Box<dyn FnMut() -> Result<Box<dyn Solver>, SolverError> + Send>;

/// A solver that is made anew for every question and told all facts that hold.
pub struct Anew {
    make: MakeSolver,
    facts: Facts,
    name: String,
    capabilities: Capabilities,
    /// The solver that was made to learn its name; it answers the first question.
    first: Option<Box<dyn Solver>>,
}

impl Anew {
    /// Solvers made by `make`.
    ///
    /// # Errors
    /// When none can be made.
    pub fn new(mut make: MakeSolver) -> Result<Anew, SolverError> {
        let first = make()?;
        let (name, capabilities) = (first.name().to_owned(), first.capabilities().clone());
        Ok(Anew { make, facts: Facts::default(), name, capabilities, first: Some(first) })
    }
}

impl Solver for Anew {
    fn name(&self) -> &str {
        &self.name
    }

    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    fn assert(&mut self, _: &Terms, fact: Term) -> Result<(), SolverError> {
        self.facts.facts.push(fact);
        Ok(())
    }

    fn push(&mut self) -> Result<(), SolverError> {
        self.facts.push();
        Ok(())
    }

    fn pop(&mut self) -> Result<(), SolverError> {
        self.facts.pop();
        Ok(())
    }

    fn check(&mut self, terms: &Terms, query: Query<'_>) -> Result<Answer, SolverError> {
        let mut solver = match self.first.take() {
            Some(first) => first,
            None => (self.make)()?,
        };
        for &fact in &self.facts.facts {
            solver.assert(terms, fact)?;
        }
        solver.check(terms, query)
    }
}
