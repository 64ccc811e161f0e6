//! A lower bound on the number of tests: obligations of which no test meets two.

use std::collections::HashSet;

use smt::{Answer, Scope};
use smt_sat::sat::{Budget, Lit, Outcome, Sat, Totalizer};
use testcase::{Inputs, ObligationId};

use crate::SearchError;
use crate::effort::LOWER_BOUND;
use crate::lane::Lane;
use crate::reduce::{indispensable, judge};
use crate::status::Ledger;
use crate::subject::{Completeness, Subject, Witness};

/// Beyond this many obligations the pairs are too many to ask about.
const MOST_OBLIGATIONS: usize = 200;

/// A pair of obligations, the smaller first.
type Pair = (ObligationId, ObligationId);

/// Whether it can be shown that no suite with the same coverage, of tests within the bound, has fewer tests; without a solver for
/// pairs of obligations unless someone wants to ask.
pub(crate) fn needs_as_many(
    subject: &dyn Subject,
    lane: &mut Lane<'_>,
    ledger: &Ledger,
    tests: &[Inputs],
    asks: bool,
) -> Result<bool, SearchError> {
    let (_, witnesses) = judge(subject, tests)?;
    // Two pairs may share a test, so only obligations that one test meets count.
    let single = |obligation| witnesses.iter().any(|w| w.obligation == obligation && w.tests.len() == 1);
    let mut obligations = indispensable(subject, ledger);
    obligations.retain(|&obligation| single(obligation));
    if obligations.len() < tests.len() || MOST_OBLIGATIONS < obligations.len() {
        return Ok(tests.len() <= 1 && !obligations.is_empty());
    }
    if tests.len() == 2 && asks {
        // One test would have to meet everything.
        let parts: Vec<_> = obligations.iter().flat_map(|&obligation| lane.parts(obligation)).collect();
        return Ok(matches!(lane.ask(&parts)?, Answer::Unsat { scope: Scope::All, .. }));
    }
    let mut excluded: HashSet<Pair> = lane.problem.exclusive(&obligations).into_iter().collect();
    let mut sets = ExclusiveSets::new(&obligations, tests.len(), LOWER_BOUND.within(lane.effort()));
    for pair in met_together(&witnesses, tests.len()) {
        sets.allow(pair);
    }
    // A set is proposed of which no two are known to be met together; its pairs are asked about until one is.
    'next: while let Some(set) = sets.next() {
        if lane.is_over() {
            return Ok(false);
        }
        for (place, &left) in set.iter().enumerate() {
            for &right in &set[place + 1..] {
                if excluded.contains(&(left, right)) {
                    continue;
                }
                if !asks {
                    sets.allow((left, right));
                    continue 'next;
                }
                let parts: Vec<_> = lane.parts(left).into_iter().chain(lane.parts(right)).collect();
                match lane.ask(&parts)? {
                    Answer::Unsat { scope: Scope::All, .. } => {
                        excluded.insert((left, right));
                        continue;
                    }
                    Answer::Sat(model) => {
                        let holding = lane.holding(&model, &obligations);
                        pairs(&holding).for_each(|pair| sets.allow(pair));
                    }
                    Answer::Unsat { .. } | Answer::Unknown(_) => {}
                }
                sets.allow((left, right));
                continue 'next;
            }
        }
        return are_possible(lane, &set);
    }
    Ok(false)
}

/// Whether each of these obligations can be met within the bound: otherwise nothing follows for suites.
fn are_possible(lane: &mut Lane<'_>, obligations: &[ObligationId]) -> Result<bool, SearchError> {
    if lane.problem.completeness() == Completeness::Complete {
        return Ok(true);
    }
    for &obligation in obligations {
        let parts = lane.parts(obligation);
        if !matches!(lane.ask(&parts)?, Answer::Sat(_)) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Which obligations some test meets together.
fn met_together(witnesses: &[Witness], tests: usize) -> Vec<Pair> {
    let mut by_test: Vec<Vec<ObligationId>> = vec![Vec::new(); tests];
    for witness in witnesses {
        if let [test] = witness.tests.as_slice() {
            by_test[*test as usize].push(witness.obligation);
        }
    }
    by_test.iter().flat_map(|obligations| pairs(obligations)).collect()
}

fn pairs(obligations: &[ObligationId]) -> impl Iterator<Item = Pair> + '_ {
    let of = move |&left| obligations.iter().filter(move |&&right| left < right).map(move |&right| (left, right));
    obligations.iter().flat_map(of)
}

/// Sets of a given number of obligations of which no two are allowed together.
struct ExclusiveSets<'a> {
    sat: Sat,
    obligations: &'a [ObligationId],
    chosen: Vec<Lit>,
    enough: Vec<Lit>,
    allowed: HashSet<Pair>,
    /// The conflicts of one question.
    conflicts: u64,
}

impl<'a> ExclusiveSets<'a> {
    /// The obligations are sorted.
    fn new(obligations: &'a [ObligationId], size: usize, conflicts: u64) -> ExclusiveSets<'a> {
        let mut sat = Sat::new();
        let chosen: Vec<Lit> = obligations.iter().map(|_| sat.new_var()).collect();
        let absent: Vec<Lit> = chosen.iter().map(|&lit| !lit).collect();
        let totalizer = Totalizer::new(&mut sat, &absent);
        let enough = totalizer.at_most(obligations.len() - size).into_iter().collect();
        ExclusiveSets { sat, obligations, chosen, enough, allowed: HashSet::new(), conflicts }
    }

    /// Two obligations can be met together.
    fn allow(&mut self, (left, right): Pair) {
        let place = |obligation| self.obligations.binary_search(&obligation);
        if let (Ok(one), Ok(other)) = (place(left), place(right))
            && self.allowed.insert((left, right))
        {
            self.sat.add_clause(&[!self.chosen[one], !self.chosen[other]]);
        }
    }

    /// A set, if there is one.
    fn next(&mut self) -> Option<Vec<ObligationId>> {
        let budget = Budget { conflicts: Some(self.conflicts), ..Budget::default() };
        if self.sat.solve(&self.enough, &budget) != Outcome::Sat {
            return None;
        }
        let chosen = self.obligations.iter().zip(&self.chosen);
        Some(chosen.filter(|(_, lit)| self.sat.value(**lit)).map(|(obligation, _)| *obligation).collect())
    }
}
