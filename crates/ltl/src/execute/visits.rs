//! What runs have visited: pairs of a situation and the inputs set in it. A situation is a state of the strategy with the states of
//! the automata of the specification's safety properties.

use rustc_hash::FxHashMap;

use crate::eval::Letter;
use crate::spec::Spec;
use omega::automaton::Limits;
use omega::deterministic::{Deterministic, is_safety, safety};
use omega::simplify::simplify;
use omega::{AtomId, Formula};

/// The deterministic automata of safety properties over some signals, as many as are small.
pub(super) fn automata(spec: &Spec, properties: &[Formula], seen: &[AtomId]) -> Vec<Deterministic> {
    let mut formulas = spec.formulas.clone();
    let limits = Limits { states: 400, nodes: 400_000, deadline: None };
    let mut found = Vec::new();
    for &property in properties {
        let small = simplify(&mut formulas, property);
        for conjunct in formulas.conjuncts(small) {
            if is_safety(&formulas, conjunct)
                && formulas.atoms_of([conjunct]).iter().all(|atom| seen.contains(atom))
                && let Some(automaton) = safety(&mut formulas, conjunct, limits)
            {
                found.push(automaton);
            }
        }
    }
    found
}

/// The next state of an automaton.
pub(super) fn moved(automaton: &Deterministic, place: usize, letter: &Letter) -> usize {
    let value = |variable: u32| letter.holds(automaton.atoms[variable as usize]);
    let edge = automaton.edges[place].iter().find(|(guard, ..)| automaton.bdds.value(*guard, value));
    edge.map_or(place, |(_, _, target)| *target)
}

/// A situation: states of the strategy and of automata.
pub(super) type Situation = Vec<u32>;

/// The pairs that were visited, and how often.
pub(super) struct Visits {
    /// Automata of guarantees, besides those of assumptions that every run watches.
    pub(super) guarantees: Vec<Deterministic>,
    counts: FxHashMap<(Situation, Vec<bool>), u32>,
}

impl Visits {
    /// No visits yet.
    pub(super) fn with(guarantees: Vec<Deterministic>) -> Visits {
        Visits { guarantees, counts: FxHashMap::default() }
    }

    /// Notes a visit.
    pub(super) fn note(&mut self, situation: Situation, inputs: Vec<bool>) {
        *self.counts.entry((situation, inputs)).or_insert(0) += 1;
    }

    /// How often a pair was visited.
    pub(super) fn count(&self, situation: &Situation, inputs: Vec<bool>) -> u32 {
        self.counts.get(&(situation.clone(), inputs)).copied().unwrap_or(0)
    }

    /// How many pairs were visited.
    pub(super) fn pairs(&self) -> usize {
        self.counts.len()
    }

    /// Forgets all visits.
    pub(super) fn clear(&mut self) {
        self.counts.clear();
    }
}
