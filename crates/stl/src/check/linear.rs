//! Sums: constants and linear comparisons.

use source::{Diagnostic, Span};
use value::{RBig, Sort};

use super::{Checked, Checker, Meaning};
use crate::ast::{Product, Sum};
use crate::codes;
use crate::store::{Comparison, Relation, SignalId};

/// A product: a number, times a signal or not.
struct Term {
    coefficient: RBig,
    signal: Option<SignalId>,
}

impl Checker<'_> {
    /// The value of a sum without signals.
    pub(super) fn constant(&mut self, sum: &Sum) -> Checked<RBig> {
        let mut total = RBig::ZERO;
        for product in &sum.products {
            let mut value = if product.negative { -RBig::ONE } else { RBig::ONE };
            for factor in &product.factors {
                let number = match &factor.number {
                    Some(number) => number.clone(),
                    None => match self.parameter(factor.span)? {
                        Some(value) => value,
                        None => self.unit(factor.span, factor.divides)?,
                    },
                };
                value = multiply(value, number, factor.divides, factor.span)?;
            }
            total += value;
        }
        Ok(total)
    }

    /// Everything on the left except one number.
    pub(super) fn comparison(
        &mut self,
        left: &Sum,
        relation: Relation,
        right: &Sum,
        span: Span,
    ) -> Checked<Comparison> {
        let mut form: Vec<(RBig, SignalId)> = Vec::new();
        let mut bound = RBig::ZERO;
        for (sum, sign) in [(left, RBig::ONE), (right, -RBig::ONE)] {
            for product in &sum.products {
                let term = self.term(product)?;
                let coefficient = term.coefficient * &sign;
                match term.signal {
                    None => bound -= coefficient,
                    Some(signal) => match form.iter_mut().find(|(_, known)| *known == signal) {
                        Some((known, _)) => *known += coefficient,
                        None => form.push((coefficient, signal)),
                    },
                }
            }
        }
        form.retain(|(coefficient, _)| !coefficient.is_zero());
        if form.is_empty() {
            let message = "no signal occurs in this comparison, or all cancel out";
            return Err(Box::new(Diagnostic::error(&codes::NOT_LINEAR, span, message)));
        }
        Ok(Comparison { form, relation, bound })
    }

    fn term(&mut self, product: &Product) -> Checked<Term> {
        let mut coefficient = if product.negative { -RBig::ONE } else { RBig::ONE };
        let mut signal = None;
        for factor in &product.factors {
            let number = match &factor.number {
                Some(number) => Some(number.clone()),
                None => self.parameter(factor.span)?,
            };
            match number {
                Some(number) => coefficient = multiply(coefficient, number, factor.divides, factor.span)?,
                None if signal.is_some() || factor.divides => {
                    let message = "signals can only be multiplied by constants";
                    let help = "Write `2*v` and sums of signals; a product such as a power is given as a signal of its own, a column of the table.";
                    return Err(Box::new(Diagnostic::error(&codes::NOT_LINEAR, factor.span, message).help(help)));
                }
                None => {
                    self.refuse_enumeration(factor.span)?;
                    signal = Some(self.signal(factor.span, &Sort::Real)?);
                }
            }
        }
        Ok(Term { coefficient, signal })
    }

    /// A unit of time in the unit of the file.
    fn unit(&mut self, span: Span, divides: bool) -> Checked<RBig> {
        let name = self.source.slice(span);
        if let Some(length) = seconds(name).filter(|_| !divides) {
            self.seconds = self.seconds.or(Some(span));
            return Ok(match &self.unit {
                Some(unit) => length / unit,
                None => length,
            });
        }
        let message = format!("`{name}` is not a parameter, a constant is needed here");
        let help = format!("Declare it above the formula: `param {name} = 10;`.");
        Err(Box::new(Diagnostic::error(&codes::BAD_NUMBER, span, message).help(help)))
    }

    /// The value of a parameter; none if the name is that of a signal.
    fn parameter(&mut self, span: Span) -> Checked<Option<RBig>> {
        let name = self.source.slice(span);
        let Some(named) = self.names.get_mut(name) else { return Ok(None) };
        named.used = true;
        match &named.meaning {
            Meaning::Parameter(value) => Ok(Some(value.clone())),
            Meaning::Definition(_) => {
                let message = format!("`{name}` is a formula, a number is needed here");
                let error = Diagnostic::error(&codes::SORT_CONFLICT, span, message);
                Err(Box::new(error.also(named.span, "its definition")))
            }
            Meaning::Later => {
                let message = format!("`{name}` is used before it is defined");
                let error = Diagnostic::error(&codes::DEFINITION_ORDER, span, message);
                Err(Box::new(error.also(named.span, "its definition")))
            }
        }
    }
}

/// How many seconds a unit of time has.
pub(crate) fn seconds(name: &str) -> Option<RBig> {
    Some(match name {
        "h" | "hr" => RBig::from(3600),
        "min" => RBig::from(60),
        "s" | "sec" => RBig::ONE,
        "ms" => RBig::from_parts(1.into(), 1_000u32.into()),
        "us" | "µs" | "μs" => RBig::from_parts(1.into(), 1_000_000u32.into()),
        "ns" => RBig::from_parts(1.into(), 1_000_000_000u32.into()),
        _ => return None,
    })
}

/// How many seconds the unit has that a file names.
pub(super) fn unit_named(name: &str, span: Span) -> Checked<RBig> {
    seconds(name).ok_or_else(|| {
        let message = format!("`{name}` is not a unit of time");
        let help = "The units are `h`, `min`, `s`, `ms`, `us` and `ns`.";
        Box::new(Diagnostic::error(&codes::BAD_NUMBER, span, message).help(help))
    })
}

fn multiply(value: RBig, number: RBig, divides: bool, span: Span) -> Checked<RBig> {
    match divides {
        false => Ok(value * number),
        true if number.is_zero() => Err(Box::new(Diagnostic::error(&codes::BAD_NUMBER, span, "division by zero"))),
        true => Ok(value / number),
    }
}
