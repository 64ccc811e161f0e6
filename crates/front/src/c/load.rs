//! Reading C programs for the verbs.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use c::program::FunctionId;
use c::{Finding, Options, Preprocessor, Shape, Translation};
use source::{Code, Source};
use testcase::Role;

use super::CModel;
use crate::failure::Failure;
use crate::options::{BlockRule, CReadingArguments};
use crate::output::Output;
use crate::reader::Reader;

use super::markers;

/// The codes of C and of FQL.
pub(super) fn codes() -> &'static [&'static Code] {
    static CODES: OnceLock<Vec<&'static Code>> = OnceLock::new();
    CODES.get_or_init(|| c::codes::CODES.iter().chain(fql::codes::CODES).copied().collect())
}

/// Reads a program whose first file is the source; a source that is not a file is taken as preprocessed text.
pub(super) fn load(
    reader: &Arc<Reader>,
    output: &Output,
    source: Source,
    reading: &CReadingArguments,
) -> Result<CModel, Failure> {
    let path = PathBuf::from(source.name());
    if path.is_file() {
        let mut files = vec![path];
        for linked in &reading.link {
            files.push(reader.read(Role::Link, linked)?.path);
        }
        return from_files(reader, output, source, &files, reading);
    }
    let loaded = c::load_text(source.name(), source.text(), &options(reading)?);
    finish(reader, output, source, reading, loaded)
}

/// Reads a program whose main file, at the place that the source names, has been changed. The headers and the linked files are what
/// they were; nothing goes into the record.
pub(super) fn changed(
    reader: &Arc<Reader>,
    output: &Output,
    source: Source,
    reading: &CReadingArguments,
) -> Result<CModel, Failure> {
    let options = options(reading)?;
    let path = PathBuf::from(source.name());
    let cannot = |error: std::io::Error| Failure::Environment(format!("cannot write a temporary file: {error}"));
    let folder = tempfile::tempdir().map_err(cannot)?;
    let copy = folder.path().join(path.file_name().unwrap_or("changed.c".as_ref()));
    std::fs::write(&copy, source.text()).map_err(cannot)?;
    let mut of_copy = options.clone();
    let of_file = options.preprocessor.file_defines.iter().filter(|(only, _)| *only == path);
    of_copy.preprocessor.defines.extend(of_file.map(|(_, define)| define.clone()));
    of_copy.preprocessor.quoted.push(path.parent().unwrap_or(Path::new("")).to_owned());
    let text = c::preprocess(&copy, &of_copy).map_err(|findings| {
        show(output, &findings);
        Failure::Shown
    })?;
    let mut units = vec![(source.name().to_owned(), text)];
    for linked in &reading.link {
        let file = reader.read(Role::Link, linked)?.path;
        units.push((file.display().to_string(), unit(reader, output, &file, &options)?));
    }
    finish(reader, output, source, reading, c::load_units(units, &options))
}

/// Reads a program from files, of which the first is the main file.
pub fn from_files(
    reader: &Arc<Reader>,
    output: &Output,
    source: Source,
    files: &[PathBuf],
    reading: &CReadingArguments,
) -> Result<CModel, Failure> {
    if let Some(missing) = files.iter().find(|file| !Path::new(file).is_file()) {
        return Err(Failure::Environment(format!("cannot read {}", missing.display())));
    }
    let options = options(reading)?;
    let mut units = Vec::new();
    for file in files {
        units.push((file.display().to_string(), unit(reader, output, file, &options)?));
    }
    finish(reader, output, source, reading, c::load_units(units, &options))
}

/// The preprocessed text of a file: the one that a suite keeps, or what the preprocessor makes now. Headers go into the record, and so
/// does the text, with the names of the record in place of paths.
fn unit(reader: &Reader, output: &Output, file: &Path, options: &Options) -> Result<String, Failure> {
    let is_ready = file.extension().is_some_and(|extension| extension == "i");
    let name = format!("{}.i", reader.logical(file));
    if !is_ready && reader.has_recorded(Role::Preprocessed, &name) {
        return reader.read_text(Role::Preprocessed, Path::new(&name));
    }
    let text = c::preprocess(file, options).map_err(|findings| {
        show(output, &findings);
        Failure::Shown
    })?;
    if is_ready {
        return Ok(text);
    }
    let folders = &options.preprocessor.includes;
    let named = |path: &Path| {
        let inside = folders.iter().find_map(|folder| path.strip_prefix(folder).ok());
        inside.map_or_else(|| reader.logical(path), |rest| reader.logical(&reader.base().join(rest)))
    };
    let mut headers = Vec::new();
    for path in markers::headers(&text).into_iter().filter(|path| path != file && path.is_file()) {
        let opened = reader.read_as(Role::Header, &path, &named(&path))?;
        headers.push((path, opened.file.name));
    }
    let record = |path: &Path| {
        let header = headers.iter().find(|(known, _)| known == path);
        header.map_or_else(|| crate::input::file_name(path), |(_, name)| name.clone())
    };
    reader.made(Role::Preprocessed, &name, &markers::renamed(&text, &record))?;
    if reader.preprocessor().is_none() {
        reader.preprocessed_by(options.preprocessor.version());
    }
    Ok(text)
}

/// The program in files, if there is one.
pub fn translation_of(output: &Output, files: &[PathBuf], reading: &CReadingArguments) -> Option<Translation> {
    if files.is_empty() {
        return None;
    }
    c::load(files, &options(reading).ok()?).map_err(|findings| show(output, &findings)).ok()
}

fn show(output: &Output, findings: &[Finding]) {
    for finding in findings {
        output.diagnostics(&finding.source, std::slice::from_ref(&finding.diagnostic));
    }
}

fn finish(
    reader: &Arc<Reader>,
    output: &Output,
    source: Source,
    reading: &CReadingArguments,
    loaded: Result<Translation, Vec<Finding>>,
) -> Result<CModel, Failure> {
    let mut translation = loaded.map_err(|findings| {
        show(output, &findings);
        Failure::Shown
    })?;
    show(output, &translation.warnings);
    let tested = fql::program::tested(&translation, reading.function.as_deref());
    let functions = &translation.program.functions;
    let some = functions.iter().position(|function| function.body.is_some());
    let (entry, no_entry) = match (tested, some.filter(|_| reading.function.is_none())) {
        (Ok(entry), _) => (entry, None),
        // A file of functions is a program to look at; which of them is tested must be said before something is drawn.
        (Err(error), Some(some)) => (FunctionId(some as u32), Some(error)),
        (Err(error), None) => return Err(output.rejected(&source, std::slice::from_ref(&error))),
    };
    translation.program.offer_callbacks(entry);
    Ok(CModel { source, translation, entry, no_entry, reading: reading.clone(), reader: reader.clone() })
}

fn options(reading: &CReadingArguments) -> Result<Options, Failure> {
    let own = reading;
    let model = own.machine.model()?;
    let ndebug = own.no_assert.then(|| "NDEBUG".to_owned());
    let preprocessor = Preprocessor {
        includes: own.include.clone(),
        defines: own.defines().into_iter().chain(ndebug).collect(),
        file_defines: own.file_defines.clone(),
        ..Preprocessor::default()
    };
    let inserted_skips = own.blocks.unwrap_or_default() == BlockRule::Strict;
    let shape = Shape { inserted_skips, open_assertions: own.open_assertions };
    Ok(Options { model, preprocessor, shape, library: !own.no_library })
}
