//! The words of formulas and of `.ltl` files.

use logos::Logos;
use source::{LexError, Span, block_comment};

/// A word with its place; an error where no word can be read.
pub(crate) type Word = (Result<Token, LexError>, Span);

/// A word.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(error = LexError)]
#[logos(skip r"[ \t\r\n\f\u{feff}\u{a0}]+")]
#[logos(skip(r"(//|#|--)[^\n]*", allow_greedy = true))]
pub(crate) enum Token {
    #[token("/*", block_comment)]
    Comment,
    #[token("true")]
    #[token("TRUE")]
    #[token("tt")]
    #[token("⊤")]
    True,
    #[token("false")]
    #[token("FALSE")]
    #[token("ff")]
    #[token("⊥")]
    False,
    #[token("!")]
    #[token("~")]
    #[token("¬")]
    #[token("not")]
    #[token("NOT")]
    Not,
    #[token("&&")]
    #[token("&")]
    #[token("∧")]
    #[token("/\\")]
    #[token("*")]
    #[token("and")]
    #[token("AND")]
    And,
    #[token("||")]
    #[token("|")]
    #[token("∨")]
    #[token("\\/")]
    #[token("+")]
    #[token("or")]
    #[token("OR")]
    Or,
    #[token("^")]
    #[token("⊕")]
    #[token("xor")]
    Xor,
    #[token("->")]
    #[token("=>")]
    #[token("→")]
    #[token("⇒")]
    #[token("implies")]
    #[token("IMPLIES")]
    Implies,
    #[token("<->")]
    #[token("<=>")]
    #[token("<-->")]
    #[token("↔")]
    #[token("⇔")]
    #[token("iff")]
    #[token("EQUIV")]
    Iff,
    #[token("X")]
    #[token("○")]
    #[token("◯")]
    #[token("next")]
    #[token("next!")]
    Next,
    #[token("weak_next")]
    #[token("●")]
    WeakNext,
    #[token("F")]
    #[token("<>")]
    #[token("◇")]
    #[token("⋄")]
    #[token("♢")]
    #[token("eventually!")]
    #[token("eventually")]
    Finally,
    #[token("G")]
    #[token("[]")]
    #[token("□")]
    #[token("◻")]
    #[token("▢")]
    Globally,
    #[token("always")]
    Always,
    #[token("never")]
    Never,
    #[token("next_a")]
    NextAll,
    #[token("next_e")]
    #[token("next_e!")]
    NextSome,
    #[token("U")]
    #[token("until!")]
    Until,
    #[token("R")]
    #[token("V")]
    #[token("release")]
    Release,
    #[token("W")]
    #[token("until")]
    WeakUntil,
    #[token("M")]
    StrongRelease,
    #[token("until_")]
    UntilOverlapping,
    #[token("until!_")]
    StrongUntilOverlapping,
    #[token("before")]
    Before,
    #[token("before!")]
    StrongBefore,
    #[token("before_")]
    BeforeOverlapping,
    #[token("before!_")]
    StrongBeforeOverlapping,
    #[token("==")]
    #[token("=")]
    Equals,
    #[token(":")]
    Colon,
    #[token(";")]
    Semicolon,
    #[token(",")]
    Comma,
    #[token("..")]
    Range,
    #[token("$")]
    Dollar,
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
    #[regex(r"[0-9]+")]
    Number,
    #[regex(r"[\p{L}_][\p{L}\p{N}_@]*'*", priority = 1)]
    Name,
    #[regex(r"[.][a-z]+")]
    Directive,
    #[regex("\"[^\"\n]*\"")]
    Quoted,
    /// Past the last word.
    End,
}

/// Every word of a text.
pub(crate) fn words(text: &str) -> impl Iterator<Item = Word> {
    Token::lexer(text).spanned().map(|(token, range)| (token, Span::from(range)))
}

/// Whether a name is one word that is not an operator.
pub(crate) fn is_plain_name(name: &str) -> bool {
    let mut words = Token::lexer(name);
    words.next() == Some(Ok(Token::Name)) && words.next().is_none() && !crate::file::is_keyword(name)
}
