//! Evaluation of expressions, and access to variables and memory with inputs supplied where they are read.

use super::arithmetic::{bits, convert, extended, floating, integer, negate, number, wide, wrapped};
use super::code::{Op, Range, Scalar};
use super::inputs::{InputRecord, InputValue, Origin, Request};
use super::machine::{Here, Machine, Run, Stop, Value};
use super::memory::Kind;
use super::{Ending, Fault, FunctionName};
use crate::expr::BinaryOp;
use crate::program::{Storage, VariableId};
use crate::types::{Integer, Type, TypeId};

impl Machine<'_> {
    /// The value of an expression of an activation.
    #[inline]
    pub(super) fn eval(&mut self, here: Here, range: Range) -> Run<i128> {
        let code = self.code;
        let ops = &code.ops[range.start as usize..range.end as usize];
        let height = self.stack.len();
        for op in ops {
            match *op {
                Op::Small(value) => self.stack.push(i128::from(value)),
                Op::Constant(index) => self.stack.push(code.constants[index as usize]),
                Op::Slot(slot) => {
                    let value = self.slot(here, slot)?;
                    self.stack.push(value);
                }
                Op::Frame(index) => {
                    let id = self.frame_objects[here.objects + index as usize];
                    self.stack.push(self.memory.address(id));
                }
                Op::Static(index) => self.stack.push(self.memory.address(self.statics[index as usize])),
                Op::Load(scalar, ty) => {
                    let address = self.pop();
                    let value = self.load(address, scalar, ty)?;
                    self.stack.push(value);
                }
                Op::Reload(scalar, ty) => {
                    let address = self.pop();
                    let size = scalar.size();
                    let (object, offset) = self.memory.check(address, size as u64)?;
                    self.memory.objects[object].known[offset..offset + size].fill(false);
                    let value = self.load(address, scalar, ty)?;
                    self.stack.push(value);
                }
                Op::World(ty) => {
                    let address = self.pop();
                    let name = self.program.address_name(address, ty);
                    let value = self.ask(Origin::World, &name, ty, 0)?;
                    self.stack.push(value);
                }
                Op::LoadBits { integer, shift, width, ty } => {
                    let address = self.pop();
                    let value = self.load_bits(address, integer, shift, width, ty)?;
                    self.stack.push(value);
                }
                Op::Advance(bytes) => {
                    let address = self.pop();
                    let moved = self.moved(address, i128::from(bytes));
                    self.stack.push(moved);
                }
                Op::Within { places } => {
                    let index = *self.stack.last().expect("postfix code is balanced");
                    if !(0..i128::from(places)).contains(&index) {
                        self.go_on(Fault::OutOfBounds, false)?;
                    }
                }
                Op::Index { stride } => {
                    let (address, index) = self.pop_two();
                    let moved = self.moved(address, index.wrapping_mul(i128::from(stride)));
                    self.stack.push(moved);
                }
                Op::Step { stride } => {
                    let (address, index) = self.pop_two();
                    if address == 0 && index != 0 {
                        return Err(Fault::NullArithmetic.into());
                    }
                    let moved = self.moved(address, index.wrapping_mul(i128::from(stride)));
                    self.stack.push(moved);
                }
                Op::Negate(scalar) => {
                    let value = self.pop();
                    let negated = match negate(scalar, value) {
                        Ok(negated) => negated,
                        Err(fault) => self.negated_anyway(scalar, value, fault)?,
                    };
                    self.stack.push(negated);
                }
                Op::Complement(ty) => {
                    let value = self.pop();
                    self.stack.push(ty.wrap(!value));
                }
                Op::Integer(operator, ty) => {
                    let (left, right) = self.pop_two();
                    self.compared = (left, right);
                    let value = match integer(operator, ty, left, right) {
                        Ok(value) => value,
                        Err(fault) => self.computed_anyway(operator, ty, (left, right), fault)?,
                    };
                    self.stack.push(value);
                }
                Op::Wide(operator, ty) => {
                    let (left, right) = self.pop_two();
                    let value = match wide(operator, ty.signed, left, right) {
                        Ok(value) => value,
                        Err(fault @ Fault::SignedOverflow) if wrapped(operator, ty, 0, 0, false).is_some() => {
                            self.go_on(fault, self.settings.wrap)?;
                            wide(operator, false, left, right)?
                        }
                        Err(fault) => return Err(fault.into()),
                    };
                    self.stack.push(value);
                }
                Op::Floating(operator, single) => {
                    let (left, right) = self.pop_two();
                    self.compared = (left, right);
                    self.stack.push(floating(operator, single, number(left), number(right)));
                }
                Op::Extended(operator) => {
                    let (left, right) = self.pop_two();
                    self.stack.push(extended(operator, left as u128, right as u128));
                }
                Op::Pointers(operator) => {
                    let (left, right) = self.pop_two();
                    let value = self.compare_pointers(operator, left, right)?;
                    self.stack.push(value);
                }
                Op::Difference { stride } => {
                    let (left, right) = self.pop_two();
                    self.same_object(left, right)?;
                    self.stack.push((left - right) / i128::from(stride));
                }
                Op::Convert(from, to) => {
                    let value = self.pop();
                    self.stack.push(convert(from, to, value)?);
                }
            }
        }
        let value = self.pop();
        debug_assert_eq!(self.stack.len(), height);
        Ok(value)
    }

    /// What the machine makes of an operation that is undefined, if the run goes on.
    #[cold]
    fn computed_anyway(
        &mut self,
        operator: BinaryOp,
        ty: Integer,
        (left, right): (i128, i128),
        fault: Fault,
    ) -> Run<i128> {
        let Some(value) = wrapped(operator, ty, left, right, self.settings.go_on) else { return Err(fault.into()) };
        let shifts_too_far = fault == Fault::Shift && !(0..i128::from(ty.bits)).contains(&right);
        self.go_on(fault, self.settings.wrap && !shifts_too_far)?;
        Ok(value)
    }

    #[cold]
    fn negated_anyway(&mut self, scalar: Scalar, value: i128, fault: Fault) -> Run<i128> {
        let Scalar::Integer(ty) = scalar else { return Err(fault.into()) };
        self.go_on(fault, self.settings.wrap)?;
        Ok(ty.wrap(value.wrapping_neg()))
    }

    /// Goes on behind something that is undefined by the standard, unless the settings define it or end the run.
    pub(super) fn go_on(&mut self, fault: Fault, defined: bool) -> Run<()> {
        if defined {
            return Ok(());
        }
        if !self.settings.go_on {
            return Err(fault.into());
        }
        let edge = self.edge;
        self.undefined.get_or_insert((fault, edge));
        Ok(())
    }

    #[inline]
    fn pop(&mut self) -> i128 {
        self.stack.pop().expect("postfix code is balanced")
    }

    #[inline]
    fn pop_two(&mut self) -> (i128, i128) {
        let right = self.pop();
        (self.pop(), right)
    }

    fn moved(&self, address: i128, bytes: i128) -> i128 {
        let bits = u32::from(self.program.types.model().pointer) * 8;
        Integer { bits, signed: false }.wrap(address.wrapping_add(bytes))
    }

    fn same_object(&self, left: i128, right: i128) -> Run<()> {
        if left == right {
            return Ok(());
        }
        match (self.memory.resolve(left), self.memory.resolve(right)) {
            (Some((left, _)), Some((right, _))) if left == right => Ok(()),
            _ => Err(Fault::DifferentObjects.into()),
        }
    }

    fn compare_pointers(&self, operator: BinaryOp, left: i128, right: i128) -> Run<i128> {
        let truth = match operator {
            BinaryOp::Equal => left == right,
            BinaryOp::Unequal => left != right,
            _ => {
                self.same_object(left, right)?;
                match operator {
                    BinaryOp::Less => left < right,
                    BinaryOp::LessEqual => left <= right,
                    BinaryOp::Greater => left > right,
                    _ => left >= right,
                }
            }
        };
        Ok(i128::from(truth))
    }

    /// The value of a register of an activation.
    #[inline]
    pub(super) fn slot(&mut self, here: Here, slot: u32) -> Run<i128> {
        let index = here.base + slot as usize;
        if self.known[index] {
            return Ok(self.slots[index]);
        }
        let entered = self.code.functions[here.function.0 as usize].as_ref().expect("the function runs");
        let variable = entered.slot_variables[slot as usize];
        let value = self.variable_input(variable, here.is_first())?;
        self.slots[index] = value;
        self.known[index] = true;
        Ok(value)
    }

    /// A variable without a value is an input; those of the first activation of the entry function are parameters of the run.
    fn variable_input(&mut self, variable: VariableId, first: bool) -> Run<i128> {
        let found = self.program.variable(variable);
        let origin = self.origin_of(variable, first);
        if matches!(origin, Origin::Local(_))
            && (!self.settings.uninitialised_inputs || found.storage == Storage::Temporary)
        {
            let fault = if found.storage == Storage::Temporary { Fault::MissingReturn } else { Fault::Uninitialised };
            return Err(fault.into());
        }
        let name = self.input_name(variable, first).into_owned();
        self.ask(origin, &name, found.ty, 0)
    }

    fn origin_of(&self, variable: VariableId, first: bool) -> Origin {
        match self.program.variable(variable).storage {
            Storage::Global { .. } | Storage::Static => Origin::Global(variable),
            Storage::Parameter(_) if first => Origin::Parameter(variable),
            Storage::Parameter(_) | Storage::Local | Storage::Temporary => Origin::Local(variable),
        }
    }

    /// Asks for an input and turns the answer into a value of the machine.
    pub(super) fn ask(&mut self, origin: Origin, name: &str, ty: TypeId, depth: u32) -> Run<i128> {
        let types = &self.program.types;
        let ty = ty.unqualified();
        let scalar = super::compile::scalar(types, ty);
        if scalar == Scalar::Other {
            let what = format!("an input of type `{}`", types.show(ty));
            return Err(Stop::Ending(Ending::Unsupported { what, edge: self.edge }));
        }
        let no_input = |why: &str| Stop::Ending(Ending::NoInput(format!("{name}: {why}")));
        let functions = self.program.function_target(ty).map(|_| self.callable(ty));
        let is_pointer = matches!(scalar, Scalar::Pointer(_)) && functions.is_none();
        let too_deep = is_pointer && depth >= self.settings.pointer_depth;
        let request = Request { name, ty, origin: &origin, types, functions: functions.as_deref() };
        let cut = self.settings.inputs <= self.records.len() as u64;
        let given = match too_deep {
            true => Some(InputValue::Null),
            false if cut => None,
            false => self.inputs.value(&request),
        };
        let given =
            given.ok_or_else(|| Stop::Ending(Ending::EndOfInputs { name: name.to_owned(), edge: self.edge }))?;
        let value = match (scalar, given) {
            (Scalar::Bool, InputValue::Integer(value @ (0 | 1))) => value,
            (Scalar::Integer(integer), InputValue::Integer(value)) if integer.holds(value) => value,
            (Scalar::Float, InputValue::Float(value)) => bits(f64::from(value as f32)),
            (Scalar::Double, InputValue::Float(value)) => bits(value),
            (Scalar::Extended(_), InputValue::Float(value)) => crate::extended::from_double(value) as i128,
            (Scalar::Pointer(_), InputValue::Null) => 0,
            (Scalar::Pointer(_), InputValue::Function(function)) => {
                let named = function.to_string();
                let found = self.program.callable(ty).into_iter().find(|id| self.program.function(*id).name == named);
                let found = found.ok_or_else(|| no_input(&format!("{given} does not fit `{}`", types.show(ty))))?;
                super::memory::function_address(found, types.model().pointer)
            }
            (Scalar::Pointer(_), InputValue::Object(count)) => self.input_object(name, ty, count, depth)?,
            _ => return Err(no_input(&format!("{given} does not fit `{}`", types.show(ty)))),
        };
        let call = match origin {
            Origin::Parameter(_) => self.round,
            Origin::Object { call } => call,
            Origin::Global(_) | Origin::Local(_) | Origin::Heap | Origin::Result(_) | Origin::World | Origin::Calls => {
                0
            }
        };
        self.records.push(InputRecord { name: name.to_owned(), ty, origin, value: given, call });
        Ok(value)
    }

    /// The names of the functions that a pointer may point to.
    fn callable(&self, ty: TypeId) -> Vec<FunctionName> {
        let functions = self.program.callable(ty).into_iter();
        functions.map(|id| FunctionName::new(&self.program.function(id).name)).collect()
    }

    fn input_object(&mut self, name: &str, ty: TypeId, count: u64, depth: u32) -> Run<i128> {
        let target = self.program.types.target(ty).unwrap_or(TypeId::VOID).unqualified();
        let element = match self.program.types.kind(target) {
            Type::Void => TypeId::UCHAR,
            Type::Function { .. } => {
                let what = format!("a function for the input `{name}`");
                return Err(Stop::Ending(Ending::Unsupported { what, edge: self.edge }));
            }
            _ => target,
        };
        let size = self.program.types.size(element).unwrap_or(1).saturating_mul(count);
        let kind = Kind::Input { name: name.to_owned(), element, depth: depth + 1, call: self.round };
        let id = self.memory.allocate(size, kind, false)?;
        Ok(self.memory.address(id))
    }

    /// Loads a scalar.
    #[inline]
    pub(super) fn load(&mut self, address: i128, scalar: Scalar, ty: TypeId) -> Run<i128> {
        let size = scalar.size();
        if size == 0 {
            let what = format!("a value of type `{}`", self.program.types.show(ty));
            return Err(Stop::Ending(Ending::Unsupported { what, edge: self.edge }));
        }
        let (object, offset) = self.memory.check(address, size as u64)?;
        if self.memory.objects[object].known[offset..offset + size].contains(&false) {
            self.supply(object, offset, size, ty)?;
        }
        Ok(decode(scalar, self.memory.read(object, offset, size)))
    }

    /// Stores a scalar.
    #[inline]
    pub(super) fn store(&mut self, address: i128, scalar: Scalar, value: i128) -> Run<()> {
        let size = scalar.size();
        let (object, offset) = self.memory.check(address, size as u64)?;
        if self.memory.objects[object].constant {
            return Err(Fault::ReadOnly.into());
        }
        self.memory.write(object, offset, size, encode(scalar, value));
        Ok(())
    }

    /// The bytes of a storage unit that a bit-field touches.
    fn bit_bytes(&self, unit: usize, shift: u8, width: u8) -> (usize, usize, u32) {
        let (low, high) = (usize::from(shift) / 8, (usize::from(shift) + usize::from(width)).div_ceil(8));
        let start = if self.memory.big_endian { unit - high } else { low };
        (start, high - low, (shift % 8).into())
    }

    fn load_bits(&mut self, address: i128, ty: Integer, shift: u8, width: u8, declared: TypeId) -> Run<i128> {
        let (start, count, shift) = self.bit_bytes(ty.bits as usize / 8, shift, width);
        let (object, offset) = self.memory.check(self.moved(address, start as i128), count as u64)?;
        if self.memory.objects[object].known[offset..offset + count].contains(&false) {
            let _ = declared;
            for index in offset..offset + count {
                if !self.memory.objects[object].known[index] {
                    self.supply(object, index, 1, TypeId::UCHAR)?;
                }
            }
        }
        let raw = (self.memory.read(object, offset, count) >> shift) as i128;
        Ok(Integer { bits: u32::from(width), signed: ty.signed }.wrap(raw))
    }

    pub(super) fn store_bits(&mut self, address: i128, ty: Integer, shift: u8, width: u8, value: i128) -> Run<()> {
        let (start, count, shift) = self.bit_bytes(ty.bits as usize / 8, shift, width);
        let (object, offset) = self.memory.check(self.moved(address, start as i128), count as u64)?;
        if self.memory.objects[object].constant {
            return Err(Fault::ReadOnly.into());
        }
        // Bits beside the field keep their values; those that have none yet become zero.
        let old = self.memory.read(object, offset, count);
        let mask = (u128::MAX >> (128 - u32::from(width))) << shift;
        let new = old & !mask | ((value as u128) << shift) & mask;
        self.memory.write(object, offset, count, new);
        Ok(())
    }

    /// Gives values to the bytes of an object that have none.
    pub(super) fn supply(&mut self, object: usize, offset: usize, size: usize, ty: TypeId) -> Run<()> {
        let known = &self.memory.objects[object].known[offset..offset + size];
        if known.contains(&true) {
            // Some bytes are known: the others are asked for one by one.
            for index in offset..offset + size {
                if !self.memory.objects[object].known[index] {
                    self.supply(object, index, 1, TypeId::UCHAR)?;
                }
            }
            return Ok(());
        }
        if self.memory.objects[object].assembled {
            let what = "the use of a value that inline assembly wrote".to_owned();
            return Err(Stop::Ending(Ending::Unsupported { what, edge: self.edge }));
        }
        let program = self.program;
        let (origin, name, depth) = match self.memory.objects[object].kind.clone() {
            Kind::Variable(variable) => {
                let found = program.variable(variable);
                let first = self.is_of_entry(object);
                let name = self.input_name(variable, first);
                (self.origin_of(variable, first), super::path::name_of(program, &name, found.ty, offset as u64, ty), 0)
            }
            Kind::Input { name, element, depth, call } => {
                let stride = program.types.size(element).unwrap_or(1).max(1);
                let base = format!("{name}[{}]", offset as u64 / stride);
                let name = super::path::name_of(program, &base, element, offset as u64 % stride, ty);
                (Origin::Object { call }, name, depth)
            }
            Kind::Heap => (Origin::Heap, format!("heap{object}@{offset}"), 0),
            Kind::Internal => (Origin::Heap, "memory".to_owned(), 0),
        };
        let undefined = matches!(origin, Origin::Local(_) | Origin::Heap) && !self.settings.uninitialised_inputs;
        if undefined {
            return Err(Fault::Uninitialised.into());
        }
        let value = self.ask(origin, &name, ty, depth)?;
        let scalar = super::compile::scalar(&program.types, ty);
        self.memory.write(object, offset, size, encode(scalar, value));
        Ok(())
    }

    /// The bytes at an address; inputs among them are asked for first, part by part.
    pub(super) fn read_bytes(&mut self, address: i128, size: u64, ty: Option<TypeId>) -> Run<Value> {
        if size == 0 {
            return Ok(Value::Bytes(Vec::new(), Vec::new()));
        }
        let (object, offset) = self.memory.check(address, size)?;
        let range = offset..offset + size as usize;
        if self.memory.objects[object].known[range.clone()].contains(&false) {
            self.materialise(object, offset, size, ty)?;
        }
        let found = &self.memory.objects[object];
        Ok(Value::Bytes(found.bytes[range.clone()].to_vec(), found.known[range].to_vec()))
    }

    /// Asks for the inputs in a range of an object, so that copies of them are the same values.
    fn materialise(&mut self, object: usize, offset: usize, size: u64, ty: Option<TypeId>) -> Run<()> {
        let program = self.program;
        let inputs = self.settings.uninitialised_inputs;
        let parts: Vec<(u64, TypeId)> = match (ty, &self.memory.objects[object].kind) {
            (Some(ty), _) => {
                super::path::leaves(program, ty, 0..size).into_iter().map(|(at, ty)| (at + offset as u64, ty)).collect()
            }
            (None, Kind::Variable(variable)) => {
                super::path::leaves(program, program.variable(*variable).ty, offset as u64..offset as u64 + size)
            }
            (None, Kind::Input { element, .. }) => {
                let stride = program.types.size(*element).unwrap_or(1).max(1);
                let (first, last) = (offset as u64 / stride, (offset as u64 + size).div_ceil(stride));
                let all = program.types.size(*element).unwrap_or(1);
                (first..last)
                    .flat_map(|index| {
                        super::path::leaves(program, *element, 0..all)
                            .into_iter()
                            .map(move |(at, ty)| (at + index * stride, ty))
                    })
                    .collect()
            }
            (None, Kind::Heap | Kind::Internal) => (0..size).map(|at| (offset as u64 + at, TypeId::UCHAR)).collect(),
        };
        for (at, ty) in parts {
            let (at, length) = (at as usize, program.types.size(ty).unwrap_or(0) as usize);
            let scalar = super::compile::scalar(&program.types, ty);
            let within = at + length <= self.memory.objects[object].known.len();
            if scalar == Scalar::Other
                || !within
                || !self.memory.objects[object].known[at..at + length].contains(&false)
            {
                continue;
            }
            let local = matches!(&self.memory.objects[object].kind, Kind::Variable(variable) if matches!(self.origin_of(*variable, self.is_of_entry(object)), Origin::Local(_)));
            let heap = matches!(self.memory.objects[object].kind, Kind::Heap | Kind::Internal);
            if !heap && (inputs || !local) {
                self.supply(object, at, length, ty)?;
            }
        }
        Ok(())
    }

    /// Stores bytes at an address.
    pub(super) fn write_bytes(&mut self, address: i128, bytes: &[u8], known: &[bool]) -> Run<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        let (object, offset) = self.memory.check(address, bytes.len() as u64)?;
        let found = &mut self.memory.objects[object];
        if found.constant {
            return Err(Fault::ReadOnly.into());
        }
        found.bytes[offset..offset + bytes.len()].copy_from_slice(bytes);
        found.known[offset..offset + bytes.len()].copy_from_slice(known);
        Ok(())
    }
}

/// The bits of a value in memory.
pub(super) fn encode(scalar: Scalar, value: i128) -> u128 {
    match scalar {
        Scalar::Float => u128::from((number(value) as f32).to_bits()),
        Scalar::Integer(_)
        | Scalar::Bool
        | Scalar::Double
        | Scalar::Extended(_)
        | Scalar::Pointer(_)
        | Scalar::Other => value as u128,
    }
}

/// The value that bits in memory are.
pub(super) fn decode(scalar: Scalar, raw: u128) -> i128 {
    match scalar {
        Scalar::Integer(integer) => integer.wrap(raw as i128),
        Scalar::Float => bits(f64::from(f32::from_bits(raw as u32))),
        Scalar::Bool => i128::from(raw != 0),
        // Bytes of padding hold anything.
        Scalar::Extended(_) => (raw & ((1 << 80) - 1)) as i128,
        Scalar::Double | Scalar::Pointer(_) | Scalar::Other => raw as i128,
    }
}
