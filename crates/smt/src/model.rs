//! Models: what a solver says the declared constants are.

use std::collections::BTreeMap;

use value::Value;

use crate::{Term, Terms};

/// Values for declared constants. A constant without one has the default value of its sort.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    values: BTreeMap<Term, Value>,
}

impl Model {
    /// A model in which every constant has its default value.
    pub fn new() -> Model {
        Model::default()
    }

    /// Sets the value of a symbol.
    pub fn insert(&mut self, symbol: Term, value: Value) {
        self.values.insert(symbol, value);
    }

    /// The value of a symbol, if the solver gave one.
    pub fn get(&self, symbol: Term) -> Option<&Value> {
        self.values.get(&symbol)
    }

    /// The value of a symbol, or the default of its sort.
    pub fn value(&self, terms: &Terms, symbol: Term) -> Value {
        self.get(symbol).cloned().unwrap_or_else(|| Value::default_of(terms.sort(symbol)))
    }

    /// The symbols with a value, in the order of their creation.
    pub fn iter(&self) -> impl Iterator<Item = (Term, &Value)> {
        self.values.iter().map(|(&symbol, value)| (symbol, value))
    }
}
