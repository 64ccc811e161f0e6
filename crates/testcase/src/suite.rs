//! Suites: the format `specimen-suite/2`, written by every language and read by every verb that takes a suite.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::sources::{SourceFile, Sources};
use crate::wire::Written;
use crate::{Interface, Location, Method, Status};

/// The name of the format.
pub const SCHEMA: &str = "specimen-suite/2";

/// The format of earlier versions, which is read and not written. It knows the main file only, and not every option.
pub const SCHEMA_1: &str = "specimen-suite/1";

/// The option in which a suite that lists only covered goals says what is known about the others.
pub const UNLISTED: &str = "unlisted";

/// A suite, as it is written down. It holds no clock and no path: the same run gives the same bytes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct Suite {
    /// The format it was read in; it is always written as [`SCHEMA`].
    pub schema: String,
    /// The language of the source.
    pub language: String,
    /// The main file the suite was drawn from.
    pub source: SourceRecord,
    /// Every other file it was made from, in the order in which they were opened.
    pub others: Vec<SourceFile>,
    /// The inputs and outputs, where a test is one value for each.
    pub interface: Option<Interface>,
    /// The name of the criterion.
    pub criterion: String,
    /// The options that shape goals or tests, in a fixed order: enough to measure and to continue the suite.
    pub options: IndexMap<String, Json>,
    /// How its tests came about: the strategy of the search, as a rule.
    pub strategy: Method,
    /// The bound of the search, where the language has one.
    pub bound: Option<u64>,
    /// Whether the run is complete; a partial suite can be continued.
    pub complete: bool,
    /// What is known about the number of tests.
    pub minimality: Minimality,
    /// Every goal of the criterion; where there is the option [`UNLISTED`], only covered ones, or none.
    pub goals: Vec<GoalRecord>,
    /// The tests, each replayed by the interpreter.
    pub tests: Vec<TestRecord>,
    /// The counts.
    pub summary: Summary,
    /// Who made it, and how; no part of what is compared.
    pub provenance: Option<Provenance>,
}

/// Who made a suite, and how.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Provenance {
    /// The program and its version.
    pub version: String,
    /// The solver and its version.
    pub solver: String,
    /// What preprocessed the program, where it was preprocessed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preprocessor: Option<String>,
    /// The command line, files without their folders.
    pub command: Vec<String>,
}

impl Suite {
    /// Every file the suite was made from.
    pub fn sources(&self) -> Sources {
        Sources::new(&self.source, &self.others)
    }
}

/// Which source a suite was drawn from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceRecord {
    /// The file's name, without its folder.
    pub file: String,
    /// The fingerprint of its bytes, in hexadecimal.
    pub sha256: String,
}

/// What is known about the number of tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Minimality {
    /// No smaller suite covers the same goals: proved.
    Proved,
    /// No smaller suite of tests within the bound covers the same goals: proved.
    ProvedWithinBound,
    /// No smaller selection of the tests that were found covers the same goals: proved.
    ProvedAmongFound,
    /// Nothing was proved.
    NotProved,
}

/// A goal in a suite.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GoalRecord {
    /// The goal's stable name.
    pub id: String,
    /// The description for people.
    pub label: String,
    /// Where it comes from.
    pub location: Option<Location>,
    /// What is known about it.
    pub status: Status,
    /// Why it is not covered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Of a goal that only executions with undefined behaviour cover, the inputs of one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<Json>,
    /// The tests that cover it together.
    pub tests: Vec<String>,
    /// What shows that it cannot be covered, or in no better manner, for those who want to judge that again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Json>,
}

/// A test in a suite.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TestRecord {
    /// The test's name, `t1`, `t2`, …
    pub id: String,
    /// The inputs.
    pub inputs: Json,
    /// The outputs the interpreter computed.
    pub expected: IndexMap<String, Json>,
    /// Facts about the test for reports.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub notes: IndexMap<String, Json>,
    /// The goals it helps to cover.
    pub covers: Vec<String>,
}

/// The note of a test that says what inputs mean as text, by name; the elements of an array from its first on as `NAME[]`.
pub const TEXT: &str = "text";

impl TestRecord {
    /// An input as text, if it means text.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.notes.get(TEXT)?.get(name)?.as_str()
    }

    /// The inputs, with texts in place of the numbers that mean text.
    pub fn inputs_as_text(&self) -> Json {
        let Some(inputs) = self.inputs.as_object() else { return self.inputs.clone() };
        let one = |(name, value): (&String, &Json)| {
            let text = self.text(name).map(|text| Json::String(text.to_owned()));
            (name.clone(), text.unwrap_or_else(|| value.clone()))
        };
        Json::Object(inputs.iter().map(one).collect())
    }
}

/// The counts of a suite.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Summary {
    /// All goals.
    pub goals: usize,
    /// Goals covered.
    pub covered: usize,
    /// Goals proved impossible.
    pub infeasible: usize,
    /// Goals impossible up to the bound.
    pub infeasible_up_to: usize,
    /// Goals that only executions with undefined behaviour cover.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub only_undefined: usize,
    /// Goals left open.
    pub unknown: usize,
    /// Tests.
    pub tests: usize,
}

/// Languages without undefined behaviour do not count it.
fn is_zero(count: &usize) -> bool {
    *count == 0
}
