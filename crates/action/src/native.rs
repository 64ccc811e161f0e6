//! The native notation: declarations, actions with blocks in braces, one do-od block.

pub(crate) mod advice;
mod constant;
mod definition;
mod expression;
mod lex;
mod quantifier;
mod structure;

pub(crate) use lex::is_plain_name;

use std::sync::Arc;

use logos::Logos;
use source::{Diagnostic, LexError, Source, Span};

use crate::ast::{
    Action, Argument, At, Call, Expr, ExprKind, Initial, Invariant, Loop, Model, NESTING, Name, Stmt, TypeDeclaration,
    TypeKind,
};
use crate::codes;
use crate::prolog::too_deep;
use lex::Token;

/// The syntax tree of an `.as` text.
///
/// # Errors
/// What is wrong with the text.
pub(crate) fn parse(source: &Source) -> Result<Model, Vec<Diagnostic>> {
    let end = source.text().len();
    let lexed = Token::lexer(source.text()).spanned().map(|(token, range)| (token, Span::from(range)));
    let words = lexed.chain([(Ok(Token::End), Span::new(end, end))]).collect();
    let mut parser = Parser {
        source,
        words,
        next: 0,
        depth: 0,
        model: Model::default(),
        constants: Vec::new(),
        definitions: Vec::new(),
        flags: Vec::new(),
        records: Vec::new(),
        machines: Vec::new(),
        inside: None,
        depth_at: None,
        body_at: None,
    };
    while parser.token() != Token::End {
        parser.item().map_err(|error| vec![error])?;
    }
    let checks = [Parser::names_are_free, Parser::definitions_are_closed, Parser::flags_are_flags];
    checks.iter().try_for_each(|check| check(&parser)).map_err(|error| vec![error])?;
    Ok(parser.model)
}

type Parsed<T> = Result<T, Diagnostic>;

struct Parser<'a> {
    source: &'a Source,
    words: Vec<(Result<Token, LexError>, Span)>,
    next: usize,
    depth: usize,
    model: Model,
    constants: Vec<constant::Constant>,
    definitions: Vec<definition::Definition>,
    /// Names that stand alone where a condition is needed.
    flags: Vec<Name>,
    records: Vec<structure::Record>,
    machines: Vec<structure::Machine>,
    /// The machine whose parts are being read.
    inside: Option<structure::Inside>,
    depth_at: Option<Span>,
    body_at: Option<Span>,
}

impl Parser<'_> {
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

    fn accept(&mut self, token: Token) -> bool {
        let found = self.token() == token;
        if found {
            self.bump();
        }
        found
    }

    fn expect(&mut self, token: Token, what: &str) -> Parsed<Span> {
        if self.token() == token { Ok(self.bump()) } else { Err(self.unexpected(what)) }
    }

    fn unexpected(&self, wanted: &str) -> Diagnostic {
        let (word, span) = self.words[self.next];
        let found = self.source.slice(span);
        let error = match word {
            Err(error) => error.report(&codes::SYNTAX, self.source, span),
            Ok(Token::End) => {
                Diagnostic::error(&codes::SYNTAX, span, format!("the file ends where {wanted} is expected"))
            }
            Ok(_) => Diagnostic::error(&codes::SYNTAX, span, format!("expected {wanted}, found `{found}`")),
        };
        let before = self.next.checked_sub(1).map_or("", |before| self.source.slice(self.words[before].1));
        // What cannot be read says nothing about what was meant to follow.
        let wanted = if word.is_err() { "" } else { wanted };
        match advice::advice(before, found, wanted) {
            Some(help) => error.help(help),
            None => error,
        }
    }

    fn deeper(&mut self) -> Parsed<()> {
        self.depth += 1;
        if self.depth <= NESTING { Ok(()) } else { Err(too_deep(self.span())) }
    }

    fn item(&mut self) -> Parsed<()> {
        let span = self.span();
        match self.token() {
            Token::Depth => {
                self.bump();
                once(&mut self.depth_at, span, "`depth`")?;
                let depth = self.constant()?;
                let negative = |_| Diagnostic::error(&codes::NUMBER, span, "the search depth is negative");
                self.model.depth = Some(u64::try_from(depth).map_err(negative)?);
                self.end_of_item()
            }
            Token::Const => self.constant_declaration(),
            Token::Let => self.definition(),
            Token::Invariant => self.invariant(),
            Token::Machine => self.machine(),
            Token::Type => self.type_declaration(),
            Token::Var => self.variables(),
            Token::Input => {
                self.bump();
                let names = self.names()?;
                Arc::make_mut(&mut self.model.inputs).extend(names);
                self.end_of_item()
            }
            Token::Internal => {
                self.bump();
                let names = self.names()?;
                Arc::make_mut(&mut self.model.internals).extend(names);
                self.end_of_item()
            }
            Token::Action => self.action(),
            Token::Do => {
                self.bump();
                once(&mut self.body_at, span, "do-od block")?;
                if self.token() == Token::Od {
                    let whole = span.join(self.span());
                    return Err(Diagnostic::error(&codes::MISSING, whole, "the do-od block calls no action"));
                }
                self.model.body = Some(Arc::new(self.choice()?));
                self.expect(Token::Od, "`[]` or `od`")?;
                self.accept(Token::Semicolon);
                Ok(())
            }
            _ => Err(self.unexpected(
                "`const`, `type`, `var`, `let`, `invariant`, `machine`, `input`, `internal`, `action`, `depth` or `do`",
            )),
        }
    }

    /// `invariant NAME: CONDITION;`
    fn invariant(&mut self) -> Parsed<()> {
        self.bump();
        let name = self.name("the name of an invariant")?;
        self.expect(Token::Colon, "`:` and a condition")?;
        let condition = self.condition()?;
        Arc::make_mut(&mut self.model.invariants).push(Invariant { name, condition });
        self.end_of_item()
    }

    fn end_of_item(&mut self) -> Parsed<()> {
        self.expect(Token::Semicolon, "`;`").map(|_| ())
    }

    fn type_declaration(&mut self) -> Parsed<()> {
        self.bump();
        let name = self.name("the name of a type")?;
        self.expect(Token::Equal, "`=`")?;
        if self.token() == Token::Record {
            return self.record(name);
        }
        let kind = if self.accept(Token::OpenBrace) {
            let labels = self.names()?;
            self.expect(Token::CloseBrace, "`,` or `}`")?;
            TypeKind::Interval { low: 0, high: labels.len() as i64 - 1, labels }
        } else if self.accept(Token::Array) {
            let (low, high) = self.range()?;
            self.expect(Token::Of, "`of`")?;
            let element = self.name("the type of the cells")?;
            if let Some(read) = self.array_of_records(&name, (low, high), &element) {
                return read;
            }
            TypeKind::Array { low, high, element }
        } else {
            let (low, high) = self.range()?;
            let mut labels = Vec::new();
            if self.accept(Token::OpenBrace) {
                labels = self.names()?;
                self.expect(Token::CloseBrace, "`,` or `}`")?;
            }
            TypeKind::Interval { low, high, labels }
        };
        Arc::make_mut(&mut self.model.types).push(TypeDeclaration { name, kind });
        self.end_of_item()
    }

    fn range(&mut self) -> Parsed<(i64, i64)> {
        let low = self.constant()?;
        self.expect(Token::Range, "`..`")?;
        Ok((low, self.constant()?))
    }

    fn number(&mut self) -> Parsed<i64> {
        let sign = if self.accept(Token::Minus) { -1 } else { 1 };
        let span = self.expect(Token::Number, "a number")?;
        let parsed = self.source.slice(span).parse::<i64>().ok().filter(|number| *number <= 1 << 62);
        parsed
            .map(|number| sign * number)
            .ok_or_else(|| Diagnostic::error(&codes::NUMBER, span, "this number is larger than 2^62"))
    }

    fn name(&mut self, what: &str) -> Parsed<Name> {
        match self.token() {
            Token::Name => {
                let span = self.bump();
                Ok(Name::new(self.source.slice(span), span))
            }
            Token::Quoted => {
                let span = self.bump();
                let text = self.source.slice(span);
                Ok(Name::new(&text[1..text.len() - 1], span))
            }
            _ => Err(self.unexpected(what)),
        }
    }

    fn names(&mut self) -> Parsed<Vec<Name>> {
        let mut names = vec![self.name("a name")?];
        while self.accept(Token::Comma) {
            names.push(self.name("a name")?);
        }
        Ok(names)
    }

    fn variables(&mut self) -> Parsed<()> {
        self.bump();
        let names = self.names()?;
        self.expect(Token::Colon, "`:` and a type")?;
        let kind = self.name("a type")?;
        self.expect(Token::Equal, "`=` and an initial value")?;
        let initial = self.initial()?;
        for name in names {
            self.declare(name, &kind, &initial)?;
        }
        self.end_of_item()
    }

    fn initial(&mut self) -> Parsed<Initial> {
        let span = self.span();
        match self.token() {
            Token::Name | Token::Quoted => self.initial_name(),
            Token::OpenBracket => {
                self.bump();
                let mut items = vec![self.initial_cell()?];
                while self.accept(Token::Comma) {
                    items.push(self.initial_cell()?);
                }
                let close = self.expect(Token::CloseBracket, "`,` or `]`")?;
                Ok(Initial::List(items, At(span.join(close))))
            }
            _ => Ok(Initial::Number(self.number()?, At(span))),
        }
    }

    fn initial_name(&mut self) -> Parsed<Initial> {
        let name = self.name("a value")?;
        Ok(match self.constant_named(&name.text) {
            Some(value) => Initial::Number(value, At(name.span())),
            None => Initial::Label(name),
        })
    }

    fn initial_cell(&mut self) -> Parsed<Initial> {
        let span = self.span();
        match self.token() {
            Token::Name | Token::Quoted => self.initial_name(),
            _ => Ok(Initial::Number(self.number()?, At(span))),
        }
    }

    fn action(&mut self) -> Parsed<()> {
        self.bump();
        let name = self.name("the label of an action")?;
        let mut parameters = Vec::new();
        if self.accept(Token::Open) {
            parameters = self.names()?;
            self.expect(Token::Close, "`,` or `)`")?;
        }
        let guard =
            if self.accept(Token::When) { self.condition()? } else { Expr::new(ExprKind::Truth(true), name.span()) };
        let body = self.block()?;
        self.add_action(Action { name, parameters, guard, body });
        Ok(())
    }

    /// `{ statement; statement }`.
    fn block(&mut self) -> Parsed<Stmt> {
        self.deeper()?;
        let open = self.expect(Token::OpenBrace, "`{`")?;
        let mut parts = Vec::new();
        while self.token() != Token::CloseBrace {
            parts.push(self.statement()?);
            if !self.accept(Token::Semicolon) {
                break;
            }
        }
        let close = self.expect(Token::CloseBrace, "`;` or `}`")?;
        self.depth -= 1;
        Ok(match parts.len() {
            0 => Stmt::Skip(At(open.join(close))),
            1 => parts.remove(0),
            _ => Stmt::Sequence(parts),
        })
    }

    fn statement(&mut self) -> Parsed<Stmt> {
        let span = self.span();
        match self.token() {
            Token::Skip => {
                self.bump();
                Ok(Stmt::Skip(At(span)))
            }
            Token::When => {
                self.bump();
                let guard = self.condition()?;
                Ok(Stmt::Guarded { guard, body: Box::new(self.block()?) })
            }
            Token::Choose => {
                self.bump();
                Ok(Stmt::Choice(self.blocks(Token::Or)?))
            }
            Token::Try => {
                self.bump();
                Ok(Stmt::Priority(self.blocks(Token::Else)?))
            }
            Token::OpenBrace => self.block(),
            Token::Any => {
                self.bump();
                let name = self.name("a name for any value of a type")?;
                self.expect(Token::Colon, "`:` and a type")?;
                let kind = self.name("a type")?;
                let guard = if self.accept(Token::Where) { Some(self.condition()?) } else { None };
                let body = self.block()?;
                let body = match guard {
                    Some(guard) => Stmt::Guarded { guard, body: Box::new(body) },
                    None => body,
                };
                Ok(Stmt::Any { name, kind, body: Box::new(body) })
            }
            Token::Name | Token::Quoted => self.assignments(),
            _ => Err(self.unexpected("a statement: `x := e`, `skip`, `when`, `choose`, `any`, `try` or `{`")),
        }
    }

    /// `x := e`, or several at once: `x, c[1] := e, f`.
    fn assignments(&mut self) -> Parsed<Stmt> {
        let mut targets = vec![self.target()?];
        while self.accept(Token::Comma) {
            targets.push(self.target()?);
        }
        let sign = self.expect(Token::Assign, "`:=`")?;
        let mut values = vec![self.arithmetic()?];
        while self.accept(Token::Comma) {
            values.push(self.arithmetic()?);
        }
        if targets.len() != values.len() {
            let message = format!("{} values for {} variables", values.len(), targets.len());
            return Err(Diagnostic::error(&codes::ARITY, sign, message));
        }
        let pairs = targets.into_iter().zip(values);
        let mut parts: Vec<Stmt> =
            pairs.map(|((target, index), value)| Stmt::Assign { target, index, value }).collect();
        Ok(if parts.len() == 1 { parts.remove(0) } else { Stmt::Together(parts) })
    }

    /// A variable, or a cell of an array.
    fn target(&mut self) -> Parsed<(Name, Option<Expr>)> {
        let target = self.name("a variable")?;
        let target = self.dotted(target)?;
        if self.accept(Token::OpenBracket) {
            let index = self.arithmetic()?;
            self.expect(Token::CloseBracket, "`]`")?;
            return Ok((self.dotted(target)?, Some(index)));
        }
        let instance = self.instance_of(&target.text);
        Ok((target, instance))
    }

    /// `{ ... } or { ... }`.
    fn blocks(&mut self, between: Token) -> Parsed<Vec<Stmt>> {
        let mut parts = vec![self.block()?];
        let word = if between == Token::Or { "`or`" } else { "`else`" };
        self.expect(between, word)?;
        parts.push(self.block()?);
        while self.accept(between) {
            parts.push(self.block()?);
        }
        Ok(parts)
    }

    fn choice(&mut self) -> Parsed<Loop> {
        self.deeper()?;
        let mut parts = Vec::new();
        loop {
            let is_machine = self.names_machine();
            match self.priority()? {
                // The actions of a machine are alternatives like others.
                Loop::Choice(all) if is_machine => parts.extend(all),
                part => parts.push(part),
            }
            if !self.accept(Token::Box) {
                break;
            }
        }
        self.depth -= 1;
        Ok(join(parts, Loop::Choice))
    }

    fn priority(&mut self) -> Parsed<Loop> {
        let parts = self.chain(Token::Before, Parser::sequence)?;
        Ok(join(parts, Loop::Priority))
    }

    fn sequence(&mut self) -> Parsed<Loop> {
        let parts = self.chain(Token::Semicolon, Parser::call)?;
        Ok(join(parts, Loop::Sequence))
    }

    fn chain(&mut self, between: Token, part: fn(&mut Self) -> Parsed<Loop>) -> Parsed<Vec<Loop>> {
        let mut parts = vec![part(self)?];
        while self.accept(between) {
            parts.push(part(self)?);
        }
        Ok(parts)
    }

    fn call(&mut self) -> Parsed<Loop> {
        if self.accept(Token::Open) {
            let inner = self.choice()?;
            self.expect(Token::Close, "`)`")?;
            return Ok(inner);
        }
        let action = self.name("a call of an action")?;
        if self.token() != Token::Open
            && let Some(all) = self.all_of(&action)
        {
            return all;
        }
        let mut arguments = Vec::new();
        if self.accept(Token::Open) {
            arguments.push(self.argument()?);
            while self.accept(Token::Comma) {
                arguments.push(self.argument()?);
            }
            self.expect(Token::Close, "`,` or `)`")?;
        }
        let mut binders = Vec::new();
        if self.accept(Token::For) {
            loop {
                let name = self.name("a binder")?;
                self.expect(Token::Colon, "`:` and a type")?;
                binders.push((name, self.name("a type")?));
                if !self.accept(Token::Comma) {
                    break;
                }
            }
        }
        Ok(Loop::Call(Call { binders, action, arguments }))
    }

    fn argument(&mut self) -> Parsed<Argument> {
        let span = self.span();
        match self.token() {
            Token::Name | Token::Quoted => {
                let name = self.name("an argument")?;
                Ok(match self.constant_named(&name.text) {
                    Some(value) => Argument::Number(value, At(name.span())),
                    None => Argument::Name(name),
                })
            }
            _ => Ok(Argument::Number(self.number()?, At(span))),
        }
    }
}

fn join(mut parts: Vec<Loop>, make: fn(Vec<Loop>) -> Loop) -> Loop {
    if parts.len() == 1 { parts.remove(0) } else { make(parts) }
}

fn once(seen: &mut Option<Span>, span: Span, what: &str) -> Parsed<()> {
    match seen.replace(span) {
        None => Ok(()),
        Some(first) => {
            Err(Diagnostic::error(&codes::DUPLICATE_NAME, span, format!("a second {what}"))
                .also(first, "the first one"))
        }
    }
}
