//! The harness of a suite: for the source as it is now, whether or not it has changed since the suite was drawn.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use c::DataModel;
use c::program::Storage;
use fql::output::harness::{Frame, Unit, harness as written};
use fql::output::{Input, Tests, of_run};
use testcase::{Role, SourceFile, Suite, TestRecord};

use super::{CModel, export};
use crate::failure::Failure;
use crate::front_end::ExportedFile;
use crate::input;
use crate::options::ReadingArguments;
use crate::reader::Reader;

/// A harness.
pub struct Harness {
    /// Its files.
    pub files: Vec<ExportedFile>,
    /// The files to compile, without the tester.
    pub parts: Vec<String>,
    /// The tests in it, by their numbers from 1.
    pub numbers: Vec<usize>,
    /// The tests that are left out, and why.
    pub left_out: Vec<(String, String)>,
    /// Whether the source has changed since the suite was drawn.
    pub changed: bool,
    /// Inputs of the source that no test has a value for; they are zero.
    pub new: Vec<String>,
}

/// Makes the harness of a suite for a source.
pub fn harness(suite: &Suite, path: &Path, text: &str, frame: Frame) -> Result<Harness, Failure> {
    let mut reading = ReadingArguments::of_suite(suite)?.c;
    let reader = Reader::of_current(suite, path)?;
    reading.include = include_folders(&reader, &reading.include);
    let model = export::model(&reader, path, text, &reading)?;
    let changed = has_changed(suite, &reader)?;
    let mut tests = export::tests(&model, suite)?;
    let mut left_out: Vec<(usize, String)> = Vec::new();
    let mut new = BTreeSet::new();
    for (at, (test, record)) in tests.tests.iter_mut().zip(&suite.tests).enumerate() {
        if changed {
            let gone = test.gone.as_ref().map(|name| format!("there is no `{name}` any more"));
            left_out.extend(misfit(&model, record).or(gone).map(|reason| (at, reason)));
            let unknown = test.inputs.iter().filter(|input| record.inputs.get(&input.name).is_none());
            new.extend(unknown.map(|input| input.name.clone()));
        }
    }
    let (files, refused, names) = files(&model, suite, &tests, (path, text), frame)?;
    for (at, reason) in refused {
        if !left_out.iter().any(|(other, _)| *other == at) {
            left_out.push((at, reason));
        }
    }
    left_out.sort();
    let numbers = (1..=suite.tests.len()).filter(|number| !left_out.iter().any(|(at, _)| at + 1 == *number)).collect();
    let left_out = left_out.into_iter().map(|(at, reason)| (suite.tests[at].id.clone(), reason)).collect();
    Ok(Harness { files, parts: names, numbers, left_out, changed, new: new.into_iter().collect() })
}

/// Where headers are that came from folders of their own: a suite keeps them beside the source, and knows the folders by name.
fn include_folders(reader: &Reader, named: &[PathBuf]) -> Vec<PathBuf> {
    let base = reader.base();
    let beside = named.iter().map(|name| base.join(name)).filter(|folder| folder.is_dir());
    let own = (!named.is_empty()).then(|| base.to_owned()).filter(|base| !base.as_os_str().is_empty());
    let here = (!named.is_empty() && base.as_os_str().is_empty()).then(|| PathBuf::from("."));
    beside.chain(own).chain(here).collect()
}

/// Whether a file of the program has changed since the suite was drawn. A header that is gone is not replaced by one of the
/// system that happens to have its name.
fn has_changed(suite: &Suite, reader: &Reader) -> Result<bool, Failure> {
    let opened: Vec<SourceFile> = reader.all().into_iter().map(|opened| opened.file).collect();
    let recorded = suite.sources();
    let differs =
        |file: &&SourceFile| recorded.find(file.role, &file.name).is_some_and(|known| known.sha256 != file.sha256);
    let changed = opened.iter().filter(|file| file.role != Role::Preprocessed).any(|file| differs(&file));
    let gone = recorded.0.iter().filter(|file| file.role == Role::Header);
    let mut gone =
        gone.filter(|file| !opened.iter().any(|other| other.role == Role::Header && other.name == file.name));
    match gone.next() {
        Some(header) if !changed => Err(Failure::Rejected(format!(
            "{} stood beside the source when the suite was drawn and does not now: the system's header of that name is another one",
            header.name
        ))),
        gone => Ok(changed || gone.is_some()),
    }
}

type Written = (Vec<ExportedFile>, Vec<(usize, String)>, Vec<String>);

fn files(
    model: &CModel,
    suite: &Suite,
    tests: &Tests,
    (path, text): (&Path, &str),
    frame: Frame,
) -> Result<Written, Failure> {
    let own = &model.reading;
    let program = &model.translation.program;
    let asked: Vec<Input> = tests.tests.iter().flat_map(|test| test.inputs.clone()).collect();
    let mut units = vec![unit(model, path, input::file_name(path), text.to_owned())];
    for linked in &own.link {
        let opened = model.reader.read(Role::Link, linked)?;
        let text = String::from_utf8_lossy(&opened.bytes).into_owned();
        units.push(unit(model, &opened.path, opened.file.name, text));
    }
    let mut flags: Vec<String> = own.include.iter().map(|folder| format!("-I{}", absolute(folder).display())).collect();
    flags.extend(own.defines().iter().map(|define| format!("-D{define}")));
    let machine = *program.types.model();
    flags.extend((machine.pointer == 4).then(|| "-m32".to_owned()));
    flags.extend((!machine.signed_char).then(|| "-funsigned-char".to_owned()));
    let unassuming = suite.options.contains_key("no-assumptions");
    flags.extend(unassuming.then(|| "-DSPECIMEN_NO_ASSUMPTIONS".to_owned()));
    flags.extend(own.no_assert.then(|| "-DNDEBUG".to_owned()));
    flags.extend(export::wraps(suite).then(|| "-fwrapv".to_owned()));
    // Stubs take the place of functions that compilers believe to know.
    flags.extend(own.no_library.then(|| "-fno-builtin".to_owned()));
    let stopping: Vec<&str> = suite.tests.iter().filter_map(|test| test.expected.get("stops")?.as_str()).collect();
    // Compilers believe that what they build in returns, and so do counts of branches.
    let unmodelled: BTreeSet<&str> = stopping.iter().copied().filter(|name| c::needs_model(name)).collect();
    flags.extend(unmodelled.iter().map(|name| format!("-fno-builtin-{name}")));
    let sources = of_run::sources(program, units, (&asked, &stopping), flags);
    let (mut files, left_out) = written(tests, &sources, frame);
    if machine != DataModel::default() {
        let tester = files.iter_mut().filter(|(name, _)| name == "tester.c");
        tester.for_each(|(_, text)| *text = for_machine(&machine) + text);
    }
    let parts = files.iter().filter_map(|(name, _)| name.strip_suffix(".c")).filter(|name| *name != "tester");
    let parts = parts.map(str::to_owned).collect();
    let left_out = left_out.into_iter().map(|one| (one.test - 1, one.reason)).collect();
    let files = files.into_iter().map(|(name, text)| ExportedFile { name, text }).collect();
    Ok((files, left_out, parts))
}

fn unit(model: &CModel, path: &Path, name: String, text: String) -> Unit {
    let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let own = model.reading.file_defines.iter().filter(|(file, _)| file == path);
    // What is not text cannot be named in a harness: then the file is copied.
    let folder = absolute(folder).to_str().map(str::to_owned).filter(|_| path.is_file());
    Unit { name, text, folder, flags: own.map(|(_, define)| format!("-D{define}")).collect() }
}

fn absolute(folder: &Path) -> PathBuf {
    std::fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned())
}

/// Why a test of another version of the program does not fit this one: it sets something that has gone.
fn misfit(model: &CModel, test: &TestRecord) -> Option<String> {
    let program = &model.translation.program;
    let known = |name: &str| {
        // Memory at a fixed address belongs to the machine, not to the program.
        if name.starts_with("*(") {
            return true;
        }
        let root = name.split(['.', '[', '@', '(']).next().unwrap_or(name);
        if name.contains("()") {
            return program.function_named(root).is_some();
        }
        program.variables.iter().any(|variable| variable.name == root && variable.storage != Storage::Temporary)
    };
    let names = test.inputs.as_object().into_iter().flat_map(|inputs| inputs.keys());
    let mut names = names.filter(|name| !name.starts_with("heap") && *name != "memory" && *name != c::interp::CALLS);
    let gone = names.find(|name| !known(name))?;
    Some(format!("there is no `{gone}` any more"))
}

/// Keeps a harness from being compiled for another machine than that of its tests.
fn for_machine(machine: &DataModel) -> String {
    let order = if machine.big_endian { "BIG" } else { "LITTLE" };
    format!(
        "/* The tests are for a machine with int of {0}, long of {1} and pointers of {2} bytes. */\n\
         _Static_assert(sizeof(int) == {0} && sizeof(long) == {1} && sizeof(void *) == {2},\n               \
         \"the tests are for another machine\");\n\
         _Static_assert(__BYTE_ORDER__ == __ORDER_{order}_ENDIAN__, \"the tests are for another order of bytes\");\n\n",
        machine.int, machine.long, machine.pointer
    )
}
