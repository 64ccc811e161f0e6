//! The reachable states of a model, packed: a few bits for the state, ten to sixteen bytes for the table.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use action::trace::Step;
use action::{Machine, Program, Regions, Shape, Spec};
use rustc_hash::FxHashSet;

use super::limits::{Limits, Stopped};
use super::store::Store;

/// The reachable states of a model in the order of a breadth-first search, so that shorter ways come first.
pub struct Space {
    store: Store,
    slots: usize,
    /// The state from which each state was first reached.
    parents: Vec<u32>,
    /// The number of the first state of each depth.
    levels: Vec<u32>,
    expanded: usize,
    stopped: Option<Stopped>,
    shape: Shape,
    program: Program,
    initial: Vec<i64>,
    /// For slots that were asked for, the first state with each combination of their values.
    representatives: Mutex<BTreeMap<Vec<u32>, Representatives>>,
}

/// The first state with each combination of values of some slots, ascending; none where that would be most states.
pub(super) type Representatives = Option<Arc<Vec<u32>>>;

/// More representatives than this are not kept: then every state is looked at.
const MOST_REPRESENTATIVES: usize = 1 << 20;

/// States between two looks at the clock.
const STATES_PER_LOOK: usize = 1 << 14;

/// Counts of steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Steps {
    /// Distinct pairs of a state and a successor.
    pub pairs: u64,
    /// Distinct steps with their labels, all parameter values counted.
    pub labelled: u64,
}

impl Space {
    /// Explores a model.
    pub fn explore(spec: &Spec, limits: &Limits) -> Space {
        let shape = Shape::of(&[spec]);
        let program = Program::new(spec, &shape, &Regions::of(&[spec], &shape));
        let mut space = Space {
            store: Store::new(spec),
            slots: spec.slots().len(),
            parents: Vec::new(),
            levels: Vec::new(),
            expanded: 0,
            stopped: None,
            shape,
            program,
            initial: spec.initial().to_vec(),
            representatives: Mutex::default(),
        };
        space.stopped = space.search(limits).err();
        space.store.shrink();
        space.parents.shrink_to_fit();
        space
    }

    fn search(&mut self, limits: &Limits) -> Result<(), Stopped> {
        let mut machine = limits.machine();
        let mut state = self.initial.clone();
        self.store.insert(&state);
        self.parents.push(0);
        self.levels.push(0);
        let program = self.program.clone();
        let (mut next, mut depth) = (0usize, 0u64);
        while next < self.len() {
            let level_end = self.len();
            let last = limits.depth == Some(depth);
            while next < level_end {
                if next.is_multiple_of(256)
                    && let Some(stopped) = limits.spent()
                {
                    return Err(stopped);
                }
                self.state(next, &mut state);
                machine.refuel(limits.ways);
                let mut outcome = Ok(());
                let went = machine.steps(&program, &state, &mut |found| {
                    if self.store.find(found.post).is_none() {
                        outcome = if last { Err(Stopped::Depth(depth)) } else { self.admit(next, limits) };
                    }
                    outcome.is_ok()
                });
                outcome?;
                went.map_err(|_| limits.stopped())?;
                next += 1;
                if !last {
                    self.expanded = next;
                }
            }
            if level_end < self.len() {
                self.levels.push(level_end as u32);
            }
            depth += 1;
        }
        Ok(())
    }

    /// Takes in the state just looked for.
    fn admit(&mut self, parent: usize, limits: &Limits) -> Result<(), Stopped> {
        if limits.states.min(Store::MOST) <= self.len() {
            return Err(Stopped::States(limits.states));
        }
        if limits.memory < self.memory() {
            return Err(Stopped::Memory(limits.memory));
        }
        self.store.insert_last();
        self.parents.push(parent as u32);
        Ok(())
    }

    /// The number of states found.
    pub fn len(&self) -> usize {
        self.parents.len()
    }

    /// Never: the initial state is always there.
    pub fn is_empty(&self) -> bool {
        self.parents.is_empty()
    }

    /// How many states had all their steps followed.
    pub fn expanded(&self) -> usize {
        self.expanded
    }

    /// Why the exploration stopped before its end, if it did.
    pub fn stopped(&self) -> Option<Stopped> {
        self.stopped
    }

    /// The bytes that states take.
    pub fn memory(&self) -> usize {
        self.store.memory() + self.parents.capacity() * 4
    }

    /// The depth of the deepest state.
    pub fn depth(&self) -> usize {
        self.levels.len().saturating_sub(1)
    }

    /// The depth of a state.
    pub fn depth_of(&self, number: usize) -> usize {
        self.levels.partition_point(|&first| first as usize <= number) - 1
    }

    /// Writes a state to `state`, which has one place for each slot.
    pub fn state(&self, number: usize, state: &mut [i64]) {
        self.store.state(number, state);
    }

    /// The number of a state, if it is reachable.
    pub fn number_of(&self, state: &[i64]) -> Option<usize> {
        self.store.lookup(state).map(|number| number as usize)
    }

    /// A state.
    pub fn state_at(&self, number: usize) -> Vec<i64> {
        let mut state = vec![0; self.slots];
        self.state(number, &mut state);
        state
    }

    /// The first state with each combination of values that some slots have in reachable states. Where a question about a
    /// state depends on these slots alone, the answer for one of them is the answer for all that are like it.
    pub(super) fn representatives(&self, slots: &[u32], limits: &Limits) -> Result<Representatives, Stopped> {
        if slots.len() == self.slots {
            return Ok(None);
        }
        let known = || self.representatives.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known().get(slots) {
            return Ok(found.clone());
        }
        let found = self.distinct_on(slots, limits)?;
        known().insert(slots.to_vec(), found.clone());
        Ok(found)
    }

    fn distinct_on(&self, slots: &[u32], limits: &Limits) -> Result<Representatives, Stopped> {
        let mut seen: FxHashSet<Box<[i64]>> = FxHashSet::default();
        let mut found = Vec::new();
        let mut state = vec![0; self.slots];
        let mut values = Vec::new();
        for number in 0..self.len() {
            if number.is_multiple_of(STATES_PER_LOOK) {
                limits.spent().map_or(Ok(()), Err)?;
            }
            self.state(number, &mut state);
            values.clear();
            values.extend(slots.iter().map(|slot| state[*slot as usize]));
            if !seen.contains(values.as_slice()) {
                if seen.len() == MOST_REPRESENTATIVES {
                    return Ok(None);
                }
                seen.insert(values.as_slice().into());
                found.push(number as u32);
            }
        }
        Ok(Some(Arc::new(found)))
    }

    /// The code of the model.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// A shortest way to a state.
    pub fn trace(&self, number: usize) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut machine = Machine::default();
        let mut at = number;
        while at != 0 {
            let parent = self.parents[at] as usize;
            let post = self.state_at(at);
            let mut label = None;
            machine
                .steps(&self.program, &self.state_at(parent), &mut |found| {
                    if found.post == post && label.as_deref().is_none_or(|best: &[i64]| found.label < best) {
                        label = Some(found.label.to_vec());
                    }
                    true
                })
                .expect("the machine has all the fuel there is");
            let label = label.expect("a state is reached from its parent by a step");
            steps.push(Step { label: self.shape.decode(&label), post });
            at = parent;
        }
        steps.reverse();
        steps
    }

    /// Counts the steps from every state that was expanded.
    pub fn count_steps(&self) -> Steps {
        let mut counts = Steps::default();
        let mut machine = Machine::default();
        for number in 0..self.expanded {
            let mut posts: Vec<Vec<i64>> = Vec::new();
            let mut labels: Vec<(Vec<i64>, Vec<i64>, u64)> = Vec::new();
            machine
                .steps(&self.program, &self.state_at(number), &mut |found| {
                    posts.push(found.post.to_vec());
                    labels.push((found.label.to_vec(), found.post.to_vec(), found.weight));
                    true
                })
                .expect("the machine has all the fuel there is");
            posts.sort();
            posts.dedup();
            labels.sort();
            labels.dedup();
            counts.pairs += posts.len() as u64;
            counts.labelled += labels.iter().map(|(_, _, weight)| weight).sum::<u64>();
        }
        counts
    }
}
