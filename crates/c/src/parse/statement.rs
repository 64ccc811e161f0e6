//! Statements.

use source::Span;

use super::{Parsed, Parser};
use crate::ast::{Assembly, Attributes, Expr, Label, Statement, StatementKind};
use crate::token::{Sign, TokenKind, Word};

impl Parser<'_> {
    /// `{ … }`, in a scope of its own.
    pub(super) fn block(&mut self) -> Parsed<Statement> {
        self.scopes.push(rustc_hash::FxHashMap::default());
        let block = self.nested(Self::block_in_scope);
        self.scopes.pop();
        block
    }

    /// `{ … }`, in the scope that is open.
    pub(super) fn block_in_scope(&mut self) -> Parsed<Statement> {
        let start = self.expect(Sign::OpenBrace)?;
        let mut items = Vec::new();
        while !self.is(Sign::CloseBrace) {
            if self.kind() == TokenKind::End {
                return Err(self.unexpected("`}`"));
            }
            items.push(self.nested(Self::block_item)?);
        }
        self.advance();
        Ok(Statement { kind: StatementKind::Block(items), span: self.since(start) })
    }

    fn block_item(&mut self) -> Parsed<Statement> {
        let start = self.span();
        if self.kind() == TokenKind::Word(Word::Label) {
            while !self.take(Sign::Semicolon) {
                if self.advance().kind == TokenKind::End {
                    return Err(self.unexpected("`;`"));
                }
            }
            return Ok(Statement { kind: StatementKind::Block(Vec::new()), span: self.since(start) });
        }
        if self.starts_declaration() {
            let declaration = self.declaration()?;
            return Ok(Statement { kind: StatementKind::Declaration(declaration), span: self.since(start) });
        }
        self.statement()
    }

    /// Whether a declaration starts here, attributes and `__extension__` skipped.
    fn starts_declaration(&mut self) -> bool {
        let at = self.at;
        let read = self.attributes(&mut Attributes::default());
        let label = matches!(self.kind(), TokenKind::Name(_)) && self.kind_ahead(1) == TokenKind::Sign(Sign::Colon);
        let starts =
            read.is_ok() && !label && (self.starts_type(0) || self.kind() == TokenKind::Word(Word::StaticAssert));
        self.at = at;
        starts
    }

    fn statement(&mut self) -> Parsed<Statement> {
        self.nested(Self::statement_here)
    }

    fn statement_here(&mut self) -> Parsed<Statement> {
        let start = self.span();
        if !matches!(self.kind(), TokenKind::Word(Word::Extension)) {
            self.attributes(&mut Attributes::default())?;
        }
        let labels = self.labels()?;
        if !labels.is_empty() {
            let last = self.is(Sign::CloseBrace);
            let inner = if last {
                Statement { kind: StatementKind::Expr(None), span: self.since(start) }
            } else {
                self.nested(Self::block_item)?
            };
            return Ok(Statement { kind: StatementKind::Labelled(labels, Box::new(inner)), span: self.since(start) });
        }
        let kind = match self.kind() {
            TokenKind::Sign(Sign::OpenBrace) => return self.block(),
            TokenKind::Sign(Sign::Semicolon) => {
                self.advance();
                StatementKind::Expr(None)
            }
            TokenKind::Word(word) => match word {
                Word::If => self.if_statement()?,
                Word::While => {
                    self.advance();
                    let test = self.controlling()?;
                    StatementKind::While(test, Box::new(self.statement()?))
                }
                Word::Do => self.do_statement()?,
                Word::For => self.for_statement()?,
                Word::Switch => {
                    self.advance();
                    let chosen = self.controlling()?;
                    StatementKind::Switch(chosen, Box::new(self.statement()?))
                }
                Word::Goto => {
                    self.advance();
                    let kind = if self.take(Sign::Star) {
                        StatementKind::ComputedGoto(self.expression()?)
                    } else {
                        StatementKind::Goto(self.expect_name()?.0)
                    };
                    self.expect(Sign::Semicolon)?;
                    kind
                }
                Word::Break => self.simple(StatementKind::Break)?,
                Word::Continue => self.simple(StatementKind::Continue)?,
                Word::Return => {
                    self.advance();
                    let value = if self.is(Sign::Semicolon) { None } else { Some(self.expression()?) };
                    self.expect(Sign::Semicolon)?;
                    StatementKind::Return(value)
                }
                Word::Asm => self.asm_statement()?,
                _ => self.expression_statement()?,
            },
            _ => self.expression_statement()?,
        };
        Ok(Statement { kind, span: self.since(start) })
    }

    fn simple(&mut self, kind: StatementKind) -> Parsed<StatementKind> {
        self.advance();
        self.expect(Sign::Semicolon)?;
        Ok(kind)
    }

    fn expression_statement(&mut self) -> Parsed<StatementKind> {
        let expr = self.expression()?;
        self.expect(Sign::Semicolon)?;
        Ok(StatementKind::Expr(Some(expr)))
    }

    fn controlling(&mut self) -> Parsed<Expr> {
        self.expect(Sign::OpenParen)?;
        let expr = self.expression()?;
        self.expect(Sign::CloseParen)?;
        Ok(expr)
    }

    fn labels(&mut self) -> Parsed<Vec<Label>> {
        let mut labels = Vec::new();
        loop {
            let start = self.span();
            match self.kind() {
                TokenKind::Name(name) if self.kind_ahead(1) == TokenKind::Sign(Sign::Colon) => {
                    self.advance();
                    self.advance();
                    labels.push(Label::Name(name, start));
                }
                TokenKind::Word(Word::Case) => {
                    self.advance();
                    let first = self.conditional()?;
                    let last = if self.take(Sign::Ellipsis) { Some(self.conditional()?) } else { None };
                    self.expect(Sign::Colon)?;
                    labels.push(Label::Case(first, last, self.since(start)));
                }
                TokenKind::Word(Word::Default) => {
                    self.advance();
                    self.expect(Sign::Colon)?;
                    labels.push(Label::Default(self.since(start)));
                }
                _ => return Ok(labels),
            }
            if !matches!(self.kind(), TokenKind::Word(Word::Extension)) {
                self.attributes(&mut Attributes::default())?;
            }
        }
    }

    fn if_statement(&mut self) -> Parsed<StatementKind> {
        self.advance();
        let test = self.controlling()?;
        let then = Box::new(self.statement()?);
        let otherwise = if self.take_word(Word::Else) { Some(Box::new(self.statement()?)) } else { None };
        Ok(StatementKind::If(test, then, otherwise))
    }

    fn do_statement(&mut self) -> Parsed<StatementKind> {
        self.advance();
        let body = Box::new(self.statement()?);
        if !self.take_word(Word::While) {
            return Err(self.unexpected("`while`"));
        }
        let test = self.controlling()?;
        self.expect(Sign::Semicolon)?;
        Ok(StatementKind::Do(body, test))
    }

    fn for_statement(&mut self) -> Parsed<StatementKind> {
        self.advance();
        self.expect(Sign::OpenParen)?;
        self.scopes.push(rustc_hash::FxHashMap::default());
        let parts = self.for_parts();
        self.scopes.pop();
        parts
    }

    fn for_parts(&mut self) -> Parsed<StatementKind> {
        let start: Span = self.span();
        let first = if self.take(Sign::Semicolon) {
            None
        } else if self.starts_declaration() {
            let declaration = self.declaration()?;
            Some(Box::new(Statement { kind: StatementKind::Declaration(declaration), span: self.since(start) }))
        } else {
            let kind = self.expression_statement()?;
            Some(Box::new(Statement { kind, span: self.since(start) }))
        };
        let test = if self.is(Sign::Semicolon) { None } else { Some(self.expression()?) };
        self.expect(Sign::Semicolon)?;
        let step = if self.is(Sign::CloseParen) { None } else { Some(self.expression()?) };
        self.expect(Sign::CloseParen)?;
        Ok(StatementKind::For(first, test, step, Box::new(self.statement()?)))
    }

    /// `asm ("template" : outputs : inputs : clobbers : labels);`
    fn asm_statement(&mut self) -> Parsed<StatementKind> {
        self.advance();
        let mut jumps = false;
        while matches!(self.kind(), TokenKind::Word(Word::Volatile | Word::Inline | Word::Goto)) {
            jumps |= self.advance().kind == TokenKind::Word(Word::Goto);
        }
        self.expect(Sign::OpenParen)?;
        let template = self.quoted();
        let (mut outputs, mut inputs) = (Vec::new(), Vec::new());
        let mut reaches_out = jumps;
        if self.is(Sign::CloseParen) {
            reaches_out |= !is_harmless(&template);
        }
        for section in 0.. {
            if !self.take(Sign::Colon) {
                break;
            }
            match section {
                0 => outputs = self.asm_operands()?,
                1 => inputs = self.asm_operands()?,
                _ => {
                    while !self.is(Sign::Colon) && !self.is(Sign::CloseParen) && self.kind() != TokenKind::End {
                        let memory = self.kind() == TokenKind::Text && self.quoted_here().contains("\"memory\"");
                        reaches_out |= memory && !is_harmless(&template);
                        self.advance();
                    }
                }
            }
        }
        self.expect(Sign::CloseParen)?;
        self.expect(Sign::Semicolon)?;
        // Where nothing is executed nothing is written: what the operands say is only for the compiler.
        if template.trim().is_empty() {
            outputs.retain(|(constraint, _)| !constraint.contains('+'));
        }
        let outputs = outputs.into_iter().map(|(_, place)| place).collect();
        let inputs = inputs.into_iter().map(|(_, value)| value).collect();
        Ok(StatementKind::Asm(Assembly { outputs, inputs, reaches_out }))
    }

    /// Operands with their constraints: `[name] "constraint" (expression), …`.
    fn asm_operands(&mut self) -> Parsed<Vec<(String, Expr)>> {
        let mut operands = Vec::new();
        while !self.is(Sign::Colon) && !self.is(Sign::CloseParen) {
            if self.take(Sign::OpenBracket) {
                self.advance();
                self.expect(Sign::CloseBracket)?;
            }
            let constraint = self.quoted();
            self.expect(Sign::OpenParen)?;
            let operand = self.expression()?;
            self.expect(Sign::CloseParen)?;
            operands.push((constraint, operand));
            if !self.take(Sign::Comma) {
                break;
            }
        }
        Ok(operands)
    }

    /// The string literals that come next, without their quotes, as they are written.
    fn quoted(&mut self) -> String {
        let mut text = String::new();
        while self.kind() == TokenKind::Text {
            text.push_str(self.quoted_here().trim_matches('"'));
            self.advance();
        }
        text
    }

    fn quoted_here(&self) -> &str {
        let span = self.span();
        self.text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }
}

/// Whether assembly changes nothing that a program sees: barriers, waiting, and what turns interrupts on and off.
fn is_harmless(template: &str) -> bool {
    let plain = template.replace("\\n", ";").replace("\\t", " ");
    plain.split([';', '\n']).all(|line| {
        matches!(
            line.split_whitespace().next().unwrap_or(""),
            "" | "nop"
                | "pause"
                | "hlt"
                | "cli"
                | "sti"
                | "sei"
                | "wfi"
                | "wfe"
                | "sev"
                | "yield"
                | "isb"
                | "dsb"
                | "dmb"
                | "cpsid"
                | "cpsie"
                | "mfence"
                | "lfence"
                | "sfence"
                | "fence"
                | "sync"
                | "eieio"
                | "lwsync"
        )
    })
}
