//! Given tests: suites (JSON), and the files of a language's own.

use std::path::{Path, PathBuf};

use source::Source;
use testcase::{Inputs, Role, Suite};

use crate::failure::{Failure, INVALID_TESTS};
use crate::front_end::Model;
use crate::output::Output;
use crate::specification::Specification;
use crate::{archive, input};

/// A test with the name people know it by.
#[derive(Clone, Debug)]
pub struct GivenTest {
    /// The row in the file, or the name in the suite.
    pub name: String,
    /// The inputs.
    pub inputs: Inputs,
}

/// The tests of files that shape a suite, in order: the files go into the record of its sources.
pub fn read_given(
    output: &Output,
    specification: &Specification,
    paths: &[PathBuf],
) -> Result<Vec<GivenTest>, Failure> {
    for path in paths.iter().filter(|path| path.is_file()) {
        specification.reader.read(Role::Tests, path)?;
    }
    for path in paths.iter().filter(|path| path.is_dir()) {
        specification.reader.read_folder(Role::Tests, path, |inside| is_of_tests(&input::file_name(inside)))?;
    }
    read_all(output, &*specification.model, paths)
}

/// The tests of files, in order.
pub fn read_all(output: &Output, model: &dyn Model, paths: &[PathBuf]) -> Result<Vec<GivenTest>, Failure> {
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

/// The tests of a file, or of all files in a folder or an archive.
fn read(output: &Output, model: &dyn Model, path: &Path) -> Result<Vec<GivenTest>, Failure> {
    let has = |extension: &str| path.extension().is_some_and(|found| found.eq_ignore_ascii_case(extension));
    let files = if path.is_dir() {
        in_folder(path)?
    } else if has("zip") {
        let wrong = |problem: String| Failure::Refused(&INVALID_TESTS, format!("{}: {problem}", path.display()));
        archive::read(&input::read(path)?).map_err(wrong)?
    } else {
        return read_one(output, model, path, input::read(path)?);
    };
    let mut files: Vec<_> = files.into_iter().filter(|(name, _)| is_of_tests(name)).collect();
    files.sort_by_cached_key(|(name, _)| in_order(name));
    let mut tests = Vec::new();
    for (name, bytes) in files {
        let inside = path.join(&name);
        for mut test in read_one(output, model, &inside, bytes)? {
            test.name = format!("{name} {}", test.name);
            tests.push(test);
        }
    }
    if tests.is_empty() {
        return Err(Failure::Refused(&INVALID_TESTS, format!("no test was found in {}", path.display())));
    }
    Ok(tests)
}

/// The files of a folder; those in folders below it are left out.
fn in_folder(path: &Path) -> Result<Vec<archive::Entry>, Failure> {
    let cannot = |error: std::io::Error| input::cannot("read", path, &error);
    let mut files = Vec::new();
    for entry in std::fs::read_dir(path).map_err(cannot)? {
        let inside = entry.map_err(cannot)?.path();
        if inside.is_file() && is_of_tests(&input::file_name(&inside)) {
            files.push((input::file_name(&inside), input::read(&inside)?));
        }
    }
    Ok(files)
}

fn is_of_tests(name: &str) -> bool {
    let name = name.rsplit('/').next().unwrap_or(name).to_ascii_lowercase();
    let known = [".xml", ".json", ".csv", ".txt"].iter().any(|ending| name.ends_with(ending));
    known && !name.starts_with('.') && name != "metadata.xml"
}

/// A name in the order of people, where 2 comes before 10.
fn in_order(name: &str) -> Vec<(u64, String)> {
    let mut parts = Vec::new();
    let mut rest = name;
    while !rest.is_empty() {
        let words = rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len());
        let digits = rest[words..].find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len() - words);
        parts.push((0, rest[..words].to_owned()));
        parts.push((rest[words..words + digits].parse().unwrap_or(0), String::new()));
        rest = &rest[words + digits..];
    }
    parts
}

fn read_one(output: &Output, model: &dyn Model, path: &Path, bytes: Vec<u8>) -> Result<Vec<GivenTest>, Failure> {
    let file = Source::from_bytes(&path.display().to_string(), bytes)
        .map_err(|rejection| output.rejected(&rejection.source, std::slice::from_ref(&rejection.diagnostic)))?;
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json")) {
        let wrong = |problem: String| Failure::Refused(&INVALID_TESTS, format!("{}: {problem}", path.display()));
        // A machine by itself, as `check --realizable` writes it, is a test of its own.
        let json: Option<serde_json::Value> = serde_json::from_str(file.text()).ok();
        if json.is_some_and(|json| json["schema"] == "specimen-machine/1") {
            let inputs = model.read_tests(output, &file)?;
            let name = input::file_name(path);
            return Ok(inputs.into_iter().map(|inputs| GivenTest { name: name.clone(), inputs }).collect());
        }
        return of_suite(model, &Suite::from_json(file.text()).map_err(|error| wrong(error.to_string()))?)
            .map_err(wrong);
    }
    let tests = model.read_tests(output, &file)?;
    Ok((1..).zip(tests).map(|(row, inputs)| GivenTest { name: format!("{row}"), inputs }).collect())
}

/// The tests of a suite, or what is wrong with one.
pub fn of_suite(model: &dyn Model, suite: &Suite) -> Result<Vec<GivenTest>, String> {
    let tests = suite.tests.iter().map(|test| {
        let inputs =
            model.read_inputs(&test.inputs).map_err(|problem| format!("in the test {}: {problem}", test.id))?;
        Ok(GivenTest { name: test.id.clone(), inputs })
    });
    tests.collect()
}
