//! Functions with further arguments. A list of arguments is the number of the call it belongs to and of its next argument.

use c::expr::PlaceId;
use c::interp::Fault;
use smt::Op;

use super::call::Outcome;
use super::{Dead, Machine};
use crate::object::Offset;
use crate::state::State;
use crate::value::{Pointer, Value};

/// The bits of a list that number the arguments.
const INDEX_BITS: u32 = 16;

impl Machine<'_> {
    /// `va_start` and its like.
    pub(super) fn argument_list(
        &mut self,
        name: &str,
        arguments: &[Value],
        result: Option<PlaceId>,
        state: &mut State,
    ) -> Result<Outcome, Dead> {
        match (name, arguments) {
            ("__builtin_va_start", [list]) => {
                let call = self.activations.last().map_or(0, |activation| activation.extra);
                self.set_list(state, list, (call as i128) << INDEX_BITS)?;
            }
            ("__builtin_va_copy", [target, source]) => {
                let place = self.list_of(state, source)?;
                self.set_list(state, target, place)?;
            }
            ("__builtin_va_arg", [list]) => {
                let place = self.list_of(state, list)?;
                let (call, index) = ((place >> INDEX_BITS) as usize, (place & ((1 << INDEX_BITS) - 1)) as usize);
                let given = self.extras.get(call).and_then(|extras| extras.get(index)).cloned();
                let wanted = result.map(|result| self.program.place(result).ty);
                let Some(value) = given.filter(|value| wanted.is_none_or(|ty| self.is_of(value, ty))) else {
                    let never = self.cells.build.truth(false);
                    self.defined(state, never, Fault::LibraryPrecondition)?;
                    return Err(Dead);
                };
                self.set_list(state, list, place + 1)?;
                return Ok(Outcome::Value(value));
            }
            _ => {}
        }
        Ok(Outcome::Nothing)
    }

    /// Whether a value that was given can be taken for one of a type.
    fn is_of(&self, value: &Value, ty: c::types::TypeId) -> bool {
        let size = self.program.types.size(ty).unwrap_or(0);
        match value {
            Value::Bits(bits) => u64::from(self.cells.build.width(*bits)) == 8 * size,
            Value::Pointer(_) => 8 * size == u64::from(self.cells.pointer_bits),
            Value::Record(_) => self.program.types.is_record(ty),
            Value::Initial | Value::Unknown => false,
        }
    }

    fn list_size(&self) -> u64 {
        3 * u64::from(self.cells.pointer_bits) / 8
    }

    fn start_of(&mut self, pointer: &Pointer) -> Offset {
        let zero = self.cells.build.bits(self.cells.pointer_bits, 0);
        let term = self.cells.build.app(Op::BvAdd, &[pointer.offset, zero]);
        Offset { term, modulus: 1, residue: 0 }
    }

    fn set_list(&mut self, state: &mut State, list: &Value, place: i128) -> Result<(), Dead> {
        let pointer = self.as_pointer(state, list)?;
        let at = self.start_of(&pointer);
        let size = self.list_size();
        let value = Value::Bits(self.cells.build.bits(8 * size as u32, place));
        self.store_bytes(state, &pointer, at, size, c::types::TypeId::VA_LIST, &value)
    }

    fn list_of(&mut self, state: &mut State, list: &Value) -> Result<i128, Dead> {
        let pointer = self.as_pointer(state, list)?;
        let at = self.start_of(&pointer);
        let value = self.load_bytes(state, &pointer, at, self.list_size(), c::types::TypeId::VA_LIST)?;
        let bits = self.integer(state, &value)?;
        match self.cells.build.constant(bits) {
            Some(place) => Ok(place as i128),
            None => self.not_followed(state, "a list of arguments depends on the execution"),
        }
    }
}
