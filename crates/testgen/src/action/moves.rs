//! What a state does: the steps a tester may see, and those nobody sees.

use action::spec::ActionKind;
use action::{Machine, Program};

use super::labels::{Labels, kind};
use super::limits::Stopped;

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
        ways: u64,
        state: &[i64],
        labels: &mut Labels,
        number: &mut dyn FnMut(&[i64]) -> u32,
    ) -> Result<Moves, Stopped> {
        let stride = program.shape().stride();
        let mut moves = Moves::default();
        machine.refuel(ways);
        let went = machine.steps(program, state, &mut |step| {
            let post = number(step.post);
            match kind(kinds, stride, step.label) {
                ActionKind::Internal => moves.internal.push(post),
                ActionKind::Observable => moves.outputs.push((labels.number(step.label), post)),
                ActionKind::Controllable => moves.inputs.push((labels.number(step.label), post)),
            }
            true
        });
        went.map_err(|_| Stopped::Ways(ways))?;
        moves.internal.sort_unstable();
        moves.internal.dedup();
        for list in [&mut moves.outputs, &mut moves.inputs] {
            list.sort_unstable_by(|left, right| labels.compare(left.0, right.0).then(left.1.cmp(&right.1)));
            list.dedup();
        }
        Ok(moves)
    }

    /// Whether the state waits for an input.
    pub(super) fn is_silent(&self) -> bool {
        self.internal.is_empty() && self.outputs.is_empty()
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
pub(super) fn grouped(labels: &Labels, mut steps: Vec<(u32, u32)>) -> Vec<(u32, Vec<u32>)> {
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
