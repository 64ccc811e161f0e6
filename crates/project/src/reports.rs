//! Summaries over all units, for people and for the machinery of continuous integration.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use testcase::export::xml::escape;

use crate::standing::{Counts, Health, Standing};

pub use crate::html::index;

/// JUnit XML: a suite for each unit, a case for each goal that is open, and one for all the others.
pub fn junit(name: &str, standings: &[Standing]) -> String {
    let all_failures: usize = standings.iter().map(failures).sum();
    let all_cases: usize = standings.iter().map(cases).sum();
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(text, "<testsuites name=\"{}\" tests=\"{all_cases}\" failures=\"{all_failures}\">", escape(name));
    for standing in standings {
        let unit = escape(&standing.unit);
        let skipped = standing.excluded.len() + usize::from(standing.health == Health::Excluded);
        let _ = writeln!(
            text,
            "  <testsuite name=\"{unit}\" tests=\"{}\" failures=\"{}\" skipped=\"{skipped}\">",
            cases(standing),
            failures(standing)
        );
        case(
            &mut text,
            &unit,
            "the suite is up to date",
            match standing.health {
                Health::Fresh => Verdict::Passed,
                Health::Excluded => Verdict::Skipped(standing.reason.as_deref().unwrap_or_default()),
                Health::Stale | Health::Missing | Health::Failed => {
                    Verdict::Failed(standing.reason.as_deref().unwrap_or(standing.health.word()))
                }
            },
        );
        for (goal, reason) in &standing.open {
            case(&mut text, &unit, goal, Verdict::Failed(reason));
        }
        for goal in &standing.accepted {
            case(&mut text, &unit, goal, Verdict::Skipped("open, and accepted by the baseline"));
        }
        for (goal, reason) in &standing.excluded {
            case(&mut text, &unit, goal, Verdict::Skipped(reason));
        }
        text.push_str("  </testsuite>\n");
    }
    text.push_str("</testsuites>\n");
    text
}

enum Verdict<'a> {
    Passed,
    Failed(&'a str),
    Skipped(&'a str),
}

fn case(text: &mut String, unit: &str, goal: &str, verdict: Verdict<'_>) {
    let _ = write!(text, "    <testcase classname=\"{unit}\" name=\"{}\"", escape(goal));
    let _ = match verdict {
        Verdict::Passed => writeln!(text, "/>"),
        Verdict::Failed(why) => writeln!(text, "><failure message=\"{}\"/></testcase>", escape(why)),
        Verdict::Skipped(why) => writeln!(text, "><skipped message=\"{}\"/></testcase>", escape(why)),
    };
}

fn failures(standing: &Standing) -> usize {
    standing.open.len() + usize::from(matches!(standing.health, Health::Stale | Health::Missing | Health::Failed))
}

/// The case of the unit itself, and one for each goal that is not done.
fn cases(standing: &Standing) -> usize {
    1 + standing.open.len() + standing.accepted.len() + standing.excluded.len()
}

/// Cobertura XML: the goals of each file as its branches; they have no lines of their own.
pub fn cobertura(standings: &[Standing]) -> String {
    let mut files: BTreeMap<&str, Counts> = BTreeMap::new();
    for standing in standings {
        let counts = files.entry(&standing.file).or_default();
        *counts = *counts + standing.counts;
    }
    let all: Counts = standings.iter().map(|standing| standing.counts).sum();
    let rate = |counts: &Counts| format!("{:.4}", counts.percent() / 100.0);
    let done = |counts: &Counts| counts.covered + counts.infeasible;
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(
        text,
        "<coverage line-rate=\"{0}\" branch-rate=\"{0}\" lines-covered=\"0\" lines-valid=\"0\" branches-covered=\"{1}\" \
         branches-valid=\"{2}\" complexity=\"0\" timestamp=\"0\" version=\"specimen\">\n  <packages>\n    \
         <package name=\"goals\" line-rate=\"{0}\" branch-rate=\"{0}\" complexity=\"0\">\n      <classes>",
        rate(&all),
        done(&all),
        all.goals
    );
    for (file, counts) in files {
        let _ = writeln!(
            text,
            "        <class name=\"{0}\" filename=\"{0}\" line-rate=\"{1}\" branch-rate=\"{1}\" complexity=\"0\"><methods/><lines/></class>",
            escape(file),
            rate(&counts)
        );
    }
    text.push_str("      </classes>\n    </package>\n  </packages>\n</coverage>\n");
    text
}
