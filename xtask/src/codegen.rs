//! The pages of the book that repeat code: written by the program they repeat.

use std::fmt::Write as _;
use std::fs;
use std::process::Stdio;

use serde_json::Value as Json;

use crate::{Outcome, cargo, library, pictures, root};

/// The page of diagnostics.
pub(crate) const DIAGNOSTICS: &str = "docs/book/diagnostics.md";

/// The page of the command line, of which the tables are generated.
pub(crate) const COMMAND_LINE: &str = "docs/book/command-line.md";

/// Writes the generated pages.
pub(crate) fn write() -> Outcome {
    let write = |name: &str, text: String| {
        let path = root().join(name);
        fs::write(&path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
    };
    for (name, picture) in pictures::drawn()? {
        write(name, picture)?;
    }
    write(DIAGNOSTICS, diagnostics(&codes()?))?;
    write(library::LIBRARY, library::page()?)?;
    write(COMMAND_LINE, command_line(&read(COMMAND_LINE)?, &help()?)?)
}

pub(crate) fn read(name: &str) -> Result<String, String> {
    fs::read_to_string(root().join(name)).map_err(|error| format!("cannot read {name}: {error}"))
}

/// A diagnostic code.
pub(crate) struct Code {
    pub(crate) id: String,
    title: String,
    explanation: String,
}

/// Every code, as `specimen explain` lists them.
pub(crate) fn codes() -> Result<Vec<Code>, String> {
    let json = said("explain")?;
    let text = |code: &Json, name: &str| code[name].as_str().unwrap_or_default().to_owned();
    let list = json["codes"].as_array().ok_or("`specimen explain` lists no codes")?;
    Ok(list
        .iter()
        .map(|code| Code { id: text(code, "code"), title: text(code, "title"), explanation: text(code, "explanation") })
        .collect())
}

/// What a verb of the program says as JSON.
fn said(verb: &str) -> Result<Json, String> {
    let mut command = cargo(&["run", "--quiet", "--package", "specimen", "--", verb, "--format", "json"]);
    let output = command.stderr(Stdio::inherit()).output().map_err(|error| error.to_string())?;
    serde_json::from_slice(&output.stdout).map_err(|error| format!("`specimen {verb}`: {error}"))
}

/// Verbs, languages and options, as `specimen help` lists them.
pub(crate) fn help() -> Result<Json, String> {
    said("help")
}

/// The page of the command line with its tables as they should be: each stands between two marks.
pub(crate) fn command_line(page: &str, help: &Json) -> Result<String, String> {
    let tables = [("verbs", verbs(help)), ("languages", languages(help)), ("options", options(help))];
    let mut page = page.to_owned();
    for (name, table) in tables {
        let (begin, end) =
            (format!("<!-- {name}: written by `cargo xtask codegen` -->\n"), format!("<!-- end of {name} -->\n"));
        let missing = || format!("{COMMAND_LINE} has no place for the table of {name}");
        let from = page.find(&begin).ok_or_else(missing)? + begin.len();
        let to = from + page[from..].find(&end).ok_or_else(missing)?;
        page.replace_range(from..to, &format!("\n{table}\n"));
    }
    Ok(page)
}

fn items<'a>(json: &'a Json, name: &str) -> impl Iterator<Item = &'a Json> {
    json[name].as_array().into_iter().flatten()
}

fn text<'a>(json: &'a Json, name: &str) -> &'a str {
    json[name].as_str().unwrap_or_default()
}

/// Texts in code, separated by commas.
fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.map(|name| if name == "…" { name.to_owned() } else { format!("`{name}`") }).collect::<Vec<_>>().join(", ")
}

fn verbs(help: &Json) -> String {
    let mut table = String::from("| verb | does |\n|---|---|\n");
    for verb in items(help, "verbs") {
        let words: Vec<&str> = items(verb, "arguments").filter_map(Json::as_str).collect();
        let line = [&["specimen", text(verb, "name")], words.as_slice()].concat().join(" ");
        let _ = writeln!(table, "| `{line}` | {} |", cell(text(verb, "about")));
    }
    table
}

fn languages(help: &Json) -> String {
    let mut table = String::from(
        "| files | what they hold | criteria | strategies | formats of `export` beside those that all have |\n|---|---|---|---|---|\n",
    );
    let all = ["json", "csv", "markdown", "junit", "html", "c", "pytest", "rust"];
    for language in items(help, "languages") {
        let usual = text(language, "criterion");
        let criteria = items(language, "criteria").filter_map(Json::as_str);
        let strategies = items(language, "strategies").filter_map(Json::as_str);
        let formats = items(language, "formats").map(|format| text(format, "name")).filter(|name| !all.contains(name));
        let _ = writeln!(
            table,
            "| `.{}` | {} | {}; by default `{usual}` | {} | {} |",
            text(language, "extension"),
            cell(text(language, "about").trim_end_matches('.')),
            listed(criteria),
            listed(strategies),
            listed(formats),
        );
    }
    table
}

/// The options of each family of languages, and those that all have.
fn options(help: &Json) -> String {
    let mut tables = String::new();
    let mut seen: Vec<(String, Vec<String>)> = Vec::new();
    for language in items(help, "languages") {
        let rows: Vec<String> = items(language, "options").map(row).collect();
        let extension = format!("`.{}`", text(language, "extension"));
        // Two notations of one language may have the same options.
        match seen.iter_mut().find(|(_, known)| *known == rows) {
            Some((extensions, _)) => *extensions += &format!(" and {extension}"),
            None => seen.push((extension, rows)),
        }
    }
    for (extensions, rows) in seen {
        let _ = write!(
            tables,
            "### Options for {extensions}\n\n| option | means | verbs |\n|---|---|---|\n{}\n",
            rows.concat()
        );
    }
    tables.trim_end().to_owned() + "\n"
}

/// A row of a table of options.
fn row(option: &Json) -> String {
    let short = option["short"].as_str().map(|short| format!("{short}, ")).unwrap_or_default();
    let value = option["value"].as_str().map(|value| format!(" {value}")).unwrap_or_default();
    let verbs: Vec<&str> = items(option, "verbs").filter_map(Json::as_str).collect();
    let help = cell(text(option, "help"));
    format!("| `{short}{}{value}` | {help} | {} |\n", text(option, "option"), verbs.join(", "))
}

/// A text in a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('<', "&lt;")
}

/// The page of diagnostics for these codes.
pub(crate) fn diagnostics(codes: &[Code]) -> String {
    let mut page = String::from(
        "# Diagnostics\n\nEvery message about an input has a code. `specimen explain CODE` prints the same text.\n\
         This page is written by `cargo xtask codegen`.\n",
    );
    for code in codes {
        let _ = write!(page, "\n## `{}`\n\n{}.\n\n{}\n", code.id, code.title.trim_end_matches('.'), code.explanation);
    }
    page
}
