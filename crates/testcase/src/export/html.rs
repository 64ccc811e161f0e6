//! The report: one HTML file with everything in it, for people.
//!
//! Goals, tests and the source are plain HTML; a small script adds the matrix of goals and tests and the filter. The
//! page loads nothing from anywhere, and every text in it is escaped.

mod source_view;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde_json::{Value as Json, json};

use super::markdown::minimality;
use super::table::{Columns, plain};
use super::{ExportError, Extras, Viewer};
use crate::{GoalRecord, Status, Suite};

const STYLE: &str = include_str!("html/report.css");
const SCRIPT: &str = include_str!("html/report.js");

/// The matrix is drawn up to this many cells; beyond it nobody could read it, and browsers would labour.
const MOST_CELLS: usize = 60_000;

/// The sign of a status, and its words.
fn shown(status: Status) -> (&'static str, &'static str) {
    match status {
        Status::Covered => ("●", "covered"),
        Status::Infeasible => ("∅", "infeasible"),
        Status::InfeasibleUpTo => ("≤", "infeasible up to the bound"),
        Status::OnlyUndefined => ("!", "only with undefined behaviour"),
        Status::Unknown => ("?", "open"),
    }
}

pub(super) fn write(suite: &Suite, extras: &Extras<'_>) -> Result<String, ExportError> {
    let mut page = String::new();
    let title = escape(&suite.source.file);
    let _ = write!(
        page,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}: {}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n",
        escape(&suite.criterion)
    );
    head(&mut page, suite, extras.source_text.is_some());
    page.push_str("<main>\n");
    matrix(&mut page, suite);
    goals(&mut page, suite);
    tests(&mut page, suite, extras);
    if let Some(text) = extras.source_text {
        source_view::write(&mut page, suite, text);
    }
    page.push_str("</main>\n");
    let _ = writeln!(
        page,
        "<footer>Drawn by specimen from <code>{title}</code>, SHA-256 <code>{}</code>.</footer>",
        escape(&suite.source.sha256)
    );
    let _ = write!(
        page,
        "<script type=\"application/json\" id=\"data\">{}</script>\n<script>\n{SCRIPT}</script>\n",
        data(suite)
    );
    page.push_str("</body>\n</html>\n");
    Ok(page)
}

fn head(page: &mut String, suite: &Suite, has_source: bool) {
    let summary = &suite.summary;
    let _ = write!(
        page,
        "<header>\n<h1>{}</h1>\n<p class=\"facts\"><span>{}</span><span>{}</span>",
        escape(&suite.source.file),
        escape(&suite.language),
        escape(&suite.criterion)
    );
    for (name, value) in &suite.options {
        let _ = write!(page, "<span>{}: {}</span>", escape(name), escape(&super::table::plain(value)));
    }
    let _ = write!(page, "</p>\n<div class=\"cards\">\n<div class=\"card\"><b>{}</b> goals</div>\n", summary.goals);
    let counts = Status::ALL.map(|status| (status, summary.count(status)));
    for (status, count) in counts.into_iter().filter(|(status, count)| 0 < *count || *status == Status::Covered) {
        let (sign, words) = shown(status);
        let _ = writeln!(page, "<div class=\"card {status}\"><b>{count}</b> <i>{sign}</i> {words}</div>");
    }
    let _ = write!(
        page,
        "<div class=\"card\"><b>{}</b> tests</div>\n</div>\n<div class=\"bar\" aria-hidden=\"true\">",
        summary.tests
    );
    for (status, count) in counts.into_iter().filter(|(_, count)| 0 < *count) {
        let _ = write!(page, "<span class=\"{status}\" style=\"flex-grow:{count}\"></span>");
    }
    let _ = write!(page, "</div>\n<p class=\"statement\">{} {}</p>\n</header>\n", verdict(suite), minimality(suite));
    page.push_str("<nav aria-label=\"Filter goals\"><span>Show</span>");
    let _ =
        write!(page, "<button type=\"button\" data-show=\"all\" aria-pressed=\"true\">all {}</button>", summary.goals);
    for (status, count) in counts.into_iter().filter(|(_, count)| 0 < *count) {
        let (sign, words) = shown(status);
        let _ = write!(
            page,
            "<button type=\"button\" data-show=\"{status}\" aria-pressed=\"false\"><i class=\"{status}\">{sign}</i> {words} {count}</button>"
        );
    }
    page.push_str("<span class=\"links\">");
    let sections = ["matrix", "goals", "tests", "source"];
    for name in &sections[..if has_source { 4 } else { 3 }] {
        let _ = write!(page, "<a href=\"#{name}\">{}</a>", super::name::camel(name));
    }
    page.push_str("</span></nav>\n");
}

fn verdict(suite: &Suite) -> String {
    let summary = &suite.summary;
    let open = summary.unknown + summary.infeasible_up_to + summary.only_undefined;
    match (open, summary.infeasible) {
        (0, 0) => "Every goal is covered.".to_owned(),
        (0, _) => "Every goal is covered or proved infeasible.".to_owned(),
        (1, _) => "One goal is neither covered nor proved infeasible.".to_owned(),
        (open, _) => format!("{open} goals are neither covered nor proved infeasible."),
    }
}

fn matrix(page: &mut String, suite: &Suite) {
    page.push_str("<section id=\"matrix\"><h2>Goals and tests</h2>\n");
    let cells = suite.goals.len() * suite.tests.len();
    if cells == 0 {
        page.push_str("<p class=\"empty\">There is nothing to show: no goals or no tests.</p>\n");
    } else if MOST_CELLS < cells {
        let _ = writeln!(page, "<p class=\"empty\">{cells} cells are too many to read; see the tables below.</p>");
    } else {
        page.push_str("<div class=\"scroll\" tabindex=\"0\" aria-label=\"Matrix of goals and tests\"><table id=\"grid\"></table></div>\n");
        page.push_str(
            "<noscript><p class=\"empty\">The matrix needs JavaScript; the tables below do not.</p></noscript>\n",
        );
    }
    page.push_str("</section>\n");
}

fn goals(page: &mut String, suite: &Suite) {
    page.push_str(
        "<section id=\"goals\"><h2>Goals</h2>\n<div class=\"scroll\" tabindex=\"0\"><table class=\"list\">\n",
    );
    page.push_str("<thead><tr><th>Goal<th>What<th>Place<th>Status<th>Tests</tr></thead>\n<tbody>\n");
    for goal in &suite.goals {
        let (sign, words) = shown(goal.status);
        let _ = write!(
            page,
            "<tr id=\"goal-{0}\" data-status=\"{1}\"><th scope=\"row\">{0}<td><code>{2}</code>",
            escape(&goal.id),
            goal.status,
            escape(&goal.label)
        );
        let _ = write!(page, "<td class=\"place\">{}", place(goal));
        let _ = write!(page, "<td><span class=\"pill {}\"><i>{sign}</i> {words}</span>", goal.status);
        if let Some(reason) = &goal.reason {
            let _ = write!(page, "<p class=\"reason\">{}</p>", escape(reason));
        }
        let _ = writeln!(page, "<td class=\"refs\">{}</tr>", links("test", &goal.tests));
    }
    page.push_str("</tbody></table></div></section>\n");
}

fn place(goal: &GoalRecord) -> String {
    match &goal.location {
        None => String::new(),
        Some(place) => format!("<a href=\"#L{0}\">{0}:{1}</a>", place.line, place.column),
    }
}

fn links(kind: &str, ids: &[String]) -> String {
    let link = |id: &String| format!("<a href=\"#{kind}-{0}\">{0}</a>", escape(id));
    ids.iter().map(link).collect::<Vec<_>>().join(" ")
}

fn tests(page: &mut String, suite: &Suite, extras: &Extras<'_>) {
    let columns = Columns::of(suite);
    if let Some(viewer) = extras.viewer {
        pictures(page, suite, viewer);
        return;
    }
    page.push_str("<section id=\"tests\"><h2>Tests</h2>\n<div class=\"scroll\" tabindex=\"0\"><table class=\"list\">\n<thead><tr><th>Test");
    for name in columns.input_names() {
        let _ = write!(page, "<th class=\"name\">{}", escape(name));
    }
    for name in &columns.outputs {
        let _ = write!(page, "<th class=\"name out\">{}", escape(name));
    }
    page.push_str("<th>Covers</tr></thead>\n<tbody>\n");
    for test in &suite.tests {
        let _ = write!(page, "<tr id=\"test-{0}\"><th scope=\"row\">{0}", escape(&test.id));
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
    page.push_str("</tbody></table></div></section>\n");
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
    page.push_str("<section id=\"tests\"><h2>Tests</h2>\n");
    for test in &suite.tests {
        let drawn = viewer(test).unwrap_or_else(|| format!("<pre>{}</pre>", escape(&test.inputs.to_string())));
        let _ = writeln!(
            page,
            "<article id=\"test-{0}\" class=\"test\"><h3>{0}</h3>\n{drawn}\n<p class=\"refs\">{1}</p></article>",
            escape(&test.id),
            links("goal", &test.covers)
        );
    }
    page.push_str("</section>\n");
}

/// The style of a value that is easy to overlook.
fn truth(text: &str) -> &'static str {
    if text == "false" { " false" } else { "" }
}

/// The most characters a row of the matrix has room for.
const ROOM: usize = 38;

/// What the rows of the matrix say: the label; where it is long the text of the place, if no other goal has the same; or
/// the label without its middle, because labels often differ at their ends.
fn row_texts(goals: &[GoalRecord]) -> Vec<String> {
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for place in goals.iter().filter_map(|goal| goal.location.as_ref()) {
        *places.entry(&place.text).or_default() += 1;
    }
    let text = |goal: &GoalRecord| match &goal.location {
        _ if goal.label.chars().count() <= ROOM => goal.label.clone(),
        Some(place) if !place.text.is_empty() && places[place.text.as_str()] == 1 => place.text.clone(),
        _ => without_middle(&goal.label),
    };
    goals.iter().map(text).collect()
}

fn without_middle(text: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    let end = ROOM / 3;
    let (head, tail) = (&letters[..ROOM - end - 1], &letters[letters.len() - end..]);
    head.iter().chain(['…'].iter()).chain(tail).collect()
}

/// What the script needs, as JSON that cannot end the script element.
fn data(suite: &Suite) -> String {
    if MOST_CELLS < suite.goals.len() * suite.tests.len() {
        return json!({ "goals": [], "tests": [], "outputs": [] }).to_string();
    }
    let positions: BTreeMap<&str, usize> = suite.tests.iter().map(|test| test.id.as_str()).zip(0..).collect();
    let position = |id: &String| positions.get(id.as_str()).copied();
    let mut covering: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    for (number, test) in suite.tests.iter().enumerate() {
        for goal in &test.covers {
            covering.entry(goal).or_default().insert(number);
        }
    }
    let goals: Vec<_> = suite
        .goals
        .iter()
        .zip(row_texts(&suite.goals))
        .map(|(goal, text)| {
            let mut by = covering.remove(goal.id.as_str()).unwrap_or_default();
            by.extend(goal.tests.iter().filter_map(position));
            json!({
                "id": goal.id,
                "label": goal.label,
                "text": text,
                "status": goal.status,
                "reason": goal.reason,
                "tests": by,
            })
        })
        .collect();
    let columns = Columns::of(suite);
    let tests: Vec<_> =
        suite.tests.iter().map(|test| json!({ "id": test.id, "expected": columns.output_texts(test) })).collect();
    json!({ "goals": goals, "tests": tests, "outputs": columns.outputs }).to_string().replace('<', "\\u003c")
}

/// Text as content or attribute of HTML.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\0' => escaped.push(char::REPLACEMENT_CHARACTER),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_of_a_suite_becomes_markup() {
        let mut suite = crate::sample::policy();
        let nasty = "\"'></script><script>alert(1)</script>&amp;";
        suite.source.file = nasty.to_owned();
        suite.goals[0].label = nasty.to_owned();
        suite.goals[2].reason = Some(nasty.to_owned());
        suite.tests[0].inputs["level"] = serde_json::Value::from(nasty);
        let page = write(&suite, &Extras { source_text: Some(nasty), viewer: None }).expect("a page");
        assert!(!page.contains("<script>alert"));
        assert_eq!(page.matches("</script>").count(), 2);
    }
}
