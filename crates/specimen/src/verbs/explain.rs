//! `specimen explain`: what a diagnostic code means.

use front::columns::Table;
use front::exit::Exit;
use front::failure::Failure;
use front::output::{Form, Output};
use front::{failure, language};
use serde_json::json;
use source::Code;

use crate::args::ExplainArguments;

/// Every diagnostic code of every crate.
fn codes() -> impl Iterator<Item = &'static Code> {
    let languages = language::front_ends().into_iter().flat_map(|front| front.codes());
    source::CODES.iter().chain(failure::CODES).chain(project::CODES).chain(languages).copied()
}

pub(crate) fn run(output: &Output, arguments: &ExplainArguments) -> Result<Exit, Failure> {
    let as_json = |code: &Code| json!({ "code": code.id, "title": code.title, "explanation": code.explanation });
    let text = match &arguments.code {
        Some(id) => {
            let code = codes().find(|code| code.id == id);
            let code =
                code.ok_or_else(|| Failure::Usage(format!("unknown code `{id}`; `specimen explain` lists them")))?;
            match output.form {
                Form::Human => format!("{}: {}\n\n{}\n", output.bold(code.id), code.title, wrapped(code.explanation)),
                Form::Json => format!("{:#}\n", as_json(code)),
            }
        }
        None => match output.form {
            Form::Human => {
                let mut table = Table::new(&["code", "meaning"]);
                codes().for_each(|code| table.row(vec![code.id.to_owned(), code.title.to_owned()]));
                table.to_text(0)
            }
            Form::Json => format!("{:#}\n", json!({ "codes": codes().map(as_json).collect::<Vec<_>>() })),
        },
    };
    output.product(&text)?;
    Ok(Exit::Done)
}

/// Text in lines of at most 90 characters.
fn wrapped(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is always a line");
        if !line.is_empty() && 90 < line.len() + 1 + word.len() {
            lines.push(word.to_owned());
        } else {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines.join("\n")
}
