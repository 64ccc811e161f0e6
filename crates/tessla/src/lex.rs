//! The words of a specification or a trace.

use std::sync::Arc;

use source::Span;

/// A word with its place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Word {
    pub(crate) token: Token,
    pub(crate) span: Span,
}

/// A word.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Token {
    /// A name.
    Name(Arc<str>),
    /// A reserved name.
    Keyword(&'static str),
    /// A sign.
    Sign(&'static str),
    /// The digits of an integer with their radix.
    Int(Arc<str>, u32),
    /// A floating-point number.
    Float(f64),
    /// A string, with `f` before it or not.
    Text { parts: Vec<Part>, format: bool },
    /// The end of a line outside brackets.
    Newline,
    /// What starts no word, with the reason.
    Wrong(&'static str),
    /// The end.
    End,
}

/// A part of a string.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Part {
    /// Characters.
    Text(String),
    /// `$name` or `${…}` with the format behind it, in a format string.
    Value { words: Vec<Word>, format: Option<(String, Span)> },
    /// A format that stands alone, such as `%n` or `%%`.
    Format(String, Span),
}

/// How deeply strings may be nested in the values of strings.
const STRING_DEPTH: u32 = 30;

const KEYWORDS: &[&str] = &[
    "def", "where", "include", "type", "module", "import", "imexport", "in", "out", "print", "as", "static", "if",
    "then", "else", "fun", "return", "true", "false",
];

/// Longer signs first.
const SIGNS: &[&str] = &[
    ">=.", "<=.", ":=", "=>", "->", "${", "==", "!=", ">=", "<=", ">.", "<.", "<<", ">>", "&&", "||", "+.", "-.", "*.",
    "/.", "..", "(", ")", "[", "]", "{", "}", "@", ",", ";", ".", "=", ":", "+", "-", "*", "/", "%", "&", "|", "^",
    "~", ">", "<", "!",
];

/// The words of a piece of a text that begins at `offset`, the end included.
pub(crate) fn lex(text: &str, offset: usize) -> Vec<Word> {
    let mut lexer = Lexer { text, at: 0, offset, brackets: Vec::new(), depth: 0 };
    let mut words = Vec::new();
    lexer.run(&mut words, false);
    let end = offset + text.len();
    words.push(Word { token: Token::End, span: Span::new(end, end) });
    words
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    offset: usize,
    /// The open brackets; line breaks count where the innermost is a brace or there is none.
    brackets: Vec<&'static str>,
    depth: u32,
}

impl Lexer<'_> {
    /// Reads words up to the end, or up to the brace that closes an interpolation.
    fn run(&mut self, words: &mut Vec<Word>, inside: bool) {
        let outer = std::mem::take(&mut self.brackets);
        while let Some(first) = self.rest().chars().next() {
            let start = self.at;
            if inside && first == '}' && self.brackets.is_empty() {
                break;
            }
            if let Some(token) = self.word(first) {
                words.push(Word { token, span: Span::new(self.offset + start, self.offset + self.at) });
            }
        }
        self.brackets = outer;
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn word(&mut self, first: char) -> Option<Token> {
        match first {
            '\n' => {
                self.at += 1;
                let counts = !matches!(self.brackets.last(), Some(&"(" | &"["));
                counts.then_some(Token::Newline)
            }
            '#' => self.skip_line(),
            '-' if self.rest().starts_with("--") => self.skip_line(),
            '\\' if self.rest().starts_with("\\\n") => self.skip(2),
            '\\' if self.rest().starts_with("\\\r\n") => self.skip(3),
            _ if first.is_whitespace() || first == '\u{feff}' => self.skip(first.len_utf8()),
            '"' => Some(self.string(1, false)),
            'f' if self.rest().starts_with("f\"") => Some(self.string(2, true)),
            '0'..='9' => Some(self.number()),
            _ if decimal(first).is_some() => Some(self.foreign_number()),
            _ if starts_name(first) => Some(self.name()),
            _ => Some(self.sign(first)),
        }
    }

    fn skip(&mut self, bytes: usize) -> Option<Token> {
        self.at += bytes;
        None
    }

    fn skip_line(&mut self) -> Option<Token> {
        let length = self.rest().find('\n').unwrap_or(self.rest().len());
        self.skip(length)
    }

    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &str {
        let rest = &self.text[self.at..];
        let length = rest.find(|character| !wanted(character)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    fn name(&mut self) -> Token {
        let name = self.take_while(continues_name);
        match KEYWORDS.iter().find(|keyword| **keyword == name) {
            Some(keyword) => Token::Keyword(keyword),
            None => Token::Name(name.into()),
        }
    }

    fn number(&mut self) -> Token {
        if self.rest().starts_with("0x") && self.rest()[2..].starts_with(|digit: char| digit.is_ascii_hexdigit()) {
            self.at += 2;
            return Token::Int(self.take_while(|digit| digit.is_ascii_hexdigit()).into(), 16);
        }
        let start = self.at;
        self.take_while(|digit| digit.is_ascii_digit());
        let integer_end = self.at;
        if self.rest().starts_with('.') && self.rest()[1..].starts_with(|digit: char| digit.is_ascii_digit()) {
            self.at += 1;
            self.take_while(|digit| digit.is_ascii_digit());
        }
        self.exponent();
        let digits = &self.text[start..self.at];
        if self.at == integer_end {
            return Token::Int(digits.into(), 10);
        }
        Token::Float(digits.parse().unwrap_or(f64::NAN))
    }

    /// An integer in the digits of another script.
    fn foreign_number(&mut self) -> Token {
        let written = self.take_while(|digit| decimal(digit).is_some());
        let digits: String = written.chars().filter_map(|digit| char::from_digit(decimal(digit)?, 10)).collect();
        Token::Int(digits.into(), 10)
    }

    fn exponent(&mut self) {
        let rest = self.rest();
        let Some(after) = rest.strip_prefix(['e', 'E']) else { return };
        let signless = after.strip_prefix(['+', '-']).unwrap_or(after);
        if signless.starts_with(|digit: char| digit.is_ascii_digit()) {
            self.at += rest.len() - signless.len();
            self.take_while(|digit| digit.is_ascii_digit());
        }
    }

    fn sign(&mut self, first: char) -> Token {
        let Some(sign) = SIGNS.iter().find(|sign| self.rest().starts_with(**sign)) else {
            self.at += first.len_utf8();
            return Token::Wrong("this character begins no word");
        };
        self.at += sign.len();
        match *sign {
            "(" | "[" | "{" => self.brackets.push(sign),
            "${" => self.brackets.push("{"),
            ")" | "]" | "}" => {
                self.brackets.pop();
            }
            _ => {}
        }
        Token::Sign(sign)
    }

    fn string(&mut self, opening: usize, format: bool) -> Token {
        self.at += opening;
        self.depth += 1;
        let token = self.string_parts(format);
        self.depth -= 1;
        token
    }

    fn string_parts(&mut self, format: bool) -> Token {
        let mut parts = Vec::new();
        let mut text = String::new();
        let mut known_escapes = true;
        loop {
            let Some(first) = self.rest().chars().next() else {
                return Token::Wrong("this string has no end");
            };
            if self.depth > STRING_DEPTH {
                return Token::Wrong("strings are nested too deeply");
            }
            match first {
                '"' => break,
                '\\' => {
                    self.at += 1;
                    let Some(escaped) = self.rest().chars().next() else { continue };
                    self.at += escaped.len_utf8();
                    known_escapes &= unescape(escaped).is_some();
                    text.extend(unescape(escaped));
                }
                '$' => {
                    push_text(&mut parts, &mut text);
                    match self.interpolation(format) {
                        Some(part) => parts.push(part),
                        None => return Token::Wrong("a name or `{` must follow `$` in a string"),
                    }
                }
                '%' if format => {
                    push_text(&mut parts, &mut text);
                    let (format, span) = self.format();
                    parts.push(Part::Format(format, span));
                }
                _ => {
                    self.at += first.len_utf8();
                    text.push(first);
                }
            }
        }
        self.at += 1;
        if !known_escapes {
            return Token::Wrong("after `\\` a string has one of \\ \" $ % n r t a");
        }
        push_text(&mut parts, &mut text);
        Token::Text { parts, format }
    }

    fn interpolation(&mut self, format: bool) -> Option<Part> {
        self.at += 1;
        let mut words = Vec::new();
        if self.rest().starts_with('{') {
            self.at += 1;
            self.run(&mut words, true);
            if !self.rest().starts_with('}') {
                return None;
            }
            self.at += 1;
        } else {
            if !self.rest().starts_with(starts_name) {
                return None;
            }
            let start = self.at;
            let token = self.name();
            words.push(Word { token, span: Span::new(self.offset + start, self.offset + self.at) });
        }
        let end = self.offset + self.at;
        words.push(Word { token: Token::End, span: Span::new(end, end) });
        let format = (format && self.rest().starts_with('%')).then(|| self.format());
        Some(Part::Value { words, format })
    }

    /// A format from its `%` to its conversion letter.
    fn format(&mut self) -> (String, Span) {
        let start = self.at;
        self.at += 1;
        self.take_while(|flag| "-#+ 0,(".contains(flag));
        self.take_while(|digit| digit.is_ascii_digit());
        if self.rest().starts_with('.') {
            self.at += 1;
            self.take_while(|digit| digit.is_ascii_digit());
        }
        if let Some(letter) = self.rest().chars().next().filter(|letter| !"\\$\"".contains(*letter)) {
            self.at += letter.len_utf8();
        }
        (self.text[start..self.at].to_owned(), Span::new(self.offset + start, self.offset + self.at))
    }
}

fn push_text(parts: &mut Vec<Part>, text: &mut String) {
    if !text.is_empty() {
        parts.push(Part::Text(std::mem::take(text)));
    }
}

fn unescape(escaped: char) -> Option<char> {
    Some(match escaped {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'a' => '\u{7}',
        '\\' | '"' | '$' | '%' => escaped,
        _ => return None,
    })
}

/// The zeros of the decimal digits of Unicode; the other nine follow each of them.
const ZEROS: &[u32] = &[
    0x30, 0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6, 0xe50, 0xed0,
    0xf20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40, 0x1c50, 0xa620,
    0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10,
];

/// The value of a decimal digit of any script.
fn decimal(character: char) -> Option<u32> {
    let code = u32::from(character);
    ZEROS.iter().map(|zero| code.wrapping_sub(*zero)).find(|digit| *digit < 10)
}

fn starts_name(character: char) -> bool {
    character == '_' || character.is_alphabetic() || is_pictograph(character)
}

fn continues_name(character: char) -> bool {
    starts_name(character) || character.is_numeric()
}

fn is_pictograph(character: char) -> bool {
    matches!(character, '\u{1f000}'..='\u{1fbff}' | '\u{2600}'..='\u{27bf}' | '\u{2b00}'..='\u{2bff}' | '\u{231a}'..='\u{23ff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<String> {
        lex(text, 0)
            .into_iter()
            .map(|word| match word.token {
                Token::Name(name) => name.to_string(),
                Token::Keyword(word) => format!("!{word}"),
                Token::Sign(sign) => sign.to_owned(),
                Token::Int(digits, radix) => format!("{digits}/{radix}"),
                Token::Float(number) => format!("{number}f"),
                Token::Text { parts, .. } => format!("{} parts", parts.len()),
                Token::Newline => "⏎".to_owned(),
                Token::Wrong(_) => "?".to_owned(),
                Token::End => ".".to_owned(),
            })
            .collect()
    }

    #[test]
    fn line_breaks_count_outside_round_and_square_brackets() {
        assert_eq!(shown("f(\na) # c\n{\n}"), ["f", "(", "a", ")", "⏎", "{", "⏎", "}", "."]);
    }

    #[test]
    fn numbers_and_ranges() {
        assert_eq!(shown("1..3 2.5e3 0xfF 7ms"), ["1/10", "..", "3/10", "2500f", "fF/16", "7/10", "ms", "."]);
        assert_eq!(shown("٤٢ x٤"), ["42/10", "x٤", "."]);
    }

    #[test]
    fn strings_hold_values() {
        assert_eq!(
            shown("\"a$b${\"}\"}\" 💩 f\"${x}%+.3f%%\" \"$1\""),
            ["3 parts", "💩", "2 parts", "?", "1/10", "?", "."]
        );
    }
}
