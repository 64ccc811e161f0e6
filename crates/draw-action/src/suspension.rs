//! What a tester may see of a model: sets of states it may be in, and the labels between them, silence included.
//!
//! It is explored once for all mutants of the model. A mutant is looked at beside it only where it does something else.

use action::spec::{ActionKind, Spec};
use action::{Machine, Program};
use rustc_hash::FxHashMap;

use super::labels::Labels;
use super::limits::{Limits, Stopped};
use super::moves::{Moves, Set, View, closed};
use super::store::Store;

/// The number that stands for silence instead of a label.
pub(super) const SILENCE: u32 = u32::MAX;
/// The number that stands for a set beyond the depth that is looked at.
pub(super) const BEYOND: u32 = u32::MAX;

/// The sets of states of a model, in the order of a breadth-first search.
pub(super) struct Suspension {
    pub(super) store: Store,
    pub(super) labels: Labels,
    sets: Vec<Set>,
    numbers: FxHashMap<Set, u32>,
    /// For each set where its edges begin; one more at the end.
    first_edges: Vec<u32>,
    /// A label, or silence, and the set it leads to.
    edges: Vec<(u32, u32)>,
    /// Why it is not complete, if it is not.
    pub(super) stopped: Option<Stopped>,
}

struct Exploration<'a> {
    program: &'a Program,
    kinds: &'a [ActionKind],
    machine: Machine,
    limits: &'a Limits,
    moves: Vec<Option<Moves>>,
    state: Vec<i64>,
}

impl Suspension {
    /// Explores a model whose actions are decided about as `kinds` says.
    pub(super) fn explore(spec: &Spec, program: &Program, kinds: &[ActionKind], limits: &Limits) -> Suspension {
        let mut suspension = Suspension {
            store: Store::new(spec),
            labels: Labels::new(program.shape()),
            sets: Vec::new(),
            numbers: FxHashMap::default(),
            first_edges: vec![0],
            edges: Vec::new(),
            stopped: None,
        };
        let mut exploration = Exploration {
            program,
            kinds,
            machine: limits.machine(),
            limits,
            moves: Vec::new(),
            state: vec![0; spec.slots().len()],
        };
        suspension.stopped = suspension.search(&mut exploration, spec.initial(), limits).err();
        suspension
    }

    fn search(&mut self, exploration: &mut Exploration<'_>, initial: &[i64], limits: &Limits) -> Result<(), Stopped> {
        let initial = self.store.insert(initial);
        let begin = self.closed(exploration, vec![initial])?;
        self.add(begin);
        let (mut next, mut depth, mut cut) = (0usize, 0u64, None);
        while next < self.sets.len() {
            let level_end = self.sets.len();
            let last = limits.depth == Some(depth);
            while next < level_end {
                self.spent(next, limits)?;
                for (label, set) in self.successors(exploration, next)? {
                    let target = match self.numbers.get(&set) {
                        Some(known) => *known,
                        None if last => {
                            cut = Some(Stopped::Depth(depth));
                            BEYOND
                        }
                        None => self.add(set),
                    };
                    self.edges.push((label, target));
                }
                self.first_edges.push(self.edges.len() as u32);
                next += 1;
            }
            depth += 1;
        }
        cut.map_or(Ok(()), Err)
    }

    fn spent(&self, number: usize, limits: &Limits) -> Result<(), Stopped> {
        if limits.states < self.sets.len() {
            return Err(Stopped::States(limits.states));
        }
        let bytes = self.store.memory() + self.edges.capacity() * 8 + self.sets.len() * 96;
        if limits.memory < bytes {
            return Err(Stopped::Memory(limits.memory));
        }
        if number.is_multiple_of(64) { limits.spent().map_or(Ok(()), Err) } else { Ok(()) }
    }

    fn add(&mut self, set: Set) -> u32 {
        let number = self.sets.len() as u32;
        self.numbers.insert(set.clone(), number);
        self.sets.push(set);
        number
    }

    /// Makes sure that the moves of a state are known.
    fn expand(&mut self, exploration: &mut Exploration<'_>, state: u32) -> Result<(), Stopped> {
        let place = state as usize;
        if exploration.moves.len() <= place {
            exploration.moves.resize(place + 1, None);
        }
        if exploration.moves[place].is_none() {
            self.store.state(place, &mut exploration.state);
            let Exploration { program, kinds, machine, limits, state, .. } = exploration;
            let store = &mut self.store;
            let number = &mut |post: &[i64]| store.insert(post);
            let moves = Moves::of(machine, program, kinds, limits, state, &mut self.labels, number)?;
            exploration.moves[place] = Some(moves);
        }
        Ok(())
    }

    fn closed(&mut self, exploration: &mut Exploration<'_>, states: Vec<u32>) -> Result<Set, Stopped> {
        closed(states, |state, next| {
            self.expand(exploration, state)?;
            next.extend_from_slice(&known(exploration, state).internal);
            Ok(())
        })
    }

    /// What a tester may see next: silence, outputs; and the inputs it may give.
    fn successors(&mut self, exploration: &mut Exploration<'_>, set: usize) -> Result<Vec<(u32, Set)>, Stopped> {
        // The moves of its states were needed to close the set.
        let mut view = View::of(&self.labels, &self.sets[set], |state| known(exploration, state));
        let mut successors = Vec::new();
        if !view.silent.is_empty() {
            successors.push((SILENCE, std::mem::take(&mut view.silent).into_boxed_slice()));
        }
        let outputs = std::mem::take(&mut view.outputs);
        for (label, posts) in outputs.into_iter().chain(view.specified()) {
            successors.push((label, self.closed(exploration, posts)?));
        }
        Ok(successors)
    }

    pub(super) fn set(&self, number: u32) -> &Set {
        &self.sets[number as usize]
    }

    /// The number of a set of states.
    pub(super) fn find(&self, set: &Set) -> Option<u32> {
        self.numbers.get(set).copied()
    }

    /// How many sets there are.
    pub(super) fn len(&self) -> usize {
        self.sets.len()
    }

    /// What leads out of a set; none where the exploration did not come to it.
    pub(super) fn edges(&self, number: u32) -> Option<&[(u32, u32)]> {
        let place = number as usize;
        let end = *self.first_edges.get(place + 1)?;
        Some(&self.edges[self.first_edges[place] as usize..end as usize])
    }
}

fn known<'a>(exploration: &'a Exploration<'_>, state: u32) -> &'a Moves {
    exploration.moves[state as usize].as_ref().expect("the moves of a closed set's states are known")
}
