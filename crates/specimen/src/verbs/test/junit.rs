//! What became of tests as JUnit XML, for build servers.

use std::fmt::Write as _;

use testcase::Suite;
use testcase::export::xml::escape as xml;

use super::{Attempt, Verdict, report};

/// The document: a test that fails is a failure, one without an answer an error, one that says nothing is skipped.
pub(super) fn written(suite: &Suite, attempts: &[Attempt]) -> String {
    let count = |wanted: fn(&Attempt) -> bool| attempts.iter().filter(|attempt| wanted(attempt)).count();
    let failures = count(Attempt::is_failure);
    let errors = count(|attempt| matches!(attempt.verdict, Verdict::Error(_)));
    let skipped = count(|attempt| matches!(attempt.verdict, Verdict::Invalid(_) | Verdict::Inconclusive(_)));
    let counts =
        format!("tests=\"{}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\"", attempts.len());
    let file = xml(&suite.source.file);
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"specimen test\" {counts}>\n  \
         <testsuite name=\"{file}: {}\" {counts}>\n",
        xml(&suite.criterion)
    );
    for (test, attempt) in suite.tests.iter().zip(attempts) {
        let _ = write!(text, "    <testcase classname=\"{file}\" name=\"{}\"", xml(&test.id));
        match &attempt.verdict {
            Verdict::Pass => text.push_str("/>\n"),
            Verdict::Fail(_) | Verdict::Differs(_) => {
                let said = report::failure(suite, attempts, test, attempt);
                let (first, rest) = said.split_once('\n').unwrap_or((&said, ""));
                let message = first.split_once("fail: ").map_or(first, |(_, words)| words);
                let _ = writeln!(
                    text,
                    "><failure message=\"{}\">{}</failure></testcase>",
                    xml(message),
                    xml(rest.trim_end())
                );
            }
            Verdict::Invalid(reason) => {
                let _ = writeln!(text, "><skipped message=\"invalid: {}\"/></testcase>", xml(reason));
            }
            Verdict::Inconclusive(reason) => {
                let _ = writeln!(text, "><skipped message=\"inconclusive: {}\"/></testcase>", xml(reason));
            }
            Verdict::Error(reason) => {
                let _ = writeln!(text, "><error message=\"{}\"/></testcase>", xml(reason));
            }
        }
    }
    text.push_str("  </testsuite>\n</testsuites>\n");
    text
}
