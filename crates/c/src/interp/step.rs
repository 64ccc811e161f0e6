//! What one edge does.

use super::code::{Argument, Called, Instruction, Item, Location, Scalar, Target};
use super::inputs::Origin;
use super::machine::{Extra, Here, Machine, Run, Stop, Value};
use super::{Ending, Fault};
use crate::program::{EdgeId, FunctionId, NodeId};
use crate::types::{Type, TypeId};

impl Machine<'_> {
    /// Executes an edge of an activation; the entry node of a function that was entered, with the activation of it.
    #[inline]
    pub(super) fn step(&mut self, here: Here, edge: EdgeId) -> Run<Option<(NodeId, Here)>> {
        let code = self.code;
        match &code.instructions[edge.0 as usize] {
            Instruction::Skip => {}
            Instruction::Assign { value, target } => {
                let value = self.eval(here, *value)?;
                self.assign(here, *target, value)?;
            }
            Instruction::Copy { value, target, size, ty } => {
                let from = self.eval(here, *value)?;
                let bytes = self.read_bytes(from, *size, Some(*ty))?;
                let to = self.eval(here, *target)?;
                if let Value::Bytes(bytes, known) = bytes {
                    self.write_bytes(to, &bytes, &known)?;
                }
            }
            Instruction::Initialise { place, size, items } => {
                let address = self.place_address(here, *place);
                // The values are computed before the object is cleared: an item may read the variable itself.
                let mut values = Vec::with_capacity(items.len());
                for item in items {
                    values.push(self.item_value(here, item)?);
                }
                let zeros = vec![0; *size as usize];
                let known = vec![true; *size as usize];
                let (object, _) = self.memory.check(address, *size)?;
                let constant = std::mem::replace(&mut self.memory.objects[object].constant, false);
                self.write_bytes(address, &zeros, &known)?;
                for (item, value) in items.iter().zip(values) {
                    self.store_item(address, item, value)?;
                }
                self.memory.objects[object].constant = constant;
            }
            Instruction::Call { callee, arguments, result } => {
                return self.call(here, *callee, arguments, *result, edge);
            }
            Instruction::Return { value } => {
                self.result = match value {
                    None => Value::Nothing,
                    Some(argument) => self.argument(here, argument)?,
                };
            }
            Instruction::Assert(condition) => {
                if self.settings.assertions && self.eval(here, *condition)? == 0 {
                    return Err(Stop::Ending(Ending::AssertionFailed(edge)));
                }
            }
            Instruction::Restrict(condition) => {
                if self.settings.assumptions && self.eval(here, *condition)? == 0 {
                    return Err(Stop::Ending(Ending::Excluded(edge)));
                }
            }
        }
        Ok(None)
    }

    #[inline]
    fn assign(&mut self, here: Here, target: Target, value: i128) -> Run<()> {
        match target {
            Target::Slot(slot) => {
                let index = here.base + slot as usize;
                self.slots[index] = value;
                self.known[index] = true;
                Ok(())
            }
            Target::Memory { address, scalar } => {
                let address = self.eval(here, address)?;
                self.store(address, scalar, value)
            }
            Target::Bits { address, integer, shift, width } => {
                let address = self.eval(here, address)?;
                self.store_bits(address, integer, shift, width, value)
            }
            Target::World { address, written } => {
                let address = self.eval(here, address)?;
                self.remember_fixed(address, written, value);
                Ok(())
            }
            Target::Device { address, scalar, ty } => {
                let address = self.eval(here, address)?;
                self.store(address, scalar, value)?;
                self.remember_device(address, ty, value);
                Ok(())
            }
            Target::Bytes { .. } => unreachable!("scalars are not assigned to structures"),
        }
    }

    fn place_address(&self, here: Here, place: Location) -> i128 {
        match place {
            Location::Frame(index) => self.memory.address(self.frame_objects[here.objects + index as usize]),
            Location::Static(index) => self.memory.address(self.statics[index as usize]),
            Location::Slot(_) => unreachable!("registers are assigned, not initialised in parts"),
        }
    }

    fn item_value(&mut self, here: Here, item: &Item) -> Run<Value> {
        let value = self.eval(here, item.value)?;
        if item.size == 0 { Ok(Value::Scalar(value)) } else { self.read_bytes(value, item.size, None) }
    }

    fn store_item(&mut self, address: i128, item: &Item, value: Value) -> Run<()> {
        let at = address + i128::from(item.offset);
        match (value, item.bits) {
            (Value::Scalar(value), Some((integer, shift, width))) => self.store_bits(at, integer, shift, width, value),
            (Value::Scalar(value), None) => self.store(at, item.scalar, value),
            (Value::Bytes(bytes, known), _) => self.write_bytes(at, &bytes, &known),
            (Value::Nothing, _) => Ok(()),
        }
    }

    /// Stores the items of a static object.
    pub(super) fn store_items(&mut self, address: i128, items: &[Item]) -> Run<()> {
        for item in items {
            let value = self.item_value(Here::OUTSIDE, item)?;
            self.store_item(address, item, value)?;
        }
        Ok(())
    }

    fn argument(&mut self, here: Here, argument: &Argument) -> Run<Value> {
        let value = self.eval(here, argument.value)?;
        if argument.size == 0 {
            Ok(Value::Scalar(value))
        } else {
            self.read_bytes(value, argument.size, Some(argument.ty))
        }
    }

    pub(super) fn set_variable(&mut self, here: Here, place: Location, value: Value) -> Run<()> {
        match (place, value) {
            (Location::Slot(slot), Value::Scalar(value)) => {
                let index = here.base + slot as usize;
                self.slots[index] = value;
                self.known[index] = true;
                Ok(())
            }
            (Location::Slot(_), _) => Ok(()),
            (place, Value::Bytes(bytes, known)) => {
                let address = self.place_address(here, place);
                self.write_bytes(address, &bytes, &known)
            }
            (place, Value::Scalar(value)) => {
                let address = self.place_address(here, place);
                let (object, _) = self.memory.check(address, 1)?;
                let crate::interp::memory::Kind::Variable(variable) = self.memory.objects[object].kind else {
                    return Ok(());
                };
                let scalar = super::compile::scalar(&self.program.types, self.program.variable(variable).ty);
                self.store(address, scalar, value)
            }
            (_, Value::Nothing) => Ok(()),
        }
    }

    fn called(&mut self, here: Here, callee: Called) -> Run<FunctionId> {
        match callee {
            Called::Function(function) => Ok(function),
            Called::Pointer(pointer, ty) => {
                let address = self.eval(here, pointer)?;
                if address == 0 {
                    return Err(Fault::NullPointer.into());
                }
                let function = super::memory::function_at(address, self.program.types.model().pointer);
                let known = function.filter(|function| (function.0 as usize) < self.program.functions.len());
                match known {
                    Some(function) if self.program.types.compatible(self.program.function(function).ty, ty) => {
                        Ok(function)
                    }
                    _ => Err(Fault::BadCall.into()),
                }
            }
        }
    }

    fn call(
        &mut self,
        here: Here,
        callee: Called,
        arguments: &[Argument],
        result: Option<(Target, TypeId)>,
        edge: EdgeId,
    ) -> Run<Option<(NodeId, Here)>> {
        let function = self.called(here, callee)?;
        self.called = function;
        let code = self.code;
        if let Some(entered) = &code.functions[function.0 as usize] {
            if arguments.len() < entered.parameters.len() {
                return Err(Fault::BadCall.into());
            }
            if let Some(callee) = self.enter_with_scalars(here, function, entered, arguments, edge)? {
                return Ok(Some((entered.entry, callee)));
            }
            let mut values = Vec::with_capacity(arguments.len());
            for argument in arguments {
                values.push(self.argument(here, argument)?);
            }
            let extra = values.split_off(entered.parameters.len());
            let scalars = arguments[entered.parameters.len()..].iter().map(|argument| argument.scalar);
            let extra = extra.into_iter().zip(scalars).map(|(value, scalar)| Extra { value, scalar }).collect();
            let callee = self.push_frame(function, Some(edge), extra)?;
            for (place, value) in entered.parameters.iter().zip(values) {
                self.set_variable(callee, *place, value)?;
            }
            self.result = Value::Nothing;
            return Ok(Some((entered.entry, callee)));
        }
        if let Some(model) = code.models[function.0 as usize] {
            let value = self.model(here, model, arguments, result.map(|(_, ty)| ty))?;
            if let Some((target, _)) = result {
                self.put_result(here, target, value)?;
            }
            return Ok(None);
        }
        let name = &self.program.function(function).name;
        if let Some(what) = crate::library::unsupported(name) {
            return Err(Stop::Ending(Ending::Unsupported { what: what.to_owned(), edge }));
        }
        if self.settings.library && crate::library::needs_model(name) && !self.settings.abstracted.contains(&function) {
            if !crate::library::can_stop_at(name) {
                let what = format!("`{name}` has no model");
                return Err(Stop::Ending(Ending::Unsupported { what, edge }));
            }
            for argument in arguments {
                self.argument(here, argument)?;
            }
            return Err(Stop::Ending(Ending::Unmodelled { function, edge }));
        }
        // A function nobody defines: its arguments are evaluated, its result is an input.
        let mut values = Vec::new();
        for argument in arguments {
            let value = self.argument(here, argument)?;
            values.extend(self.watch.is_some().then_some(value));
        }
        self.remember_call(function, arguments, &values);
        if self.program.function(function).noreturn {
            return Err(Stop::Ending(Ending::Stopped { function, edge }));
        }
        if let Some((target, ty)) = result {
            let value = self.unknown_result(function, ty)?;
            self.put_result(here, target, value)?;
        } else if code.results_used[function.0 as usize] {
            // One of its results, though nobody looks at it.
            let Type::Function { result, .. } = self.program.types.kind(self.program.function(function).ty) else {
                return Ok(None);
            };
            if self.program.types.size(*result).is_some() {
                self.unknown_result(function, *result)?;
            }
        }
        Ok(None)
    }

    /// The common case: scalars into registers, without a detour.
    #[inline]
    fn enter_with_scalars(
        &mut self,
        here: Here,
        function: FunctionId,
        entered: &super::code::Entered,
        arguments: &[Argument],
        edge: EdgeId,
    ) -> Run<Option<Here>> {
        let simple = arguments.len() == entered.parameters.len()
            && arguments.iter().all(|argument| argument.size == 0)
            && entered.parameters.iter().all(|place| matches!(place, Location::Slot(_)));
        if !simple {
            return Ok(None);
        }
        let height = self.stack.len();
        for argument in arguments {
            let value = self.eval(here, argument.value)?;
            self.stack.push(value);
        }
        let callee = self.push_frame(function, Some(edge), Vec::new())?;
        let base = callee.base;
        for (index, place) in entered.parameters.iter().enumerate() {
            if let Location::Slot(slot) = place {
                self.slots[base + *slot as usize] = self.stack[height + index];
                self.known[base + *slot as usize] = true;
            }
        }
        self.stack.truncate(height);
        self.result = Value::Nothing;
        Ok(Some(callee))
    }

    /// The result of a function without a body: an input for each scalar in it.
    fn unknown_result(&mut self, function: FunctionId, ty: TypeId) -> Run<Value> {
        let program = self.program;
        let name = format!("{}()", program.function(function).name);
        if super::compile::scalar(&program.types, ty) != Scalar::Other {
            return self.ask(Origin::Result(function), &name, ty, 0).map(Value::Scalar);
        }
        let size = super::compile::size(&program.types, ty);
        let mut bytes = vec![0; size as usize];
        for (offset, leaf) in super::path::leaves(program, ty, 0..size) {
            let path = super::path::name_of(program, &name, ty, offset, leaf);
            let value = self.ask(Origin::Result(function), &path, leaf, 0)?;
            let scalar = super::compile::scalar(&program.types, leaf);
            let raw = super::expression::encode(scalar, value).to_le_bytes();
            let length = scalar.size();
            let place = &mut bytes[offset as usize..offset as usize + length];
            place.copy_from_slice(&raw[..length]);
            if self.memory.big_endian {
                place.reverse();
            }
        }
        let known = vec![true; bytes.len()];
        Ok(Value::Bytes(bytes, known))
    }

    fn put_result(&mut self, here: Here, target: Target, value: Value) -> Run<()> {
        match (target, value) {
            (_, Value::Nothing) => Ok(()),
            (Target::World { .. }, Value::Bytes(..)) => {
                self.forget_writes();
                Ok(())
            }
            (Target::Bytes { address }, Value::Bytes(bytes, known)) => {
                let address = self.eval(here, address)?;
                self.write_bytes(address, &bytes, &known)
            }
            (
                Target::Slot(_)
                | Target::Memory { .. }
                | Target::Bits { .. }
                | Target::World { .. }
                | Target::Device { .. },
                Value::Scalar(value),
            ) => self.assign(here, target, value),
            (Target::Bytes { .. }, Value::Scalar(_)) | (_, Value::Bytes(..)) => Err(Fault::BadCall.into()),
        }
    }

    /// Stores what a function returned where its call wants it.
    pub(super) fn store_result(&mut self, caller: Here, call: EdgeId) -> Run<()> {
        let code = self.code;
        let Instruction::Call { result, .. } = &code.instructions[call.0 as usize] else {
            return Ok(());
        };
        let value = std::mem::replace(&mut self.result, Value::Nothing);
        let Some((target, _)) = result else { return Ok(()) };
        match (value, target) {
            // Only the use of a missing value is undefined, so the temporary stays without one.
            (Value::Nothing, Target::Slot(slot)) => {
                let index = caller.base + *slot as usize;
                self.known[index] = false;
                Ok(())
            }
            (value, target) => self.put_result(caller, *target, value),
        }
    }
}
