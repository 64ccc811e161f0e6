//! Every behaviour of a small decision: one test for each combination of condition values that can occur.
//!
//! All criteria but boundary values speak of condition values only. So for a decision with few distinct conditions a
//! smallest selection among these tests is a smallest suite.

use std::collections::BTreeSet;

use boolean::{Decision, Spec};
use smt::{Answer, Evaluator, Scope, Solver, Term, Terms};

use super::copy::Copy;
use super::encode::assumptions;
use super::inputs;
use search::Backend;
use search::Behaviours;
use search::SearchError;

/// Up to this many distinct conditions, all combinations are listed.
const MOST_ATOMS: usize = 10;

/// One test per combination of condition values, or none where there may be too many.
pub(crate) fn behaviours(
    spec: &Spec,
    decision: &Decision,
    backend: &Backend,
) -> Result<Option<Behaviours>, SearchError> {
    let atoms: BTreeSet<_> = decision.conditions.iter().map(|condition| condition.atom).collect();
    if MOST_ATOMS < atoms.len() {
        return Ok(None);
    }
    let mut terms = Terms::new();
    let copy = Copy::new(&mut terms, spec, decision, 0);
    let atoms: Vec<Term> = atoms.into_iter().map(|atom| copy.expr(atom)).collect();
    let mut solver = backend.solver()?;
    for fact in assumptions(spec, &copy) {
        solver.assert(&terms, fact.term)?;
    }
    let mut found = Vec::new();
    loop {
        match solver.check(&terms, backend.query(&[]))? {
            Answer::Sat(model) => {
                let mut evaluator = Evaluator::new(&terms, &model);
                let values: Vec<bool> = atoms.iter().map(|&atom| evaluator.holds(atom)).collect();
                let assignment = copy.variables.iter().map(|&variable| model.value(&terms, variable));
                found.push(inputs(spec, assignment.collect()));
                exclude(&mut terms, &mut *solver, &atoms, &values)?;
            }
            Answer::Unsat { scope, .. } => return Ok(Some(Behaviours { inputs: found, all: scope == Scope::All })),
            Answer::Unknown(_) => return Ok(None),
        }
    }
}

fn exclude(terms: &mut Terms, solver: &mut dyn Solver, atoms: &[Term], values: &[bool]) -> Result<(), SearchError> {
    let differs = atoms.iter().zip(values).map(|(&atom, &value)| if value { terms.not(atom) } else { atom });
    let differs: Vec<Term> = differs.collect();
    let some = terms.or(&differs);
    Ok(solver.assert(terms, some)?)
}
