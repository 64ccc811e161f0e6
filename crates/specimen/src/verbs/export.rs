//! `specimen export`: a suite in another format.

use std::path::Path;

use front::exit::Exit;
use front::failure::Failure;
use front::output::Output;
use front::{ExportedFile, FrontEnd, one_of};
use front::{input, language, reader};
use serde_json::Value as Json;
use testcase::export::{Extras, Format, export};
use testcase::{Method, Minimality, SCHEMA, SourceRecord, Suite, Summary, TestRecord, fingerprint};

use crate::args::ExportArguments;
use crate::folder;
use crate::verbs::replay;

pub(crate) fn run(output: &Output, arguments: &ExportArguments) -> Result<Exit, Failure> {
    let suite = read(&arguments.suite)?;
    let path = arguments.source.clone().unwrap_or_else(|| reader::main_beside(&suite, &arguments.suite));
    let bytes = if arguments.source.is_some() || path.is_file() { Some(input::read(&path)?) } else { None };
    let bytes = bytes.filter(|bytes| {
        let same = fingerprint(bytes) == suite.source.sha256;
        if !same && is_for_now(&suite, &arguments.to) {
            output
                .warn(&format!("{} has changed since the suite was drawn: this is for what it is now", path.display()));
            return true;
        }
        if !same {
            output.warn(&format!("{} is not the source the suite was drawn from; it is not shown", path.display()));
        }
        same
    });
    let text = bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let files = exported(output, &suite, &arguments.to, text.as_deref().map(|text| (path.as_path(), text)))?;
    let comment = language::front_of(&suite.language).and_then(|front| front.comment_in(&arguments.to));
    match (&arguments.out, files.as_slice()) {
        (Some(folder), files) => folder::export_files(folder, files, arguments.force)?,
        (None, [file]) => output.product(&file.text)?,
        (None, files) => match comment {
            // The lines of several tests follow each other, each test after its name.
            Some(comment) => {
                let text: String = files.iter().map(|file| format!("{comment} {}\n{}", file.name, file.text)).collect();
                output.product(&text)?;
            }
            None => {
                return Err(Failure::Usage(format!("`{}` is several files: name a folder with --out", arguments.to)));
            }
        },
    }
    if arguments.to == Format::Html.name() && text.is_none() {
        output.talk("the source is not shown: it is not beside the suite (name it with --source)");
    }
    Ok(Exit::Done)
}

/// The suite in a file; a machine by itself, as `check --realizable` writes it, is a suite of one.
fn read(path: &Path) -> Result<Suite, Failure> {
    let text = input::read_text(path)?;
    let json: Option<Json> = serde_json::from_str(&text).ok();
    match json.filter(|json| json["schema"] == "specimen-machine/1") {
        None => replay::read(path),
        Some(machine) => {
            let name = input::file_name(path);
            let test = TestRecord {
                id: name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem).to_owned(),
                inputs: machine,
                expected: Default::default(),
                notes: Default::default(),
                covers: Vec::new(),
            };
            Ok(Suite {
                schema: SCHEMA.to_owned(),
                language: "ltl".to_owned(),
                source: SourceRecord { file: name, sha256: fingerprint(text.as_bytes()) },
                others: Vec::new(),
                provenance: None,
                interface: None,
                criterion: "machine".to_owned(),
                options: Default::default(),
                strategy: Method::Machine,
                bound: None,
                complete: true,
                minimality: Minimality::NotProved,
                goals: Vec::new(),
                summary: Summary::of(&[], std::slice::from_ref(&test)),
                tests: vec![test],
            })
        }
    }
}

/// Whether a format is for the source as it is now: what runs the tests of a C program includes it.
fn is_for_now(suite: &Suite, format: &str) -> bool {
    suite.language == "c" && matches!(format, "harness" | "cunit" | "ctest")
}

/// Refuses the name of a format that suites of a language do not have.
pub(crate) fn known(front: &dyn FrontEnd, name: &str) -> Result<(), Failure> {
    let names = names(front.formats());
    if names.contains(&name) { Ok(()) } else { Err(one_of("format", name, names.into_iter())) }
}

/// The names of formats, each once: a language may have its own in place of one that every suite has.
fn names(own: &[(&'static str, &'static str)]) -> Vec<&'static str> {
    let common = Format::ALL.iter().map(|format| format.name());
    let further = own.iter().map(|(name, _)| *name).filter(|name| Format::from_name(name).is_none());
    common.chain(further).collect()
}

/// The suite in a format that every suite has, or in one of its language's own.
pub(crate) fn exported(
    output: &Output,
    suite: &Suite,
    name: &str,
    source: Option<(&Path, &str)>,
) -> Result<Vec<ExportedFile>, Failure> {
    let front = language::front_of(&suite.language);
    let own = front.map(|front| front.formats()).unwrap_or_default();
    if let Some(front) = front.filter(|_| own.iter().any(|(own, _)| *own == name)) {
        return front.export_from(output, suite, name, source);
    }
    let source_text = source.map(|(_, text)| text);
    let format = Format::from_name(name).ok_or_else(|| one_of("format", name, names(own).into_iter()))?;
    let extras = Extras { source_text, viewer: front.and_then(|front| front.viewer()) };
    let text = export(suite, format, &extras).map_err(|error| Failure::Rejected(error.to_string()))?;
    let stem = suite.source.file.rsplit_once('.').map_or(suite.source.file.as_str(), |(stem, _)| stem);
    Ok(vec![ExportedFile { name: format.file_pattern().replace('*', stem), text }])
}
