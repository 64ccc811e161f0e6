//! Labels, steps and traces, and their text.

use std::fmt;

use source::{Diagnostic, Source, Span};

use crate::codes;
use crate::spec::Spec;

/// An action that happened, with its arguments.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Event {
    /// The action.
    pub action: String,
    /// The arguments.
    pub arguments: Vec<i64>,
}

/// The label of a step: one event, or several where the do-od block joins actions in a sequence.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Label(pub Vec<Event>);

/// A step: a label and the state after it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Step {
    /// The label.
    pub label: Label,
    /// The state after the step.
    pub post: Vec<i64>,
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plain = |character: char| character.is_alphanumeric() || character == '_';
        if self.action.chars().all(plain) {
            f.write_str(&self.action)?
        } else {
            write!(f, "'{}'", self.action)?
        }
        if self.arguments.is_empty() {
            return Ok(());
        }
        let arguments: Vec<String> = self.arguments.iter().map(i64::to_string).collect();
        write!(f, "({})", arguments.join(","))
    }
}

/// `after(20)`; the events of a joint step are joined by `+`.
impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, event) in self.0.iter().enumerate() {
            if 0 < index {
                f.write_str("+")?;
            }
            write!(f, "{event}")?;
        }
        Ok(())
    }
}

impl Spec {
    /// A state as people read it: `loc=4, armOn=1`.
    pub fn show_state(&self, state: &[i64]) -> String {
        let one = |(slot, value): (&crate::spec::Slot, &i64)| format!("{}={}", slot.name, slot.show(*value));
        self.slots().iter().zip(state).map(one).collect::<Vec<_>>().join(", ")
    }
}

/// The labels in a text, separated by commas or line breaks; `#` and `%` begin comments.
///
/// # Errors
/// When the text is not a list of labels.
pub fn read_labels(source: &Source) -> Result<Vec<(Label, Span)>, Vec<Diagnostic>> {
    let mut reader = Reader { text: source.text(), at: 0 };
    let mut labels = Vec::new();
    loop {
        reader.skip(true);
        if reader.at == reader.text.len() {
            return Ok(labels);
        }
        let begin = reader.at;
        let label = reader.label().map_err(|error| vec![error])?;
        labels.push((label, Span::new(begin, reader.at)));
        reader.skip(false);
        let rest = &reader.text[reader.at..];
        if !rest.is_empty() && !rest.starts_with([',', ';', '\n']) {
            return Err(vec![reader.error("expected `,` or the end of the line behind a label")]);
        }
    }
}

/// The one label in a text.
pub fn read_label(text: &str) -> Option<Label> {
    let labels = read_labels(&Source::new("label", text)).ok()?;
    <[_; 1]>::try_from(labels).ok().map(|[(label, _)]| label)
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    /// Skips blanks and comments; between labels also line breaks and separators.
    fn skip(&mut self, between: bool) {
        loop {
            let blank = |character: char| match character {
                '\n' | ',' | ';' => between,
                other => other.is_whitespace(),
            };
            let length = self.rest().len() - self.rest().trim_start_matches(blank).len();
            self.at += length;
            if !self.rest().starts_with(['#', '%']) {
                return;
            }
            self.at += self.rest().find('\n').unwrap_or(self.rest().len());
        }
    }

    fn error(&self, message: &str) -> Diagnostic {
        let length = self.rest().chars().next().map_or(0, char::len_utf8);
        Diagnostic::error(&codes::TRACE, Span::new(self.at, self.at + length), message)
    }

    fn label(&mut self) -> Result<Label, Diagnostic> {
        let mut events = vec![self.event()?];
        while self.rest().starts_with('+') {
            self.at += 1;
            events.push(self.event()?);
        }
        Ok(Label(events))
    }

    fn event(&mut self) -> Result<Event, Diagnostic> {
        let action = self.name()?;
        let mut arguments = Vec::new();
        if self.rest().starts_with('(') {
            self.at += 1;
            loop {
                arguments.push(self.number()?);
                let next = self.rest().chars().next();
                match next {
                    Some(',') => self.at += 1,
                    Some(')') => {
                        self.at += 1;
                        break;
                    }
                    _ => return Err(self.error("expected `,` or `)` behind an argument")),
                }
            }
        }
        Ok(Event { action, arguments })
    }

    fn name(&mut self) -> Result<String, Diagnostic> {
        if let Some(quoted) = self.rest().strip_prefix('\'') {
            let Some(length) = quoted.find('\'') else { return Err(self.error("this quoted label is never closed")) };
            let name = quoted[..length].to_owned();
            self.at += length + 2;
            return Ok(name);
        }
        let end = |character: char| !(character.is_alphanumeric() || character == '_');
        let length = self.rest().find(end).unwrap_or(self.rest().len());
        if length == 0 {
            return Err(self.error("expected a label, as in `after(20)`"));
        }
        let name = self.rest()[..length].to_owned();
        self.at += length;
        Ok(name)
    }

    fn number(&mut self) -> Result<i64, Diagnostic> {
        self.at += self.rest().len() - self.rest().trim_start_matches(' ').len();
        let digits = |character: char| !(character.is_ascii_digit() || character == '-');
        let length = self.rest().find(digits).unwrap_or(self.rest().len());
        let number = self.rest()[..length].parse().map_err(|_| self.error("expected a number"))?;
        self.at += length;
        self.at += self.rest().len() - self.rest().trim_start_matches(' ').len();
        Ok(number)
    }
}
