//! Memory: objects of bytes. An address holds its object and an offset.

use super::{Fault, Limit};
use crate::program::{FunctionId, VariableId};

/// An object, counted from 0 in order of its birth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct ObjectId(pub u32);

/// What an object is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Variable(VariableId),
    Heap,
    /// Made for a pointer that is an input; the name of its first element without index, and how many pointers deep it is.
    Input {
        name: String,
        element: crate::types::TypeId,
        depth: u32,
        /// The call of the entry function in which it was made.
        call: u32,
    },
    /// Made by the machine.
    Internal,
}

#[derive(Clone, Debug)]
pub(super) struct Object {
    pub bytes: Vec<u8>,
    /// For each byte whether it has a value.
    pub known: Vec<bool>,
    pub alive: bool,
    /// Whether what has no value got none from inline assembly: it is unknown, and no input.
    pub assembled: bool,
    pub constant: bool,
    /// Whether nobody knows how large it is.
    pub endless: bool,
    pub kind: Kind,
    base: u64,
}

/// All objects of a run.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    pub objects: Vec<Object>,
    wide: bool,
    next: u64,
    used: u64,
    limit: u64,
    pub big_endian: bool,
}

const FUNCTIONS: u64 = 0x7fff_0000_0000_0000;
const NARROW_FUNCTIONS: u64 = 0xf000_0000;

/// The address of a function.
pub(super) fn function_address(function: FunctionId, pointer: u8) -> i128 {
    let base = if pointer == 8 { FUNCTIONS } else { NARROW_FUNCTIONS };
    i128::from(base + 16 * u64::from(function.0))
}

/// The function at an address.
pub(super) fn function_at(address: i128, pointer: u8) -> Option<FunctionId> {
    let base = if pointer == 8 { FUNCTIONS } else { NARROW_FUNCTIONS };
    let offset = u64::try_from(address).ok()?.checked_sub(base)?;
    (offset % 16 == 0 && offset / 16 < 1 << 24).then_some(FunctionId((offset / 16) as u32))
}

impl Memory {
    pub(super) fn new(pointer: u8, limit: u64, big_endian: bool) -> Memory {
        Memory { objects: Vec::new(), wide: pointer == 8, next: 0x1_0000, used: 0, limit, big_endian }
    }

    pub(super) fn allocate(&mut self, size: u64, kind: Kind, known: bool) -> Result<ObjectId, Limit> {
        self.used = self.used.saturating_add(size.saturating_add(64));
        if self.used > self.limit || self.objects.len() as u64 >= 1 << 30 {
            return Err(Limit::Memory);
        }
        let id = ObjectId(self.objects.len() as u32);
        let base = if self.wide {
            (u64::from(id.0) + 1) << 32
        } else {
            let base = self.next;
            // Room behind every object keeps addresses just outside of it from meaning another.
            self.next = (base + size + 64).next_multiple_of(16);
            if self.next >= NARROW_FUNCTIONS {
                return Err(Limit::Memory);
            }
            base
        };
        let size = size as usize;
        self.objects.push(Object {
            bytes: vec![0; size],
            known: vec![known; size],
            alive: true,
            assembled: false,
            constant: false,
            endless: false,
            kind,
            base,
        });
        Ok(id)
    }

    pub(super) fn release(&mut self, id: ObjectId) {
        let object = &mut self.objects[id.0 as usize];
        self.used = self.used.saturating_sub(object.bytes.len() as u64);
        object.alive = false;
        object.bytes = Vec::new();
        object.known = Vec::new();
    }

    pub(super) fn address(&self, id: ObjectId) -> i128 {
        i128::from(self.objects[id.0 as usize].base)
    }

    /// The object an address was made from, and the offset; it may be outside of the object.
    pub(super) fn resolve(&self, address: i128) -> Option<(ObjectId, i64)> {
        let address = u64::try_from(address).ok()?;
        if self.wide {
            // Half of the room between objects belongs to the one before, half to the one behind.
            let id = (address.checked_add(0x8000_0000)? >> 32).checked_sub(1)?;
            if id >= self.objects.len() as u64 {
                return None;
            }
            let offset = address.wrapping_sub((id + 1) << 32) as i64;
            return Some((ObjectId(id as u32), offset));
        }
        let index = self.objects.partition_point(|object| object.base <= address).checked_sub(1)?;
        let offset = (address - self.objects[index].base) as i64;
        Some((ObjectId(index as u32), offset))
    }

    /// The object and range of an access, if it is allowed.
    #[inline]
    pub(super) fn check(&self, address: i128, size: u64) -> Result<(usize, usize), Fault> {
        if (0..4096).contains(&address) {
            return Err(Fault::NullPointer);
        }
        let Some((id, offset)) = self.resolve(address) else {
            return Err(Fault::WildPointer);
        };
        let object = &self.objects[id.0 as usize];
        if !object.alive {
            return Err(Fault::Dangling);
        }
        let length = object.bytes.len() as u64;
        if offset < 0 || size > length || offset as u64 > length - size {
            return Err(if object.endless { Fault::UnknownSize } else { Fault::OutOfBounds });
        }
        Ok((id.0 as usize, offset as usize))
    }

    /// The little- or big-endian number in some bytes.
    #[inline]
    pub(super) fn read(&self, object: usize, offset: usize, size: usize) -> u128 {
        let bytes = &self.objects[object].bytes[offset..offset + size];
        let mut value = 0u128;
        if self.big_endian {
            bytes.iter().for_each(|byte| value = value << 8 | u128::from(*byte));
        } else {
            bytes.iter().rev().for_each(|byte| value = value << 8 | u128::from(*byte));
        }
        value
    }

    #[inline]
    pub(super) fn write(&mut self, object: usize, offset: usize, size: usize, value: u128) {
        let big_endian = self.big_endian;
        let object = &mut self.objects[object];
        let bytes = &mut object.bytes[offset..offset + size];
        for (index, byte) in bytes.iter_mut().enumerate() {
            let shift = if big_endian { size - 1 - index } else { index };
            *byte = (value >> (8 * shift)) as u8;
        }
        object.known[offset..offset + size].fill(true);
    }
}
