//! `specimen run`: the concrete interpreter on given inputs.

use crate::args::RunArguments;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Output;
use crate::specification::Specification;

pub(crate) fn run(output: &Output, arguments: &RunArguments) -> Result<Exit, Failure> {
    let specification = Specification::read(output, &arguments.spec.file, &arguments.spec.reading)?;
    specification.model.run(output, arguments)
}
