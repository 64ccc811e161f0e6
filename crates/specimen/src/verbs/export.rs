//! `specimen export`: a suite in another format.

use testcase::export::{Extras, Format, export};
use testcase::fingerprint;

use crate::args::ExportArguments;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input;
use crate::output::Output;
use crate::verbs::replay;

pub(crate) fn run(output: &Output, arguments: &ExportArguments) -> Result<Exit, Failure> {
    let suite = replay::read(&arguments.suite)?;
    let path = arguments.source.clone().unwrap_or_else(|| arguments.suite.with_file_name(&suite.source.file));
    let bytes = if arguments.source.is_some() || path.is_file() { Some(input::read(&path)?) } else { None };
    let bytes = bytes.filter(|bytes| {
        let same = fingerprint(bytes) == suite.source.sha256;
        if !same {
            output.warn(&format!("{} is not the source the suite was drawn from; it is not shown", path.display()));
        }
        same
    });
    let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
    let extras = Extras { source_text: text.as_deref() };
    let exported = export(&suite, arguments.to, &extras).map_err(|error| Failure::Rejected(error.to_string()))?;
    output.product(&exported)?;
    if arguments.to == Format::Html && text.is_none() {
        output.talk("the source is not shown: it is not beside the suite (name it with --source)");
    }
    Ok(Exit::Done)
}
