//! What a run did that its caller can see, beside what it returned and printed: memory that it changed, calls of functions that
//! nobody defines, and what it wrote to devices.
//!
//! Memory that a caller can see is what pointers among the inputs point to, variables of static storage that have a name outside of
//! functions, and whatever is reached from these and from the result. Only what differs from the state before the call is listed.

use std::collections::{BTreeSet, HashMap};

use super::code::{Argument, Scalar};
use super::inputs::InputValue;
use super::machine::{Machine, Value};
use super::memory::{Kind, ObjectId};
use super::{FunctionName, path};
use crate::program::{FunctionId, Program, VariableId};
use crate::types::{Type, TypeId};

/// So many parts of memory are listed at most.
const MOST_PARTS: usize = 200;

/// So many bytes of an object are looked at.
pub(super) const MOST_BYTES: u64 = 1 << 14;

/// So many calls are listed at most.
const MOST_CALLS: usize = 64;

/// So many writes to devices are listed at most.
const MOST_WRITES: usize = 256;

/// So many parts of what an argument points to are listed at most.
const MOST_BEHIND: usize = 16;

/// What a caller sees of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Effects {
    /// The parts of memory that are not what they were before, by name, once the entry function has returned.
    pub changes: Vec<(String, Observed)>,
    /// Whether there are more of them than are listed.
    pub more_changes: bool,
    /// Whether there is memory that the caller can see.
    pub watches: bool,
    /// The pointer that the entry function returned, if it did.
    pub result: Option<Observed>,
    /// The calls of functions without a body, in order.
    pub calls: Vec<StubCall>,
    /// Whether there are more of them than are listed.
    pub more_calls: bool,
    /// What is written to devices, in order, by the names that reads of them have; none where the program knows no device.
    pub writes: Option<Vec<(String, Observed)>>,
    /// Whether there is more of it than is listed.
    pub more_writes: bool,
}

/// What is in a part of memory.
#[derive(Clone, Debug, PartialEq)]
pub enum Observed {
    /// A number, the null pointer, or a function. A pointer to an object that has no name is `new[1]`.
    Value(InputValue),
    /// A pointer to a part of memory that has this name.
    Address(String),
    /// The object was given back.
    Freed,
}

/// A call of a function without a body.
#[derive(Clone, Debug, PartialEq)]
pub struct StubCall {
    /// The function.
    pub function: FunctionId,
    /// What it was called with.
    pub arguments: Vec<Passed>,
}

/// An argument of such a call.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Passed {
    /// What was passed; none for structures.
    pub value: Option<Observed>,
    /// What a pointer points to, by how C goes on behind the pointer: `[0].x`.
    pub behind: Vec<(String, Observed)>,
}

/// What is remembered while a run is watched.
#[derive(Clone, Debug, Default)]
pub(super) struct Watch {
    /// The bytes of static objects before the first call, and which of them are known.
    statics: Vec<(Vec<u8>, Vec<bool>)>,
    /// The variables that a caller can name.
    visible: BTreeSet<VariableId>,
    calls: Vec<StubCall>,
    more_calls: bool,
    writes: Vec<(String, Observed)>,
    more_writes: bool,
}

/// An object that a caller can name.
struct Named {
    object: ObjectId,
    name: String,
    /// The type of its elements; of a variable its own.
    ty: TypeId,
    /// Whether its elements are named by an index.
    indexed: bool,
    before: Before,
}

/// What was in an object before.
#[derive(Clone, Copy)]
enum Before {
    /// What the run asked for, and otherwise something that nobody knows.
    Inputs,
    /// What a static object had.
    Static(usize),
    /// There was no such object.
    Nothing,
}

/// Objects by name, in the order in which they are looked at.
#[derive(Default)]
struct Names {
    list: Vec<Named>,
    by_object: HashMap<u32, usize>,
}

impl Names {
    fn push(&mut self, named: Named) {
        if let std::collections::hash_map::Entry::Vacant(vacant) = self.by_object.entry(named.object.0) {
            vacant.insert(self.list.len());
            self.list.push(named);
        }
    }

    fn of(&self, object: ObjectId) -> Option<&Named> {
        self.by_object.get(&object.0).map(|at| &self.list[*at])
    }
}

impl Machine<'_> {
    /// Remembers what static objects hold.
    pub(super) fn remember_statics(&mut self) {
        let bytes = |id: &ObjectId| {
            let object = &self.memory.objects[id.0 as usize];
            (object.bytes.clone(), object.known.clone())
        };
        let statics = self.statics.iter().map(bytes).collect();
        if let Some(watch) = &mut self.watch {
            watch.statics = statics;
            watch.visible = self.program.visible_variables();
        }
    }

    /// Remembers a call of a function without a body.
    pub(super) fn remember_call(&mut self, function: FunctionId, arguments: &[Argument], values: &[Value]) {
        let Some(watch) = &self.watch else { return };
        if !self.program.is_watched(function) {
            return;
        }
        if MOST_CALLS <= watch.calls.len() {
            self.watch.iter_mut().for_each(|watch| watch.more_calls = true);
            return;
        }
        let names = self.names(&watch.visible);
        let passed = |(argument, value): (&Argument, &Value)| match value {
            Value::Scalar(value) => self.passed(argument, *value, &names),
            Value::Nothing | Value::Bytes(..) => Passed::default(),
        };
        let arguments = arguments.iter().zip(values).map(passed).collect();
        self.watch
            .iter_mut()
            .for_each(|watch| watch.calls.push(StubCall { function, arguments: Vec::clone(&arguments) }));
    }

    /// Remembers what is written to a variable that stands for a device.
    pub(super) fn remember_device(&mut self, address: i128, ty: TypeId, value: i128) {
        if self.watch.is_some() {
            self.remember_write(self.device_name(address, ty), ty, value);
        }
    }

    /// Remembers what is written to a fixed address; of what is not a scalar nobody can tell.
    pub(super) fn remember_fixed(&mut self, address: i128, written: Option<TypeId>, value: i128) {
        match written {
            Some(ty) if self.watch.is_some() => {
                let plain = match self.program.types.kind(ty) {
                    Type::Enum(id) => self.program.types.enumeration(*id).underlying,
                    _ => ty,
                };
                self.remember_write(Some(self.program.address_name(address, plain)), ty, value);
            }
            Some(_) => {}
            None => self.forget_writes(),
        }
    }

    fn remember_write(&mut self, name: Option<String>, ty: TypeId, value: i128) {
        let seen = self.seen(super::compile::scalar(&self.program.types, ty), value, &Names::default());
        let seen = name.zip(seen);
        let Some(watch) = self.watch.as_mut().filter(|watch| !watch.more_writes) else { return };
        match seen.filter(|_| watch.writes.len() < MOST_WRITES) {
            Some(seen) => watch.writes.push(seen),
            None => watch.more_writes = true,
        }
    }

    /// From here on nobody can tell what is written to devices.
    pub(super) fn forget_writes(&mut self) {
        self.watch.iter_mut().for_each(|watch| watch.more_writes = true);
    }

    /// The name of a scalar within a variable that stands for a device.
    fn device_name(&self, address: i128, ty: TypeId) -> Option<String> {
        let (id, offset) = self.memory.resolve(address)?;
        let at = self.statics.iter().position(|object| *object == id)?;
        let variable = self.program.variable(self.code.statics[at].variable);
        let name = path::name_of(self.program, &variable.name, variable.ty, u64::try_from(offset).ok()?, ty);
        (!name.contains('@')).then_some(name)
    }

    fn passed(&self, argument: &Argument, value: i128, names: &Names) -> Passed {
        let seen = self.seen(argument.scalar, value, names);
        let target = self.program.types.target(argument.ty);
        let (Some(target), Some((id, offset))) = (target, self.memory.resolve(value)) else {
            return Passed { value: seen, behind: Vec::new() };
        };
        let element = element(self.program, target);
        let object = &self.memory.objects[id.0 as usize];
        let size = object.bytes.len() as u64;
        let stride = self.program.types.size(element).unwrap_or(0);
        if stride == 0 || offset < 0 || !object.alive || value == 0 {
            return Passed { value: seen, behind: Vec::new() };
        }
        let mut behind = Vec::new();
        let from = offset as u64;
        for index in (0..(size.saturating_sub(from) / stride).min(MOST_BEHIND as u64)).map_while(|index| {
            let known = |at: &u64| object.known[(from + index * stride + at) as usize];
            (0..stride).any(|at| known(&at)).then_some(index)
        }) {
            for (at, leaf) in path::leaves(self.program, element, 0..stride) {
                let place = (from + index * stride + at) as usize;
                let Some(seen) = self.part(id, place, leaf, names).filter(|_| behind.len() < MOST_BEHIND) else {
                    continue;
                };
                let name = path::name_of(self.program, &format!("[{index}]"), element, at, leaf);
                if !name.contains('@') || self.program.types.size(leaf) == Some(1) {
                    behind.push((name, seen));
                }
            }
        }
        Passed { value: seen, behind }
    }

    /// The objects that a caller can name before it looks at pointers.
    fn names(&self, visible: &BTreeSet<VariableId>) -> Names {
        let mut names = Names::default();
        for (at, object) in self.memory.objects.iter().enumerate() {
            if let Kind::Input { name, element, call, .. } = &object.kind
                && *call == self.round
                && !self.program.belongs_to_library(*element)
            {
                let (object, name, ty) = (ObjectId(at as u32), name.clone(), *element);
                names.push(Named { object, name, ty, indexed: true, before: Before::Inputs });
            }
        }
        for (at, (object, id)) in self.code.statics.iter().zip(&self.statics).enumerate() {
            if visible.contains(&object.variable) {
                let variable = self.program.variable(object.variable);
                let (name, ty, before) = (variable.name.clone(), variable.ty, Before::Static(at));
                names.push(Named { object: *id, name, ty, indexed: false, before });
            }
        }
        names
    }

    /// What the run did, once the entry function has returned; otherwise only its calls.
    pub(super) fn effects(&mut self, returned: Option<FunctionId>) -> Effects {
        let watch = self.watch.take().unwrap_or_default();
        let mut effects = Effects {
            calls: watch.calls,
            more_calls: watch.more_calls,
            writes: self.code.has_devices.then_some(watch.writes),
            more_writes: watch.more_writes,
            ..Effects::default()
        };
        let Some(entry) = returned else { return effects };
        let mut names = self.names(&watch.visible);
        effects.watches = !names.list.is_empty();
        let given: HashMap<String, InputValue> =
            self.records.iter().rev().map(|record| (record.name.clone(), record.value)).collect();
        self.result_seen(entry, &mut names, &mut effects);
        let mut at = 0;
        while at < names.list.len() {
            self.object_changes(at, &mut names, &given, &watch.statics, &mut effects);
            at += 1;
        }
        effects
    }

    /// What the entry function returned, if that is a pointer or a structure.
    fn result_seen(&self, entry: FunctionId, names: &mut Names, effects: &mut Effects) {
        let found = self.program.function(entry);
        let Type::Function { result, .. } = self.program.types.kind(found.ty) else { return };
        let name = format!("{}()", found.name);
        match &self.result {
            Value::Scalar(address) => {
                let Some(target) = self.program.types.target(*result) else { return };
                self.name_heap(*address, &name, target, names);
                let named = self.memory.resolve(*address).and_then(|(id, _)| names.of(id));
                effects.result = match named.filter(|named| matches!(named.before, Before::Nothing)) {
                    Some(_) => Some(Observed::Value(InputValue::Object(1))),
                    None => self.seen(super::compile::scalar(&self.program.types, *result), *address, names),
                };
            }
            Value::Bytes(bytes, known) => {
                for (offset, leaf) in path::leaves(self.program, *result, 0..bytes.len() as u64) {
                    let scalar = super::compile::scalar(&self.program.types, leaf);
                    let place = offset as usize..offset as usize + scalar.size();
                    if matches!(scalar, Scalar::Other | Scalar::Extended(_))
                        || !known[place.clone()].iter().all(|one| *one)
                    {
                        continue;
                    }
                    let raw = number(&bytes[place], self.memory.big_endian);
                    let part = path::name_of(self.program, &name, *result, offset, leaf);
                    let is_odd = part.contains('@') && 1 < scalar.size();
                    let seen = self.seen(scalar, super::expression::decode(scalar, raw), names);
                    if let Some(seen) = seen.filter(|_| !is_odd) {
                        list(effects, part, seen);
                    }
                }
            }
            Value::Nothing => {}
        }
    }

    /// Lists what is not as it was in an object, and names objects of the heap that it points to.
    fn object_changes(
        &self,
        at: usize,
        names: &mut Names,
        given: &HashMap<String, InputValue>,
        statics: &[(Vec<u8>, Vec<bool>)],
        effects: &mut Effects,
    ) {
        let Named { object: id, name, ty, indexed, before } = &names.list[at];
        let (id, name, ty, indexed, before) = (*id, name.clone(), *ty, *indexed, *before);
        let object = &self.memory.objects[id.0 as usize];
        if !object.alive {
            list(effects, name, Observed::Freed);
            return;
        }
        let size = (object.bytes.len() as u64).min(MOST_BYTES);
        let Some(stride) = self.program.types.size(ty).filter(|stride| 0 < *stride) else { return };
        let count = if indexed { size / stride } else { 1 };
        for index in 0..count {
            let base = if indexed { format!("{name}[{index}]") } else { name.clone() };
            for (offset, leaf) in path::leaves(self.program, ty, 0..stride.min(MOST_BYTES)) {
                for (offset, leaf) in self.known_parts(id, index * stride, offset, leaf) {
                    let place = (index * stride + offset) as usize;
                    let Some(seen) = self.part(id, place, leaf, names) else { continue };
                    let part = path::name_of(self.program, &base, ty, offset, leaf);
                    let length = self.program.types.size(leaf).unwrap_or(1) as usize;
                    let same = match before {
                        Before::Nothing => false,
                        Before::Inputs => {
                            given.get(&part).is_some_and(|value| self.is_as_given(&part, *value, id, place, leaf))
                        }
                        Before::Static(at) => match statics.get(at) {
                            Some((bytes, known)) if known[place..place + length].iter().all(|one| *one) => {
                                bytes[place..place + length] == object.bytes[place..place + length]
                            }
                            Some(_) | None => {
                                given.get(&part).is_some_and(|value| self.is_as_given(&part, *value, id, place, leaf))
                            }
                        },
                    };
                    if same {
                        continue;
                    }
                    if part.contains('@') && 1 < length {
                        // C has no name for it: byte by byte.
                        for at in 0..length {
                            let name = path::name_of(self.program, &base, ty, offset + at as u64, TypeId::UCHAR);
                            let byte = InputValue::Integer(object.bytes[place + at].into());
                            list(effects, name, Observed::Value(byte));
                        }
                        continue;
                    }
                    list(effects, part.clone(), seen);
                    if let Some(target) = self.program.types.target(leaf) {
                        let address = self.memory.read(id.0 as usize, place, length) as i128;
                        self.name_heap(address, &part, target, names);
                    }
                }
            }
        }
    }

    /// The parts of a scalar that have a value: all of it, or single bytes.
    fn known_parts(&self, id: ObjectId, element: u64, offset: u64, leaf: TypeId) -> Vec<(u64, TypeId)> {
        let length = self.program.types.size(leaf).unwrap_or(0);
        let known = &self.memory.objects[id.0 as usize].known;
        let from = (element + offset) as usize;
        let Some(known) = known.get(from..from + length as usize) else { return Vec::new() };
        match known.iter().filter(|one| **one).count() as u64 {
            0 => Vec::new(),
            count if count == length => vec![(offset, leaf)],
            _ => (0u64..).zip(known).filter(|(_, one)| **one).map(|(at, _)| (offset + at, TypeId::UCHAR)).collect(),
        }
    }

    /// What a scalar within an object is, if it has a value.
    fn part(&self, id: ObjectId, place: usize, leaf: TypeId, names: &Names) -> Option<Observed> {
        let object = &self.memory.objects[id.0 as usize];
        let scalar = super::compile::scalar(&self.program.types, leaf);
        let known = object.known.get(place..place + scalar.size())?;
        if matches!(scalar, Scalar::Other | Scalar::Extended(_)) || !known.iter().all(|one| *one) {
            return None;
        }
        let raw = self.memory.read(id.0 as usize, place, scalar.size());
        self.seen(scalar, super::expression::decode(scalar, raw), names)
    }

    /// A value of the machine as a caller sees it.
    fn seen(&self, scalar: Scalar, value: i128, names: &Names) -> Option<Observed> {
        Some(match scalar {
            Scalar::Integer(_) | Scalar::Bool => Observed::Value(InputValue::Integer(value)),
            Scalar::Float | Scalar::Double => Observed::Value(InputValue::Float(super::arithmetic::number(value))),
            Scalar::Pointer(_) if value == 0 => Observed::Value(InputValue::Null),
            Scalar::Pointer(bytes) => {
                if let Some(function) = super::memory::function_at(value, bytes) {
                    let function = self.program.functions.get(function.0 as usize)?;
                    return Some(Observed::Value(InputValue::Function(FunctionName::new(&function.name))));
                }
                match self.address_name(value, names) {
                    Some(name) => Observed::Address(name),
                    None => Observed::Value(InputValue::Object(1)),
                }
            }
            Scalar::Extended(_) | Scalar::Other => return None,
        })
    }

    /// The name of the part of memory at an address.
    fn address_name(&self, address: i128, names: &Names) -> Option<String> {
        let (id, offset) = self.memory.resolve(address)?;
        let named = names.of(id).filter(|named| !matches!(named.before, Before::Nothing))?;
        let object = &self.memory.objects[id.0 as usize];
        let offset = u64::try_from(offset).ok().filter(|at| object.alive && *at <= object.bytes.len() as u64)?;
        let stride = self.program.types.size(named.ty).filter(|stride| 0 < *stride)?;
        let (base, rest) = match named.indexed {
            true => (format!("{}[{}]", named.name, offset / stride), offset % stride),
            false => (named.name.clone(), offset),
        };
        if rest == 0 {
            return Some(base);
        }
        let (_, leaf) = path::leaves(self.program, named.ty, rest..rest + 1).into_iter().find(|(at, _)| *at == rest)?;
        Some(path::name_of(self.program, &base, named.ty, rest, leaf))
    }

    /// Names an object of the heap by the pointer that points to its beginning.
    fn name_heap(&self, address: i128, name: &str, target: TypeId, names: &mut Names) {
        let Some((id, 0)) = self.memory.resolve(address) else { return };
        let object = &self.memory.objects[id.0 as usize];
        if !object.alive || object.kind != Kind::Heap {
            return;
        }
        let ty = element(self.program, target);
        if self.program.types.size(ty).is_some_and(|size| 0 < size) {
            names.push(Named { object: id, name: name.to_owned(), ty, indexed: true, before: Before::Nothing });
        }
    }

    /// Whether a part of an object is what the run was given for it.
    fn is_as_given(&self, name: &str, given: InputValue, id: ObjectId, place: usize, leaf: TypeId) -> bool {
        let scalar = super::compile::scalar(&self.program.types, leaf);
        let raw = self.memory.read(id.0 as usize, place, scalar.size());
        let now = super::expression::decode(scalar, raw);
        match (given, scalar) {
            (InputValue::Integer(value), _) => value == now,
            (InputValue::Float(value), Scalar::Float) => {
                f64::from(value as f32).to_bits() == super::arithmetic::number(now).to_bits()
            }
            (InputValue::Float(value), _) => value.to_bits() == super::arithmetic::number(now).to_bits(),
            (InputValue::Null, _) => now == 0,
            (InputValue::Function(function), Scalar::Pointer(bytes)) => {
                let found =
                    super::memory::function_at(now, bytes).and_then(|id| self.program.functions.get(id.0 as usize));
                found.is_some_and(|found| FunctionName::new(&found.name) == function)
            }
            (InputValue::Function(_), _) => false,
            (InputValue::Object(_), _) => match self.memory.resolve(now) {
                Some((id, 0)) => match &self.memory.objects[id.0 as usize].kind {
                    Kind::Input { name: own, .. } => own == name,
                    Kind::Variable(_) | Kind::Heap | Kind::Internal => false,
                },
                Some(_) | None => false,
            },
        }
    }
}

fn list(effects: &mut Effects, name: String, seen: Observed) {
    if effects.changes.len() < MOST_PARTS {
        effects.changes.push((name, seen));
    } else {
        effects.more_changes = true;
    }
}

/// What pointers to a type point to, as memory is looked at: of `void` bytes.
fn element(program: &Program, target: TypeId) -> TypeId {
    match program.types.kind(target) {
        Type::Void => TypeId::UCHAR,
        _ => target.unqualified(),
    }
}

fn number(bytes: &[u8], big_endian: bool) -> u128 {
    let add = |value: u128, byte: &u8| value << 8 | u128::from(*byte);
    if big_endian { bytes.iter().fold(0, add) } else { bytes.iter().rev().fold(0, add) }
}
