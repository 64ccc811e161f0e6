//! Reads a `.bool` file into its syntax tree.
//!
//! Declarations are read by descent, expressions by operator precedence with an explicit stack (`parse/expression.rs`), so
//! that a hundred thousand nested parentheses are as good as three.

mod expression;

use source::{Diagnostic, LexError, Source, Span};

use crate::ast::{Ast, Item, ItemKind, SortNode};
use crate::codes;
use crate::lex::{Token, Word, words};

/// The number of errors after which reading stops.
pub(crate) const ERROR_LIMIT: usize = 20;

/// The deepest nesting of array sorts.
const SORT_DEPTH: usize = 32;

/// The syntax tree of a text.
///
/// # Errors
/// What is wrong with the text, at least one error and at most 20.
pub fn parse(source: &Source) -> Result<Ast, Vec<Diagnostic>> {
    let mut parser = Parser::new(source);
    parser.file();
    if parser.errors.is_empty() { Ok(parser.ast) } else { Err(parser.errors) }
}

/// An error that was reported; reading goes on behind the next semicolon.
struct Reported;

type Parsed<T> = Result<T, Reported>;

struct Parser<'a> {
    source: &'a Source,
    words: Box<dyn Iterator<Item = Word> + 'a>,
    token: Token,
    span: Span,
    /// The word after the next, where it was looked at.
    ahead: Option<(Token, Span)>,
    /// The end of the word before the next.
    last_end: u32,
    ast: Ast,
    errors: Vec<Diagnostic>,
}

impl<'a> Parser<'a> {
    fn new(source: &'a Source) -> Parser<'a> {
        let mut parser = Parser {
            source,
            words: Box::new(words(source.text())),
            token: Token::End,
            span: Span::default(),
            ahead: None,
            last_end: 0,
            ast: Ast::default(),
            errors: Vec::new(),
        };
        (parser.token, parser.span) = parser.next_word();
        parser
    }

    /// Reads the next word that can be read; reports the others.
    fn next_word(&mut self) -> (Token, Span) {
        let mut stray: Option<Span> = None;
        loop {
            let word = self.words.next();
            if !matches!(word, Some((Err(LexError::Character), _)))
                && let Some(span) = stray.take()
            {
                self.error(LexError::Character.report(&codes::SYNTAX, self.source, span));
            }
            match word {
                None => {
                    let end = self.source.text().len();
                    return (Token::End, Span::new(end, end));
                }
                Some((Ok(token), span)) => return (token, span),
                Some((Err(LexError::Character), span)) => {
                    stray = Some(stray.map_or(span, |first| first.join(span)));
                }
                Some((Err(error), span)) => self.error(error.report(&codes::SYNTAX, self.source, span)),
            }
        }
    }

    fn bump(&mut self) -> Span {
        let span = self.span;
        self.last_end = span.end;
        (self.token, self.span) = match self.ahead.take() {
            Some(word) => word,
            None => self.next_word(),
        };
        span
    }

    fn peek(&mut self) -> Token {
        if self.ahead.is_none() {
            self.ahead = Some(self.next_word());
        }
        self.ahead.map_or(Token::End, |(token, _)| token)
    }

    fn error(&mut self, diagnostic: Diagnostic) {
        if self.errors.len() < ERROR_LIMIT {
            self.errors.push(diagnostic);
        }
    }

    fn fail<T>(&mut self, expected: &str) -> Parsed<T> {
        let found = self.found();
        self.error(Diagnostic::error(&codes::SYNTAX, self.span, format!("expected {expected}, found {found}")));
        Err(Reported)
    }

    /// The next word, for messages.
    fn found(&self) -> String {
        if self.token == Token::End {
            return "the end of the file".to_owned();
        }
        let text = self.source.slice(self.span);
        let short: String = text.chars().take(24).collect();
        if short.len() < text.len() { format!("`{short}…`") } else { format!("`{short}`") }
    }

    fn expect(&mut self, token: Token, expected: &str) -> Parsed<Span> {
        if self.token == token { Ok(self.bump()) } else { self.fail(expected) }
    }

    fn file(&mut self) {
        if self.token == Token::End && self.errors.is_empty() {
            self.error(
                Diagnostic::error(&codes::EMPTY, self.span, "the file declares nothing")
                    .help("Declare inputs and a decision: `input a, b: bool; decision d = a && b;`."),
            );
        }
        while self.token != Token::End && self.errors.len() < ERROR_LIMIT {
            let start = self.span;
            match self.item() {
                Ok(kind) => {
                    let span = Span { start: start.start, end: self.last_end };
                    self.ast.items.push(Item { kind, span });
                }
                Err(Reported) => self.recover(start),
            }
        }
    }

    /// Goes on behind the next semicolon, or before the next keyword of a declaration.
    fn recover(&mut self, start: Span) {
        if self.span == start {
            self.bump();
        }
        loop {
            match self.token {
                Token::End | Token::Type | Token::Input | Token::Let | Token::Assume | Token::Decision => return,
                Token::Semicolon => {
                    self.bump();
                    return;
                }
                _ => {
                    self.bump();
                }
            }
        }
    }

    fn item(&mut self) -> Parsed<ItemKind> {
        let kind = match self.token {
            Token::Type => self.type_item()?,
            Token::Input => self.input_item()?,
            Token::Let => self.let_item()?,
            Token::Assume => self.assume_item()?,
            Token::Decision => self.decision_item()?,
            _ => {
                let found = self.found();
                let message = format!("expected `input`, `type`, `let`, `assume` or `decision`, found {found}");
                self.error(Diagnostic::error(&codes::SYNTAX, self.span, message).help(self.how_to_declare()));
                return Err(Reported);
            }
        };
        if self.token != Token::Semicolon {
            let expected = match kind {
                ItemKind::Type { .. } => "`;`",
                ItemKind::Input { range: None, .. } => "`;` or `in` and a range",
                ItemKind::Input { range: Some(_), .. }
                | ItemKind::Let { .. }
                | ItemKind::Assume { .. }
                | ItemKind::Decision { .. } => "`;` or an operator",
            };
            return self.missing_semicolon(expected);
        }
        self.bump();
        Ok(kind)
    }

    fn missing_semicolon<T>(&mut self, expected: &str) -> Parsed<T> {
        let found = self.found();
        let at = Span { start: self.last_end, end: self.last_end };
        let before = &self.source.text()[..self.last_end as usize];
        let before = before.rsplit(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default();
        let help = match self.source.slice(self.span) {
            "{" if before == "enum" => {
                "An enumeration has a name: `type Fare = { saver, flex };` and then `input fare: Fare;`."
            }
            _ if ["NOT", "AND", "OR"].contains(&before) => {
                "Write `not`, `and`, `or` in small letters, or `!`, `&&`, `||`."
            }
            "NOT" | "AND" | "OR" => "Write `not`, `and`, `or` in small letters, or `!`, `&&`, `||`.",
            "[" | "{" | "(" => "A range is written `input x: int in 0..5;`.",
            "," => {
                "Inputs of one sort are declared together, `input a, b: bool;`, others one after the other, each with `;`."
            }
            "then" | "return" | "?" => "A formula is one expression: `if a then b else c` is written `ite(a, b, c)`.",
            _ => "Every declaration ends with `;`.",
        };
        self.error(
            Diagnostic::error(&codes::SYNTAX, self.span, format!("expected {expected}, found {found}"))
                .also(at, "the declaration could end here")
                .help(help),
        );
        Err(Reported)
    }

    /// What to write where a file begins otherwise than with a declaration.
    fn how_to_declare(&self) -> String {
        let usual = "A formula is written `decision NAME = FORMULA;`, its variables `input NAME: bool;`.";
        let rest: String = self.source.text()[self.span.start as usize..].chars().take_while(|c| *c != ';').collect();
        let mut words = rest.split_whitespace();
        let (sort, name, more) = (words.next().unwrap_or_default(), words.next(), words.next());
        let sort = match sort {
            "int" | "long" | "short" | "unsigned" | "signed" => "int",
            "bool" | "boolean" | "_Bool" => "bool",
            "float" | "double" | "real" => "real",
            word if name == Some("=") => return format!("An abbreviation is written `let {word} = …;`."),
            _ => return usual.to_owned(),
        };
        match (name, more) {
            (Some(name), None) if name.chars().all(|c| c.is_alphanumeric() || c == '_') => {
                format!("A variable is declared `input {name}: {sort};`.")
            }
            _ => usual.to_owned(),
        }
    }

    fn type_item(&mut self) -> Parsed<ItemKind> {
        self.bump();
        let name = self.name("the name of the enumeration")?;
        self.expect(Token::Eq, "`=`")?;
        self.expect(Token::OpenBrace, "`{` and the values of the enumeration")?;
        let mut variants = vec![self.name("a value of the enumeration")?];
        while self.token == Token::Comma {
            self.bump();
            if self.token == Token::CloseBrace {
                break;
            }
            variants.push(self.name("a value of the enumeration")?);
        }
        self.expect(Token::CloseBrace, "`,` or `}`")?;
        Ok(ItemKind::Type { name, variants })
    }

    fn input_item(&mut self) -> Parsed<ItemKind> {
        self.bump();
        let mut names = vec![self.name("the name of an input")?];
        while self.token == Token::Comma {
            self.bump();
            names.push(self.name("the name of an input")?);
        }
        self.expect(Token::Colon, "`:` and the sort of the input")?;
        let sort = self.sort()?;
        let mut range = None;
        if self.token == Token::In {
            self.bump();
            let low = self.expression()?;
            self.expect(Token::Range, "`..` and the upper end of the range")?;
            range = Some((low, self.expression()?));
        }
        Ok(ItemKind::Input { names, sort, range })
    }

    fn let_item(&mut self) -> Parsed<ItemKind> {
        self.bump();
        let name = self.name("the name of the definition")?;
        let mut params = Vec::new();
        if self.token == Token::Open {
            self.bump();
            loop {
                let param = self.name("the name of a parameter")?;
                self.expect(Token::Colon, "`:` and the sort of the parameter")?;
                params.push((param, self.sort()?));
                if self.token != Token::Comma {
                    break;
                }
                self.bump();
            }
            self.expect(Token::Close, "`,` or `)`")?;
        }
        self.expect(Token::Eq, "`=` and what the name stands for")?;
        let body = self.expression()?;
        Ok(ItemKind::Let { name, params, body })
    }

    fn assume_item(&mut self) -> Parsed<ItemKind> {
        self.bump();
        let mut name = None;
        if self.token == Token::Name && self.peek() == Token::Colon {
            name = Some(self.bump());
            self.bump();
        }
        let body = self.expression()?;
        Ok(ItemKind::Assume { name, body })
    }

    fn decision_item(&mut self) -> Parsed<ItemKind> {
        self.bump();
        let mut name = None;
        if self.token == Token::Name && self.peek() == Token::Eq {
            name = Some(self.bump());
            self.bump();
        }
        let body = self.expression()?;
        Ok(ItemKind::Decision { name, body })
    }

    fn name(&mut self, expected: &str) -> Parsed<Span> {
        self.expect(Token::Name, expected)
    }

    /// Reads a sort. Array sorts nest on a small stack of index sorts whose element sort is still to come.
    fn sort(&mut self) -> Parsed<SortNode> {
        self.sort_at(0)
    }

    fn sort_at(&mut self, depth: usize) -> Parsed<SortNode> {
        if SORT_DEPTH < depth {
            self.error(Diagnostic::error(&codes::TOO_DEEP, self.span, "this sort is nested too deeply"));
            return Err(Reported);
        }
        let name = self.name("a sort")?;
        match self.source.slice(name) {
            "bitvec" => {
                self.expect(Token::OpenBracket, "`[` and the width")?;
                let width = self.expect(Token::Number, "the width, a number")?;
                self.expect(Token::CloseBracket, "`]`")?;
                Ok(SortNode::BitVec(width))
            }
            "array" => {
                self.expect(Token::OpenBracket, "`[` and the sort of the index")?;
                let index = self.sort_at(depth + 1)?;
                self.expect(Token::CloseBracket, "`]`")?;
                self.expect(Token::Of, "`of` and the sort of the elements")?;
                let element = self.sort_at(depth + 1)?;
                Ok(SortNode::Array(Box::new(index), Box::new(element)))
            }
            _ => Ok(SortNode::Named(name)),
        }
    }
}
