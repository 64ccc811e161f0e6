//! The words of a `.pl` file.

use logos::{FilterResult, Lexer, Logos};
use source::{LexError, block_comment};

/// A word.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(error = LexError)]
#[logos(skip r"[ \t\r\n\f\u{feff}\u{a0}]+")]
#[logos(skip(r"%[^\n]*", allow_greedy = true))]
pub(crate) enum Token {
    #[token("/*", block_comment)]
    Comment,
    #[token("#<=>")]
    Iff,
    #[token("#=>")]
    Implies,
    #[token("#<=")]
    ImpliedBy,
    #[token("#=<")]
    #[token("=<")]
    AtMost,
    #[token("#>=")]
    #[token(">=")]
    AtLeast,
    #[token("#\\=")]
    #[token("\\=")]
    Different,
    #[token("#/\\")]
    #[token("/\\")]
    And,
    #[token("#\\/")]
    #[token("\\/")]
    Or,
    #[token("#\\")]
    Hash,
    #[token("#=")]
    #[token("=")]
    Equal,
    #[token("#>")]
    #[token(">")]
    Greater,
    #[token("#<")]
    #[token("<")]
    Less,
    #[token(":=")]
    Assign,
    #[token("::")]
    Action,
    #[token(":-")]
    Neck,
    #[token("=>")]
    Guard,
    #[token("//")]
    Priority,
    #[token("..")]
    Range,
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[token("[")]
    OpenBracket,
    #[token("]")]
    CloseBracket,
    #[token(",")]
    Comma,
    #[token(";")]
    Semicolon,
    #[token(":")]
    Colon,
    #[token(".")]
    Stop,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("in")]
    In,
    #[token("mod")]
    Mod,
    #[regex(r"'[^'\n]+'")]
    Quoted,
    #[regex(r"'[^'\n]*", open_quote)]
    BrokenQuote,
    #[regex(r"[0-9]+")]
    Number,
    #[regex(r"[\p{L}_][\p{L}\p{N}_]*")]
    Name,
    /// Past the last word.
    End,
}

fn open_quote(_: &mut Lexer<'_, Token>) -> FilterResult<(), LexError> {
    FilterResult::Error(LexError::OpenQuote)
}
