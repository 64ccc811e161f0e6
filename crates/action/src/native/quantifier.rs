//! Quantifiers over small ranges: a conjunction, a disjunction or a sum with one part for each value.

use source::{Diagnostic, Span};

use super::definition::replaced;
use super::lex::Token;
use super::{Parsed, Parser};
use crate::ast::{ArithmeticOp, Connective, Expr, ExprKind, TypeKind};
use crate::codes;

/// Ranges with more values than this are not gone through.
const MOST_VALUES: i64 = 4_096;
/// Sums nest, so they are shorter.
const MOST_SUMMANDS: i64 = 100;

/// What is made of the parts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quantifier {
    All,
    Some,
    Sum,
}

impl Parser<'_> {
    /// `forall i: Station | mode[i] = idle`, over a type or a range.
    pub(super) fn quantified(&mut self) -> Parsed<Expr> {
        let span = self.span();
        let quantifier = match self.token() {
            Token::Forall => Quantifier::All,
            Token::Exists => Quantifier::Some,
            _ => Quantifier::Sum,
        };
        self.bump();
        let name = self.name("a name for the values")?;
        self.expect(Token::Colon, "`:` and a type or a range")?;
        let (low, high) = self.values()?;
        self.expect(Token::Bar, "`|` and an expression")?;
        let body = self.expression(0)?;
        let whole = span.join(body.span());
        let body = if quantifier == Quantifier::Sum { self.as_number(body)? } else { self.as_condition(body)? };
        let most = if quantifier == Quantifier::Sum { MOST_SUMMANDS } else { MOST_VALUES };
        if most <= high - low {
            let message = format!("`{low}..{high}` holds more than {most} numbers");
            return Err(Diagnostic::error(&codes::NUMBER, whole, message));
        }
        let one = |value: i64| {
            let by = |other: &str| (other == name.text).then(|| Expr::new(ExprKind::Number(value), name.span()));
            replaced(&body, &by, whole)
        };
        let parts: Vec<Expr> = (low..=high).map(one).collect::<Result<_, _>>()?;
        Ok(joined(quantifier, parts, whole))
    }

    /// The values of a type that was declared before, or of a range.
    fn values(&mut self) -> Parsed<(i64, i64)> {
        let span = self.span();
        let word = self.source.slice(span);
        let declared = self.model.types.iter().find(|declared| declared.name.text == word);
        let (low, high) = match declared.map(|declared| &declared.kind) {
            Some(TypeKind::Interval { low, high, .. }) => {
                let found = (*low, *high);
                self.bump();
                found
            }
            Some(TypeKind::Array { .. }) => {
                let message = format!("`{word}` is an array, an interval is needed here");
                return Err(Diagnostic::error(&codes::KIND, span, message));
            }
            None => self.range()?,
        };
        if high < low {
            return Err(Diagnostic::error(&codes::NUMBER, span, format!("`{low}..{high}` holds no number")));
        }
        Ok((low, high))
    }
}

fn joined(quantifier: Quantifier, mut parts: Vec<Expr>, span: Span) -> Expr {
    if parts.len() == 1 {
        return parts.remove(0);
    }
    let connective = match quantifier {
        Quantifier::All => Connective::And,
        Quantifier::Some => Connective::Or,
        Quantifier::Sum => {
            let add = |left: Expr, right: Expr| {
                Expr::new(ExprKind::Arithmetic(ArithmeticOp::Add, Box::new(left), Box::new(right)), span)
            };
            return parts.into_iter().reduce(add).unwrap_or(Expr::new(ExprKind::Number(0), span));
        }
    };
    Expr::new(ExprKind::Connect(connective, parts), span)
}
