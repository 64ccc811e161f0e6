//! The report: one HTML file with everything in it, for people.
//!
//! It is read from top to bottom: the verdict, what no test covers and why, the tests, then every goal, the matrix and the
//! source. All of that is plain HTML but the matrix; a small script adds search, sorting and filters. The page loads
//! nothing from anywhere, and every text in it is escaped.

mod about;
mod colours;
mod difference;
mod goals_view;
mod matrix;
mod open_view;
mod source_view;
mod status;
mod tests_view;

use std::fmt::Write as _;

use super::{ExportError, Extras};
use crate::Suite;

const STYLE: &str = include_str!("html/report.css");
const SCRIPT: &str = include_str!("html/report.js");

/// A source of at most this many lines is a requirement that is read before anything else; longer ones come last.
const SHORT: usize = 16;

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
    head(&mut page, suite);
    let leads = extras.source_text.filter(|text| text.lines().count() <= SHORT);
    let follows = extras.source_text.filter(|_| leads.is_none());
    let open = status::UNCOVERED.iter().any(|one| 0 < one.count(&suite.summary));
    navigation(&mut page, suite, open, extras.source_text.is_some());
    page.push_str("<main>\n");
    if let Some(text) = leads {
        source_view::write(&mut page, suite, "What was asked", text);
    }
    open_view::write(&mut page, suite);
    tests_view::write(&mut page, suite, extras.viewer);
    goals_view::write(&mut page, suite);
    matrix::write(&mut page, suite);
    if let Some(text) = follows {
        source_view::write(&mut page, suite, "Source", text);
    }
    about::write(&mut page, suite);
    let _ = write!(
        page,
        "</main>\n<script type=\"application/json\" id=\"data\">{}</script>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n",
        matrix::data(suite)
    );
    Ok(page)
}

/// The verdict, before anything else.
fn head(page: &mut String, suite: &Suite) {
    let summary = &suite.summary;
    let worst = status::ALL.iter().rev().find(|one| 0 < one.count(summary)).unwrap_or(&status::ALL[0]);
    let tone = if worst.name() == "infeasible" { "covered" } else { worst.name() };
    let sign = if tone == "covered" { "✓" } else { worst.sign };
    let _ = write!(
        page,
        "<header>\n<p class=\"kind\">{} · {}</p>\n<h1>{}</h1>\n\
         <p class=\"verdict {tone}\"><i aria-hidden=\"true\">{sign}</i> <span>{} {}</span></p>\n",
        escape(&suite.language),
        escape(&suite.criterion),
        escape(&suite.source.file),
        status::verdict(suite),
        super::markdown::minimality(suite)
    );
    page.push_str("<div class=\"bar\" aria-hidden=\"true\">");
    for one in status::ALL.iter().filter(|one| 0 < one.count(summary)) {
        let _ = write!(page, "<span class=\"{}\" style=\"flex-grow:{}\"></span>", one.name(), one.count(summary));
    }
    page.push_str("</div>\n</header>\n");
}

/// The search, the filter by status and the links to the sections.
fn navigation(page: &mut String, suite: &Suite, open: bool, has_source: bool) {
    let summary = &suite.summary;
    page.push_str(
        "<nav aria-label=\"Search, filter and sections\">\
         <input type=\"search\" id=\"search\" placeholder=\"Search goals and tests ( / )\" aria-label=\"Search goals and tests\">\
         <span class=\"filter\" role=\"group\" aria-label=\"Goals to show\">",
    );
    let _ =
        write!(page, "<button type=\"button\" data-show=\"all\" aria-pressed=\"true\">all {}</button>", summary.goals);
    for one in status::ALL.iter().filter(|one| 0 < one.count(summary)) {
        let _ = write!(
            page,
            "<button type=\"button\" data-show=\"{0}\" aria-pressed=\"false\"><i class=\"{0}\">{1}</i> {2} {3}</button>",
            one.name(),
            one.sign,
            one.words,
            one.count(summary)
        );
    }
    page.push_str("</span><span class=\"links\">");
    let sections = [
        ("open", "Not covered", open),
        ("tests", "Tests", true),
        ("goals", "Goals", true),
        ("matrix", "Matrix", true),
        ("source", "Source", has_source),
        ("about", "About", true),
    ];
    for (name, words, _) in sections.iter().filter(|(_, _, there)| *there) {
        let _ = write!(page, "<a href=\"#{name}\">{words}</a>");
    }
    page.push_str("</span><span id=\"found\" role=\"status\"></span></nav>\n");
}

/// Links to goals or tests.
fn links(kind: &str, ids: &[String]) -> String {
    let link = |id: &String| format!("<a href=\"#{kind}-{0}\">{0}</a>", escape(id));
    ids.iter().map(link).collect::<Vec<_>>().join(" ")
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
        suite.goals[0].label = format!("`{nasty}` becomes `{nasty}x`");
        suite.goals[2].reason = Some(nasty.to_owned());
        suite.tests[0].inputs["level"] = serde_json::Value::from(nasty);
        let page = write(&suite, &Extras { source_text: Some(nasty), viewer: None }).expect("a page");
        assert!(!page.contains("<script>alert"));
        assert_eq!(page.matches("</script>").count(), 2);
    }

    #[test]
    fn the_verdict_and_what_is_open_stand_before_tests_goals_and_matrix() {
        let long = "x\n".repeat(SHORT + 1);
        let page = write(&crate::sample::policy(), &Extras { source_text: Some(&long), viewer: None }).expect("a page");
        let at = |id: &str| page.find(id).unwrap_or_else(|| panic!("the page has no {id}"));
        let places =
            ["class=\"verdict", "id=\"open\"", "id=\"tests\"", "id=\"goals\"", "id=\"matrix\"", "id=\"source\""]
                .map(at);
        assert!(places.is_sorted(), "{places:?}");
    }

    #[test]
    fn a_source_of_a_few_lines_is_the_requirement_and_comes_first() {
        let page = write(&crate::sample::policy(), &Extras { source_text: Some("x\n"), viewer: None }).expect("a page");
        assert!(page.find("id=\"source\"") < page.find("id=\"open\""), "the source leads");
    }
}
