//! A specification with a criterion, as the search sees it.

use smt::{Answer, Terms};
use tessla::core::Spec;
use tessla::goals::Goals;
use tessla::sample::random_trace;
use testcase::{Goal, Inputs, ObligationId};

use super::document::Trace;
use super::encode::{self, GridOptions, TesslaProblem};
use super::judge::Judge;
use crate::backend::Backend;
use crate::subject::{Bound, Problem, Reason};
use crate::{Replay, SearchError, Subject};

/// How many moments a random trace has at most.
const MOMENTS: usize = 40;

/// A specification with the goals of a criterion. Before tests are drawn, everything in it must be
/// [supported](super::unsupported).
pub struct TesslaSubject<'a> {
    spec: &'a Spec,
    goals: Goals,
    closed_delays: bool,
}

impl<'a> TesslaSubject<'a> {
    /// The goals must be of the specification. With closed delays every timer has run out at the end of a test.
    pub fn new(spec: &'a Spec, goals: Goals, closed_delays: bool) -> TesslaSubject<'a> {
        TesslaSubject { spec, goals, closed_delays }
    }

    fn problem(&self, terms: &mut Terms, bound: Bound) -> TesslaProblem<'_> {
        let options = GridOptions { slots: bound.0.max(1) as usize, closed_delays: self.closed_delays };
        TesslaProblem::new(terms, self.spec, &self.goals, options)
    }

    /// Whether no trace within the bound satisfies the assertions: then nothing can be drawn, whatever the goals.
    ///
    /// # Errors
    /// When a solver fails.
    pub fn is_contradictory(&self, backend: &Backend, bound: Bound) -> Result<bool, SearchError> {
        if self.spec.assertions.is_empty() {
            return Ok(false);
        }
        let mut terms = Terms::new();
        let problem = self.problem(&mut terms, bound);
        let mut solver = backend.solver()?;
        for fact in problem.facts() {
            solver.assert(&terms, fact.term)?;
        }
        Ok(matches!(solver.check(&terms, backend.query(&[]))?, Answer::Unsat { .. }))
    }

    /// The number of variables and of other terms of the grid at a bound.
    pub fn size(&self, bound: Bound) -> (usize, usize) {
        let mut terms = Terms::new();
        let mut problem = self.problem(&mut terms, bound);
        for obligation in 0..self.goals.obligations.len() as u32 {
            problem.require(&mut terms, ObligationId(obligation));
        }
        encode::size(&terms)
    }
}

impl Subject for TesslaSubject<'_> {
    fn goals(&self) -> &[Goal] {
        &self.goals.goals
    }

    fn obligation_count(&self) -> usize {
        self.goals.obligations.len()
    }

    fn encode(&self, terms: &mut Terms, bound: Bound) -> Option<Box<dyn Problem + '_>> {
        Some(Box::new(self.problem(terms, bound)))
    }

    fn replay(&self) -> Box<dyn Replay + '_> {
        Box::new(Judge::new(self.spec, &self.goals))
    }

    fn random_inputs(&self, seed: u64, count: usize) -> Vec<Inputs> {
        let one = |index: u64| {
            let (events, end) = random_trace(self.spec, seed.wrapping_add(index), MOMENTS);
            Inputs::Document(Trace { events, end }.to_json(self.spec))
        };
        (0..count as u64).map(one).collect()
    }

    fn explain(&self, _obligation: ObligationId, core: &[Reason]) -> String {
        let mut given = Vec::new();
        for assertion in core.iter().filter_map(|reason| reason.0.checked_sub(encode::ASSERTIONS)) {
            let place = self.spec.assertions[assertion as usize].origin.place;
            given.push(format!("the assertion at {}", self.spec.files.describe(place)));
        }
        if core.contains(&encode::CLOSED) {
            given.push("that every timer has run out at the end".to_owned());
        }
        if core.contains(&encode::DEFINED) {
            given.push("that nothing undefined is evaluated".to_owned());
        }
        match given.as_slice() {
            [] => "no trace reaches it".to_owned(),
            _ => format!("no trace reaches it, given {}", given.join(", ")),
        }
    }
}
