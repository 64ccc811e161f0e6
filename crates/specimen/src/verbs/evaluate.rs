//! `specimen evaluate`: do tests drawn from wrong formalisations show that they are wrong?

use front::exit::Exit;
use front::failure::Failure;
use front::input;
use front::language::Language;
use front::output::Output;
use source::Source;

use crate::args::EvaluateArguments;

pub(crate) fn run(output: &Output, arguments: &EvaluateArguments) -> Result<Exit, Failure> {
    let language = arguments.lang.map_or_else(|| Language::from_name("stl").map_err(Failure::Usage), Ok)?;
    let list = Source::from_bytes(&arguments.list.display().to_string(), input::read(&arguments.list)?)
        .map_err(|rejection| output.rejected(&rejection.source, std::slice::from_ref(&rejection.diagnostic)))?;
    language.front().evaluate(output, &list, arguments)
}
