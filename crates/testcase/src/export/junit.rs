//! JUnit XML, as build servers read it: a goal left open fails, an infeasible goal is skipped with its reason, and every
//! test is listed with its inputs, as skipped: nobody has run it on a system yet.

use std::fmt::Write as _;

use super::table::Columns;
use super::xml::escape as xml;
use super::{ExportError, Extras};
use crate::{GoalRecord, Status, Suite, TestRecord};

pub(super) fn write(suite: &Suite, _extras: &Extras<'_>) -> Result<String, ExportError> {
    let summary = &suite.summary;
    let skipped = summary.infeasible + summary.infeasible_up_to;
    let failed = summary.unknown + summary.only_undefined;
    let all = summary.goals + summary.tests;
    let all_skipped = skipped + summary.tests;
    let file = xml(&suite.source.file);
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(
        text,
        "<testsuites name=\"specimen\" tests=\"{all}\" failures=\"{}\" errors=\"0\" skipped=\"{all_skipped}\">",
        failed
    );
    let _ = writeln!(
        text,
        "  <testsuite name=\"{file}: {} goals\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{skipped}\">",
        xml(&suite.criterion),
        summary.goals,
        failed
    );
    for goal in &suite.goals {
        write_goal(&mut text, &file, goal);
    }
    text.push_str("  </testsuite>\n");
    let _ = writeln!(
        text,
        "  <testsuite name=\"{file}: tests\" tests=\"{0}\" failures=\"0\" errors=\"0\" skipped=\"{0}\">",
        summary.tests
    );
    let columns = Columns::of(suite);
    for test in &suite.tests {
        write_test(&mut text, &file, &columns, test);
    }
    text.push_str("  </testsuite>\n</testsuites>\n");
    Ok(text)
}

fn write_goal(text: &mut String, file: &str, goal: &GoalRecord) {
    let line = goal.location.as_ref().map(|place| format!(" line=\"{}\"", place.line)).unwrap_or_default();
    let _ = write!(
        text,
        "    <testcase classname=\"{file}.goals\" name=\"{}: {}\" file=\"{file}\"{line}",
        xml(&goal.id),
        xml(&goal.label)
    );
    let reason = xml(goal.reason.as_deref().unwrap_or_default());
    match goal.status {
        Status::Covered => text.push_str("/>\n"),
        Status::Infeasible => {
            let _ = writeln!(text, "><skipped message=\"infeasible: {reason}\"/></testcase>");
        }
        Status::InfeasibleUpTo => {
            let _ = writeln!(text, "><skipped message=\"infeasible up to the bound: {reason}\"/></testcase>");
        }
        Status::OnlyUndefined => {
            let message = format!("only with undefined behaviour: {reason}");
            let _ = writeln!(text, "><failure type=\"undefined\" message=\"{message}\"/></testcase>");
        }
        Status::Unknown => {
            let _ = writeln!(text, "><failure type=\"open\" message=\"not covered: {reason}\"/></testcase>");
        }
    }
}

fn write_test(text: &mut String, file: &str, columns: &Columns, test: &TestRecord) {
    let _ = writeln!(text, "    <testcase classname=\"{file}.tests\" name=\"{}\">", xml(&test.id));
    text.push_str("      <skipped message=\"drawn, not run\"/>\n      <system-out>");
    let inputs = columns.input_names().into_iter().map(str::to_owned).zip(columns.input_texts(test));
    let outputs = columns.outputs.iter().map(|name| format!("expected {name}")).zip(columns.output_texts(test));
    for (name, value) in inputs.chain(outputs) {
        let _ = writeln!(text, "{} = {}", xml(&name), xml(&value));
    }
    let _ = writeln!(text, "covers {}</system-out>\n    </testcase>", xml(&test.covers.join(" ")));
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn open_goals_fail_and_infeasible_goals_are_skipped() {
        let text = write(&crate::sample::policy(), &Extras::default()).expect("a document");
        expect![[r#"
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites name="specimen" tests="6" failures="1" errors="0" skipped="3">
              <testsuite name="policy.bool: masking-mcdc goals" tests="4" failures="1" errors="0" skipped="1">
                <testcase classname="policy.bool.goals" name="c1: age &gt; 30" file="policy.bool" line="3"/>
                <testcase classname="policy.bool.goals" name="c2: for | &lt;b&gt;" file="policy.bool"/>
                <testcase classname="policy.bool.goals" name="c3: age &lt; 30" file="policy.bool" line="3"><skipped message="infeasible: coupled with `age &gt; 30`"/></testcase>
                <testcase classname="policy.bool.goals" name="c4: rate = 1/3" file="policy.bool"><failure type="open" message="not covered: time limit"/></testcase>
              </testsuite>
              <testsuite name="policy.bool: tests" tests="2" failures="0" errors="0" skipped="2">
                <testcase classname="policy.bool.tests" name="t1">
                  <skipped message="drawn, not run"/>
                  <system-out>age = 31
            rate = 1/3
            mask = #x0f
            level = high
            for = true
            expected hire = true
            covers c1</system-out>
                </testcase>
                <testcase classname="policy.bool.tests" name="t2">
                  <skipped message="drawn, not run"/>
                  <system-out>age = -30
            rate = 2
            mask = #xff
            level = low
            for = false
            expected hire = false
            covers c1 c2</system-out>
                </testcase>
              </testsuite>
            </testsuites>
        "#]].assert_eq(&text);
    }
}
