//! Output: the product on standard output, talk on standard error.

use std::io::{self, IsTerminal, Write};
use std::sync::{Arc, Mutex, PoisonError};

use anstyle::{AnsiColor, Style as Paint};
use clap::ValueEnum;
use serde_json::Value as Json;
use source::{Diagnostic, Source, Style};

use crate::failure::Failure;

/// The form of the product and of diagnostics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// For people.
    Human,
    /// For programs: JSON.
    Json,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Colour {
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// Where a verb says things, and how.
#[derive(Clone, Debug)]
pub(crate) struct Output {
    /// The form of the product.
    pub(crate) form: Form,
    /// Only errors are talked about.
    pub(crate) quiet: bool,
    /// More is shown.
    pub(crate) verbose: bool,
    out_style: Style,
    err_style: Style,
    /// Where diagnostics go in place of standard error.
    collected: Option<Collected>,
}

/// Diagnostics as JSON, for someone who is not at the terminal.
#[derive(Clone, Debug, Default)]
pub(crate) struct Collected(Arc<Mutex<Vec<Json>>>);

impl Collected {
    /// What was said since the last time.
    pub(crate) fn take(&self) -> Vec<Json> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn push(&self, said: Json) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(said);
    }
}

impl Output {
    pub(crate) fn new(form: Form, colour: Colour, quiet: bool, verbose: bool) -> Output {
        let style = |terminal: bool| match colour {
            Colour::Always => Style::Coloured,
            Colour::Never => Style::Plain,
            Colour::Auto
                if terminal && !is_set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|term| term != "dumb") =>
            {
                Style::Coloured
            }
            Colour::Auto => Style::Plain,
        };
        let (out_style, err_style) = (style(io::stdout().is_terminal()), style(io::stderr().is_terminal()));
        Output { form, quiet, verbose, out_style, err_style, collected: None }
    }

    /// An output that says nothing on the terminal and keeps what it would say.
    pub(crate) fn collecting() -> (Output, Collected) {
        let collected = Collected::default();
        let output = Output::new(Form::Json, Colour::Never, false, false);
        (Output { collected: Some(collected.clone()), ..output }, collected)
    }

    /// The same, but saying nothing.
    pub(crate) fn silent(&self) -> Output {
        Output { collected: Some(Collected::default()), ..self.clone() }
    }

    /// Writes to standard output.
    pub(crate) fn product(&self, text: &str) -> Result<(), Failure> {
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(|error| match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::Closed,
            _ => Failure::Environment(format!("cannot write to standard output: {error}")),
        })
    }

    /// Says a line on standard error, unless told to be quiet.
    pub(crate) fn talk(&self, line: &str) {
        if !self.quiet && self.collected.is_none() {
            say(line);
        }
    }

    /// Says what went wrong, in one line.
    pub(crate) fn complain(&self, text: &str) {
        if let Some(collected) = &self.collected {
            collected.push(serde_json::json!({ "severity": "error", "message": text }));
            return;
        }
        match self.form {
            Form::Human => say(&format!("{}: {text}", self.paint_err("error", AnsiColor::Red))),
            Form::Json => say(&serde_json::json!({ "severity": "error", "message": text }).to_string()),
        }
    }

    /// Says what ended a verb, with the code of the mistake where it has one.
    pub(crate) fn complain_of(&self, failure: &Failure) {
        let Some(code) = failure.code().filter(|_| self.collected.is_none()) else {
            return self.complain(&failure.to_string());
        };
        let text = failure.to_string();
        match self.form {
            Form::Human => say(&format!("{}: {text}", self.paint_err(&format!("error[{}]", code.id), AnsiColor::Red))),
            Form::Json => {
                let help = format!("specimen explain {}", code.id);
                let said = serde_json::json!({ "severity": "error", "code": code.id, "message": text, "help": [help] });
                say(&said.to_string());
            }
        }
    }

    /// Says what may be wrong, in one line, unless told to be quiet.
    pub(crate) fn warn(&self, text: &str) {
        if self.quiet {
            return;
        }
        if let Some(collected) = &self.collected {
            collected.push(serde_json::json!({ "severity": "warning", "message": text }));
            return;
        }
        match self.form {
            Form::Human => say(&format!("{}: {text}", self.paint_err("warning", AnsiColor::Yellow))),
            Form::Json => say(&serde_json::json!({ "severity": "warning", "message": text }).to_string()),
        }
    }

    /// Shows diagnostics on standard error; when quiet, errors only.
    pub(crate) fn diagnostics(&self, source: &Source, diagnostics: &[Diagnostic]) {
        for diagnostic in diagnostics {
            if self.quiet && diagnostic.severity == source::Severity::Warning {
                continue;
            }
            match (&self.collected, self.form) {
                (Some(collected), _) => {
                    let said = source::render_json(source, diagnostic);
                    collected.push(serde_json::from_str(&said).unwrap_or(Json::String(said)));
                }
                (None, Form::Human) => say(&source::render(source, diagnostic, self.err_style)),
                (None, Form::Json) => say(&source::render_json(source, diagnostic)),
            }
        }
    }

    /// Shows what is wrong with a text, and says that it has been shown.
    pub(crate) fn rejected(&self, source: &Source, diagnostics: &[Diagnostic]) -> Failure {
        self.diagnostics(source, diagnostics);
        Failure::Shown
    }

    /// Text for standard output in a colour, where colours are wanted.
    pub(crate) fn paint(&self, text: &str, colour: AnsiColor) -> String {
        painted(text, colour, self.out_style)
    }

    /// Text for standard output in bold.
    pub(crate) fn bold(&self, text: &str) -> String {
        match self.out_style {
            Style::Plain => text.to_owned(),
            Style::Coloured => format!("{0}{text}{0:#}", Paint::new().bold()),
        }
    }

    fn paint_err(&self, text: &str, colour: AnsiColor) -> String {
        painted(text, colour, self.err_style)
    }

    /// Whether a progress bar may be drawn.
    pub(crate) fn shows_progress(&self) -> bool {
        !self.quiet && self.form == Form::Human && io::stderr().is_terminal()
    }
}

fn painted(text: &str, colour: AnsiColor, style: Style) -> String {
    match style {
        Style::Plain => text.to_owned(),
        Style::Coloured => format!("{0}{text}{0:#}", Paint::new().bold().fg_color(Some(colour.into()))),
    }
}

/// A line on standard error. If nobody listens there, there is nobody to tell.
pub(crate) fn say(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}

fn is_set(variable: &str) -> bool {
    std::env::var_os(variable).is_some_and(|value| !value.is_empty())
}
