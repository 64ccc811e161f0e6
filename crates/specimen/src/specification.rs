//! A specification as the verbs use it: read, checked, and ready to make goals of.

use std::path::{Path, PathBuf};

use serde_json::json;
use source::{Rejection, Source};
use testcase::{SourceRecord, Suite, fingerprint};

use crate::args::{CriterionArguments, ReadingArguments};
use crate::failure::Failure;
use crate::front::{Asked, Model};
use crate::input;
use crate::language::Language;
use crate::output::Output;

/// A checked specification with its language.
pub(crate) struct Specification {
    pub(crate) language: Language,
    pub(crate) record: SourceRecord,
    pub(crate) model: Box<dyn Model>,
}

impl Specification {
    /// Reads a file, and shows what there is to say about it.
    pub(crate) fn read(output: &Output, path: &Path, reading: &ReadingArguments) -> Result<Specification, Failure> {
        let language = match reading.lang {
            Some(language) => language,
            None => {
                // A file that is not there is a better complaint than a language that is not known.
                if path.is_dir() || !path.exists() {
                    input::read(path)?;
                }
                Language::of(path)?
            }
        };
        let length = std::fs::metadata(path).map_or(0, |metadata| metadata.len());
        if let Some(rejection) = Rejection::by_length(&path.display().to_string(), length) {
            return Err(output.rejected(&rejection.source, std::slice::from_ref(&rejection.diagnostic)));
        }
        let bytes = input::read(path)?;
        Specification::from_bytes(output, &path.display().to_string(), bytes, language, reading)
    }

    /// Takes the bytes of a file called `name`.
    pub(crate) fn from_bytes(
        output: &Output,
        name: &str,
        bytes: Vec<u8>,
        language: Language,
        reading: &ReadingArguments,
    ) -> Result<Specification, Failure> {
        let record = SourceRecord { file: input::file_name(Path::new(name)), sha256: fingerprint(&bytes) };
        // Compilers take any bytes in comments and strings.
        let lossy = language == Language::C;
        let bytes = if lossy { String::from_utf8_lossy(&bytes).into_owned().into_bytes() } else { bytes };
        let source = Source::from_bytes(name, bytes)
            .map_err(|rejection| output.rejected(&rejection.source, std::slice::from_ref(&rejection.diagnostic)))?;
        Ok(Specification { language, record, model: language.front().load(output, source, reading)? })
    }

    /// Reads the source of a suite: the file given, or the one beside the suite.
    pub(crate) fn of_suite(
        output: &Output,
        suite: &Suite,
        beside: &Path,
        given: Option<&PathBuf>,
    ) -> Result<Specification, Failure> {
        let path = given.cloned().unwrap_or_else(|| beside.with_file_name(&suite.source.file));
        if given.is_none() && !path.is_file() {
            return Err(Failure::Environment(format!(
                "the source {} is not beside the suite; name it with --source",
                suite.source.file
            )));
        }
        let reading = ReadingArguments::of_suite(suite)?;
        let bytes = input::read(&path)?;
        if fingerprint(&bytes) != suite.source.sha256 {
            return Err(Failure::Rejected(format!("{} is not the source the suite was drawn from", path.display())));
        }
        let language = reading.lang.map_or_else(|| Language::of(&path), Ok)?;
        Specification::from_bytes(output, &path.display().to_string(), bytes, language, &reading)
    }

    /// What the arguments ask for.
    pub(crate) fn asked(&self, arguments: &CriterionArguments) -> Result<Asked, Failure> {
        let Asked { criterion, options } = self.model.asked(arguments)?;
        let language = ("language".to_owned(), json!(self.language.name()));
        Ok(Asked { criterion, options: std::iter::once(language).chain(options).collect() })
    }
}
