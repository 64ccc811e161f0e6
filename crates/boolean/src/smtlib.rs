//! Reads an SMT-LIB 2 script as a specification.

use source::{Diagnostic, Source, Span};

use crate::codes;
use crate::load::Loaded;

pub(crate) fn load(_source: &Source, _decision: Option<&str>) -> Loaded {
    let message = "SMT-LIB scripts cannot be read yet";
    Err(vec![Diagnostic::error(&codes::UNSUPPORTED, Span::new(0, 0), message)])
}
