//! The words of a TLSF file.

use logos::{FilterResult, Lexer, Logos};

/// A word.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\f\u{feff}\u{a0}]+")]
#[logos(skip(r"//[^\n]*", allow_greedy = true))]
pub(crate) enum Token {
    #[token("/*", block_comment)]
    Comment,
    #[token("true")]
    True,
    #[token("false")]
    False,
    #[token("otherwise")]
    Otherwise,
    #[token("_")]
    Wild,
    #[token("!")]
    #[token("NOT")]
    Not,
    #[token("X")]
    Next,
    #[token("F")]
    Finally,
    #[token("G")]
    Globally,
    #[token("U")]
    Until,
    #[token("R")]
    Release,
    #[token("W")]
    WeakUntil,
    #[token("Y")]
    #[token("H")]
    #[token("O")]
    #[token("S")]
    #[token("T")]
    Past,
    #[token("&&")]
    #[token("AND")]
    #[token("FORALL")]
    And,
    #[token("||")]
    #[token("OR")]
    #[token("EXISTS")]
    Or,
    #[token("->")]
    #[token("IMPLIES")]
    Implies,
    #[token("<->")]
    #[token("EQUIV")]
    Iff,
    #[token("==")]
    #[token("EQ")]
    Equal,
    #[token("!=")]
    #[token("/=")]
    #[token("NEQ")]
    NotEqual,
    #[token(">")]
    #[token("GE")]
    Greater,
    #[token(">=")]
    #[token("GEQ")]
    AtLeast,
    #[token("<")]
    #[token("LE")]
    Less,
    #[token("<=")]
    #[token("LEQ")]
    AtMost,
    #[token("<-")]
    #[token("IN")]
    #[token("ELEM")]
    In,
    #[token("*")]
    #[token("MUL")]
    #[token("PROD")]
    Times,
    #[token("/")]
    #[token("DIV")]
    Divide,
    #[token("%")]
    #[token("MOD")]
    Modulo,
    #[token("+")]
    #[token("PLUS")]
    #[token("SUM")]
    Plus,
    #[token("-")]
    #[token("MINUS")]
    Minus,
    #[token("(-)")]
    #[token("(\\)")]
    #[token("SETMINUS")]
    SetMinus,
    #[token("(*)")]
    #[token("CAP")]
    Cap,
    #[token("(+)")]
    #[token("CUP")]
    Cup,
    #[token("SIZEOF")]
    SizeOf,
    #[token("SIZE")]
    Size,
    #[token("MIN")]
    Min,
    #[token("MAX")]
    Max,
    #[token("~")]
    Matches,
    #[token(":")]
    Colon,
    #[token(";")]
    Semicolon,
    #[token(",")]
    Comma,
    #[token("..")]
    Dots,
    #[token("=")]
    Is,
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
    #[token("|")]
    Bar,
    #[token("enum")]
    Enum,
    #[regex(r"[0-9]+")]
    Number,
    #[regex(r"[A-Za-z_@][A-Za-z0-9_@']*", priority = 1)]
    Name,
    #[regex("\"[^\"]*\"")]
    Quoted,
    /// Past the last word.
    End,
}

fn block_comment(lexer: &mut Lexer<'_, Token>) -> FilterResult<(), ()> {
    match lexer.remainder().find("*/") {
        Some(length) => {
            lexer.bump(length + 2);
            FilterResult::Skip
        }
        None => FilterResult::Error(()),
    }
}
