//! The summary page: one file without anything from elsewhere, with links to the report of every unit.

use std::fmt::Write as _;

use testcase::export::escape;

use crate::standing::{Counts, Health, Standing};

const STYLE: &str = include_str!("html/index.css");
const SCRIPT: &str = include_str!("html/index.js");

/// The page of a project. The counts of an earlier run show the trend; the version says who made the page.
pub fn index(name: &str, standings: &[Standing], before: Option<Counts>, version: &str) -> String {
    let all: Counts = standings.iter().map(|standing| standing.counts).sum();
    let mut page = String::new();
    let title = escape(name);
    let _ = write!(
        page,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{title}: test goals</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<header>\n<h1>{title}</h1>\n"
    );
    verdict(&mut page, standings, &all);
    numbers(&mut page, &all, before);
    page.push_str("</header>\n<main>\n");
    attention(&mut page, standings);
    table(&mut page, standings);
    exclusions(&mut page, standings);
    let _ = write!(
        page,
        "</main>\n<footer>Drawn by {}. Every test in the suites was replayed by the interpreter of its language.</footer>\n\
         <script>\n{SCRIPT}</script>\n</body>\n</html>\n",
        escape(version)
    );
    page
}

/// What a reader wants to know first.
fn verdict(page: &mut String, standings: &[Standing], all: &Counts) {
    let unsettled = standings.iter().filter(|standing| !standing.is_settled()).count();
    let (class, text) = match (unsettled, all.goals) {
        (0, 0) => ("open", "No goals were found.".to_owned()),
        (0, goals) => ("done", format!("All {goals} goals are covered, proved impossible, or accepted.")),
        (count, _) => ("open", format!("{count} of {} units need attention.", standings.len())),
    };
    let _ = writeln!(page, "<p class=\"verdict {class}\">{text}</p>");
}

fn numbers(page: &mut String, all: &Counts, before: Option<Counts>) {
    let trend = |now: usize, then: fn(&Counts) -> usize| match before.map(|before| then(&before)) {
        Some(then) if then < now => format!(" <small>+{}</small>", now - then),
        Some(then) if now < then => format!(" <small>−{}</small>", then - now),
        Some(_) | None => String::new(),
    };
    let rows = [
        ("goals", all.goals, trend(all.goals, |counts| counts.goals)),
        ("covered", all.covered, trend(all.covered, |counts| counts.covered)),
        ("proved impossible", all.infeasible, trend(all.infeasible, |counts| counts.infeasible)),
        ("open", all.open, trend(all.open, |counts| counts.open)),
        ("accepted as open", all.accepted, trend(all.accepted, |counts| counts.accepted)),
        ("excluded", all.excluded, trend(all.excluded, |counts| counts.excluded)),
        ("tests", all.tests, trend(all.tests, |counts| counts.tests)),
    ];
    page.push_str("<dl class=\"numbers\">\n");
    for (label, count, trend) in rows {
        let _ = writeln!(page, "<div><dt>{label}</dt><dd>{count}{trend}</dd></div>");
    }
    page.push_str("</dl>\n");
}

/// The units that somebody has to look at, with what is open in them.
fn attention(page: &mut String, standings: &[Standing]) {
    let unsettled: Vec<&Standing> = standings.iter().filter(|standing| !standing.is_settled()).collect();
    if unsettled.is_empty() {
        return;
    }
    page.push_str("<section>\n<h2>Needs attention</h2>\n");
    for standing in unsettled {
        let _ = writeln!(page, "<details open><summary>{}</summary>", link(standing));
        if standing.health != Health::Fresh {
            let why = standing.reason.as_deref().map(|reason| format!(": {}", escape(reason))).unwrap_or_default();
            let _ = writeln!(page, "<p>{}{why}</p>", standing.health.word());
        }
        if !standing.open.is_empty() {
            page.push_str("<ul>\n");
            for (goal, reason) in &standing.open {
                let _ = writeln!(
                    page,
                    "<li><code>{}</code> <span class=\"reason\">{}</span></li>",
                    escape(goal),
                    escape(reason)
                );
            }
            page.push_str("</ul>\n");
        }
        page.push_str("</details>\n");
    }
    page.push_str("</section>\n");
}

fn link(standing: &Standing) -> String {
    let name = escape(&standing.unit);
    match standing.health {
        Health::Fresh | Health::Stale => format!("<a href=\"{}/report.html\">{name}</a>", address(&standing.unit)),
        Health::Missing | Health::Failed | Health::Excluded => name,
    }
}

/// A name as part of an address.
fn address(name: &str) -> String {
    let mut found = String::new();
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => found.push(byte as char),
            other => {
                let _ = write!(found, "%{other:02X}");
            }
        }
    }
    found
}

fn table(page: &mut String, standings: &[Standing]) {
    page.push_str(
        "<section>\n<h2>Units</h2>\n<p><input id=\"filter\" type=\"search\" placeholder=\"Filter by name\" aria-label=\"Filter by name\"></p>\n\
         <div class=\"wide\"><table id=\"units\">\n<thead><tr><th>unit</th><th>state</th><th class=\"number\">goals</th>\
         <th class=\"number\">covered</th><th class=\"number\">impossible</th><th class=\"number\">open</th>\
         <th class=\"number\">tests</th><th>done</th><th>requirements</th></tr></thead>\n<tbody>\n",
    );
    for standing in standings {
        let counts = &standing.counts;
        let class = if standing.is_settled() { "done" } else { "open" };
        let percent = counts.percent();
        let _ = writeln!(
            page,
            "<tr class=\"{class}\"><td>{}</td><td>{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td>\
             <td class=\"number\">{}</td><td class=\"number\">{}</td>\
             <td><meter min=\"0\" max=\"100\" value=\"{percent:.0}\">{percent:.0} %</meter></td><td>{}</td></tr>",
            link(standing),
            standing.health.word(),
            counts.goals,
            counts.covered,
            counts.infeasible,
            counts.open,
            counts.tests,
            escape(&standing.requirements.join(", ")),
        );
    }
    page.push_str("</tbody>\n</table></div>\n</section>\n");
}

fn exclusions(page: &mut String, standings: &[Standing]) {
    let mut rows = String::new();
    for standing in standings {
        let whole = (standing.health == Health::Excluded)
            .then(|| ("all of it".to_owned(), standing.reason.clone().unwrap_or_default()));
        for (goal, reason) in whole.iter().chain(&standing.excluded) {
            let _ = writeln!(
                rows,
                "<tr><td>{}</td><td>{}</td><td>{}</td></tr>",
                escape(&standing.unit),
                escape(goal),
                escape(reason)
            );
        }
        for goal in &standing.accepted {
            let _ = writeln!(
                rows,
                "<tr><td>{}</td><td>{}</td><td>open, and accepted by the baseline</td></tr>",
                escape(&standing.unit),
                escape(goal)
            );
        }
    }
    if !rows.is_empty() {
        let _ = write!(
            page,
            "<section>\n<h2>Excluded and accepted</h2>\n<div class=\"wide\"><table>\n\
             <thead><tr><th>unit</th><th>goal</th><th>reason</th></tr></thead>\n<tbody>\n{rows}</tbody>\n</table></div>\n</section>\n"
        );
    }
}
