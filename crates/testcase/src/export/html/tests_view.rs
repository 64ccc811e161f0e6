//! The tests: a table, or a picture each where the language draws them.

use std::fmt::Write as _;

use serde_json::Value as Json;

use super::super::Viewer;
use super::super::table::{Columns, plain};
use super::{escape, links};
use crate::Suite;

pub(super) fn write(page: &mut String, suite: &Suite, viewer: Option<Viewer>) {
    page.push_str("<section id=\"tests\"><h2>Tests</h2>\n");
    match viewer {
        _ if suite.tests.is_empty() => page.push_str("<p class=\"empty\">There are no tests.</p>\n"),
        Some(viewer) => pictures(page, suite, viewer),
        None => table(page, suite),
    }
    page.push_str("</section>\n");
}

fn table(page: &mut String, suite: &Suite) {
    let columns = Columns::of(suite);
    page.push_str(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Tests\"><table class=\"list tests\">\n\
         <thead><tr><th>Test",
    );
    for name in columns.input_names() {
        let _ = write!(page, "<th class=\"name\">{}", escape(name));
    }
    for name in &columns.outputs {
        let _ = write!(page, "<th class=\"name out\">{}", escape(name));
    }
    page.push_str("<th>Covers</tr></thead>\n<tbody>\n");
    for test in &suite.tests {
        let _ = write!(page, "<tr id=\"test-{0}\" data-test><th scope=\"row\">{0}", escape(&test.id));
        match (&columns.inputs, test.inputs.as_object()) {
            (None, Some(document)) => {
                let _ = write!(page, "<td class=\"value\">{}", inputs(document));
            }
            _ => {
                for text in columns.input_texts(test) {
                    let _ = write!(page, "<td class=\"value{}\">{}", truth(&text), escape(&text));
                }
            }
        }
        for text in columns.output_texts(test) {
            let _ = write!(page, "<td class=\"value out{}\">{}", truth(&text), escape(&text));
        }
        let _ = writeln!(page, "<td class=\"refs\">{}</tr>", links("goal", &test.covers));
    }
    page.push_str("</tbody></table></div>\n");
}

/// Inputs that are more than one value for each name, a line for each.
fn inputs(document: &serde_json::Map<String, Json>) -> String {
    let value = |json: &Json| match json {
        Json::Array(items) if items.iter().all(|item| !item.is_object() && !item.is_array()) => {
            items.iter().map(plain).collect::<Vec<_>>().join(", ")
        }
        other => plain(other),
    };
    let line = |(name, json): (&String, &Json)| format!("{} = {}", escape(name), escape(&value(json)));
    document.iter().map(line).collect::<Vec<_>>().join("<br>")
}

/// The tests of a language whose inputs are drawn rather than listed.
fn pictures(page: &mut String, suite: &Suite, viewer: Viewer) {
    for test in &suite.tests {
        let drawn = viewer(test).unwrap_or_else(|| format!("<pre>{}</pre>", escape(&test.inputs.to_string())));
        let goals = match test.covers.len() {
            1 => "one goal".to_owned(),
            count => format!("{count} goals"),
        };
        let _ = writeln!(
            page,
            "<article id=\"test-{0}\" class=\"test\" data-test><h3>{0}</h3>\n{drawn}\n\
             <details class=\"refs\"><summary>covers {goals}</summary>{1}</details></article>",
            escape(&test.id),
            links("goal", &test.covers)
        );
    }
}

/// The style of a value that is easy to overlook.
fn truth(text: &str) -> &'static str {
    if text == "false" { " false" } else { "" }
}
