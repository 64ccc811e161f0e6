//! Expressions of the native notation, by operator precedence.

use source::{Diagnostic, Span};

use super::lex::Token;
use super::{Parsed, Parser};
use crate::ast::{ArithmeticOp, Comparison, Connective, Expr, ExprKind, Name};
use crate::codes;

/// What an infix operator makes.
#[derive(Clone, Copy)]
enum Infix {
    Connect(Connective),
    Compare(Comparison),
    Arithmetic(ArithmeticOp),
}

/// How tightly an infix operator binds: the larger, the tighter.
fn infix(token: Token) -> Option<(u32, Infix)> {
    Some(match token {
        Token::Iff => (1, Infix::Connect(Connective::Iff)),
        Token::Implies => (2, Infix::Connect(Connective::Implies)),
        Token::ImpliedBy => (2, Infix::Connect(Connective::ImpliedBy)),
        Token::Or => (3, Infix::Connect(Connective::Or)),
        Token::Xor => (4, Infix::Connect(Connective::Xor)),
        Token::And => (5, Infix::Connect(Connective::And)),
        Token::Equal => (7, Infix::Compare(Comparison::Equal)),
        Token::Different => (7, Infix::Compare(Comparison::Different)),
        Token::Less => (7, Infix::Compare(Comparison::Less)),
        Token::AtMost => (7, Infix::Compare(Comparison::AtMost)),
        Token::Greater => (7, Infix::Compare(Comparison::Greater)),
        Token::AtLeast => (7, Infix::Compare(Comparison::AtLeast)),
        Token::Plus => (8, Infix::Arithmetic(ArithmeticOp::Add)),
        Token::Minus => (8, Infix::Arithmetic(ArithmeticOp::Subtract)),
        Token::Star => (9, Infix::Arithmetic(ArithmeticOp::Multiply)),
        Token::Slash => (9, Infix::Arithmetic(ArithmeticOp::Divide)),
        Token::Mod => (9, Infix::Arithmetic(ArithmeticOp::Modulo)),
        _ => return None,
    })
}

const NOT: u32 = 6;
const MINUS: u32 = 10;

impl Parser<'_> {
    pub(super) fn condition(&mut self) -> Parsed<Expr> {
        let expression = self.expression(0)?;
        self.as_condition(expression)
    }

    pub(super) fn arithmetic(&mut self) -> Parsed<Expr> {
        let expression = self.expression(0)?;
        self.as_number(expression)
    }

    /// An expression where a condition is needed: a flag by itself holds where it is 1.
    pub(super) fn as_condition(&mut self, expression: Expr) -> Parsed<Expr> {
        let flag = match &expression.kind {
            ExprKind::Name(name) => Some(Name::new(name.as_str(), expression.span())),
            ExprKind::Element(name, _) => Some(Name::new(name.text.as_str(), expression.span())),
            _ => None,
        };
        let Some(flag) = flag else { return is_condition(&expression).map(|()| expression) };
        let span = flag.span();
        self.flags.push(flag);
        let one = Expr::new(ExprKind::Number(1), span);
        Ok(Expr::new(ExprKind::Compare(Comparison::Equal, Box::new(expression), Box::new(one)), span))
    }

    /// An expression where a number is needed.
    pub(super) fn as_number(&mut self, expression: Expr) -> Parsed<Expr> {
        is_number(&expression).map(|()| expression)
    }

    /// An expression whose operators bind at least this tightly.
    pub(super) fn expression(&mut self, tightness: u32) -> Parsed<Expr> {
        self.deeper()?;
        let mut left = self.operand()?;
        let mut depth_added = 0;
        while let Some((binds, operator)) = infix(self.token()) {
            if binds < tightness {
                break;
            }
            // The word that ends a block of `choose` is also a connective; a block is never an operand.
            let sign = self.token();
            self.bump();
            let right_associative = sign == Token::Implies;
            let right = self.expression(if right_associative { binds } else { binds + 1 })?;
            let span = left.span().join(right.span());
            let kind = match operator {
                Infix::Connect(connective) => {
                    let mut parts = vec![self.as_condition(left)?, self.as_condition(right)?];
                    if matches!(connective, Connective::And | Connective::Or | Connective::Xor) {
                        while self.accept(sign) {
                            let part = self.expression(binds + 1)?;
                            parts.push(self.as_condition(part)?);
                        }
                    } else {
                        self.deeper()?;
                        depth_added += 1;
                    }
                    ExprKind::Connect(connective, parts)
                }
                Infix::Compare(comparison) => {
                    is_number(&left)?;
                    is_number(&right)?;
                    if infix(self.token()).is_some_and(|(next, _)| next == binds) {
                        return Err(self.unexpected("`and` between two comparisons"));
                    }
                    ExprKind::Compare(comparison, Box::new(left), Box::new(right))
                }
                Infix::Arithmetic(operator) => {
                    is_number(&left)?;
                    is_number(&right)?;
                    self.deeper()?;
                    depth_added += 1;
                    ExprKind::Arithmetic(operator, Box::new(left), Box::new(right))
                }
            };
            left = Expr::new(kind, span);
        }
        self.depth -= 1 + depth_added;
        Ok(left)
    }

    fn operand(&mut self) -> Parsed<Expr> {
        let span = self.span();
        match self.token() {
            Token::True => Ok(Expr::new(ExprKind::Truth(true), self.bump())),
            Token::False => Ok(Expr::new(ExprKind::Truth(false), self.bump())),
            Token::Not => {
                self.bump();
                let inner = self.expression(NOT)?;
                let inner = self.as_condition(inner)?;
                let whole = span.join(inner.span());
                Ok(Expr::new(ExprKind::Not(Box::new(inner)), whole))
            }
            Token::Minus => {
                if matches!(self.words.get(self.next + 1), Some((Ok(Token::Number), _))) {
                    let end = self.words[self.next + 1].1;
                    return Ok(Expr::new(ExprKind::Number(self.number()?), span.join(end)));
                }
                self.bump();
                let inner = self.expression(MINUS)?;
                is_number(&inner)?;
                let whole = span.join(inner.span());
                Ok(Expr::new(ExprKind::Negate(Box::new(inner)), whole))
            }
            Token::Number => Ok(Expr::new(ExprKind::Number(self.number()?), span)),
            Token::Open => {
                self.bump();
                let inner = self.expression(0)?;
                self.expect(Token::Close, "`)`")?;
                Ok(inner)
            }
            Token::Forall | Token::Exists | Token::Sum => self.quantified(),
            Token::Name | Token::Quoted => self.named(span),
            _ => Err(self.unexpected("an expression")),
        }
    }

    fn named(&mut self, span: Span) -> Parsed<Expr> {
        let name = self.name("a name")?;
        let name = self.dotted(name)?;
        if self.accept(Token::OpenBracket) {
            let index = self.arithmetic()?;
            let close = self.expect(Token::CloseBracket, "`]`")?;
            let name = self.dotted(name)?;
            return Ok(Expr::new(ExprKind::Element(name, Box::new(index)), span.join(close)));
        }
        if let Some(instance) = self.instance_of(&name.text) {
            return Ok(Expr::new(ExprKind::Element(name, Box::new(instance)), span));
        }
        if self.token() != Token::Open {
            if let Some(defined) = self.defined(&name, &[], span) {
                return defined;
            }
            let constant = self.constant_named(&name.text).map(ExprKind::Number);
            return Ok(Expr::new(constant.unwrap_or(ExprKind::Name(name.text)), span));
        }
        self.bump();
        let mut arguments = vec![self.arithmetic()?];
        while self.accept(Token::Comma) {
            arguments.push(self.arithmetic()?);
        }
        let whole = span.join(self.expect(Token::Close, "`,` or `)`")?);
        match self.defined(&name, &arguments, whole) {
            Some(defined) => defined,
            None => function(name, arguments, whole),
        }
    }
}

fn function(name: Name, mut arguments: Vec<Expr>, span: Span) -> Parsed<Expr> {
    let kind = match (name.text.as_str(), arguments.len()) {
        ("abs", 1) => ExprKind::Absolute(Box::new(arguments.remove(0))),
        ("min" | "max", 2) => {
            let operator = if name.text == "min" { ArithmeticOp::Minimum } else { ArithmeticOp::Maximum };
            let right = arguments.remove(1);
            ExprKind::Arithmetic(operator, Box::new(arguments.remove(0)), Box::new(right))
        }
        (other, count) => {
            let message = format!("unknown function `{other}` of {count} numbers");
            let error = Diagnostic::error(&codes::UNKNOWN_NAME, span, message);
            return Err(
                error.help("The functions are abs(x), min(x, y), max(x, y) and those of `let f(x) = …;` above.")
            );
        }
    };
    Ok(Expr::new(kind, span))
}

fn is_condition(expression: &Expr) -> Parsed<()> {
    match expression.kind {
        ExprKind::Truth(_) | ExprKind::Not(_) | ExprKind::Compare(..) | ExprKind::Connect(..) => Ok(()),
        ExprKind::Number(_)
        | ExprKind::Name(_)
        | ExprKind::Element(..)
        | ExprKind::Negate(_)
        | ExprKind::Absolute(_)
        | ExprKind::Arithmetic(..) => {
            let error =
                Diagnostic::error(&codes::KIND, expression.span(), "a condition is needed here, this is a number");
            Err(error.help("Compare it with something, as in `x = 1`."))
        }
    }
}

fn is_number(expression: &Expr) -> Parsed<()> {
    match expression.kind {
        ExprKind::Truth(_) | ExprKind::Not(_) | ExprKind::Compare(..) | ExprKind::Connect(..) => {
            let error =
                Diagnostic::error(&codes::KIND, expression.span(), "a number is needed here, this is a condition");
            Err(error.help("Variables hold numbers or named values: compare with one of those, as in `x = 1`."))
        }
        ExprKind::Number(_)
        | ExprKind::Name(_)
        | ExprKind::Element(..)
        | ExprKind::Negate(_)
        | ExprKind::Absolute(_)
        | ExprKind::Arithmetic(..) => Ok(()),
    }
}
