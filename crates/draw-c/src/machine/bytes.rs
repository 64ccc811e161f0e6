//! Memory whose size is known to the execution only: copied, set and moved byte by byte.

use c::interp::Fault;
use smt::{Op, Term};

use super::{Dead, Machine};
use crate::state::State;
use crate::value::{NULL, Pointer, Value};

impl Machine<'_> {
    /// `memcpy` and `memmove` of an unknown number of bytes.
    pub(super) fn copied_unknown(
        &mut self,
        state: &mut State,
        to: &Pointer,
        from: &Pointer,
        size: Term,
    ) -> Result<(), Dead> {
        let reach = self.span(state, &[to, from], size)?;
        // All bytes are read before the first is written: the places may overlap.
        let mut bytes = Vec::new();
        for at in 0..reach {
            let more = self.below(at, Some(size));
            let Some(now) = self.those(state, more) else { break };
            let Ok(byte) = self.byte(&now, from, at) else { break };
            bytes.push(byte);
        }
        self.put_some(state, to, size, &bytes)
    }

    /// `memset` of an unknown number of bytes.
    pub(super) fn filled_unknown(
        &mut self,
        state: &mut State,
        to: &Pointer,
        byte: Term,
        size: Term,
    ) -> Result<(), Dead> {
        let reach = self.span(state, &[to], size)?;
        self.put_some(state, to, size, &vec![byte; reach as usize])
    }

    /// Writes the first `size` of these bytes.
    fn put_some(&mut self, state: &mut State, to: &Pointer, size: Term, bytes: &[Term]) -> Result<(), Dead> {
        let mut done: Vec<State> = Vec::new();
        let mut going = Some(state.clone());
        for (&byte, at) in bytes.iter().zip(0..) {
            let Some(now) = going.take() else { break };
            let more = self.below(at, Some(size));
            let enough = self.cells.build.not(more);
            done.extend(self.those(&now, enough));
            let Some(mut now) = self.those(&now, more) else { break };
            let Ok(()) = self.put_byte(&mut now, to, at, byte) else { break };
            going = Some(now);
        }
        done.extend(going);
        self.gather(state, done)
    }

    /// How many bytes there can be behind all of these pointers. Who wants more runs off the end of one of them, or is not
    /// followed.
    fn span(&mut self, state: &mut State, pointers: &[&Pointer], size: Term) -> Result<u64, Dead> {
        let reach = pointers.iter().map(|pointer| self.reach(state, pointer)).min().unwrap_or(0);
        let limit = self.cells.build.bits(self.cells.build.width(size), i128::from(reach));
        let fits = self.cells.build.app(Op::BvUle, &[size, limit]);
        if reach == super::strings::MOST_BYTES {
            let large = self.cells.build.not(fits);
            self.unsupported(state, large, &format!("more than {reach} bytes are copied or set at once"))?;
        } else {
            self.defined(state, fits, Fault::OutOfBounds)?;
        }
        Ok(reach)
    }

    /// `realloc`: new memory with the old contents, as far as they fit; the old memory is freed. A call that fails leaves it.
    pub(super) fn reallocated(&mut self, state: &mut State, old: &Value, size: Term) -> Result<Value, Dead> {
        let old = self.as_pointer(state, old)?;
        let found = self.memory(state, size, false)?;
        let new = self.as_pointer(state, &found)?;
        let fails = self.cells.build.points_to(&new, NULL);
        let works = self.cells.build.not(fails);
        let nothing = self.cells.build.points_to(&old, NULL);
        let unchanged = self.cells.build.or(fails, nothing);
        let mut done: Vec<State> = self.those(state, unchanged).into_iter().collect();
        let zero = self.cells.build.bits(self.cells.pointer_bits, 0);
        for &target in old.targets.iter().filter(|target| **target != NULL) {
            let here = self.cells.build.points_to(&old, target);
            let moves = self.cells.build.and(here, works);
            let Some(object) = self.object(state, target) else {
                // No memory that could be given back.
                let elsewhere = self.cells.build.not(here);
                self.defined(state, elsewhere, Fault::BadFree)?;
                continue;
            };
            let had = object.size;
            let Some(mut now) = self.those(state, moves) else { continue };
            let size = self.cells.build.resize(size, self.cells.pointer_bits, false);
            let shrinks = self.cells.build.app(Op::BvUlt, &[size, had]);
            let kept = self.cells.build.ite(shrinks, size, had);
            let from = self.cells.build.pointer(target, zero);
            let mut places = new.targets.iter().filter(|place| **place != NULL);
            let copied = places.all(|&place| {
                let to = Value::Pointer(self.cells.build.pointer(place, zero));
                self.copied_bytes(&mut now, &to, &Value::Pointer(from.clone()), kept).is_ok()
            });
            // The pointer itself, with its offset: only the beginning of living memory may be given.
            if copied && self.free(&mut now, &Value::Pointer(Pointer { offset: old.offset, ..from })).is_ok() {
                done.push(now);
            }
        }
        self.gather(state, done)?;
        Ok(found)
    }
}
