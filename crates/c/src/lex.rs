//! From preprocessed text to tokens.

use source::{Diagnostic, Span};

use crate::codes;
use crate::token::{Names, SIGNS, Sign, Token, TokenKind, word};

/// The tokens of a part of a text, with an end token, and what is wrong with it.
pub fn lex(text: &str, part: Span, names: &mut Names, diagnostics: &mut Vec<Diagnostic>) -> Vec<Token> {
    let mut lexer = Lexer {
        bytes: &text.as_bytes()[..part.end as usize],
        text,
        at: part.start as usize,
        names,
        diagnostics,
        tokens: Vec::new(),
    };
    lexer.run();
    let end = Span { start: part.end, end: part.end };
    lexer.tokens.push(Token { kind: TokenKind::End, span: end });
    lexer.tokens
}

struct Lexer<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    names: &'a mut Names,
    diagnostics: &'a mut Vec<Diagnostic>,
    tokens: Vec<Token>,
}

impl Lexer<'_> {
    fn run(&mut self) {
        let mut line_start = true;
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'\n' => {
                    line_start = true;
                    self.at += 1;
                }
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => self.at += 1,
                b'\\' if matches!(self.peek(1), Some(b'\n' | b'\r')) => self.at += 2,
                b'#' if line_start => self.directive(),
                b'/' if self.peek(1) == Some(b'/') => self.skip_line(),
                b'/' if self.peek(1) == Some(b'*') => self.comment(),
                _ => {
                    line_start = false;
                    self.token(byte);
                }
            }
        }
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    fn skip_line(&mut self) {
        while self.peek(0).is_some_and(|byte| byte != b'\n') {
            self.at += 1;
        }
    }

    /// A line marker or a pragma.
    fn directive(&mut self) {
        let start = self.at;
        self.skip_line();
        let line = self.text[start..self.at].trim_start_matches('#').trim_start();
        // `#pragma pack` is read with the line markers.
        if line.starts_with("pragma") {
            return;
        }
        let marker = line.starts_with(|character: char| character.is_ascii_digit())
            || line.starts_with("line")
            || line.is_empty()
            || line.starts_with("ident");
        if !marker {
            let message = "a preprocessor directive is left in preprocessed text";
            self.diagnostics.push(Diagnostic::error(&codes::SYNTAX, Span::new(start, self.at), message));
        }
    }

    fn comment(&mut self) {
        let start = self.at;
        match self.text[self.at + 2..self.bytes.len()].find("*/") {
            Some(length) => self.at += length + 4,
            None => {
                self.at = self.bytes.len();
                self.diagnostics.push(Diagnostic::error(
                    &codes::SYNTAX,
                    Span::new(start, start + 2),
                    "a comment has no end",
                ));
            }
        }
    }

    fn push(&mut self, kind: TokenKind, start: usize) {
        self.tokens.push(Token { kind, span: Span::new(start, self.at) });
    }

    fn token(&mut self, byte: u8) {
        let start = self.at;
        if let Some(quote) = self.prefixed_quote() {
            return self.quoted(start, quote);
        }
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' | 0x80.. => {
                while self
                    .peek(0)
                    .is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80)
                {
                    self.at += 1;
                }
                let text = &self.text[start..self.at];
                let kind = match word(text) {
                    Some(word) => TokenKind::Word(word),
                    None => TokenKind::Name(self.names.intern(text)),
                };
                self.push(kind, start);
            }
            b'0'..=b'9' => self.number(start),
            b'.' if self.peek(1).is_some_and(|byte| byte.is_ascii_digit()) => self.number(start),
            _ => self.sign(start),
        }
    }

    /// The quote of a character or string literal at this place, a prefix skipped.
    fn prefixed_quote(&mut self) -> Option<u8> {
        let rest = &self.bytes[self.at..];
        let prefix = [&b"u8"[..], b"L", b"u", b"U", b""]
            .into_iter()
            .find(|prefix| rest.starts_with(prefix) && matches!(rest.get(prefix.len()), Some(b'"' | b'\'')))?;
        self.at += prefix.len();
        self.peek(0)
    }

    fn quoted(&mut self, start: usize, quote: u8) {
        self.at += 1;
        loop {
            match self.peek(0) {
                Some(b'\\') if self.peek(1).is_some() => self.at += 2,
                Some(byte) if byte == quote => {
                    self.at += 1;
                    break;
                }
                Some(b'\n') | None => {
                    let message = "a character or string literal has no end";
                    self.diagnostics.push(Diagnostic::error(&codes::SYNTAX, Span::new(start, start + 1), message));
                    break;
                }
                Some(_) => self.at += 1,
            }
        }
        while !self.text.is_char_boundary(self.at) {
            self.at += 1;
        }
        self.push(if quote == b'"' { TokenKind::Text } else { TokenKind::Character }, start);
    }

    /// A preprocessing number: digits, letters, dots, and signs behind an exponent letter.
    fn number(&mut self, start: usize) {
        while let Some(byte) = self.peek(0) {
            let exponent = matches!(byte, b'e' | b'E' | b'p' | b'P') && matches!(self.peek(1), Some(b'+' | b'-'));
            if exponent {
                self.at += 2;
            } else if byte.is_ascii_alphanumeric() || byte == b'.' || byte == b'_' {
                self.at += 1;
            } else {
                break;
            }
        }
        self.push(TokenKind::Number, start);
    }

    fn sign(&mut self, start: usize) {
        let rest = &self.bytes[start..];
        let Some((text, sign)) = SIGNS.iter().find(|(text, _)| rest.starts_with(text.as_bytes())) else {
            self.at += 1;
            let message = format!("`{}` is not a sign of C", char::from(rest[0]).escape_default());
            self.diagnostics.push(Diagnostic::error(&codes::SYNTAX, Span::new(start, self.at), message));
            return;
        };
        self.at += text.len();
        let sign = match sign {
            Sign::OpenBracketDigraph => Sign::OpenBracket,
            Sign::CloseBracketDigraph => Sign::CloseBracket,
            Sign::OpenBraceDigraph => Sign::OpenBrace,
            Sign::CloseBraceDigraph => Sign::CloseBrace,
            other => *other,
        };
        self.push(TokenKind::Sign(sign), start);
    }
}
