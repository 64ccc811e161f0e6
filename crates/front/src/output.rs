//! Output: the product, and talk about it. Which channel takes them is not decided here.

use std::fmt;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use anstyle::{AnsiColor, Style as Paint};
use clap::ValueEnum;
use serde_json::Value as Json;
use source::{Diagnostic, Source, Style};

use crate::failure::Failure;

/// The form of the product and of diagnostics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// For people.
    Human,
    /// For programs: JSON.
    Json,
}

/// Where what is said goes: a terminal, or nobody.
pub trait Channel: fmt::Debug + Send + Sync {
    /// Takes the product.
    fn product(&self) -> Box<dyn Write + '_>;

    /// Takes a line of talk. If nobody listens there, there is nobody to tell.
    fn say(&self, line: &str);

    /// Whether a line of talk can be drawn again, as a progress bar is.
    fn redraws(&self) -> bool;
}

/// A channel on which nobody listens.
#[derive(Debug)]
struct Nobody;

impl Channel for Nobody {
    fn product(&self) -> Box<dyn Write + '_> {
        Box::new(io::sink())
    }

    fn say(&self, _line: &str) {}

    fn redraws(&self) -> bool {
        false
    }
}

/// Whether products and talk have colours.
#[derive(Clone, Copy, Debug)]
pub struct Styles {
    /// Of the product.
    pub product: Style,
    /// Of talk.
    pub talk: Style,
}

impl Styles {
    /// No colours at all.
    pub const PLAIN: Styles = Styles { product: Style::Plain, talk: Style::Plain };
}

/// Where a verb says things, and how.
#[derive(Clone, Debug)]
pub struct Output {
    /// The form of the product.
    pub form: Form,
    /// Only errors are talked about.
    pub quiet: bool,
    /// More is shown.
    pub verbose: bool,
    styles: Styles,
    channel: Arc<dyn Channel>,
    /// Where diagnostics go in place of the channel.
    collected: Option<Collected>,
}

/// Diagnostics as JSON, for someone who is not at the terminal.
#[derive(Clone, Debug, Default)]
pub struct Collected(Arc<Mutex<Vec<Json>>>);

impl Collected {
    /// What was said since the last time.
    pub fn take(&self) -> Vec<Json> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn push(&self, said: Json) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(said);
    }
}

impl Output {
    /// An output on a channel; products and talk are coloured as the styles say.
    pub fn new(form: Form, quiet: bool, verbose: bool, styles: Styles, channel: Arc<dyn Channel>) -> Output {
        Output { form, quiet, verbose, styles, channel, collected: None }
    }

    /// An output that says nothing anywhere and keeps what it would say.
    pub fn collecting() -> (Output, Collected) {
        Output::new(Form::Json, false, false, Styles::PLAIN, Arc::new(Nobody)).keeping()
    }

    /// The same, as JSON and without colours, keeping what it would say.
    pub fn keeping(&self) -> (Output, Collected) {
        let collected = Collected::default();
        let kept = Output {
            form: Form::Json,
            quiet: false,
            verbose: false,
            styles: Styles::PLAIN,
            collected: Some(collected.clone()),
            ..self.clone()
        };
        (kept, collected)
    }

    /// The same, but saying nothing.
    pub fn silent(&self) -> Output {
        Output { collected: Some(Collected::default()), ..self.clone() }
    }

    /// Writes the product.
    pub fn product(&self, text: &str) -> Result<(), Failure> {
        let mut out = self.channel.product();
        out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(|error| match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::Closed,
            _ => Failure::Environment(format!("cannot write to standard output: {error}")),
        })
    }

    /// The product, for what writes it piece by piece.
    pub fn writer(&self) -> Box<dyn Write + '_> {
        self.channel.product()
    }

    /// Says a line, unless told to be quiet.
    pub fn talk(&self, line: &str) {
        if !self.quiet && self.collected.is_none() {
            self.channel.say(line);
        }
    }

    /// Says what went wrong, in one line.
    pub fn complain(&self, text: &str) {
        if let Some(collected) = &self.collected {
            collected.push(serde_json::json!({ "severity": "error", "message": text }));
            return;
        }
        match self.form {
            Form::Human => self.channel.say(&format!("{}: {text}", self.paint_err("error", AnsiColor::Red))),
            Form::Json => self.channel.say(&serde_json::json!({ "severity": "error", "message": text }).to_string()),
        }
    }

    /// Says what ended a verb, with the code of the mistake where it has one.
    pub fn complain_of(&self, failure: &Failure) {
        let Some(code) = failure.code().filter(|_| self.collected.is_none()) else {
            return self.complain(&failure.to_string());
        };
        let text = failure.to_string();
        match self.form {
            Form::Human => {
                self.channel.say(&format!("{}: {text}", self.paint_err(&format!("error[{}]", code.id), AnsiColor::Red)))
            }
            Form::Json => {
                let help = format!("specimen explain {}", code.id);
                let said = serde_json::json!({ "severity": "error", "code": code.id, "message": text, "help": [help] });
                self.channel.say(&said.to_string());
            }
        }
    }

    /// Says what may be wrong, in one line, unless told to be quiet.
    pub fn warn(&self, text: &str) {
        if self.quiet {
            return;
        }
        if let Some(collected) = &self.collected {
            collected.push(serde_json::json!({ "severity": "warning", "message": text }));
            return;
        }
        match self.form {
            Form::Human => self.channel.say(&format!("{}: {text}", self.paint_err("warning", AnsiColor::Yellow))),
            Form::Json => self.channel.say(&serde_json::json!({ "severity": "warning", "message": text }).to_string()),
        }
    }

    /// Shows diagnostics ; when quiet, errors only.
    pub fn diagnostics(&self, source: &Source, diagnostics: &[Diagnostic]) {
        for diagnostic in diagnostics {
            if self.quiet && diagnostic.severity == source::Severity::Warning {
                continue;
            }
            match (&self.collected, self.form) {
                (Some(collected), _) => {
                    let said = source::render_json(source, diagnostic);
                    collected.push(serde_json::from_str(&said).unwrap_or(Json::String(said)));
                }
                (None, Form::Human) => self.channel.say(&source::render(source, diagnostic, self.styles.talk)),
                (None, Form::Json) => self.channel.say(&source::render_json(source, diagnostic)),
            }
        }
    }

    /// Shows what is wrong with a text, and says that it has been shown.
    pub fn rejected(&self, source: &Source, diagnostics: &[Diagnostic]) -> Failure {
        self.diagnostics(source, diagnostics);
        Failure::Shown
    }

    /// What was read from a text, once its warnings have been shown; its errors, shown, where it cannot be read.
    pub fn checked<T>(
        &self,
        source: &Source,
        loaded: Result<(T, Vec<Diagnostic>), Vec<Diagnostic>>,
    ) -> Result<T, Failure> {
        let (read, warnings) = loaded.map_err(|errors| self.rejected(source, &errors))?;
        self.diagnostics(source, &warnings);
        Ok(read)
    }

    /// Text for the product in a colour, where colours are wanted.
    pub fn paint(&self, text: &str, colour: AnsiColor) -> String {
        painted(text, colour, self.styles.product)
    }

    /// Text for the product in bold.
    pub fn bold(&self, text: &str) -> String {
        match self.styles.product {
            Style::Plain => text.to_owned(),
            Style::Coloured => format!("{0}{text}{0:#}", Paint::new().bold()),
        }
    }

    fn paint_err(&self, text: &str, colour: AnsiColor) -> String {
        painted(text, colour, self.styles.talk)
    }

    /// Whether a progress bar may be drawn.
    pub fn shows_progress(&self) -> bool {
        !self.quiet && self.form == Form::Human && self.channel.redraws()
    }
}

fn painted(text: &str, colour: AnsiColor, style: Style) -> String {
    match style {
        Style::Plain => text.to_owned(),
        Style::Coloured => format!("{0}{text}{0:#}", Paint::new().bold().fg_color(Some(colour.into()))),
    }
}
