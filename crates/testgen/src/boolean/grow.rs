//! Unique-cause suites grown from one test: each new test flips one condition of an earlier one.
//!
//! Where the growth reaches every condition, the suite has one test more than conditions, which no suite can beat (see
//! [`super::smallest`]). It is the fast way: no search, only questions whether a combination of values is possible.
//!
//! What the first test looks like matters: a condition below `x && y` can be reached later only if `x` or `y` is true
//! from the start. A *balanced* test has at most one false argument in every conjunction and at most one true argument in
//! every disjunction; from there, flips reach every condition of a formula in which no condition occurs twice.

use std::collections::HashMap;

use boolean::goals::Goals;
use boolean::interp::Interpreter;
use boolean::obligation::ConditionId;
use boolean::{Decision, Spec};
use formula::{Connective, Node};
use smt::{Answer, Model, Solver, Term, Terms};
use testcase::Inputs;
use value::Value;

use super::copy::Copy;
use super::encode::assumptions;
use super::{decides, inputs};
use crate::SearchError;
use crate::backend::Backend;

/// How many tests of the pool are tried as the first one.
const MOST_ROOTS: usize = 24;

/// Wider conjunctions and disjunctions are not balanced: the wishes are quadratic in their width.
const MOST_ARGUMENTS: usize = 64;

/// A suite of `conditions.len() + 1` tests that starts from some test of the pool, if one of them can be grown into it.
pub(crate) fn grow(
    spec: &Spec,
    decision: &Decision,
    goals: &Goals,
    conditions: &[ConditionId],
    pool: &[Inputs],
    backend: &Backend,
) -> Result<Option<Vec<Inputs>>, SearchError> {
    let number = spec.decisions.iter().position(|other| std::ptr::eq(other, decision)).expect("a decision of the spec");
    let interpreter = Interpreter::new(spec, number);
    let mut garden = Garden::new(spec, decision, goals, backend)?;
    let balanced = garden.balanced(backend)?;
    for root in balanced.iter().chain(pool.iter().take(MOST_ROOTS)) {
        let Inputs::Assignment(values) = root else { continue };
        let values: Vec<Value> = values.values().cloned().collect();
        let conditions_at_root = interpreter.run(&values).conditions;
        if let Some(tests) = garden.tree(conditions_at_root, root.clone(), conditions, backend)? {
            return Ok(Some(tests));
        }
    }
    Ok(None)
}

struct Garden<'a> {
    spec: &'a Spec,
    decision: &'a Decision,
    goals: &'a Goals,
    terms: Terms,
    copy: Copy,
    solver: Box<dyn Solver>,
    /// Inputs for combinations of condition values that were asked for; none where there are none.
    known: HashMap<Vec<bool>, Option<Inputs>>,
}

impl<'a> Garden<'a> {
    fn new(spec: &'a Spec, decision: &'a Decision, goals: &'a Goals, backend: &Backend) -> Result<Self, SearchError> {
        let mut terms = Terms::new();
        let copy = Copy::new(&mut terms, spec, decision, 0);
        let mut solver = backend.solver()?;
        for fact in assumptions(spec, &copy) {
            solver.assert(&terms, fact.term)?;
        }
        Ok(Garden { spec, decision, goals, terms, copy, solver, known: HashMap::new() })
    }

    /// A test that is as balanced as the conditions allow.
    fn balanced(&mut self, backend: &Backend) -> Result<Option<Inputs>, SearchError> {
        let mut wishes = self.balance();
        loop {
            match self.solver.check(&self.terms, backend.query(&wishes))? {
                Answer::Sat(model) => return Ok(Some(self.inputs(&model))),
                Answer::Unsat { core, .. } if !core.is_empty() => wishes.retain(|wish| !core.contains(wish)),
                Answer::Unsat { .. } | Answer::Unknown(_) => return Ok(None),
            }
        }
    }

    /// What makes a test balanced: one wish for every two arguments of a conjunction or disjunction.
    fn balance(&mut self) -> Vec<Term> {
        let formula = &self.decision.formula;
        let mut wishes = Vec::new();
        for id in formula.ids() {
            let Node::Apply(connective) = formula.node(id) else { continue };
            let args: Vec<Term> = formula.args(id).iter().map(|arg| self.copy.nodes[arg.0 as usize]).collect();
            if MOST_ARGUMENTS < args.len() {
                continue;
            }
            for (place, &left) in args.iter().enumerate() {
                for &right in &args[place + 1..] {
                    let apart = match connective {
                        Connective::And => self.terms.or(&[left, right]),
                        Connective::Or => {
                            let both = self.terms.and(&[left, right]);
                            self.terms.not(both)
                        }
                        Connective::Implies => self.terms.implies(right, left),
                        Connective::Not
                        | Connective::Xor
                        | Connective::Iff
                        | Connective::Distinct
                        | Connective::Ite => {
                            continue;
                        }
                    };
                    wishes.push(apart);
                }
            }
        }
        wishes
    }

    /// Flips conditions of the tests, first come first served, until all are flipped or none can be.
    fn tree(
        &mut self,
        root: Vec<bool>,
        inputs: Inputs,
        conditions: &[ConditionId],
        backend: &Backend,
    ) -> Result<Option<Vec<Inputs>>, SearchError> {
        let mut tests = vec![(root, inputs)];
        let mut missing = conditions.to_vec();
        let mut next = 0;
        while next < tests.len() && !missing.is_empty() {
            let values = tests[next].0.clone();
            let mut left = Vec::new();
            for condition in missing {
                let leaves = &self.goals.conditions[condition.0 as usize].leaves;
                let mut flipped = values.clone();
                leaves.iter().for_each(|leaf| flipped[leaf.0 as usize] = !flipped[leaf.0 as usize]);
                let found = match decides(self.decision, &values, leaves) {
                    true => self.inputs_for(&flipped, backend)?,
                    false => None,
                };
                match found {
                    Some(inputs) => tests.push((flipped, inputs)),
                    None => left.push(condition),
                }
            }
            missing = left;
            next += 1;
        }
        Ok(missing.is_empty().then(|| tests.into_iter().map(|(_, inputs)| inputs).collect()))
    }

    /// Inputs under which the conditions have these values.
    fn inputs_for(&mut self, values: &[bool], backend: &Backend) -> Result<Option<Inputs>, SearchError> {
        if let Some(known) = self.known.get(values) {
            return Ok(known.clone());
        }
        let literals: Vec<Term> = values
            .iter()
            .zip(&self.copy.leaves)
            .map(|(&value, &leaf)| if value { leaf } else { self.terms.not(leaf) })
            .collect();
        let found = match self.solver.check(&self.terms, backend.query(&literals))? {
            Answer::Sat(model) => Some(self.inputs(&model)),
            Answer::Unsat { .. } | Answer::Unknown(_) => None,
        };
        self.known.insert(values.to_vec(), found.clone());
        Ok(found)
    }

    fn inputs(&self, model: &Model) -> Inputs {
        inputs(self.spec, self.copy.variables.iter().map(|&variable| model.value(&self.terms, variable)).collect())
    }
}
