//! Markdown: tables of goals and tests for people.

use std::fmt::Write as _;

use super::table::Columns;
use super::{ExportError, Extras};
use crate::{Minimality, Suite};

pub(super) fn write(suite: &Suite, _extras: &Extras<'_>) -> Result<String, ExportError> {
    let mut text = format!("# Tests of {}\n\n", cell(&suite.source.file));
    let summary = &suite.summary;
    let _ = writeln!(text, "Criterion: {}. {}\n", cell(&suite.criterion), minimality(suite));
    let mut counts = vec![
        ("goals", summary.goals),
        ("covered", summary.covered),
        ("infeasible", summary.infeasible),
        ("infeasible up to the bound", summary.infeasible_up_to),
        ("left open", summary.unknown),
        ("tests", summary.tests),
    ];
    if 0 < summary.only_undefined {
        counts.insert(4, ("only with undefined behaviour", summary.only_undefined));
    }
    row(&mut text, counts.iter().map(|(name, _)| (*name).to_owned()));
    rule(&mut text, counts.len());
    row(&mut text, counts.iter().map(|(_, count)| count.to_string()));
    goals(&mut text, suite);
    tests(&mut text, suite);
    Ok(text)
}

/// What is known about the number of tests, as a sentence.
pub(super) fn minimality(suite: &Suite) -> &'static str {
    match suite.minimality {
        _ if !suite.complete => "The run was ended early: this suite is partial.",
        Minimality::Proved => "No smaller suite covers the same goals: proved.",
        Minimality::ProvedWithinBound => "No smaller suite of tests within the bound covers the same goals: proved.",
        Minimality::ProvedAmongFound => "No smaller selection of the tests found covers the same goals: proved.",
        Minimality::NotProved => "Whether a smaller suite exists was not decided.",
    }
}

fn goals(text: &mut String, suite: &Suite) {
    text.push_str("\n## Goals\n\n");
    row(text, ["goal", "label", "place", "status", "tests", "reason"].map(str::to_owned).into_iter());
    rule(text, 6);
    for goal in &suite.goals {
        let place = goal.location.as_ref().map(|place| format!("{}:{}", place.line, place.column));
        let cells = [
            goal.id.clone(),
            goal.label.clone(),
            place.unwrap_or_default(),
            goal.status.words(),
            goal.tests.join(" "),
            goal.reason.clone().unwrap_or_default(),
        ];
        row(text, cells.into_iter());
    }
}

fn tests(text: &mut String, suite: &Suite) {
    let columns = Columns::of(suite);
    text.push_str("\n## Tests\n\n");
    let mut head = vec!["test".to_owned()];
    head.extend(columns.input_names().iter().map(|name| (*name).to_owned()));
    head.extend(columns.outputs.iter().map(|name| format!("expected {name}")));
    head.push("covers".to_owned());
    let width = head.len();
    row(text, head.into_iter());
    rule(text, width);
    for test in &suite.tests {
        let mut cells = vec![test.id.clone()];
        cells.extend(columns.input_texts(test));
        cells.extend(columns.output_texts(test));
        cells.push(test.covers.join(" "));
        row(text, cells.into_iter());
    }
}

fn row(text: &mut String, cells: impl Iterator<Item = String>) {
    text.push('|');
    for content in cells {
        let _ = write!(text, " {} |", cell(&content));
    }
    text.push('\n');
}

fn rule(text: &mut String, columns: usize) {
    text.push_str(&format!("|{}\n", "---|".repeat(columns)));
}

/// Plain text as the content of a cell: nothing in it is Markdown, and it stays on its line.
fn cell(content: &str) -> String {
    let mut escaped = String::with_capacity(content.len());
    for character in content.chars() {
        match character {
            '\n' | '\r' => escaped.push(' '),
            '\\' | '|' | '`' | '*' | '_' | '[' | ']' | '<' | '&' | '~' | '#' => {
                escaped.push('\\');
                escaped.push(character);
            }
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn tables_of_goals_and_tests() {
        let text = write(&crate::sample::policy(), &Extras::default()).expect("a document");
        expect![[r#"
            # Tests of policy.bool

            Criterion: masking-mcdc. No smaller suite covers the same goals: proved.

            | goals | covered | infeasible | infeasible up to the bound | left open | tests |
            |---|---|---|---|---|---|
            | 4 | 2 | 1 | 0 | 1 | 2 |

            ## Goals

            | goal | label | place | status | tests | reason |
            |---|---|---|---|---|---|
            | c1 | age > 30 | 3:5 | covered | t1 t2 |  |
            | c2 | for \| \<b> |  | covered | t2 |  |
            | c3 | age \< 30 | 3:17 | infeasible |  | coupled with \`age > 30\` |
            | c4 | rate = 1/3 |  | unknown |  | time limit |

            ## Tests

            | test | age | rate | mask | level | for | expected hire | covers |
            |---|---|---|---|---|---|---|---|
            | t1 | 31 | 1/3 | \#x0f | high | true | true | c1 |
            | t2 | -30 | 2 | \#xff | low | false | false | c1 c2 |
        "#]]
        .assert_eq(&text);
    }
}
