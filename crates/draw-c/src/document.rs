//! Tests of C programs as documents: a value for every input, by name; several in order where a name is asked for again.

use std::collections::{BTreeMap, BTreeSet};

use c::interp::{FunctionName, InputRecord, InputValue, RecordedInputs};
use c::types::{Type, TypeId};
use c::{Program, World};
use indexmap::IndexMap;
use serde_json::{Map, Number, Value as Json};
use smt::{Evaluator, Model, Term, Terms};
use testcase::Inputs;
use value::{BitVec, Value};

use super::input::{Behind, Given, InputKind};
use super::machine::{Executed, Home};
use super::naming::{leaf_at, name_of};
use super::object::Initial;

/// The inputs that a run asked for, as a test.
pub(super) fn of_records(records: &[InputRecord]) -> Inputs {
    document(records.iter().map(|record| (record.name.clone(), record.value)))
}

/// Values by name, in order.
pub(super) fn document(values: impl IntoIterator<Item = (String, InputValue)>) -> Inputs {
    let mut names: IndexMap<String, Vec<Json>> = IndexMap::new();
    for (name, value) in values {
        names.entry(name).or_default().push(to_json(value));
    }
    let one = |(name, mut values): (String, Vec<Json>)| match values.len() {
        1 => (name, values.remove(0)),
        _ => (name, Json::Array(values)),
    };
    Inputs::Document(Json::Object(names.into_iter().map(one).collect::<Map<String, Json>>()))
}

/// Integers beyond this are written as strings.
const EXACT: i128 = 1 << 53;

/// A value as it stands in a test.
pub(super) fn to_json(value: InputValue) -> Json {
    match value {
        InputValue::Integer(number) if (-EXACT..=EXACT).contains(&number) => Json::Number((number as i64).into()),
        InputValue::Integer(number) => Json::String(number.to_string()),
        InputValue::Float(number) => {
            Number::from_f64(number).map_or_else(|| Json::String(format!("{number:?}")), Json::Number)
        }
        InputValue::Null => Json::Null,
        InputValue::Object(_) | InputValue::Function(_) => Json::String(value.to_string()),
    }
}

fn from_json(json: &Json) -> Result<InputValue, String> {
    match json {
        Json::Null => Ok(InputValue::Null),
        Json::Bool(truth) => Ok(InputValue::Integer(i128::from(*truth))),
        Json::Number(number) => match number.as_i64() {
            Some(integer) => Ok(InputValue::Integer(i128::from(integer))),
            None => {
                number.as_f64().map(InputValue::Float).ok_or_else(|| format!("`{number}` is not a value of an input"))
            }
        },
        Json::String(text) => text.parse(),
        Json::Array(_) | Json::Object(_) => Err("a value of an input is a number, null or a text".into()),
    }
}

/// The values of a test, by name and in order.
///
/// # Errors
/// What is wrong with the document.
pub fn values(inputs: &Inputs) -> Result<Vec<(String, InputValue)>, String> {
    let Inputs::Document(Json::Object(names)) = inputs else {
        return Err("the inputs of a C program are an object of names and values".into());
    };
    let mut found = Vec::new();
    for (name, json) in names {
        let list = match json {
            Json::Array(list) => list.iter().collect(),
            one => vec![one],
        };
        for json in list {
            found.push((name.clone(), from_json(json).map_err(|error| format!("{name}: {error}"))?));
        }
    }
    Ok(found)
}

/// The values of a test for the interpreter; what has no value is zero or null.
pub(super) fn recorded(values: &[(String, InputValue)]) -> RecordedInputs {
    let mut recorded = RecordedInputs::default();
    for (name, value) in values {
        recorded.push(name.clone(), *value);
    }
    recorded
}

/// The inputs that a model of the search problem shows.
pub(super) fn of_model(
    program: &Program,
    entry: c::program::FunctionId,
    terms: &Terms,
    model: &Model,
    executed: &Executed,
) -> Inputs {
    let mut reader =
        Reader { program, model, terms, evaluator: Evaluator::new(terms, model), executed, values: Vec::new() };
    if let Some(calls) = executed.calls {
        reader.values.push((c::interp::CALLS.to_owned(), InputValue::Integer(calls.into())));
    }
    for input in &executed.inputs {
        if reader.evaluator.holds(input.guard) {
            reader.given(&asked(program, entry, input.kind), &input.given);
        }
    }
    reader.initials();
    document(reader.values)
}

/// For the numbers of a test, input by input: that an execution is given the same. An execution that asks for a name in turn
/// is given the n-th value when it asks for the n-th time, wherever that is.
pub(super) fn same(
    program: &Program,
    entry: c::program::FunctionId,
    terms: &mut Terms,
    inputs: &Inputs,
    executed: &Executed,
) -> Vec<Term> {
    let mut given: BTreeMap<String, Vec<InputValue>> = BTreeMap::new();
    for (name, value) in values(inputs).unwrap_or_default() {
        given.entry(name).or_default().push(value);
    }
    // For every name when it was asked for so often.
    let mut asked_before: BTreeMap<String, Vec<Term>> = BTreeMap::new();
    let mut same = Vec::new();
    for input in &executed.inputs {
        let name = asked(program, entry, input.kind);
        let Some(values) = given.get(&name) else { continue };
        let before = asked_before.entry(name).or_insert_with(|| vec![terms.bool(true)]);
        if let Given::Scalar { symbol, ty } = input.given {
            for (value, count) in values.iter().zip(before.iter()) {
                let Some(equal) = equals(program, terms, symbol, ty, value) else { continue };
                let now = terms.and(&[input.guard, *count]);
                same.push(terms.implies(now, equal));
            }
        }
        *before = counted_on(terms, before, input.guard, values.len());
    }
    same
}

/// That a symbol has a value; nothing for what is not a number.
fn equals(program: &Program, terms: &mut Terms, symbol: Term, ty: TypeId, value: &InputValue) -> Option<Term> {
    let pattern = match (value, program.types.kind(ty)) {
        (InputValue::Integer(number), _) => *number as u128,
        (InputValue::Float(number), Type::Float) => u128::from((*number as f32).to_bits()),
        (InputValue::Float(number), Type::Double) => u128::from(number.to_bits()),
        (InputValue::Function(name), _) => {
            let functions = program.callable(ty);
            let place = functions.iter().position(|id| program.function(*id).name == name.to_string())?;
            place as u128 + 1
        }
        (InputValue::Null, _) if program.function_target(ty).is_some() => 0,
        (InputValue::Float(_) | InputValue::Null | InputValue::Object(_), _) => return None,
    };
    let width = terms.width(symbol)?;
    let bits = pattern & (u128::MAX >> (128 - width.min(128)));
    let given = terms.constant(Value::BitVec(BitVec::new(width, bits.into())));
    Some(terms.eq(symbol, given))
}

/// When something was done exactly so often, after it may have been done once more. Counts that no value is for are left out.
fn counted_on(terms: &mut Terms, before: &[Term], done: Term, most: usize) -> Vec<Term> {
    let not_done = terms.not(done);
    let mut after = Vec::new();
    for count in 0..(before.len() + 1).min(most) {
        let stays = before.get(count).map(|term| terms.and(&[*term, not_done]));
        let grows = count.checked_sub(1).and_then(|less| before.get(less)).map(|term| terms.and(&[*term, done]));
        let ways: Vec<Term> = stays.into_iter().chain(grows).collect();
        after.push(terms.or(&ways));
    }
    after
}

/// The name that an input is asked for by.
fn asked(program: &Program, entry: c::program::FunctionId, kind: InputKind) -> String {
    match kind {
        InputKind::Argument(at, call) => {
            let parameters = program.function(entry).body.as_ref().map(|body| body.parameters.as_slice());
            let parameter = parameters.and_then(|parameters| parameters.get(at));
            let name = parameter.map(|&variable| program.variable(variable).name.clone()).unwrap_or_default();
            if call == 0 { name } else { format!("{name}@{}", call + 1) }
        }
        InputKind::Result { function, .. } => format!("{}()", program.function(function).name),
        InputKind::World(place) => match program.world(place) {
            Some(World::Named(name)) => name,
            Some(World::Varying) | None => String::new(),
        },
    }
}

struct Reader<'a> {
    program: &'a Program,
    model: &'a Model,
    terms: &'a Terms,
    evaluator: Evaluator<'a>,
    executed: &'a Executed,
    values: Vec<(String, InputValue)>,
}

impl Reader<'_> {
    fn pattern(&self, symbol: Term) -> u128 {
        match self.model.value(self.terms, symbol) {
            Value::BitVec(bits) => u128::try_from(bits.bits()).unwrap_or(0),
            _ => 0,
        }
    }

    /// A pattern as a value of a type.
    fn typed(&self, ty: TypeId, pattern: u128) -> InputValue {
        match self.program.types.kind(ty) {
            Type::Float => InputValue::Float(f64::from(f32::from_bits(pattern as u32))),
            Type::Double => InputValue::Float(f64::from_bits(pattern as u64)),
            _ => match self.program.types.integer(ty) {
                Some(integer) => InputValue::Integer(integer.wrap(pattern as i128)),
                // Functions are counted from 1.
                None if pattern != 0 && self.program.function_target(ty).is_some() => {
                    let place = usize::try_from(pattern - 1).unwrap_or(usize::MAX);
                    let function = self.program.callable(ty).get(place).copied();
                    let named = |id| InputValue::Function(FunctionName::new(&self.program.function(id).name));
                    function.map_or(InputValue::Object(1), named)
                }
                None if pattern != 0 => InputValue::Object(1),
                None => InputValue::Null,
            },
        }
    }

    fn given(&mut self, name: &str, given: &Given) {
        // Objects are built a few pointers deep only, so this ends.
        match given {
            Given::Scalar { symbol, ty } => {
                let value = self.typed(*ty, self.pattern(*symbol));
                self.values.push((name.to_owned(), value));
            }
            Given::Deep { choice } => {
                let value = if self.pattern(*choice) == 0 { InputValue::Null } else { InputValue::Object(1) };
                self.values.push((name.to_owned(), value));
            }
            Given::Pointer { choice, behind } => {
                if self.pattern(*choice) == 0 {
                    self.values.push((name.to_owned(), InputValue::Null));
                } else {
                    self.values.push((name.to_owned(), InputValue::Object(behind.count)));
                    self.behind(name, behind, true);
                }
            }
            Given::Record(behind) => self.behind(name, behind, false),
        }
    }

    /// The contents of an object that was built.
    fn behind(&mut self, name: &str, behind: &Behind, indexed: bool) {
        let stride = self.program.types.size(behind.element).unwrap_or(1).max(1);
        let program = self.program;
        let path = |offset: u64, leaf: TypeId| {
            let base = if indexed { format!("{name}[{}]", offset / stride) } else { name.to_owned() };
            name_of(program, &base, behind.element, offset % stride, leaf)
        };
        let initials: Vec<_> =
            self.executed.initials.list.iter().filter(|initial| initial.object == behind.object).copied().collect();
        for initial in initials {
            for (offset, size, pattern) in self.cells(&initial) {
                if let Some(leaf) = leaf_at(program, behind.element, offset % stride, size) {
                    let value = self.typed(leaf, pattern);
                    self.values.push((path(offset, leaf), value));
                }
            }
        }
        let pointer = |offset: u64| leaf_at(program, behind.element, offset % stride, pointer_size(program));
        for (offset, given) in &behind.pointers {
            if let Some(leaf) = pointer(*offset) {
                self.given(&path(*offset, leaf), given);
            }
        }
    }

    /// The cells an initial value stands for: one, or all elements of an array that differ from the others.
    fn cells(&self, initial: &Initial) -> Vec<(u64, u64, u128)> {
        let size = initial.cell.size;
        match self.model.value(self.terms, initial.symbol) {
            Value::BitVec(bits) => vec![(initial.cell.offset, size, u128::try_from(bits.bits()).unwrap_or(0))],
            Value::Array(array) => {
                let number = |value: &Value| match value {
                    Value::BitVec(bits) => u128::try_from(bits.bits()).unwrap_or(0),
                    _ => 0,
                };
                let count = self.executed.objects[initial.object as usize]
                    .ty
                    .and_then(|ty| self.program.types.size(ty))
                    .map_or(0, |bytes| bytes / size.max(1));
                let default = number(array.default());
                let mut cells: Vec<u128> = vec![default; count.min(1 << 16) as usize];
                for (index, element) in array.entries() {
                    if let Some(cell) = cells.get_mut(number(index) as usize) {
                        *cell = number(element);
                    }
                }
                cells.into_iter().zip(0u64..).map(|(pattern, at)| (at * size, size, pattern)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The initial values of variables, in the order in which the execution reads them; behind them those that came into
    /// other values where executions meet, so that nobody knows any more who reads them.
    fn initials(&mut self) {
        let mut done: BTreeSet<Term> = BTreeSet::new();
        let by_symbol: BTreeMap<Term, Initial> =
            self.executed.initials.list.iter().map(|initial| (initial.symbol, *initial)).collect();
        for &(symbol, guard) in &self.executed.reads {
            let Some(initial) = by_symbol.get(&symbol) else { continue };
            if !done.contains(&symbol) && self.evaluator.holds(guard) {
                done.insert(symbol);
                for (name, value) in self.named(initial) {
                    self.values.push((name, value));
                }
            }
        }
        let mut given: BTreeSet<String> = self.values.iter().map(|(name, _)| name.clone()).collect();
        for initial in self.executed.initials.list.iter().filter(|initial| !done.contains(&initial.symbol)) {
            for (name, value) in self.named(initial) {
                // What has no value is zero, and a name that has one belongs to another life of the variable.
                if !is_zero(value) && given.insert(name.clone()) {
                    self.values.push((name, value));
                }
            }
        }
    }

    /// What an initial value of a variable gives to it, by name.
    fn named(&self, initial: &Initial) -> Vec<(String, InputValue)> {
        let variable = match self.executed.objects[initial.object as usize].home {
            Home::Global(_, variable) | Home::Frame { variable, .. } => variable,
            Home::Nowhere | Home::Heap(_) | Home::Function(_) => return Vec::new(),
        };
        let declared = self.program.variable(variable);
        let mut named = Vec::new();
        for (offset, size, pattern) in self.cells(initial) {
            if let Some(leaf) = leaf_at(self.program, declared.ty, offset, size) {
                let name = name_of(self.program, &declared.name, declared.ty, offset, leaf);
                named.push((name, self.typed(leaf, pattern)));
            }
        }
        named
    }
}

fn is_zero(value: InputValue) -> bool {
    match value {
        InputValue::Integer(number) => number == 0,
        InputValue::Float(number) => number.to_bits() == 0,
        InputValue::Null => true,
        InputValue::Object(_) | InputValue::Function(_) => false,
    }
}

fn pointer_size(program: &Program) -> u64 {
    u64::from(program.types.model().pointer)
}
