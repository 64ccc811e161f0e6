//! Run-time values.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use dashu_int::IBig;
use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxBuildHasher, FxHasher};

use crate::place::Origin;
use crate::types::are_tuple_members;

/// A value of an event, or inside one.
#[derive(Clone, Debug)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// An integer that fits 64 bits.
    Int(i64),
    /// An integer that does not; see [`Value::integer`].
    Big(Arc<IBig>),
    /// A floating-point number.
    Float(f64),
    /// Text.
    String(Arc<str>),
    /// The unit value: the object without members.
    Unit,
    /// No value.
    None,
    /// A value that is there.
    Some(Arc<Value>),
    /// An object with at least one member.
    Object(Arc<Object>),
    /// A list.
    List(Arc<Vec<Value>>),
    /// A set, in order of insertion.
    Set(Arc<ValueSet>),
    /// A map, in order of insertion.
    Map(Arc<ValueMap>),
    /// What an undefined operation gives. It travels on until something needs it.
    Failure(Arc<Failure>),
}

/// The elements of a set.
pub type ValueSet = IndexSet<Value, FxBuildHasher>;

/// The entries of a map.
pub type ValueMap = IndexMap<Value, Value, FxBuildHasher>;

/// The members of an object, in the order of its text.
#[derive(Clone, Debug)]
pub struct Object {
    /// The names.
    pub names: Arc<[Arc<str>]>,
    /// The values, in the order of the names.
    pub values: Vec<Value>,
}

/// An undefined operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What went wrong.
    pub message: String,
    /// Which operation did it.
    pub origin: Origin,
}

impl Value {
    /// An integer of any size.
    pub fn integer(number: IBig) -> Value {
        match i64::try_from(&number) {
            Ok(small) => Value::Int(small),
            Err(_) => Value::Big(Arc::new(number)),
        }
    }

    /// The integer, if it is one.
    pub fn as_integer(&self) -> Option<IBig> {
        match self {
            Value::Int(number) => Some(IBig::from(*number)),
            Value::Big(number) => Some((**number).clone()),
            _ => None,
        }
    }

    /// The truth value, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// A value that is there.
    pub fn some(value: Value) -> Value {
        Value::Some(Arc::new(value))
    }

    /// Text.
    pub fn string(text: impl Into<Arc<str>>) -> Value {
        Value::String(text.into())
    }

    /// A failed operation.
    pub fn failure(message: impl Into<String>, origin: Origin) -> Value {
        Value::Failure(Arc::new(Failure { message: message.into(), origin }))
    }

    /// An object; without members, the unit value.
    pub fn object(names: Arc<[Arc<str>]>, values: Vec<Value>) -> Value {
        if names.is_empty() { Value::Unit } else { Value::Object(Arc::new(Object { names, values })) }
    }

    /// Whether it is a failed operation.
    pub fn is_failure(&self) -> bool {
        matches!(self, Value::Failure(_))
    }
}

impl Object {
    /// The value of a member.
    pub fn member(&self, name: &str) -> Option<&Value> {
        self.names.iter().position(|member| &**member == name).map(|index| &self.values[index])
    }

    /// Whether the members are those of a tuple.
    pub fn is_tuple(&self) -> bool {
        are_tuple_members(self.names.iter().map(|name| &**name))
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Int(left), Value::Int(right)) => left == right,
            (Value::Bool(left), Value::Bool(right)) => left == right,
            (Value::Unit, Value::Unit) | (Value::None, Value::None) => true,
            (Value::Big(left), Value::Big(right)) => left == right,
            (Value::Float(left), Value::Float(right)) => left == right,
            (Value::String(left), Value::String(right)) => left == right,
            (Value::Some(left), Value::Some(right)) => left == right,
            (Value::Object(left), Value::Object(right)) => left == right,
            (Value::List(left), Value::List(right)) => left == right,
            (Value::Set(left), Value::Set(right)) => left == right,
            (Value::Map(left), Value::Map(right)) => left == right,
            (Value::Failure(left), Value::Failure(right)) => left == right,
            _ => false,
        }
    }
}

/// NaN differs from itself, as IEEE says; as a key it is then never found again, which harms nothing.
impl Eq for Value {}

impl PartialEq for Object {
    fn eq(&self, other: &Object) -> bool {
        self.values.len() == other.values.len()
            && self.names.iter().zip(&self.values).all(|(name, value)| other.member(name) == Some(value))
    }
}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Value::Bool(value) => value.hash(state),
            Value::Int(number) => number.hash(state),
            Value::Big(number) => number.hash(state),
            Value::Float(number) => (if *number == 0.0 { 0.0_f64 } else { *number }).to_bits().hash(state),
            Value::String(text) => text.hash(state),
            Value::Unit => 1_u8.hash(state),
            Value::None => 2_u8.hash(state),
            Value::Some(inner) => {
                3_u8.hash(state);
                inner.hash(state);
            }
            Value::Object(object) => unordered(object.names.iter().zip(&object.values)).hash(state),
            Value::List(elements) => elements.hash(state),
            Value::Set(elements) => unordered(elements.iter()).hash(state),
            Value::Map(entries) => unordered(entries.iter()).hash(state),
            Value::Failure(failure) => failure.message.hash(state),
        }
    }
}

/// A hash that does not depend on the order of the items.
fn unordered(items: impl Iterator<Item = impl Hash>) -> u64 {
    let one = |item| {
        let mut hasher = FxHasher::default();
        Hash::hash(&item, &mut hasher);
        hasher.finish()
    };
    items.map(one).fold(0, u64::wrapping_add)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_equal_whatever_the_order_of_their_members() {
        let names = |first: &str, second: &str| -> Arc<[Arc<str>]> { Arc::from([Arc::from(first), Arc::from(second)]) };
        let left = Value::object(names("x", "y"), vec![Value::Int(1), Value::Int(2)]);
        let right = Value::object(names("y", "x"), vec![Value::Int(2), Value::Int(1)]);
        assert_eq!(left, right);
        let set: ValueSet = [left, right].into_iter().collect();
        assert_eq!(set.len(), 1);
    }

    #[test]
    fn integers_are_small_where_they_fit() {
        assert!(matches!(Value::integer(IBig::from(i64::MIN)), Value::Int(i64::MIN)));
        assert!(matches!(Value::integer(IBig::from(i64::MAX) + 1), Value::Big(_)));
    }
}
