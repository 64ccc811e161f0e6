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
                Diagnostic::error(code, span, message)
            }
            LexError::OpenComment => {
                let opening = Span { end: span.start + 2, ..span };
                Diagnostic::error(code, opening, "this comment is never closed").help("Close it with `*/`.")
            }
            LexError::OpenQuote => Diagnostic::error(code, span, "this quoted name is not closed on its line"),
        }
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
