//! `specimen check`: parse and type-check.

use front::exit::Exit;
use front::failure::Failure;
use front::output::{Form, Output};
use front::specification::Specification;
use serde_json::{Map, Value as Json, json};

use crate::args::CheckArguments;

pub(crate) fn run(output: &Output, arguments: &CheckArguments) -> Result<Exit, Failure> {
    let mut exit = Exit::Done;
    for file in &arguments.files {
        let name = file.display().to_string();
        let described = Specification::read(output, file, &arguments.reading)
            .and_then(|specification| specification.model.describe(output, arguments));
        let text = match described {
            Ok(description) => {
                if exit == Exit::Done {
                    exit = description.exit;
                }
                match output.form {
                    Form::Human => format!("{name}: {}", description.text),
                    Form::Json => {
                        let head = [("file".to_owned(), json!(name)), ("ok".to_owned(), json!(true))];
                        let whole: Map<String, Json> = head.into_iter().chain(description.json).collect();
                        format!("{}\n", Json::Object(whole))
                    }
                }
            }
            Err(Failure::Shown) => {
                exit = Exit::Rejected;
                match output.form {
                    Form::Human => continue,
                    Form::Json => format!("{}\n", json!({ "file": name, "ok": false })),
                }
            }
            Err(failure) => return Err(failure),
        };
        output.product(&text)?;
    }
    Ok(exit)
}
