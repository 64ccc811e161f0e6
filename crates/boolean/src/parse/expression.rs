//! Expressions, by operator precedence.
//!
//! Two stacks: operands that are complete, and what waits for a further operand or a closing bracket. An operand keeps
//! the place it takes with its parentheses, so that the text of `(x + 1) * 2 > y` begins with the parenthesis.

use source::{Diagnostic, Span};

use super::{Parsed, Parser, Reported};
use crate::ast::{Binary, Body, Grouping, Node, NodeId, NodeKind, Unary};
use crate::codes;
use crate::lex::Token;

/// What waits on the stack.
#[derive(Clone, Copy)]
enum Waiting {
    Prefix(Unary, Span),
    Infix(Binary, Span),
    /// After `?`.
    Then(Span),
    /// After `:`.
    Else,
    Paren(Span),
    Index(Span),
    /// A call; the number of operands below its first argument.
    Call {
        name: Span,
        open: Span,
        below: usize,
    },
}

#[derive(Default)]
struct Stacks {
    operands: Vec<(NodeId, Span)>,
    waiting: Vec<Waiting>,
}

impl Parser<'_> {
    /// Reads an expression up to the first word that cannot belong to it.
    pub(super) fn expression(&mut self) -> Parsed<Body> {
        let first = self.ast.nodes.len() as u32;
        let mut stacks = Stacks::default();
        loop {
            self.operand(&mut stacks)?;
            if !self.operator(&mut stacks)? {
                break;
            }
        }
        let (root, span) = stacks.operands.pop().expect("a complete expression leaves one operand");
        Ok(Body { first, root, span })
    }

    /// Reads prefixes, opening brackets and one simple operand.
    fn operand(&mut self, stacks: &mut Stacks) -> Parsed<()> {
        loop {
            match self.token {
                Token::Open => {
                    let open = self.bump();
                    stacks.waiting.push(Waiting::Paren(open));
                }
                Token::Not => {
                    let span = self.bump();
                    stacks.waiting.push(Waiting::Prefix(Unary::Not, span));
                }
                Token::Minus => {
                    let span = self.bump();
                    stacks.waiting.push(Waiting::Prefix(Unary::Minus, span));
                }
                Token::True | Token::False => {
                    let truth = self.token == Token::True;
                    let span = self.bump();
                    self.push(stacks, NodeKind::Truth(truth), span);
                    return Ok(());
                }
                Token::Number => {
                    let span = self.bump();
                    self.push(stacks, NodeKind::Number, span);
                    return Ok(());
                }
                Token::Name => {
                    if self.named(stacks)? {
                        return Ok(());
                    }
                }
                _ => return self.fail("an expression"),
            }
        }
    }

    /// Reads a name, a qualified name, or the opening of a call; true when an operand is complete.
    fn named(&mut self, stacks: &mut Stacks) -> Parsed<bool> {
        let name = self.bump();
        match self.token {
            Token::Open => {
                let open = self.bump();
                stacks.waiting.push(Waiting::Call { name, open, below: stacks.operands.len() });
                Ok(false)
            }
            Token::Dot => {
                self.bump();
                let variant = self.name("the value of an enumeration")?;
                self.push(stacks, NodeKind::Qualified { sort: name, variant }, name.join(variant));
                Ok(true)
            }
            _ => {
                self.push(stacks, NodeKind::Name, name);
                Ok(true)
            }
        }
    }

    /// Reads what follows an operand, up to where the next operand begins; false at the end of the expression.
    fn operator(&mut self, stacks: &mut Stacks) -> Parsed<bool> {
        loop {
            if let Some(binary) = infix(self.token) {
                self.settle(stacks, binary)?;
                let span = self.bump();
                stacks.waiting.push(Waiting::Infix(binary, span));
                return Ok(true);
            }
            match self.token {
                Token::Question => {
                    self.reduce(stacks, 0);
                    let span = self.bump();
                    stacks.waiting.push(Waiting::Then(span));
                    return Ok(true);
                }
                Token::OpenBracket => {
                    let open = self.bump();
                    stacks.waiting.push(Waiting::Index(open));
                    return Ok(true);
                }
                Token::Colon => {
                    self.reduce_conditionals(stacks);
                    let Some(Waiting::Then(_)) = stacks.waiting.last() else {
                        return self.finish(stacks);
                    };
                    stacks.waiting.pop();
                    stacks.waiting.push(Waiting::Else);
                    self.bump();
                    return Ok(true);
                }
                Token::Comma => {
                    self.reduce_conditionals(stacks);
                    let Some(Waiting::Call { .. }) = stacks.waiting.last() else {
                        return self.finish(stacks);
                    };
                    self.bump();
                    return Ok(true);
                }
                Token::Close | Token::CloseBracket => {
                    self.reduce_conditionals(stacks);
                    if !self.close(stacks)? {
                        return self.finish(stacks);
                    }
                }
                _ => {
                    self.reduce_conditionals(stacks);
                    return self.finish(stacks);
                }
            }
        }
    }

    /// Closes the innermost bracket with the next word; false when that is not its partner.
    fn close(&mut self, stacks: &mut Stacks) -> Parsed<bool> {
        match (stacks.waiting.last().copied(), self.token) {
            (Some(Waiting::Paren(open)), Token::Close) => {
                stacks.waiting.pop();
                let close = self.bump();
                let operand = stacks.operands.last_mut().expect("a parenthesis holds an operand");
                operand.1 = open.join(close);
            }
            (Some(Waiting::Call { name, below, .. }), Token::Close) => {
                stacks.waiting.pop();
                let close = self.bump();
                let start = self.ast.args.len() as u32;
                self.ast.args.extend(stacks.operands.drain(below..).map(|(node, _)| node));
                let end = self.ast.args.len() as u32;
                self.push(stacks, NodeKind::Call { name, start, end }, name.join(close));
            }
            (Some(Waiting::Index(_)), Token::CloseBracket) => {
                stacks.waiting.pop();
                let close = self.bump();
                let (index, _) = stacks.operands.pop().expect("brackets hold an index");
                let (array, span) = stacks.operands.pop().expect("brackets follow an array");
                self.push(stacks, NodeKind::Index(array, index), span.join(close));
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The end of the expression: nothing may wait any more.
    fn finish(&mut self, stacks: &mut Stacks) -> Parsed<bool> {
        let (open, expected) = match stacks.waiting.last() {
            None => return Ok(false),
            Some(Waiting::Paren(open)) => (*open, "`)` or an operator"),
            Some(Waiting::Call { open, .. }) => (*open, "`,` or `)`"),
            Some(Waiting::Index(open)) => (*open, "`]` or an operator"),
            Some(Waiting::Then(span)) => (*span, "`:` and the other alternative"),
            Some(Waiting::Prefix(..) | Waiting::Infix(..) | Waiting::Else) => unreachable!("operators are reduced"),
        };
        let found = self.found();
        self.error(
            Diagnostic::error(&codes::SYNTAX, self.span, format!("expected {expected}, found {found}"))
                .also(open, "opened here"),
        );
        Err(Reported)
    }

    /// Reduces what binds tighter than `next`, or as tight where its level groups to the left.
    fn settle(&mut self, stacks: &mut Stacks, next: Binary) -> Parsed<()> {
        self.reduce(stacks, next.level());
        while let Some(Waiting::Infix(binary, span)) = stacks.waiting.last().copied() {
            if binary.level() != next.level() {
                break;
            }
            match next.grouping() {
                Grouping::Left => self.reduce_one(stacks),
                Grouping::Right => break,
                Grouping::Never => {
                    let message = "comparisons do not chain".to_owned();
                    self.error(
                        Diagnostic::error(&codes::SYNTAX, self.span, message)
                            .also(span, "after this comparison")
                            .help("Write `a < b && b < c`, or put one comparison in parentheses."),
                    );
                    return Err(Reported);
                }
            }
        }
        Ok(())
    }

    /// Reduces every waiting operator that binds tighter than `level`.
    fn reduce(&mut self, stacks: &mut Stacks, level: u8) {
        while let Some(waiting) = stacks.waiting.last() {
            match waiting {
                Waiting::Prefix(..) => self.reduce_one(stacks),
                Waiting::Infix(binary, _) if level < binary.level() => self.reduce_one(stacks),
                Waiting::Infix(..)
                | Waiting::Then(_)
                | Waiting::Else
                | Waiting::Paren(_)
                | Waiting::Index(_)
                | Waiting::Call { .. } => return,
            }
        }
    }

    /// Reduces every waiting operator and complete conditional.
    fn reduce_conditionals(&mut self, stacks: &mut Stacks) {
        self.reduce(stacks, 0);
        while let Some(Waiting::Else) = stacks.waiting.last() {
            self.reduce_one(stacks);
            self.reduce(stacks, 0);
        }
    }

    fn reduce_one(&mut self, stacks: &mut Stacks) {
        let mut pop = || stacks.operands.pop().expect("an operator has its operands");
        let (kind, span) = match stacks.waiting.pop().expect("something waits") {
            Waiting::Prefix(unary, sign) => {
                let (operand, span) = pop();
                (NodeKind::Unary(unary, operand), sign.join(span))
            }
            Waiting::Infix(binary, _) => {
                let (right, right_span) = pop();
                let (left, left_span) = pop();
                (NodeKind::Binary(binary, left, right), left_span.join(right_span))
            }
            Waiting::Else => {
                let (other, end) = pop();
                let (then, _) = pop();
                let (condition, start) = pop();
                (NodeKind::Conditional(condition, then, other), start.join(end))
            }
            Waiting::Then(_) | Waiting::Paren(_) | Waiting::Index(_) | Waiting::Call { .. } => {
                unreachable!("only operators are reduced")
            }
        };
        self.push(stacks, kind, span);
    }

    fn push(&mut self, stacks: &mut Stacks, kind: NodeKind, span: Span) {
        let id = NodeId(self.ast.nodes.len() as u32);
        self.ast.nodes.push(Node { kind, span });
        stacks.operands.push((id, span));
    }
}

fn infix(token: Token) -> Option<Binary> {
    Some(match token {
        Token::And => Binary::And,
        Token::Or => Binary::Or,
        Token::Xor => Binary::Xor,
        Token::Implies => Binary::Implies,
        Token::Iff => Binary::Iff,
        Token::EqEq | Token::Eq => Binary::Eq,
        Token::Ne => Binary::Ne,
        Token::Lt => Binary::Lt,
        Token::Le => Binary::Le,
        Token::Gt => Binary::Gt,
        Token::Ge => Binary::Ge,
        Token::ShiftLeft => Binary::ShiftLeft,
        Token::ShiftRight => Binary::ShiftRight,
        Token::Plus => Binary::Add,
        Token::Minus => Binary::Sub,
        Token::Star => Binary::Mul,
        Token::Slash => Binary::Divide,
        Token::Div => Binary::Div,
        Token::Mod => Binary::Mod,
        _ => return None,
    })
}
