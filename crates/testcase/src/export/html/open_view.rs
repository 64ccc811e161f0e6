//! What no test covers, with its reasons: goals that share a reason stand together.

use std::fmt::Write as _;

use indexmap::IndexMap;

use super::difference::label;
use super::goals_view::{place, reason};
use super::status::{Shown, UNCOVERED};
use crate::{GoalRecord, Suite};

/// A reason with more goals than this is folded.
const UNFOLDED: usize = 6;

/// Of more reasons than this the rest is folded.
const REASONS: usize = 8;

pub(super) fn write(page: &mut String, suite: &Suite) {
    if UNCOVERED.iter().all(|status| status.count(&suite.summary) == 0) {
        return;
    }
    page.push_str("<section id=\"open\"><h2>Not covered</h2>\n");
    for status in UNCOVERED {
        let goals: Vec<&GoalRecord> = suite.goals.iter().filter(|goal| goal.status == status.status).collect();
        if !goals.is_empty() {
            one(page, status, &goals);
        }
    }
    page.push_str("</section>\n");
}

fn one(page: &mut String, status: &Shown, goals: &[&GoalRecord]) {
    let _ = write!(
        page,
        "<div class=\"fate {}\"><h3><i aria-hidden=\"true\">{}</i> {} {}</h3>\n<p class=\"meaning\">{}</p>\n",
        status.name(),
        status.sign,
        goals.len(),
        status.words,
        status.meaning
    );
    let mut reasons: IndexMap<&str, Vec<&GoalRecord>> = IndexMap::new();
    for goal in goals {
        reasons.entry(goal.reason.as_deref().unwrap_or_default()).or_default().push(goal);
    }
    let more = reasons.len().saturating_sub(REASONS);
    for (number, (text, goals)) in reasons.into_iter().enumerate() {
        if number == REASONS {
            let _ = write!(page, "<details class=\"more\"><summary>{more} more reasons</summary>");
        }
        let words = if text.is_empty() { "no reason is given".to_owned() } else { reason(text) };
        let _ = write!(page, "<div class=\"why\"><div class=\"because\">{words}</div>");
        let folded = UNFOLDED < goals.len();
        if folded {
            let _ = write!(page, "<details><summary>{} goals</summary>", goals.len());
        }
        page.push_str("<ul>");
        for goal in &goals {
            let _ = write!(
                page,
                "<li data-status=\"{}\"><a href=\"#goal-{1}\"><b>{1}</b></a> {2} <span class=\"place\">{3}</span></li>",
                status.name(),
                super::escape(&goal.id),
                label(&goal.label),
                place(goal)
            );
        }
        page.push_str(if folded { "</ul></details></div>\n" } else { "</ul></div>\n" });
    }
    page.push_str(if 0 < more { "</details></div>\n" } else { "</div>\n" });
}
