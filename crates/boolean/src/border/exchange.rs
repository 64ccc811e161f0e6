//! Tests in the place of others: where no test shows a side of a border, one that does may take the place of a test that is
//! needed less, as long as everything that was covered stays covered.

use std::collections::BTreeSet;

use super::{Mover, Place};
use crate::interp::Assignment;
use crate::sample::Sampler;

/// Random assignments from which a test for one place is sought.
const SAMPLES: usize = 96;
/// Tests for one place that are tried.
const MOST_CANDIDATES: usize = 12;
/// At most this many expressions are evaluated to exchange tests.
const MOST_WORK: u64 = 30_000_000;
/// Assignments are the same in every run.
const SEED: u64 = 0x00b0_12de;

/// Exchanges tests that `may` be exchanged. `keeps` says whether other tests cover what these do.
pub(super) fn exchange(
    mover: &mut Mover<'_>,
    tests: &mut [Assignment],
    may: &dyn Fn(usize) -> bool,
    keeps: &dyn Fn(&[Assignment]) -> bool,
    cost: u64,
) {
    let begin = mover.work;
    let mut sampler = Sampler::new(mover.spec, SEED);
    for number in 0..mover.comparisons.len() {
        let comparison = &mover.comparisons[number];
        let signs: BTreeSet<i8> = [true, false].iter().flat_map(|truth| comparison.signs(*truth)).copied().collect();
        for sign in signs {
            if mover.is_shown(number, sign) || MOST_WORK < mover.work - begin {
                continue;
            }
            let candidates = candidates(mover, &mut sampler, number, sign);
            for candidate in candidates {
                if MOST_WORK < mover.work - begin || replace(mover, tests, candidate, may, keeps, cost) {
                    break;
                }
            }
        }
    }
}

/// Tests in which a comparison decides at a place of its border.
fn candidates(mover: &mut Mover<'_>, sampler: &mut Sampler<'_>, number: usize, sign: i8) -> Vec<Assignment> {
    let goal = mover.wanted(number, sign);
    let mut found: Vec<Assignment> = Vec::new();
    for _ in 0..SAMPLES {
        if MOST_CANDIDATES <= found.len() {
            break;
        }
        let values = sampler.draw();
        for variable in mover.comparisons[number].variables.clone() {
            let Some(value) = mover.candidates(&values, variable, number, &goal).into_iter().next() else { continue };
            let mut tried = values.clone();
            tried[variable] = value;
            if mover.places_shown(&tried).is_some_and(|shown| shown.contains(&(number, sign))) {
                mover.approach(&mut tried, &BTreeSet::from([number]));
                found.push(tried);
                break;
            }
        }
    }
    found
}

/// Puts a test in the place of one whose own places are fewer than those it adds; whether that was possible.
fn replace(
    mover: &mut Mover<'_>,
    tests: &mut [Assignment],
    candidate: Assignment,
    may: &dyn Fn(usize) -> bool,
    keeps: &dyn Fn(&[Assignment]) -> bool,
    cost: u64,
) -> bool {
    let Some(shown) = mover.places_shown(&candidate) else { return false };
    let added = |mover: &Mover<'_>, test: usize| {
        let others = |(number, sign): &&(usize, i8)| {
            let place: Place = (mover.comparisons[*number].leaf, *sign);
            !mover.shown.get(&place).is_some_and(|tests| tests.iter().any(|other| *other != test))
        };
        shown.iter().filter(others).count()
    };
    let alone = |mover: &Mover<'_>, test: usize| mover.shown.values().filter(|tests| tests.iter().eq([&test])).count();
    let mut order: Vec<(usize, usize)> = (0..tests.len())
        .filter(|test| may(*test))
        .map(|test| (alone(mover, test), test))
        .filter(|(lost, test)| *lost < added(mover, *test))
        .collect();
    order.sort_unstable();
    for (_, test) in order {
        mover.work += cost;
        let old = std::mem::replace(&mut tests[test], candidate.clone());
        if keeps(tests) {
            mover.note(test, &candidate);
            return true;
        }
        tests[test] = old;
    }
    false
}
