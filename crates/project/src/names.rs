//! Names of goals that survive edits elsewhere in a file: what a goal is about, and which of several it is; no line and no number.

use std::collections::HashMap;

use testcase::GoalRecord;

/// The stable names of the goals of a suite, in their order.
pub fn stable_names(goals: &[GoalRecord]) -> Vec<String> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let name = |goal: &GoalRecord| {
        let plain = plain(&goal.label);
        let count = seen.entry(plain.clone()).or_default();
        *count += 1;
        if *count == 1 { plain } else { format!("{plain} #{count}") }
    };
    goals.iter().map(name).collect()
}

/// A label without what an edit elsewhere changes: the line it begins with, places, and running numbers of conditions. What stands in
/// backquotes is the user's text and stays.
fn plain(label: &str) -> String {
    let mut words: Vec<&str> = Vec::new();
    let mut quoted = false;
    for word in label.split(' ') {
        let was_quoted = quoted;
        quoted ^= word.matches('`').count() % 2 == 1;
        let previous = words.last().copied();
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let is_place = |text: &str| {
            let text = text.trim_end_matches([',', ';', ')']);
            text.split_once(':').is_some_and(|(line, column)| is_number(line) && is_number(column))
        };
        let is_line =
            |text: &str| text.rsplit_once(':').is_some_and(|(file, line)| !file.is_empty() && is_number(line));
        if was_quoted || word.contains('`') {
            words.push(word);
        } else if is_place(word) && previous == Some("at") {
            words.pop();
        } else if (previous.is_none() && is_line(word)) || (is_number(word) && previous == Some("condition")) {
        } else {
            words.push(word);
        }
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use testcase::Status;

    use super::*;

    fn goal(label: &str) -> GoalRecord {
        GoalRecord {
            id: "g".to_owned(),
            label: label.to_owned(),
            location: None,
            status: Status::Covered,
            reason: None,
            witness: None,
            tests: Vec::new(),
            evidence: Vec::new(),
        }
    }

    #[test]
    fn names_hold_no_line_and_no_running_number() {
        let names = stable_names(&[
            goal("triangle.c:5 decision `a <= 0 || b <= 0` is false"),
            goal("triangle.c:9 decision `a <= 0 || b <= 0` is false"),
            goal("condition 3 `x at 3:4 > 1` decides the outcome both ways"),
            goal("`isNone(a)` is true, in either at 10:28 > pick at 7:23"),
            goal("stuck-at-0 on hmaster"),
        ]);
        assert_eq!(
            names,
            [
                "decision `a <= 0 || b <= 0` is false",
                "decision `a <= 0 || b <= 0` is false #2",
                "condition `x at 3:4 > 1` decides the outcome both ways",
                "`isNone(a)` is true, in either > pick",
                "stuck-at-0 on hmaster",
            ]
        );
    }
}
