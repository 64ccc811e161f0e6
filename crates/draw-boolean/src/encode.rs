//! Obligations of Boolean decisions as terms, over one copy of the variables or, for pairs, two.

use std::collections::HashMap;

use boolean::goals::Goals;
use boolean::obligation::{ConditionId, Literal, Obligation};
use boolean::{Decision, ExprKind, Spec};
use formula::{Node, NodeId};
use smt::{Evaluator, Model, Op, Term, Terms};
use testcase::{Inputs, ObligationId};
use value::Value;

use super::copy::{Copy, parents, passages};
use super::inputs;
use super::reason::Why;
use search::{Completeness, Part, Problem};

/// A condition with more siblings than this on its way to the root is not broken down sibling by sibling.
const MOST_PASSAGES: usize = 256;

/// The search problem of one decision.
pub(crate) struct BooleanProblem<'a> {
    spec: &'a Spec,
    decision: &'a Decision,
    goals: &'a Goals,
    /// One copy, or two where some obligation takes a pair of tests.
    copies: Vec<Copy>,
    facts: Vec<Part>,
    parents: Vec<Option<NodeId>>,
    leaf_nodes: Vec<NodeId>,
    /// For multiple condition coverage, the obligation of every vector.
    vectors: HashMap<&'a [bool], ObligationId>,
}

impl<'a> BooleanProblem<'a> {
    pub(crate) fn new(terms: &mut Terms, spec: &'a Spec, decision: &'a Decision, goals: &'a Goals) -> Self {
        let count = if goals.obligations.iter().any(Obligation::is_pair) { 2 } else { 1 };
        let copies: Vec<Copy> = (0..count).map(|number| Copy::new(terms, spec, decision, number)).collect();
        let facts = copies.iter().flat_map(|copy| assumptions(spec, copy)).collect();
        let formula = &decision.formula;
        let mut leaf_nodes = vec![NodeId(0); formula.leaf_count()];
        for id in formula.ids() {
            if let Node::Leaf(leaf) = formula.node(id) {
                leaf_nodes[leaf.0 as usize] = id;
            }
        }
        let mut vectors = HashMap::new();
        for (obligation, index) in goals.obligations.iter().zip(0u32..) {
            if let Obligation::Vector { values } = obligation {
                vectors.insert(values.as_slice(), ObligationId(index));
            }
        }
        BooleanProblem { spec, decision, goals, copies, facts, parents: parents(formula), leaf_nodes, vectors }
    }

    /// The value of a condition in a copy.
    fn condition(&self, copy: usize, condition: ConditionId) -> Term {
        let group = &self.goals.conditions[condition.0 as usize];
        self.copies[copy].leaves[group.leaves[0].0 as usize]
    }

    fn value_part(&self, terms: &mut Terms, copy: usize, condition: ConditionId, value: bool) -> Part {
        let term = self.condition(copy, condition);
        Part { term: signed(terms, term, value), reason: Why::Value(condition).pack() }
    }

    fn outcome_part(&self, terms: &mut Terms, copy: usize, outcome: bool) -> Part {
        let term = self.copies[copy].outcome();
        Part { term: signed(terms, term, outcome), reason: Why::Outcome.pack() }
    }

    /// That a condition decides the outcome in a copy.
    fn decides(&self, terms: &mut Terms, copy: usize, condition: ConditionId) -> Vec<Part> {
        let leaves = &self.goals.conditions[condition.0 as usize].leaves;
        let formula = &self.decision.formula;
        if let [leaf] = leaves.as_slice() {
            let mut parts = Vec::new();
            let mut node = self.leaf_nodes[leaf.0 as usize];
            while let Some(parent) = self.parents[node.0 as usize] {
                if MOST_PASSAGES < formula.args(parent).len() + parts.len() {
                    parts.clear();
                    break;
                }
                let passages = passages(terms, formula, &self.copies[copy].nodes, node, parent);
                parts.extend(
                    passages
                        .into_iter()
                        .map(|passage| Part { term: passage.term, reason: Why::Passage(passage.sibling).pack() }),
                );
                node = parent;
            }
            if node == formula.root() {
                return parts;
            }
        }
        let term = self.copies[copy].decides(terms, formula, leaves);
        vec![Part { term, reason: Why::Decides.pack() }]
    }

    /// That every other condition is the same in both copies.
    fn others_same(&self, terms: &mut Terms, condition: ConditionId) -> Vec<Part> {
        let others = (0..self.goals.conditions.len() as u32).map(ConditionId).filter(|&other| other != condition);
        let same = |other| {
            let term = terms.eq(self.condition(0, other), self.condition(1, other));
            Part { term, reason: Why::Same(other).pack() }
        };
        others.map(same).collect()
    }

    fn literal(&self, terms: &mut Terms, copy: usize, literal: Literal, holds: bool) -> Part {
        self.value_part(terms, copy, literal.condition, literal.positive == holds)
    }

    /// That a term's literals hold in a copy, except one that fails, if one is named.
    fn term_literals(&self, terms: &mut Terms, copy: usize, term: u32, failing: Option<u32>) -> Vec<Part> {
        let literals = &self.goals.terms[term as usize];
        let part =
            |(place, &literal): (usize, &Literal)| self.literal(terms, copy, literal, failing != Some(place as u32));
        literals.iter().enumerate().map(part).collect()
    }

    /// That a copy shows a unique true point of a term.
    fn unique_true(&self, terms: &mut Terms, copy: usize, term: u32) -> Vec<Part> {
        let mut parts = self.term_literals(terms, copy, term, None);
        for (other, literals) in self.goals.terms.iter().enumerate().filter(|(other, _)| *other != term as usize) {
            let holding: Vec<Term> =
                literals.iter().map(|&literal| self.literal(terms, copy, literal, true).term).collect();
            let all = terms.and(&holding);
            parts.push(Part { term: terms.not(all), reason: Why::Term(other as u32).pack() });
        }
        parts
    }

    /// That a copy shows a near false point of a term for one of its literals.
    fn near_false(&self, terms: &mut Terms, copy: usize, term: u32, literal: u32) -> Vec<Part> {
        let mut parts = self.term_literals(terms, copy, term, Some(literal));
        parts.push(self.outcome_part(terms, copy, false));
        parts
    }

    fn free_part(&self, terms: &mut Terms, free: Option<(ConditionId, bool)>) -> Option<Part> {
        free.map(|(condition, value)| self.value_part(terms, 0, condition, value))
    }

    /// That the sides of a comparison differ by `offset`.
    fn difference(&self, terms: &mut Terms, condition: ConditionId, offset: i8) -> Part {
        let leaf = self.goals.conditions[condition.0 as usize].leaves[0];
        let atom = self.decision.conditions[leaf.0 as usize].atom;
        let ExprKind::Apply { args, .. } = &self.spec.exprs[atom.0 as usize].kind else {
            unreachable!("a boundary obligation belongs to a comparison")
        };
        let (left, right) = (self.copies[0].expr(args[0]), self.copies[0].expr(args[1]));
        let shift = |number: &Value, by: i8| match number {
            Value::Int(number) => Some(Value::Int(number + value::IBig::from(by))),
            Value::Real(number) => Some(Value::Real(number + value::RBig::from(value::IBig::from(by)))),
            Value::Bool(_) | Value::BitVec(_) | Value::Enum(_) | Value::Array(_) => None,
        };
        let zero = Value::default_of(terms.sort(right));
        let (left, right) = match (terms.value(left).cloned(), terms.value(right).cloned()) {
            (_, Some(number)) => (left, shift(&number, offset).map(|shifted| terms.constant(shifted))),
            (Some(number), None) => (right, shift(&number, -offset).map(|shifted| terms.constant(shifted))),
            (None, None) => {
                let offset = shift(&zero, offset).map(|offset| terms.constant(offset));
                (left, offset.map(|offset| terms.app(Op::Add, &[right, offset])))
            }
        };
        let right = right.expect("a boundary obligation compares numbers");
        Part { term: terms.eq(left, right), reason: Why::Difference.pack() }
    }

    fn inputs(&self, terms: &Terms, model: &Model, copy: usize) -> Inputs {
        let variables = self.copies[copy].variables.iter();
        inputs(self.spec, variables.map(|&variable| model.value(terms, variable)).collect())
    }
}

impl Problem for BooleanProblem<'_> {
    fn facts(&self) -> &[Part] {
        &self.facts
    }

    fn require(&mut self, terms: &mut Terms, obligation: ObligationId) -> Vec<Part> {
        match self.goals.obligations[obligation.0 as usize] {
            Obligation::Outcome { outcome } => vec![self.outcome_part(terms, 0, outcome)],
            Obligation::Condition { condition, value } => vec![self.value_part(terms, 0, condition, value)],
            Obligation::Vector { ref values } => {
                let conditions = (0u32..).map(ConditionId).zip(values);
                conditions.map(|(condition, &value)| self.value_part(terms, 0, condition, value)).collect()
            }
            Obligation::Active { condition, value, outcome } => {
                let mut parts = vec![self.value_part(terms, 0, condition, value)];
                parts.extend(self.decides(terms, 0, condition));
                parts.extend(outcome.map(|outcome| self.outcome_part(terms, 0, outcome)));
                parts
            }
            Obligation::UniqueCause { condition } => {
                // Whether a condition decides depends on the other conditions only, so once is enough.
                let mut parts = vec![self.value_part(terms, 0, condition, true)];
                parts.push(self.value_part(terms, 1, condition, false));
                parts.extend(self.others_same(terms, condition));
                parts.extend(self.decides(terms, 0, condition));
                parts
            }
            Obligation::UniqueTrue { term, free } => {
                let mut parts = self.unique_true(terms, 0, term);
                parts.extend(self.free_part(terms, free));
                parts
            }
            Obligation::NearFalse { term, literal, free } => {
                let mut parts = self.near_false(terms, 0, term, literal);
                parts.extend(self.free_part(terms, free));
                parts
            }
            Obligation::NeighbourPair { term, literal } => {
                let condition = self.goals.terms[term as usize][literal as usize].condition;
                let mut parts = self.unique_true(terms, 0, term);
                parts.extend(self.near_false(terms, 1, term, literal));
                parts.extend(self.others_same(terms, condition));
                parts
            }
            Obligation::Boundary { condition, offset } => {
                let mut parts = vec![self.difference(terms, condition, offset)];
                parts.extend(self.decides(terms, 0, condition));
                parts
            }
        }
    }

    fn decode(&self, terms: &Terms, model: &Model, obligation: Option<ObligationId>) -> Vec<Inputs> {
        let pair = obligation.is_some_and(|obligation| self.goals.obligations[obligation.0 as usize].is_pair());
        (0..if pair { 2 } else { 1 }).map(|copy| self.inputs(terms, model, copy)).collect()
    }

    fn same_as(&mut self, terms: &mut Terms, inputs: &Inputs) -> Vec<Term> {
        let Inputs::Assignment(values) = inputs else { return Vec::new() };
        let variables = self.copies[0].variables.clone();
        let same = variables.into_iter().zip(values.values()).map(|(variable, value)| {
            let value = terms.constant(value.clone());
            terms.eq(variable, value)
        });
        same.collect()
    }

    fn completeness(&self) -> Completeness {
        Completeness::Complete
    }

    fn class_of(&self, terms: &Terms, model: &Model) -> Option<ObligationId> {
        if self.vectors.len() != self.goals.obligations.len() {
            return None;
        }
        let mut evaluator = Evaluator::new(terms, model);
        let conditions = (0..self.goals.conditions.len() as u32).map(ConditionId);
        let values: Vec<bool> = conditions.map(|condition| evaluator.holds(self.condition(0, condition))).collect();
        self.vectors.get(values.as_slice()).copied()
    }
}

/// The specification's assumptions in one copy.
pub(crate) fn assumptions(spec: &Spec, copy: &Copy) -> Vec<Part> {
    let assumptions = spec.assumptions.iter().zip(0u32..);
    assumptions
        .map(|(assumption, index)| Part { term: copy.expr(assumption.expr), reason: Why::Assumption(index).pack() })
        .collect()
}

fn signed(terms: &mut Terms, term: Term, truth: bool) -> Term {
    if truth { term } else { terms.not(term) }
}
