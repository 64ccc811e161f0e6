//! `specimen translate`: a model as an SMT-LIB script.

use crate::args::TranslateArguments;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Output;
use crate::specification::Specification;

pub(crate) fn run(output: &Output, arguments: &TranslateArguments) -> Result<Exit, Failure> {
    let specification = Specification::read(output, &arguments.spec.file, &arguments.spec.reading)?;
    output.product(&specification.model.translated()?)?;
    Ok(Exit::Done)
}
