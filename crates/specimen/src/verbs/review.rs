//! `specimen review`: the workbench in the browser.

use crate::args::ReviewArguments;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Output;
use crate::review;

pub(crate) fn run(output: &Output, arguments: &ReviewArguments) -> Result<Exit, Failure> {
    review::serve(output, &arguments.path, arguments.port, !arguments.no_open)
}
