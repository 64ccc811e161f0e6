//! Suites as JSON text, and back with every promise of the format checked.

use std::collections::BTreeSet;
use std::fmt;

use serde_json::Value as Json;

use crate::{SCHEMA, SCHEMA_1, Status, Suite, Summary, UNLISTED, is_plain};

/// Why a text is not a suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SuiteError {
    /// It is not JSON, or its fields are not those of a suite; the text names the line.
    Shape(String),
    /// It is a suite of another format or version; the text is what it calls itself.
    Schema(String),
    /// A promise of the format is broken.
    Broken(String),
}

impl Suite {
    /// The suite as JSON, indented, with a line break at the end. Equal suites give equal bytes.
    pub fn to_json_string(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("a suite has string keys and finite numbers only");
        text.push('\n');
        text
    }

    /// The suite a JSON text holds.
    ///
    /// # Errors
    /// When the text is no JSON, no suite of this version, or a suite that contradicts itself.
    pub fn from_json(text: &str) -> Result<Suite, SuiteError> {
        let shape = |error: serde_json::Error| SuiteError::Shape(error.to_string());
        let json: Json = serde_json::from_str(text)
            .map_err(|error| SuiteError::Shape(format!("the file does not hold JSON: {error}")))?;
        match json.get("schema") {
            Some(Json::String(schema)) if schema == SCHEMA || schema == SCHEMA_1 => {}
            Some(other) => return Err(SuiteError::Schema(other.to_string())),
            None => return Err(SuiteError::Shape("the field `schema` is missing: this is not a suite".to_owned())),
        }
        let suite: Suite = serde_json::from_str(text).map_err(shape)?;
        suite.validate().map_err(SuiteError::Broken)?;
        Ok(suite)
    }

    /// Checks what the types do not say: names are unique and known, the counts are right.
    fn validate(&self) -> Result<(), String> {
        let goals = unique("goal", self.goals.iter().map(|goal| goal.id.as_str()))?;
        let tests = unique("test", self.tests.iter().map(|test| test.id.as_str()))?;
        if let Some(test) = self.tests.iter().find(|test| !is_test_name(&test.id)) {
            return Err(format!("`{}` is not the name of a test: {TEST_NAMES}", test.id.escape_debug()));
        }
        if !is_file_name(&self.source.file) {
            return Err(format!("`{}` is not the name of a file without its folder", self.source.file.escape_debug()));
        }
        for goal in &self.goals {
            if goal.witness.is_some() != (goal.status == Status::OnlyUndefined) {
                return Err(format!("goal `{}` has a witness, or none, against its status `{}`", goal.id, goal.status));
            }
            if let Some(id) = goal.tests.iter().find(|id| !tests.contains(id.as_str())) {
                return Err(format!("goal `{}` names the test `{id}`, which is not in the suite", goal.id));
            }
        }
        for test in &self.tests {
            if let Some(id) = test.covers.iter().find(|id| !goals.contains(id.as_str())) {
                return Err(format!("test `{}` names the goal `{id}`, which is not in the suite", test.id));
            }
        }
        let counted = Summary::of(&self.goals, &self.tests);
        if self.options.contains_key(UNLISTED) {
            return self.validate_unlisted(&counted);
        }
        if counted != self.summary {
            let (summary, counted) = (written(&self.summary), written(&counted));
            return Err(format!("the summary says {summary}, but the suite has {counted}"));
        }
        Ok(())
    }
}

impl Suite {
    /// Checks the counts of a suite that lists only covered goals, or none.
    fn validate_unlisted(&self, counted: &Summary) -> Result<(), String> {
        let summary = &self.summary;
        let parts =
            [summary.covered, summary.infeasible, summary.infeasible_up_to, summary.only_undefined, summary.unknown];
        let sum = parts.iter().try_fold(0usize, |sum, part| sum.checked_add(*part));
        let listed = counted.goals == counted.covered && (counted.goals == 0 || counted.covered == summary.covered);
        if !listed || sum != Some(summary.goals) || counted.tests != summary.tests {
            return Err(format!("the counts of goals that are not listed do not add up: {}", written(summary)));
        }
        Ok(())
    }
}

/// What names of tests are made of, in words.
const TEST_NAMES: &str = "it takes 1 to 64 letters, digits, `_`, `-` and `.`, and does not begin with `.` or `-`";

/// Whether a name can stand for a test everywhere: in file names, in identifiers of generated programs, in tables.
fn is_test_name(name: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    (1..=64).contains(&name.len()) && name.bytes().all(plain) && !name.starts_with(['.', '-'])
}

/// Whether a name stays in the folder it is looked for in.
fn is_file_name(name: &str) -> bool {
    is_plain(name) && !name.contains('/')
}

fn unique<'a>(what: &str, ids: impl Iterator<Item = &'a str>) -> Result<BTreeSet<&'a str>, String> {
    let mut seen = BTreeSet::new();
    for id in ids {
        if !seen.insert(id) {
            return Err(format!("there are two {what}s called `{id}`"));
        }
    }
    Ok(seen)
}

fn written(summary: &Summary) -> String {
    serde_json::to_string(summary).expect("a summary is numbers")
}

impl fmt::Display for SuiteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SuiteError::Shape(detail) => {
                write!(f, "not a suite, as `generate --out FOLDER` writes it to FOLDER/suite.json: {detail}")
            }
            SuiteError::Schema(found) => write!(f, "the schema is {found}, this program reads \"{SCHEMA}\""),
            SuiteError::Broken(detail) => write!(f, "the suite contradicts itself: {detail}"),
        }
    }
}

impl std::error::Error for SuiteError {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::policy;

    fn check(edit: impl Fn(&str) -> String, expected: &str) {
        let text = edit(&policy().to_json_string());
        let error = Suite::from_json(&text).expect_err("the suite is rejected").to_string();
        assert!(error.contains(expected), "`{error}` does not say `{expected}`");
    }

    #[test]
    fn a_suite_survives_being_written_and_read() {
        let text = policy().to_json_string();
        assert_eq!(Suite::from_json(&text), Ok(policy()));
        assert_eq!(Suite::from_json(&text).expect("a suite").to_json_string(), text);
    }

    #[test]
    fn each_broken_promise_is_named() {
        check(|text| text.replace("specimen-suite/2", "specimen-suite/9"), "the schema is \"specimen-suite/9\"");
        check(|text| text.replace("specimen-suite/2", "specimen-suite/1"), "version 1 has the field `source`");
        check(|text| text.replace("\"role\": \"main\"", "\"role\": \"link\""), "its first is the main file");
        check(|text| text.replace("\"policy.bool\"", "\"../policy.bool\""), "not the name of a file");
        check(|_| "{}".to_owned(), "the field `schema` is missing");
        check(|_| "{".to_owned(), "line 1");
        check(|_| "[".repeat(100_000), "recursion limit");
        check(|text| text.replace("\"strategy\"", "\"stratagem\""), "unknown field `stratagem`");
        check(|text| text.replace("\"covers\": [\n        \"c1\"", "\"covers\": [\n        \"c9\""), "the goal `c9`");
        check(|text| text.replace("\"id\": \"t2\"", "\"id\": \"t1\""), "two tests called `t1`");
        check(|text| text.replace("\"id\": \"t2\"", "\"id\": \"t7\""), "the test `t2`");
        check(|text| text.replace("\"status\": \"unknown\"", "\"status\": \"maybe\""), "unknown status `maybe`");
        check(|text| text.replace("\"covered\": 2", "\"covered\": 3"), "the summary says");
    }

    #[test]
    fn names_that_lead_elsewhere_are_refused() {
        for name in ["../../x", "/abs/x", "", ".hidden", "-rf", "a b", "a\\nb", "t\u{e9}", &"t".repeat(65)] {
            check(|text| text.replace("\"t1\"", &format!("\"{name}\"")), "is not the name of a test");
        }
        for name in ["../../p.bool", "/etc/passwd", "..", ".", "", "a/b.bool", "a\\u0000.bool"] {
            check(|text| text.replace("\"policy.bool\"", &format!("\"{name}\"")), "is not the name of a file");
        }
        let odd = policy().to_json_string().replace("\"policy.bool\"", "\"my 'file' $(x).bool\"");
        assert!(Suite::from_json(&odd).is_ok(), "a strange name is still a name");
    }
}
