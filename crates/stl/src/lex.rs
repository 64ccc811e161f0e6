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
    #[token("<->")]
    #[token("<=>")]
    #[token("↔")]
    Iff,
    #[token("⊕")]
    Xor,
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
    /// `once` or `O`, where it is not a signal.
    Once,
    /// `historically` or `H`, where it is not a signal.
    Historically,
    /// `since` or `S`, where it is not a signal.
    Since,
    #[token("==")]
    Eq,
    /// Defines a name; never a comparison.
    #[token("=")]
    Define,
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
    #[token("{")]
    OpenBrace,
    #[token("}")]
    CloseBrace,
    #[regex(r"[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")]
    #[regex(r"\.[0-9]+([eE][+-]?[0-9]+)?")]
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
    let plain = |place: usize| &text[words[place].1.start as usize..words[place].1.end as usize];
    let mut read: Vec<(Token, Span)> = Vec::with_capacity(words.len());
    let mut place = 0;
    while let Some(&(token, span)) = words.get(place) {
        let next = words.get(place + 1).map_or(Token::End, |word| word.0);
        let last = read.last().map(|word| word.0);
        match token {
            Token::Name => {
                let at = next == Token::OpenBracket
                    && words.get(place + 3).is_some_and(|word| word.0 == Token::CloseBracket)
                    && plain(place + 2) == "t";
                let operator = if at { None } else { spelled_out(plain(place), last, next) };
                read.push((operator.unwrap_or(Token::Name), span));
            }
            // `x[t]` is how some tools write the signal `x`.
            Token::OpenBracket
                if last == Some(Token::Name)
                    && next == Token::Name
                    && plain(place + 1) == "t"
                    && words[place + 2].0 == Token::CloseBracket =>
            {
                place += 2;
            }
            _ => read.push((token, span)),
        }
        place += 1;
    }
    read
}

/// The temporal operator that a word spells out, as other tools do. Where a signal could stand, it names a signal.
fn spelled_out(word: &str, last: Option<Token>, next: Token) -> Option<Token> {
    let operator = match word {
        "always" | "always_" | "globally" | "alw" | "alw_" => Token::Globally,
        "eventually" | "eventually_" | "finally" | "ev" | "ev_" => Token::Finally,
        "until" | "until_" => Token::Until,
        "release" | "release_" => Token::Release,
        "once" | "once_" | "O" => Token::Once,
        "historically" | "historically_" | "H" => Token::Historically,
        "since" | "since_" | "S" => Token::Since,
        "iff" => Token::Iff,
        "xor" => Token::Xor,
        _ => return None,
    };
    let after_operand = matches!(last, Some(Token::Name | Token::Number | Token::True | Token::False | Token::Close));
    let before_operand = matches!(
        next,
        Token::OpenBracket
            | Token::Open
            | Token::Not
            | Token::Name
            | Token::Number
            | Token::True
            | Token::False
            | Token::Globally
            | Token::Finally
            | Token::Next
    );
    let infix = matches!(operator, Token::Until | Token::Release | Token::Since | Token::Iff | Token::Xor);
    (before_operand && infix == after_operand).then_some(operator)
}
