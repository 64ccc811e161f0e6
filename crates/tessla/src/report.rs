//! A diagnostic together with the file it is about.

use source::{Code, Diagnostic, Severity};

use crate::files::Files;
use crate::place::{FileId, Place};

/// Something to say about one of the files of a specification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The file the places of the diagnostic are in.
    pub file: FileId,
    /// What there is to say.
    pub diagnostic: Diagnostic,
}

impl Report {
    /// An error at a place.
    pub fn error(code: &'static Code, place: Place, message: impl Into<String>) -> Report {
        Report { file: place.file, diagnostic: Diagnostic::error(code, place.span, message) }
    }

    /// A warning at a place.
    pub fn warning(code: &'static Code, place: Place, message: impl Into<String>) -> Report {
        Report { file: place.file, diagnostic: Diagnostic::warning(code, place.span, message) }
    }

    /// The same with words at the main place.
    pub fn label(mut self, text: impl Into<String>) -> Report {
        self.diagnostic = self.diagnostic.label(text);
        self
    }

    /// The same with advice.
    pub fn help(mut self, text: impl Into<String>) -> Report {
        self.diagnostic = self.diagnostic.help(text);
        self
    }

    /// The same with another place: a label in the same file, advice otherwise.
    pub fn also(mut self, files: &Files, place: Place, text: &str) -> Report {
        self.diagnostic = if place.file == self.file {
            self.diagnostic.also(place.span, text)
        } else {
            self.diagnostic.help(format!("{text}: {}", files.describe(place)))
        };
        self
    }

    /// Whether the input is rejected because of it.
    pub fn is_error(&self) -> bool {
        self.diagnostic.severity == Severity::Error
    }
}
