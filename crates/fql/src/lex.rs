//! The words of a query.

use logos::{FilterResult, Lexer, Logos};
use source::{Diagnostic, Span};

use crate::codes::SYNTAX;

/// A word.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(error = LexError)]
#[logos(skip r"[ \t\r\n\f\u{feff}\u{a0}]+")]
#[logos(skip(r"//[^\n]*", allow_greedy = true))]
pub(crate) enum Token {
    #[token("/*", comment)]
    Comment,
    #[regex("[A-Za-z_][A-Za-z_0-9]*")]
    Word,
    #[regex("[0-9]+")]
    Number,
    #[token("@")]
    At,
    #[regex(r"'[^'\n]*'")]
    File,
    #[token("{", predicate)]
    Predicate,
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[token(",")]
    Comma,
    #[token("+")]
    Plus,
    #[token(".")]
    Dot,
    #[token("->")]
    Arrow,
    #[token("*")]
    Star,
    #[token("==")]
    Equal,
    #[token("<=")]
    AtMost,
    #[token(">=")]
    AtLeast,
    #[token("|")]
    Bar,
    #[token("&")]
    And,
    #[token("^")]
    Start,
    #[token("$")]
    End,
    #[token("\"")]
    Quote,
    #[token("?:")]
    Conditional,
}

/// What cannot be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum LexError {
    /// A character that starts no word.
    #[default]
    Character,
    /// `/*` without `*/`.
    OpenComment,
    /// `{` without `}`.
    OpenPredicate,
    /// `{` within `{…}`.
    NestedBrace,
}

/// A word with its place.
pub(crate) type Word = (Token, Span);

/// The words of a text.
pub(crate) fn lex(text: &str) -> Result<Vec<Word>, Diagnostic> {
    let mut words = Vec::new();
    let mut lexer = Token::lexer(text);
    while let Some(read) = lexer.next() {
        let span = Span::from(lexer.span());
        match read {
            Ok(token) => words.push((token, span)),
            Err(error) => return Err(complain(error, span, text)),
        }
    }
    Ok(words)
}

fn complain(error: LexError, span: Span, text: &str) -> Diagnostic {
    let start = Span::new(span.start as usize, span.start as usize + 1);
    match error {
        LexError::Character => {
            let said = text[span.range()].chars().next().map(|found| found.escape_debug().to_string());
            Diagnostic::error(&SYNTAX, span, format!("`{}` means nothing in a query", said.unwrap_or_default()))
                .help("File names stand in single quotes, path patterns in double quotes, C expressions in braces.")
        }
        LexError::OpenComment => Diagnostic::error(&SYNTAX, start, "this comment never ends"),
        LexError::OpenPredicate => Diagnostic::error(&SYNTAX, start, "this predicate never ends")
            .help("A predicate is one C expression in braces: `{x > 0}`."),
        LexError::NestedBrace => Diagnostic::error(&SYNTAX, span, "a predicate holds no braces")
            .help("A predicate is one C expression, not a statement."),
    }
}

fn comment(lexer: &mut Lexer<Token>) -> FilterResult<(), LexError> {
    match lexer.remainder().find("*/") {
        Some(at) => {
            lexer.bump(at + 2);
            FilterResult::Skip
        }
        None => FilterResult::Error(LexError::OpenComment),
    }
}

/// Reads up to the closing brace; braces in character and string constants do not count.
fn predicate(lexer: &mut Lexer<Token>) -> Result<(), LexError> {
    let bytes = lexer.remainder().as_bytes();
    let mut at = 0;
    let mut quote: Option<u8> = None;
    while at < bytes.len() {
        match (quote, bytes[at]) {
            (Some(_), b'\\') => at += 1,
            (Some(open), byte) if open == byte => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(bytes[at]),
            (None, b'}') => {
                lexer.bump(at + 1);
                return Ok(());
            }
            (None, b'{') => return Err(LexError::NestedBrace),
            (None, _) => {}
        }
        at += 1;
    }
    Err(LexError::OpenPredicate)
}
