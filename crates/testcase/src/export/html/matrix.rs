//! The matrix of goals and tests: its place in the page, and what the script that draws it needs.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde_json::json;

use super::super::table::Columns;
use crate::Suite;

/// The matrix is drawn up to this many cells; beyond it nobody could read it, and browsers would labour.
const MOST_CELLS: usize = 60_000;

pub(super) fn write(page: &mut String, suite: &Suite) {
    page.push_str("<section id=\"matrix\"><h2>Matrix</h2>\n");
    let cells = suite.goals.len() * suite.tests.len();
    if cells == 0 {
        page.push_str("<p class=\"empty\">There is nothing to show: no goals or no tests.</p>\n");
    } else if MOST_CELLS < cells {
        let _ = writeln!(page, "<p class=\"empty\">{cells} cells are too many to read; see the tables above.</p>");
    } else {
        page.push_str(
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Matrix of goals and tests\"><table id=\"grid\"></table></div>\n\
             <noscript><p class=\"empty\">The matrix needs JavaScript; the tables above do not.</p></noscript>\n",
        );
    }
    page.push_str("</section>\n");
}

/// What the script needs, as JSON that cannot end the script element.
pub(super) fn data(suite: &Suite) -> String {
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
        .map(|goal| {
            let mut by = covering.remove(goal.id.as_str()).unwrap_or_default();
            by.extend(goal.tests.iter().filter_map(position));
            json!({ "id": goal.id, "label": goal.label, "status": goal.status, "tests": by })
        })
        .collect();
    let columns = Columns::of(suite);
    let tests: Vec<_> =
        suite.tests.iter().map(|test| json!({ "id": test.id, "expected": columns.output_texts(test) })).collect();
    json!({ "goals": goals, "tests": tests, "outputs": columns.outputs }).to_string().replace('<', "\\u003c")
}
