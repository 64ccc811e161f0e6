//! Diagnostics: what is wrong with a user's text, where, and what to do about it.

use crate::Span;

/// A kind of diagnostic. Each has an entry in the book, made from these words.
#[derive(Debug, PartialEq, Eq)]
pub struct Code {
    /// The stable name, such as `bool-unknown-name`.
    pub id: &'static str,
    /// One line that says what it is about.
    pub title: &'static str,
    /// A short paragraph: when it is reported and how to mend it.
    pub explanation: &'static str,
}

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The input is rejected.
    Error,
    /// The input is accepted, but likely not what was meant.
    Warning,
}

/// Something to say about a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The kind.
    pub code: &'static Code,
    /// How bad it is.
    pub severity: Severity,
    /// The message: one sentence without a full stop.
    pub message: String,
    /// The places, the main one first.
    pub labels: Vec<Label>,
    /// Advice, each a sentence.
    pub help: Vec<String>,
}

/// A place with a few words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// The words; may be empty.
    pub text: String,
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(code: &'static Code, span: Span, message: impl Into<String>) -> Diagnostic {
        let label = Label { span, text: String::new() };
        Diagnostic { code, severity: Severity::Error, message: message.into(), labels: vec![label], help: Vec::new() }
    }

    /// A warning at a place.
    pub fn warning(code: &'static Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, span, message) }
    }

    /// The same with words at the main place.
    pub fn label(mut self, text: impl Into<String>) -> Diagnostic {
        self.labels[0].text = text.into();
        self
    }

    /// The same with another place.
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    /// The same with advice.
    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.help.push(text.into());
        self
    }
}
