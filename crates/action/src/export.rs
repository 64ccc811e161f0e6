//! Suites as programs: adaptive tests that run against an adapter the user fills in, and traces for other tools.
//!
//! An adaptive test follows the trace of the model as long as the system does. What the system puts out is allowed by the
//! model or not; what is allowed but not on the trace ends the test without a verdict, what is not allowed fails it.

mod c;
mod itf;
mod matrix;
mod pytest;
mod results;
mod tree;

use serde_json::Value as Json;
use testcase::Suite;
use testcase::export::guarded;

/// A file of an export: its name and its text.
pub type File = (String, String);

/// The formats of this language: name and description.
pub const FORMATS: &[(&str, &str)] = &[
    ("pytest", "adaptive tests in Python, with an adapter to fill in"),
    ("c", "adaptive tests in C, with an adapter to fill in"),
    ("itf", "traces as the Informal Trace Format of model checkers, one file for each test"),
    ("traces", "the traces as text, one test in each line"),
    ("tree", "the tests merged where they begin alike, as text and as a graph for Graphviz"),
    ("matrix", "a table of which test kills which mutant"),
    ("results", "a table with one mutant in each row"),
];

/// A suite in a format; none for a format that is not of this language.
pub fn export(suite: &Suite, format: &str) -> Option<Vec<File>> {
    match format {
        "pytest" => Some(pytest::write(suite)),
        "c" => Some(c::write(suite)),
        "itf" => Some(itf::write(suite)),
        "traces" => Some(vec![(format!("{}.traces", stem(suite)), traces(suite))]),
        "tree" => Some(tree::write(suite)),
        "matrix" => Some(vec![(format!("{}-matrix.csv", stem(suite)), matrix::write(suite))]),
        "results" => Some(vec![(format!("{}-results.csv", stem(suite)), results::write(suite))]),
        _ => None,
    }
}

/// The name of the source without its extension, fit for a name in a program.
fn stem(suite: &Suite) -> String {
    let stem = suite.source.file.rsplit_once('.').map_or(suite.source.file.as_str(), |(stem, _)| stem);
    let plain = |character: char| if character.is_ascii_alphanumeric() { character } else { '_' };
    stem.chars().map(plain).collect()
}

fn traces(suite: &Suite) -> String {
    let line = |test: &testcase::TestRecord| {
        let then = test.inputs.get("then").and_then(Json::as_str).map(|then| format!(" then {then}"));
        format!("{}: {}{}\n", test.id, strings(test.inputs.get("trace")).join(", "), then.unwrap_or_default())
    };
    suite.tests.iter().map(line).collect()
}

/// A cell as spreadsheets read it.
fn cell(text: &str) -> String {
    let text = guarded(text);
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.into_owned() }
}

/// The texts of a JSON list.
fn strings(json: Option<&Json>) -> Vec<String> {
    let list = json.and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default();
    list.iter().map(|item| item.as_str().unwrap_or_default().to_owned()).collect()
}

/// A point of a test, as its notes write it down.
pub(crate) struct Point {
    pub(crate) kind: String,
    pub(crate) label: String,
    pub(crate) allowed: Vec<String>,
    pub(crate) after: Vec<String>,
    /// The state the trace goes on from, where it is known.
    pub(crate) state: String,
    pub(crate) steps: Vec<(String, Vec<String>)>,
    /// Whether the model may take the input or refuse it.
    pub(crate) refusable: bool,
    /// Whether to wait before the input, to see that nothing comes.
    pub(crate) waits: bool,
}

pub(crate) fn points(test: &testcase::TestRecord) -> Vec<Point> {
    let text = |json: &Json, name: &str| json.get(name).and_then(Json::as_str).unwrap_or_default().to_owned();
    let point = |json: &Json| Point {
        kind: text(json, "kind"),
        label: text(json, "label"),
        allowed: strings(json.get("allowed")),
        after: strings(json.get("after")),
        state: text(json, "state"),
        steps: json
            .get("steps")
            .and_then(Json::as_object)
            .map(|steps| steps.iter().map(|(label, states)| (label.clone(), strings(Some(states)))).collect())
            .unwrap_or_default(),
        refusable: json.get("refusable").and_then(Json::as_bool).unwrap_or(false),
        waits: json.get("waits").and_then(Json::as_bool).unwrap_or(false),
    };
    let list = test.notes.get("points").and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default();
    list.iter().map(point).collect()
}
