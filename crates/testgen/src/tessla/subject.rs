//! A specification with a criterion, as the search sees it.

use tessla::core::Spec;
use tessla::goals::Goals;
use tessla::sample::random_trace;
use testcase::{Goal, Inputs, ObligationId};

use super::document::Trace;
use super::judge::Judge;
use crate::subject::Reason;
use crate::{Replay, Subject};

/// How many moments a random trace has at most.
const MOMENTS: usize = 40;

/// A specification with the goals of a criterion.
pub struct TesslaSubject<'a> {
    spec: &'a Spec,
    goals: Goals,
}

impl<'a> TesslaSubject<'a> {
    /// The goals must be of the specification.
    pub fn new(spec: &'a Spec, goals: Goals) -> TesslaSubject<'a> {
        TesslaSubject { spec, goals }
    }
}

impl Subject for TesslaSubject<'_> {
    fn goals(&self) -> &[Goal] {
        &self.goals.goals
    }

    fn obligation_count(&self) -> usize {
        self.goals.obligations.len()
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

    fn explain(&self, _obligation: ObligationId, _core: &[Reason]) -> String {
        "no trace reaches it".to_owned()
    }
}
