//! The source text in the report, with colours, a mark on each line that goals are about, and their places underlined.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::colours::{self, Colour};
use super::escape;
use super::status::{ALL, Shown};
use crate::{GoalRecord, Location, Suite};

/// Longer texts are not shown.
const LONGEST: usize = 400_000;

/// A place to mark: byte range in the line, and the goals there.
struct Mark<'a> {
    start: usize,
    end: usize,
    goals: Vec<&'a GoalRecord>,
}

pub(super) fn write(page: &mut String, suite: &Suite, title: &str, text: &str) {
    let _ = writeln!(page, "<section id=\"source\"><h2>{title}</h2>");
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
    page.push_str(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Source\"><table class=\"source\">\n",
    );
    let colours = colours::pieces(&suite.language, text);
    let mut offset = 0;
    for (number, line) in (1..).zip(text.split_inclusive('\n')) {
        let bare = line.trim_end_matches(['\n', '\r']);
        let here: Vec<(&(u32, u32), &Vec<&GoalRecord>)> = places.range((number, 0)..(number + 1, 0)).collect();
        let gutter = gutter(&here.iter().flat_map(|(_, goals)| goals.iter().copied()).collect::<Vec<_>>());
        let marks = here.into_iter().map(|((_, column), goals)| mark(bare, *column, goals)).collect();
        let within = |(start, end, colour): &(usize, usize, Colour)| {
            (start.max(&offset) - offset, end.min(&(offset + bare.len())).saturating_sub(offset), *colour)
        };
        let first = colours.partition_point(|(_, end, _)| *end <= offset);
        let pieces = colours[first..].iter().take_while(|(start, _, _)| *start < offset + bare.len());
        let pieces: Vec<_> = pieces.map(within).collect();
        let _ = writeln!(page, "<tr id=\"L{number}\"><th>{number}{gutter}<td>{}</tr>", marked(bare, marks, &pieces));
        offset += line.len();
    }
    page.push_str("</table></div></section>\n");
}

/// The mark beside a line: the worst status of its goals, and how many there are of each.
fn gutter(goals: &[&GoalRecord]) -> String {
    if goals.is_empty() {
        return "<td class=\"gutter\">".to_owned();
    }
    let count = |status: &Shown| goals.iter().filter(|goal| goal.status == status.status).count();
    let parts: Vec<String> = ALL
        .iter()
        .filter(|status| 0 < count(status))
        .map(|status| format!("{} {}", count(status), status.words))
        .collect();
    let worst = worst(goals);
    let words = parts.join(", ");
    format!("<td class=\"gutter {0}\" title=\"{words}\"><i aria-label=\"{words}\">{1}</i>", worst.name(), worst.sign)
}

fn worst(goals: &[&GoalRecord]) -> &'static Shown {
    ALL.iter().rev().find(|status| goals.iter().any(|goal| goal.status == status.status)).unwrap_or(&ALL[4])
}

/// The part of the line from `column` on that reads like the goals' text there.
fn mark<'a>(line: &str, column: u32, goals: &[&'a GoalRecord]) -> Mark<'a> {
    let start = line.char_indices().nth((column as usize).saturating_sub(1)).map_or(line.len(), |(at, _)| at);
    let words = |place: &Location| {
        let same = line[start..].chars().zip(place.text.chars()).take_while(|(found, wanted)| found == wanted);
        same.map(|(found, _)| found.len_utf8()).sum::<usize>()
    };
    let length = goals.iter().filter_map(|goal| goal.location.as_ref()).map(words).max().unwrap_or(0);
    Mark { start, end: start + length, goals: goals.to_vec() }
}

fn marked(line: &str, marks: Vec<Mark<'_>>, colours: &[(usize, usize, Colour)]) -> String {
    let mut shown = String::new();
    let mut done = 0;
    for mark in marks.iter().filter(|mark| mark.start < mark.end) {
        if mark.start < done {
            continue;
        }
        shown.push_str(&coloured(line, done, mark.start, colours));
        let names: Vec<String> =
            mark.goals.iter().map(|goal| format!("{}: {}", goal.id, Shown::of(goal.status).words)).collect();
        let _ = write!(
            shown,
            "<a class=\"mark {}\" href=\"#goal-{}\" title=\"{}\">{}</a>",
            worst(&mark.goals).name(),
            escape(&mark.goals[0].id),
            escape(&names.join(", ")),
            coloured(line, mark.start, mark.end, colours)
        );
        done = mark.end;
    }
    shown.push_str(&coloured(line, done, line.len(), colours));
    shown
}

/// A part of a line with its colours.
fn coloured(line: &str, from: usize, to: usize, colours: &[(usize, usize, Colour)]) -> String {
    let mut shown = String::new();
    let mut done = from;
    for (start, end, colour) in colours {
        let (start, end) = ((*start).max(done), (*end).min(to));
        if start < end {
            shown.push_str(&escape(&line[done..start]));
            let _ = write!(shown, "<span class=\"{}\">{}</span>", colour.class(), escape(&line[start..end]));
            done = end;
        }
    }
    shown.push_str(&escape(&line[done..to]));
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_lie_on_their_text_and_keep_its_colours() {
        let mut suite = crate::sample::policy();
        suite.language = "c".to_owned();
        suite.goals.truncate(1);
        suite.goals[0].location = Some(Location { line: 2, column: 5, text: "a < 1".to_owned() });
        let mut page = String::new();
        write(&mut page, &suite, "Source", "/* x\ny*/ if(a < 1)\n");
        assert!(page.contains("<span class=\"hc\">/* x</span>"), "{page}");
        // The mark begins at the fifth letter and covers what agrees with the text of the goal there: nothing.
        assert!(!page.contains("class=\"mark"), "{page}");
        suite.goals[0].location = Some(Location { line: 2, column: 8, text: "a < 1".to_owned() });
        page.clear();
        write(&mut page, &suite, "Source", "/* x\ny*/ if(a < 1)\n");
        assert!(page.contains("<span class=\"hk\">if</span>(<a class=\"mark covered\""), "{page}");
        assert!(page.contains(">a &lt; <span class=\"hn\">1</span></a>)"), "{page}");
    }
}
