//! Values: one exact representation per sort, ordered and hashable.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::{EnumSort, IBig, RBig, Sort, UBig, write_number};

/// A concrete value.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// An exact integer.
    Int(IBig),
    /// An exact rational.
    Real(RBig),
    /// A bit pattern.
    BitVec(BitVec),
    /// A variant of an enumeration.
    Enum(EnumValue),
    /// A total map.
    Array(Arc<ArrayValue>),
}

/// A bit pattern of a fixed width; the bits above the width are zero.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BitVec {
    width: u32,
    bits: UBig,
}

/// A variant of an enumeration.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EnumValue {
    /// The enumeration.
    pub sort: Arc<EnumSort>,
    /// The position of the variant in it.
    pub index: u32,
}

/// A total map: the default everywhere except at finitely many entries.
///
/// Two array values are equal as maps exactly when they are equal as data: no entry repeats the default. Over a finite
/// index sort the default is chosen by [`ArrayValue::new`]'s caller and may still name the same map in two ways.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ArrayValue {
    sort: (Sort, Sort),
    default: Value,
    entries: BTreeMap<Value, Value>,
}

impl BitVec {
    /// The lowest `width` bits of `bits`.
    pub fn new(width: u32, bits: UBig) -> BitVec {
        assert!(0 < width, "a bit-vector has at least one bit");
        let mask = (UBig::ONE << width as usize) - UBig::ONE;
        BitVec { width, bits: bits & mask }
    }

    /// The number of bits.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The pattern read as an unsigned number.
    pub fn bits(&self) -> &UBig {
        &self.bits
    }

    /// Bit `index`, counted from the least significant.
    pub fn bit(&self, index: u32) -> bool {
        dashu_int::ops::BitTest::bit(&self.bits, index as usize)
    }
}

impl ArrayValue {
    /// The map of the given sort that is `default` everywhere except at `entries`.
    pub fn new(index: Sort, element: Sort, default: Value, entries: BTreeMap<Value, Value>) -> ArrayValue {
        let entries = entries.into_iter().filter(|(_, value)| *value != default).collect();
        ArrayValue { sort: (index, element), default, entries }
    }

    /// The sort of the indices.
    pub fn index_sort(&self) -> &Sort {
        &self.sort.0
    }

    /// The sort of the elements.
    pub fn element_sort(&self) -> &Sort {
        &self.sort.1
    }

    /// The element at every index that has no entry.
    pub fn default(&self) -> &Value {
        &self.default
    }

    /// The indices whose element is not the default.
    pub fn entries(&self) -> &BTreeMap<Value, Value> {
        &self.entries
    }

    /// The element at `index`.
    pub fn get(&self, index: &Value) -> &Value {
        self.entries.get(index).unwrap_or(&self.default)
    }

    /// The same map with `index` mapped to `value`.
    pub fn with(&self, index: Value, value: Value) -> ArrayValue {
        let mut updated = self.clone();
        if value == updated.default {
            updated.entries.remove(&index);
        } else {
            updated.entries.insert(index, value);
        }
        updated
    }
}

impl Value {
    /// An integer value.
    pub fn int(number: impl Into<IBig>) -> Value {
        Value::Int(number.into())
    }

    /// The sort this value belongs to.
    pub fn sort(&self) -> Sort {
        match self {
            Value::Bool(_) => Sort::Bool,
            Value::Int(_) => Sort::Int,
            Value::Real(_) => Sort::Real,
            Value::BitVec(bits) => Sort::BitVec(bits.width),
            Value::Enum(variant) => Sort::Enum(variant.sort.clone()),
            Value::Array(array) => Sort::array(array.sort.0.clone(), array.sort.1.clone()),
        }
    }

    /// The simplest value of a sort: false, zero, the first variant, the constant array of such.
    pub fn default_of(sort: &Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(false),
            Sort::Int => Value::Int(IBig::ZERO),
            Sort::Real => Value::Real(RBig::ZERO),
            Sort::BitVec(width) => Value::BitVec(BitVec::new(*width, UBig::ZERO)),
            Sort::Enum(sort) => Value::Enum(EnumValue { sort: sort.clone(), index: 0 }),
            Sort::Array(parts) => Value::Array(Arc::new(ArrayValue::new(
                parts.0.clone(),
                parts.1.clone(),
                Value::default_of(&parts.1),
                BTreeMap::new(),
            ))),
        }
    }

    /// The truth value, if this is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(truth) => Some(*truth),
            _ => None,
        }
    }
}

impl EnumValue {
    /// The name of the variant.
    pub fn name(&self) -> &str {
        &self.sort.variants[self.index as usize]
    }
}

/// Prints the value as a person would write it: `true`, `-3`, `1/3`, `#x0f`, `athrow`, `[0: 5, else: 1]`.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(truth) => write!(f, "{truth}"),
            Value::Int(number) => write!(f, "{number}"),
            Value::Real(number) => f.write_str(&write_number(number)),
            Value::BitVec(bits) => write!(f, "{bits}"),
            Value::Enum(variant) => f.write_str(variant.name()),
            Value::Array(array) => {
                f.write_str("[")?;
                for (index, element) in &array.entries {
                    write!(f, "{index}: {element}, ")?;
                }
                write!(f, "else: {}]", array.default)
            }
        }
    }
}

/// Prints hexadecimal where the width is a multiple of four, binary otherwise, always with every digit.
impl fmt::Display for BitVec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.width as usize;
        if width.is_multiple_of(4) {
            write!(f, "#x{:0>1$}", self.bits.in_radix(16).to_string(), width / 4)
        } else {
            write!(f, "#b{:0>1$}", self.bits.in_radix(2).to_string(), width)
        }
    }
}
