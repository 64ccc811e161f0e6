//! Operators on integers. Integers are exact; operations on bits know those of 64 bits, and shifts go by less than 64 places.

use smt::{Op, Term, Terms};
use tessla::Operator;
use value::{IBig, Value};

use super::gate;

/// The bits of numbers whose bits are looked at.
pub(super) const BITS: u32 = 64;

/// What an operator on integers gives.
pub(super) struct Outcome {
    pub(super) value: Term,
    /// Where it is defined, if it is partial.
    pub(super) domain: Option<Term>,
    /// Where its operands are beyond what is looked at.
    pub(super) overflow: Option<Term>,
}

/// Whether it is an operator on integers that the encoding has.
pub(super) fn has(operator: Operator) -> bool {
    matches!(
        operator,
        Operator::Negate
            | Operator::Add
            | Operator::Subtract
            | Operator::Multiply
            | Operator::Divide
            | Operator::Modulo
            | Operator::Less
            | Operator::LessEqual
            | Operator::Greater
            | Operator::GreaterEqual
            | Operator::BitNot
    ) || looks_at_bits(operator)
}

/// Whether claims about it are limited to numbers of [`BITS`] bits.
pub(super) fn looks_at_bits(operator: Operator) -> bool {
    matches!(
        operator,
        Operator::BitAnd | Operator::BitOr | Operator::BitXor | Operator::ShiftLeft | Operator::ShiftRight
    )
}

/// What an operator gives that [is one of these](has).
pub(super) fn operation(terms: &mut Terms, operator: Operator, left: Term, right: Option<Term>) -> Outcome {
    let total = |value: Term| Outcome { value, domain: None, overflow: None };
    let Some(right) = right else {
        let opposite = negated(terms, left);
        if operator == Operator::Negate {
            return total(opposite);
        }
        let one = terms.int(1);
        return total(gate::arithmetic(terms, Op::Sub, opposite, one));
    };
    let plain = match operator {
        Operator::Add => Op::Add,
        Operator::Subtract => Op::Sub,
        Operator::Multiply => Op::Mul,
        Operator::Less => Op::Lt,
        Operator::LessEqual => Op::Le,
        Operator::Greater => Op::Gt,
        Operator::GreaterEqual => Op::Ge,
        Operator::BitAnd => return bitwise(terms, Op::BvAnd, left, right),
        Operator::BitOr => return bitwise(terms, Op::BvOr, left, right),
        Operator::BitXor => return bitwise(terms, Op::BvXor, left, right),
        Operator::ShiftLeft => return shifted(terms, left, right),
        Operator::ShiftRight => {
            let back = negated(terms, right);
            return shifted(terms, left, back);
        }
        Operator::Divide => {
            let (quotient, domain) = (truncated(terms, left, right), nonzero(terms, right));
            return Outcome { value: quotient, domain: Some(domain), overflow: None };
        }
        Operator::Modulo => {
            let quotient = truncated(terms, left, right);
            let product = terms.app(Op::Mul, &[quotient, right]);
            let remainder = terms.app(Op::Sub, &[left, product]);
            return Outcome { value: remainder, domain: Some(nonzero(terms, right)), overflow: None };
        }
        other => unreachable!("{} is not an operator on two integers", other.name()),
    };
    total(gate::arithmetic(terms, plain, left, right))
}

fn nonzero(terms: &mut Terms, number: Term) -> Term {
    let zero = terms.int(0);
    let is_zero = gate::equal(terms, number, zero);
    gate::not(terms, is_zero)
}

/// The quotient rounded towards zero: SMT-LIB's rounds so that the remainder is never negative.
fn truncated(terms: &mut Terms, dividend: Term, divisor: Term) -> Term {
    let zero = terms.int(0);
    let negative = terms.app(Op::Lt, &[dividend, zero]);
    let opposite = terms.app(Op::Neg, &[dividend]);
    let (straight, turned) = (terms.app(Op::Div, &[dividend, divisor]), terms.app(Op::Div, &[opposite, divisor]));
    let back = terms.app(Op::Neg, &[turned]);
    terms.ite(negative, back, straight)
}

fn constant(terms: &Terms, term: Term) -> Option<IBig> {
    match terms.value(term) {
        Some(Value::Int(number)) => Some(number.clone()),
        _ => None,
    }
}

fn negated(terms: &mut Terms, number: Term) -> Term {
    match constant(terms, number) {
        Some(number) => terms.int(-number),
        None => terms.app(Op::Neg, &[number]),
    }
}

fn power(exponent: u32) -> IBig {
    IBig::ONE << exponent as usize
}

/// Two numbers in two's complement, bit by bit.
fn bitwise(terms: &mut Terms, op: Op, left: Term, right: Term) -> Outcome {
    let mut outside = Vec::new();
    let words = [left, right].map(|number| {
        let (least, end) = (terms.int(-power(BITS - 1)), terms.int(power(BITS - 1)));
        outside.push(terms.app(Op::Lt, &[number, least]));
        outside.push(terms.app(Op::Ge, &[number, end]));
        terms.indexed(Op::IntToBv, [BITS, 0], &[number])
    });
    let word = terms.app(op, &words);
    let natural = terms.app(Op::BvToNat, &[word]);
    let (half, whole) = (terms.int(power(BITS - 1)), terms.int(power(BITS)));
    let negative = terms.app(Op::Ge, &[natural, half]);
    let below = terms.app(Op::Sub, &[natural, whole]);
    let value = terms.ite(negative, below, natural);
    Outcome { value, domain: None, overflow: Some(gate::or(terms, &outside)) }
}

/// A number shifted left, or right where the count is negative: to shift is to multiply by a power of two, or to divide and round down.
fn shifted(terms: &mut Terms, number: Term, count: Term) -> Outcome {
    if let Some(known) = constant(terms, count).and_then(|count| i32::try_from(&count).ok())
        && known.unsigned_abs() < BITS
    {
        let factor = terms.int(power(known.unsigned_abs()));
        let op = if known < 0 { Op::Div } else { Op::Mul };
        return Outcome { value: terms.app(op, &[number, factor]), domain: None, overflow: None };
    }
    let zero = terms.int(0);
    let back = terms.app(Op::Lt, &[count, zero]);
    let opposite = terms.app(Op::Neg, &[count]);
    let places = terms.ite(back, opposite, count);
    let mut factor = terms.int(1);
    for exponent in 1..BITS {
        let (this, raised) = (terms.int(exponent), terms.int(power(exponent)));
        let chosen = terms.eq(places, this);
        factor = terms.ite(chosen, raised, factor);
    }
    let (product, quotient) = (terms.app(Op::Mul, &[number, factor]), terms.app(Op::Div, &[number, factor]));
    let most = terms.int(BITS);
    let overflow = terms.app(Op::Ge, &[places, most]);
    Outcome { value: terms.ite(back, quotient, product), domain: None, overflow: Some(overflow) }
}
