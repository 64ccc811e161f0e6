//! The table behind hash-consing: hashes to ids, open addressing, one cache line per look-up.
//!
//! A general hash table keeps its control bytes and its entries apart and rehashes by visiting what the entries point to:
//! for tens of millions of terms both are cache misses, and they were most of the time spent building terms. Here a slot
//! holds the id and half of the hash side by side. Lines of slots are ordered by the upper bits of the hash, so that
//! growing reads the old slots and writes the new ones front to back, without looking at a term. A caller that gives
//! neighbours hashes that differ in the lowest bits of the upper half only finds them in one line.

/// A set of ids, found by hash.
#[derive(Clone, Debug, Default)]
pub(crate) struct UniqueTable {
    /// Zero, or the hash's upper half above the id plus one. The length is zero or a power of two.
    slots: Vec<u64>,
    len: usize,
}

const SMALLEST: usize = 1 << 10;

impl UniqueTable {
    /// The id with this hash for which `is_same` holds.
    pub(crate) fn find(&self, hash: u64, mut is_same: impl FnMut(u32) -> bool) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let mask = self.slots.len() - 1;
        let mut place = self.home(hash);
        loop {
            let slot = self.slots[place];
            if slot == 0 {
                return None;
            }
            if slot >> 32 == hash >> 32 && is_same(slot as u32 - 1) {
                return Some(slot as u32 - 1);
            }
            place = (place + 1) & mask;
        }
    }

    /// Adds an id that is not in the table. Ids stay below `u32::MAX`.
    pub(crate) fn insert(&mut self, hash: u64, id: u32) {
        if self.slots.len() * 3 <= self.len * 4 {
            self.grow();
        }
        self.place(hash & !0xffff_ffff | u64::from(id + 1));
        self.len += 1;
    }

    /// The bytes the table occupies.
    pub(crate) fn memory(&self) -> usize {
        self.slots.capacity() * size_of::<u64>()
    }

    /// Where the search for a hash starts: the upper bits of its upper half choose a line of eight slots, the lowest
    /// three of that half a slot in it.
    fn home(&self, hash: u64) -> usize {
        let (half, line_bits) = (hash >> 32, self.slots.len().trailing_zeros() - 3);
        (half << line_bits >> 32 << 3 | half & 7) as usize
    }

    fn place(&mut self, slot: u64) {
        let mask = self.slots.len() - 1;
        let mut place = self.home(slot);
        while self.slots[place] != 0 {
            place = (place + 1) & mask;
        }
        self.slots[place] = slot;
    }

    fn grow(&mut self) {
        let slots = vec![0; (2 * self.slots.len()).max(SMALLEST)];
        let old = std::mem::replace(&mut self.slots, slots);
        old.into_iter().filter(|&slot| slot != 0).for_each(|slot| self.place(slot));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_id_is_found_again_whatever_its_hash() {
        // Hashes that collide in the upper half, in all of it, and hardly at all.
        for spread in [0, 1, 0x1_0000_0000, 0x9e37_79b9_7f4a_7c15] {
            let mut table = UniqueTable::default();
            let hash = |id: u32| u64::from(id % 50).wrapping_mul(spread);
            for id in 0..3_000 {
                assert_eq!(table.find(hash(id), |found| found == id), None);
                table.insert(hash(id), id);
            }
            for id in 0..3_000 {
                assert_eq!(table.find(hash(id), |found| found == id), Some(id));
            }
            assert_eq!(table.find(hash(0), |_| false), None);
        }
    }
}
