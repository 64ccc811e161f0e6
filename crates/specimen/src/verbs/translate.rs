//! `specimen translate`: a model as an SMT-LIB script.

use front::exit::Exit;
use front::failure::Failure;
use front::output::Output;
use front::specification::Specification;

use crate::args::TranslateArguments;

pub(crate) fn run(output: &Output, arguments: &TranslateArguments) -> Result<Exit, Failure> {
    let specification = Specification::read(output, &arguments.spec.file, &arguments.spec.reading)?;
    output.product(&specification.model.translated()?)?;
    Ok(Exit::Done)
}
