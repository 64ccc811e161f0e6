//! `specimen review`: the workbench in the browser.

use front::exit::Exit;
use front::failure::Failure;
use front::output::Output;

use crate::args::ReviewArguments;
use crate::review;

pub(crate) fn run(output: &Output, arguments: &ReviewArguments) -> Result<Exit, Failure> {
    review::serve(output, &arguments.path, arguments.port, !arguments.no_open)
}
