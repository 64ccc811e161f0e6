//! Reads a specification in either of its written forms.

use source::Source;

use crate::file::{Loaded, load_ltl};

/// A written form of specifications.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Dialect {
    /// `.ltl`, our own, with Acacia's spellings.
    Ltl,
    /// `.tlsf`, the format of the synthesis competition.
    Tlsf,
}

impl Dialect {
    /// The dialect of files with this extension, written without its dot.
    pub fn from_extension(extension: &str) -> Option<Dialect> {
        match extension {
            "ltl" => Some(Dialect::Ltl),
            "tlsf" => Some(Dialect::Tlsf),
            _ => None,
        }
    }
}

/// Reads a specification.
///
/// # Errors
/// What is wrong with the text, at least one error.
pub fn load(source: &Source, dialect: Dialect) -> Loaded {
    match dialect {
        Dialect::Ltl => load_ltl(source, None),
        Dialect::Tlsf => crate::tlsf::load(source, &[]),
    }
}

/// Reads an `.ltl` file whose inputs and outputs another file declares (`.inputs a b`, `.outputs c`).
///
/// # Errors
/// What is wrong with one of the texts, at least one error.
pub fn load_with_partition(source: &Source, partition: &Source) -> Loaded {
    load_ltl(source, Some(partition))
}

/// Reads a TLSF file with other values for some of its parameters.
///
/// # Errors
/// What is wrong with the text, at least one error.
pub fn load_with_parameters(source: &Source, parameters: &[(String, i64)]) -> Loaded {
    crate::tlsf::load(source, parameters)
}
