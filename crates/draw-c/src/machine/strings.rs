//! Functions on strings and memory.
//!
//! A function that looks at one byte after the other is executed byte by byte, like the loop it is: executions that
//! are done leave, the others go on.

use c::types::TypeId;
use smt::{Op, Term};

use super::{Dead, Machine};
use crate::layout::Cell;
use crate::object::Offset;
use crate::state::State;
use crate::value::{Pointer, Value};

/// At most this many bytes are looked at by one call.
pub(super) const MOST_BYTES: u64 = 1024;

impl Machine<'_> {
    /// The byte some bytes behind a pointer.
    pub(super) fn byte(&mut self, state: &State, pointer: &Pointer, distance: u64) -> Result<Term, Dead> {
        let step = self.cells.build.bits(self.cells.pointer_bits, i128::from(distance));
        let term = self.cells.build.app(Op::BvAdd, &[pointer.offset, step]);
        let value = self.load_bytes(state, pointer, Offset { term, modulus: 1, residue: 0 }, 1, TypeId::CHAR)?;
        self.integer(state, &value)
    }

    pub(super) fn put_byte(
        &mut self,
        state: &mut State,
        pointer: &Pointer,
        distance: u64,
        byte: Term,
    ) -> Result<(), Dead> {
        let step = self.cells.build.bits(self.cells.pointer_bits, i128::from(distance));
        let term = self.cells.build.app(Op::BvAdd, &[pointer.offset, step]);
        let offset = Offset { term, modulus: 1, residue: 0 };
        self.store_bytes(state, pointer, offset, 1, TypeId::CHAR, &Value::Bits(byte))
    }

    /// The executions of a state that satisfy a condition.
    pub(super) fn those(&mut self, state: &State, condition: Term) -> Option<State> {
        let guard = state.guard.with(&mut self.cells, condition, None)?;
        Some(State { guard, ..state.clone() })
    }

    fn is_zero(&mut self, bits: Term) -> Term {
        let some = self.cells.build.non_zero(bits);
        self.cells.build.not(some)
    }

    /// The most bytes that may stand behind a pointer.
    pub(super) fn reach(&self, state: &State, pointer: &Pointer) -> u64 {
        let capacities = pointer.targets.iter().filter_map(|&target| self.object(state, target));
        capacities.map(|object| object.capacity).max().unwrap_or(0).min(MOST_BYTES)
    }

    /// Whether `number < limit`, where the limit is a size or there is none.
    pub(super) fn below(&mut self, number: u64, limit: Option<Term>) -> Term {
        match limit {
            None => self.cells.build.truth(true),
            Some(limit) => {
                let number = self.cells.build.bits(self.cells.build.width(limit), i128::from(number));
                self.cells.build.app(Op::BvUlt, &[number, limit])
            }
        }
    }

    /// `strlen`.
    pub(super) fn string_length(&mut self, state: &mut State, text: &Value) -> Result<Value, Dead> {
        let pointer = self.as_pointer(state, text)?;
        let bits = self.cells.pointer_bits;
        let mut lengths: Vec<(Term, u64)> = Vec::new();
        let mut going = Some(state.clone());
        let reach = self.reach(state, &pointer);
        for at in 0..=reach {
            let Some(now) = going else { break };
            // Who runs off the end is excluded; the others have left the loop.
            let Ok(byte) = self.byte(&now, &pointer, at) else { break };
            let ends = self.is_zero(byte);
            lengths.push((ends, at));
            let goes_on = self.cells.build.not(ends);
            going = self.those(&now, goes_on);
        }
        let mut result = self.cells.build.bits(bits, 0);
        for (ends, at) in lengths.into_iter().rev() {
            let length = self.cells.build.bits(bits, i128::from(at));
            result = self.cells.build.ite(ends, length, result);
        }
        Ok(Value::Bits(result))
    }

    /// `strcmp`, `strncmp` and `memcmp`: the first difference decides.
    pub(super) fn compared(
        &mut self,
        state: &mut State,
        left: &Value,
        right: &Value,
        limit: Option<Term>,
        strings: bool,
    ) -> Result<Value, Dead> {
        let (left, right) = (self.as_pointer(state, left)?, self.as_pointer(state, right)?);
        let reach = self.reach(state, &left).max(self.reach(state, &right));
        let mut steps: Vec<(Term, Term)> = Vec::new();
        let mut going = Some(state.clone());
        let zero = self.cells.build.bits(32, 0);
        for at in 0..=reach {
            let Some(now) = going else { break };
            let more = self.below(at, limit);
            let done = self.cells.build.not(more);
            steps.push((done, zero));
            going = self.those(&now, more);
            let Some(now) = going else { break };
            let (Ok(one), Ok(other)) = (self.byte(&now, &left, at), self.byte(&now, &right, at)) else { break };
            let same = self.cells.build.eq(one, other);
            let different = self.cells.build.not(same);
            let less = self.cells.build.app(Op::BvUlt, &[one, other]);
            let (minus, plus) = (self.cells.build.bits(32, -1), self.cells.build.bits(32, 1));
            let sign = self.cells.build.ite(less, minus, plus);
            steps.push((different, sign));
            let mut goes_on = same;
            if strings {
                let ends = self.is_zero(one);
                steps.push((ends, zero));
                let not_ended = self.cells.build.not(ends);
                goes_on = self.cells.build.and(same, not_ended);
            }
            going = self.those(&now, goes_on);
        }
        let mut result = zero;
        for (decides, value) in steps.into_iter().rev() {
            result = self.cells.build.ite(decides, value, result);
        }
        let bits = self.program.types.integer(TypeId::INT).map_or(32, |integer| integer.bits);
        Ok(Value::Bits(self.cells.build.resize(result, bits, true)))
    }

    /// `strcpy` from where a string begins, and `strcat` behind `skip` bytes.
    pub(super) fn copied_string(&mut self, state: &mut State, target: &Value, source: &Value) -> Result<Value, Dead> {
        let (to, from) = (self.as_pointer(state, target)?, self.as_pointer(state, source)?);
        let reach = self.reach(state, &from);
        let mut done: Vec<State> = Vec::new();
        let mut going = Some(state.clone());
        for at in 0..=reach {
            let Some(mut now) = going else { break };
            let Ok(byte) = self.byte(&now, &from, at) else { break };
            let Ok(()) = self.put_byte(&mut now, &to, at, byte) else { break };
            let ends = self.is_zero(byte);
            done.extend(self.those(&now, ends));
            let goes_on = self.cells.build.not(ends);
            going = self.those(&now, goes_on);
        }
        self.gather(state, done)?;
        Ok(target.clone())
    }

    /// `memcpy` and `memmove`: cell by cell where the number of bytes is known.
    pub(super) fn copied_bytes(
        &mut self,
        state: &mut State,
        target: &Value,
        source: &Value,
        size: Term,
    ) -> Result<Value, Dead> {
        let (to, from) = (self.as_pointer(state, target)?, self.as_pointer(state, source)?);
        let Some(size) = self.cells.build.constant(size).and_then(|size| u64::try_from(size).ok()) else {
            self.copied_unknown(state, &to, &from, size)?;
            return Ok(target.clone());
        };
        if MOST_BYTES * 8 < size {
            return self.not_followed(state, "very many bytes are copied at once");
        }
        let cells = self.cells_behind(state, &from, size);
        let mut values = Vec::new();
        for cell in &cells {
            let at = self.ahead(&from, cell.offset);
            values.push(self.load_bytes(state, &from, at, cell.size, TypeId::UCHAR)?);
        }
        for (cell, value) in cells.iter().zip(&values) {
            let at = self.ahead(&to, cell.offset);
            self.store_bytes(state, &to, at, cell.size, TypeId::UCHAR, value)?;
        }
        Ok(target.clone())
    }

    /// Exchanges a known number of bytes.
    pub(super) fn swapped_bytes(
        &mut self,
        state: &mut State,
        left: &Value,
        right: &Value,
        size: Term,
    ) -> Result<(), Dead> {
        let Some(size) = self.cells.build.constant(size).and_then(|size| u64::try_from(size).ok()) else {
            return self.not_followed(state, "an unknown number of bytes is exchanged");
        };
        if MOST_BYTES < size {
            return self.not_followed(state, "very many bytes are exchanged at once");
        }
        let pointers = [self.as_pointer(state, left)?, self.as_pointer(state, right)?];
        let cells = self.cells_behind(state, &pointers[0], size);
        let mut values = Vec::new();
        for (pointer, cell) in pointers.iter().rev().flat_map(|pointer| cells.iter().map(move |cell| (pointer, cell))) {
            let at = self.ahead(pointer, cell.offset);
            values.push(self.load_bytes(state, pointer, at, cell.size, TypeId::UCHAR)?);
        }
        let places = pointers.iter().flat_map(|pointer| cells.iter().map(move |cell| (pointer, cell)));
        for ((pointer, cell), value) in places.zip(&values) {
            let at = self.ahead(pointer, cell.offset);
            self.store_bytes(state, pointer, at, cell.size, TypeId::UCHAR, value)?;
        }
        Ok(())
    }

    fn ahead(&mut self, pointer: &Pointer, distance: u64) -> Offset {
        let step = self.cells.build.bits(self.cells.pointer_bits, i128::from(distance));
        let term = self.cells.build.app(Op::BvAdd, &[pointer.offset, step]);
        Offset { term, modulus: 1, residue: 0 }
    }

    /// The cells of `size` bytes behind a pointer, counted from there: as the object has them, or single bytes.
    fn cells_behind(&self, state: &State, pointer: &Pointer, size: u64) -> Vec<Cell> {
        let bytes = || (0..size).map(|offset| Cell { offset, size: 1 }).collect();
        let [target] = *pointer.targets else { return bytes() };
        let start = self.cells.build.constant(pointer.offset).and_then(|start| u64::try_from(start).ok());
        let (Some(start), Some(object)) = (start, self.object(state, target)) else { return bytes() };
        let Some(partition) = &object.partition else { return bytes() };
        let mut found = Vec::new();
        for at in partition.overlapping(start, size) {
            let cell = partition.cells[at];
            if cell.offset < start || start + size < cell.offset + cell.size {
                return bytes();
            }
            found.push(Cell { offset: cell.offset - start, size: cell.size });
        }
        found
    }

    /// `memset`: cell by cell where the number of bytes is known.
    pub(super) fn filled_bytes(
        &mut self,
        state: &mut State,
        target: &Value,
        byte: Term,
        size: Term,
    ) -> Result<Value, Dead> {
        let to = self.as_pointer(state, target)?;
        let Some(size) = self.cells.build.constant(size).and_then(|size| u64::try_from(size).ok()) else {
            let byte = self.cells.build.resize(byte, 8, false);
            self.filled_unknown(state, &to, byte, size)?;
            return Ok(target.clone());
        };
        if MOST_BYTES * 8 < size {
            return self.not_followed(state, "very many bytes are set at once");
        }
        let byte = self.cells.build.resize(byte, 8, false);
        for cell in self.cells_behind(state, &to, size) {
            let at = self.ahead(&to, cell.offset);
            let pattern = (1..cell.size).fold(byte, |pattern, _| self.cells.build.concat(pattern, byte));
            self.store_bytes(state, &to, at, cell.size, TypeId::UCHAR, &Value::Bits(pattern))?;
        }
        Ok(target.clone())
    }

    /// `strchr`: a pointer to the first such byte, or null.
    pub(super) fn found_byte(&mut self, state: &mut State, text: &Value, wanted: Term) -> Result<Value, Dead> {
        let pointer = self.as_pointer(state, text)?;
        let wanted = self.cells.build.resize(wanted, 8, false);
        let null = {
            let zero = self.cells.build.bits(self.cells.pointer_bits, 0);
            Value::Pointer(self.cells.build.pointer(crate::value::NULL, zero))
        };
        let mut steps: Vec<(Term, Value)> = Vec::new();
        let mut going = Some(state.clone());
        let reach = self.reach(state, &pointer);
        for at in 0..=reach {
            let Some(now) = going else { break };
            // Who runs off the end is excluded; the others have left the loop.
            let Ok(byte) = self.byte(&now, &pointer, at) else { break };
            let found = self.cells.build.eq(byte, wanted);
            let place = self.ahead(&pointer, at);
            steps.push((found, Value::Pointer(Pointer { offset: place.term, ..pointer.clone() })));
            let ends = self.is_zero(byte);
            steps.push((ends, null.clone()));
            let stops = self.cells.build.or(found, ends);
            let goes_on = self.cells.build.not(stops);
            going = self.those(&now, goes_on);
        }
        let mut result = null;
        for (here, value) in steps.into_iter().rev() {
            result = self.cells.build.choose(here, &value, &result);
        }
        Ok(result)
    }

    /// Goes on with executions that took different ways through a function.
    pub(super) fn gather(&mut self, state: &mut State, done: Vec<State>) -> Result<(), Dead> {
        match State::merged(&mut self.cells, &self.heap_ids, done) {
            Some(merged) => {
                let guard = state.guard.clone();
                // What ran off the end of memory is excluded by facts; the others are all there again.
                *state = State { guard, ..merged };
                Ok(())
            }
            None => Err(Dead),
        }
    }
}
