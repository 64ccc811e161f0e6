//! States with numbers, packed: a few bits for each state, and a table from states to numbers.

use std::hash::Hasher;

use action::{Packing, Spec};
use hashbrown::HashTable;
use rustc_hash::FxHasher;

/// States of a model, each with a number.
pub(super) struct Store {
    packing: Packing,
    domains: Vec<(i64, i64)>,
    words: Vec<u64>,
    table: HashTable<u32>,
    count: usize,
    /// Where the state at hand is packed.
    scratch: Vec<u64>,
}

impl Store {
    pub(super) fn new(spec: &Spec) -> Store {
        let packing = Packing::new(spec);
        Store {
            scratch: vec![0; packing.words()],
            packing,
            domains: spec.slots().iter().map(|slot| (slot.low, slot.high)).collect(),
            words: Vec::new(),
            table: HashTable::new(),
            count: 0,
        }
    }

    /// The most states a store can hold.
    pub(super) const MOST: usize = u32::MAX as usize - 1;

    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// Gives back the room that was kept for further states.
    pub(super) fn shrink(&mut self) {
        self.words.shrink_to_fit();
    }

    /// The bytes that states take.
    pub(super) fn memory(&self) -> usize {
        self.words.capacity() * 8 + self.table.allocation_size()
    }

    /// The number of a state within its types, if it is here; it is remembered for [`Store::insert_last`] otherwise.
    pub(super) fn find(&mut self, state: &[i64]) -> Option<u32> {
        self.packing.pack(state, &mut self.scratch);
        self.number(&self.scratch)
    }

    /// The number of any state, if it is here.
    pub(super) fn lookup(&self, state: &[i64]) -> Option<u32> {
        let fits = |(value, (low, high)): (&i64, &(i64, i64))| low <= value && value <= high;
        if !state.iter().zip(&self.domains).all(fits) {
            return None;
        }
        let mut packed = vec![0; self.packing.words()];
        self.packing.pack(state, &mut packed);
        self.number(&packed)
    }

    fn number(&self, packed: &[u64]) -> Option<u32> {
        self.table.find(hash(packed), |&number| self.packed(number as usize) == packed).copied()
    }

    /// Adds the state that [`Store::find`] did not find.
    pub(super) fn insert_last(&mut self) -> u32 {
        let number = self.count as u32;
        self.count += 1;
        self.words.extend_from_slice(&self.scratch);
        let (width, words) = (self.packing.words(), &self.words);
        let rehash = |&other: &u32| hash(&words[other as usize * width..(other as usize + 1) * width]);
        self.table.insert_unique(hash(&self.scratch), number, rehash);
        number
    }

    /// The number of a state within its types, which is added where it is not here.
    pub(super) fn insert(&mut self, state: &[i64]) -> u32 {
        self.find(state).unwrap_or_else(|| self.insert_last())
    }

    fn packed(&self, number: usize) -> &[u64] {
        &self.words[number * self.packing.words()..(number + 1) * self.packing.words()]
    }

    /// Writes a state to `state`, which has one place for each slot.
    pub(super) fn state(&self, number: usize, state: &mut [i64]) {
        self.packing.unpack(self.packed(number), state);
    }
}

fn hash(packed: &[u64]) -> u64 {
    let mut hasher = FxHasher::default();
    packed.iter().for_each(|word| hasher.write_u64(*word));
    // The table takes the top bits too; one more multiplication spreads small states over all of them.
    hasher.finish().wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
