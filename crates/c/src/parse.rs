//! From tokens to the tree of a translation unit.
//!
//! Which names are types decides how C is read, so the parser keeps the scopes of names declared with `typedef`.

mod attribute;
mod declaration;
mod expression;
mod literal;
mod statement;

use rustc_hash::FxHashMap;
use source::{Diagnostic, Span};

use crate::ast::{Expr, Unit};
use crate::codes;
use crate::token::{Name, Sign, Token, TokenKind, Word};

/// How deep anything may nest.
pub(crate) const NESTING: u32 = 4000;

/// What is wrong; boxed, since it is large and rare.
pub(crate) type Error = Box<Diagnostic>;
type Parsed<T> = Result<T, Error>;

/// Reads the tokens of a unit.
///
/// # Errors
/// The first thing that does not follow the grammar.
pub fn parse(text: &str, tokens: &[Token]) -> Parsed<Unit> {
    let mut parser = Parser::new(text, tokens);
    let mut unit = Unit::default();
    while parser.kind() != TokenKind::End {
        if parser.take(Sign::Semicolon) {
            continue;
        }
        unit.items.extend(parser.item()?);
    }
    Ok(unit)
}

/// Reads one expression, all of the tokens, in a place where `types` are the names of types.
///
/// # Errors
/// The first thing that does not follow the grammar.
pub fn parse_expression(text: &str, tokens: &[Token], types: &[Name]) -> Parsed<Expr> {
    let mut parser = Parser::new(text, tokens);
    for name in types {
        parser.declare(*name, true);
    }
    let expr = parser.expression()?;
    if parser.kind() == TokenKind::End { Ok(expr) } else { Err(parser.unexpected("the end of the expression")) }
}

struct Parser<'a> {
    text: &'a str,
    tokens: &'a [Token],
    at: usize,
    /// For each scope the names declared in it, and whether they are types.
    scopes: Vec<FxHashMap<Name, bool>>,
    depth: u32,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, tokens: &'a [Token]) -> Parser<'a> {
        Parser { text, tokens, at: 0, scopes: vec![FxHashMap::default()], depth: 0 }
    }

    fn kind(&self) -> TokenKind {
        self.tokens[self.at].kind
    }

    fn kind_ahead(&self, ahead: usize) -> TokenKind {
        self.tokens[(self.at + ahead).min(self.tokens.len() - 1)].kind
    }

    fn span(&self) -> Span {
        self.tokens[self.at].span
    }

    /// From a place up to the last token read.
    fn since(&self, start: Span) -> Span {
        let last = self.tokens[self.at.saturating_sub(1)].span;
        Span { start: start.start, end: last.end.max(start.end) }
    }

    fn advance(&mut self) -> Token {
        let token = self.tokens[self.at];
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        token
    }

    fn is(&self, sign: Sign) -> bool {
        self.kind() == TokenKind::Sign(sign)
    }

    fn take(&mut self, sign: Sign) -> bool {
        let found = self.is(sign);
        if found {
            self.advance();
        }
        found
    }

    fn take_word(&mut self, word: Word) -> bool {
        let found = self.kind() == TokenKind::Word(word);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, sign: Sign) -> Parsed<Span> {
        if self.is(sign) { Ok(self.advance().span) } else { Err(self.unexpected(&format!("`{}`", sign.text()))) }
    }

    fn expect_name(&mut self) -> Parsed<(Name, Span)> {
        match self.kind() {
            TokenKind::Name(name) => Ok((name, self.advance().span)),
            TokenKind::Word(_)
            | TokenKind::Sign(_)
            | TokenKind::Number
            | TokenKind::Character
            | TokenKind::Text
            | TokenKind::End => Err(self.unexpected("a name")),
        }
    }

    fn unexpected(&self, wanted: &str) -> Error {
        let span = self.span();
        let found = if self.kind() == TokenKind::End {
            "the end of the file".to_owned()
        } else {
            format!("`{}`", shortened(&self.text[span.range()]))
        };
        let error = Diagnostic::error(&codes::SYNTAX, span, format!("found {found} where {wanted} should be"));
        Box::new(match wanted {
            _ if ["`class`", "`template`", "`namespace`", "`using`"].contains(&found.as_str()) => {
                error.help("This looks like C++: only C is read. Put what is to be tested into a C file of its own.")
            }
            "`;`" | "`)`" | "`]`" | "`}`" => error.help(format!("Write {wanted} before {found}")),
            _ => error,
        })
    }

    fn unsupported(&self, span: Span, what: &str) -> Error {
        Box::new(Diagnostic::error(&codes::UNSUPPORTED, span, format!("{what} not supported")))
    }

    /// Reads something one level deeper.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.depth += 1;
        if self.depth > NESTING {
            return Err(self.too_deep(self.span()));
        }
        let result = read(self);
        self.depth -= 1;
        result
    }

    fn too_deep(&self, span: Span) -> Error {
        Box::new(Diagnostic::error(&codes::NESTING, span, format!("this nests more than {NESTING} deep")))
    }

    fn declare(&mut self, name: Name, is_type: bool) {
        self.scopes.last_mut().expect("a parser has a scope").insert(name, is_type);
    }

    fn is_type_name(&self, name: Name) -> bool {
        self.scopes.iter().rev().find_map(|scope| scope.get(&name)).copied().unwrap_or(false)
    }

    /// An integer type of Microsoft's compilers that stands here and that the program has not declared: its base, and how often
    /// `short` and `long` would be said.
    fn microsoft_integer(&self, ahead: usize, name: Name) -> Option<(Word, u8, u8)> {
        let token = self.tokens[(self.at + ahead).min(self.tokens.len() - 1)];
        let sized = match &self.text[token.span.range()] {
            "__int8" => (Word::Char, 0, 0),
            "__int16" => (Word::Int, 1, 0),
            "__int32" => (Word::Int, 0, 0),
            "__int64" => (Word::Int, 0, 2),
            _ => return None,
        };
        let declared = self.scopes.iter().any(|scope| scope.contains_key(&name));
        (!declared).then_some(sized)
    }
}

fn shortened(text: &str) -> String {
    let mut short: String = text.chars().take(40).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
