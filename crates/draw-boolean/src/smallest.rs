//! Smallest unique-cause suites, and the proof that they are smallest.
//!
//! Take tests as vectors of condition values. A unique-cause pair for condition c is an edge between two vectors that
//! differ in c only. Choose one edge for each of k covered conditions: on a cycle every condition would have to flip an
//! even number of times, but each is flipped by one edge, so the edges form a forest. A forest with k edges and m trees
//! has k + m vertices. Hence no suite has fewer than k + 1 tests, and a suite of k + m tests exists exactly when there
//! is such a forest with at most m trees.
//!
//! The forest is found by the solver: root each tree; then every test but the roots is the lower end of exactly one
//! edge, so tests are named after conditions, and each chooses its parent. Acyclicity needs no constraint, by the same
//! argument as above. A tree can be rooted anywhere, so the first condition's edge may hang below the first root, with
//! the condition true there; and each test is a point at which its own condition decides. Both only help the search.

use boolean::goals::Goals;
use boolean::obligation::{ConditionId, Obligation};
use boolean::{Decision, Spec};
use smt::{Answer, Model, Scope, Solver, Term, Terms};
use testcase::{GoalId, Inputs, Minimality};
use value::Sort;

use super::copy::Copy;
use super::effort::SMALLEST;
use super::encode::assumptions;
use super::grow::grow;
use super::inputs;
use search::Backend;
use search::SearchError;
use search::Smallest;

/// The encoding is cubic in the number of conditions: beyond this many it does not pay.
const MOST_CONDITIONS: usize = 48;

/// Suites with more trees than this are left to the general reduction.
const MOST_TREES: usize = 4;

/// A smallest suite for goals that are all of unique cause.
pub(crate) fn smallest(
    spec: &Spec,
    decision: &Decision,
    goals: &Goals,
    covered: &[GoalId],
    backend: &Backend,
) -> Result<Option<Smallest>, SearchError> {
    let Some(conditions) = unique_cause_conditions(goals, covered) else { return Ok(None) };
    if conditions.is_empty() {
        return Ok(None);
    }
    let grown = grow(spec, decision, goals, &conditions, backend)?;
    let most = grown.as_ref().map_or(MOST_TREES, |grown| (grown.trees - 1).min(MOST_TREES));
    let most = if conditions.len() <= MOST_CONDITIONS { most } else { 0 };
    let mut fewer_refuted = true;
    for trees in 1..=most {
        let mut forest = Forest::new(spec, decision, goals, &conditions, trees, backend)?;
        match forest.solve(backend)? {
            Answer::Sat(model) => return Ok(Some(smallest_of(forest.inputs(spec, &model), fewer_refuted))),
            Answer::Unsat { scope: Scope::All, .. } => {}
            Answer::Unsat { scope: Scope::Width(_), .. } | Answer::Unknown(_) => fewer_refuted = false,
        }
    }
    Ok(grown.map(|grown| smallest_of(grown.inputs, fewer_refuted && grown.trees - 1 == most)))
}

fn smallest_of(inputs: Vec<Inputs>, proved: bool) -> Smallest {
    Smallest { inputs, minimality: if proved { Minimality::Proved } else { Minimality::NotProved } }
}

/// The conditions of the goals, if each of them asks for one unique-cause pair and nothing else.
fn unique_cause_conditions(goals: &Goals, covered: &[GoalId]) -> Option<Vec<ConditionId>> {
    let condition = |goal: &GoalId| match goals.goals[goal.0 as usize].alternatives.as_slice() {
        [alternative] => match alternative.as_slice() {
            [obligation] => match goals.obligations[obligation.0 as usize] {
                Obligation::UniqueCause { condition } => Some(condition),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    };
    covered.iter().map(condition).collect()
}

struct Forest {
    terms: Terms,
    solver: Box<dyn Solver>,
    /// The roots first, then one test per condition.
    tests: Vec<Copy>,
}

impl Forest {
    fn new(
        spec: &Spec,
        decision: &Decision,
        goals: &Goals,
        conditions: &[ConditionId],
        trees: usize,
        backend: &Backend,
    ) -> Result<Forest, SearchError> {
        let mut terms = Terms::new();
        let tests: Vec<Copy> =
            (0..trees + conditions.len()).map(|number| Copy::new(&mut terms, spec, decision, number)).collect();
        let mut solver = backend.solver()?;
        for test in &tests {
            for fact in assumptions(spec, test) {
                solver.assert(&terms, fact.term)?;
            }
        }
        let group = |condition: ConditionId| &goals.conditions[condition.0 as usize];
        solver.assert(&terms, tests[0].leaves[group(conditions[0]).leaves[0].0 as usize])?;
        for (index, &condition) in conditions.iter().enumerate() {
            let child = trees + index;
            let decides = tests[child].decides(&mut terms, &decision.formula, &group(condition).leaves);
            solver.assert(&terms, decides)?;
            let parents = if index == 0 { 0..1 } else { 0..tests.len() };
            let mut choices = Vec::new();
            for parent in parents.filter(|&parent| parent != child) {
                let chosen = terms.symbol(&format!("parent!{child}!{parent}"), &Sort::Bool);
                let edge = edge(&mut terms, goals, &tests[child], &tests[parent], condition);
                let implied = terms.implies(chosen, edge);
                solver.assert(&terms, implied)?;
                choices.push(chosen);
            }
            let some = terms.or(&choices);
            solver.assert(&terms, some)?;
        }
        Ok(Forest { terms, solver, tests })
    }

    fn solve(&mut self, backend: &Backend) -> Result<Answer, SearchError> {
        let mut query = backend.query(&[]);
        let most = SMALLEST.within(backend.effort);
        query.limits.conflicts = Some(query.limits.conflicts.unwrap_or(most).min(most));
        Ok(self.solver.check(&self.terms, query)?)
    }

    fn inputs(&self, spec: &Spec, model: &Model) -> Vec<Inputs> {
        let values = |test: &Copy| test.variables.iter().map(|&term| model.value(&self.terms, term)).collect();
        self.tests.iter().map(|test| inputs(spec, values(test))).collect()
    }
}

/// That two tests differ in one condition and in the outcome, and agree in every other condition.
pub(super) fn edge(terms: &mut Terms, goals: &Goals, left: &Copy, right: &Copy, flipped: ConditionId) -> Term {
    let mut parts = Vec::with_capacity(goals.conditions.len() + 1);
    for (index, group) in goals.conditions.iter().enumerate() {
        let leaf = group.leaves[0].0 as usize;
        // One order of arguments for both directions, so that the terms are shared.
        let (first, second) = (left.leaves[leaf].min(right.leaves[leaf]), left.leaves[leaf].max(right.leaves[leaf]));
        let same = terms.eq(first, second);
        parts.push(if index == flipped.0 as usize { terms.not(same) } else { same });
    }
    parts.push(terms.xor(left.outcome(), right.outcome()));
    terms.and(&parts)
}
