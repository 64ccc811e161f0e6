//! From runs of the interpreter to what the writers of suites see.

use c::Program;
use c::interp::{InputRecord, InputValue, Origin};
use c::program::{FunctionId, Location, Storage};
use c::types::{Type, TypeId};

use super::harness::{Sources, Undefined, Unit};
use super::{Entry, Input, InputKind, Place};

/// The entry function of a program.
pub fn entry(program: &Program, function: FunctionId) -> Entry {
    let found = program.function(function);
    let parameters = found.body.iter().flat_map(|body| &body.parameters);
    let parameter = |variable: &c::program::VariableId| {
        let variable = program.variable(*variable);
        (spelled(program, variable.ty), variable.name.clone())
    };
    Entry {
        name: found.name.clone(),
        parameters: parameters.map(parameter).collect(),
        result: spelled(program, result(program, found.ty)),
        place: place(program, found.location),
    }
}

/// The inputs that a run asked for.
pub fn inputs(program: &Program, entry: FunctionId, records: &[InputRecord]) -> Vec<Input> {
    let asked = records.iter().filter(|record| record.origin != Origin::Calls);
    asked.map(|record| input(program, entry, record)).collect()
}

/// An input of a test that a run did not ask for: an argument of the entry function, or a part of what is reached from one. None if
/// the program has nothing of that name.
pub fn unasked(program: &Program, entry: FunctionId, name: &str, value: InputValue, calls: u32) -> Option<Input> {
    let (root, rest) = name.split_at(name.find(['.', '[', '@']).unwrap_or(name.len()));
    let body = program.function(entry).body.as_ref()?;
    let parameter = *body.parameters.iter().find(|id| program.variable(**id).name == root)?;
    let number = |call: u32| rest.strip_prefix(&format!("@{}", call + 1));
    let call =
        (1..calls).find(|call| number(*call).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '['])));
    let own = call.and_then(number).unwrap_or(rest);
    let (_, _, ty) = super::after::walk(program, program.variable(parameter).ty, own, false)?;
    let call = call.unwrap_or(0);
    let reached = own.contains('[');
    let origin = if reached { Origin::Object { call } } else { Origin::Parameter(parameter) };
    Some(input(program, entry, &InputRecord { name: name.to_owned(), ty, origin, value, call }))
}

/// The type of the elements that a pointer among the inputs points to, if it is an argument or reached from one.
pub(super) fn pointed(program: &Program, entry: FunctionId, input: &Input) -> Option<TypeId> {
    if !matches!(input.kind, InputKind::Parameter | InputKind::Object) {
        return None;
    }
    let (root, rest) = input.name.split_at(input.name.find(['.', '[', '@']).unwrap_or(input.name.len()));
    let body = program.function(entry).body.as_ref()?;
    let parameter = *body.parameters.iter().find(|id| program.variable(**id).name == root)?;
    let own = if input.call == 0 { rest } else { rest.strip_prefix(&format!("@{}", input.call + 1)).unwrap_or(rest) };
    let (_, _, ty) = super::after::walk(program, program.variable(parameter).ty, own, false)?;
    Some(super::after::element(program, program.types.target(ty)?))
}

/// The functions that a program calls and nobody defines; those of the C library are left to the linker.
pub fn undefined(program: &Program, asked: &[Input], stopping: &[&str]) -> Vec<Undefined> {
    let mut found = Vec::new();
    for (at, function) in (0u32..).zip(&program.functions).filter(|(_, function)| function.body.is_none()) {
        let given = format!("&{}", function.name);
        if program.is_stand_in(FunctionId(at)) && !asked.iter().any(|input| input.value == given) {
            continue;
        }
        let called = format!("{}()", function.name);
        let is_input = asked.iter().any(|input| input.kind == InputKind::Result && input.name == called);
        let stops = !is_input && stopping.contains(&function.name.as_str());
        if !is_input && !stops && !program.is_stub(FunctionId(at)) {
            continue;
        }
        let parameters = parameters(program, function.ty);
        let result = spelled(program, result(program, function.ty));
        let (name, never_returns, watched) =
            (function.name.clone(), function.noreturn || stops, program.is_watched(FunctionId(at)));
        found.push(Undefined { result, name, parameters, never_returns, watched });
    }
    found
}

/// The parameters of a function as a declaration lists them.
fn parameters(program: &Program, ty: TypeId) -> String {
    let Type::Function { parameters, variadic, prototyped, .. } = program.types.kind(ty) else { return String::new() };
    let mut list: Vec<String> = parameters.iter().map(|ty| spelled(program, *ty)).collect();
    if *variadic {
        list.push("...".into());
    }
    let numbered = list.iter().enumerate().map(|(at, ty)| match ty.as_str() {
        "..." => ty.clone(),
        _ => super::harness::declare(ty, &format!("argument{at}")),
    });
    match (list.is_empty(), prototyped) {
        (true, true) => "void".to_owned(),
        (true, false) => String::new(),
        (false, _) => numbered.collect::<Vec<_>>().join(", "),
    }
}

/// Declarations of the functions that pointers are given: they may be those of other files.
fn declarations(program: &Program, asked: &[Input]) -> Vec<String> {
    let named = |function: &&c::program::Function| {
        let value = format!("&{}", function.name);
        !function.internal && function.body.is_some() && asked.iter().any(|input| input.value == value)
    };
    let declared = program.functions.iter().filter(named).map(|function| {
        let head = format!("{}({})", function.name, parameters(program, function.ty));
        super::harness::declare(&spelled(program, result(program, function.ty)), &head)
    });
    declared.collect()
}

/// The variables that the user declares and nobody defines.
fn undefined_variables(program: &Program) -> Vec<String> {
    let missing = |variable: &&c::program::Variable| {
        matches!(variable.storage, Storage::Global { defined: false }) && !program.is_of_the_system(variable.location)
    };
    program.variables.iter().filter(missing).map(|variable| variable.name.clone()).collect()
}

/// What a harness needs of a program with these files.
///
/// Tests stop in some functions, those of the library among them that have no model.
pub fn sources(
    program: &Program,
    mut files: Vec<Unit>,
    (asked, stopping): (&[Input], &[&str]),
    flags: Vec<String>,
) -> Sources {
    // Where the standard leaves the library a choice, tests need the choice they were found with.
    let ours = (0u32..).zip(&program.functions).filter(|(at, _)| program.is_library_function(FunctionId(*at)));
    let ours: Vec<&str> = ours.map(|(_, function)| function.name.as_str()).collect();
    let library = c::standard::for_harness(&ours);
    files.extend(library.map(|text| Unit { name: "specimen_library.c".to_owned(), text, ..Unit::default() }));
    let undefined_variables = undefined_variables(program);
    let declarations = declarations(program, asked);
    let addresses = program.fixed_addresses().into_iter().collect();
    let devices = program.devices().into_iter().map(|id| program.variable(id).name.clone()).collect();
    let undefined = undefined(program, asked, stopping);
    Sources { files, undefined, undefined_variables, declarations, addresses, devices, flags }
}

fn input(program: &Program, entry: FunctionId, record: &InputRecord) -> Input {
    let variable = |id: &c::program::VariableId| program.variable(*id).location;
    let nowhere = Location { file: c::program::FileId(0), line: 0, column: 0 };
    let (kind, location) = match &record.origin {
        Origin::Parameter(id) => (InputKind::Parameter, variable(id)),
        Origin::Global(id) => (InputKind::Global, variable(id)),
        Origin::Local(id) => (InputKind::Local, variable(id)),
        Origin::Object { .. } => (InputKind::Object, nowhere),
        Origin::Heap | Origin::World | Origin::Calls => (InputKind::Heap, nowhere),
        Origin::Result(id) => (InputKind::Result, program.function(*id).location),
    };
    Input {
        kind,
        name: record.name.clone(),
        ty: spelled(program, record.ty),
        place: place(program, location),
        value: record.value.to_string(),
        bits: bits(program, record),
        raw: super::address::raw(program, variable_type(program, entry, record), record),
        call: if record.own_name() == record.name { 0 } else { record.call },
    }
}

/// The type of the variable that an input is a part of; for an object the parameter from which it is reached.
fn variable_type(program: &Program, entry: FunctionId, record: &InputRecord) -> Option<TypeId> {
    let variable = match &record.origin {
        Origin::Parameter(id) | Origin::Global(id) | Origin::Local(id) => *id,
        Origin::Object { .. } => {
            let name = record.name.split(['.', '[', '@']).next()?;
            let body = program.function(entry).body.as_ref()?;
            *body.parameters.iter().find(|id| program.variable(**id).name == name)?
        }
        Origin::Heap | Origin::World | Origin::Result(_) | Origin::Calls => return None,
    };
    Some(program.variable(variable).ty)
}

/// A type as a file that does not know the program's enumerations can write it: by the integer type behind them.
pub(super) fn spelled(program: &Program, ty: TypeId) -> String {
    let types = &program.types;
    match types.kind(ty) {
        Type::Enum(id) => types.show(types.enumeration(*id).underlying),
        Type::Pointer(target) if matches!(types.kind(*target), Type::Enum(_)) => {
            format!("{} *", spelled(program, *target))
        }
        _ => types.show(ty),
    }
}

fn bits(program: &Program, record: &InputRecord) -> String {
    let InputValue::Integer(value) = record.value else { return String::new() };
    let width = program.types.size(record.ty).unwrap_or_default() as usize * 8;
    (0..width.min(128)).rev().map(|bit| if value >> bit & 1 == 1 { '1' } else { '0' }).collect()
}

fn result(program: &Program, ty: TypeId) -> TypeId {
    match program.types.kind(ty) {
        Type::Function { result, .. } => *result,
        _ => ty,
    }
}

fn place(program: &Program, location: Location) -> Place {
    let file = program.files.get(location.file.0 as usize).cloned().unwrap_or_default();
    Place { file, line: location.line, column: location.column }
}
