//! Merging: one test in place of two, asked of the solver.

use std::collections::HashSet;

use smt::{Answer, Model};
use testcase::{Inputs, ObligationId};

use crate::SearchError;
use crate::abilities::{simplified, simplified_for};
use crate::effort::MERGED_PAIRS;
use crate::lane::Lane;
use crate::reduce::judge;
use crate::status::Ledger;
use crate::subject::Finding;
use crate::subject::{Subject, Witness};

/// Replaces two tests by one that meets what only they met, as often as possible.
pub(crate) fn merge_tests(
    subject: &dyn Subject,
    lane: &mut Lane<'_>,
    ledger: &Ledger,
    mut tests: Vec<Inputs>,
) -> Result<Vec<Inputs>, SearchError> {
    if lane.budget.is_some() {
        return merge_cheapest(subject, lane, ledger, tests);
    }
    let mut witnesses = needed_witnesses(subject, ledger, &tests)?;
    let (mut pairs, mut first) = (0, 0);
    'next: while first < tests.len() {
        for second in first + 1..tests.len() {
            pairs += 1;
            if MERGED_PAIRS.count(lane.effort()) < pairs || lane.is_over() {
                return Ok(tests);
            }
            let Some(burden) = burden(&witnesses, first as u32, second as u32) else { continue };
            if let Some(inputs) = one_test(lane, &burden)? {
                tests.remove(second);
                tests[first] = simplified_for(subject, inputs, &burden);
                witnesses = needed_witnesses(subject, ledger, &tests)?;
                continue 'next;
            }
        }
        first += 1;
    }
    Ok(tests)
}

/// As [`merge_tests`], where questions are counted: those pairs first of which one test has the least to do.
fn merge_cheapest(
    subject: &dyn Subject,
    lane: &mut Lane<'_>,
    ledger: &Ledger,
    mut tests: Vec<Inputs>,
) -> Result<Vec<Inputs>, SearchError> {
    let mut refused: HashSet<Vec<ObligationId>> = HashSet::new();
    'next: loop {
        let witnesses = needed_witnesses(subject, ledger, &tests)?;
        let mut burdens: Vec<(Vec<ObligationId>, usize, usize)> = Vec::new();
        for first in 0..tests.len() {
            for second in first + 1..tests.len() {
                burdens.extend(burden(&witnesses, first as u32, second as u32).map(|burden| (burden, first, second)));
            }
        }
        burdens.sort_by_key(|(burden, first, second)| (burden.len(), *first, *second));
        for (burden, first, second) in burdens {
            if !refused.insert(burden.clone()) {
                continue;
            }
            if lane.is_over() || lane.budget.is_some_and(|budget| budget.left == 0) {
                return Ok(tests);
            }
            if let Some(inputs) = one_test(lane, &burden)? {
                tests.remove(second);
                tests[first] = simplified_for(subject, inputs, &burden);
                continue 'next;
            }
        }
        return Ok(tests);
    }
}

/// At most this many obligations are packed anew.
const MOST_PACKED: usize = 64;

/// Packing begins with at most this many different obligations.
const MOST_BEGINNINGS: usize = 6;

/// Packs what tests meet anew: each test meets as many obligations as it can of those that no test before it meets, the ones that
/// few tests meet first. Nothing if that takes as many tests.
pub(crate) fn packed(
    subject: &dyn Subject,
    lane: &mut Lane<'_>,
    ledger: &Ledger,
    tests: &[Inputs],
) -> Result<Vec<Inputs>, SearchError> {
    let witnesses = needed_witnesses(subject, ledger, tests)?;
    let mut rarity: Vec<(usize, ObligationId)> = Vec::new();
    for witness in &witnesses {
        if 1 < witness.tests.len() {
            return Ok(Vec::new());
        }
        match rarity.iter_mut().find(|(_, obligation)| *obligation == witness.obligation) {
            Some((count, _)) => *count += 1,
            None => rarity.push((1, witness.obligation)),
        }
    }
    if MOST_PACKED < rarity.len() {
        return Ok(Vec::new());
    }
    rarity.sort_unstable();
    for beginning in 0..rarity.len().min(MOST_BEGINNINGS) {
        let mut order: Vec<ObligationId> = rarity.iter().map(|(_, obligation)| *obligation).collect();
        order[..=beginning].rotate_right(1);
        let found = pack(lane, order, tests.len() - 1)?;
        if !found.is_empty() {
            return Ok(found.into_iter().map(|inputs| simplified(subject, inputs)).collect());
        }
    }
    Ok(Vec::new())
}

/// At most some number of tests that meet the obligations together, in the order in which they are given.
fn pack(lane: &mut Lane<'_>, mut left: Vec<ObligationId>, most: usize) -> Result<Vec<Inputs>, SearchError> {
    let mut packed = Vec::new();
    while !left.is_empty() {
        if packed.len() == most {
            return Ok(Vec::new());
        }
        let mut taken: Vec<ObligationId> = Vec::new();
        let mut best: Option<(Model, Vec<ObligationId>)> = None;
        for &obligation in &left {
            if lane.is_over() {
                return Ok(Vec::new());
            }
            taken.push(obligation);
            // What the last model shows need not be asked for.
            if best.as_ref().is_some_and(|(_, holding)| holding.contains(&obligation)) {
                continue;
            }
            match met_by_one(lane, &taken)? {
                Some(model) => {
                    let holding = lane.holding(&model, &left);
                    best = Some((model, holding));
                }
                None => {
                    taken.pop();
                }
            }
        }
        let test = best.and_then(|(model, _)| shown(lane, &model, &taken));
        let Some(test) = test else { return Ok(Vec::new()) };
        packed.push(test);
        left.retain(|obligation| !taken.contains(obligation));
    }
    Ok(packed)
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
    let model = met_by_one(lane, obligations)?;
    Ok(model.and_then(|model| shown(lane, &model, obligations)))
}

/// A model in which all the obligations are met.
fn met_by_one(lane: &mut Lane<'_>, obligations: &[ObligationId]) -> Result<Option<Model>, SearchError> {
    let parts: Vec<_> = obligations.iter().flat_map(|&obligation| lane.parts(obligation)).collect();
    match lane.ask(&parts)? {
        Answer::Sat(model) => Ok(Some(model)),
        Answer::Unsat { .. } | Answer::Unknown(_) => Ok(None),
    }
}

/// The test that a model shows, if it is one alone.
fn shown(lane: &Lane<'_>, model: &Model, obligations: &[ObligationId]) -> Option<Inputs> {
    let Finding::Inputs { inputs, .. } = lane.decode(model, obligations.to_vec()) else { return None };
    <[Inputs; 1]>::try_from(inputs).ok().map(|[only]| only)
}
