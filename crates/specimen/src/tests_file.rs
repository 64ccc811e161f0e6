//! Given tests: tables (CSV), suites (JSON), and single tests on the command line.

use std::path::{Path, PathBuf};

use boolean::interp::Assignment;
use source::Source;
use testcase::Suite;
use value::Value;

use crate::failure::Failure;
use crate::input;
use crate::output::Output;
use crate::specification::Specification;

/// A test with the name people know it by.
#[derive(Clone, Debug)]
pub(crate) struct GivenTest {
    /// The file and the row, or the name in the suite.
    pub(crate) name: String,
    /// A value for every input.
    pub(crate) values: Assignment,
}

/// The tests of files, in order.
pub(crate) fn read_all(
    output: &Output,
    specification: &Specification,
    paths: &[PathBuf],
) -> Result<Vec<GivenTest>, Failure> {
    let mut tests = Vec::new();
    for path in paths {
        tests.extend(read(output, specification, path)?);
    }
    if 1 < paths.len() {
        for (number, test) in tests.iter_mut().enumerate() {
            test.name = format!("{}", number + 1);
        }
    }
    Ok(tests)
}

fn read(output: &Output, specification: &Specification, path: &Path) -> Result<Vec<GivenTest>, Failure> {
    let bytes = input::read(path)?;
    let source = Source::from_bytes(&path.display().to_string(), bytes).map_err(|rejection| {
        output.diagnostics(&rejection.source, std::slice::from_ref(&rejection.diagnostic));
        Failure::Shown
    })?;
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json")) {
        return from_suite(specification, path, source.text());
    }
    let rows = boolean::table::read_table(&source, &specification.spec).map_err(|errors| {
        output.diagnostics(&source, &errors);
        Failure::Shown
    })?;
    Ok((1..).zip(rows).map(|(row, values)| GivenTest { name: format!("{row}"), values }).collect())
}

fn from_suite(specification: &Specification, path: &Path, text: &str) -> Result<Vec<GivenTest>, Failure> {
    let wrong = |problem: String| Failure::Rejected(format!("{}: {problem}", path.display()));
    let suite = Suite::from_json(text).map_err(|error| wrong(error.to_string()))?;
    let mut tests = Vec::new();
    for test in &suite.tests {
        let mut values = Vec::new();
        for variable in &specification.spec.variables {
            let json = test.inputs.get(&variable.name);
            let json =
                json.ok_or_else(|| wrong(format!("the test {} has no value for `{}`", test.id, variable.name)))?;
            let value = value::from_json(&variable.sort, json);
            values.push(value.map_err(|error| wrong(format!("in the test {}: {error}", test.id)))?);
        }
        tests.push(GivenTest { name: test.id.clone(), values });
    }
    Ok(tests)
}

/// The test that `NAME=VALUE,NAME=VALUE,…` writes; what is not named has its simplest value.
pub(crate) fn from_settings(specification: &Specification, name: &str, text: &str) -> Result<GivenTest, Failure> {
    let variables = &specification.spec.variables;
    let mut values: Assignment = variables.iter().map(simplest).collect();
    for setting in text.split(',').filter(|setting| !setting.trim().is_empty()) {
        let (name, written) = setting
            .split_once('=')
            .ok_or_else(|| Failure::Usage(format!("`{setting}` is not of the form NAME=VALUE")))?;
        let position = variables.iter().position(|variable| variable.name == name.trim());
        let position =
            position.ok_or_else(|| Failure::Rejected(format!("there is no input called `{}`", name.trim())))?;
        let value = value::from_text(&variables[position].sort, written);
        values[position] = value.map_err(|error| Failure::Rejected(format!("`{}`: {error}", name.trim())))?;
    }
    Ok(GivenTest { name: name.to_owned(), values })
}

/// The simplest value a variable's range allows.
fn simplest(variable: &boolean::Variable) -> Value {
    match &variable.range {
        Some((low, high)) => {
            let zero = value::IBig::ZERO;
            Value::Int(if *low <= zero && zero <= *high {
                zero
            } else if zero < *low {
                low.clone()
            } else {
                high.clone()
            })
        }
        None => Value::default_of(&variable.sort),
    }
}
