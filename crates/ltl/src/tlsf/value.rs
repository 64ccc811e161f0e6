//! The values that TLSF expressions have.

use std::collections::BTreeSet;

use omega::{AtomId, Formula};

/// A value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Value {
    Number(i64),
    Formula(Formula),
    Set(BTreeSet<Value>),
    /// The signals of a bus, from bit 0.
    Bus(Vec<AtomId>),
    /// A value of an enumeration: its bit patterns.
    Constant(Vec<String>),
}

impl Value {
    /// What it is, in words.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Value::Number(_) => "a number",
            Value::Formula(_) => "a formula",
            Value::Set(_) => "a set",
            Value::Bus(_) => "a bus",
            Value::Constant(_) => "a value of an enumeration",
        }
    }
}
