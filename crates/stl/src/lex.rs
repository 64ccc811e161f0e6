//! The words of an `.stl` file.

use logos::Logos;
use source::Span;

/// A word.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\f\u{feff}\u{a0}]+")]
#[logos(skip(r"(//|#)[^\n]*", allow_greedy = true))]
pub(crate) enum Token {
    #[token("true")]
    #[token("⊤")]
    True,
    #[token("false")]
    #[token("⊥")]
    False,
    #[token("!")]
    #[token("¬")]
    #[token("~")]
    #[token("not")]
    Not,
    #[token("&")]
    #[token("&&")]
    #[token("∧")]
    #[token("and")]
    And,
    #[token("|")]
    #[token("||")]
    #[token("∨")]
    #[token("or")]
    Or,
    #[token("->")]
    #[token("=>")]
    #[token("→")]
    #[token("implies")]
    Implies,
    #[token("G")]
    #[token("[]")]
    #[token("□")]
    Globally,
    #[token("F")]
    #[token("<>")]
    #[token("◇")]
    Finally,
    #[token("N")]
    #[token("o")]
    Next,
    #[token("U")]
    Until,
    #[token("R")]
    Release,
    #[token("==")]
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
    #[token("+")]
    Plus,
    #[token("-")]
    #[token("−")]
    Minus,
    #[token("*")]
    #[token("·")]
    Star,
    #[token("/")]
    Slash,
    #[token("^T")]
    #[token("ᵀ")]
    Transposed,
    #[token(",")]
    Comma,
    #[token(":")]
    Colon,
    #[token(";")]
    Semicolon,
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[token("[")]
    OpenBracket,
    #[token("]")]
    CloseBracket,
    #[regex(r"[0-9]+(\.[0-9]+)?")]
    #[regex(r"\.[0-9]+")]
    Number,
    #[regex(r"[\p{L}_][\p{L}\p{N}_]*", priority = 1)]
    Name,
    #[regex("\"[^\"\n]*\"")]
    Text,
    /// What starts no word.
    Stray,
    /// Past the last word.
    End,
}

/// Every word of a text, [`Token::End`] last.
pub(crate) fn words(text: &str) -> Vec<(Token, Span)> {
    let mut words: Vec<(Token, Span)> =
        Token::lexer(text).spanned().map(|(token, range)| (token.unwrap_or(Token::Stray), Span::from(range))).collect();
    words.push((Token::End, Span::new(text.len(), text.len())));
    words
}
