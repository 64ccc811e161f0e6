//! Where inputs come from.

use std::collections::VecDeque;
use std::fmt;

use indexmap::IndexMap;
use random::SplitMix;

use super::FunctionName;
use crate::program::{FunctionId, VariableId};
use crate::types::{Type, TypeId, Types};

/// What a program asks the world for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A parameter of the entry function.
    Parameter(VariableId),
    /// A variable of static storage without a known value.
    Global(VariableId),
    /// A local variable that is read before it is written.
    Local(VariableId),
    /// A part of an object that was made for a pointer, in a call of the entry function, from 0.
    Object {
        /// The call.
        call: u32,
    },
    /// Memory from `malloc` that is read before it is written.
    Heap,
    /// The result of a function without a body.
    Result(FunctionId),
    /// Memory at a fixed address.
    World,
    /// How often the entry function is called.
    Calls,
}

/// The name under which a test says how often the entry function is called, if more often than once.
pub const CALLS: &str = "@calls";

/// A request for one scalar. Requests come in the order in which the program reads the values; what it never reads it
/// never asks for.
#[derive(Clone, Debug)]
pub struct Request<'r> {
    /// How C would write it: `x`, `A[1]`, `list[0].next`, `read_sensor()`. The same name may be asked for several times.
    pub name: &'r str,
    /// Its type.
    pub ty: TypeId,
    /// Where it comes from.
    pub origin: &'r Origin,
    /// The types of the program.
    pub types: &'r Types,
    /// The functions that it may point to, if it is a pointer to functions.
    pub functions: Option<&'r [FunctionName]>,
}

/// The value of an input.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum InputValue {
    /// An integer within the range of its type.
    Integer(i128),
    /// A floating number.
    Float(f64),
    /// The null pointer.
    Null,
    /// A pointer to the first of so many elements, whose values are inputs in turn.
    Object(u64),
    /// A pointer to a function.
    Function(FunctionName),
}

impl fmt::Display for InputValue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InputValue::Integer(value) => write!(formatter, "{value}"),
            InputValue::Float(value) => write!(formatter, "{value:?}"),
            InputValue::Null => formatter.write_str("null"),
            InputValue::Object(count) => write!(formatter, "new[{count}]"),
            InputValue::Function(name) => write!(formatter, "&{name}"),
        }
    }
}

impl std::str::FromStr for InputValue {
    type Err = String;

    /// Reads what `Display` writes; also hexadecimal integers and characters in quotes.
    fn from_str(text: &str) -> Result<InputValue, String> {
        let text = text.trim();
        if text == "null" || text == "NULL" {
            return Ok(InputValue::Null);
        }
        if let Some(count) = text.strip_prefix("new[").and_then(|rest| rest.strip_suffix(']')) {
            return count.parse().map(InputValue::Object).map_err(|_| format!("`{count}` is not a number of elements"));
        }
        if let Some(name) = text.strip_prefix('&') {
            return Ok(InputValue::Function(FunctionName::new(name.trim())));
        }
        let (negative, digits) = text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
        if let Some(hexadecimal) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X"))
            && let Ok(value) = i128::from_str_radix(hexadecimal, 16)
        {
            return Ok(InputValue::Integer(if negative { -value } else { value }));
        }
        if let Ok(value) = text.parse() {
            return Ok(InputValue::Integer(value));
        }
        let mut characters = text.chars();
        if let (Some('\''), Some(character), Some('\''), None) =
            (characters.next(), characters.next(), characters.next(), characters.next())
        {
            return Ok(InputValue::Integer(i128::from(u32::from(character))));
        }
        text.parse().map(InputValue::Float).map_err(|_| format!("`{text}` is not a value of an input"))
    }
}

/// An input that a run asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct InputRecord {
    /// How C would write it.
    pub name: String,
    /// Its type.
    pub ty: TypeId,
    /// Where it comes from.
    pub origin: Origin,
    /// What it was.
    pub value: InputValue,
    /// The call of the entry function that it belongs to, from 0.
    pub call: u32,
}

impl InputRecord {
    /// Its name in the call that it belongs to: names of later calls have the number of the call behind the parameter.
    pub fn own_name(&self) -> String {
        let root = self.name.find(['.', '[', '@', '(']).unwrap_or(self.name.len());
        let mark = format!("@{}", self.call + 1);
        match self.name[root..].strip_prefix(&mark) {
            Some(rest) if 0 < self.call => format!("{}{rest}", &self.name[..root]),
            Some(_) | None => self.name.clone(),
        }
    }
}

/// Answers requests.
pub trait Inputs {
    /// The value; none ends the run.
    fn value(&mut self, request: &Request<'_>) -> Option<InputValue>;

    /// How often the entry function is called; as often as the settings say, otherwise.
    fn calls(&self) -> Option<u32> {
        None
    }
}

/// The simplest value of a type: zero, null.
fn simplest(request: &Request<'_>) -> InputValue {
    match request.types.kind(request.ty) {
        Type::Pointer(_) => InputValue::Null,
        _ if request.types.is_floating(request.ty) => InputValue::Float(0.0),
        _ => InputValue::Integer(0),
    }
}

/// Values by name, each name with a queue.
#[derive(Clone, Debug, Default)]
pub struct RecordedInputs {
    values: IndexMap<String, VecDeque<InputValue>>,
    calls: Option<u32>,
    /// Whether a request without a value ends the run; it gets zero or null otherwise.
    pub strict: bool,
}

impl RecordedInputs {
    /// Adds a value behind those that a name already has.
    pub fn push(&mut self, name: impl Into<String>, value: InputValue) {
        let name = name.into();
        match value {
            InputValue::Integer(calls) if name == CALLS => self.calls = u32::try_from(calls).ok(),
            _ => self.values.entry(name).or_default().push_back(value),
        }
    }

    /// The names that still have values nobody asked for.
    pub fn unused(&self) -> impl Iterator<Item = &str> {
        self.values.iter().filter(|(_, values)| !values.is_empty()).map(|(name, _)| name.as_str())
    }
}

impl Inputs for RecordedInputs {
    fn value(&mut self, request: &Request<'_>) -> Option<InputValue> {
        let known = self.values.get_mut(request.name).and_then(VecDeque::pop_front);
        match known {
            Some(InputValue::Integer(value)) if request.types.is_floating(request.ty) => {
                Some(InputValue::Float(value as f64))
            }
            Some(InputValue::Integer(0)) if request.types.is_pointer(request.ty) => Some(InputValue::Null),
            Some(value) => Some(value),
            None if self.strict => None,
            None => Some(simplest(request)),
        }
    }

    fn calls(&self) -> Option<u32> {
        self.calls
    }
}

/// Values drawn at random, small ones and those at the ends of types more often.
#[derive(Clone, Debug)]
pub struct RandomInputs {
    random: SplitMix,
    /// Objects for pointers have at most so many elements.
    pub elements: u64,
}

impl RandomInputs {
    /// Draws with a seed.
    pub fn new(seed: u64) -> RandomInputs {
        RandomInputs { random: SplitMix::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678), elements: 4 }
    }
}

impl Inputs for RandomInputs {
    fn value(&mut self, request: &Request<'_>) -> Option<InputValue> {
        if let Some(integer) = request.types.integer(request.ty) {
            if *request.types.kind(request.ty) == Type::Bool {
                return Some(InputValue::Integer(i128::from(self.random.below(2))));
            }
            let value = match self.random.below(10) {
                0..=4 => i128::from(self.random.below(12)) - 2,
                5 | 6 => i128::from(self.random.below(200)) - 60,
                7 => integer.max() - i128::from(self.random.below(3)),
                8 => integer.min() + i128::from(self.random.below(3)),
                _ => i128::from(self.random.bits()),
            };
            return Some(InputValue::Integer(integer.wrap(value)));
        }
        if let Some(functions) = request.functions {
            let number = self.random.below(functions.len() as u64 + 1) as usize;
            return Some(functions.get(number).map_or(InputValue::Null, |name| InputValue::Function(*name)));
        }
        Some(match request.types.kind(request.ty) {
            Type::Pointer(_) if self.random.below(4) == 0 => InputValue::Null,
            Type::Pointer(_) => InputValue::Object(1 + self.random.below(self.elements)),
            _ => {
                let small = self.random.below(200) as f64 - 100.0;
                InputValue::Float(match self.random.below(4) {
                    0 => small,
                    1 => small / 8.0,
                    2 => small * 1e6,
                    _ => 0.0,
                })
            }
        })
    }
}
