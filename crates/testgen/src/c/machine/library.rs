//! What is known of the C library.

use c::types::TypeId;
use smt::{Op, Term};

use super::call::Outcome;
use super::{Dead, Machine};
use crate::c::object::{Object, Offset};
use crate::c::state::State;
use crate::c::value::{NULL, Value};

/// The most bytes of memory of unknown size that are followed.
const MOST_BYTES: u64 = 256;

impl Machine<'_> {
    /// A function of the C library, if we know it.
    pub(super) fn library(
        &mut self,
        name: &str,
        _types: &[TypeId],
        arguments: &[Value],
        state: &mut State,
    ) -> Result<Option<Outcome>, Dead> {
        Ok(Some(match (name, arguments) {
            ("exit" | "_exit" | "_Exit" | "abort" | "quick_exit", _) => Outcome::Ends,
            ("malloc", [size]) => {
                let size = self.integer(state, size)?;
                Outcome::Value(self.memory(state, size, false)?)
            }
            ("calloc", [count, size]) => {
                let (count, size) = (self.integer(state, count)?, self.integer(state, size)?);
                let size = self.cells.build.app(Op::BvMul, &[count, size]);
                Outcome::Value(self.memory(state, size, true)?)
            }
            ("free", [pointer]) => {
                self.free(state, pointer)?;
                Outcome::Nothing
            }
            ("abs" | "labs" | "llabs", [number]) => {
                let bits = self.integer(state, number)?;
                let width = self.cells.build.width(bits);
                let smallest = self.cells.build.bits(width, i128::MIN >> (128 - width));
                let overflow = self.cells.build.eq(bits, smallest);
                let fine = self.cells.build.not(overflow);
                self.demand(state, fine)?;
                let negative = self.cells.build.bit(bits, width - 1);
                let opposite = self.cells.build.app(Op::BvNeg, &[bits]);
                Outcome::Value(Value::Bits(self.cells.build.ite(negative, opposite, bits)))
            }
            ("strlen", [text]) => Outcome::Value(self.string_length(state, text)?),
            ("strcmp" | "strcoll", [left, right]) => Outcome::Value(self.compared(state, left, right, None, true)?),
            ("strncmp", [left, right, size]) => {
                let size = self.integer(state, size)?;
                Outcome::Value(self.compared(state, left, right, Some(size), true)?)
            }
            ("memcmp", [left, right, size]) => {
                let size = self.integer(state, size)?;
                Outcome::Value(self.compared(state, left, right, Some(size), false)?)
            }
            ("strcpy", [target, source]) => Outcome::Value(self.copied_string(state, target, source)?),
            ("strchr", [text, wanted]) => {
                let wanted = self.integer(state, wanted)?;
                Outcome::Value(self.found_byte(state, text, wanted)?)
            }
            ("memcpy" | "memmove", [target, source, size]) => {
                let size = self.integer(state, size)?;
                Outcome::Value(self.copied_bytes(state, target, source, size)?)
            }
            ("memset", [target, byte, size]) => {
                let (byte, size) = (self.integer(state, byte)?, self.integer(state, size)?);
                Outcome::Value(self.filled_bytes(state, target, byte, size)?)
            }
            _ => return Ok(None),
        }))
    }

    /// New memory of a size.
    fn memory(&mut self, state: &mut State, size: Term, zeroed: bool) -> Result<Value, Dead> {
        let capacity = match self.cells.build.constant(size) {
            Some(bytes) => u64::try_from(bytes).unwrap_or(u64::MAX),
            None => MOST_BYTES,
        };
        if (1 << 20) < capacity {
            return self.not_followed(state, "very much memory is allocated");
        }
        let limit = self.cells.build.bits(self.cells.build.width(size), i128::from(capacity));
        let small = self.cells.build.app(Op::BvUle, &[size, limit]);
        let large = self.cells.build.not(small);
        self.unsupported(state, large, &format!("more than {capacity} bytes are allocated at once"))?;
        let mut object = Object::new(&mut self.cells, capacity, None, zeroed);
        object.size = self.cells.build.resize(size, self.cells.pointer_bits, false);
        let id = self.allocate(state, object, None);
        let zero = self.cells.build.bits(self.cells.pointer_bits, 0);
        Ok(Value::Pointer(self.cells.build.pointer(id, zero)))
    }

    /// Only null and the beginning of living memory from `malloc` may be freed.
    fn free(&mut self, state: &mut State, pointer: &Value) -> Result<(), Dead> {
        let pointer = self.as_pointer(state, pointer)?;
        let start = {
            let away = self.cells.build.non_zero(pointer.offset);
            self.cells.build.not(away)
        };
        let mut valid = Vec::new();
        for &target in pointer.targets.iter() {
            let here = self.cells.build.points_to(&pointer, target);
            if target == NULL {
                valid.push(here);
                continue;
            }
            if !self.is_allocated(target) {
                continue;
            }
            let Some(alive) = self.object(state, target).map(|object| object.alive) else { continue };
            valid.push(self.cells.build.and(here, alive));
            let spared = self.cells.build.not(here);
            let alive = self.cells.build.and(alive, spared);
            self.change(state, target, |_, object| object.alive = alive);
        }
        let valid = self.cells.build.any(&valid);
        let valid = self.cells.build.and(valid, start);
        self.demand(state, valid)
    }

    fn is_allocated(&self, target: u32) -> bool {
        let info = &self.objects[target as usize];
        matches!(info.home, super::Home::Heap(_)) && info.ty.is_none()
    }

    /// The offset of a pointer, of which nothing is known beforehand.
    pub(super) fn offset_of(&self, term: Term) -> Offset {
        Offset { term, modulus: 1, residue: 0 }
    }
}
