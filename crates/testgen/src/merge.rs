//! Merging: one test in place of two, asked of the solver.

use testcase::{Inputs, ObligationId};

use crate::SearchError;
use crate::lane::Lane;
use crate::reduce::judge;
use crate::status::Ledger;
use crate::subject::Finding;
use crate::subject::{Subject, Witness};

/// At most this many pairs of tests are looked at.
const MOST_PAIRS: usize = 4_000;

/// Replaces two tests by one that meets what only they met, as often as possible.
pub(crate) fn merge_tests(
    subject: &dyn Subject,
    lane: &mut Lane<'_>,
    ledger: &Ledger,
    mut tests: Vec<Inputs>,
) -> Result<Vec<Inputs>, SearchError> {
    let mut witnesses = needed_witnesses(subject, ledger, &tests)?;
    let (mut pairs, mut first) = (0, 0);
    'next: while first < tests.len() {
        for second in first + 1..tests.len() {
            pairs += 1;
            if MOST_PAIRS < pairs {
                return Ok(tests);
            }
            let Some(burden) = burden(&witnesses, first as u32, second as u32) else { continue };
            if let Some(inputs) = one_test(lane, &burden)? {
                tests.remove(second);
                tests[first] = subject.simplify(inputs);
                witnesses = needed_witnesses(subject, ledger, &tests)?;
                continue 'next;
            }
        }
        first += 1;
    }
    Ok(tests)
}

/// The witnesses of obligations that must stay met.
fn needed_witnesses(subject: &dyn Subject, ledger: &Ledger, tests: &[Inputs]) -> Result<Vec<Witness>, SearchError> {
    let (_, mut witnesses) = judge(subject, tests)?;
    witnesses.retain(|witness| ledger.is_met(witness.obligation));
    Ok(witnesses)
}

/// What no other test meets; none where one of the two is needed for a pair.
fn burden(witnesses: &[Witness], first: u32, second: u32) -> Option<Vec<ObligationId>> {
    let involved = |test: &u32| *test == first || *test == second;
    let mut burden: Vec<ObligationId> = Vec::new();
    for witness in witnesses.iter().filter(|witness| witness.tests.iter().any(involved)) {
        let obligation = witness.obligation;
        let elsewhere =
            witnesses.iter().any(|other| other.obligation == obligation && !other.tests.iter().any(involved));
        if elsewhere || burden.contains(&obligation) {
            continue;
        }
        if 1 < witness.tests.len() {
            return None;
        }
        burden.push(obligation);
    }
    Some(burden)
}

/// One test that meets all the obligations.
fn one_test(lane: &mut Lane<'_>, obligations: &[ObligationId]) -> Result<Option<Inputs>, SearchError> {
    let parts: Vec<_> = obligations.iter().flat_map(|&obligation| lane.parts(obligation)).collect();
    let smt::Answer::Sat(model) = lane.ask(&parts)? else { return Ok(None) };
    let Finding::Inputs { inputs, .. } = lane.decode(&model, obligations.to_vec()) else { return Ok(None) };
    match <[Inputs; 1]>::try_from(inputs) {
        Ok([only]) => Ok(Some(only)),
        Err(_) => Ok(None),
    }
}
