//! Given tests: suites (JSON), and the files of a language's own.

use std::path::{Path, PathBuf};

use source::Source;
use testcase::{Inputs, Suite};

use crate::failure::Failure;
use crate::front::Model;
use crate::input;
use crate::output::Output;

/// A test with the name people know it by.
#[derive(Clone, Debug)]
pub(crate) struct GivenTest {
    /// The row in the file, or the name in the suite.
    pub(crate) name: String,
    /// The inputs.
    pub(crate) inputs: Inputs,
}

/// The tests of files, in order.
pub(crate) fn read_all(output: &Output, model: &dyn Model, paths: &[PathBuf]) -> Result<Vec<GivenTest>, Failure> {
    let mut tests = Vec::new();
    for path in paths {
        tests.extend(read(output, model, path)?);
    }
    if 1 < paths.len() {
        for (number, test) in tests.iter_mut().enumerate() {
            test.name = format!("{}", number + 1);
        }
    }
    Ok(tests)
}

fn read(output: &Output, model: &dyn Model, path: &Path) -> Result<Vec<GivenTest>, Failure> {
    let bytes = input::read(path)?;
    let file = Source::from_bytes(&path.display().to_string(), bytes)
        .map_err(|rejection| output.rejected(&rejection.source, std::slice::from_ref(&rejection.diagnostic)))?;
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json")) {
        let wrong = |problem: String| Failure::Rejected(format!("{}: {problem}", path.display()));
        return of_suite(model, &Suite::from_json(file.text()).map_err(|error| wrong(error.to_string()))?)
            .map_err(wrong);
    }
    let tests = model.read_tests(output, &file)?;
    Ok((1..).zip(tests).map(|(row, inputs)| GivenTest { name: format!("{row}"), inputs }).collect())
}

/// The tests of a suite, or what is wrong with one.
pub(crate) fn of_suite(model: &dyn Model, suite: &Suite) -> Result<Vec<GivenTest>, String> {
    let tests = suite.tests.iter().map(|test| {
        let inputs =
            model.read_inputs(&test.inputs).map_err(|problem| format!("in the test {}: {problem}", test.id))?;
        Ok(GivenTest { name: test.id.clone(), inputs })
    });
    tests.collect()
}
