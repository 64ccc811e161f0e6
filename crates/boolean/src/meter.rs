//! Measures which obligations given tests meet, by running them: the judge of every suite.

mod facts;

use rustc_hash::FxHashMap;
use testcase::{GoalId, ObligationId};
use value::Value;

use crate::goals::Goals;
use crate::interp::{Interpreter, Run};
use crate::obligation::Obligation;
use crate::{Decision, Spec};
use facts::Facts;

/// Measures tests of one decision as they are added.
#[derive(Clone, Debug)]
pub struct Meter<'a> {
    spec: &'a Spec,
    decision: &'a Decision,
    goals: &'a Goals,
    interpreter: Interpreter<'a>,
    /// Obligations that ask for a combination of condition values, by that combination.
    vectors: FxHashMap<&'a [bool], Vec<u32>>,
    /// Every other obligation.
    others: Vec<u32>,
    /// The tests, by the values of their conditions.
    by_values: FxHashMap<Vec<bool>, Vec<u32>>,
    /// What a pair needs to know about each test; none for tests that can be in no pair.
    facts: Vec<Option<Facts>>,
    witnesses: Vec<Vec<Vec<u32>>>,
    /// Whether one witness per obligation is enough.
    brief: bool,
}

/// What a test does and what it meets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measured {
    /// The run of the decision.
    pub run: Run,
    /// The obligations this test meets for the first time, alone or with an earlier test.
    pub met: Vec<ObligationId>,
}

/// Tests that meet an obligation together.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Witness {
    /// The obligation.
    pub obligation: ObligationId,
    /// The tests, by the order in which they were added; one, or two in ascending order.
    pub tests: Vec<u32>,
}

impl<'a> Meter<'a> {
    /// Measures tests of the decision at position `decision` against `goals`, which must be of that decision.
    pub fn new(spec: &'a Spec, decision: usize, goals: &'a Goals) -> Meter<'a> {
        let mut vectors: FxHashMap<&[bool], Vec<u32>> = FxHashMap::default();
        let mut others = Vec::new();
        for (index, obligation) in goals.obligations.iter().enumerate() {
            match obligation {
                Obligation::Vector { values } => vectors.entry(values).or_default().push(index as u32),
                _ => others.push(index as u32),
            }
        }
        Meter {
            spec,
            decision: &spec.decisions[decision],
            goals,
            interpreter: Interpreter::new(spec, decision),
            vectors,
            others,
            by_values: FxHashMap::default(),
            facts: Vec::new(),
            witnesses: vec![Vec::new(); goals.obligations.len()],
            brief: false,
        }
    }

    /// As [`Meter::new`], but keeps one witness per obligation only. The work per test does not grow with the number of
    /// tests, which suits long random runs.
    pub fn brief(spec: &'a Spec, decision: usize, goals: &'a Goals) -> Meter<'a> {
        Meter { brief: true, ..Meter::new(spec, decision, goals) }
    }

    /// Adds a test. A test that violates an assumption meets nothing.
    ///
    /// # Panics
    /// When the assignment has not one value of the right sort for every variable.
    pub fn add(&mut self, assignment: &[Value]) -> Measured {
        let (run, values) = self.interpreter.run_with_values(assignment);
        let test = self.facts.len() as u32;
        if !run.violated.is_empty() {
            self.facts.push(None);
            return Measured { run, met: Vec::new() };
        }
        let facts = Facts::new(self.spec, self.decision, self.goals, &run, &values);
        let mut met = Vec::new();
        let same = self.vectors.get(facts.values.as_slice()).cloned().unwrap_or_default();
        for index in same {
            self.witness(index, vec![test], &mut met);
        }
        for place in 0..self.others.len() {
            let index = self.others[place];
            let obligation = &self.goals.obligations[index as usize];
            if self.brief && !self.witnesses[index as usize].is_empty() {
                continue;
            }
            if obligation.is_pair() {
                for partner in self.partners(obligation, &facts) {
                    self.witness(index, vec![partner, test], &mut met);
                }
            } else if facts.meets(obligation) {
                self.witness(index, vec![test], &mut met);
            }
        }
        let alike = self.by_values.entry(facts.values.clone()).or_default();
        // Tests with the same values make the same pairs: one of them is enough for one witness.
        let kept = !self.brief || alike.is_empty();
        if kept {
            alike.push(test);
        }
        self.facts.push(kept.then_some(facts));
        met.sort_unstable();
        Measured { run, met }
    }

    /// Whether the tests so far meet an obligation.
    pub fn is_met(&self, obligation: ObligationId) -> bool {
        !self.witnesses[obligation.0 as usize].is_empty()
    }

    /// Whether the tests so far cover a goal: all obligations of one of its alternatives are met. Where a goal's
    /// alternatives are ordered, a later one counts here as well; whether it may is for whoever knows what is infeasible.
    pub fn is_covered(&self, goal: GoalId) -> bool {
        let alternatives = &self.goals.goals[goal.0 as usize].alternatives;
        alternatives.iter().any(|all| all.iter().all(|&obligation| self.is_met(obligation)))
    }

    /// The number of tests so far.
    pub fn len(&self) -> usize {
        self.facts.len()
    }

    /// Whether it is without any test yet.
    pub fn is_empty(&self) -> bool {
        self.facts.is_empty()
    }

    /// Every smallest set of tests that meets an obligation, by obligation and then by test; the first of them where the
    /// meter is brief.
    pub fn witnesses(&self) -> Vec<Witness> {
        let each = self.witnesses.iter().enumerate();
        each.flat_map(|(index, sets)| {
            let obligation = ObligationId(index as u32);
            sets.iter().map(move |tests| Witness { obligation, tests: tests.clone() })
        })
        .collect()
    }

    fn witness(&mut self, index: u32, tests: Vec<u32>, met: &mut Vec<ObligationId>) {
        let sets = &mut self.witnesses[index as usize];
        if sets.is_empty() {
            met.push(ObligationId(index));
        } else if self.brief {
            return;
        }
        sets.push(tests);
    }

    /// The earlier tests that make a pair with the new one. Both kinds of pairs differ in exactly one condition, so
    /// partners are looked up by the values with that one flipped.
    fn partners(&self, obligation: &Obligation, facts: &Facts) -> Vec<u32> {
        let Some(condition) = facts.half(obligation, self.goals) else { return Vec::new() };
        let mut flipped = facts.values.clone();
        flipped[condition.0 as usize] = !flipped[condition.0 as usize];
        let Some(candidates) = self.by_values.get(&flipped) else { return Vec::new() };
        let fits = |other: &&u32| {
            let other = self.facts[**other as usize].as_ref().expect("only tests that can be in pairs are looked up");
            facts.completes(obligation, other)
        };
        candidates.iter().filter(fits).copied().collect()
    }
}
