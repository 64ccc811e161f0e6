//! The judge of strategies, as the session asks it.

use indexmap::IndexMap;
use ltl::meter::{Measured, Meter};
use search::{Replay, Replayed, Witness};
use testcase::{Inputs, ObligationId, TestCase};

/// The judge of the language, whose obligations have numbers.
pub(super) struct StrategyReplay<'a>(pub(super) Meter<'a>);

impl Replay for StrategyReplay<'_> {
    fn run(&mut self, inputs: &Inputs) -> Replayed {
        let measured = match inputs {
            Inputs::Document(document) => self.0.judge(document),
            Inputs::Assignment(_) => Err("a strategy is a machine".to_owned()),
        };
        let (met, notes, objection) = match measured {
            Ok(Measured { met, notes }) => (met, notes, None),
            Err(objection) => (Vec::new(), IndexMap::new(), Some(objection)),
        };
        let met = met.into_iter().map(|place| ObligationId(place as u32)).collect();
        Replayed { test: TestCase { inputs: inputs.clone(), expected: IndexMap::new(), notes }, met, objection }
    }

    fn witnesses(&self) -> Vec<Witness> {
        let witness =
            |place: usize, tests: &[u32]| Witness { obligation: ObligationId(place as u32), tests: tests.to_vec() };
        let each = self.0.met().iter().enumerate();
        each.flat_map(|(place, ways)| ways.iter().map(move |tests| witness(place, tests))).collect()
    }
}
