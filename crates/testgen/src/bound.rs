//! A lower bound on the number of tests: obligations of which no test meets two.

use std::collections::HashSet;

use smt::{Answer, Scope};
use smt_sat::sat::{Budget, Lit, Outcome, Sat, Totalizer};
use testcase::{Inputs, ObligationId};

use crate::SearchError;
use crate::lane::Lane;
use crate::reduce::{indispensable, judge};
use crate::status::Ledger;
use crate::subject::{Subject, Witness};

/// Beyond this many obligations the pairs are too many to ask about.
const MOST_OBLIGATIONS: usize = 200;

/// Conflicts spent on the search for a large set.
const CONFLICTS: u64 = 20_000;

/// Whether it can be shown that no suite with the same coverage, of tests within the bound, has fewer tests.
pub(crate) fn needs_as_many(
    subject: &dyn Subject,
    lane: &mut Lane<'_>,
    ledger: &Ledger,
    tests: &[Inputs],
) -> Result<bool, SearchError> {
    let (_, witnesses) = judge(subject, tests)?;
    // Two pairs may share a test, so only obligations that one test meets count.
    let single = |obligation| witnesses.iter().any(|w| w.obligation == obligation && w.tests.len() == 1);
    let mut obligations = indispensable(subject, ledger);
    obligations.retain(|&obligation| single(obligation));
    if obligations.len() < tests.len() || MOST_OBLIGATIONS < obligations.len() {
        return Ok(tests.len() <= 1 && !obligations.is_empty());
    }
    if tests.len() == 2 {
        // One test would have to meet everything.
        let parts: Vec<_> = obligations.iter().flat_map(|&obligation| lane.parts(obligation)).collect();
        return Ok(matches!(lane.ask(&parts)?, Answer::Unsat { scope: Scope::All, .. }));
    }
    let mut compatible = met_together(&witnesses, tests.len());
    for (place, &left) in obligations.iter().enumerate() {
        for &right in &obligations[place + 1..] {
            if compatible.contains(&(left, right)) {
                continue;
            }
            let parts: Vec<_> = lane.parts(left).into_iter().chain(lane.parts(right)).collect();
            match lane.ask(&parts)? {
                Answer::Unsat { scope: Scope::All, .. } => {}
                Answer::Sat(model) => {
                    let holding = lane.holding(&model, &obligations);
                    pairs(&holding, &mut compatible);
                }
                Answer::Unsat { .. } | Answer::Unknown(_) => {
                    compatible.insert((left, right));
                }
            }
        }
    }
    Ok(has_exclusive_set(&obligations, &compatible, tests.len()))
}

/// Which obligations some test meets together.
fn met_together(witnesses: &[Witness], tests: usize) -> HashSet<(ObligationId, ObligationId)> {
    let mut by_test: Vec<Vec<ObligationId>> = vec![Vec::new(); tests];
    for witness in witnesses {
        if let [test] = witness.tests.as_slice() {
            by_test[*test as usize].push(witness.obligation);
        }
    }
    let mut compatible = HashSet::new();
    by_test.iter().for_each(|obligations| pairs(obligations, &mut compatible));
    compatible
}

fn pairs(obligations: &[ObligationId], into: &mut HashSet<(ObligationId, ObligationId)>) {
    for &left in obligations {
        into.extend(obligations.iter().filter(|&&right| left < right).map(|&right| (left, right)));
    }
}

/// Whether there are `size` obligations of which no two are compatible.
fn has_exclusive_set(
    obligations: &[ObligationId],
    compatible: &HashSet<(ObligationId, ObligationId)>,
    size: usize,
) -> bool {
    let mut sat = Sat::new();
    let chosen: Vec<Lit> = obligations.iter().map(|_| sat.new_var()).collect();
    for (place, &left) in obligations.iter().enumerate() {
        for (offset, &right) in obligations[place + 1..].iter().enumerate() {
            if compatible.contains(&(left, right)) {
                sat.add_clause(&[!chosen[place], !chosen[place + 1 + offset]]);
            }
        }
    }
    let absent: Vec<Lit> = chosen.iter().map(|&lit| !lit).collect();
    let totalizer = Totalizer::new(&mut sat, &absent);
    let enough: Vec<Lit> = totalizer.at_most(obligations.len() - size).into_iter().collect();
    let budget = Budget { conflicts: Some(CONFLICTS), ..Budget::default() };
    sat.solve(&enough, &budget) == Outcome::Sat
}
