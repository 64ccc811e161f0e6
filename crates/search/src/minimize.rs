//! Suite reduction: the fewest tests that still meet everything, by SAT, with a proof where the budget allows.

use std::collections::BTreeMap;

use smt_sat::sat::{Budget, Lit, Outcome, Sat, Totalizer};

/// Sets of tests, each of which meets one obligation.
pub type Witnesses = Vec<Vec<u32>>;

/// Something that must stay covered: alternatives, each a list of obligations with their witnesses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Requirement {
    /// Alternatives; one of them must stay met in all its obligations.
    pub alternatives: Vec<Vec<Witnesses>>,
}

/// A selection of tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cover {
    /// The tests, ascending.
    pub tests: Vec<u32>,
    /// Whether it was proved that no smaller selection will do.
    pub proved: bool,
}

/// Beyond this many tests only the greedy selection is made: the exact one needs a quadratic number of clauses.
const EXACT_LIMIT: usize = 2_000;

/// Selects tests out of `count` that meet every requirement; every requirement must be met by all tests together. The
/// budget is for each step from one size to the next smaller one.
pub fn minimize(count: usize, requirements: &[Requirement], budget: &Budget) -> Cover {
    let useful = undominated(count, requirements);
    let requirements = &only(requirements, &useful);
    let greedy = greedy(count, requirements);
    if EXACT_LIMIT < count || greedy.is_empty() {
        return Cover { proved: greedy.is_empty(), tests: greedy };
    }
    Exact::new(requirements).improve(greedy, budget)
}

/// Which tests are worth choosing: those that no other test can stand in for. A test stands in for another if it is a
/// witness, on its own, of everything the other is a witness of; tests that witness in company always stay.
fn undominated(count: usize, requirements: &[Requirement]) -> Vec<bool> {
    let all_witnesses = || requirements.iter().flat_map(|requirement| requirement.alternatives.iter().flatten());
    let mut shows: Vec<Vec<u32>> = vec![Vec::new(); count];
    let mut in_company = vec![false; count];
    for (witnesses, number) in all_witnesses().zip(0u32..) {
        for witness in witnesses {
            match witness.as_slice() {
                [test] => shows[*test as usize].push(number),
                several => several.iter().for_each(|&test| in_company[test as usize] = true),
            }
        }
    }
    shows.iter_mut().for_each(Vec::dedup);
    let stands_in = |other: usize, test: usize| {
        let subset = shows[test].iter().all(|number| shows[other].binary_search(number).is_ok());
        subset && (shows[test].len() < shows[other].len() || other < test)
    };
    let dominated = |test: usize| !in_company[test] && (0..count).any(|other| other != test && stands_in(other, test));
    (0..count).map(|test| !dominated(test)).collect()
}

/// The requirements with witnesses of useful tests only.
fn only(requirements: &[Requirement], useful: &[bool]) -> Vec<Requirement> {
    let mut requirements = requirements.to_vec();
    for witnesses in requirements.iter_mut().flat_map(|requirement| requirement.alternatives.iter_mut().flatten()) {
        witnesses.retain(|witness| witness.iter().all(|&test| useful[test as usize]));
    }
    requirements
}

/// A good selection: always the witness that adds the fewest tests; then tests that turned out to be needless go.
fn greedy(count: usize, requirements: &[Requirement]) -> Vec<u32> {
    let mut chosen = vec![false; count];
    let mut order: Vec<&Requirement> = requirements.iter().collect();
    order.sort_by_key(|requirement| requirement.alternatives.iter().flatten().map(Vec::len).sum::<usize>());
    for requirement in order {
        if is_met(requirement, &chosen) {
            continue;
        }
        let plan = requirement.alternatives.iter().map(|alternative| cheapest(alternative, &chosen));
        let best = plan.min_by_key(Vec::len).expect("a requirement has an alternative");
        best.into_iter().for_each(|test| chosen[test as usize] = true);
    }
    for test in 0..count {
        if chosen[test] {
            chosen[test] = false;
            chosen[test] = !requirements.iter().all(|requirement| is_met(requirement, &chosen));
        }
    }
    (0..count as u32).filter(|&test| chosen[test as usize]).collect()
}

/// The tests to add for an alternative, one cheapest witness per obligation.
fn cheapest(alternative: &[Witnesses], chosen: &[bool]) -> Vec<u32> {
    let mut added: Vec<u32> = Vec::new();
    for witnesses in alternative {
        let missing = |witness: &Vec<u32>| -> Vec<u32> {
            let absent = |test: &&u32| !chosen[**test as usize] && !added.contains(test);
            witness.iter().filter(absent).copied().collect()
        };
        added.extend(witnesses.iter().map(missing).min_by_key(Vec::len).unwrap_or_default());
    }
    added
}

fn is_met(requirement: &Requirement, chosen: &[bool]) -> bool {
    let witnessed =
        |witnesses: &Witnesses| witnesses.iter().any(|witness| witness.iter().all(|&test| chosen[test as usize]));
    requirement.alternatives.iter().any(|alternative| alternative.iter().all(witnessed))
}

/// The selection problem as clauses: one variable per test, one per witness of several tests, one per alternative.
struct Exact {
    sat: Sat,
    /// The tests that occur in a witness.
    tests: BTreeMap<u32, Lit>,
    totalizer: Totalizer,
}

impl Exact {
    fn new(requirements: &[Requirement]) -> Exact {
        let mut sat = Sat::new();
        let mut tests = BTreeMap::new();
        let witnesses = requirements.iter().flat_map(|requirement| requirement.alternatives.iter().flatten().flatten());
        for &test in witnesses.flatten() {
            tests.entry(test).or_insert_with(|| {
                let chosen = sat.new_var();
                sat.prefer(!chosen);
                chosen
            });
        }
        for requirement in requirements {
            let mut alternatives = Vec::new();
            for alternative in &requirement.alternatives {
                alternatives.push(alternative_literal(&mut sat, &tests, alternative));
            }
            sat.add_clause(&alternatives);
        }
        let inputs: Vec<Lit> = tests.values().copied().collect();
        let totalizer = Totalizer::new(&mut sat, &inputs);
        Exact { sat, tests, totalizer }
    }

    /// Makes a selection smaller, one test at a time, until that is impossible or the budget ends.
    fn improve(mut self, mut best: Vec<u32>, budget: &Budget) -> Cover {
        loop {
            let bound = self.totalizer.at_most(best.len() - 1);
            let assumptions: Vec<Lit> = bound.into_iter().collect();
            match self.sat.solve(&assumptions, budget) {
                Outcome::Unsat => return Cover { tests: best, proved: true },
                Outcome::Unknown(_) => return Cover { tests: best, proved: false },
                Outcome::Sat => {
                    let chosen = self.tests.iter().filter(|(_, lit)| self.sat.value(**lit));
                    let smaller: Vec<u32> = chosen.map(|(&test, _)| test).collect();
                    assert!(smaller.len() < best.len(), "the totalizer counts every test that can be chosen");
                    best = smaller;
                    if best.is_empty() {
                        return Cover { tests: best, proved: true };
                    }
                }
            }
        }
    }
}

/// A literal that implies that every obligation of the alternative is met.
fn alternative_literal(sat: &mut Sat, tests: &BTreeMap<u32, Lit>, alternative: &[Witnesses]) -> Lit {
    let chosen = sat.new_var();
    for witnesses in alternative {
        let mut clause = vec![!chosen];
        for witness in witnesses {
            clause.push(match witness.as_slice() {
                [test] => tests[test],
                several => {
                    let all = sat.new_var();
                    for &test in several {
                        sat.add_clause(&[!all, tests[&test]]);
                    }
                    all
                }
            });
        }
        sat.add_clause(&clause);
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn single(obligations: &[&[&[u32]]]) -> Requirement {
        let witnesses = |sets: &&[&[u32]]| sets.iter().map(|set| set.to_vec()).collect();
        Requirement { alternatives: vec![obligations.iter().map(witnesses).collect()] }
    }

    #[test]
    fn nothing_to_cover_needs_no_test() {
        assert_eq!(minimize(3, &[], &Budget::default()), Cover { tests: vec![], proved: true });
    }

    #[test]
    fn one_test_that_meets_everything_replaces_many() {
        let requirements = [single(&[&[&[0], &[2]]]), single(&[&[&[1], &[2]]])];
        assert_eq!(minimize(3, &requirements, &Budget::default()), Cover { tests: vec![2], proved: true });
    }

    #[test]
    fn pairs_that_share_a_test_are_preferred() {
        let requirements = [single(&[&[&[0, 1], &[2, 3]]]), single(&[&[&[3, 4], &[5, 6]]])];
        assert_eq!(minimize(7, &requirements, &Budget::default()), Cover { tests: vec![2, 3, 4], proved: true });
    }

    /// The smallest size by trying every selection.
    fn brute_force(count: usize, requirements: &[Requirement]) -> usize {
        let selections = (0u32..1 << count).filter(|bits| {
            let chosen: Vec<bool> = (0..count).map(|test| bits >> test & 1 == 1).collect();
            requirements.iter().all(|requirement| is_met(requirement, &chosen))
        });
        selections.map(u32::count_ones).min().expect("all tests together meet everything") as usize
    }

    fn witness(count: u32) -> impl Strategy<Value = Vec<u32>> {
        prop::collection::btree_set(0..count, 1..3).prop_map(|set| set.into_iter().collect())
    }

    fn requirement(count: u32) -> impl Strategy<Value = Requirement> {
        let witnesses = prop::collection::vec(witness(count), 1..4);
        let alternative = prop::collection::vec(witnesses, 1..3);
        prop::collection::vec(alternative, 1..3).prop_map(|alternatives| Requirement { alternatives })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]
        #[test]
        fn selections_are_covers_and_as_small_as_brute_force_finds(
            requirements in prop::collection::vec(requirement(9), 1..12)
        ) {
            let cover = minimize(9, &requirements, &Budget::default());
            let chosen: Vec<bool> = (0..9).map(|test| cover.tests.contains(&test)).collect();
            prop_assert!(requirements.iter().all(|requirement| is_met(requirement, &chosen)));
            prop_assert!(cover.proved);
            prop_assert_eq!(cover.tests.len(), brute_force(9, &requirements));
        }
    }
}
