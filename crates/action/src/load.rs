//! Reads a model in either notation.

use source::{Diagnostic, Source};

use crate::ast::Model;
use crate::check::{Checked, check};

/// A notation of models.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Notation {
    /// `.as`, our own.
    Native,
    /// `.pl`, the Prolog facts of the thesis.
    Prolog,
}

impl Notation {
    /// The notation of files with this extension, written without its dot.
    pub fn from_extension(extension: &str) -> Option<Notation> {
        match extension {
            "as" => Some(Notation::Native),
            "pl" => Some(Notation::Prolog),
            _ => None,
        }
    }
}

/// The syntax tree of a text.
///
/// # Errors
/// What is wrong with the text, at least one error.
pub fn parse(source: &Source, notation: Notation) -> Result<Model, Vec<Diagnostic>> {
    match notation {
        Notation::Native => crate::native::parse(source),
        Notation::Prolog => crate::prolog::parse(source),
    }
}

/// Reads and checks a model.
///
/// # Errors
/// What is wrong with the text, at least one error.
pub fn load(source: &Source, notation: Notation) -> Checked {
    check(parse(source, notation)?)
}
