//! The words of a `.bool` file.

use logos::Logos;
use source::{LexError, Span, block_comment};

/// A word with its place; an error where no word can be read.
pub(crate) type Word = (Result<Token, LexError>, Span);

/// A word.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(error = LexError)]
#[logos(skip r"[ \t\r\n\f\u{feff}\u{a0}]+")]
#[logos(skip(r"(//|#)[^\n]*", allow_greedy = true))]
pub(crate) enum Token {
    #[token("/*", block_comment)]
    Comment,
    #[token("type")]
    Type,
    #[token("input")]
    #[token("var")]
    Input,
    #[token("let")]
    Let,
    #[token("assume")]
    Assume,
    #[token("decision")]
    Decision,
    #[token("in")]
    In,
    #[token("of")]
    Of,
    #[token("true")]
    True,
    #[token("false")]
    False,
    #[token("!")]
    #[token("~")]
    #[token("¬")]
    #[token("not")]
    Not,
    #[token("&&")]
    #[token("&")]
    #[token("∧")]
    #[token("and")]
    And,
    #[token("||")]
    #[token("|")]
    #[token("∨")]
    #[token("or")]
    Or,
    #[token("^")]
    #[token("⊕")]
    #[token("xor")]
    Xor,
    #[token("->")]
    #[token("=>")]
    #[token("→")]
    #[token("implies")]
    Implies,
    #[token("<->")]
    #[token("<=>")]
    #[token("↔")]
    #[token("iff")]
    Iff,
    #[token("==")]
    EqEq,
    #[token("=")]
    Eq,
    #[token("!=")]
    #[token("≠")]
    Ne,
    #[token("<")]
    Lt,
    #[token("<=")]
    #[token("≤")]
    Le,
    #[token(">")]
    Gt,
    #[token(">=")]
    #[token("≥")]
    Ge,
    #[token("<<")]
    ShiftLeft,
    #[token(">>")]
    ShiftRight,
    #[token("+")]
    Plus,
    #[token("-")]
    #[token("−")]
    Minus,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("div")]
    Div,
    #[token("mod")]
    #[token("%")]
    Mod,
    #[token("?")]
    Question,
    #[token(":")]
    Colon,
    #[token(";")]
    Semicolon,
    #[token(",")]
    Comma,
    #[token("..")]
    #[token("…")]
    Range,
    #[token(".")]
    Dot,
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[token("[")]
    OpenBracket,
    #[token("]")]
    CloseBracket,
    #[token("{")]
    OpenBrace,
    #[token("}")]
    CloseBrace,
    #[regex(r"[0-9][0-9A-Za-z_]*(\.[0-9][0-9A-Za-z_]*)?")]
    Number,
    #[regex(r"[\p{L}_][\p{L}\p{N}_']*")]
    Name,
    /// Past the last word.
    End,
}

/// Every word of a text.
pub(crate) fn words(text: &str) -> impl Iterator<Item = Word> {
    Token::lexer(text).spanned().map(|(token, range)| (token, Span::from(range)))
}
