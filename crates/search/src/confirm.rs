//! Confirmation: the only door into a suite.

use testcase::{Inputs, ObligationId, TestCase};

use crate::subject::Replay;

/// A test that an interpreter has run. Nothing else makes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Confirmed {
    test: TestCase,
}

impl Confirmed {
    /// Runs the inputs; the test and what it newly meets, or why the inputs are not allowed.
    pub(crate) fn by(replay: &mut dyn Replay, inputs: &Inputs) -> Result<(Confirmed, Vec<ObligationId>), String> {
        let replayed = replay.run(inputs);
        match replayed.objection {
            Some(objection) => Err(objection),
            None => Ok((Confirmed { test: replayed.test }, replayed.met)),
        }
    }

    /// The test.
    pub fn test(&self) -> &TestCase {
        &self.test
    }
}
