//! From text to a query, by recursive descent with a limit on nesting.
//!
//! `+` binds least, then `.` and `->`, then `|`, then `&`, then the postfix operators; the binary ones are left-associative.
//! Filters and patterns share one grammar, and what must be a filter is looked at once it is read, so that a
//! parenthesised filter needs no look-ahead.

use source::{Diagnostic, Span};

use crate::ast::{Bound, Clause, ExprId, Filter, Node, NodeKind, Query};
use crate::codes::{BAD_BOUND, INFINITE, NOT_A_FILTER, QUOTE, SYNTAX, TOO_DEEP};
use crate::graph::Kind;
use crate::lex::{Token, Word, lex};

/// How deeply parentheses and functions may be nested.
const DEEPEST: u32 = 500;
/// The largest number of repetitions.
const MOST_REPETITIONS: u32 = 100_000;

type Parsed<T> = Result<T, Box<Diagnostic>>;

/// The query that a text says.
///
/// # Errors
/// The first thing that is wrong with the text.
pub fn parse(text: &str) -> Result<Query, Box<Diagnostic>> {
    let words = lex(text)?;
    let mut parser =
        Parser { text, words, at: 0, nodes: Vec::new(), depth: 0, quoted: false, clause: ClauseKind::Cover };
    parser.query()
}

/// Which clause is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ClauseKind {
    Cover,
    Passing,
    Filter,
}

struct Parser<'a> {
    text: &'a str,
    words: Vec<Word>,
    at: usize,
    nodes: Vec<Node>,
    depth: u32,
    quoted: bool,
    clause: ClauseKind,
}

impl Parser<'_> {
    fn query(&mut self) -> Parsed<Query> {
        let scope = if self.keyword("in") { Some(self.filter()?) } else { None };
        if !self.keyword("cover") {
            return Err(self.expected("`cover`").into());
        }
        let cover = self.clause(ClauseKind::Cover)?;
        let passing = if self.keyword("passing") { Some(self.clause(ClauseKind::Passing)?) } else { None };
        if self.at < self.words.len() {
            let wanted = if passing.is_some() { "the end of the query" } else { "`passing` or the end of the query" };
            return Err(self.expected(wanted).into());
        }
        Ok(Query { nodes: std::mem::take(&mut self.nodes), scope, cover, passing })
    }

    fn clause(&mut self, kind: ClauseKind) -> Parsed<Clause> {
        self.clause = kind;
        let at_start = self.accept(Token::Start);
        let pattern = self.sum()?;
        let at_end = self.accept(Token::End);
        Ok(Clause { pattern, at_start, at_end })
    }

    fn sum(&mut self) -> Parsed<ExprId> {
        let mut left = self.concat()?;
        while self.accept(Token::Plus) {
            let right = self.concat()?;
            left = self.join(left, right, NodeKind::Sum(left, right));
        }
        Ok(left)
    }

    fn concat(&mut self) -> Parsed<ExprId> {
        let mut left = self.union()?;
        loop {
            let arrow = match self.peek() {
                Some(Token::Dot) => false,
                Some(Token::Arrow) => true,
                _ => return Ok(left),
            };
            self.at += 1;
            let right = self.union()?;
            let kind = if arrow { NodeKind::Arrow(left, right) } else { NodeKind::Concat(left, right) };
            left = self.join(left, right, kind);
        }
    }

    fn union(&mut self) -> Parsed<ExprId> {
        let mut left = self.intersection()?;
        while self.accept(Token::Bar) {
            self.require_filter(left, "the left side of `|`")?;
            let right = self.intersection()?;
            self.require_filter(right, "the right side of `|`")?;
            left = self.join(left, right, NodeKind::Union(left, right));
        }
        Ok(left)
    }

    fn intersection(&mut self) -> Parsed<ExprId> {
        let mut left = self.postfix()?;
        while self.accept(Token::And) {
            self.require_filter(left, "the left side of `&`")?;
            let right = self.postfix()?;
            self.require_filter(right, "the right side of `&`")?;
            left = self.join(left, right, NodeKind::Intersection(left, right));
        }
        Ok(left)
    }

    fn postfix(&mut self) -> Parsed<ExprId> {
        let mut inner = self.primary()?;
        loop {
            let (token, span) = match self.words.get(self.at) {
                Some(word) => *word,
                None => return Ok(inner),
            };
            let bound: Option<fn(u32) -> Bound> = match token {
                Token::Star => None,
                Token::Equal => Some(Bound::Exactly),
                Token::AtMost => Some(Bound::AtMost),
                Token::AtLeast => Some(Bound::AtLeast),
                _ => return Ok(inner),
            };
            self.at += 1;
            let whole = self.nodes[inner.0 as usize].span;
            if self.clause == ClauseKind::Cover && !self.quoted && matches!(token, Token::Star | Token::AtLeast) {
                return Err(infinite(whole.join(span), &self.text[span.range()]).into());
            }
            let kind = match bound {
                None => NodeKind::Star(inner),
                Some(bound) => NodeKind::Repeat(inner, bound(self.number("a number", 0, MOST_REPETITIONS)?)),
            };
            let end = self.words[self.at - 1].1;
            inner = self.push(kind, whole.join(end));
        }
    }

    fn primary(&mut self) -> Parsed<ExprId> {
        let Some(&(token, span)) = self.words.get(self.at) else {
            return Err(self.expected("a pattern").into());
        };
        match token {
            Token::Open => self.nested(|parser| {
                parser.at += 1;
                let inner = parser.sum()?;
                parser.close("`)`", Token::Close, span)?;
                Ok(inner)
            }),
            Token::Quote => self.quote(span),
            Token::Predicate => {
                self.at += 1;
                let range = span.range();
                let text = self.text[range.start + 1..range.end - 1].trim().to_owned();
                Ok(self.push(NodeKind::Predicate(text), span))
            }
            Token::At => self.filter_function(),
            Token::Word => self.function(span),
            _ => Err(self.expected("a pattern").into()),
        }
    }

    fn quote(&mut self, span: Span) -> Parsed<ExprId> {
        let wrong = match self.clause {
            ClauseKind::Cover => None,
            ClauseKind::Passing => Some("quotes are not allowed in the passing clause"),
            ClauseKind::Filter => Some("a quoted pattern is not a filter"),
        };
        if let Some(message) = wrong {
            let help = "The passing clause describes one run, and filters choose steps; leave the quotes out.";
            return Err(Diagnostic::error(&QUOTE, span, message).help(help).into());
        }
        if self.quoted {
            return Err(self.expected("a pattern inside the quotes").into());
        }
        self.at += 1;
        self.quoted = true;
        let inner = self.sum();
        self.quoted = false;
        let inner = inner?;
        self.close("the closing quote", Token::Quote, span)?;
        let end = self.words[self.at - 1].1;
        Ok(self.push(NodeKind::Quote(inner), span.join(end)))
    }

    /// `ID`, `NODES(…)` and the like.
    fn function(&mut self, span: Span) -> Parsed<ExprId> {
        let name = self.text[span.range()].to_ascii_uppercase();
        let arguments = match name.as_str() {
            "ID" => {
                self.at += 1;
                return Ok(self.push(NodeKind::Identity, span));
            }
            "NODES" | "EDGES" | "NOT" | "PATHS" => 1,
            "COMPOSE" | "SETMINUS" => 2,
            _ => {
                let wrong = self.expected("a pattern");
                let help =
                    "Functions, lines and labels are named by filters: `@FUNC(f)`, `@LINE(7)` or `@7`, `@LABEL(l)`.";
                return Err(wrong.help(help).into());
            }
        };
        self.nested(|parser| {
            parser.at += 1;
            let open = parser.open(&name)?;
            let first = parser.filter()?;
            let mut second = first;
            let mut bound = 0;
            if arguments == 2 {
                parser.comma()?;
                second = parser.filter()?;
            } else if name == "PATHS" {
                parser.comma()?;
                bound = parser.number("how often a path may pass a node", 1, u32::MAX)?;
            }
            parser.close("`)`", Token::Close, open)?;
            let kind = match name.as_str() {
                "NODES" => NodeKind::Nodes(first),
                "EDGES" => NodeKind::Edges(first),
                "PATHS" => NodeKind::Paths(first, bound),
                "NOT" => NodeKind::Not(first),
                "COMPOSE" => NodeKind::Compose(first, second),
                _ => NodeKind::Minus(first, second),
            };
            let end = parser.words[parser.at - 1].1;
            Ok(parser.push(kind, span.join(end)))
        })
    }

    /// A filter in the place of an argument.
    fn filter(&mut self) -> Parsed<ExprId> {
        let clause = std::mem::replace(&mut self.clause, ClauseKind::Filter);
        let inner = self.sum();
        self.clause = clause;
        let inner = inner?;
        self.require_filter(inner, "this")?;
        Ok(inner)
    }

    fn filter_function(&mut self) -> Parsed<ExprId> {
        let start = self.words[self.at].1;
        self.at += 1;
        let Some(&(token, span)) = self.words.get(self.at) else {
            return Err(self.expected("the name of a filter or a line number").into());
        };
        let filter = match token {
            Token::Number => Filter::Line(self.number("a line", 0, u32::MAX)?),
            Token::Word => {
                self.at += 1;
                self.named_filter(span)?
            }
            _ => return Err(self.expected("the name of a filter or a line number").into()),
        };
        let end = self.words[self.at - 1].1;
        Ok(self.push(NodeKind::Filter(filter), start.join(end)))
    }

    fn named_filter(&mut self, span: Span) -> Parsed<Filter> {
        let name = self.text[span.range()].to_ascii_uppercase();
        let plain = match name.as_str() {
            "BASICBLOCKENTRY" => Some(Filter::BasicBlockEntry),
            "CONDITIONEDGE" => Some(Filter::ConditionEdge),
            "CONDITIONGRAPH" => Some(Filter::ConditionGraph),
            "DECISIONEDGE" => Some(Filter::DecisionEdge),
            "CALLS" => Some(Filter::Calls),
            _ => None,
        };
        if let Some(filter) = plain {
            return Ok(filter);
        }
        let known = ["FILE", "LINE", "COLUMN", "FUNC", "ENTRY", "EXIT", "CALL", "LABEL", "DEF", "USE", "STMTTYPE"];
        let more = ["EXPR", "REGEXP", "EDGE", "NODE"];
        if !known.contains(&name.as_str()) && !more.contains(&name.as_str()) {
            let wrong = Diagnostic::error(&SYNTAX, span, format!("unknown filter `@{name}`"));
            let all = "@BASICBLOCKENTRY @CONDITIONEDGE @CONDITIONGRAPH @DECISIONEDGE @CALLS @FILE @LINE @COLUMN @FUNC @ENTRY @EXIT \
                       @CALL @LABEL @DEF @USE @STMTTYPE @EXPR @REGEXP @EDGE @NODE";
            return Err(wrong.help(format!("The filters are {all}.")).into());
        }
        let open = self.open(&format!("@{name}"))?;
        let filter = match name.as_str() {
            "FILE" => Filter::File(self.quoted_text("the name of a file in single quotes")?),
            "EXPR" => Filter::Expression(self.quoted_text("a text in single quotes")?),
            "REGEXP" => Filter::Regexp(self.quoted_text("a regular expression in single quotes")?),
            "LINE" => Filter::Line(self.number("a line", 0, u32::MAX)?),
            "COLUMN" => Filter::Column(self.number("a column", 0, u32::MAX)?),
            "FUNC" => Filter::Func(self.identifier("the name of a function")?),
            "ENTRY" => Filter::Entry(self.identifier("the name of a function")?),
            "EXIT" => Filter::Exit(self.identifier("the name of a function")?),
            "CALL" => Filter::Call(self.identifier("the name of a function")?),
            "LABEL" => Filter::Label(self.identifier("a label")?),
            "DEF" => Filter::Def(self.identifier("the name of a variable")?),
            "USE" => Filter::Use(self.identifier("the name of a variable")?),
            "EDGE" => Filter::Edge(self.numbers("the number of an edge")?),
            "NODE" => Filter::Node(self.numbers("the number of a node")?),
            _ => Filter::StatementType(self.kinds()?),
        };
        self.close("`)`", Token::Close, open)?;
        Ok(filter)
    }

    fn kinds(&mut self) -> Parsed<Vec<Kind>> {
        let mut kinds = Vec::new();
        loop {
            let names: Vec<&str> = Kind::NAMES.iter().map(|(name, _)| *name).collect();
            let span = self.words.get(self.at).map(|word| word.1);
            let kind = span.and_then(|span| Kind::named(&self.text[span.range()]));
            let Some(kind) = kind else {
                let help = format!("The kinds of statements are {}.", names.join(" "));
                return Err(self.expected("a kind of statement").help(help).into());
            };
            self.at += 1;
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
            if !self.accept(Token::Comma) {
                return Ok(kinds);
            }
        }
    }

    fn numbers(&mut self, what: &str) -> Parsed<Vec<u32>> {
        let mut numbers = vec![self.number(what, 0, u32::MAX)?];
        while self.accept(Token::Comma) {
            numbers.push(self.number(what, 0, u32::MAX)?);
        }
        Ok(numbers)
    }

    fn identifier(&mut self, what: &str) -> Parsed<String> {
        match self.words.get(self.at) {
            Some(&(Token::Word, span)) => {
                self.at += 1;
                Ok(self.text[span.range()].to_owned())
            }
            _ => Err(self.expected(what).into()),
        }
    }

    fn quoted_text(&mut self, what: &str) -> Parsed<String> {
        match self.words.get(self.at) {
            Some(&(Token::File, span)) => {
                self.at += 1;
                let range = span.range();
                Ok(self.text[range.start + 1..range.end - 1].to_owned())
            }
            _ => Err(self.expected(what).into()),
        }
    }

    fn number(&mut self, what: &str, least: u32, most: u32) -> Parsed<u32> {
        let Some(&(Token::Number, span)) = self.words.get(self.at) else {
            return Err(self.expected(what).into());
        };
        self.at += 1;
        let text = &self.text[span.range()];
        match text.parse::<u32>() {
            Ok(number) if (least..=most).contains(&number) => Ok(number),
            Ok(number) if number < least => {
                Err(Diagnostic::error(&BAD_BOUND, span, format!("the bound must be at least {least}")).into())
            }
            _ => {
                let message = format!("the number {} is too large", shorten(text));
                Err(Diagnostic::error(&BAD_BOUND, span, message).label(format!("at most {most}")).into())
            }
        }
    }

    fn open(&mut self, name: &str) -> Parsed<Span> {
        match self.words.get(self.at) {
            Some(&(Token::Open, span)) => {
                self.at += 1;
                Ok(span)
            }
            _ => Err(self.expected(&format!("`(` behind {name}")).into()),
        }
    }

    fn comma(&mut self) -> Parsed<()> {
        if self.accept(Token::Comma) { Ok(()) } else { Err(self.expected("`,`").into()) }
    }

    fn close(&mut self, what: &str, token: Token, open: Span) -> Parsed<()> {
        if self.accept(token) {
            return Ok(());
        }
        Err(self.expected(what).also(open, "opened here").into())
    }

    fn nested(&mut self, read: impl FnOnce(&mut Self) -> Parsed<ExprId>) -> Parsed<ExprId> {
        if DEEPEST <= self.depth {
            let span = self.words[self.at].1;
            let message = format!("more than {DEEPEST} levels of nesting");
            return Err(Diagnostic::error(&TOO_DEEP, span, message).into());
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    fn require_filter(&self, id: ExprId, what: &str) -> Parsed<()> {
        let node = &self.nodes[id.0 as usize];
        if node.kind.is_filter() {
            return Ok(());
        }
        Err(Diagnostic::error(&NOT_A_FILTER, node.span, format!("{what} is a pattern where a filter is needed"))
            .help("`+` and `.` join patterns, `|` and `&` join filters.")
            .into())
    }

    fn keyword(&mut self, word: &str) -> bool {
        let found = match self.words.get(self.at) {
            Some(&(Token::Word, span)) => self.text[span.range()].eq_ignore_ascii_case(word),
            _ => false,
        };
        self.at += usize::from(found);
        found
    }

    fn accept(&mut self, token: Token) -> bool {
        let found = self.peek() == Some(token);
        self.at += usize::from(found);
        found
    }

    fn peek(&self) -> Option<Token> {
        self.words.get(self.at).map(|word| word.0)
    }

    fn expected(&self, what: &str) -> Diagnostic {
        match self.words.get(self.at) {
            Some(&(_, span)) => {
                let message = format!("expected {what}, found `{}`", shorten(&self.text[span.range()]));
                Diagnostic::error(&SYNTAX, span, message)
            }
            None => {
                let end = self.text.trim_end().len();
                Diagnostic::error(&SYNTAX, Span::new(end, end), format!("expected {what}, found the end of the query"))
            }
        }
    }

    fn join(&mut self, left: ExprId, right: ExprId, kind: NodeKind) -> ExprId {
        let span = self.nodes[left.0 as usize].span.join(self.nodes[right.0 as usize].span);
        self.push(kind, span)
    }

    fn push(&mut self, kind: NodeKind, span: Span) -> ExprId {
        self.nodes.push(Node { kind, span });
        ExprId(self.nodes.len() as u32 - 1)
    }
}

fn infinite(span: Span, operator: &str) -> Diagnostic {
    Diagnostic::error(&INFINITE, span, format!("`{operator}` would ask for infinitely many goals"))
        .label("unquoted in the cover clause")
        .help("Put the pattern into double quotes to make it one goal.")
}

fn shorten(text: &str) -> String {
    if text.chars().count() <= 40 {
        return text.to_owned();
    }
    text.chars().take(39).chain(['…']).collect()
}
