//! States packed into as few bits as their types need.

use crate::Spec;

/// How the states of a model are packed: each slot in its own bits of a 64-bit word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packing {
    fields: Vec<Field>,
    words: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Field {
    word: u32,
    shift: u32,
    mask: u64,
    low: i64,
}

impl Packing {
    /// The packing for the states of a model.
    pub fn new(spec: &Spec) -> Packing {
        let (mut word, mut used) = (0u32, 0u32);
        let mut fields = Vec::new();
        for slot in spec.slots() {
            let width = 64 - ((slot.high - slot.low) as u64).leading_zeros();
            if 64 < used + width {
                (word, used) = (word + 1, 0);
            }
            let mask = if width == 0 { 0 } else { u64::MAX >> (64 - width) };
            fields.push(Field { word, shift: used.min(63), mask, low: slot.low });
            used += width;
        }
        Packing { fields, words: word as usize + 1 }
    }

    /// The words of a packed state.
    pub fn words(&self) -> usize {
        self.words
    }

    /// Packs a state whose values lie within their types.
    pub fn pack(&self, state: &[i64], packed: &mut [u64]) {
        packed.fill(0);
        for (field, value) in self.fields.iter().zip(state) {
            packed[field.word as usize] |= ((value - field.low) as u64 & field.mask) << field.shift;
        }
    }

    /// Unpacks a state.
    pub fn unpack(&self, packed: &[u64], state: &mut [i64]) {
        for (field, value) in self.fields.iter().zip(state) {
            *value = ((packed[field.word as usize] >> field.shift) & field.mask) as i64 + field.low;
        }
    }
}
