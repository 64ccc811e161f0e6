//! Strategies that fix no more than they need: Röck's thesis (2018), algorithm 3.

use crate::machine::Machine;
use crate::verify::{Judgement, verify};
use omega::Formula;
use omega::Formulas;
use omega::automaton::Limits;

/// Frees inputs of a strategy one after the other, state by state, as long as every run still satisfies the claim. What
/// comes out depends on the order, and no further input of it can be freed.
pub fn generalise(formulas: &mut Formulas, machine: &Machine, claim: Formula, limits: Limits) -> Machine {
    let mut general = machine.clone();
    for state in 0..machine.states.len() {
        for &(atom, _) in machine.sets_in(state) {
            let mut freer = general.clone();
            for taken in &mut freer.states[state].moves {
                taken.sets.retain(|(other, _)| *other != atom);
            }
            if verify(formulas, &freer, claim, limits) == Judgement::Satisfied {
                general = freer;
            }
        }
    }
    general
}
