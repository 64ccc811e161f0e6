//! Reading and writing through places and pointers.

use std::rc::Rc;

use c::World;
use c::expr::{Base, PlaceId, Step};
use c::interp::Fault;
use c::program::{Initial, Storage, VariableId};
use c::types::{BitField, Type, TypeId};
use smt::{Op, Term};

use super::expression::Values;
use super::{Dead, FIRST_GLOBAL, Home, Machine};
use crate::input::{Given, Input, InputKind};
use crate::layout::{Partition, partition};
use crate::object::{Object, Offset};
use crate::state::{CHUNK, State};
use crate::value::{ELSEWHERE, NULL, ObjectId, Pointer, Value};

impl Machine<'_> {
    /// The number of a variable's object in a state.
    pub(super) fn variable_object(&self, state: &State, variable: VariableId) -> ObjectId {
        let place = self.places[variable.0 as usize] as ObjectId;
        match self.program.variable(variable).storage.is_static() {
            true => FIRST_GLOBAL + place,
            false => state.frames.last().expect("a function is being executed").first + place,
        }
    }

    /// An object of a state; none for null, functions, and variables whose function has ended.
    pub(super) fn object<'s>(&self, state: &'s State, id: ObjectId) -> Option<&'s Rc<Object>> {
        match self.objects[id as usize].home {
            Home::Nowhere | Home::Function(_) => None,
            Home::Global(place, _) => Some(&state.globals[place / CHUNK][place % CHUNK]),
            Home::Frame { depth, first, .. } => {
                let frame = state.frames.get(depth).filter(|frame| frame.first == first)?;
                frame.objects.get((id - first) as usize)
            }
            Home::Heap(place) => state.heap.get(place)?.as_ref(),
        }
    }

    fn set_object(&mut self, state: &mut State, id: ObjectId, object: Object) {
        let object = Rc::new(object);
        match self.objects[id as usize].home {
            Home::Nowhere | Home::Function(_) => {}
            Home::Global(place, _) => Rc::make_mut(&mut state.globals[place / CHUNK])[place % CHUNK] = object,
            Home::Frame { depth, first, .. } => {
                Rc::make_mut(&mut state.frames[depth]).objects[(id - first) as usize] = object;
            }
            Home::Heap(place) => {
                let heap = Rc::make_mut(&mut state.heap);
                if heap.len() <= place {
                    heap.resize(place + 1, None);
                }
                heap[place] = Some(object);
            }
        }
    }

    /// A new object on the heap.
    pub(super) fn allocate(&mut self, state: &mut State, object: Object, ty: Option<TypeId>) -> ObjectId {
        let id = self.objects.len() as ObjectId;
        self.objects.push(super::ObjectInfo { home: Home::Heap(self.heap_ids.len()), ty });
        self.heap_ids.push(id);
        self.set_object(state, id, object);
        id
    }

    /// Changes an object of a state.
    pub(super) fn change(&mut self, state: &mut State, id: ObjectId, change: impl FnOnce(&mut Self, &mut Object)) {
        if let Some(object) = self.object(state, id) {
            let mut object = (**object).clone();
            change(self, &mut object);
            self.set_object(state, id, object);
        }
    }

    /// The type that tells the cells of memory without a type.
    fn hint(&self, place: PlaceId) -> TypeId {
        let place = self.program.place(place);
        match place.base {
            Base::Variable(_) => place.ty,
            Base::Pointer(pointer) => {
                let target = self.program.types.target(self.program.expr(pointer).ty);
                target.filter(|target| self.program.types.size(*target).is_some()).unwrap_or(place.ty)
            }
        }
    }

    fn with_cells(&mut self, object: &Object, hint: TypeId) -> Object {
        if object.partition.is_some() {
            return object.clone();
        }
        let size = self.program.types.size(hint).unwrap_or(1).max(1);
        let cells = match object.capacity % size {
            0 => partition(&self.program.types, hint, object.capacity / size),
            _ => None,
        };
        let cells = cells.or_else(|| Partition::even(object.capacity, size.min(8)).map(Rc::new));
        match cells {
            Some(cells) => self.cells.typed(object, cells),
            None => object.clone(),
        }
    }

    pub(super) fn load_place(&mut self, state: &State, id: PlaceId, values: &Values) -> Result<Value, Dead> {
        let place = self.program.place(id);
        match self.program.world(id) {
            Some(World::Named(_)) if self.quiet.is_none() => return self.world(state, Some(id), place.ty),
            Some(_) => return self.not_followed(state, "memory of the outside world is read"),
            // What something outside may change is not proved.
            None if self.relaxed.is_some() && place.ty.is_volatile() && place.bits.is_none() => {
                return self.world(state, None, place.ty);
            }
            None => {}
        }
        self.within_structure(state, id)?;
        let (pointer, offset) = self.locate(state, id, values, false)?;
        let hint = self.hint(id);
        self.load(state, &pointer, offset, place.ty, self.field(id), hint)
    }

    /// The bit-field that a place is, with the bytes that are read for it: those of the unit of its type, or only those that it lies in
    /// where the unit of a packed one would reach beyond its structure.
    fn field(&self, id: PlaceId) -> Option<(BitField, u64)> {
        let place = self.program.place(id);
        let field = place.bits?;
        let types = &self.program.types;
        let unit = field.reach(types.size(place.ty).unwrap_or(0));
        let Some(Step::Field { record, offset, .. }) = place.steps.last() else { return Some((field, unit)) };
        let size = types.record(*record).layout.as_ref().map_or(0, |layout| layout.size);
        let fits = offset + unit <= size || types.model().big_endian;
        Some((field, if fits { unit } else { field.reach(0) }))
    }

    /// On machines that are big-endian, a packed bit-field may be read as more bytes than its structure has: that is not followed.
    fn within_structure(&mut self, state: &State, id: PlaceId) -> Result<(), Dead> {
        let place = self.program.place(id);
        let (Some((_, unit)), Some(Step::Field { record, offset, .. })) = (self.field(id), place.steps.last()) else {
            return Ok(());
        };
        let size = self.program.types.record(*record).layout.as_ref().map_or(0, |layout| layout.size);
        if offset + unit <= size {
            return Ok(());
        }
        self.not_followed(state, "a packed bit-field is used whose storage reaches beyond its structure")
    }

    /// A value that the world chooses, and the place whose reads ask for it.
    fn world(&mut self, state: &State, place: Option<PlaceId>, ty: TypeId) -> Result<Value, Dead> {
        let ty = ty.unqualified();
        let types = &self.program.types;
        if types.is_record(ty) || types.is_pointer(ty) {
            return self.not_followed(state, "memory of the outside world is read");
        }
        let bits = 8 * types.size(ty).unwrap_or(1) as u32;
        let symbol = self.cells.build.terms.fresh("input", &value::Sort::BitVec(bits));
        if matches!(types.kind(ty), Type::Bool) {
            self.only_truths(symbol);
        }
        if let Some(place) = place {
            let given = Given::Scalar { symbol, ty };
            self.inputs.push(Input { kind: InputKind::World(place), guard: state.guard.term(), given });
        }
        Ok(Value::Bits(symbol))
    }

    /// The value of a type at a place behind a pointer.
    pub(super) fn load(
        &mut self,
        state: &State,
        pointer: &Pointer,
        offset: Offset,
        ty: TypeId,
        bits: Option<(BitField, u64)>,
        hint: TypeId,
    ) -> Result<Value, Dead> {
        if self.program.types.is_record(ty) {
            return self.load_record(state, pointer, offset, ty, hint);
        }
        let Some(size) = self.program.types.size(ty) else {
            return self.not_followed(state, "something without a size is read");
        };
        let unit = bits.map_or(size, |(_, unit)| unit);
        let value = self.load_bytes(state, pointer, offset, unit, hint)?;
        if self.program.types.is_pointer(ty) {
            return self.as_loaded_pointer(state, value, ty);
        }
        let Some((field, _)) = bits else {
            if let (Type::Bool, Value::Bits(bits)) = (self.program.types.kind(ty), &value) {
                self.only_truths(*bits);
            }
            return Ok(value);
        };
        let unit = self.integer(state, &value)?;
        if self.cells.build.terms.name(unit).is_some() {
            return self.not_followed(state, "a bit-field is read that was never written");
        }
        let part = self.cells.build.extract(unit, field.shift + field.width - 1, field.shift);
        let integer = self.program.types.integer(ty);
        let signed = integer.is_some_and(|integer| integer.signed);
        Ok(Value::Bits(self.cells.build.resize(part, 8 * size as u32, signed)))
    }

    fn as_loaded_pointer(&mut self, state: &State, value: Value, ty: TypeId) -> Result<Value, Dead> {
        match value {
            Value::Bits(bits)
                if self.cells.build.terms.name(bits).is_some() && self.program.function_target(ty).is_some() =>
            {
                Ok(self.given_function(state, bits, ty))
            }
            Value::Bits(bits) if self.cells.build.terms.name(bits).is_some() => {
                // An input: null, or a pointer to something that was not built.
                let some = self.cells.build.non_zero(bits);
                let zero = self.cells.build.bits(self.cells.pointer_bits, 0);
                let [nowhere, away] =
                    [NULL, ELSEWHERE].map(|object| Value::Pointer(self.cells.build.pointer(object, zero)));
                Ok(self.cells.build.choose(some, &away, &nowhere))
            }
            Value::Bits(bits) if self.cells.build.constant(bits).is_none() => {
                self.not_followed(state, "a pointer is read that was stored as a number")
            }
            other => self.as_pointer(state, &other).map(Value::Pointer),
        }
    }

    /// A truth value that is an input is 0 or 1.
    fn only_truths(&mut self, bits: Term) {
        if self.cells.build.terms.name(bits).is_some() {
            let one = self.cells.build.bits(8, 1);
            let fact = self.cells.build.app(Op::BvUle, &[bits, one]);
            self.facts.push((fact, None));
        }
    }

    fn load_record(
        &mut self,
        state: &State,
        pointer: &Pointer,
        offset: Offset,
        ty: TypeId,
        hint: TypeId,
    ) -> Result<Value, Dead> {
        let Some(cells) = partition(&self.program.types, ty, 1) else {
            return self.not_followed(state, "a structure that is too large is copied");
        };
        let mut values = Vec::new();
        for cell in &cells.cells {
            let at = self.further(offset, cell.offset);
            values.push((*cell, self.load_bytes(state, pointer, at, cell.size, hint)?));
        }
        Ok(Value::Record(Rc::new(values)))
    }

    fn further(&mut self, offset: Offset, bytes: u64) -> Offset {
        let distance = self.cells.build.bits(self.cells.pointer_bits, i128::from(bytes));
        let term = self.cells.build.app(Op::BvAdd, &[offset.term, distance]);
        Offset { term, residue: offset.residue.wrapping_add(bytes) % offset.modulus, ..offset }
    }

    /// Bytes behind a pointer; wherever it may point, the bytes must be there.
    pub(super) fn load_bytes(
        &mut self,
        state: &State,
        pointer: &Pointer,
        offset: Offset,
        size: u64,
        hint: TypeId,
    ) -> Result<Value, Dead> {
        let mut result: Option<Value> = None;
        if self.cells.clock.after(1) {
            return self.not_followed(state, super::OVER);
        }
        let (mut valid, mut misfit) = (Vec::new(), Vec::new());
        let mut elsewhere = self.cells.build.truth(false);
        for &target in pointer.targets.iter() {
            let here = self.cells.build.points_to(pointer, target);
            if self.cells.build.is_false(here) {
                continue;
            }
            if target == ELSEWHERE {
                valid.push(here);
                elsewhere = here;
                continue;
            }
            let Some(object) = self.object(state, target).cloned() else { continue };
            if self.is_raw_heap(target, &object) || self.is_endless(target) {
                valid.push(here);
                misfit.push(here);
                continue;
            }
            let object = self.with_cells(&object, hint);
            let there = self.is_there(&object, offset.term, size);
            if self.cells.build.is_false(there) {
                continue;
            }
            self.cells.initials.touched.clear();
            let (value, fits) = self.cells.read(target, &object, offset, size);
            let valid_here = self.cells.build.and(here, there);
            self.note_reads(state, target, valid_here)?;
            valid.push(valid_here);
            let unfit = self.cells.build.not(fits);
            misfit.push(if value == Value::Unknown { valid_here } else { self.cells.build.and(valid_here, unfit) });
            if value != Value::Unknown {
                result = Some(match result {
                    None => value,
                    Some(other) => self.cells.build.choose(here, &value, &other),
                });
            }
        }
        let valid = self.cells.build.any(&valid);
        self.defined(state, valid, Fault::OutOfBounds)?;
        self.unsupported(
            state,
            elsewhere,
            "a pointer that is an input points to an object of another size or to one that is shared",
        )?;
        let misfit = self.cells.build.any(&misfit);
        self.unsupported(state, misfit, "memory is read in a way that is not followed")?;
        match result {
            None | Some(Value::Unknown) => self.not_followed(state, "a value that is not followed is read"),
            Some(value) => Ok(self.resolved(state, value)),
        }
    }

    /// Notes which initial values were just read. Temporaries have none: reading them is wrong.
    fn note_reads(&mut self, state: &State, target: ObjectId, here: Term) -> Result<(), Dead> {
        let touched = std::mem::take(&mut self.cells.initials.touched);
        if touched.is_empty() {
            return Ok(());
        }
        if let Home::Frame { variable, .. } = self.objects[target as usize].home
            && self.program.variable(variable).storage == Storage::Temporary
        {
            let elsewhere = self.cells.build.not(here);
            return self.defined(state, elsewhere, Fault::MissingReturn);
        }
        let guard = self.cells.build.and(state.guard.term(), here);
        self.reads.extend(touched.into_iter().map(|symbol| (symbol, guard)));
        Ok(())
    }

    /// Whether it is memory from `malloc` that nothing was written to: what it holds is nobody's input.
    fn is_raw_heap(&self, target: ObjectId, object: &Object) -> bool {
        let info = &self.objects[target as usize];
        let raw = object.array.is_none() && object.cells.iter().all(|value| *value == Value::Initial);
        matches!(info.home, Home::Heap(_)) && info.ty.is_none() && !object.zeroed && raw
    }

    /// Whether it is an array that is declared without a size and that nobody defines.
    fn is_endless(&self, target: ObjectId) -> bool {
        let info = &self.objects[target as usize];
        matches!(info.home, Home::Global(..)) && info.ty.is_some_and(|ty| self.program.types.size(ty).is_none())
    }

    /// Whether the object lives and has `size` bytes at an offset.
    fn is_there(&mut self, object: &Object, offset: Term, size: u64) -> Term {
        let width = self.cells.pointer_bits;
        let inside = match self.cells.build.constant(object.size) {
            Some(whole) if (u128::from(size)) <= whole => {
                let last = self.cells.build.bits(width, whole as i128 - i128::from(size));
                self.cells.build.app(Op::BvUle, &[offset, last])
            }
            Some(_) => self.cells.build.truth(false),
            None => {
                let capacity = self.cells.build.bits(width, i128::from(object.capacity));
                let near = self.cells.build.app(Op::BvUle, &[offset, capacity]);
                let bytes = self.cells.build.bits(width, i128::from(size));
                let end = self.cells.build.app(Op::BvAdd, &[offset, bytes]);
                let inside = self.cells.build.app(Op::BvUle, &[end, object.size]);
                self.cells.build.and(near, inside)
            }
        };
        self.cells.build.and(object.alive, inside)
    }

    /// Assigns to a place.
    pub(super) fn assign(&mut self, state: &mut State, id: PlaceId, value: Value) -> Result<(), Dead> {
        if self.program.is_at_fixed_address(id) {
            return Ok(());
        }
        let place = self.program.place(id);
        let mut operands = Vec::new();
        self.program.operands_of_place(id, &mut operands);
        let values = self.operands(state, &operands)?;
        self.within_structure(state, id)?;
        let (pointer, offset) = self.locate(state, id, &values, false)?;
        let hint = self.hint(id);
        self.store(state, &pointer, offset, place.ty, self.field(id), hint, value)
    }

    pub(super) fn store_variable(&mut self, state: &mut State, variable: VariableId, value: Value) -> Result<(), Dead> {
        let object = self.variable_object(state, variable);
        let offset = Offset::at(&mut self.cells, 0);
        let pointer = self.cells.build.pointer(object, offset.term);
        let ty = self.program.variable(variable).ty;
        self.store(state, &pointer, offset, ty, None, ty, value)
    }

    /// Stores a value of a type at a place behind a pointer.
    #[expect(clippy::too_many_arguments, reason = "a place has many parts")]
    pub(super) fn store(
        &mut self,
        state: &mut State,
        pointer: &Pointer,
        offset: Offset,
        ty: TypeId,
        bits: Option<(BitField, u64)>,
        hint: TypeId,
        value: Value,
    ) -> Result<(), Dead> {
        if let Value::Record(cells) = &value {
            for (cell, value) in cells.iter() {
                let at = self.further(offset, cell.offset);
                self.store_bytes(state, pointer, at, cell.size, hint, value)?;
            }
            return Ok(());
        }
        if value == Value::Unknown {
            return self.not_followed(state, "a value that is not followed is stored");
        }
        let Some(size) = self.program.types.size(ty) else {
            return self.not_followed(state, "something without a size is written");
        };
        let size = bits.map_or(size, |(_, unit)| unit);
        let value = match bits {
            None => value,
            Some((field, _)) => {
                let unit = self.unit(state, pointer, offset, size, hint)?;
                let (unit, new) = (self.integer(state, &unit)?, self.integer(state, &value)?);
                Value::Bits(self.with_field(unit, field, new))
            }
        };
        self.store_bytes(state, pointer, offset, size, hint, &value)
    }

    /// A storage unit of bit-fields before one of them is written; bits without a value become zero.
    fn unit(
        &mut self,
        state: &State,
        pointer: &Pointer,
        offset: Offset,
        size: u64,
        hint: TypeId,
    ) -> Result<Value, Dead> {
        let byte = self.cells.build.constant(offset.term).and_then(|byte| u64::try_from(byte).ok());
        if let ([target], Some(byte)) = (&*pointer.targets, byte)
            && let Some(object) = self.object(state, *target)
            && let Some(partition) = &object.partition
            && let Some(at) = partition.starting_at(byte)
            && object.array.is_none()
            && object.cells[at] == Value::Initial
        {
            return Ok(Value::Bits(self.cells.build.bits(8 * size as u32, 0)));
        }
        self.load_bytes(state, pointer, offset, size, hint)
    }

    /// A storage unit with a bit-field replaced.
    fn with_field(&mut self, unit: Term, field: BitField, value: Term) -> Term {
        let build = &mut self.cells.build;
        let width = build.width(unit);
        let mut result = build.resize(value, field.width, false);
        if 0 < field.shift {
            let low = build.extract(unit, field.shift - 1, 0);
            result = build.concat(result, low);
        }
        let top = field.shift + field.width;
        if top < width {
            let high = build.extract(unit, width - 1, top);
            result = build.concat(high, result);
        }
        result
    }

    pub(super) fn store_bytes(
        &mut self,
        state: &mut State,
        pointer: &Pointer,
        offset: Offset,
        size: u64,
        hint: TypeId,
        value: &Value,
    ) -> Result<(), Dead> {
        if self.cells.clock.after(1) {
            return self.not_followed(state, super::OVER);
        }
        let (mut valid, mut misfit) = (Vec::new(), Vec::new());
        let mut changed = Vec::new();
        let mut elsewhere = self.cells.build.truth(false);
        for &target in pointer.targets.iter() {
            let here = self.cells.build.points_to(pointer, target);
            if self.cells.build.is_false(here) || self.is_constant_object(target) {
                continue;
            }
            if target == ELSEWHERE {
                valid.push(here);
                elsewhere = here;
                continue;
            }
            let Some(object) = self.object(state, target).cloned() else { continue };
            if self.is_endless(target) {
                valid.push(here);
                misfit.push(here);
                continue;
            }
            let object = self.with_cells(&object, hint);
            let there = self.is_there(&object, offset.term, size);
            if self.cells.build.is_false(there) {
                continue;
            }
            let (written, fits) = self.cells.write(target, &object, offset, size, value, here);
            let valid_here = self.cells.build.and(here, there);
            valid.push(valid_here);
            let unfit = self.cells.build.not(fits);
            misfit.push(self.cells.build.and(valid_here, unfit));
            changed.push((target, written));
        }
        let valid = self.cells.build.any(&valid);
        self.defined(state, valid, Fault::OutOfBounds)?;
        self.unsupported(
            state,
            elsewhere,
            "a pointer that is an input points to an object of another size or to one that is shared",
        )?;
        let misfit = self.cells.build.any(&misfit);
        self.unsupported(state, misfit, "memory is written in a way that is not followed")?;
        for (target, object) in changed {
            self.set_object(state, target, object);
        }
        Ok(())
    }

    /// Whether writing to it is undefined: string literals and constants.
    fn is_constant_object(&self, id: ObjectId) -> bool {
        match self.objects[id as usize].home {
            Home::Global(_, variable) => {
                let variable = self.program.variable(variable);
                variable.name.starts_with('"') || variable.ty.is_const()
            }
            Home::Nowhere | Home::Frame { .. } | Home::Heap(_) | Home::Function(_) => false,
        }
    }

    /// Zeros, then the items.
    pub(super) fn initialise(
        &mut self,
        state: &mut State,
        variable: VariableId,
        initial: &Initial,
    ) -> Result<(), Dead> {
        let id = self.variable_object(state, variable);
        let ty = self.program.variable(variable).ty;
        let roots: Vec<_> = initial.items.iter().map(|item| item.value).collect();
        let values = self.operands(state, &roots)?;
        let mut object = self.fresh_object(ty, true);
        let declared = self.program.variable(variable);
        if 0 < declared.behind {
            object = self.lengthened(declared, object, true);
        }
        self.set_object(state, id, object);
        for item in &initial.items {
            let offset = Offset::at(&mut self.cells, item.offset);
            let pointer = self.cells.build.pointer(id, offset.term);
            let value = values[&item.value].clone();
            self.put_initial(state, &pointer, offset, item.ty, item.bits, value)?;
        }
        Ok(())
    }

    /// As [`Machine::store`], but constants may be given their first value.
    fn put_initial(
        &mut self,
        state: &mut State,
        pointer: &Pointer,
        offset: Offset,
        ty: TypeId,
        bits: Option<BitField>,
        value: Value,
    ) -> Result<(), Dead> {
        let [target] = *pointer.targets else { return Err(Dead) };
        let Some(mut object) = self.object(state, target).map(|object| (**object).clone()) else { return Err(Dead) };
        let always = self.cells.build.truth(true);
        let size = self.program.types.size(ty).unwrap_or(0);
        let size = bits.map_or(size, |field| {
            let unit = field.reach(size);
            let start = self.cells.build.constant(offset.term).and_then(|start| u64::try_from(start).ok());
            let beyond = start.is_some_and(|start| object.capacity < start + unit);
            if beyond && !self.program.types.model().big_endian { field.reach(0) } else { unit }
        });
        let parts = match (&value, bits) {
            (Value::Record(cells), _) => cells.to_vec(),
            (_, None) => vec![(crate::layout::Cell { offset: 0, size }, value.clone())],
            (_, Some(field)) => {
                let (unit, _) = self.cells.read(target, &object, offset, size);
                let (unit, new) = (self.integer(state, &unit)?, self.integer(state, &value)?);
                vec![(crate::layout::Cell { offset: 0, size }, Value::Bits(self.with_field(unit, field, new)))]
            }
        };
        for (cell, value) in parts {
            let at = self.further(offset, cell.offset);
            let (written, fits) = self.cells.write(target, &object, at, cell.size, &value, always);
            if self.cells.build.is_false(fits) {
                return self.not_followed(state, "an object is initialised in a way that is not followed");
            }
            object = written;
        }
        self.set_object(state, target, object);
        Ok(())
    }
}
