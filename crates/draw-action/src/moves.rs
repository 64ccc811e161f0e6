//! What a state does, and what may be seen of a set of states: outputs, silence, and the inputs that can be given.

use std::collections::BTreeSet;
use std::convert::Infallible;

use action::spec::ActionKind;
use action::{Machine, Program};

use super::labels::{Labels, kind};
use super::limits::{Limits, Stopped};
use super::silence::{Own, silent_around};

/// The steps from one state, by the numbers of labels and of the states after them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Moves {
    pub(super) internal: Vec<u32>,
    pub(super) outputs: Vec<(u32, u32)>,
    pub(super) inputs: Vec<(u32, u32)>,
}

impl Moves {
    /// The moves of a state; `number` gives numbers to the states after its steps.
    pub(super) fn of(
        machine: &mut Machine,
        program: &Program,
        kinds: &[ActionKind],
        limits: &Limits,
        state: &[i64],
        labels: &mut Labels,
        number: &mut dyn FnMut(&[i64]) -> u32,
    ) -> Result<Moves, Stopped> {
        let stride = program.shape().stride();
        let mut moves = Moves::default();
        machine.refuel(limits.ways);
        let went = machine.steps(program, state, &mut |step| {
            let post = number(step.post);
            match kind(kinds, stride, step.label) {
                ActionKind::Internal => moves.internal.push(post),
                ActionKind::Observable => moves.outputs.push((labels.number(step.label), post)),
                ActionKind::Controllable => moves.inputs.push((labels.number(step.label), post)),
            }
            true
        });
        went.map_err(|_| limits.stopped())?;
        moves.internal.sort_unstable();
        moves.internal.dedup();
        for list in [&mut moves.outputs, &mut moves.inputs] {
            list.sort_unstable_by(|left, right| labels.compare(left.0, right.0).then(left.1.cmp(&right.1)));
            list.dedup();
        }
        Ok(moves)
    }
}

/// A set of states, ascending, by number.
pub(super) type Set = Box<[u32]>;

/// Adds what internal steps lead to; `internal` adds those of one state to a list.
pub(super) fn closed(
    mut states: Vec<u32>,
    mut internal: impl FnMut(u32, &mut Vec<u32>) -> Result<(), Stopped>,
) -> Result<Set, Stopped> {
    states.sort_unstable();
    states.dedup();
    let mut open = states.clone();
    let mut next = Vec::new();
    while let Some(state) = open.pop() {
        next.clear();
        internal(state, &mut next)?;
        for &post in &next {
            if let Err(place) = states.binary_search(&post) {
                states.insert(place, post);
                open.push(post);
            }
        }
    }
    Ok(states.into_boxed_slice())
}

/// A list of steps by label: each label once, with the states after it.
fn grouped(labels: &Labels, mut steps: Vec<(u32, u32)>) -> Vec<(u32, Vec<u32>)> {
    steps.sort_by(|left, right| labels.compare(left.0, right.0));
    let mut groups: Vec<(u32, Vec<u32>)> = Vec::new();
    for (label, post) in steps {
        match groups.last_mut() {
            Some((last, posts)) if *last == label => posts.push(post),
            _ => groups.push((label, vec![post])),
        }
    }
    groups
}

/// What may be seen of a set of states, and what can be given to it.
pub(super) struct View {
    /// The states in which nothing comes by itself.
    pub(super) silent: Vec<u32>,
    /// Each output with the states after it.
    pub(super) outputs: Vec<(u32, Vec<u32>)>,
    /// Each input.
    pub(super) inputs: Vec<Input>,
    states: usize,
}

/// An input to a set of states.
pub(super) struct Input {
    pub(super) label: u32,
    /// The states after it.
    pub(super) posts: Vec<u32>,
    /// The states that take it, ascending.
    pub(super) takers: Vec<u32>,
}

impl View {
    /// The view of a closed set of states, all of whose moves are known.
    pub(super) fn of<'a>(labels: &Labels, set: &[u32], moves: impl Fn(u32) -> &'a Moves) -> View {
        let (mut outputs, mut inputs) = (Vec::new(), Vec::new());
        for &state in set {
            let moves = moves(state);
            outputs.extend_from_slice(&moves.outputs);
            inputs.extend(moves.inputs.iter().map(|(label, post)| (*label, state, *post)));
        }
        View {
            silent: silent(set, &moves),
            outputs: grouped(labels, outputs),
            inputs: taken(labels, inputs),
            states: set.len(),
        }
    }

    /// The inputs that every state takes, with the states after them: after any other, nothing is said about a system.
    pub(super) fn specified(self) -> impl Iterator<Item = (u32, Vec<u32>)> {
        let all = self.states;
        self.inputs.into_iter().filter(move |input| input.takers.len() == all).map(|input| (input.label, input.posts))
    }
}

fn silent<'a>(set: &[u32], moves: &impl Fn(u32) -> &'a Moves) -> Vec<u32> {
    let mut found = BTreeSet::new();
    for state in set {
        let own = |state: &u32| -> Result<Own<u32>, Infallible> {
            let moves = moves(*state);
            Ok(Own { internal: moves.internal.clone(), puts_out: !moves.outputs.is_empty() })
        };
        if !found.contains(state)
            && let Ok(Some(around)) = silent_around(state, own)
        {
            found.extend(around);
        }
    }
    found.into_iter().collect()
}

fn taken(labels: &Labels, mut steps: Vec<(u32, u32, u32)>) -> Vec<Input> {
    steps.sort_by(|left, right| labels.compare(left.0, right.0));
    let mut inputs: Vec<Input> = Vec::new();
    for (label, state, post) in steps {
        match inputs.last_mut() {
            Some(last) if last.label == label => {
                last.posts.push(post);
                if last.takers.last() != Some(&state) {
                    last.takers.push(state);
                }
            }
            _ => inputs.push(Input { label, posts: vec![post], takers: vec![state] }),
        }
    }
    inputs
}
