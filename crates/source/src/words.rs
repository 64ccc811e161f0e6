//! What lexers have in common: comments in blocks, and what is said of text that is not a word.

use logos::{FilterResult, Lexer, Logos};

use crate::{Code, Diagnostic, Source, Span};

/// What cannot be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LexError {
    /// A character that starts no word.
    #[default]
    Character,
    /// `/*` without `*/`.
    OpenComment,
    /// A quote that is not closed on its line.
    OpenQuote,
}

impl LexError {
    /// What to tell the user about the text at a place.
    #[must_use]
    pub fn report(self, code: &'static Code, source: &Source, span: Span) -> Diagnostic {
        match self {
            LexError::Character => {
                let first = source.slice(span).chars().next().unwrap_or(char::REPLACEMENT_CHARACTER);
                let message = if first == '\0' {
                    "there is a zero byte in the text; this does not look like a text file".to_owned()
                } else if first.is_control() {
                    format!("unexpected control character U+{:04X}", u32::from(first))
                } else {
                    format!("unexpected character `{first}`")
                };
                let error = Diagnostic::error(code, span, message);
                match copied(first) {
                    Some(help) => error.help(help),
                    None => error,
                }
            }
            LexError::OpenComment => {
                let opening = Span { end: span.start + 2, ..span };
                Diagnostic::error(code, opening, "this comment is never closed").help("Close it with `*/`.")
            }
            LexError::OpenQuote => Diagnostic::error(code, span, "this quoted name is not closed on its line"),
        }
    }
}

/// What to type for a sign that a text processor or a formula in a paper has.
fn copied(sign: char) -> Option<&'static str> {
    match sign {
        '\u{2212}' | '\u{2013}' | '\u{2014}' => Some("This dash was copied from a text: type `-`."),
        '\u{201c}' | '\u{201d}' | '\u{2018}' | '\u{2019}' => {
            Some("This quote was copied from a text: type `'` or `\"`.")
        }
        '\u{2264}' => Some("Type `<=`."),
        '\u{2265}' => Some("Type `>=`."),
        '\u{2260}' => Some("Type `!=`."),
        '\u{00a0}' | '\u{200b}' => Some("This space was copied from a text: type an ordinary one."),
        _ => None,
    }
}

/// Skips a comment whose `/*` was just read; the callback of that word.
pub fn block_comment<'s, T>(lexer: &mut Lexer<'s, T>) -> FilterResult<(), LexError>
where
    T: Logos<'s, Source = str>,
{
    match lexer.remainder().find("*/") {
        Some(length) => {
            lexer.bump(length + 2);
            FilterResult::Skip
        }
        None => {
            lexer.bump(lexer.remainder().len());
            FilterResult::Error(LexError::OpenComment)
        }
    }
}
