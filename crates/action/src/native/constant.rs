//! Constants: names for numbers, which may be computed from other constants. They are replaced where they are used.

use source::{Diagnostic, Span};

use super::lex::Token;
use super::{Parsed, Parser};
use crate::ast::{ArithmeticOp, Expr, ExprKind, Loop, Model, Name, TypeKind};
use crate::codes;

/// The largest number, and the smallest but for its sign.
const LARGEST: i64 = 1 << 62;

/// A constant that was declared.
pub(super) struct Constant {
    pub(super) name: Name,
    pub(super) value: i64,
}

impl Parser<'_> {
    /// `const N = 3;`
    pub(super) fn constant_declaration(&mut self) -> Parsed<()> {
        self.bump();
        let name = self.name("the name of a constant")?;
        if let Some(first) = self.constants.iter().find(|constant| constant.name.text == name.text) {
            let message = format!("a second constant `{}`", name.text);
            let error = Diagnostic::error(&codes::DUPLICATE_NAME, name.span(), message);
            return Err(error.also(first.name.span(), "the first one"));
        }
        self.expect(Token::Equal, "`=` and a number")?;
        let value = self.constant()?;
        self.constants.push(Constant { name, value });
        self.end_of_item()
    }

    /// The value of a constant with this name.
    pub(super) fn constant_named(&self, name: &str) -> Option<i64> {
        self.constants.iter().find(|constant| constant.name.text == name).map(|constant| constant.value)
    }

    /// A number that does not depend on the state: `3`, `N`, `2 * N - 1`.
    pub(super) fn constant(&mut self) -> Parsed<i64> {
        match self.token() {
            Token::Number | Token::Name | Token::Quoted | Token::Minus | Token::Open => {
                let expression = self.arithmetic()?;
                folded(&expression)
            }
            _ => self.number(),
        }
    }

    /// Nothing else has the name of a constant: it would be hidden.
    pub(super) fn names_are_free(&self) -> Result<(), Diagnostic> {
        for name in declared(&self.model) {
            if let Some(constant) = self.constants.iter().find(|constant| constant.name.text == name.text) {
                let message = format!("`{}` is the name of a constant", name.text);
                let error = Diagnostic::error(&codes::DUPLICATE_NAME, name.span(), message);
                return Err(error.also(constant.name.span(), "the constant"));
            }
        }
        Ok(())
    }
}

/// The names that stand where numbers stand.
fn declared(model: &Model) -> Vec<&Name> {
    let mut names: Vec<&Name> = model.variables.iter().map(|variable| &variable.name).collect();
    for declaration in model.types.iter() {
        if let TypeKind::Interval { labels, .. } = &declaration.kind {
            names.extend(labels);
        }
    }
    names.extend(model.actions.iter().flat_map(|action| &action.parameters));
    let mut open: Vec<&Loop> = model.body.iter().map(|body| &**body).collect();
    while let Some(block) = open.pop() {
        match block {
            Loop::Call(call) => names.extend(call.binders.iter().map(|(name, _)| name)),
            Loop::Sequence(parts) | Loop::Choice(parts) | Loop::Priority(parts) => open.extend(parts),
        }
    }
    names
}

/// The value of an expression without variables. Its depth is limited by the parser.
fn folded(expression: &Expr) -> Parsed<i64> {
    let span = expression.span();
    let value = match &expression.kind {
        ExprKind::Number(number) => Some(*number),
        ExprKind::Negate(inner) => folded(inner)?.checked_neg(),
        ExprKind::Absolute(inner) => folded(inner)?.checked_abs(),
        ExprKind::Arithmetic(operator, left, right) => {
            let (left, right) = (folded(left)?, folded(right)?);
            match operator {
                ArithmeticOp::Add => left.checked_add(right),
                ArithmeticOp::Subtract => left.checked_sub(right),
                ArithmeticOp::Multiply => left.checked_mul(right),
                ArithmeticOp::Divide | ArithmeticOp::Modulo if right == 0 => {
                    return Err(Diagnostic::error(&codes::NUMBER, span, "this constant divides by zero"));
                }
                ArithmeticOp::Divide => left.checked_div_euclid(right),
                ArithmeticOp::Modulo => left.checked_rem_euclid(right),
                ArithmeticOp::Minimum => Some(left.min(right)),
                ArithmeticOp::Maximum => Some(left.max(right)),
            }
        }
        ExprKind::Name(name) => return Err(not_constant(span, name)),
        ExprKind::Element(name, _) => return Err(not_constant(span, &name.text)),
        ExprKind::Truth(_) | ExprKind::Not(_) | ExprKind::Compare(..) | ExprKind::Connect(..) => {
            return Err(Diagnostic::error(&codes::KIND, span, "a number is needed here, this is a condition"));
        }
    };
    let value = value.filter(|value| (-LARGEST..=LARGEST).contains(value));
    value.ok_or_else(|| Diagnostic::error(&codes::NUMBER, span, "this number is larger than 2^62"))
}

fn not_constant(span: Span, name: &str) -> Diagnostic {
    let error = Diagnostic::error(&codes::UNKNOWN_NAME, span, format!("`{name}` is not a constant"));
    error.help("Declare it before it is used, as in `const N = 3;`.")
}
