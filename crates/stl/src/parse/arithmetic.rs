//! Sums, products and the two vectors of a comparison.

use source::{Diagnostic, Span};

use super::{Parsed, Parser};
use crate::ast::{Factor, Product, Sum};
use crate::codes;
use crate::lex::Token;
use crate::number::read_numeral;
use crate::store::Relation;

impl Parser<'_> {
    /// Whether the opening bracket starts a vector of coefficients: `(1, 2)^T`, `(3)^T`.
    pub(super) fn starts_vector(&self) -> bool {
        let mut place = 1;
        loop {
            match self.ahead(place) {
                Token::Comma | Token::Transposed => return true,
                Token::Number | Token::Name | Token::Minus | Token::Plus | Token::Star | Token::Slash => place += 1,
                Token::Close => return self.ahead(place + 1) == Token::Transposed,
                _ => return false,
            }
        }
    }

    /// A side of a comparison.
    pub(super) fn linear(&mut self) -> Parsed<Sum> {
        if self.token() == Token::Open && self.starts_vector() { self.vectors() } else { self.sum() }
    }

    fn vectors(&mut self) -> Parsed<Sum> {
        let start = self.bump();
        let mut coefficients = vec![self.sum()?];
        while self.token() == Token::Comma {
            self.bump();
            coefficients.push(self.sum()?);
        }
        let end = self.expect(Token::Close, "`,` or `)`")?;
        self.expect(Token::Transposed, "`^T`")?;
        let open = self.expect(Token::Open, "`(` and the signals")?;
        let mut names = vec![self.signal()?];
        while self.token() == Token::Comma {
            self.bump();
            names.push(self.signal()?);
        }
        let close = self.expect(Token::Close, "`,` or `)`")?;
        if coefficients.len() != names.len() {
            let counted = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
            let (factors, signals) = (counted(coefficients.len(), "coefficient"), counted(names.len(), "signal"));
            let message = format!("{factors} for {signals}");
            let error = Diagnostic::error(&codes::VECTOR_LENGTH, start.join(end), message);
            return Err(Box::new(error.also(open.join(close), "the signals")));
        }
        let mut products = Vec::new();
        for (coefficient, name) in coefficients.into_iter().zip(names) {
            for mut product in coefficient.products {
                product.factors.push(Factor { number: None, divides: false, span: name });
                products.push(product);
            }
        }
        Ok(Sum { products, span: start.join(close) })
    }

    fn signal(&mut self) -> Parsed<Span> {
        match self.token() {
            Token::Globally | Token::Finally | Token::Next | Token::Until | Token::Release => {
                Err(self.keyword(self.span()))
            }
            _ => self.expect(Token::Name, "a signal"),
        }
    }

    /// Products with signs between them.
    pub(super) fn sum(&mut self) -> Parsed<Sum> {
        let mut sum = Sum { products: Vec::new(), span: self.span() };
        let mut negative = false;
        if let Token::Plus | Token::Minus = self.token() {
            negative = self.token() == Token::Minus;
            self.bump();
        }
        loop {
            let (product, span) = self.product(negative)?;
            sum.span = sum.span.join(span);
            sum.products.push(product);
            match self.token() {
                Token::Plus | Token::Minus => {
                    negative = self.token() == Token::Minus;
                    self.bump();
                }
                _ => return Ok(sum),
            }
        }
    }

    fn product(&mut self, mut negative: bool) -> Parsed<(Product, Span)> {
        while self.token() == Token::Minus {
            negative = !negative;
            self.bump();
        }
        let first = self.factor(false)?;
        let (mut span, mut factors) = (first.span, vec![first]);
        loop {
            let divides = match self.token() {
                Token::Star | Token::Slash => {
                    let divides = self.token() == Token::Slash;
                    self.bump();
                    divides
                }
                // `3x` is a product.
                Token::Name if factors.last().is_some_and(|factor| factor.number.is_some()) => false,
                _ => return Ok((Product { negative, factors }, span)),
            };
            let factor = self.factor(divides)?;
            span = span.join(factor.span);
            factors.push(factor);
        }
    }

    fn factor(&mut self, divides: bool) -> Parsed<Factor> {
        let span = self.span();
        let number = match self.token() {
            Token::Number => match read_numeral(self.source.slice(span)) {
                Some(number) => Some(number),
                None => {
                    let message = "this numeral is too long";
                    return Err(Box::new(Diagnostic::error(&codes::BAD_NUMBER, span, message)));
                }
            },
            Token::Name => None,
            Token::Globally | Token::Finally | Token::Next | Token::Until | Token::Release => {
                return Err(self.keyword(span));
            }
            _ => return self.fail("a number or a name"),
        };
        self.bump();
        Ok(Factor { number, divides, span })
    }

    /// The relation that comes next, if one does.
    pub(super) fn relation(&self) -> Option<Relation> {
        Some(match self.token() {
            Token::Lt => Relation::Less,
            Token::Le => Relation::AtMost,
            Token::Gt => Relation::Greater,
            Token::Ge => Relation::AtLeast,
            Token::Eq => Relation::Equal,
            Token::Ne => Relation::NotEqual,
            _ => return None,
        })
    }
}
