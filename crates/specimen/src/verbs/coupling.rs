//! `specimen coupling`: which conditions of a decision depend on each other.

use front::exit::Exit;
use front::failure::Failure;
use front::output::Output;
use front::specification::Specification;

use crate::args::CouplingArguments;
use crate::interrupt;

pub(crate) fn run(output: &Output, arguments: &CouplingArguments) -> Result<Exit, Failure> {
    let specification = Specification::read(output, &arguments.spec.file, &arguments.spec.reading)?;
    specification.model.coupling(output, arguments, interrupt::on_ctrl_c())
}
