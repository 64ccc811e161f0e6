//! `specimen coupling`: which conditions of a decision depend on each other.

use crate::args::CouplingArguments;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Output;
use crate::specification::Specification;

pub(crate) fn run(output: &Output, arguments: &CouplingArguments) -> Result<Exit, Failure> {
    let specification = Specification::read(output, &arguments.spec.file, &arguments.spec.reading)?;
    specification.model.coupling(output, arguments)
}
