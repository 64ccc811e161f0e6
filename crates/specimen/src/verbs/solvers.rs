//! `specimen solvers`: the back ends found.

use front::columns::Table;
use front::exit::Exit;
use front::failure::Failure;
use front::output::{Form, Output};
use serde_json::json;
use smt::{PROGRAMS, found};

pub(crate) fn run(output: &Output) -> Result<Exit, Failure> {
    let found = found();
    let mut table = Table::new(&["solver", "version", "where"]);
    table.row(vec!["built-in".to_owned(), "always there".to_owned(), "in this program".to_owned()]);
    let mut list = vec![json!({ "name": "built-in", "found": true })];
    for program in PROGRAMS {
        match found.iter().find(|found| found.name == program.name) {
            Some(found) => {
                let version = found.version.clone().unwrap_or_else(|| "unknown".to_owned());
                let path = found.path.display().to_string();
                list.push(json!({ "name": program.name, "found": true, "version": version, "path": path }));
                table.row(vec![program.name.to_owned(), version, path]);
            }
            None => {
                list.push(json!({ "name": program.name, "found": false, "hint": program.install_hint }));
                table.row(vec![program.name.to_owned(), "not found".to_owned(), program.install_hint.to_owned()]);
            }
        }
    }
    output.product(&match output.form {
        Form::Human => table.to_text(0),
        Form::Json => format!("{:#}\n", json!({ "solvers": list })),
    })?;
    Ok(Exit::Done)
}
