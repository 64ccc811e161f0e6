//! The pages of the book that repeat code: written by the program they repeat.

use std::fmt::Write as _;
use std::fs;
use std::process::Stdio;

use serde_json::Value as Json;

use crate::{Outcome, cargo, root};

/// The page of diagnostics.
pub(crate) const DIAGNOSTICS: &str = "docs/book/diagnostics.md";

/// Writes the generated pages.
pub(crate) fn write() -> Outcome {
    let path = root().join(DIAGNOSTICS);
    fs::write(&path, diagnostics(&codes()?)).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

/// A diagnostic code.
pub(crate) struct Code {
    pub(crate) id: String,
    title: String,
    explanation: String,
}

/// Every code, as `specimen explain` lists them.
pub(crate) fn codes() -> Result<Vec<Code>, String> {
    let mut command = cargo(&["run", "--quiet", "--package", "specimen", "--", "explain", "--format", "json"]);
    let output = command.stderr(Stdio::inherit()).output().map_err(|error| error.to_string())?;
    let json: Json = serde_json::from_slice(&output.stdout).map_err(|error| format!("`specimen explain`: {error}"))?;
    let text = |code: &Json, name: &str| code[name].as_str().unwrap_or_default().to_owned();
    let list = json["codes"].as_array().ok_or("`specimen explain` lists no codes")?;
    Ok(list
        .iter()
        .map(|code| Code { id: text(code, "code"), title: text(code, "title"), explanation: text(code, "explanation") })
        .collect())
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
