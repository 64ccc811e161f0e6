//! What `check` says about a program.

use std::path::Path;

use serde_json::{Map, json};

use super::CModel;
use crate::columns::Table;
use crate::exit::Exit;
use crate::front_end::Description;
use crate::input;
use crate::output::Output;
use crate::words::counted;

pub(super) fn describe(output: &Output, model: &CModel) -> Description {
    let program = &model.translation.program;
    let defined = program.functions.iter().filter(|function| function.body.is_some()).count();
    let entry = model.no_entry.is_none().then(|| program.function(model.entry).name.as_str());
    let tested = entry.map_or_else(|| "no entry: name one with --function".to_owned(), |name| format!("entry {name}"));
    let mut text = format!(
        "ok, {}, {}, {}, {}, {}; {tested}\n",
        counted(defined, "function"),
        counted(program.edges.len(), "edge"),
        counted(program.decisions.len(), "decision"),
        counted(program.conditions.len(), "condition"),
        counted(program.loops.len(), "loop"),
    );
    if output.verbose && !program.loops.is_empty() {
        let mut table = Table::new(&["loop", "place"]);
        for one in &program.loops {
            table.row(vec![one.name.clone(), program.place_text(one.location)]);
        }
        text.push_str(&table.to_text(2));
    }
    let loops: Vec<_> = program
        .loops
        .iter()
        .map(|one| json!({ "name": one.name, "place": program.place_text(one.location) }))
        .collect();
    let json = Map::from_iter([
        ("entry".to_owned(), json!(entry)),
        ("functions".to_owned(), json!(defined)),
        ("defines".to_owned(), json!(defines(model))),
        ("edges".to_owned(), json!(program.edges.len())),
        ("decisions".to_owned(), json!(program.decisions.len())),
        ("conditions".to_owned(), json!(program.conditions.len())),
        ("loops".to_owned(), json!(loops)),
    ]);
    Description { text, json, exit: Exit::Done }
}

/// The functions that the main file itself defines: those a test may begin with.
fn defines(model: &CModel) -> Vec<&str> {
    let program = &model.translation.program;
    let main = input::file_name(Path::new(model.source.name()));
    let is_main = |file: &str| input::file_name(Path::new(file)) == main;
    let own = program.functions.iter().filter(|function| function.body.is_some());
    let own = own.filter(|function| is_main(&program.files[function.location.file.0 as usize]));
    own.map(|function| function.name.as_str()).collect()
}
