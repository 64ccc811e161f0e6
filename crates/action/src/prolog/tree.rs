//! Clauses as trees, by operator precedence; what a tree means is decided later, so that `(` needs no looking ahead.

use logos::Logos;
use source::{Diagnostic, LexError, Source, Span};

use super::lex::Token;
use crate::ast::NESTING;
use crate::codes;

/// A tree of words.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    pub(crate) kind: Kind,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Number(i64),
    Name(String),
    /// `f(a, b)`.
    Apply(String, Vec<Tree>),
    /// `a[i]`.
    Index(String, Box<Tree>),
    List(Vec<Tree>),
    /// `-x` and `#\ x`.
    Prefix(Token, Box<Tree>),
    /// Two parts; more for operators that associate.
    Infix(Token, Vec<Tree>),
    /// Parentheses, which keep a chain from joining the one around it.
    Group(Box<Tree>),
}

/// A clause: a head, and a body behind `:-`.
#[derive(Debug)]
pub(crate) struct Clause {
    pub(crate) head: Tree,
    pub(crate) body: Option<Tree>,
}

/// The clauses of a text; directives are skipped.
pub(crate) fn clauses(source: &Source) -> Result<Vec<Clause>, Diagnostic> {
    let mut reader = Reader { source, words: words(source), next: 0, depth: 0 };
    let mut clauses = Vec::new();
    while reader.token() != Token::End {
        if reader.token() == Token::Neck {
            reader.skip_directive();
        } else {
            clauses.push(reader.clause()?);
        }
    }
    Ok(clauses)
}

type Word = (Result<Token, LexError>, Span);

fn words(source: &Source) -> Vec<Word> {
    let end = source.text().len();
    let lexed = Token::lexer(source.text()).spanned().map(|(token, range)| (token, Span::from(range)));
    lexed.chain([(Ok(Token::End), Span::new(end, end))]).collect()
}

struct Reader<'a> {
    source: &'a Source,
    words: Vec<Word>,
    next: usize,
    depth: usize,
}

type Read<T> = Result<T, Diagnostic>;

/// How an operator associates.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fix {
    /// Operands bind tighter on both sides.
    Neither,
    /// A chain of the same operator is one node.
    Chain,
    /// To the left.
    Left,
    /// To the right.
    Right,
}

/// The priority of an infix operator, as in Prolog: the smaller, the tighter.
fn infix(token: Token) -> Option<(u32, Fix)> {
    Some(match token {
        Token::Semicolon => (1100, Fix::Chain),
        Token::Priority => (1050, Fix::Chain),
        Token::Comma => (1000, Fix::Chain),
        Token::Action => (950, Fix::Neither),
        Token::Guard => (900, Fix::Right),
        Token::Assign => (800, Fix::Neither),
        Token::Iff => (760, Fix::Left),
        Token::Implies => (750, Fix::Right),
        Token::ImpliedBy => (750, Fix::Left),
        Token::Or => (740, Fix::Chain),
        Token::Hash => (730, Fix::Chain),
        Token::And => (720, Fix::Chain),
        Token::Equal | Token::Different | Token::Less | Token::AtMost | Token::Greater | Token::AtLeast | Token::In => {
            (700, Fix::Neither)
        }
        Token::Range => (550, Fix::Neither),
        Token::Plus | Token::Minus => (500, Fix::Left),
        Token::Star | Token::Slash | Token::Mod => (400, Fix::Left),
        Token::Colon => (250, Fix::Neither),
        _ => return None,
    })
}

/// The priority of arguments, list elements and heads: everything tighter than a comma.
const ARGUMENT: u32 = 999;
const ANY: u32 = 1200;

impl Reader<'_> {
    fn token(&self) -> Token {
        self.words[self.next].0.unwrap_or(Token::Comment)
    }

    fn span(&self) -> Span {
        self.words[self.next].1
    }

    fn bump(&mut self) -> Span {
        let span = self.span();
        if self.next + 1 < self.words.len() {
            self.next += 1;
        }
        span
    }

    fn skip_directive(&mut self) {
        while self.token() != Token::End && self.token() != Token::Stop {
            self.bump();
        }
        self.bump();
    }

    fn clause(&mut self) -> Read<Clause> {
        let head = self.tree(ARGUMENT)?;
        let mut body = None;
        if self.token() == Token::Neck {
            self.bump();
            body = Some(self.tree(ANY)?);
        }
        self.expect(Token::Stop, "`.` at the end of the clause")?;
        Ok(Clause { head, body })
    }

    fn expect(&mut self, token: Token, what: &str) -> Read<Span> {
        if self.token() == token { Ok(self.bump()) } else { Err(self.unexpected(what)) }
    }

    fn unexpected(&self, wanted: &str) -> Diagnostic {
        let (word, span) = self.words[self.next];
        let message = match word {
            Err(error) => return error.report(&codes::SYNTAX, self.source, span),
            Ok(Token::End) => format!("the file ends where {wanted} is expected"),
            Ok(_) => format!("expected {wanted}, found `{}`", self.source.slice(span)),
        };
        Diagnostic::error(&codes::SYNTAX, span, message)
    }

    fn deeper(&mut self) -> Read<()> {
        self.depth += 1;
        if self.depth <= NESTING { Ok(()) } else { Err(too_deep(self.span())) }
    }

    /// A tree whose operators have at most this priority.
    fn tree(&mut self, limit: u32) -> Read<Tree> {
        self.deeper()?;
        let mut left = self.operand()?;
        let mut depth_added = 0;
        while let Some((priority, fix)) = infix(self.token()) {
            if limit < priority {
                break;
            }
            let operator = self.token();
            self.bump();
            let right = self.tree(if fix == Fix::Right { priority } else { priority - 1 })?;
            left = join(operator, fix, left, right);
            if fix == Fix::Chain {
                while self.token() == operator {
                    self.bump();
                    let part = self.tree(priority - 1)?;
                    left = join(operator, fix, left, part);
                }
            } else {
                depth_added += 1;
                self.deeper()?;
            }
            if fix == Fix::Neither && infix(self.token()).is_some_and(|(next, _)| next == priority) {
                return Err(self.unexpected("parentheses around one of the two operations"));
            }
        }
        self.depth -= 1 + depth_added;
        Ok(left)
    }

    fn operand(&mut self) -> Read<Tree> {
        let span = self.span();
        match self.token() {
            Token::Number => self.number(1),
            Token::Minus => {
                self.bump();
                if self.token() == Token::Number {
                    let mut number = self.number(-1)?;
                    number.span = span.join(number.span);
                    return Ok(number);
                }
                self.prefix(Token::Minus, 200, span)
            }
            Token::Hash => {
                self.bump();
                self.prefix(Token::Hash, 710, span)
            }
            Token::Open => {
                self.bump();
                let inner = self.tree(ANY)?;
                let close = self.expect(Token::Close, "`)`")?;
                Ok(Tree { kind: Kind::Group(Box::new(inner)), span: span.join(close) })
            }
            Token::OpenBracket => {
                self.bump();
                let items = self.items(Token::CloseBracket)?;
                let close = self.expect(Token::CloseBracket, "`]`")?;
                Ok(Tree { kind: Kind::List(items), span: span.join(close) })
            }
            Token::Name | Token::Quoted => self.name(),
            _ => Err(self.unexpected("a name, a number or `(`")),
        }
    }

    fn prefix(&mut self, operator: Token, priority: u32, span: Span) -> Read<Tree> {
        let inner = self.tree(priority)?;
        let span = span.join(inner.span);
        Ok(Tree { kind: Kind::Prefix(operator, Box::new(inner)), span })
    }

    fn number(&mut self, sign: i64) -> Read<Tree> {
        let span = self.bump();
        let parsed = self.source.slice(span).parse::<i64>().ok().filter(|number| *number <= 1 << 62);
        let Some(number) = parsed else {
            return Err(Diagnostic::error(&codes::NUMBER, span, "this number is larger than 2^62"));
        };
        Ok(Tree { kind: Kind::Number(sign * number), span })
    }

    fn name(&mut self) -> Read<Tree> {
        let quoted = self.token() == Token::Quoted;
        let span = self.bump();
        let text = self.source.slice(span);
        let text = if quoted { text[1..text.len() - 1].to_owned() } else { text.to_owned() };
        match self.token() {
            Token::Open => {
                self.bump();
                // The do-od block is one tree, commas and all.
                let block = text == "dood" && self.token() != Token::Close;
                let items = if block { vec![self.tree(ANY)?] } else { self.items(Token::Close)? };
                let close = self.expect(Token::Close, "`,` or `)`")?;
                Ok(Tree { kind: Kind::Apply(text, items), span: span.join(close) })
            }
            Token::OpenBracket => {
                self.bump();
                let index = self.tree(ARGUMENT)?;
                let close = self.expect(Token::CloseBracket, "`]`")?;
                Ok(Tree { kind: Kind::Index(text, Box::new(index)), span: span.join(close) })
            }
            // `methods none` stands for `methods(none)`.
            Token::Name if text == "methods" || text == "qdes" => {
                let argument = self.name()?;
                let whole = span.join(argument.span);
                Ok(Tree { kind: Kind::Apply(text, vec![argument]), span: whole })
            }
            _ => Ok(Tree { kind: Kind::Name(text), span }),
        }
    }

    fn items(&mut self, close: Token) -> Read<Vec<Tree>> {
        let mut items = Vec::new();
        if self.token() == close {
            return Ok(items);
        }
        loop {
            items.push(self.tree(ARGUMENT)?);
            if self.token() != Token::Comma {
                return Ok(items);
            }
            self.bump();
        }
    }
}

fn join(operator: Token, fix: Fix, left: Tree, right: Tree) -> Tree {
    let span = left.span.join(right.span);
    let kind = match left.kind {
        Kind::Infix(same, mut parts) if fix == Fix::Chain && same == operator => {
            parts.push(right);
            Kind::Infix(operator, parts)
        }
        kind => Kind::Infix(operator, vec![Tree { kind, span: left.span }, right]),
    };
    Tree { kind, span }
}

/// "nested too deeply" at a place.
pub(crate) fn too_deep(span: Span) -> Diagnostic {
    Diagnostic::error(&codes::NESTED, span, format!("this is nested more than {NESTING} deep"))
}
