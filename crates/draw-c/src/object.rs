//! Objects: their cells, reading and writing at known and unknown places, and the choice between two contents.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use smt::{Op, Term};
use value::Sort;

use super::build::Build;
use super::layout::{Cell, Partition};
use super::value::{ObjectId, Value};
use search::Backend;

/// Objects of more cells than this become arrays of the solver when they are written at an unknown place.
const ARRAY_CELLS: usize = 64;

/// At most this many places are told apart for an access that does not fit the cells.
const MOST_PLACES: usize = 1024;

/// What an object holds.
#[derive(Clone, Debug)]
pub(super) struct Object {
    /// Whether it has not been freed.
    pub(super) alive: Term,
    /// Its size in bytes, of the width of pointers; at most `capacity`.
    pub(super) size: Term,
    /// The bytes that are followed.
    pub(super) capacity: u64,
    /// Which of its lives this is: a local variable whose declaration is passed again holds other initial values.
    pub(super) generation: u32,
    /// Its cells; none before the first access tells the type of memory from `malloc`.
    pub(super) partition: Option<Rc<Partition>>,
    /// What it holds as long as it has no cells: initial values or zeros.
    pub(super) zeroed: bool,
    /// One value for each cell; empty if it is an array of the solver.
    pub(super) cells: Rc<Vec<Value>>,
    /// The contents as an array of the solver, indexed by cells.
    pub(super) array: Option<Term>,
}

/// A place within an object: a term, and what is known of it beforehand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Offset {
    /// The byte, of the width of pointers.
    pub(super) term: Term,
    /// It leaves `residue` modulo this; 1 if nothing is known.
    pub(super) modulus: u64,
    /// See `modulus`.
    pub(super) residue: u64,
}

/// The initial values that executions may read, by object, life, first byte and size.
#[derive(Default)]
pub(super) struct Initials {
    known: FxHashMap<(ObjectId, u32, u64, u64), Term>,
    /// In the order they were made.
    pub(super) list: Vec<Initial>,
    /// The symbols that were used since someone looked.
    pub(super) touched: Vec<Term>,
    /// Those that came into other values where executions met, each with the executions it was the value for.
    pub(super) met: Vec<(Term, Term)>,
    /// The guards of the two sides that are meeting.
    pub(super) sides: Option<(Term, Term)>,
    /// What ties symbols for the same bytes together.
    pub(super) facts: Vec<Term>,
}

/// An initial value: an input of the program.
#[derive(Clone, Copy, Debug)]
pub(super) struct Initial {
    /// The object.
    pub(super) object: ObjectId,
    /// The cell; of an array the first cell.
    pub(super) cell: Cell,
    /// The symbol; of the sort of arrays if it stands for a whole array.
    pub(super) symbol: Term,
}

/// What is needed to work on objects.
pub(super) struct Cells<'t> {
    pub(super) build: Build<'t>,
    pub(super) initials: Initials,
    pub(super) big_endian: bool,
    pub(super) pointer_bits: u32,
    pub(super) clock: Clock<'t>,
}

/// Says when the time of the run is over. Once it is, contents of objects mean nothing: whoever sees that must cut.
pub(super) struct Clock<'t> {
    backend: Option<&'t Backend>,
    /// The cells worked on since someone looked at the clock.
    work: usize,
    late: bool,
}

/// So many cells are worked on between two looks at the clock.
const GLANCE: usize = 4096;

impl<'t> Clock<'t> {
    pub(super) fn new(backend: Option<&'t Backend>) -> Clock<'t> {
        Clock { backend, work: 0, late: false }
    }

    /// Whether the time is over, as far as anyone looked.
    pub(super) fn is_late(&self) -> bool {
        self.late
    }

    /// Counts work on so many cells; whether the time is over.
    pub(super) fn after(&mut self, cells: usize) -> bool {
        self.work += cells;
        if GLANCE <= self.work {
            self.work = 0;
            self.look();
        }
        self.late
    }

    /// Looks at the clock.
    pub(super) fn look(&mut self) {
        self.late = self.late || self.backend.is_some_and(Backend::is_over);
    }
}

impl Object {
    /// An object whose cells hold initial values, or zeros.
    pub(super) fn new(cells: &mut Cells<'_>, size: u64, partition: Option<Rc<Partition>>, zeroed: bool) -> Object {
        let alive = cells.build.truth(true);
        let size_term = cells.build.bits(cells.pointer_bits, i128::from(size));
        let values = match &partition {
            Some(partition) => partition.cells.iter().map(|cell| cells.filled(zeroed, cell.size)).collect(),
            None => Vec::new(),
        };
        Object {
            alive,
            size: size_term,
            capacity: size,
            generation: 0,
            partition,
            zeroed,
            cells: Rc::new(values),
            array: None,
        }
    }
}

impl Offset {
    /// A known place.
    pub(super) fn at(cells: &mut Cells<'_>, byte: u64) -> Offset {
        let term = cells.build.bits(cells.pointer_bits, i128::from(byte));
        Offset { term, modulus: 1, residue: 0 }
    }
}

impl Cells<'_> {
    fn filled(&mut self, zeroed: bool, size: u64) -> Value {
        if zeroed { Value::Bits(self.build.bits(8 * size as u32, 0)) } else { Value::Initial }
    }

    /// The input symbol for a cell that was never written.
    pub(super) fn initial(&mut self, object: ObjectId, generation: u32, cell: Cell) -> Term {
        let key = (object, generation, cell.offset, cell.size);
        if let Some(&symbol) = self.initials.known.get(&key) {
            self.initials.touched.push(symbol);
            return symbol;
        }
        if let Some(&array) = self.initials.known.get(&(object, generation, 0, 0))
            && let Some(index) = self.array_index(array, cell)
        {
            return self.build.app(Op::Select, &[array, index]);
        }
        let name = format!("initial.{object}.{generation}.{}.{}", cell.offset, cell.size);
        let symbol = self.build.symbol(&name, 8 * cell.size as u32);
        self.initials.known.insert(key, symbol);
        self.initials.touched.push(symbol);
        self.initials.list.push(Initial { object, cell, symbol });
        symbol
    }

    /// The index of a cell in an array of equal cells.
    fn array_index(&mut self, array: Term, cell: Cell) -> Option<Term> {
        let Sort::Array(parts) = self.build.terms.sort(array) else { return None };
        let (Sort::BitVec(bits), Sort::BitVec(element)) = (&parts.0, &parts.1) else { return None };
        let (bits, stride) = (*bits, u64::from(*element) / 8);
        (stride == cell.size && cell.offset.is_multiple_of(stride))
            .then(|| self.build.bits(bits, i128::from(cell.offset / stride)))
    }

    fn known(&mut self, id: ObjectId, object: &Object, cell: Cell, value: &Value) -> Value {
        match value {
            Value::Initial => Value::Bits(self.initial(id, object.generation, cell)),
            other => other.clone(),
        }
    }

    /// The value in a cell.
    fn cell(&mut self, id: ObjectId, object: &Object, at: usize) -> Value {
        let partition = object.partition.clone().expect("the object has cells");
        let cell = partition.cells[at];
        match object.array {
            Some(array) => {
                let index = self.index_constant(partition.cells.len(), at);
                Value::Bits(self.build.app(Op::Select, &[array, index]))
            }
            None => self.known(id, object, cell, &object.cells[at]),
        }
    }

    fn index_constant(&mut self, count: usize, at: usize) -> Term {
        self.build.bits(index_bits(count).max(1), at as i128)
    }

    /// Gives cells to an object that has none.
    pub(super) fn typed(&mut self, object: &Object, partition: Rc<Partition>) -> Object {
        let cells = partition.cells.iter().map(|cell| self.filled(object.zeroed, cell.size)).collect();
        Object { cells: Rc::new(cells), partition: Some(partition), ..object.clone() }
    }

    /// The value of `size` bytes at a place, and where it is that: elsewhere the access does not fit the cells.
    pub(super) fn read(&mut self, id: ObjectId, object: &Object, offset: Offset, size: u64) -> (Value, Term) {
        let Some(partition) = object.partition.clone() else { return (Value::Unknown, self.build.truth(false)) };
        if self.clock.after(1) {
            return (Value::Unknown, self.build.truth(false));
        }
        if let Some(byte) = self.build.constant(offset.term) {
            let byte = u64::try_from(byte).unwrap_or(u64::MAX);
            let value = self.read_at(id, object, byte, size);
            let fits = self.build.truth(value != Value::Unknown);
            return (value, fits);
        }
        if partition.stride == Some(size) && size.is_power_of_two() {
            let (index, aligned) = self.index(offset, size, partition.cells.len());
            let value = match object.array {
                Some(array) => Value::Bits(self.build.app(Op::Select, &[array, index])),
                None if self.clock.after(partition.cells.len()) => return (Value::Unknown, self.build.truth(false)),
                None => {
                    let values = (0..partition.cells.len()).map(|at| self.cell(id, object, at)).collect();
                    self.select(index, values)
                }
            };
            return (value, aligned);
        }
        let mut result: Option<Value> = None;
        let mut fits = self.build.truth(false);
        let mut all = covers_all(&partition, object.capacity, offset, size);
        for byte in places(&partition, object.capacity, offset, size) {
            if self.clock.after(1) {
                return (Value::Unknown, self.build.truth(false));
            }
            let value = self.read_at(id, object, byte, size);
            if value == Value::Unknown {
                all = false;
                continue;
            }
            let here = self.is_at(offset.term, byte);
            fits = self.build.or(fits, here);
            result = Some(match result {
                None => value,
                Some(other) => self.build.choose(here, &value, &other),
            });
        }
        if all && result.is_some() {
            fits = self.build.truth(true);
        }
        (result.unwrap_or(Value::Unknown), fits)
    }

    fn is_at(&mut self, offset: Term, byte: u64) -> Term {
        let place = self.build.bits(self.pointer_bits, i128::from(byte));
        self.build.eq(offset, place)
    }

    /// The cell that an offset means in a row of equal cells, and whether it means one exactly.
    fn index(&mut self, offset: Offset, stride: u64, count: usize) -> (Term, Term) {
        let (low, bits) = (stride.trailing_zeros(), index_bits(count).max(1));
        let index = self.build.extract(offset.term, low + bits - 1, low);
        let known = offset.modulus.is_multiple_of(stride) && offset.residue.is_multiple_of(stride);
        let aligned = match low {
            _ if known => self.build.truth(true),
            0 => self.build.truth(true),
            _ => {
                let rest = self.build.extract(offset.term, low - 1, 0);
                let rest = self.build.non_zero(rest);
                self.build.not(rest)
            }
        };
        (index, aligned)
    }

    /// The value with a number, by halving.
    fn select(&mut self, index: Term, mut values: Vec<Value>) -> Value {
        for bit in 0..self.build.width(index) {
            if values.len() == 1 {
                break;
            }
            let odd = self.build.bit(index, bit);
            values = values
                .chunks(2)
                .map(|pair| match pair {
                    [even, high] => self.build.choose(odd, high, even),
                    [only] => only.clone(),
                    _ => unreachable!("chunks of two"),
                })
                .collect();
        }
        values.swap_remove(0)
    }

    /// The value of bytes at a known place; unknown if they are not all there or hold a part of a pointer.
    fn read_at(&mut self, id: ObjectId, object: &Object, byte: u64, size: u64) -> Value {
        let Some(partition) = object.partition.clone() else { return Value::Unknown };
        if let Some(at) = partition.starting_at(byte)
            && partition.cells[at].size == size
        {
            return self.cell(id, object, at);
        }
        let mut bytes: Vec<Option<Term>> = vec![None; size as usize];
        for at in partition.overlapping(byte, size) {
            let cell = partition.cells[at];
            // A part of a value that is an input would be another input: that is not followed.
            if object.array.is_none() && object.cells[at] == Value::Initial {
                return Value::Unknown;
            }
            let Value::Bits(bits) = self.cell(id, object, at) else { return Value::Unknown };
            for part in 0..cell.size {
                if let Some(place) = (cell.offset + part).checked_sub(byte).filter(|place| *place < size) {
                    bytes[place as usize] = Some(self.byte_of(bits, cell.size, part));
                }
            }
        }
        match bytes.into_iter().collect::<Option<Vec<Term>>>() {
            Some(bytes) if !bytes.is_empty() => Value::Bits(self.joined(bytes)),
            _ => Value::Unknown,
        }
    }

    /// Byte `part` of a cell, in the order of addresses.
    fn byte_of(&mut self, bits: Term, size: u64, part: u64) -> Term {
        let place = if self.big_endian { size - 1 - part } else { part } as u32;
        self.build.extract(bits, 8 * place + 7, 8 * place)
    }

    /// Bytes in the order of addresses as one pattern.
    fn joined(&mut self, mut bytes: Vec<Term>) -> Term {
        if !self.big_endian {
            bytes.reverse();
        }
        let first = bytes[0];
        bytes[1..].iter().fold(first, |high, &low| self.build.concat(high, low))
    }

    /// The object with `size` bytes replaced at a place, where a condition holds, and where the access fits the cells.
    pub(super) fn write(
        &mut self,
        id: ObjectId,
        object: &Object,
        offset: Offset,
        size: u64,
        value: &Value,
        condition: Term,
    ) -> (Object, Term) {
        let Some(partition) = object.partition.clone() else { return (object.clone(), self.build.truth(false)) };
        // Whatever is written, the cells are copied.
        if self.clock.after(partition.cells.len()) {
            return (object.clone(), self.build.truth(false));
        }
        if let Some(byte) = self.build.constant(offset.term) {
            let byte = u64::try_from(byte).unwrap_or(u64::MAX);
            return match self.write_at(id, object, byte, size, value, condition) {
                Some(object) => (object, self.build.truth(true)),
                None => (object.clone(), self.build.truth(false)),
            };
        }
        let even = partition.stride == Some(size) && size.is_power_of_two();
        if even && matches!(value, Value::Bits(_)) && (object.array.is_some() || ARRAY_CELLS < partition.cells.len()) {
            let (index, aligned) = self.index(offset, size, partition.cells.len());
            if let (Some(array), Value::Bits(bits)) = (self.as_array(id, object), value) {
                let stored = self.build.app(Op::Store, &[array, index, *bits]);
                let array = self.build.ite(condition, stored, array);
                return (Object { array: Some(array), cells: Rc::default(), ..object.clone() }, aligned);
            }
        }
        let mut result = object.clone();
        if even {
            let (index, aligned) = self.index(offset, size, partition.cells.len());
            for at in 0..partition.cells.len() {
                let number = self.index_constant(partition.cells.len(), at);
                let here = self.build.eq(index, number);
                let here = self.build.and(condition, here);
                let old = self.cell(id, &result, at);
                let new = self.build.choose(here, value, &old);
                Rc::make_mut(&mut result.cells)[at] = new;
            }
            return (result, aligned);
        }
        let mut fits = self.build.truth(false);
        let mut all = covers_all(&partition, object.capacity, offset, size);
        for byte in places(&partition, object.capacity, offset, size) {
            if self.clock.after(partition.cells.len()) {
                return (object.clone(), self.build.truth(false));
            }
            let here = self.is_at(offset.term, byte);
            let under = self.build.and(condition, here);
            match self.write_at(id, &result, byte, size, value, under) {
                Some(changed) => {
                    result = changed;
                    fits = self.build.or(fits, here);
                }
                None => all = false,
            }
        }
        if all {
            fits = self.build.truth(true);
        }
        (result, fits)
    }

    /// The object with bytes at a known place replaced where the condition holds; none if that cannot be done.
    fn write_at(
        &mut self,
        id: ObjectId,
        object: &Object,
        byte: u64,
        size: u64,
        value: &Value,
        condition: Term,
    ) -> Option<Object> {
        let partition = object.partition.clone()?;
        if object.capacity < byte.checked_add(size)? {
            return None;
        }
        if let Some(at) = partition.starting_at(byte)
            && partition.cells[at].size == size
        {
            return Some(self.put(id, object, at, value, condition));
        }
        if self.build.is_true(condition) && object.array.is_none() {
            // The cells follow what is stored.
            let carved = self.repartitioned(id, object, Rc::new(partition.carved(byte, size)));
            let at = carved.partition.as_ref()?.starting_at(byte)?;
            return Some(self.put(id, &carved, at, value, condition));
        }
        let Value::Bits(bits) = value else { return None };
        let mut result = object.clone();
        let mut written = 0;
        for at in partition.overlapping(byte, size) {
            let cell = partition.cells[at];
            if object.array.is_none() && object.cells[at] == Value::Initial {
                return None;
            }
            let Value::Bits(old) = self.cell(id, &result, at) else { return None };
            let mut bytes = Vec::new();
            for part in 0..cell.size {
                bytes.push(match (cell.offset + part).checked_sub(byte).filter(|place| *place < size) {
                    Some(place) => {
                        written += 1;
                        self.byte_of(*bits, size, place)
                    }
                    None => self.byte_of(old, cell.size, part),
                });
            }
            let new = Value::Bits(self.joined(bytes));
            result = self.put(id, &result, at, &new, condition);
        }
        (written == size).then_some(result)
    }

    fn put(&mut self, id: ObjectId, object: &Object, at: usize, value: &Value, condition: Term) -> Object {
        let mut result = object.clone();
        if let Some(array) = object.array {
            let count = object.partition.as_ref().map_or(0, |partition| partition.cells.len());
            if let Value::Bits(bits) = value {
                let index = self.index_constant(count, at);
                let stored = self.build.app(Op::Store, &[array, index, *bits]);
                result.array = Some(self.build.ite(condition, stored, array));
                return result;
            }
            let cells = (0..count).map(|at| self.cell(id, object, at)).collect();
            result.cells = Rc::new(cells);
            result.array = None;
        }
        let new = match self.build.is_true(condition) {
            true => value.clone(),
            false => {
                let old = self.cell(id, &result, at);
                self.build.choose(condition, value, &old)
            }
        };
        Rc::make_mut(&mut result.cells)[at] = new;
        result
    }

    /// The same bytes in other cells.
    fn repartitioned(&mut self, id: ObjectId, object: &Object, partition: Rc<Partition>) -> Object {
        let mut values = Vec::new();
        for cell in &partition.cells {
            if self.clock.after(1) {
                values.push(Value::Unknown);
                continue;
            }
            let old = object.partition.as_ref().expect("the object has cells");
            let untouched = object.array.is_none()
                && old
                    .starting_at(cell.offset)
                    .is_some_and(|at| old.cells[at].size == cell.size && object.cells[at] == Value::Initial);
            values.push(if untouched { Value::Initial } else { self.read_at(id, object, cell.offset, cell.size) });
        }
        Object { partition: Some(partition), cells: Rc::new(values), array: None, ..object.clone() }
    }

    /// The contents as an array of the solver; none if some cell holds a pointer.
    fn as_array(&mut self, id: ObjectId, object: &Object) -> Option<Term> {
        if object.array.is_some() {
            return object.array;
        }
        let partition = object.partition.clone()?;
        let stride = partition.stride?;
        let count = partition.cells.len();
        let sort = Sort::array(Sort::BitVec(index_bits(count).max(1)), Sort::BitVec(8 * stride as u32));
        let mut array = if object.cells.iter().all(|value| *value == Value::Initial) {
            return Some(self.initial_array(id, object, &sort, stride));
        } else {
            let zero = self.build.bits(8 * stride as u32, 0);
            let number = self.build.terms.intern_sort(&sort).index() as u32;
            self.build.terms.indexed(Op::ConstArray, [number, 0], &[zero])
        };
        for at in 0..count {
            if self.clock.after(1) {
                return None;
            }
            let Value::Bits(bits) = self.cell(id, object, at) else { return None };
            if self.build.constant(bits) == Some(0) {
                continue;
            }
            let index = self.index_constant(count, at);
            array = self.build.app(Op::Store, &[array, index, bits]);
        }
        Some(array)
    }

    fn initial_array(&mut self, id: ObjectId, object: &Object, sort: &Sort, stride: u64) -> Term {
        let generation = object.generation;
        let key = (id, generation, 0, 0);
        if let Some(&symbol) = self.initials.known.get(&key) {
            return symbol;
        }
        let symbol = self.build.terms.symbol(&format!("initial.{id}.{generation}"), sort);
        self.initials.known.insert(key, symbol);
        let cell = Cell { offset: 0, size: stride };
        self.initials.list.push(Initial { object: id, cell, symbol });
        // Cells that were read before have symbols of their own: they are the same values.
        let count = object.partition.as_ref().map_or(0, |partition| partition.cells.len());
        for at in 0..count {
            let known = self.initials.known.get(&(id, generation, at as u64 * stride, stride)).copied();
            if let Some(bits) = known {
                let index = self.index_constant(count, at);
                let element = self.build.app(Op::Select, &[symbol, index]);
                let same = self.build.eq(element, bits);
                self.initials.facts.push(same);
            }
        }
        symbol
    }

    /// `then` where the condition holds, `otherwise` elsewhere; both are the same object in two executions.
    pub(super) fn choose(&mut self, id: ObjectId, condition: Term, then: &Object, otherwise: &Object) -> Object {
        if self.clock.is_late() {
            return then.clone();
        }
        let (mut left, mut right) = (then.clone(), otherwise.clone());
        match (left.partition.clone(), right.partition.clone()) {
            (Some(partition), None) => right = self.typed(&right, partition),
            (None, Some(partition)) => left = self.typed(&left, partition),
            (Some(one), Some(other)) if one != other => {
                let common = Rc::new(common(&one, &other));
                left = self.repartitioned(id, &left, common.clone());
                right = self.repartitioned(id, &right, common);
            }
            _ => {}
        }
        if left.generation != right.generation {
            let sides = self.initials.sides;
            left = self.settled_on(id, &left, sides.map(|(side, _)| side));
            right = self.settled_on(id, &right, sides.map(|(_, side)| side));
        }
        let mut result = left.clone();
        result.alive = self.build.ite(condition, left.alive, right.alive);
        result.size = self.build.ite(condition, left.size, right.size);
        result.capacity = left.capacity.max(right.capacity);
        if left.array.is_some() || right.array.is_some() {
            if let (Some(one), Some(other)) = (self.as_array(id, &left), self.as_array(id, &right)) {
                result.array = Some(self.build.ite(condition, one, other));
                result.cells = Rc::default();
                return result;
            }
            left = self.unfolded(id, &left);
            right = self.unfolded(id, &right);
            result.array = None;
        }
        if !Rc::ptr_eq(&left.cells, &right.cells) {
            let partition = result.partition.clone();
            let mut values = Vec::with_capacity(left.cells.len());
            for (at, (one, other)) in left.cells.iter().zip(right.cells.iter()).enumerate() {
                if one == other || self.clock.after(1) {
                    values.push(one.clone());
                    continue;
                }
                let cell = partition.as_ref().expect("values have cells").cells[at];
                let (one, other) = (self.known(id, &left, cell, one), self.known(id, &right, cell, other));
                values.push(self.build.choose(condition, &one, &other));
            }
            result.cells = Rc::new(values);
        }
        result
    }

    /// The same, remembering that the executions of one side may read the initial values that are now parts of other values.
    fn settled_on(&mut self, id: ObjectId, object: &Object, side: Option<Term>) -> Object {
        self.initials.touched.clear();
        let settled = self.settled(id, object);
        let touched = std::mem::take(&mut self.initials.touched);
        if let Some(side) = side {
            self.initials.met.extend(touched.into_iter().map(|symbol| (symbol, side)));
        }
        settled
    }

    /// The object with a value in every cell.
    fn settled(&mut self, id: ObjectId, object: &Object) -> Object {
        let Some(partition) = object.partition.clone() else { return object.clone() };
        if object.array.is_some() {
            return object.clone();
        }
        let cells = (0..partition.cells.len()).map(|at| self.cell(id, object, at)).collect();
        Object { cells: Rc::new(cells), ..object.clone() }
    }

    /// The object with cells instead of an array.
    fn unfolded(&mut self, id: ObjectId, object: &Object) -> Object {
        let settled = match object.array {
            None => return object.clone(),
            Some(_) => {
                let count = object.partition.as_ref().map_or(0, |partition| partition.cells.len());
                (0..count).map(|at| self.cell(id, object, at)).collect()
            }
        };
        Object { cells: Rc::new(settled), array: None, ..object.clone() }
    }
}

/// The bits that number this many cells.
fn index_bits(count: usize) -> u32 {
    usize::BITS - count.saturating_sub(1).leading_zeros()
}

/// The bytes at which an access of `size` bytes may begin: cells of that size, or else every aligned byte.
fn places(partition: &Partition, capacity: u64, offset: Offset, size: u64) -> Vec<u64> {
    let modulus = offset.modulus.max(1);
    let possible = |byte: u64| byte % modulus == offset.residue % modulus;
    let exact = partition.cells.iter().filter(|cell| cell.size == size).map(|cell| cell.offset);
    let exact: Vec<u64> = exact.filter(|byte| possible(*byte)).collect();
    if !exact.is_empty() {
        return exact;
    }
    let step = size.clamp(1, 8);
    let any =
        (0..capacity.saturating_sub(size.saturating_sub(1))).step_by(step as usize).filter(|byte| possible(*byte));
    any.take(MOST_PLACES).collect()
}

/// Whether there is a cell of this size at every byte that an offset may mean within the object.
fn covers_all(partition: &Partition, capacity: u64, offset: Offset, size: u64) -> bool {
    if offset.modulus <= 1 || capacity < size {
        return false;
    }
    let mut possible = (offset.residue..=capacity - size).step_by(offset.modulus as usize);
    possible.all(|byte| partition.starting_at(byte).is_some_and(|at| partition.cells[at].size == size))
}

/// The cells that two partitions share; the rest in bytes.
fn common(one: &Partition, other: &Partition) -> Partition {
    let shared = |cell: &Cell| other.starting_at(cell.offset).is_some_and(|at| other.cells[at].size == cell.size);
    let (mut cells, rest): (Vec<Cell>, Vec<Cell>) = one.cells.iter().partition(|cell| shared(cell));
    let taken = Partition::new(cells.clone());
    let bytes = rest.iter().chain(&other.cells).flat_map(|cell| cell.offset..cell.offset + cell.size);
    let bytes = bytes.filter(|byte| taken.overlapping(*byte, 1).is_empty());
    cells.extend(bytes.map(|offset| Cell { offset, size: 1 }));
    Partition::new(cells)
}
