//! Tests: inputs found by a search or given by a user, and what an interpreter says they do.

use indexmap::IndexMap;
use serde_json::Value as Json;
use value::Value;

/// The inputs of one test.
///
/// Languages whose tests are one assignment use [`Inputs::Assignment`]; languages with richer tests write them as the
/// JSON document their replay reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inputs {
    /// A value for every input variable, in order of declaration.
    Assignment(IndexMap<String, Value>),
    /// A document that the language's interpreter understands: a trace, a signal, a strategy.
    Document(Json),
}

/// Inputs with what the interpreter computed from them. Only a replay makes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestCase {
    /// The inputs.
    pub inputs: Inputs,
    /// The expected outputs, by name.
    pub expected: IndexMap<String, Json>,
    /// Facts about the test for reports, such as the value of every condition.
    pub notes: IndexMap<String, Json>,
}

impl Inputs {
    /// The inputs as the `inputs` of a test in a suite.
    pub fn to_json(&self) -> Json {
        match self {
            Inputs::Assignment(values) => {
                Json::Object(values.iter().map(|(name, value)| (name.clone(), value::to_json(value))).collect())
            }
            Inputs::Document(document) => document.clone(),
        }
    }
}
