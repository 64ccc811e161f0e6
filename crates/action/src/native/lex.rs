//! The words of an `.as` file.

use logos::Logos;
use source::{LexError, block_comment};

/// A word.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(error = LexError)]
#[logos(skip r"[ \t\r\n\f\u{feff}\u{a0}]+")]
#[logos(skip(r"//[^\n]*", allow_greedy = true))]
pub(crate) enum Token {
    #[token("/*", block_comment)]
    Comment,
    #[token("depth")]
    Depth,
    #[token("const")]
    Const,
    #[token("type")]
    Type,
    #[token("array")]
    Array,
    #[token("of")]
    Of,
    #[token("var")]
    Var,
    #[token("input")]
    Input,
    #[token("internal")]
    Internal,
    #[token("action")]
    Action,
    #[token("when")]
    When,
    #[token("choose")]
    Choose,
    #[token("record")]
    Record,
    #[token("machine")]
    Machine,
    #[token(".")]
    Dot,
    #[token("let")]
    Let,
    #[token("invariant")]
    Invariant,
    #[token("forall")]
    Forall,
    #[token("exists")]
    Exists,
    #[token("sum")]
    Sum,
    #[token("|")]
    Bar,
    #[token("any")]
    Any,
    #[token("where")]
    Where,
    #[token("try")]
    Try,
    #[token("else")]
    Else,
    #[token("skip")]
    Skip,
    #[token("do")]
    Do,
    #[token("od")]
    Od,
    #[token("for")]
    For,
    #[token("true")]
    True,
    #[token("false")]
    False,
    #[token("not")]
    #[token("¬")]
    Not,
    #[token("and")]
    #[token("∧")]
    And,
    #[token("or")]
    #[token("∨")]
    Or,
    #[token("xor")]
    Xor,
    #[token("mod")]
    Mod,
    #[token("->")]
    Implies,
    #[token("<-")]
    ImpliedBy,
    #[token("<->")]
    Iff,
    #[token("=")]
    Equal,
    #[token("!=")]
    #[token("≠")]
    Different,
    #[token("<")]
    Less,
    #[token("<=")]
    #[token("≤")]
    AtMost,
    #[token(">")]
    Greater,
    #[token(">=")]
    #[token("≥")]
    AtLeast,
    #[token(":=")]
    Assign,
    #[token("..")]
    Range,
    #[token("[]")]
    Box,
    #[token(">>")]
    Before,
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
    #[token(",")]
    Comma,
    #[token(";")]
    Semicolon,
    #[token(":")]
    Colon,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[regex(r"[0-9]+")]
    Number,
    #[regex(r"[\p{L}_][\p{L}\p{N}_]*")]
    Name,
    #[regex(r"'[^'\n]+'")]
    Quoted,
    /// Past the last word.
    End,
}

/// Whether a text is one plain name of this notation and of the other one, and no word with a meaning.
pub(crate) fn is_plain_name(text: &str) -> bool {
    let mut lexer = Token::lexer(text);
    lexer.next() == Some(Ok(Token::Name)) && lexer.next().is_none() && lexer.span().end == text.len()
}
