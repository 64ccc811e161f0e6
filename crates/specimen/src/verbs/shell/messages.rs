//! Messages of a session: as much as its verbosity asks for, and as XML where a program listens.

use front::failure::Failure;
use front::output::{Collected, Output};
use serde_json::Value as Json;
use testcase::export::xml::escape;

use crate::args::ShellArguments;

/// From this verbosity on errors are shown, and from that one on warnings.
const ERRORS: u8 = 1;
const WARNINGS: u8 = 2;

/// What becomes of messages.
pub(super) enum Messages {
    /// They stand on standard error, as elsewhere.
    Plain,
    /// They are kept until a line has been obeyed, then shown as XML on standard output.
    Xml { collected: Collected, verbosity: u8 },
    /// Nobody wants them.
    Dropped,
}

impl Messages {
    /// The output of a session, and what becomes of its messages.
    pub(super) fn new(output: &Output, arguments: &ShellArguments) -> (Output, Messages) {
        let verbosity = arguments.verbosity.unwrap_or(u8::MAX);
        if arguments.xml_ui {
            let (kept, collected) = output.keeping();
            return (kept, Messages::Xml { collected, verbosity });
        }
        match verbosity {
            0..ERRORS => (output.silent(), Messages::Dropped),
            ERRORS..WARNINGS => {
                let mut quiet = output.clone();
                quiet.quiet = true;
                (quiet, Messages::Plain)
            }
            WARNINGS.. => (output.clone(), Messages::Plain),
        }
    }

    /// Shows what was kept.
    pub(super) fn flush(&self, output: &Output) -> Result<(), Failure> {
        let Messages::Xml { collected, verbosity } = self else { return Ok(()) };
        let mut text = String::new();
        for message in collected.take() {
            let is_error = message["severity"] == "error";
            if *verbosity < ERRORS || !is_error && *verbosity < WARNINGS {
                continue;
            }
            let kind = if is_error { "ERROR" } else { "WARNING" };
            text.push_str(&element(kind, &message));
        }
        output.product(&text)
    }

    /// Says how a query went.
    pub(super) fn status(&self, output: &Output, line: &str) {
        match self {
            Messages::Plain => output.talk(line),
            Messages::Dropped => {}
            Messages::Xml { .. } => {
                // A closed standard output is noticed when the suite is shown.
                let _ = output.product(&format!("<message type=\"STATUS\"><text>{}</text></message>\n", escape(line)));
            }
        }
    }
}

/// A message with its place, where it has one.
fn element(kind: &str, message: &Json) -> String {
    let text = message["message"].as_str().unwrap_or_default();
    let place = match (message["file"].as_str(), message["line"].as_u64()) {
        (Some(file), Some(line)) => format!("<location file=\"{}\" line=\"{line}\"/>", escape(file)),
        _ => String::new(),
    };
    format!("<message type=\"{kind}\">{place}<text>{}</text></message>\n", escape(text))
}
