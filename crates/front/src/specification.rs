//! A specification as the verbs use it: read, checked, and ready to make goals of.

use std::path::Path;
use std::sync::Arc;

use serde_json::json;
use source::{Rejection, Source};
use testcase::{Role, SourceFile, SourceRecord, Suite};

use crate::failure::Failure;
use crate::front_end::{Asked, Model};
use crate::input;
use crate::language::Language;
use crate::options::{CriterionArguments, ReadingArguments};
use crate::output::Output;
use crate::reader::Reader;

/// A checked specification with its language.
pub struct Specification {
    /// Its language.
    pub language: Language,
    /// The main file.
    pub record: SourceRecord,
    /// What opened its files.
    pub reader: Arc<Reader>,
    /// What was read and checked.
    pub model: Box<dyn Model>,
}

impl Specification {
    /// Reads a file, and shows what there is to say about it.
    pub fn read(output: &Output, path: &Path, reading: &ReadingArguments) -> Result<Specification, Failure> {
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
        let (reader, bytes) = Reader::on_disk(path)?;
        Specification::loaded(output, &path.display().to_string(), bytes, reader, language, reading)
    }

    /// Takes a text as a file called `name`; no other file is opened.
    pub fn from_bytes(
        output: &Output,
        name: &str,
        bytes: Vec<u8>,
        language: Language,
        reading: &ReadingArguments,
    ) -> Result<Specification, Failure> {
        let reader = Reader::of_text(name, &bytes);
        Specification::loaded(output, name, bytes, reader, language, reading)
    }

    fn loaded(
        output: &Output,
        name: &str,
        bytes: Vec<u8>,
        reader: Arc<Reader>,
        language: Language,
        reading: &ReadingArguments,
    ) -> Result<Specification, Failure> {
        // Compilers take any bytes in comments and strings.
        let lossy = language == Language::C;
        let bytes = if lossy { String::from_utf8_lossy(&bytes).into_owned().into_bytes() } else { bytes };
        let source = Source::from_bytes(name, bytes)
            .map_err(|rejection| output.rejected(&rejection.source, std::slice::from_ref(&rejection.diagnostic)))?;
        let model = language.front().load(&reader, output, source, reading)?;
        Ok(Specification { language, record: reader.main(), reader, model })
    }

    /// Reads the sources of a suite: the file given, or those beside the suite. Each must be what the suite was drawn from.
    pub fn of_suite(
        output: &Output,
        suite: &Suite,
        beside: &Path,
        given: Option<&Path>,
    ) -> Result<Specification, Failure> {
        let reading = ReadingArguments::of_suite(suite)?;
        let (reader, path, bytes) = Reader::of_suite(suite, beside, given)?;
        let language = reading.lang.map_or_else(|| Language::of(&path), Ok)?;
        Specification::loaded(output, &path.display().to_string(), bytes, reader, language, &reading)
    }

    /// Every file but the main one that was opened so far.
    pub fn others(&self) -> Vec<SourceFile> {
        self.reader.record().0.into_iter().filter(|file| file.role != Role::Main).collect()
    }

    /// What the arguments ask for.
    pub fn asked(&self, arguments: &CriterionArguments) -> Result<Asked, Failure> {
        let Asked { criterion, options } = self.model.asked(arguments)?;
        let language = ("language".to_owned(), json!(self.language.name()));
        Ok(Asked { criterion, options: std::iter::once(language).chain(options).collect() })
    }
}
