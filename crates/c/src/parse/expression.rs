//! Expressions.

use source::Span;

use super::{NESTING, Parsed, Parser};
use crate::ast::{Binary, Expr, ExprKind, Initialiser, Statement, StatementKind, TypeName, Unary};
use crate::token::{Sign, TokenKind, Word};

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        let mut left = self.assignment()?;
        while self.take(Sign::Comma) {
            let right = self.assignment()?;
            left = self.node(left.span, [left.depth, right.depth], ExprKind::Comma, left, right)?;
        }
        Ok(left)
    }

    fn make(&self, kind: ExprKind, span: Span, below: u32) -> Parsed<Expr> {
        if below >= NESTING {
            return Err(self.too_deep(span));
        }
        Ok(Expr { kind, span, depth: below + 1 })
    }

    fn node(
        &self,
        start: Span,
        depths: [u32; 2],
        make: impl FnOnce(Box<Expr>, Box<Expr>) -> ExprKind,
        left: Expr,
        right: Expr,
    ) -> Parsed<Expr> {
        let span = self.since(start);
        self.make(make(Box::new(left), Box::new(right)), span, depths[0].max(depths[1]))
    }

    pub(super) fn assignment(&mut self) -> Parsed<Expr> {
        self.nested(|parser| {
            let left = parser.conditional()?;
            let TokenKind::Sign(sign) = parser.kind() else {
                return Ok(left);
            };
            let operator = match sign {
                Sign::Assign => None,
                Sign::AddAssign => Some(Binary::Add),
                Sign::SubtractAssign => Some(Binary::Subtract),
                Sign::MultiplyAssign => Some(Binary::Multiply),
                Sign::DivideAssign => Some(Binary::Divide),
                Sign::RemainderAssign => Some(Binary::Remainder),
                Sign::ShiftLeftAssign => Some(Binary::ShiftLeft),
                Sign::ShiftRightAssign => Some(Binary::ShiftRight),
                Sign::AndAssign => Some(Binary::And),
                Sign::XorAssign => Some(Binary::Xor),
                Sign::OrAssign => Some(Binary::Or),
                _ => return Ok(left),
            };
            parser.advance();
            let right = parser.assignment()?;
            let depths = [left.depth, right.depth];
            parser.node(left.span, depths, |left, right| ExprKind::Assign(operator, left, right), left, right)
        })
    }

    pub(super) fn conditional(&mut self) -> Parsed<Expr> {
        let test = self.binary(0)?;
        if !self.take(Sign::Question) {
            return Ok(test);
        }
        let then = if self.is(Sign::Colon) { None } else { Some(self.nested(Self::expression)?) };
        self.expect(Sign::Colon)?;
        let otherwise = self.nested(Self::conditional)?;
        let below = test.depth.max(otherwise.depth).max(then.as_ref().map_or(0, |then| then.depth));
        let span = self.since(test.span);
        self.make(ExprKind::Conditional(Box::new(test), then.map(Box::new), Box::new(otherwise)), span, below)
    }

    /// Operators with two operands that bind at least as strongly as `least`.
    fn binary(&mut self, least: u8) -> Parsed<Expr> {
        let mut left = self.cast()?;
        while let TokenKind::Sign(sign) = self.kind() {
            let Some((strength, operator)) = operator(sign) else { break };
            if strength < least {
                break;
            }
            self.advance();
            let right = self.binary(strength + 1)?;
            let depths = [left.depth, right.depth];
            left = match operator {
                Operator::Binary(operator) => {
                    self.node(left.span, depths, |left, right| ExprKind::Binary(operator, left, right), left, right)?
                }
                Operator::Logical(and) => {
                    self.node(left.span, depths, |left, right| ExprKind::Logical(and, left, right), left, right)?
                }
            };
        }
        Ok(left)
    }

    fn cast(&mut self) -> Parsed<Expr> {
        if self.is(Sign::OpenParen) && self.starts_type(1) {
            return self.nested(|parser| {
                let start = parser.advance().span;
                let name = parser.type_name()?;
                parser.expect(Sign::CloseParen)?;
                if parser.is(Sign::OpenBrace) {
                    let literal = parser.compound(start, name)?;
                    return parser.postfix_of(literal);
                }
                let operand = parser.cast()?;
                let (span, below) = (parser.since(start), operand.depth);
                parser.make(ExprKind::Cast(Box::new(name), Box::new(operand)), span, below)
            });
        }
        self.unary()
    }

    fn compound(&mut self, start: Span, name: TypeName) -> Parsed<Expr> {
        let value: Initialiser = self.initialiser()?;
        let span = self.since(start);
        self.make(ExprKind::Compound(Box::new(name), Box::new(value)), span, 0)
    }

    fn unary(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let operator = match self.kind() {
            TokenKind::Sign(sign) => match sign {
                Sign::Increment | Sign::Decrement => {
                    self.advance();
                    let operand = self.nested(Self::unary)?;
                    let (span, below) = (self.since(start), operand.depth);
                    let kind = ExprKind::Step { operand: Box::new(operand), up: sign == Sign::Increment, prefix: true };
                    return self.make(kind, span, below);
                }
                Sign::AndAnd => {
                    self.advance();
                    let (name, _) = self.expect_name()?;
                    let span = self.since(start);
                    return self.make(ExprKind::LabelAddress(name), span, 0);
                }
                Sign::Plus => Unary::Plus,
                Sign::Minus => Unary::Negate,
                Sign::Tilde => Unary::Complement,
                Sign::Not => Unary::Not,
                Sign::Star => Unary::Dereference,
                Sign::And => Unary::Address,
                _ => return self.postfix(),
            },
            TokenKind::Word(Word::Sizeof) => return self.nested(|parser| parser.measured(start, true)),
            TokenKind::Word(Word::Alignof) => return self.nested(|parser| parser.measured(start, false)),
            TokenKind::Word(Word::Extension) => {
                self.advance();
                return self.nested(Self::cast);
            }
            TokenKind::Word(Word::Real) => Unary::Real,
            TokenKind::Word(Word::Imag) => Unary::Imag,
            _ => return self.postfix(),
        };
        self.advance();
        let operand = self.nested(Self::cast)?;
        let (span, below) = (self.since(start), operand.depth);
        self.make(ExprKind::Unary(operator, Box::new(operand)), span, below)
    }

    fn measured(&mut self, start: Span, size: bool) -> Parsed<Expr> {
        self.advance();
        if self.is(Sign::OpenParen) && self.starts_type(1) {
            let open = self.advance().span;
            let name = self.type_name()?;
            self.expect(Sign::CloseParen)?;
            if !self.is(Sign::OpenBrace) {
                let span = self.since(start);
                let kind =
                    if size { ExprKind::SizeofType(Box::new(name)) } else { ExprKind::AlignofType(Box::new(name)) };
                return self.make(kind, span, 0);
            }
            let literal = self.compound(open, name)?;
            let operand = self.postfix_of(literal)?;
            return self.measured_expr(start, size, operand);
        }
        let operand = self.unary()?;
        self.measured_expr(start, size, operand)
    }

    fn measured_expr(&mut self, start: Span, size: bool, operand: Expr) -> Parsed<Expr> {
        let (span, below) = (self.since(start), operand.depth);
        let operand = Box::new(operand);
        self.make(if size { ExprKind::SizeofExpr(operand) } else { ExprKind::AlignofExpr(operand) }, span, below)
    }

    fn postfix(&mut self) -> Parsed<Expr> {
        let primary = self.primary()?;
        self.postfix_of(primary)
    }

    fn postfix_of(&mut self, mut left: Expr) -> Parsed<Expr> {
        let start = left.span;
        loop {
            let TokenKind::Sign(sign) = self.kind() else {
                return Ok(left);
            };
            let below = left.depth;
            left = match sign {
                Sign::OpenBracket => {
                    self.advance();
                    let index = self.nested(Self::expression)?;
                    self.expect(Sign::CloseBracket)?;
                    let depths = [below, index.depth];
                    self.node(start, depths, ExprKind::Index, left, index)?
                }
                Sign::OpenParen => {
                    self.advance();
                    let arguments = self.arguments()?;
                    let below = arguments.iter().map(|argument| argument.depth).fold(below, u32::max);
                    let span = self.since(start);
                    self.make(ExprKind::Call(Box::new(left), arguments), span, below)?
                }
                Sign::Dot | Sign::Arrow => {
                    self.advance();
                    let (name, _) = self.expect_name()?;
                    let span = self.since(start);
                    self.make(ExprKind::Member(Box::new(left), name, sign == Sign::Arrow), span, below)?
                }
                Sign::Increment | Sign::Decrement => {
                    self.advance();
                    let span = self.since(start);
                    self.make(
                        ExprKind::Step { operand: Box::new(left), up: sign == Sign::Increment, prefix: false },
                        span,
                        below,
                    )?
                }
                _ => return Ok(left),
            };
        }
    }

    fn arguments(&mut self) -> Parsed<Vec<Expr>> {
        let mut arguments = Vec::new();
        if self.take(Sign::CloseParen) {
            return Ok(arguments);
        }
        loop {
            arguments.push(self.assignment()?);
            if !self.take(Sign::Comma) {
                self.expect(Sign::CloseParen)?;
                return Ok(arguments);
            }
        }
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let kind = match self.kind() {
            TokenKind::Name(name) => {
                self.advance();
                ExprKind::Name(name)
            }
            TokenKind::Number => self.number()?,
            TokenKind::Character => self.character()?,
            TokenKind::Text => self.string()?,
            TokenKind::Sign(Sign::OpenParen) => {
                self.advance();
                return self.nested(|parser| parser.parenthesised(start));
            }
            TokenKind::Word(Word::Generic) => return self.nested(|parser| parser.generic(start)),
            TokenKind::Word(Word::Offsetof) => return self.nested(|parser| parser.offsetof(start)),
            TokenKind::Word(Word::VaArg) => {
                self.advance();
                self.expect(Sign::OpenParen)?;
                let list = self.assignment()?;
                self.expect(Sign::Comma)?;
                let name = self.type_name()?;
                self.expect(Sign::CloseParen)?;
                ExprKind::VaArg(Box::new(list), Box::new(name))
            }
            TokenKind::Word(Word::TypesCompatible) => {
                self.advance();
                self.expect(Sign::OpenParen)?;
                let left = self.type_name()?;
                self.expect(Sign::Comma)?;
                let right = self.type_name()?;
                self.expect(Sign::CloseParen)?;
                ExprKind::TypesCompatible(Box::new(left), Box::new(right))
            }
            TokenKind::Word(Word::ChooseExpr) => {
                self.advance();
                self.expect(Sign::OpenParen)?;
                let test = self.assignment()?;
                self.expect(Sign::Comma)?;
                let then = self.assignment()?;
                self.expect(Sign::Comma)?;
                let otherwise = self.assignment()?;
                self.expect(Sign::CloseParen)?;
                ExprKind::Choose(Box::new(test), Box::new(then), Box::new(otherwise))
            }
            TokenKind::Word(_) | TokenKind::Sign(_) | TokenKind::End => return Err(self.unexpected("an expression")),
        };
        let span = self.since(start);
        self.make(kind, span, 0)
    }

    fn parenthesised(&mut self, start: Span) -> Parsed<Expr> {
        if self.is(Sign::OpenBrace) {
            let block: Statement = self.block()?;
            self.expect(Sign::CloseParen)?;
            debug_assert!(matches!(block.kind, StatementKind::Block(_)));
            let span = self.since(start);
            return self.make(ExprKind::Block(Box::new(block)), span, 0);
        }
        let mut inner = self.expression()?;
        self.expect(Sign::CloseParen)?;
        inner.span = self.since(start);
        inner.depth += 1;
        if inner.depth > NESTING { Err(self.too_deep(start)) } else { Ok(inner) }
    }

    fn generic(&mut self, start: Span) -> Parsed<Expr> {
        self.advance();
        self.expect(Sign::OpenParen)?;
        let chosen = self.assignment()?;
        let mut cases = Vec::new();
        while self.take(Sign::Comma) {
            let name = if self.take_word(Word::Default) { None } else { Some(self.type_name()?) };
            self.expect(Sign::Colon)?;
            cases.push((name, self.assignment()?));
        }
        self.expect(Sign::CloseParen)?;
        let below = cases.iter().map(|(_, value)| value.depth).fold(chosen.depth, u32::max);
        let span = self.since(start);
        self.make(ExprKind::Generic(Box::new(chosen), cases), span, below)
    }

    fn offsetof(&mut self, start: Span) -> Parsed<Expr> {
        self.advance();
        self.expect(Sign::OpenParen)?;
        let name = self.type_name()?;
        self.expect(Sign::Comma)?;
        let (field, span) = self.expect_name()?;
        let mut path = vec![crate::ast::Designator::Field(field, span)];
        loop {
            if self.take(Sign::Dot) {
                let (field, span) = self.expect_name()?;
                path.push(crate::ast::Designator::Field(field, span));
            } else if self.take(Sign::OpenBracket) {
                let index = self.expression()?;
                self.expect(Sign::CloseBracket)?;
                path.push(crate::ast::Designator::Index(index, None));
            } else {
                break;
            }
        }
        self.expect(Sign::CloseParen)?;
        let span = self.since(start);
        self.make(ExprKind::Offsetof(Box::new(name), path), span, 0)
    }
}

enum Operator {
    Binary(Binary),
    Logical(bool),
}

fn operator(sign: Sign) -> Option<(u8, Operator)> {
    use Operator::{Binary as B, Logical};
    Some(match sign {
        Sign::OrOr => (1, Logical(false)),
        Sign::AndAnd => (2, Logical(true)),
        Sign::Or => (3, B(Binary::Or)),
        Sign::Xor => (4, B(Binary::Xor)),
        Sign::And => (5, B(Binary::And)),
        Sign::Equal => (6, B(Binary::Equal)),
        Sign::Unequal => (6, B(Binary::Unequal)),
        Sign::Less => (7, B(Binary::Less)),
        Sign::Greater => (7, B(Binary::Greater)),
        Sign::LessEqual => (7, B(Binary::LessEqual)),
        Sign::GreaterEqual => (7, B(Binary::GreaterEqual)),
        Sign::ShiftLeft => (8, B(Binary::ShiftLeft)),
        Sign::ShiftRight => (8, B(Binary::ShiftRight)),
        Sign::Plus => (9, B(Binary::Add)),
        Sign::Minus => (9, B(Binary::Subtract)),
        Sign::Star => (10, B(Binary::Multiply)),
        Sign::Slash => (10, B(Binary::Divide)),
        Sign::Percent => (10, B(Binary::Remainder)),
        _ => return None,
    })
}
