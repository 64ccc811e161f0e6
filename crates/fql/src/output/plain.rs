//! The plain form of FShell, which scripts for harnesses read.

use std::fmt::Write;

use super::{Entry, Input, InputKind, Place, Test, Tests};

/// What the plain form shows besides the inputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlainOptions {
    /// The entry function, and the type and place of every input.
    pub locations: bool,
    /// The functions that are called.
    pub calls: bool,
    /// The assignments to globals.
    pub globals: bool,
}

/// Suites in the plain form, numbered from 0.
pub fn plain(suites: &[Tests], options: PlainOptions) -> String {
    let mut text = String::new();
    for (number, suite) in suites.iter().enumerate() {
        let _ = writeln!(text, "Test Suite {number}:");
        for test in &suite.tests {
            one(&mut text, &suite.entry, test, options);
        }
    }
    text
}

fn one(text: &mut String, entry: &Entry, test: &Test, options: PlainOptions) {
    text.push_str("IN:\n");
    if options.locations {
        let names: Vec<&str> = entry.parameters.iter().map(|(_, name)| name.as_str()).collect();
        let _ = writeln!(text, "  ENTRY {}({})@[{}]", entry.name, names.join(","), location(&entry.place));
    }
    for input in &test.inputs {
        let _ = writeln!(text, "  {}={}", head(input, options.locations), input.value);
    }
    if options.calls {
        text.push_str("Function calls:\n");
        for call in &test.calls {
            let value = call.value.as_ref().map(|value| format!("={value}")).unwrap_or_default();
            let _ = writeln!(text, "  {}()@[{}]{value}", call.name, location(&call.place));
        }
    }
    if options.globals {
        text.push_str("Assignments to global variables:\n");
        for assignment in &test.assignments {
            let place = location(&assignment.place);
            let _ = writeln!(text, "  {} {}@[{place}]={}", assignment.ty, assignment.name, assignment.value);
        }
    }
    text.push('\n');
}

fn head(input: &Input, locations: bool) -> String {
    if !locations {
        return input.name.clone();
    }
    let global = if input.kind == InputKind::Global { " #global" } else { "" };
    format!("{} {}@[{}{global}]", input.ty, input.name, location(&input.place))
}

fn location(place: &Place) -> String {
    format!("file {} line {}", place.file, place.line)
}
