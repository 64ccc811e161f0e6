//! The table of goals.

use std::fmt::Write as _;

use super::difference::label;
use super::status::Shown;
use super::{escape, links};
use crate::{GoalRecord, Suite};

/// Longer reasons are folded behind their first words.
const LONG: usize = 240;

pub(super) fn write(page: &mut String, suite: &Suite) {
    page.push_str(
        "<section id=\"goals\"><h2>Goals</h2>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Goals\">\
         <table class=\"list\">\n<thead><tr><th>Goal<th>What<th>Place<th>Status<th>Tests</tr></thead>\n<tbody>\n",
    );
    for goal in &suite.goals {
        let status = Shown::of(goal.status);
        let _ = write!(
            page,
            "<tr id=\"goal-{0}\" data-status=\"{1}\"><th scope=\"row\">{0}<td data-head=\"What\">{2}\
             <td data-head=\"Place\" class=\"place\">{3}<td data-head=\"Status\"><span class=\"pill {1}\"><i>{4}</i> {5}</span>",
            escape(&goal.id),
            status.name(),
            label(&goal.label),
            place(goal),
            status.sign,
            status.words
        );
        if let Some(text) = &goal.reason {
            let _ = write!(page, "<div class=\"reason\">{}</div>", reason(text));
        }
        let _ = writeln!(page, "<td data-head=\"Tests\" class=\"refs\">{}</tr>", links("test", &goal.tests));
    }
    page.push_str("</tbody></table></div></section>\n");
}

/// Where a goal stands in the source.
pub(super) fn place(goal: &GoalRecord) -> String {
    match &goal.location {
        None => String::new(),
        Some(place) => format!("<a href=\"#L{0}\">line {0}:{1}</a>", place.line, place.column),
    }
}

/// A reason, with its details folded where it is long.
pub(super) fn reason(text: &str) -> String {
    if text.chars().count() <= LONG {
        return label(text);
    }
    let end = text.find(": ").or_else(|| text.find("; ")).filter(|at| *at <= LONG);
    let end = end.unwrap_or_else(|| text.char_indices().nth(LONG).map_or(text.len(), |(at, _)| at));
    let parts: Vec<String> = text[end..].trim_start_matches([':', ';', ' ']).split("; ").map(label).collect();
    format!(
        "<details><summary>{}</summary><div class=\"rest\">{}</div></details>",
        label(&text[..end]),
        parts.join(";<br>")
    )
}
