//! A text cut into words, numbers and signs, as far as faults need it: comments, literal texts and lines that only declare are left out.

use source::Span;

use super::Syntax;

/// What a piece of text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Word,
    Number,
    Sign,
}

/// A piece of text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) span: Span,
}

/// Signs of several characters, the longer first.
const SIGNS: &[&str] = &[
    "<<=", ">>=", "...", "<->", "===", "!==", "<=>", "==.", "!=.", "<=.", ">=.", "&&", "||", "==", "!=", "<=", ">=",
    "->", "<-", "=>", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<", ">>", ":=", "..", "::", "[]",
    "\\=", "=<", "=\\=", "<.", ">.", "+.", "-.", "*.", "/.",
];

/// The pieces of a text that may be changed.
pub(super) fn tokens(text: &str, syntax: &Syntax) -> Vec<Token> {
    let mut tokens = Vec::new();
    let (mut at, mut declares, mut fresh, mut braces) = (0, false, true, 0_usize);
    while at < text.len() {
        let rest = &text[at..];
        if let Some(end) = comment(rest, syntax).or_else(|| literal(rest, syntax)) {
            at += end;
            continue;
        }
        if rest.starts_with(char::is_whitespace) {
            let letter = rest.chars().next().map_or(1, char::len_utf8);
            (fresh, declares) = if rest.starts_with('\n') { (true, false) } else { (fresh, declares) };
            at += letter;
            continue;
        }
        let (kind, length) = piece(rest);
        // Directives go to the end of their line, declarations too: what they hold has no place in an execution.
        if fresh && syntax.declaring.iter().any(|word| rest[..length] == **word) {
            declares = true;
        }
        fresh = false;
        match &rest[..length] {
            "{" => braces += 1,
            "}" => braces = braces.saturating_sub(1),
            _ => {}
        }
        if !declares && (0 < braces || !syntax.in_braces) {
            let span = Span { start: at as u32, end: (at + length) as u32 };
            tokens.push(Token { kind, span });
        }
        at += length;
    }
    tokens
}

/// The length of a comment at the beginning of a text.
fn comment(text: &str, syntax: &Syntax) -> Option<usize> {
    if syntax.line_comments.iter().any(|mark| text.starts_with(mark)) {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    let (open, close) = syntax.block_comment?;
    let inside = text.strip_prefix(open)?;
    Some(inside.find(close).map_or(text.len(), |end| open.len() + end + close.len()))
}

/// The length of a literal text at the beginning of a text.
fn literal(text: &str, syntax: &Syntax) -> Option<usize> {
    let quote = text.chars().next().filter(|first| syntax.quotes.contains(first))?;
    let mut escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if letter == quote => return Some(at + 1),
            '\n' => return Some(at),
            _ => {}
        }
    }
    Some(text.len())
}

/// The first piece of a text that does not begin with white space.
fn piece(text: &str) -> (Kind, usize) {
    let first = text.chars().next().unwrap_or(' ');
    if first.is_ascii_digit() {
        return (Kind::Number, number(text));
    }
    if first.is_alphabetic() || first == '_' || first == '#' {
        let ends = |letter: char| !letter.is_alphanumeric() && letter != '_' && letter != '#';
        return (Kind::Word, text.find(ends).unwrap_or(text.len()));
    }
    let signs = SIGNS.iter().filter(|sign| text.starts_with(**sign));
    let sign = signs.map(|sign| sign.len()).max();
    (Kind::Sign, sign.unwrap_or(first.len_utf8()))
}

/// The length of a number: digits, a fraction, and what is written close behind, such as a unit, a suffix or an exponent.
fn number(text: &str) -> usize {
    let close = |from: usize| {
        let rest = &text[from..];
        from + rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(rest.len())
    };
    let whole = close(0);
    let has_fraction =
        text[whole..].strip_prefix('.').is_some_and(|rest| rest.starts_with(|letter: char| letter.is_ascii_digit()));
    if has_fraction { close(whole + 1) } else { whole }
}
