//! From the words of a file to its statements.

mod expression;
mod types;

use std::sync::Arc;

use source::{Code, Span};

use crate::ast::{Annotation, Body, Definition, Expr, ExprKind, Name, Parameter, Statement, TypeDefinition};
use crate::codes::{DEPRECATED, SYNTAX, TOO_DEEP};
use crate::lex::{Part, Token, Word, lex};
use crate::place::{FileId, Place};
use crate::report::Report;

/// How deeply expressions and types may be nested.
pub(crate) const DEPTH: u32 = 1500;

/// Reads a file. What cannot be read is reported and skipped up to the next statement.
pub fn parse(text: &str, file: FileId) -> (Vec<Statement>, Vec<Report>) {
    let mut parser = Parser::new(lex(text, 0), file);
    let statements = parser.statements(false);
    (statements, parser.reports)
}

/// Reads expressions with commas between them that begin at `offset` of their file and take up the whole piece.
pub(crate) fn parse_expressions(text: &str, offset: usize, file: FileId) -> Result<Vec<Expr>, Vec<Report>> {
    let mut parser = Parser::new(lex(text, offset), file);
    let mut read = Vec::new();
    loop {
        match parser.expression() {
            Ok(expr) => read.push(expr),
            Err(Fault) => return Err(parser.reports),
        }
        if parser.is_end() {
            return Ok(read);
        }
        if parser.expect(",").is_err() {
            return Err(parser.reports);
        }
    }
}

/// Reading went wrong; the report is already made.
#[derive(Debug)]
pub(crate) struct Fault;

pub(crate) type Parsed<T> = Result<T, Fault>;

pub(crate) struct Parser {
    words: Vec<Word>,
    at: usize,
    file: FileId,
    depth: u32,
    /// For each word that is an opening bracket, the position of the closing one.
    closing: Vec<usize>,
    pub(crate) reports: Vec<Report>,
}

impl Parser {
    pub(crate) fn new(words: Vec<Word>, file: FileId) -> Parser {
        let mut closing = vec![usize::MAX; words.len()];
        let mut open = Vec::new();
        for (index, word) in words.iter().enumerate() {
            match word.token {
                Token::Sign("(" | "[" | "{" | "${") => open.push(index),
                Token::Sign(")" | "]" | "}") => {
                    if let Some(start) = open.pop() {
                        closing[start] = index;
                    }
                }
                _ => {}
            }
        }
        Parser { words, at: 0, file, depth: 0, closing, reports: Vec::new() }
    }

    /// A parser for the words of a value inside a string.
    fn nested(&self, words: Vec<Word>) -> Parser {
        Parser { depth: self.depth, ..Parser::new(words, self.file) }
    }

    fn token(&self) -> &Token {
        &self.words[self.at].token
    }

    fn token_after(&self, count: usize) -> &Token {
        &self.words[(self.at + count).min(self.words.len() - 1)].token
    }

    fn here(&self) -> Place {
        self.place(self.words[self.at].span)
    }

    fn place(&self, span: Span) -> Place {
        Place { file: self.file, span }
    }

    /// From a place up to the word read last.
    fn since(&self, start: Place) -> Place {
        let last = self.words[..self.at].iter().rev().find(|word| word.token != Token::Newline);
        last.map_or(start, |word| start.join(self.place(word.span)))
    }

    fn is_sign(&self, sign: &str) -> bool {
        matches!(self.token(), Token::Sign(found) if *found == sign)
    }

    fn is_keyword(&self, word: &str) -> bool {
        matches!(self.token(), Token::Keyword(found) if *found == word)
    }

    fn is_end(&self) -> bool {
        *self.token() == Token::End
    }

    fn advance(&mut self) -> Place {
        let place = self.here();
        if self.at + 1 < self.words.len() {
            self.at += 1;
        }
        place
    }

    fn skip_newlines(&mut self) {
        while *self.token() == Token::Newline {
            self.advance();
        }
    }

    /// Whether a keyword comes next, line breaks aside; if so they are skipped.
    fn reaches_keyword(&mut self, word: &str) -> bool {
        let mut ahead = self.at;
        while self.words[ahead].token == Token::Newline {
            ahead += 1;
        }
        let found = matches!(self.words[ahead].token, Token::Keyword(found) if found == word);
        if found {
            self.at = ahead;
        }
        found
    }

    fn accept(&mut self, sign: &str) -> Option<Place> {
        self.is_sign(sign).then(|| self.advance())
    }

    fn accept_keyword(&mut self, word: &str) -> Option<Place> {
        self.is_keyword(word).then(|| self.advance())
    }

    fn expect(&mut self, sign: &str) -> Parsed<Place> {
        match self.accept(sign) {
            Some(place) => Ok(place),
            None => self.unexpected(&format!("`{sign}`")),
        }
    }

    fn fault<T>(&mut self, code: &'static Code, place: Place, message: impl Into<String>) -> Parsed<T> {
        self.reports.push(Report::error(code, place, message));
        Err(Fault)
    }

    fn unexpected<T>(&mut self, wanted: &str) -> Parsed<T> {
        let place = self.here();
        let message = match self.token() {
            Token::Wrong(reason) => (*reason).to_owned(),
            Token::End => format!("the text ends where {wanted} is expected"),
            Token::Newline => format!("the line ends where {wanted} is expected"),
            _ => format!("expected {wanted}"),
        };
        let mut report = Report::error(&SYNTAX, place, message);
        if let Some(help) = self.advice(wanted) {
            report = report.help(help);
        }
        self.reports.push(report);
        Err(Fault)
    }

    /// What to type in place of what other languages write.
    fn advice(&self, wanted: &str) -> Option<&'static str> {
        let before = self.at.checked_sub(1).map(|before| &self.words[before].token);
        if matches!(before, Some(Token::Name(text)) if &**text == "not") {
            return Some("Write `!`.");
        }
        match self.token() {
            Token::Name(text) => match &**text {
                "and" => Some("Write `&&`."),
                "or" => Some("Write `||`."),
                "not" => Some("Write `!`."),
                "mod" => Some("Write `%`."),
                _ => None,
            },
            Token::Sign("=") if wanted == "the end of the line" => Some("`==` compares."),
            Token::Sign("->" | "=>") => Some("`a -> b` is written `!a || b`."),
            _ if wanted == "`else`" => Some("Every `if` has both ways: `if c then a else b`."),
            _ => None,
        }
    }

    fn too_deep<T>(&mut self, place: Place) -> Parsed<T> {
        self.fault(&TOO_DEEP, place, format!("this is nested more than {DEPTH} levels deep"))
    }

    fn deprecated(&mut self, place: Place, message: &str) {
        self.reports.push(Report::warning(&DEPRECATED, place, message));
    }

    fn name(&mut self) -> Parsed<Name> {
        if let Token::Name(text) = self.token() {
            let text = text.clone();
            return Ok(Name { text, place: self.advance() });
        }
        self.unexpected("a name")
    }

    /// Items separated by commas up to a closing bracket, which is read; a last comma is allowed.
    fn listed<T>(&mut self, close: &str, mut item: impl FnMut(&mut Parser) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut items = Vec::new();
        loop {
            self.skip_newlines();
            if self.accept(close).is_some() {
                return Ok(items);
            }
            items.push(item(self)?);
            self.skip_newlines();
            if self.accept(",").is_none() {
                self.expect(close)?;
                return Ok(items);
            }
        }
    }

    fn statements(&mut self, in_module: bool) -> Vec<Statement> {
        let mut statements = Vec::new();
        loop {
            while matches!(self.token(), Token::Newline | Token::Sign(";")) {
                self.advance();
            }
            if self.is_end() || (in_module && self.is_sign("}")) {
                return statements;
            }
            let start = self.at;
            match self.statement() {
                Ok(Some(statement)) => statements.push(statement),
                Ok(None) => {}
                Err(Fault) => {
                    self.recover(start);
                    continue;
                }
            }
            let ends = matches!(self.token(), Token::Newline | Token::Sign(";") | Token::End);
            if !(ends || in_module && self.is_sign("}")) {
                self.unexpected::<()>("the end of the line").ok();
                self.recover(self.at);
            }
        }
    }

    /// Skips to the end of the line on which no bracket opened since `start` is still open.
    fn recover(&mut self, start: usize) {
        let mut open = 0_usize;
        let reached = self.at;
        self.at = start;
        while !self.is_end() {
            match self.token() {
                Token::Sign("(" | "[" | "{" | "${") => open += 1,
                Token::Sign(")" | "]" | "}") => open = open.saturating_sub(1),
                Token::Newline if open == 0 && self.at >= reached => return,
                _ => {}
            }
            self.advance();
        }
        if open > 0 {
            // A bracket without its partner: begin again at the next line that looks like a statement.
            self.at = reached.max(start);
            while !self.is_end() {
                let begins = matches!(
                    self.token_after(1),
                    Token::Keyword(
                        "def" | "in" | "out" | "print" | "type" | "module" | "import" | "imexport" | "include"
                    )
                );
                if *self.token() == Token::Newline && begins {
                    return;
                }
                self.advance();
            }
        }
    }

    fn statement(&mut self) -> Parsed<Option<Statement>> {
        let start = self.here();
        let mut annotations = Vec::new();
        while self.is_sign("@") {
            annotations.push(self.annotation()?);
            self.skip_newlines();
        }
        if self.begins_definition() {
            if matches!(self.token_after(1), Token::Sign("@")) && self.is_keyword("def") {
                return self.annotation_definition().map(Some);
            }
            let definition = self.definition(start, annotations)?;
            return Ok(Some(Statement::Definition(Arc::new(definition))));
        }
        let Token::Keyword(keyword) = *self.token() else {
            return self.unexpected("a statement such as `def`, `in` or `out`");
        };
        match keyword {
            "type" => self.type_definition().map(Some),
            "module" => self.module().map(Some),
            "import" | "imexport" => self.import().map(Some),
            "include" => self.include().map(Some),
            "in" => self.input(start, annotations).map(Some),
            "out" => self.output(annotations).map(Some),
            "print" => {
                self.advance();
                self.skip_newlines();
                Ok(Some(Statement::Print(self.expression()?)))
            }
            _ => self.unexpected("a statement such as `def`, `in` or `out`"),
        }
    }

    fn annotation(&mut self) -> Parsed<Annotation> {
        self.expect("@")?;
        let name = self.name()?;
        let arguments = if self.accept("(").is_some() { self.arguments()? } else { Vec::new() };
        Ok(Annotation { name, arguments })
    }

    /// `def @name(parameters)`: declares an annotation, which has no effect on runs.
    fn annotation_definition(&mut self) -> Parsed<Statement> {
        self.advance();
        self.advance();
        let name = self.name()?;
        let parameters = if self.accept("(").is_some() { self.listed(")", Parser::parameter)? } else { Vec::new() };
        Ok(Statement::Annotation { name, parameters })
    }

    pub(crate) fn begins_definition(&self) -> bool {
        let liftable = matches!(self.token(), Token::Name(name) if &**name == "liftable");
        self.is_keyword("def") || (liftable && *self.token_after(1) == Token::Keyword("def"))
    }

    /// A definition with the annotations before it.
    fn annotated_definition(&mut self) -> Parsed<Definition> {
        let start = self.here();
        let mut annotations = Vec::new();
        while self.is_sign("@") {
            annotations.push(self.annotation()?);
            self.skip_newlines();
        }
        self.definition(start, annotations)
    }

    fn definition(&mut self, start: Place, annotations: Vec<Annotation>) -> Parsed<Definition> {
        let mut liftable = annotations.iter().any(|annotation| &*annotation.name.text == "liftable");
        if !self.is_keyword("def") {
            liftable = true;
            self.advance();
        }
        if self.accept_keyword("def").is_none() {
            return self.unexpected("`def`");
        }
        self.skip_newlines();
        let name = self.name()?;
        let generics = if self.accept("[").is_some() { self.listed("]", Parser::name)? } else { Vec::new() };
        let parameters = if self.accept("(").is_some() { Some(self.listed(")", Parser::parameter)?) } else { None };
        let mut result = None;
        if self.accept(":").is_some() {
            self.skip_newlines();
            result = Some(self.type_expr()?);
        }
        let header = self.since(start);
        if self.accept(":=").is_none() && self.accept("=").is_none() {
            return self.unexpected("`=` or `:=`");
        }
        self.skip_newlines();
        let body = self.body()?;
        let place = self.since(start);
        Ok(Definition { name, annotations, liftable, generics, parameters, result, body, header, place })
    }

    fn body(&mut self) -> Parsed<Body> {
        let place = self.here();
        if let Some(name) = self.external()? {
            return Ok(Body::Extern(name, self.since(place)));
        }
        let expr = self.expression()?;
        if !self.reaches_keyword("where") {
            return Ok(Body::Expression(expr));
        }
        self.advance();
        self.skip_newlines();
        self.expect("{")?;
        let definitions = self.local_definitions()?;
        self.skip_newlines();
        self.expect("}")?;
        let depth = expr.depth + 1;
        let place = self.since(expr.place);
        Ok(Body::Expression(Expr { kind: ExprKind::Block(definitions, Box::new(expr)), place, depth }))
    }

    /// `__builtin__(name)` or `extern("name")`, with further arguments ignored.
    fn external(&mut self) -> Parsed<Option<Arc<str>>> {
        let is_marker = matches!(self.token(), Token::Name(name) if matches!(&**name, "__builtin__" | "extern"));
        if !is_marker || *self.token_after(1) != Token::Sign("(") {
            return Ok(None);
        }
        self.advance();
        self.advance();
        let name = match self.token().clone() {
            Token::Name(name) => name,
            Token::Text { parts, .. } => match parts.as_slice() {
                [Part::Text(text)] => text.as_str().into(),
                _ => return self.unexpected("the name of something built in"),
            },
            _ => return self.unexpected("the name of something built in"),
        };
        self.advance();
        if self.accept(",").is_some() {
            self.expression()?;
        }
        self.expect(")")?;
        Ok(Some(name))
    }

    fn local_definitions(&mut self) -> Parsed<Vec<Arc<Definition>>> {
        let mut definitions = Vec::new();
        loop {
            while matches!(self.token(), Token::Newline | Token::Sign(";")) {
                self.advance();
            }
            if !self.begins_definition() && !self.is_sign("@") {
                return Ok(definitions);
            }
            definitions.push(Arc::new(self.annotated_definition()?));
        }
    }

    fn parameter(&mut self) -> Parsed<Parameter> {
        let name = self.name()?;
        let mut of = None;
        if self.accept(":").is_some() {
            self.skip_newlines();
            of = Some(self.type_expr()?);
        }
        Ok(Parameter { name, of })
    }

    fn type_definition(&mut self) -> Parsed<Statement> {
        self.advance();
        self.skip_newlines();
        let name = self.name()?;
        let generics = if self.accept("[").is_some() { self.listed("]", Parser::name)? } else { Vec::new() };
        if self.accept(":=").is_none() && self.accept("=").is_none() {
            return self.unexpected("`=` or `:=`");
        }
        self.skip_newlines();
        let body = match self.external()? {
            Some(name) => Err(name),
            None => Ok(self.type_expr()?),
        };
        Ok(Statement::Type(Arc::new(TypeDefinition { name, generics, body })))
    }

    fn module(&mut self) -> Parsed<Statement> {
        self.advance();
        self.skip_newlines();
        let name = self.name()?;
        self.skip_newlines();
        self.expect("{")?;
        self.depth += 1;
        if self.depth > DEPTH {
            return self.too_deep(name.place);
        }
        let statements = self.statements(true);
        self.depth -= 1;
        self.reject_streams(&statements);
        self.expect("}")?;
        Ok(Statement::Module { name, statements })
    }

    /// Modules hold definitions: what goes in and out is said at the top level.
    fn reject_streams(&mut self, statements: &[Statement]) {
        for statement in statements {
            let place = match statement {
                Statement::Input { place, .. } | Statement::OutputAll(place) | Statement::Include { place, .. } => {
                    *place
                }
                Statement::Output { value, .. } | Statement::Print(value) => value.place,
                Statement::Annotation { name, .. } => name.place,
                Statement::Definition(_) | Statement::Type(_) | Statement::Module { .. } | Statement::Import { .. } => {
                    continue;
                }
            };
            let message = "inputs, outputs, annotations and files are declared outside of modules";
            self.reports.push(Report::error(&SYNTAX, place, message));
        }
    }

    fn import(&mut self) -> Parsed<Statement> {
        let export = self.is_keyword("imexport");
        self.advance();
        let mut path = vec![self.name()?];
        while self.accept(".").is_some() {
            if self.accept("*").is_some() {
                return Ok(Statement::Import { path, wildcard: true, export });
            }
            path.push(self.name()?);
        }
        Ok(Statement::Import { path, wildcard: false, export })
    }

    fn include(&mut self) -> Parsed<Statement> {
        self.advance();
        let place = self.here();
        if let Token::Text { parts, .. } = self.token().clone()
            && let [Part::Text(path)] = parts.as_slice()
        {
            self.advance();
            return Ok(Statement::Include { path: path.clone(), place });
        }
        self.unexpected("the path of a file in quotes")
    }

    fn input(&mut self, start: Place, annotations: Vec<Annotation>) -> Parsed<Statement> {
        self.advance();
        self.skip_newlines();
        let name = self.name()?;
        self.skip_newlines();
        self.expect(":")?;
        self.skip_newlines();
        let of = self.type_expr()?;
        Ok(Statement::Input { name, of, annotations, place: self.since(start) })
    }

    fn output(&mut self, annotations: Vec<Annotation>) -> Parsed<Statement> {
        self.advance();
        self.skip_newlines();
        if let Some(place) = self.accept("*") {
            return Ok(Statement::OutputAll(place));
        }
        let value = self.expression()?;
        let mut name = None;
        if self.accept_keyword("as").is_some() {
            self.skip_newlines();
            name = Some(self.name()?);
        }
        Ok(Statement::Output { value, name, annotations })
    }
}
