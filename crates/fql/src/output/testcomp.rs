//! Test suites in the exchange format of Test-Comp: `metadata.xml` and one `testcase-n.xml` per test.
//!
//! In that format a test is the sequence of values that functions named `__VERIFIER_nondet_…` return. Inputs of other kinds
//! cannot be said in it.

use std::fmt::Write;

use testcase::export::xml::escape;

use super::{InputKind, Tests};

/// What the metadata of a suite says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Metadata {
    /// Who made the suite.
    pub producer: String,
    /// The property, such as `COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )`.
    pub specification: String,
    /// The file of the program.
    pub program: String,
    /// The SHA-256 of that file.
    pub hash: String,
    /// `32bit` or `64bit`.
    pub architecture: String,
    /// When it was made, as `2026-11-16T00:00:00Z`.
    pub created: String,
}

/// A test that the format cannot say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsaid {
    /// The test, counted from 1.
    pub test: usize,
    /// Its inputs that are not results of `__VERIFIER_nondet_…` functions.
    pub inputs: Vec<String>,
}

/// The files of a suite: names and texts; and the tests that cannot be said.
pub fn test_comp(suite: &Tests, metadata: &Metadata) -> (Vec<(String, String)>, Vec<Unsaid>) {
    let mut files = vec![("metadata.xml".to_owned(), describe(suite, metadata))];
    let mut left_out: Vec<Unsaid> = Vec::new();
    for (number, test) in suite.tests.iter().enumerate() {
        let mut text = String::from(
            "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n\
             <!DOCTYPE testcase PUBLIC \"+//IDN sosy-lab.org//DTD test-format testcase 1.1//EN\" \
             \"https://sosy-lab.org/test-format/testcase-1.1.dtd\">\n<testcase>\n",
        );
        let mut unsaid = Vec::new();
        for input in &test.inputs {
            if input.kind == InputKind::Result && input.name.starts_with("__VERIFIER_nondet_") {
                let _ = writeln!(text, "  <input type=\"{}\">{}</input>", escape(&input.ty), escape(&input.value));
            } else if !unsaid.contains(&input.name) {
                unsaid.push(input.name.clone());
            }
        }
        text.push_str("</testcase>\n");
        if !unsaid.is_empty() {
            left_out.push(Unsaid { test: number + 1, inputs: unsaid });
            continue;
        }
        files.push((format!("testcase-{}.xml", number + 1), text));
    }
    (files, left_out)
}

fn describe(suite: &Tests, metadata: &Metadata) -> String {
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n\
         <!DOCTYPE test-metadata PUBLIC \"+//IDN sosy-lab.org//DTD test-format test-metadata 1.1//EN\" \
         \"https://sosy-lab.org/test-format/test-metadata-1.1.dtd\">\n<test-metadata>\n",
    );
    for (name, value) in [
        ("sourcecodelang", "C"),
        ("producer", &metadata.producer),
        ("specification", &metadata.specification),
        ("programfile", &metadata.program),
        ("programhash", &metadata.hash),
        ("entryfunction", &suite.entry.name),
        ("architecture", &metadata.architecture),
        ("creationtime", &metadata.created),
    ] {
        let _ = writeln!(text, "  <{name}>{}</{name}>", escape(value));
    }
    text.push_str("</test-metadata>\n");
    text
}
