//! What tests expect of memory and of calls: names of a suite, found in the program as it is now.

use c::Program;
use c::program::{FunctionId, VariableId};
use c::types::{Type, TypeId};
use serde_json::Value as Json;

use super::{Input, of_run};

/// What stands at the end of a list that is not complete.
const MORE: &str = "…";

/// Bytes that have a meaning within an object or a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bytes {
    /// The first.
    pub offset: u64,
    /// How many there are.
    pub size: u64,
    /// How C goes on behind the object.
    pub name: String,
}

/// An object that a harness builds for a pointer among the inputs of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Built {
    /// The name of the pointer.
    pub name: String,
    /// How many elements are compared.
    pub count: u64,
    /// The bytes from one element to the next.
    pub stride: u64,
    /// The bytes of an element that have a meaning.
    pub parts: Vec<Bytes>,
}

/// A variable of static storage whose contents are compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watched {
    /// Its name.
    pub name: String,
    /// The file that declares it.
    pub file: String,
    /// Its size in bytes.
    pub size: u64,
    /// The bytes that have a meaning.
    pub parts: Vec<Bytes>,
}

/// Where a scalar is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// What it is found from.
    pub root: Root,
    /// Offsets of pointers that are followed, one after the other.
    pub pointers: Vec<u64>,
    /// The offset behind the last of them.
    pub offset: u64,
    /// The type, as C writes it.
    pub ty: String,
}

/// What parts of memory are found from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Root {
    /// An object among those that are built for the test.
    Object(usize),
    /// A variable of static storage, and the file that declares it.
    Variable(String, String),
    /// What the entry function returned.
    Result,
}

/// What is expected in a part of memory, or of an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// A number, as C writes it.
    Number(String),
    /// The null pointer.
    Null,
    /// A pointer to something.
    Object,
    /// A pointer to this place.
    Address(Access),
    /// A pointer to this function, and the file that defines it.
    Function(String, String),
    /// The object is given back.
    Freed,
}

/// What a test expects of memory once the entry function has returned.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct After {
    /// What is not as it was.
    pub changes: Vec<(String, Access, Wanted)>,
    /// Whether nothing else may change.
    pub complete: bool,
}

/// The calls of functions without a body that a test expects.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Calls {
    /// In order.
    pub list: Vec<ExpectedCall>,
    /// Whether the list is complete.
    pub complete: bool,
}

/// A call of a function without a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpectedCall {
    /// The function.
    pub function: String,
    /// What is expected of its arguments.
    pub arguments: Vec<ExpectedArgument>,
}

/// What is expected of an argument, or of something that it points to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpectedArgument {
    /// Which one, from 0.
    pub number: usize,
    /// For something that it points to: the offset, and the type as C writes it.
    pub behind: Option<(u64, String)>,
    /// What it is.
    pub wanted: Wanted,
}

/// What a test expects to be written to devices.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Writes {
    /// In order.
    pub list: Vec<ExpectedWrite>,
    /// Whether nothing else is written.
    pub complete: bool,
}

/// One write to a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpectedWrite {
    /// The name of the register, as the suite has it.
    pub name: String,
    /// Where it is: a number, or an expression of C that names a variable.
    pub address: String,
    /// Its type, as C writes it.
    pub ty: String,
    /// What is written.
    pub wanted: Wanted,
}

/// Finds names of a suite in a program.
pub struct Finder<'a> {
    program: &'a Program,
    entry: FunctionId,
    objects: Vec<(String, TypeId)>,
    visible: std::collections::BTreeSet<VariableId>,
}

impl<'a> Finder<'a> {
    /// For a test of an entry function with these inputs; objects are those of this call.
    pub fn new(program: &'a Program, entry: FunctionId, inputs: &[Input], call: u32) -> Finder<'a> {
        let objects = inputs.iter().filter(|input| input.call == call && input.value.starts_with("new["));
        let objects =
            objects.filter_map(|input| Some((input.name.clone(), of_run::pointed(program, entry, input)?))).collect();
        Finder { program, entry, objects, visible: program.visible_variables() }
    }

    /// The objects that are built, in the order in which accesses count them.
    pub fn built(&self, inputs: &[Input]) -> Vec<Built> {
        let one = |(name, ty): &(String, TypeId)| {
            let given = inputs.iter().find(|input| input.name == *name).map(|input| input.value.as_str());
            let count = given.and_then(|value| value.strip_prefix("new[")?.strip_suffix(']')?.parse().ok());
            let stride = self.program.types.size(*ty).unwrap_or(0);
            let count = if stride == 0 || self.program.belongs_to_library(*ty) {
                0
            } else {
                Program::compared_elements(count.unwrap_or(0), stride)
            };
            Built { name: name.clone(), count, stride, parts: parts(self.program, *ty) }
        };
        self.objects.iter().map(one).collect()
    }

    /// The variables of static storage whose contents are compared.
    pub fn watched(&self) -> Vec<Watched> {
        let one = |id: &VariableId| {
            let variable = self.program.variable(*id);
            let size = self.program.types.size(variable.ty)?;
            let file = self.file(variable.location);
            Some(Watched { name: variable.name.clone(), file, size, parts: parts(self.program, variable.ty) })
        };
        self.visible.iter().filter_map(one).collect()
    }

    fn file(&self, location: c::program::Location) -> String {
        self.program.files.get(location.file.0 as usize).cloned().unwrap_or_default()
    }

    /// What a suite says about memory behind the call; an error names what is not there any more.
    ///
    /// # Errors
    /// With the name of a part of memory that the program does not have.
    pub fn after(&self, json: &Json) -> Result<After, String> {
        let mut after = After { changes: Vec::new(), complete: true };
        for (name, value) in json.as_object().into_iter().flatten() {
            if name == MORE {
                after.complete = false;
                continue;
            }
            let (access, _) = self.find(name).ok_or_else(|| name.clone())?;
            after.changes.push((name.clone(), access, self.wanted(value)));
        }
        Ok(after)
    }

    /// The calls that a suite lists.
    pub fn calls(&self, json: &Json) -> Calls {
        let mut calls = Calls { list: Vec::new(), complete: true };
        for call in json.as_array().into_iter().flatten() {
            let Some((Json::String(function), arguments)) = call.as_array().and_then(|call| call.split_first()) else {
                calls.complete = false;
                continue;
            };
            calls
                .list
                .push(ExpectedCall { function: function.clone(), arguments: self.arguments(function, arguments) });
        }
        calls
    }

    /// The writes that a suite lists; an error names a register that is not there any more.
    ///
    /// # Errors
    /// With the name of what the program does not have.
    pub fn writes(&self, json: &Json) -> Result<Writes, String> {
        let mut writes = Writes { list: Vec::new(), complete: true };
        for write in json.as_array().into_iter().flatten() {
            let Some([Json::String(name), value]) = write.as_array().map(Vec::as_slice) else {
                writes.complete = false;
                continue;
            };
            let (address, ty) = self.register(name).ok_or_else(|| name.clone())?;
            writes.list.push(ExpectedWrite { name: name.clone(), address, ty, wanted: self.wanted(value) });
        }
        Ok(writes)
    }

    /// Where a register is, and its type. Names come from a file: nothing but types, numbers and variables of the program get through.
    fn register(&self, name: &str) -> Option<(String, String)> {
        if let Some((ty, address)) = name.strip_prefix("*(").and_then(|rest| rest.rsplit_once(" *)0x")) {
            let is_type = ty.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b' ' | b'*'));
            let is_number = !address.is_empty() && address.bytes().all(|byte| byte.is_ascii_hexdigit());
            return (is_type && is_number).then(|| (format!("0x{address}ul"), ty.to_owned()));
        }
        let (root, rest) = name.split_at(name.find(['.', '[', '@']).unwrap_or(name.len()));
        let named = |id: &VariableId| self.program.variable(*id).name == root;
        let variable = self.program.variable(self.program.devices().into_iter().find(named)?);
        let (pointers, offset, leaf) = self.walk(variable.ty, rest, false)?;
        pointers.is_empty().then(|| (format!("((char *)&{root} + {offset})"), of_run::spelled(self.program, leaf)))
    }

    /// What is expected of the arguments that a function declares.
    fn arguments(&self, function: &str, given: &[Json]) -> Vec<ExpectedArgument> {
        let declared =
            self.program.function_named(function).map(|id| self.program.types.kind(self.program.function(id).ty));
        let Some(Type::Function { parameters, prototyped: true, .. }) = declared else { return Vec::new() };
        let mut found = Vec::new();
        for (at, (json, ty)) in given.iter().zip(parameters).enumerate() {
            let Json::Object(parts) = json else {
                found.extend((json != MORE).then(|| ExpectedArgument {
                    number: at,
                    behind: None,
                    wanted: self.wanted(json),
                }));
                continue;
            };
            for (name, value) in parts {
                let wanted = self.wanted(value);
                if name == "pointer" {
                    found.push(ExpectedArgument { number: at, behind: None, wanted });
                } else if let Some(target) = self.program.types.target(*ty)
                    && let Some((pointers, offset, leaf)) = self.walk(element(self.program, target), name, true)
                    && pointers.is_empty()
                {
                    let behind = Some((offset, of_run::spelled(self.program, leaf)));
                    found.push(ExpectedArgument { number: at, behind, wanted });
                }
            }
        }
        found
    }

    /// What is expected, as a suite writes it.
    pub fn wanted(&self, json: &Json) -> Wanted {
        match json {
            Json::Null => Wanted::Null,
            Json::String(text) if text == "freed" => Wanted::Freed,
            Json::String(text) => match text.strip_prefix('&') {
                Some(name) => match (self.program.function_named(name), self.find(name)) {
                    (Some(id), _) => Wanted::Function(name.to_owned(), self.file(self.program.function(id).location)),
                    (None, Some((access, _))) => Wanted::Address(access),
                    (None, None) => Wanted::Object,
                },
                None if text == "object" => Wanted::Object,
                None => Wanted::Number(text.clone()),
            },
            Json::Bool(_) | Json::Number(_) | Json::Array(_) | Json::Object(_) => Wanted::Number(json.to_string()),
        }
    }

    /// Where something is that has a name.
    fn find(&self, name: &str) -> Option<(Access, TypeId)> {
        let object = self.objects.iter().enumerate().filter(|(_, (object, _))| {
            name.strip_prefix(object.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('['))
        });
        let (root, (pointers, offset, leaf)) = match object.max_by_key(|(_, (object, _))| object.len()) {
            Some((at, (object, ty))) => (Root::Object(at), self.walk(*ty, &name[object.len()..], true)?),
            None => {
                let (root, rest) = name.split_at(name.find(['.', '[', '@']).unwrap_or(name.len()));
                if let Some(function) = root.strip_suffix("()") {
                    let entry = self.program.function(self.entry);
                    let Type::Function { result, .. } = self.program.types.kind(entry.ty) else { return None };
                    let found = self.walk(*result, rest, false).filter(|_| function == entry.name)?;
                    (Root::Result, found)
                } else {
                    let named = |id: &&VariableId| self.program.variable(**id).name == root;
                    let variable = self.program.variable(*self.visible.iter().find(named)?);
                    let file = self.file(variable.location);
                    (Root::Variable(root.to_owned(), file), self.walk(variable.ty, rest, false)?)
                }
            }
        };
        Some((Access { root, pointers, offset, ty: of_run::spelled(self.program, leaf) }, leaf))
    }

    fn walk(&self, ty: TypeId, name: &str, elements: bool) -> Option<(Vec<u64>, u64, TypeId)> {
        walk(self.program, ty, name, elements)
    }
}

/// Goes along a name: the pointers that are followed, the offset behind them, and the type of what is there.
pub(super) fn walk(program: &Program, ty: TypeId, name: &str, elements: bool) -> Option<(Vec<u64>, u64, TypeId)> {
    let types = &program.types;
    let (mut rest, mut pointers, mut offset, mut ty) = (name, Vec::new(), 0u64, ty);
    let mut is_element = elements;
    while let Some(sign) = rest.chars().next() {
        let inner = &rest[1..];
        match (sign, types.kind(ty)) {
            ('[', kind) => {
                let (number, behind) = inner.split_once(']')?;
                let number: u64 = number.parse().ok()?;
                ty = match kind {
                    _ if is_element => ty,
                    Type::Array { element, .. } => *element,
                    Type::Pointer(target) => {
                        pointers.push(std::mem::take(&mut offset));
                        element(program, *target)
                    }
                    _ => return None,
                };
                offset += number * types.size(ty)?;
                rest = behind;
            }
            ('.', Type::Record(_)) => {
                let end = inner.find(['.', '[', '@']).unwrap_or(inner.len());
                let (at, member, _) = super::address::member(program, ty, &inner[..end])?;
                offset += at;
                ty = member;
                rest = &inner[end..];
            }
            ('@', _) => {
                offset += inner.parse::<u64>().ok()?;
                ty = TypeId::UCHAR;
                rest = "";
            }
            _ => return None,
        }
        is_element = false;
    }
    Some((pointers, offset, ty.unqualified()))
}

/// What pointers to a type point to, as memory is looked at: of `void` bytes.
pub(super) fn element(program: &Program, target: TypeId) -> TypeId {
    match program.types.kind(target) {
        Type::Void => TypeId::UCHAR,
        _ => target.unqualified(),
    }
}

fn parts(program: &Program, ty: TypeId) -> Vec<Bytes> {
    let parts = program.parts_of(ty).into_iter();
    parts.map(|(offset, size, name)| Bytes { offset, size, name }).collect()
}
