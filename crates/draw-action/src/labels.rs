//! Labels with numbers.

use std::cmp::Ordering;
use std::hash::Hasher;

use action::Shape;
use action::spec::ActionKind;
use action::trace::Label;
use hashbrown::HashTable;
use rustc_hash::FxHasher;

/// Labels laid out as a shape says, each with a number.
pub(super) struct Labels {
    shape: Shape,
    /// For each action of the shape its place in the order of names.
    ranks: Vec<i64>,
    numbers: Vec<i64>,
    table: HashTable<u32>,
}

impl Labels {
    pub(super) fn new(shape: &Shape) -> Labels {
        let mut order: Vec<usize> = (0..shape.actions.len()).collect();
        order.sort_by(|left, right| shape.actions[*left].cmp(&shape.actions[*right]));
        let mut ranks = vec![0; order.len()];
        (1i64..).zip(order).for_each(|(rank, action)| ranks[action] = rank);
        Labels { shape: shape.clone(), ranks, numbers: Vec::new(), table: HashTable::new() }
    }

    /// The number of a label.
    pub(super) fn number(&mut self, label: &[i64]) -> u32 {
        let width = self.shape.width();
        let (numbers, key) = (&self.numbers, hash(label));
        let at = |number: u32| &numbers[number as usize * width..(number as usize + 1) * width];
        if let Some(known) = self.table.find(key, |number| at(*number) == label) {
            return *known;
        }
        let number = (self.numbers.len() / width) as u32;
        self.numbers.extend_from_slice(label);
        let numbers = &self.numbers;
        let rehash = |other: &u32| hash(&numbers[*other as usize * width..(*other as usize + 1) * width]);
        self.table.insert_unique(key, number, rehash);
        number
    }

    fn at(&self, number: u32) -> &[i64] {
        let width = self.shape.width();
        &self.numbers[number as usize * width..(number as usize + 1) * width]
    }

    /// Labels in the order of their names and arguments.
    pub(super) fn compare(&self, left: u32, right: u32) -> Ordering {
        if left == right {
            return Ordering::Equal;
        }
        let stride = self.shape.stride();
        let events = |number: u32| {
            self.at(number).chunks(stride).map(|event| {
                let rank = usize::try_from(event[0] - 1).map_or(0, |action| self.ranks[action]);
                (rank, &event[1..])
            })
        };
        events(left).cmp(events(right))
    }

    pub(super) fn decode(&self, number: u32) -> Label {
        self.shape.decode(self.at(number))
    }
}

/// Who makes a step with a label happen, given who decides about each action. A joint step is an input if its first event
/// is; the rest of it is then the system's prompt reaction.
pub(super) fn kind(kinds: &[ActionKind], stride: usize, label: &[i64]) -> ActionKind {
    let mut events =
        label.iter().step_by(stride).filter(|action| **action != 0).map(|action| kinds[*action as usize - 1]);
    match events.next() {
        Some(ActionKind::Internal) if events.all(|kind| kind == ActionKind::Internal) => ActionKind::Internal,
        Some(ActionKind::Controllable) => ActionKind::Controllable,
        Some(ActionKind::Observable | ActionKind::Internal) | None => ActionKind::Observable,
    }
}

fn hash(label: &[i64]) -> u64 {
    let mut hasher = FxHasher::default();
    label.iter().for_each(|number| hasher.write_i64(*number));
    hasher.finish().wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
