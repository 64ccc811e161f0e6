//! Reading C programs for the verbs.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use c::program::FunctionId;
use c::{Finding, Options, Preprocessor, Shape, Translation};
use source::{Code, Source};

use super::{CModel, headers};
use crate::args::{BlockRule, ReadingArguments};
use crate::failure::Failure;
use crate::output::Output;

/// The codes of C and of FQL.
pub(super) fn codes() -> &'static [&'static Code] {
    static CODES: OnceLock<Vec<&'static Code>> = OnceLock::new();
    CODES.get_or_init(|| c::codes::CODES.iter().chain(fql::codes::CODES).copied().collect())
}

/// Reads a program whose first file is the source; a source that is no file is taken as preprocessed text.
pub(super) fn load(output: &Output, source: Source, reading: &ReadingArguments) -> Result<CModel, Failure> {
    let path = PathBuf::from(source.name());
    if path.is_file() {
        let mut files = vec![path];
        files.extend(reading.c.link.iter().cloned());
        return from_files(output, source, &files, reading);
    }
    let loaded = c::load_text(source.name(), source.text(), &options(reading)?);
    finish(output, source, reading, loaded)
}

/// Reads a program from files.
pub(crate) fn from_files(
    output: &Output,
    source: Source,
    files: &[PathBuf],
    reading: &ReadingArguments,
) -> Result<CModel, Failure> {
    if let Some(missing) = files.iter().find(|file| !Path::new(file).is_file()) {
        return Err(Failure::Environment(format!("cannot read {}", missing.display())));
    }
    finish(output, source, reading, c::load(files, &options(reading)?))
}

/// The program in files, if there is one.
pub(crate) fn translation_of(output: &Output, files: &[PathBuf], reading: &ReadingArguments) -> Option<Translation> {
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
    output: &Output,
    source: Source,
    reading: &ReadingArguments,
    loaded: Result<Translation, Vec<Finding>>,
) -> Result<CModel, Failure> {
    let translation = loaded.map_err(|findings| {
        show(output, &findings);
        Failure::Shown
    })?;
    show(output, &translation.warnings);
    if let Some(header) = headers::replaced(&translation.program, &reading.c.headers) {
        return Err(Failure::Rejected(format!(
            "{header} stood beside the source when the suite was drawn and does not now: the system's header of that name is another one"
        )));
    }
    let tested = fql::program::tested(&translation, reading.c.function.as_deref());
    let functions = &translation.program.functions;
    let some = functions.iter().position(|function| function.body.is_some());
    let (entry, no_entry) = match (tested, some.filter(|_| reading.c.function.is_none())) {
        (Ok(entry), _) => (entry, None),
        // A file of functions is a program to look at; which of them is tested must be said before something is drawn.
        (Err(error), Some(some)) => (FunctionId(some as u32), Some(error)),
        (Err(error), None) => return Err(output.rejected(&source, std::slice::from_ref(&error))),
    };
    Ok(CModel { source, translation, entry, no_entry, reading: reading.clone() })
}

fn options(reading: &ReadingArguments) -> Result<Options, Failure> {
    let own = &reading.c;
    let model = own.machine.model()?;
    let ndebug = own.no_assert.then(|| "NDEBUG".to_owned());
    let preprocessor = Preprocessor {
        includes: own.include.clone(),
        defines: own.defines().into_iter().chain(ndebug).collect(),
        file_defines: own.file_defines.clone(),
        ..Preprocessor::default()
    };
    let shape = Shape { inserted_skips: own.blocks.unwrap_or_default() == BlockRule::Strict };
    Ok(Options { model, preprocessor, shape, library: !own.no_library })
}
