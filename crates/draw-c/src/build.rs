//! Building terms that are simplified as they are built, so that what a program computes from constants stays constant.

use super::range::Ranges;
use smt::{Op, Simplifier, Term, Terms};
use value::{BitVec, Sort, UBig, Value};

/// Choices that are looked into when their outcome is compared with a number.
const MOST_CHOICES: usize = 24;

/// An arena with a simplifier over it.
pub(super) struct Build<'t> {
    pub(super) terms: &'t mut Terms,
    pub(super) simplifier: &'t mut Simplifier,
    /// Which numbers its terms can be.
    pub(super) ranges: &'t mut Ranges,
}

impl Build<'_> {
    pub(super) fn truth(&self, truth: bool) -> Term {
        self.terms.bool(truth)
    }

    pub(super) fn is_true(&self, term: Term) -> bool {
        term == self.terms.bool(true)
    }

    pub(super) fn is_false(&self, term: Term) -> bool {
        term == self.terms.bool(false)
    }

    pub(super) fn app(&mut self, op: Op, args: &[Term]) -> Term {
        if let [left, right] = *args
            && let Some(truth) = self.ranges.comparison(self.terms, op, left, right)
        {
            return self.truth(truth);
        }
        let term = self.terms.app(op, args);
        self.simplifier.simplify(self.terms, term)
    }

    fn indexed(&mut self, op: Op, indices: [u32; 2], arg: Term) -> Term {
        let term = self.terms.indexed(op, indices, &[arg]);
        self.simplifier.simplify(self.terms, term)
    }

    pub(super) fn not(&mut self, term: Term) -> Term {
        self.app(Op::Not, &[term])
    }

    pub(super) fn and(&mut self, left: Term, right: Term) -> Term {
        if self.is_true(left) || left == right {
            return right;
        }
        if self.is_true(right) {
            return left;
        }
        self.app(Op::And, &[left, right])
    }

    pub(super) fn or(&mut self, left: Term, right: Term) -> Term {
        if self.is_false(left) || left == right {
            return right;
        }
        if self.is_false(right) {
            return left;
        }
        self.app(Op::Or, &[left, right])
    }

    pub(super) fn all(&mut self, terms: &[Term]) -> Term {
        let term = self.terms.and(terms);
        self.simplifier.simplify(self.terms, term)
    }

    pub(super) fn any(&mut self, terms: &[Term]) -> Term {
        let term = self.terms.or(terms);
        self.simplifier.simplify(self.terms, term)
    }

    pub(super) fn implies(&mut self, left: Term, right: Term) -> Term {
        let not = self.not(left);
        self.or(not, right)
    }

    pub(super) fn ite(&mut self, condition: Term, then: Term, otherwise: Term) -> Term {
        if then == otherwise || self.is_true(condition) {
            return then;
        }
        if self.is_false(condition) {
            return otherwise;
        }
        self.app(Op::Ite, &[condition, then, otherwise])
    }

    pub(super) fn eq(&mut self, left: Term, right: Term) -> Term {
        if left == right {
            return self.truth(true);
        }
        for (choices, number) in [(left, right), (right, left)] {
            if self.terms.op(choices) == Op::Ite && self.terms.value(number).is_some() {
                let mut most = MOST_CHOICES;
                if let Some(chosen) = self.chosen(choices, number, &mut most) {
                    return chosen;
                }
            }
        }
        self.app(Op::Eq, &[left, right])
    }

    /// When choices among numbers come out as one of them; none if they are many, or among other things. The depth is limited.
    fn chosen(&mut self, choices: Term, number: Term, most: &mut usize) -> Option<Term> {
        if choices == number {
            return Some(self.truth(true));
        }
        if self.terms.op(choices) != Op::Ite {
            return self.ranges.comparison(self.terms, Op::Eq, choices, number).map(|truth| self.truth(truth));
        }
        *most = most.checked_sub(1)?;
        let &[condition, then, otherwise] = self.terms.args(choices) else { return None };
        let then = self.chosen(then, number, most)?;
        let otherwise = self.chosen(otherwise, number, most)?;
        Some(match [then, otherwise].map(|side| self.terms.value(side).is_some().then(|| self.is_true(side))) {
            [Some(true), _] => self.or(condition, otherwise),
            [Some(false), _] => {
                let not = self.not(condition);
                self.and(not, otherwise)
            }
            [None, Some(true)] => {
                let not = self.not(condition);
                self.or(not, then)
            }
            [None, Some(false)] => self.and(condition, then),
            [None, None] => self.ite(condition, then, otherwise),
        })
    }

    pub(super) fn bits(&mut self, width: u32, number: i128) -> Term {
        let pattern = UBig::from(number as u128);
        let pattern = if 128 < width && number < 0 {
            let ones = (UBig::ONE << width as usize) - (UBig::ONE << 128usize);
            pattern | ones
        } else {
            pattern
        };
        self.terms.constant(Value::BitVec(BitVec::new(width, pattern)))
    }

    pub(super) fn symbol(&mut self, name: &str, width: u32) -> Term {
        self.terms.symbol(name, &Sort::BitVec(width))
    }

    pub(super) fn width(&self, term: Term) -> u32 {
        self.terms.width(term).expect("a bit-vector")
    }

    /// The pattern of a constant, read without sign; none for patterns wider than 128 bits that do not fit.
    pub(super) fn constant(&self, term: Term) -> Option<u128> {
        match self.terms.value(term)? {
            Value::BitVec(bits) => u128::try_from(bits.bits()).ok(),
            _ => None,
        }
    }

    /// The value of a constant, read with a sign.
    pub(super) fn signed_constant(&self, term: Term) -> Option<i128> {
        let width = self.width(term);
        let pattern = self.constant(term)?;
        if 128 <= width {
            return Some(pattern as i128);
        }
        let shift = 128 - width;
        Some(((pattern << shift) as i128) >> shift)
    }

    /// The bits from `high` down to `low`.
    pub(super) fn extract(&mut self, term: Term, high: u32, low: u32) -> Term {
        if low == 0 && high + 1 == self.width(term) {
            return term;
        }
        self.indexed(Op::Extract, [high, low], term)
    }

    pub(super) fn concat(&mut self, high: Term, low: Term) -> Term {
        self.app(Op::Concat, &[high, low])
    }

    /// The same number in another width: cut off, or extended with its sign or with zeros.
    pub(super) fn resize(&mut self, term: Term, width: u32, signed: bool) -> Term {
        let from = self.width(term);
        if width <= from {
            return self.extract(term, width - 1, 0);
        }
        let op = if signed { Op::SignExtend } else { Op::ZeroExtend };
        self.indexed(op, [width - from, 0], term)
    }

    /// Whether a bit pattern is not zero.
    pub(super) fn non_zero(&mut self, term: Term) -> Term {
        if self.terms.op(term) == Op::Ite {
            // The usual shape of a comparison made into an integer: `ite(c, 1, 0)`.
            let args = self.terms.args(term).to_vec();
            if let (Some(then), Some(otherwise)) = (self.constant(args[1]), self.constant(args[2])) {
                return match (then != 0, otherwise != 0) {
                    (true, true) => self.truth(true),
                    (true, false) => args[0],
                    (false, true) => self.not(args[0]),
                    (false, false) => self.truth(false),
                };
            }
        }
        if matches!(self.terms.op(term), Op::ZeroExtend | Op::SignExtend) {
            let inner = self.terms.args(term)[0];
            return self.non_zero(inner);
        }
        let zero = self.bits(self.width(term), 0);
        let equal = self.eq(term, zero);
        self.not(equal)
    }

    /// 1 or 0 of a width.
    pub(super) fn truth_bits(&mut self, truth: Term, width: u32) -> Term {
        let (one, zero) = (self.bits(width, 1), self.bits(width, 0));
        self.ite(truth, one, zero)
    }

    /// Bit `index` as a truth value.
    pub(super) fn bit(&mut self, term: Term, index: u32) -> Term {
        let bit = self.extract(term, index, index);
        let one = self.bits(1, 1);
        self.eq(bit, one)
    }
}
