//! TLSF, the format of the synthesis competition: parameters, definitions, sets, buses and enumerations are unfolded,
//! and the sections become one formula as the semantics of the file says.

mod assemble;
mod ast;
mod evaluate;
mod lex;
mod parse;
mod pattern;
mod value;

use source::{Diagnostic, Source};

use crate::file::Loaded;

/// Reads a TLSF file; `parameters` override those of the file.
///
/// # Errors
/// What is wrong with the text, at least one error.
pub(crate) fn load(source: &Source, parameters: &[(String, i64)]) -> Loaded {
    let one = |error: Diagnostic| vec![error];
    let ast = parse::parse(source).map_err(one)?;
    let spec = assemble::assemble(ast, parameters).map_err(one)?;
    Ok((spec, Vec::new()))
}
