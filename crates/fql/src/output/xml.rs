//! The XML form of FShell.

use std::fmt::Write;

use testcase::export::xml::escape;

use super::{Input, InputKind, Place, Tests};

/// Suites in the XML form, numbered from 0.
pub fn xml(suites: &[Tests]) -> String {
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fshell>\n");
    for (number, suite) in suites.iter().enumerate() {
        let _ = writeln!(text, "<test-suite index=\"{number}\">");
        for test in &suite.tests {
            text.push_str("<test-case>\n");
            let entry = &suite.entry;
            let _ =
                writeln!(text, "<entry><function>{}</function>{}</entry>", escape(&entry.name), place(&entry.place));
            test.inputs.iter().for_each(|input| object(&mut text, input));
            for call in &test.calls {
                let value = call.value.as_ref().map(|value| format!("<return-value>{}</return-value>", escape(value)));
                let _ = writeln!(
                    text,
                    "<function-call><base_name>{}</base_name>{}{}</function-call>",
                    escape(&call.name),
                    place(&call.place),
                    value.unwrap_or_default()
                );
            }
            for assignment in &test.assignments {
                let _ = writeln!(
                    text,
                    "<assign-global><identifier>{0}</identifier><base_name>{0}</base_name>{1}<value>{2}</value><type>{3}</type></assign-global>",
                    escape(&assignment.name),
                    place(&assignment.place),
                    escape(&assignment.value),
                    escape(&assignment.ty)
                );
            }
            text.push_str("</test-case>\n");
        }
        text.push_str("</test-suite>\n");
    }
    text.push_str("</fshell>\n");
    text
}

fn object(text: &mut String, input: &Input) {
    let kind = match input.kind {
        InputKind::Result => "undefined-function",
        InputKind::Parameter | InputKind::Global | InputKind::Local | InputKind::Object | InputKind::Heap => "variable",
    };
    let bits =
        if input.bits.is_empty() { String::new() } else { format!("<binary-value>{}</binary-value>", input.bits) };
    let _ = writeln!(
        text,
        "<object kind=\"{kind}\"><identifier>{0}</identifier><base_name>{0}</base_name>{1}<value>{2}</value>{bits}<type>{3}</type></object>",
        escape(&input.name),
        place(&input.place),
        escape(&input.value),
        escape(&input.ty)
    );
}

fn place(place: &Place) -> String {
    format!("<location><file>{}</file><line>{}</line></location>", escape(&place.file), place.line)
}
