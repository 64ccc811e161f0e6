//! Diagnostics as text: snippets for people, one JSON object per line for programs.

use crate::{Diagnostic, Severity, Source};

/// Whether snippets may use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Plain text.
    Plain,
    /// Terminal escapes.
    Coloured,
}

/// The diagnostic as a snippet for people.
pub fn render(source: &Source, diagnostic: &Diagnostic, _style: Style) -> String {
    let place = source.place(diagnostic.labels[0].span.start);
    format!(
        "{}[{}]: {}\n --> {}:{}:{}\n",
        severity(diagnostic),
        diagnostic.code.id,
        diagnostic.message,
        source.name(),
        place.line,
        place.column
    )
}

/// The diagnostic as one line of JSON.
pub fn render_json(source: &Source, diagnostic: &Diagnostic) -> String {
    let place = source.place(diagnostic.labels[0].span.start);
    serde_json::json!({
        "code": diagnostic.code.id,
        "severity": severity(diagnostic),
        "message": diagnostic.message,
        "file": source.name(),
        "line": place.line,
        "column": place.column,
        "help": diagnostic.help,
    })
    .to_string()
}

fn severity(diagnostic: &Diagnostic) -> &'static str {
    match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}
