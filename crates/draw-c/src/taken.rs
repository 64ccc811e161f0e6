//! Executions that take an edge: what most goals ask for, without an automaton.

use fql::automaton::{Automaton, Sets};
use fql::bits::BitSet;
use smt::Term;

use super::build::Build;
use super::network::{Acceptance, absorbing};
use super::trace::Trace;

/// When each edge is taken, by its number in queries.
pub(super) struct Taken {
    guards: Vec<Vec<Term>>,
}

impl Taken {
    pub(super) fn new(build: &mut Build<'_>, trace: &Trace, edges: usize) -> Taken {
        let mut guards: Vec<Vec<Term>> = vec![Vec::new(); edges];
        for point in &trace.points {
            let [first, rest @ ..] = point.steps.as_slice() else { continue };
            let letter = |step: &super::trace::Step| step.edge.map(|_| step.letter);
            if let Some(only) = letter(first).filter(|_| rest.iter().all(|step| letter(step) == letter(first))) {
                guards[only as usize].push(point.guard);
                continue;
            }
            for step in &point.steps {
                if let Some(letter) = letter(step) {
                    let from = trace.points[step.from.0 as usize].guard;
                    guards[letter as usize].push(build.and(from, step.condition));
                }
            }
        }
        Taken { guards }
    }

    /// When an execution takes an edge and comes to its end.
    pub(super) fn accepted(&self, build: &mut Build<'_>, letter: u32, ends: Term) -> Acceptance {
        let entered = build.any(&self.guards[letter as usize]);
        let mut letters = BitSet::new(self.guards.len());
        letters.insert(letter);
        Acceptance { term: build.and(entered, ends), entered: Some((entered, letters)) }
    }
}

/// Whether an automaton accepts exactly the executions that take an edge.
pub(super) fn asks_for(automaton: &Automaton, sets: &Sets, edges: usize, letter: u32) -> bool {
    let absorbing = absorbing(automaton, sets, edges);
    let initial = Automaton::INITIAL;
    if automaton.states != 2 || absorbing[initial as usize] || !absorbing[1 - initial as usize] {
        return false;
    }
    let steps = || automaton.steps_from(initial).iter();
    let waits = steps().filter(|step| step.to == initial).any(|step| sets.edge_set(step.edges).len() == edges);
    let takes = |set: &BitSet| set.len() == 1 && set.contains(letter);
    let only = steps().filter(|step| step.to != initial).all(|step| takes(sets.edge_set(step.edges)));
    let some = steps().any(|step| step.to != initial);
    waits && only && some && steps().all(|step| step.guard.is_trivial())
}
