//! `specimen run`: the concrete interpreter on given inputs.

use front::exit::Exit;
use front::failure::Failure;
use front::output::Output;
use front::specification::Specification;

use crate::args::RunArguments;
use crate::verbs::replay;

pub(crate) fn run(output: &Output, arguments: &RunArguments) -> Result<Exit, Failure> {
    let file = &arguments.spec.file;
    let drives = arguments.drive.against.is_some() || arguments.drive.steps.implementation.is_some();
    if drives && file.extension().is_some_and(|extension| extension == "json") {
        // A suite of strategies knows its specification; a strategy alone is told it.
        let specification = match &arguments.drive.source {
            Some(source) => Specification::read(output, source, &arguments.spec.reading)?,
            None => Specification::of_suite(output, &replay::read(file)?, file, None)?,
        };
        return specification.model.run(output, arguments);
    }
    let specification = Specification::read(output, file, &arguments.spec.reading)?;
    specification.model.run(output, arguments)
}
