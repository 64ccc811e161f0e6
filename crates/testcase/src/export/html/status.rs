//! What became of goals, in words for people who did not write the specification.

use crate::suite::UNLISTED;
use crate::{Status, Suite, Summary};

/// A status as the report shows it.
pub(super) struct Shown {
    pub(super) status: Status,
    pub(super) sign: &'static str,
    pub(super) words: &'static str,
    /// What it means, and what a reader can do about it.
    pub(super) meaning: &'static str,
}

/// Every status, the best first.
pub(super) const ALL: &[Shown] = &[
    Shown { status: Status::Covered, sign: "●", words: "covered", meaning: "Some test shows it." },
    Shown {
        status: Status::Infeasible,
        sign: "∅",
        words: "infeasible",
        meaning: "No test can cover these: that is proved, for every input and not only for those that were tried. \
                  They are nothing to test; some of them are worth a second look at the specification.",
    },
    Shown {
        status: Status::InfeasibleUpTo,
        sign: "≤",
        words: "infeasible up to the bound",
        meaning: "No test within the bound covers these: that is proved. A longer one might; a larger bound tells.",
    },
    Shown {
        status: Status::OnlyUndefined,
        sign: "!",
        words: "only with undefined behaviour",
        meaning: "Every execution that was found to reach these does something the language leaves undefined before. \
                  What a compiled program does there is anybody's guess: look at the place that is named.",
    },
    Shown {
        status: Status::Unknown,
        sign: "?",
        words: "open",
        meaning: "Nobody knows yet: neither a test nor a proof was found. More time (--timeout), more work (--effort) \
                  or another solver may settle them.",
    },
];

/// The statuses that need an explanation, the most pressing first.
pub(super) const UNCOVERED: [&Shown; 4] = [&ALL[4], &ALL[3], &ALL[2], &ALL[1]];

impl Shown {
    /// How the status of a goal is shown.
    pub(super) fn of(status: Status) -> &'static Shown {
        ALL.iter().find(|one| one.status == status).unwrap_or(&ALL[4])
    }

    /// Its name in a suite, and its class.
    pub(super) fn name(&self) -> &'static str {
        self.status.name()
    }

    /// How many goals have it.
    pub(super) fn count(&self, summary: &Summary) -> usize {
        summary.count(self.status)
    }
}

fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("one {noun}") } else { format!("{count} {noun}s") }
}

/// The result in one or two sentences.
pub(super) fn verdict(suite: &Suite) -> String {
    let summary = &suite.summary;
    let tests = counted(summary.tests, "test");
    let all = summary.covered == summary.goals;
    let mut text = match summary.goals {
        0 => "There are no goals.".to_owned(),
        1 if all => format!("The only goal is covered, by {tests}."),
        goals if all => format!("All {goals} goals are covered, by {tests}."),
        goals => format!("{} of {} covered, by {tests}.", summary.covered, counted(goals, "goal")),
    };
    let parts = [
        (summary.unknown, "open"),
        (summary.only_undefined, "reached with undefined behaviour only"),
        (summary.infeasible_up_to, "impossible within the bound"),
        (summary.infeasible, "proved impossible"),
    ];
    let parts: Vec<String> =
        parts.iter().filter(|(count, _)| 0 < *count).map(|(count, words)| format!("{count} {words}")).collect();
    if !parts.is_empty() {
        text += &format!(" The others: {}.", parts.join(", "));
    }
    if let Some(known) = suite.options.get(UNLISTED) {
        text += &format!(
            " Goals that are not covered are not listed: {}.",
            super::escape(&super::super::table::plain(known))
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_say_what_is_left() {
        let mut suite = crate::sample::policy();
        suite.summary = Summary { goals: 3, covered: 3, tests: 1, ..Summary::default() };
        assert_eq!(verdict(&suite), "All 3 goals are covered, by one test.");
        suite.summary = Summary { goals: 9, covered: 4, infeasible: 3, unknown: 2, tests: 5, ..Summary::default() };
        assert_eq!(verdict(&suite), "4 of 9 goals covered, by 5 tests. The others: 2 open, 3 proved impossible.");
        suite.summary = Summary::default();
        assert_eq!(verdict(&suite), "There are no goals.");
    }
}
