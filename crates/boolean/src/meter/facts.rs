//! What is true of one test.

use value::{IBig, RBig, Value};

use crate::goals::{Goals, sides};
use crate::interp::{Run, Values, decides};
use crate::obligation::{ConditionId, Obligation};
use crate::{Decision, Spec};

/// What is true of one test.
#[derive(Clone, Debug)]
pub(super) struct Facts {
    outcome: bool,
    /// The value of every condition.
    pub(super) values: Vec<bool>,
    /// Whether each condition decides the outcome.
    deciding: Vec<bool>,
    /// Left minus right of each comparison, where it is −1, 0 or 1 and the goals ask for it.
    offsets: Vec<Option<i8>>,
    /// How each term of the DNF fails.
    terms: Vec<TermState>,
    /// The only term that holds.
    only_term: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TermState {
    Holds,
    /// By one literal, the one at this position.
    FailsBy(u32),
    FailsByMore,
}

impl Facts {
    pub(super) fn new(spec: &Spec, decision: &Decision, goals: &Goals, run: &Run, values: &Values) -> Facts {
        let by_leaf = decision.formula.deciding(&run.conditions);
        let groups = &goals.conditions;
        let value = |group: usize| run.conditions[groups[group].leaves[0].0 as usize];
        let deciding = groups.iter().map(|group| match group.leaves[..] {
            [leaf] => by_leaf[leaf.0 as usize],
            _ => decides(decision, &run.conditions, &group.leaves),
        });
        let deciding = deciding.collect();
        let condition_values: Vec<bool> = (0..groups.len()).map(value).collect();
        let mut offsets = vec![None; groups.len()];
        for obligation in &goals.obligations {
            if let Obligation::Boundary { condition, .. } = obligation {
                let index = condition.0 as usize;
                let atom = decision.conditions[groups[index].leaves[0].0 as usize].atom;
                offsets[index] =
                    sides(spec, atom).and_then(|(left, right, _)| offset(values.get(left), values.get(right)));
            }
        }
        let terms: Vec<TermState> = goals
            .terms
            .iter()
            .map(|term| {
                let failing = |literal: &crate::obligation::Literal| {
                    condition_values[literal.condition.0 as usize] != literal.positive
                };
                let mut failures =
                    term.iter().enumerate().filter(|(_, literal)| failing(literal)).map(|(place, _)| place as u32);
                match (failures.next(), failures.next()) {
                    (None, _) => TermState::Holds,
                    (Some(place), None) => TermState::FailsBy(place),
                    (Some(_), Some(_)) => TermState::FailsByMore,
                }
            })
            .collect();
        let mut holding = (0..terms.len() as u32).filter(|&term| terms[term as usize] == TermState::Holds);
        let only_term = match (holding.next(), holding.next()) {
            (Some(term), None) => Some(term),
            _ => None,
        };
        Facts { outcome: run.outcome, values: condition_values, deciding, offsets, terms, only_term }
    }

    /// Whether the test alone meets an obligation that takes one test.
    pub(super) fn meets(&self, obligation: &Obligation) -> bool {
        match obligation {
            Obligation::Outcome { outcome } => self.outcome == *outcome,
            Obligation::Condition { condition, value } => self.value(*condition) == *value,
            Obligation::Vector { values } => self.values == *values,
            Obligation::Active { condition, value, outcome } => {
                let fits = outcome.is_none_or(|outcome| self.outcome == outcome);
                fits && self.value(*condition) == *value && self.decides(*condition)
            }
            Obligation::UniqueTrue { term, free } => self.only_term == Some(*term) && self.has(*free),
            Obligation::NearFalse { term, literal, free } => self.is_near_false(*term, *literal) && self.has(*free),
            Obligation::Boundary { condition, offset } => {
                self.offsets[condition.0 as usize] == Some(*offset) && self.decides(*condition)
            }
            Obligation::UniqueCause { .. } | Obligation::NeighbourPair { .. } => false,
        }
    }

    /// The condition in which the other test of a pair must differ, where this test can be one half of it.
    pub(super) fn half(&self, obligation: &Obligation, goals: &Goals) -> Option<ConditionId> {
        match obligation {
            Obligation::UniqueCause { condition } => self.decides(*condition).then_some(*condition),
            Obligation::NeighbourPair { term, literal } => {
                let condition = goals.terms[*term as usize][*literal as usize].condition;
                let half = self.only_term == Some(*term) || self.is_near_false(*term, *literal);
                half.then_some(condition)
            }
            Obligation::Outcome { .. }
            | Obligation::Condition { .. }
            | Obligation::Vector { .. }
            | Obligation::Active { .. }
            | Obligation::UniqueTrue { .. }
            | Obligation::NearFalse { .. }
            | Obligation::Boundary { .. } => None,
        }
    }

    /// Whether two halves that differ in the one condition make a pair.
    pub(super) fn completes(&self, obligation: &Obligation, other: &Facts) -> bool {
        match obligation {
            Obligation::UniqueCause { condition } => self.decides(*condition) && other.decides(*condition),
            Obligation::NeighbourPair { term, literal } => {
                let pair = |on: &Facts, off: &Facts| on.only_term == Some(*term) && off.is_near_false(*term, *literal);
                pair(self, other) || pair(other, self)
            }
            Obligation::Outcome { .. }
            | Obligation::Condition { .. }
            | Obligation::Vector { .. }
            | Obligation::Active { .. }
            | Obligation::UniqueTrue { .. }
            | Obligation::NearFalse { .. }
            | Obligation::Boundary { .. } => false,
        }
    }

    fn value(&self, condition: ConditionId) -> bool {
        self.values[condition.0 as usize]
    }

    fn decides(&self, condition: ConditionId) -> bool {
        self.deciding[condition.0 as usize]
    }

    fn has(&self, free: Option<(ConditionId, bool)>) -> bool {
        free.is_none_or(|(condition, value)| self.value(condition) == value)
    }

    fn is_near_false(&self, term: u32, literal: u32) -> bool {
        !self.outcome && self.terms[term as usize] == TermState::FailsBy(literal)
    }
}

/// Left minus right, where it is −1, 0 or 1.
fn offset(left: &Value, right: &Value) -> Option<i8> {
    match (left, right) {
        (Value::Int(left), Value::Int(right)) => {
            let difference = left - right;
            [-1i8, 0, 1].into_iter().find(|&offset| difference == IBig::from(offset))
        }
        (Value::Real(left), Value::Real(right)) => {
            let difference = left - right;
            [-1i8, 0, 1].into_iter().find(|&offset| difference == RBig::from(offset))
        }
        _ => None,
    }
}
