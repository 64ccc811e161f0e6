//! A suite as a table: columns of inputs and of expected outputs.

use indexmap::IndexSet;
use serde_json::Value as Json;
use value::Value;

use super::{ExportError, Format};
use crate::{Port, Suite, TestRecord};

/// The columns of a suite.
pub(super) struct Columns {
    /// The names of the inputs; none where the inputs of a test are a document.
    pub(super) inputs: Option<Vec<String>>,
    /// The names of the expected outputs.
    pub(super) outputs: Vec<String>,
}

impl Columns {
    pub(super) fn of(suite: &Suite) -> Columns {
        if let Some(interface) = &suite.interface {
            let names = |ports: &[Port]| ports.iter().map(|port| port.name.clone()).collect();
            return Columns { inputs: Some(names(&interface.inputs)), outputs: names(&interface.outputs) };
        }
        let outputs: IndexSet<String> = suite.tests.iter().flat_map(|test| test.expected.keys().cloned()).collect();
        let is_flat = suite.tests.iter().all(|test| {
            test.inputs
                .as_object()
                .is_some_and(|inputs| inputs.values().all(|value| !value.is_object() && !value.is_array()))
        });
        let names: IndexSet<String> =
            suite.tests.iter().filter_map(|test| test.inputs.as_object()).flat_map(|map| map.keys().cloned()).collect();
        Columns { inputs: is_flat.then(|| names.into_iter().collect()), outputs: outputs.into_iter().collect() }
    }

    /// The heads of the input columns.
    pub(super) fn input_names(&self) -> Vec<&str> {
        match &self.inputs {
            Some(names) => names.iter().map(String::as_str).collect(),
            None => vec!["inputs"],
        }
    }

    /// The inputs of a test as texts, one for each head.
    pub(super) fn input_texts(&self, test: &TestRecord) -> Vec<String> {
        let text = |name: &String| test.text(name).map(str::to_owned);
        match &self.inputs {
            Some(names) => {
                let value = |name: &String| test.inputs.get(name).map(plain).unwrap_or_default();
                names.iter().map(|name| text(name).unwrap_or_else(|| value(name))).collect()
            }
            None => vec![test.inputs_as_text().to_string()],
        }
    }

    /// The expected outputs of a test as texts, one for each name.
    pub(super) fn output_texts(&self, test: &TestRecord) -> Vec<String> {
        self.outputs.iter().map(|name| test.expected.get(name).map(plain).unwrap_or_default()).collect()
    }
}

/// A JSON value as a person would write it.
pub(super) fn plain(json: &Json) -> String {
    match json {
        Json::String(text) => text.clone(),
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::Array(_) | Json::Object(_) => json.to_string(),
    }
}

/// The interface of a suite, for the formats that need types.
pub(super) fn typed(suite: &Suite, format: Format) -> Result<(&[Port], &[Port]), ExportError> {
    let interface = suite.interface.as_ref().ok_or_else(|| {
        let problem = "its tests are not one value for each input".to_owned();
        ExportError { format, problem }
    })?;
    Ok((&interface.inputs, &interface.outputs))
}

/// The value of a port in a test.
pub(super) fn value_of(
    port: &Port,
    json: Option<&Json>,
    test: &TestRecord,
    format: Format,
) -> Result<Value, ExportError> {
    let error = |problem: String| ExportError { format, problem };
    let sort = port.sort().ok_or_else(|| error(format!("`{}` has the sort {}", port.name, port.sort)))?;
    let json = json.ok_or_else(|| error(format!("the test {} has no value for `{}`", test.id, port.name)))?;
    value::from_json(&sort, json).map_err(|wrong| error(format!("in the test {}: {wrong}", test.id)))
}
