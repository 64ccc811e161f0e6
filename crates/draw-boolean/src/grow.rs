//! Unique-cause suites grown from one test: each new test flips one condition of an earlier one.
//!
//! Where the growth reaches every condition, the suite has one test more than conditions, which no suite can beat (see
//! [`super::smallest`]). It is the fast way: no search, only questions whether a combination of values is possible.
//!
//! What the first test looks like matters: a condition below `x && y` can be reached later only if `x` or `y` is true
//! from the start. A *balanced* test has at most one false argument in every conjunction and at most one true argument in
//! every disjunction; from there, flips reach every condition of a formula in which no condition occurs twice.

use boolean::goals::Goals;
use boolean::obligation::ConditionId;
use boolean::{Decision, Spec};
use formula::{Connective, Node};
use smt::{Answer, Evaluator, Model, Solver, Term, Terms};
use testcase::Inputs;

use super::copy::Copy;
use super::encode::assumptions;
use super::smallest::edge;
use super::{decides, inputs};
use search::Backend;
use search::SearchError;

/// Wider conjunctions and disjunctions are not balanced: the wishes are quadratic in their width.
const MOST_ARGUMENTS: usize = 64;

/// A grown suite.
pub(crate) struct Grown {
    /// Its tests: as many as conditions and trees together.
    pub(crate) inputs: Vec<Inputs>,
    /// The number of first tests it took.
    pub(crate) trees: usize,
}

/// A suite that shows every one of the conditions, grown from as few first tests as this way finds.
pub(crate) fn grow(
    spec: &Spec,
    decision: &Decision,
    goals: &Goals,
    conditions: &[ConditionId],
    backend: &Backend,
) -> Result<Option<Grown>, SearchError> {
    let mut garden = Garden::new(spec, decision, goals, backend)?;
    let (mut tests, mut missing, mut trees, mut next) = (Vec::new(), conditions.to_vec(), 0, 0);
    while !missing.is_empty() {
        if backend.is_over() {
            return Ok(None);
        }
        if next == tests.len() {
            // The very first test is balanced above all; later ones must let a missing condition decide.
            let wanted = if trees == 0 { None } else { Some(missing[0]) };
            let Some(root) = garden.root(wanted, backend)? else { return Ok(None) };
            tests.push(root);
            trees += 1;
        }
        missing = garden.flip(next, &mut tests, missing, backend)?;
        next += 1;
    }
    Ok(Some(Grown { inputs: tests.into_iter().map(|test| test.inputs).collect(), trees }))
}

/// A test with the values of its conditions.
struct Plant {
    values: Vec<bool>,
    inputs: Inputs,
}

struct Garden<'a> {
    spec: &'a Spec,
    decision: &'a Decision,
    goals: &'a Goals,
    terms: Terms,
    copy: Copy,
    /// A second copy: the other test of a pair.
    twin: Copy,
    solver: Box<dyn Solver>,
}

impl<'a> Garden<'a> {
    fn new(spec: &'a Spec, decision: &'a Decision, goals: &'a Goals, backend: &Backend) -> Result<Self, SearchError> {
        let mut terms = Terms::new();
        let copy = Copy::new(&mut terms, spec, decision, 0);
        let twin = Copy::new(&mut terms, spec, decision, 1);
        let mut solver = backend.solver()?;
        for fact in assumptions(spec, &copy).into_iter().chain(assumptions(spec, &twin)) {
            solver.assert(&terms, fact.term)?;
        }
        Ok(Garden { spec, decision, goals, terms, copy, twin, solver })
    }

    /// A first test, as balanced as the conditions allow. If a condition is named, it decides there and can flip alone.
    fn root(&mut self, flipped: Option<ConditionId>, backend: &Backend) -> Result<Option<Plant>, SearchError> {
        let needed: Vec<Term> = flipped
            .map(|condition| edge(&mut self.terms, self.goals, &self.copy, &self.twin, condition))
            .into_iter()
            .collect();
        let mut wishes = self.balance();
        loop {
            let assumptions: Vec<Term> = needed.iter().chain(&wishes).copied().collect();
            match self.solver.check(&self.terms, backend.query(&assumptions))? {
                Answer::Sat(model) => return Ok(Some(self.plant(&model))),
                Answer::Unsat { core, .. } if wishes.iter().any(|wish| core.contains(wish)) => {
                    wishes.retain(|wish| !core.contains(wish));
                }
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

    /// Flips in one test every missing condition that decides there; returns those that are still missing.
    fn flip(
        &mut self,
        place: usize,
        tests: &mut Vec<Plant>,
        missing: Vec<ConditionId>,
        backend: &Backend,
    ) -> Result<Vec<ConditionId>, SearchError> {
        let values = tests[place].values.clone();
        let mut left = Vec::new();
        for condition in missing {
            if backend.is_over() {
                left.push(condition);
                continue;
            }
            let leaves = &self.goals.conditions[condition.0 as usize].leaves;
            let mut flipped = values.clone();
            leaves.iter().for_each(|leaf| flipped[leaf.0 as usize] = !flipped[leaf.0 as usize]);
            let found = match decides(self.decision, &values, leaves) {
                true => self.with_values(&flipped, backend)?,
                false => None,
            };
            match found {
                Some(test) => tests.push(test),
                None => left.push(condition),
            }
        }
        Ok(left)
    }

    /// A test in which the conditions have these values.
    fn with_values(&mut self, values: &[bool], backend: &Backend) -> Result<Option<Plant>, SearchError> {
        let literals: Vec<Term> = values
            .iter()
            .zip(&self.copy.leaves)
            .map(|(&value, &leaf)| if value { leaf } else { self.terms.not(leaf) })
            .collect();
        match self.solver.check(&self.terms, backend.query(&literals))? {
            Answer::Sat(model) => Ok(Some(self.plant(&model))),
            Answer::Unsat { .. } | Answer::Unknown(_) => Ok(None),
        }
    }

    fn plant(&self, model: &Model) -> Plant {
        let mut evaluator = Evaluator::new(&self.terms, model);
        let values = self.copy.leaves.iter().map(|&leaf| evaluator.holds(leaf)).collect();
        let assignment = self.copy.variables.iter().map(|&variable| model.value(&self.terms, variable));
        Plant { values, inputs: inputs(self.spec, assignment.collect()) }
    }
}
