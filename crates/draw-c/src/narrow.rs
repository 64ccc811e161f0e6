//! Products and quotients in no more bits than they need.

use smt::{Op, Term};

use super::build::Build;
use super::range::{Range, signed_bits};

impl Build<'_> {
    /// The numbers a term may be; none for wide ones.
    pub(super) fn range(&mut self, term: Term) -> Option<Range> {
        self.ranges.of(self.terms, term)
    }

    /// The product of two patterns of one width, modulo two to the width.
    pub(super) fn product(&mut self, left: Term, right: Term) -> Term {
        let width = self.width(left);
        if self.is_power(left) || self.is_power(right) {
            return self.app(Op::BvMul, &[left, right]);
        }
        let Some((one, other)) = self.range(left).zip(self.range(right)) else {
            return self.app(Op::BvMul, &[left, right]);
        };
        let [least, most] = one.times(other);
        let signed = [one.signed_bits(), other.signed_bits(), signed_bits(least), signed_bits(most)];
        let signed = signed.into_iter().max().unwrap_or(width);
        let greatest = u128::BITS - one.greatest_product(other).leading_zeros();
        let unsigned = one.unsigned_bits().max(other.unsigned_bits()).max(greatest);
        if width <= signed.min(unsigned) {
            return self.app(Op::BvMul, &[left, right]);
        }
        let (bits, sign) = if unsigned <= signed { (unsigned, false) } else { (signed, true) };
        let (left, right) = (self.extract(left, bits - 1, 0), self.extract(right, bits - 1, 0));
        let product = self.app(Op::BvMul, &[left, right]);
        self.resize(product, width, sign)
    }

    /// The quotient or the remainder of two patterns of one width, where the divisor is not zero and a quotient with a sign
    /// does not overflow; elsewhere it may be anything.
    pub(super) fn quotient(&mut self, op: Op, left: Term, right: Term) -> Term {
        let width = self.width(left);
        let Some((one, other)) = self.range(left).zip(self.range(right)) else {
            return self.app(op, &[left, right]);
        };
        let signed = matches!(op, Op::BvSdiv | Op::BvSrem);
        let divides = matches!(op, Op::BvSdiv | Op::BvUdiv);
        if !signed || (0 <= one.least && 0 <= other.least) {
            let op = if divides { Op::BvUdiv } else { Op::BvUrem };
            let bits = one.unsigned_bits().max(other.unsigned_bits());
            return self.in_bits(op, left, right, (bits.min(width), false));
        }
        let power = self.signed_constant(right).filter(|number| 1 < *number && number.count_ones() == 1);
        if let Some(power) = power {
            return self.by_power(divides, left, power);
        }
        // The smallest number has no opposite in as many bits.
        let magnitude = i128::from(one.least).abs().max(i128::from(one.most));
        let bits = signed_bits(magnitude).max(other.signed_bits());
        self.in_bits(op, left, right, (bits.min(width), true))
    }

    fn in_bits(&mut self, op: Op, left: Term, right: Term, (bits, sign): (u32, bool)) -> Term {
        let width = self.width(left);
        let (left, right) = (self.extract(left, bits - 1, 0), self.extract(right, bits - 1, 0));
        let result = self.app(op, &[left, right]);
        self.resize(result, width, sign)
    }

    /// The quotient, rounded towards zero, or the remainder by a power of two: negative numbers are shifted after what would be
    /// rounded away is added.
    fn by_power(&mut self, divides: bool, left: Term, power: i128) -> Term {
        let width = self.width(left);
        let negative = self.bit(left, width - 1);
        let (rest, none) = (self.bits(width, power - 1), self.bits(width, 0));
        let rounding = self.ite(negative, rest, none);
        let sum = self.app(Op::BvAdd, &[left, rounding]);
        if divides {
            let amount = self.bits(width, i128::from(power.trailing_zeros()));
            return self.app(Op::BvAshr, &[sum, amount]);
        }
        let mask = self.bits(width, -power);
        let multiple = self.app(Op::BvAnd, &[sum, mask]);
        self.app(Op::BvSub, &[left, multiple])
    }

    fn is_power(&self, term: Term) -> bool {
        self.constant(term).is_some_and(u128::is_power_of_two)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use smt::{Evaluator, Model, Simplifier, Terms};
    use value::{BitVec, UBig, Value};

    use super::super::range::Ranges;
    use super::*;

    /// The operators between terms of 16 bits.
    const OPERATORS: &[Op] = &[
        Op::BvAdd,
        Op::BvSub,
        Op::BvMul,
        Op::BvAnd,
        Op::BvOr,
        Op::BvXor,
        Op::BvUdiv,
        Op::BvUrem,
        Op::BvSdiv,
        Op::BvSrem,
        Op::BvShl,
        Op::BvLshr,
        Op::BvAshr,
    ];

    const COMPARISONS: &[Op] =
        &[Op::Eq, Op::BvUlt, Op::BvUle, Op::BvUgt, Op::BvUge, Op::BvSlt, Op::BvSle, Op::BvSgt, Op::BvSge];

    fn signed(pattern: u64, width: u32) -> i64 {
        let shift = 64 - width;
        ((pattern << shift) as i64) >> shift
    }

    fn pattern(value: &Value) -> u64 {
        match value {
            Value::BitVec(bits) => u64::try_from(bits.bits()).unwrap(),
            other => panic!("no bit pattern: {other:?}"),
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        /// Every value of a random term lies in its range, narrow operators give what wide ones give, and decided comparisons
        /// are decided rightly.
        #[test]
        fn values_lie_in_their_ranges(
            steps in prop::collection::vec((0..18usize, any::<u16>(), any::<u16>(), -40i128..40), 1..14),
            inputs in prop::collection::vec(any::<u8>(), 3),
        ) {
            let (mut terms, mut simplifier, mut ranges) = (Terms::new(), Simplifier::new(), Ranges::default());
            let mut build = Build { terms: &mut terms, simplifier: &mut simplifier, ranges: &mut ranges };
            let symbols: Vec<Term> = (0..3).map(|at| build.symbol(&format!("x{at}"), 8)).collect();
            let mut made: Vec<Term> = symbols.iter().zip([true, false, true]).map(|(&x, sign)| build.resize(x, 16, sign)).collect();
            let (mut pairs, mut decided) = (Vec::new(), Vec::new());
            for &(kind, left, right, number) in &steps {
                let (left, right) = (made[left as usize % made.len()], made[right as usize % made.len()]);
                let constant = build.bits(16, number);
                let right = if number % 3 == 0 { constant } else { right };
                let term = match OPERATORS.get(kind) {
                    Some(Op::BvMul) => {
                        let plain = build.terms.app(Op::BvMul, &[left, right]);
                        let narrow = build.product(left, right);
                        pairs.push((plain, narrow, None));
                        narrow
                    }
                    Some(&op @ (Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem)) => {
                        let plain = build.terms.app(op, &[left, right]);
                        let narrow = build.quotient(op, left, right);
                        pairs.push((plain, narrow, Some((left, right))));
                        plain
                    }
                    Some(&op) => build.app(op, &[left, right]),
                    None if kind == 13 => build.extract(left, 11, 0),
                    None if kind == 14 => build.extract(left, 14, 3),
                    None if kind == 15 => build.app(Op::BvNeg, &[left]),
                    None if kind == 16 => build.app(Op::BvNot, &[left]),
                    None => {
                        let low = build.extract(left, 4, 0);
                        let high = build.extract(right, 6, 0);
                        build.concat(high, low)
                    }
                };
                let sign = number % 2 == 0;
                let term = build.resize(term, 16, sign);
                let op = COMPARISONS[kind % COMPARISONS.len()];
                if let Some(truth) = build.ranges.comparison(build.terms, op, term, right) {
                    decided.push((build.terms.app(op, &[term, right]), truth));
                }
                made.push(term);
            }
            for &term in &made {
                build.range(term);
            }
            let mut model = Model::default();
            for (&symbol, &input) in symbols.iter().zip(&inputs) {
                model.insert(symbol, Value::BitVec(BitVec::new(8, UBig::from(input))));
            }
            let mut evaluator = Evaluator::new(&terms, &model);
            for index in 0..terms.len() {
                let term = terms.at(index);
                if let (Some(width), Some(range)) = (terms.width(term), ranges.of(&terms, term)) {
                    let value = pattern(evaluator.eval(term));
                    prop_assert!(range.low <= value && value <= range.high, "{range:?} {value}");
                    let value = signed(value, width);
                    prop_assert!(range.least <= value && value <= range.most, "{range:?} {value}");
                }
            }
            for (plain, narrow, operands) in pairs {
                let undefined = operands.is_some_and(|(left, right)| {
                    let (left, right) = (pattern(evaluator.eval(left)), pattern(evaluator.eval(right)));
                    right == 0 || (left == 0x8000 && right == 0xffff)
                });
                if !undefined {
                    prop_assert_eq!(pattern(evaluator.eval(plain)), pattern(evaluator.eval(narrow)));
                }
            }
            for (comparison, truth) in decided {
                prop_assert_eq!(evaluator.holds(comparison), truth);
            }
        }
    }
}
