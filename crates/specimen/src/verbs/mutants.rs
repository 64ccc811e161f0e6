//! `specimen mutants`: the specification with one small mistake, again and again.

use std::fs;
use std::path::Path;

use front::Mutant;
use front::columns::Table;
use front::exit::Exit;
use front::failure::Failure;
use front::input::cannot;
use front::output::{Form, Output};
use front::specification::Specification;
use front::words::counted;
use serde_json::json;

use crate::args::MutantsArguments;

pub(crate) fn run(output: &Output, arguments: &MutantsArguments) -> Result<Exit, Failure> {
    let specification = Specification::read(output, &arguments.spec.file, &arguments.spec.reading)?;
    if arguments.harness.steps.implementation.is_some() {
        return specification.model.harness(output, &arguments.criterion, &arguments.harness);
    }
    let mutants = specification.model.mutants(&arguments.criterion)?;
    if let Some(folder) = &arguments.out {
        let extension = arguments.spec.file.extension().map(|extension| extension.to_string_lossy().into_owned());
        write(folder, &mutants, specification.model.comment(), &extension.unwrap_or_default())?;
    }
    let text = match output.form {
        Form::Json => {
            let list: Vec<_> = mutants
                .iter()
                .map(|mutant| {
                    json!({
                        "id": mutant.name,
                        "operator": mutant.operator,
                        "location": mutant.location,
                        "words": mutant.words,
                        "text": mutant.text,
                    })
                })
                .collect();
            let family = specification.language.front().family();
            format!("{:#}\n", json!({ "language": family, "source": specification.record, "mutants": list }))
        }
        Form::Human => {
            let mut table = Table::new(&["mutant", "operator", "place", "what"]);
            for mutant in &mutants {
                let place = mutant.location.as_ref().map(|place| format!("{}:{}", place.line, place.column));
                let place = place.unwrap_or_else(|| "-".to_owned());
                table.row(vec![mutant.name.clone(), mutant.operator.clone(), place, mutant.words.clone()]);
            }
            table.to_text(0)
        }
    };
    output.product(&text)?;
    output.talk(&counted(mutants.len(), "mutant"));
    Ok(Exit::Done)
}

/// Writes each mutant to a file of its own, headed by a comment that says what it is.
fn write(folder: &Path, mutants: &[Mutant], comment: &str, extension: &str) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(|error| cannot("create", folder, &error))?;
    let mut entries = fs::read_dir(folder).map_err(|error| cannot("read", folder, &error))?;
    if entries.next().is_some() {
        return Err(Failure::Environment(format!(
            "{} is not empty; name a new or empty folder for the mutants",
            folder.display()
        )));
    }
    for mutant in mutants {
        let place = mutant.location.as_ref().map(|place| format!(" at {}:{}", place.line, place.column));
        let place = place.unwrap_or_default();
        let text =
            format!("{comment} {}{place}\n{comment} {}\n{}\n", mutant.operator, mutant.words, mutant.text.trim_end());
        let path = folder.join(format!("{}.{extension}", file_stem(&mutant.name)));
        fs::write(&path, text).map_err(|error| cannot("write", &path, &error))?;
    }
    Ok(())
}

/// A mutant's name without what file names cannot have.
fn file_stem(name: &str) -> String {
    name.chars().map(|letter| if letter.is_alphanumeric() || "-_.+".contains(letter) { letter } else { '_' }).collect()
}
