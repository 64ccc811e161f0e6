//! A small suite for the tests of this crate: two covered goals, an infeasible and an open one; two tests.

use crate::Suite;

pub(crate) fn policy() -> Suite {
    Suite::from_json(include_str!("../tests/suites/policy.json")).expect("the sample is a suite")
}
