//! The source text in the report, with the places of goals marked.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::escape;
use crate::{GoalRecord, Location, Status, Suite};

/// Longer texts are not shown.
const LONGEST: usize = 400_000;

/// A place to mark: byte range in the line, and the goals there.
struct Mark<'a> {
    start: usize,
    end: usize,
    goals: Vec<&'a GoalRecord>,
}

pub(super) fn write(page: &mut String, suite: &Suite, text: &str) {
    page.push_str("<section id=\"source\"><h2>Source</h2>\n");
    if LONGEST < text.len() {
        let _ = writeln!(
            page,
            "<p class=\"empty\">The source is {} bytes long and is not shown.</p></section>",
            text.len()
        );
        return;
    }
    let mut places: BTreeMap<(u32, u32), Vec<&GoalRecord>> = BTreeMap::new();
    for goal in &suite.goals {
        if let Some(place) = &goal.location {
            places.entry((place.line, place.column)).or_default().push(goal);
        }
    }
    page.push_str("<div class=\"scroll\" tabindex=\"0\"><table class=\"source\">\n");
    for (number, line) in (1..).zip(text.lines()) {
        let here = places.range((number, 0)..(number + 1, 0)).map(|((_, column), goals)| mark(line, *column, goals));
        let _ = writeln!(page, "<tr id=\"L{number}\"><th>{number}<td>{}</tr>", marked(line, here.collect()));
    }
    page.push_str("</table></div></section>\n");
}

/// The part of the line from `column` on that reads like the goals' text there.
fn mark<'a>(line: &str, column: u32, goals: &[&'a GoalRecord]) -> Mark<'a> {
    let start = line.char_indices().nth(column as usize - 1).map_or(line.len(), |(at, _)| at);
    let words = |place: &Location| {
        let same = line[start..].chars().zip(place.text.chars()).take_while(|(found, wanted)| found == wanted);
        same.map(|(found, _)| found.len_utf8()).sum::<usize>()
    };
    let length = goals.iter().filter_map(|goal| goal.location.as_ref()).map(words).max().unwrap_or(0);
    Mark { start, end: start + length, goals: goals.to_vec() }
}

fn marked(line: &str, marks: Vec<Mark<'_>>) -> String {
    let mut shown = String::new();
    let mut done = 0;
    for mark in marks.iter().filter(|mark| mark.start < mark.end) {
        if mark.start < done {
            continue;
        }
        shown.push_str(&escape(&line[done..mark.start]));
        // The order of statuses is that of reports: the last is the worst.
        let status = mark.goals.iter().map(|goal| goal.status).max().unwrap_or(Status::Unknown);
        let names: Vec<String> =
            mark.goals.iter().map(|goal| format!("{}: {}", goal.id, goal.status.words())).collect();
        let _ = write!(
            shown,
            "<a class=\"mark {status}\" href=\"#goal-{}\" title=\"{}\">{}</a>",
            escape(&mark.goals[0].id),
            escape(&names.join(", ")),
            escape(&line[mark.start..mark.end])
        );
        done = mark.end;
    }
    shown.push_str(&escape(&line[done..]));
    shown
}
