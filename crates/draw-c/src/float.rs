//! IEEE 754 arithmetic on bit patterns, rounding to nearest with ties to even.

use smt::{Op, Term};

use super::build::Build;

/// A binary format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Format {
    /// Bits of the exponent.
    pub(super) exponent: u32,
    /// Bits of the fraction, the hidden one not counted.
    pub(super) fraction: u32,
}

/// `float`.
pub(super) const SINGLE: Format = Format { exponent: 8, fraction: 23 };
/// `double`.
pub(super) const DOUBLE: Format = Format { exponent: 11, fraction: 52 };

impl Format {
    fn bits(self) -> u32 {
        1 + self.exponent + self.fraction
    }

    fn bias(self) -> i128 {
        (1 << (self.exponent - 1)) - 1
    }

    /// Bits in which exponents are computed, with a sign.
    fn wide(self) -> u32 {
        self.exponent + 4
    }
}

/// A number taken apart.
#[derive(Clone, Copy)]
struct Unpacked {
    nan: Term,
    infinite: Term,
    zero: Term,
    negative: Term,
    /// The exponent, without bias.
    exponent: Term,
    /// The significand with its leading one, unless the number is zero.
    significand: Term,
}

/// A number before rounding: `significand` has its leading one at the top.
struct Exact {
    negative: Term,
    exponent: Term,
    significand: Term,
}

impl Build<'_> {
    fn unpack(&mut self, format: Format, bits: Term) -> Unpacked {
        let Format { exponent: e, fraction: m } = format;
        let negative = self.bit(bits, e + m);
        let exponent = self.extract(bits, e + m - 1, m);
        let fraction = self.extract(bits, m - 1, 0);
        let ones = self.bits(e, (1 << e) - 1);
        let top = self.eq(exponent, ones);
        let has_fraction = self.non_zero(fraction);
        let no_fraction = self.not(has_fraction);
        let normal = self.non_zero(exponent);
        let small = self.not(normal);
        let (nan, infinite) = (self.and(top, has_fraction), self.and(top, no_fraction));
        let zero = self.and(small, no_fraction);
        let hidden = self.truth_bits(normal, 1);
        let significand = self.concat(hidden, fraction);
        let wide = self.resize(exponent, format.wide(), false);
        let bias = self.bits(format.wide(), format.bias());
        let unbiased = self.app(Op::BvSub, &[wide, bias]);
        let smallest = self.bits(format.wide(), 1 - format.bias());
        let unbiased = self.ite(normal, unbiased, smallest);
        let (significand, shift) = self.normalised(significand);
        let shift = self.resize(shift, format.wide(), false);
        let exponent = self.app(Op::BvSub, &[unbiased, shift]);
        Unpacked { nan, infinite, zero, negative, exponent, significand }
    }

    /// A pattern shifted left until its highest bit is set, and by how much; zero stays.
    fn normalised(&mut self, pattern: Term) -> (Term, Term) {
        let width = self.width(pattern);
        let steps = 32 - (width - 1).leading_zeros();
        let mut value = pattern;
        let mut shift = self.bits(steps.max(1), 0);
        for step in (0..steps).rev() {
            let amount = 1u32 << step;
            if width <= amount {
                continue;
            }
            let high = self.extract(value, width - 1, width - amount);
            let some = self.non_zero(high);
            let empty = self.not(some);
            let low = self.extract(value, width - 1 - amount, 0);
            let zeros = self.bits(amount, 0);
            let shifted = self.concat(low, zeros);
            value = self.ite(empty, shifted, value);
            let mark = self.bits(steps.max(1), i128::from(amount));
            let more = self.app(Op::BvOr, &[shift, mark]);
            shift = self.ite(empty, more, shift);
        }
        (value, shift)
    }

    /// A pattern shifted right; what is lost sets the last bit.
    fn shifted_sticky(&mut self, pattern: Term, amount: Term) -> Term {
        let width = self.width(pattern);
        let amount_width = self.width(amount);
        let limit = self.bits(amount_width, i128::from(width));
        let far = self.app(Op::BvUge, &[amount, limit]);
        let amount_bits = if width < amount_width { self.resize(amount, width, false) } else { amount };
        let amount_bits = self.resize(amount_bits, width, false);
        let shifted = self.app(Op::BvLshr, &[pattern, amount_bits]);
        let back = self.app(Op::BvShl, &[shifted, amount_bits]);
        let same = self.eq(back, pattern);
        let lost = self.not(same);
        let any = self.non_zero(pattern);
        let zero = self.bits(width, 0);
        let shifted = self.ite(far, zero, shifted);
        let lost = self.ite(far, any, lost);
        let sticky = self.truth_bits(lost, width);
        self.app(Op::BvOr, &[shifted, sticky])
    }

    /// Rounds and packs a number that is not zero.
    fn round(&mut self, format: Format, exact: Exact) -> Term {
        let Format { exponent: e, fraction: m } = format;
        let wide = format.wide();
        let mut significand = exact.significand;
        // Room for the bit behind the fraction and for what is lost.
        let least = m + 3;
        if self.width(significand) < least {
            let zeros = self.bits(least - self.width(significand), 0);
            significand = self.concat(significand, zeros);
        }
        let smallest = self.bits(wide, 1 - format.bias());
        let below = self.app(Op::BvSlt, &[exact.exponent, smallest]);
        let deficit = self.app(Op::BvSub, &[smallest, exact.exponent]);
        let denormal = self.shifted_sticky(significand, deficit);
        let significand = self.ite(below, denormal, significand);
        let width = self.width(significand);
        let kept = self.extract(significand, width - 1, width - 1 - m);
        let half = self.bit(significand, width - 2 - m);
        let rest = self.extract(significand, width - 3 - m, 0);
        let rest = self.non_zero(rest);
        let odd = self.bit(kept, 0);
        let tie = self.or(rest, odd);
        let up = self.and(half, tie);
        let bias = self.bits(wide, format.bias());
        let biased = self.app(Op::BvAdd, &[exact.exponent, bias]);
        let zero = self.bits(wide, 0);
        let biased = self.ite(below, zero, biased);
        let fraction = self.extract(kept, m - 1, 0);
        // Carries run from the fraction into the exponent, from denormal to normal and from the largest to infinity.
        let packed = self.concat(biased, fraction);
        let one = self.truth_bits(up, wide + m);
        let packed = self.app(Op::BvAdd, &[packed, one]);
        let exponent = self.extract(packed, wide + m - 1, m);
        let top = self.bits(wide, (1 << e) - 1);
        let overflow = self.app(Op::BvSge, &[exponent, top]);
        let infinity = self.bits(e + m, ((1 << e) - 1) << m);
        let magnitude = self.extract(packed, e + m - 1, 0);
        let magnitude = self.ite(overflow, infinity, magnitude);
        self.signed(exact.negative, magnitude)
    }

    fn signed(&mut self, negative: Term, magnitude: Term) -> Term {
        let sign = self.truth_bits(negative, 1);
        self.concat(sign, magnitude)
    }

    fn nan(&mut self, format: Format) -> Term {
        let Format { exponent: e, fraction: m } = format;
        self.bits(format.bits(), (((1 << e) - 1) << m) | (1 << (m - 1)))
    }

    fn infinity(&mut self, format: Format, negative: Term) -> Term {
        let Format { exponent: e, fraction: m } = format;
        let magnitude = self.bits(e + m, ((1 << e) - 1) << m);
        self.signed(negative, magnitude)
    }

    fn zero(&mut self, format: Format, negative: Term) -> Term {
        let magnitude = self.bits(format.exponent + format.fraction, 0);
        self.signed(negative, magnitude)
    }

    /// `left + right`.
    pub(super) fn float_add(&mut self, format: Format, left: Term, right: Term) -> Term {
        let Format { exponent: e, fraction: m } = format;
        let (left_size, right_size) = (self.extract(left, e + m - 1, 0), self.extract(right, e + m - 1, 0));
        let swap = self.app(Op::BvUlt, &[left_size, right_size]);
        let (large, small) = (self.ite(swap, right, left), self.ite(swap, left, right));
        let (a, b) = (self.unpack(format, large), self.unpack(format, small));
        let wide = m + 4;
        let extend = |build: &mut Self, significand: Term| {
            let zeros = build.bits(3, 0);
            build.concat(significand, zeros)
        };
        let (one, other) = (extend(self, a.significand), extend(self, b.significand));
        let distance = self.app(Op::BvSub, &[a.exponent, b.exponent]);
        let other = self.shifted_sticky(other, distance);
        let zeros = self.bits(wide, 0);
        let other = self.ite(b.zero, zeros, other);
        let (one, other) = (self.resize(one, wide + 1, false), self.resize(other, wide + 1, false));
        let same_sign = self.eq(a.negative, b.negative);
        let (sum, difference) = (self.app(Op::BvAdd, &[one, other]), self.app(Op::BvSub, &[one, other]));
        let result = self.ite(same_sign, sum, difference);
        let some = self.non_zero(result);
        let (significand, shift) = self.normalised(result);
        let shift = self.resize(shift, format.wide(), false);
        let next = self.bits(format.wide(), 1);
        let exponent = self.app(Op::BvAdd, &[a.exponent, next]);
        let exponent = self.app(Op::BvSub, &[exponent, shift]);
        let rounded = self.round(format, Exact { negative: a.negative, exponent, significand });
        let both_negative = self.and(a.negative, b.negative);
        let nothing = self.zero(format, both_negative);
        let result = self.ite(some, rounded, nothing);
        // Where the larger is zero both are.
        let result = self.ite(a.zero, nothing, result);
        let result = self.ite(a.infinite, large, result);
        let opposite = self.not(same_sign);
        let both_infinite = self.and(a.infinite, b.infinite);
        let undefined = self.and(both_infinite, opposite);
        let undefined = self.or(undefined, a.nan);
        let undefined = self.or(undefined, b.nan);
        let nan = self.nan(format);
        self.ite(undefined, nan, result)
    }

    /// `left - right`.
    pub(super) fn float_subtract(&mut self, format: Format, left: Term, right: Term) -> Term {
        let sign = self.bits(format.bits(), 1 << (format.bits() - 1));
        let negated = self.app(Op::BvXor, &[right, sign]);
        self.float_add(format, left, negated)
    }

    /// `left * right`.
    pub(super) fn float_multiply(&mut self, format: Format, left: Term, right: Term) -> Term {
        let m = format.fraction;
        let (a, b) = (self.unpack(format, left), self.unpack(format, right));
        let same_sign = self.eq(a.negative, b.negative);
        let negative = self.not(same_sign);
        let wide = 2 * m + 2;
        let (one, other) = (self.resize(a.significand, wide, false), self.resize(b.significand, wide, false));
        let product = self.app(Op::BvMul, &[one, other]);
        let carried = self.bit(product, wide - 1);
        let zeros = self.bits(1, 0);
        let low = self.extract(product, wide - 2, 0);
        let shifted = self.concat(low, zeros);
        let significand = self.ite(carried, product, shifted);
        let exponent = self.app(Op::BvAdd, &[a.exponent, b.exponent]);
        let carry = self.truth_bits(carried, format.wide());
        let exponent = self.app(Op::BvAdd, &[exponent, carry]);
        let rounded = self.round(format, Exact { negative, exponent, significand });
        let zero = self.or(a.zero, b.zero);
        let nothing = self.zero(format, negative);
        let result = self.ite(zero, nothing, rounded);
        let infinite = self.or(a.infinite, b.infinite);
        let infinity = self.infinity(format, negative);
        let result = self.ite(infinite, infinity, result);
        let undefined = self.and(infinite, zero);
        let undefined = self.or(undefined, a.nan);
        let undefined = self.or(undefined, b.nan);
        let nan = self.nan(format);
        self.ite(undefined, nan, result)
    }

    /// `left / right`.
    pub(super) fn float_divide(&mut self, format: Format, left: Term, right: Term) -> Term {
        let m = format.fraction;
        let (a, b) = (self.unpack(format, left), self.unpack(format, right));
        let same_sign = self.eq(a.negative, b.negative);
        let negative = self.not(same_sign);
        let wide = 2 * m + 4;
        let zeros = self.bits(m + 3, 0);
        let dividend = self.concat(a.significand, zeros);
        let divisor = self.resize(b.significand, wide, false);
        let quotient = self.app(Op::BvUdiv, &[dividend, divisor]);
        let remainder = self.app(Op::BvUrem, &[dividend, divisor]);
        let inexact = self.non_zero(remainder);
        let quotient = self.extract(quotient, m + 3, 0);
        let sticky = self.truth_bits(inexact, m + 4);
        let quotient = self.app(Op::BvOr, &[quotient, sticky]);
        // The quotient of two significands lies between a half and two.
        let high = self.bit(quotient, m + 3);
        let low = self.extract(quotient, m + 2, 0);
        let zero_bit = self.bits(1, 0);
        let shifted = self.concat(low, zero_bit);
        let significand = self.ite(high, quotient, shifted);
        let exponent = self.app(Op::BvSub, &[a.exponent, b.exponent]);
        let low = self.not(high);
        let borrow = self.truth_bits(low, format.wide());
        let exponent = self.app(Op::BvSub, &[exponent, borrow]);
        let rounded = self.round(format, Exact { negative, exponent, significand });
        let nothing = self.zero(format, negative);
        let vanishes = self.or(a.zero, b.infinite);
        let result = self.ite(vanishes, nothing, rounded);
        let infinite = self.or(a.infinite, b.zero);
        let infinity = self.infinity(format, negative);
        let result = self.ite(infinite, infinity, result);
        let (zeros, infinities) = (self.and(a.zero, b.zero), self.and(a.infinite, b.infinite));
        let undefined = self.or(zeros, infinities);
        let undefined = self.or(undefined, a.nan);
        let undefined = self.or(undefined, b.nan);
        let nan = self.nan(format);
        self.ite(undefined, nan, result)
    }

    /// Whether a number is none.
    pub(super) fn float_is_nan(&mut self, format: Format, bits: Term) -> Term {
        let Format { exponent: e, fraction: m } = format;
        let magnitude = self.extract(bits, e + m - 1, 0);
        let infinity = self.bits(e + m, ((1 << e) - 1) << m);
        self.app(Op::BvUgt, &[magnitude, infinity])
    }

    /// `left == right`.
    pub(super) fn float_equal(&mut self, format: Format, left: Term, right: Term) -> Term {
        let (nan_left, nan_right) = (self.float_is_nan(format, left), self.float_is_nan(format, right));
        let nan = self.or(nan_left, nan_right);
        let same = self.eq(left, right);
        let zeros = self.both_zero(format, left, right);
        let same = self.or(same, zeros);
        let number = self.not(nan);
        self.and(number, same)
    }

    fn both_zero(&mut self, format: Format, left: Term, right: Term) -> Term {
        let top = format.bits() - 2;
        let (left, right) = (self.extract(left, top, 0), self.extract(right, top, 0));
        let either = self.app(Op::BvOr, &[left, right]);
        let some = self.non_zero(either);
        self.not(some)
    }

    /// `left < right`.
    pub(super) fn float_less(&mut self, format: Format, left: Term, right: Term) -> Term {
        let (nan_left, nan_right) = (self.float_is_nan(format, left), self.float_is_nan(format, right));
        let nan = self.or(nan_left, nan_right);
        let top = format.bits() - 1;
        let (left_negative, right_negative) = (self.bit(left, top), self.bit(right, top));
        let (left_size, right_size) = (self.extract(left, top - 1, 0), self.extract(right, top - 1, 0));
        let smaller = self.app(Op::BvUlt, &[left_size, right_size]);
        let larger = self.app(Op::BvUgt, &[left_size, right_size]);
        let same_sign = self.ite(left_negative, larger, smaller);
        let equal_signs = self.eq(left_negative, right_negative);
        let zeros = self.both_zero(format, left, right);
        let some = self.not(zeros);
        let by_sign = self.and(left_negative, some);
        let less = self.ite(equal_signs, same_sign, by_sign);
        let number = self.not(nan);
        self.and(number, less)
    }

    /// An integer as a floating number.
    pub(super) fn float_from_integer(&mut self, format: Format, bits: Term, signed: bool) -> Term {
        let width = self.width(bits);
        let no = self.truth(false);
        let negative = if signed { self.bit(bits, width - 1) } else { no };
        let opposite = self.app(Op::BvNeg, &[bits]);
        let magnitude = self.ite(negative, opposite, bits);
        let some = self.non_zero(magnitude);
        let (significand, shift) = self.normalised(magnitude);
        let shift = self.resize(shift, format.wide().max(self.width(shift)), false);
        let shift = self.resize(shift, format.wide(), false);
        let top = self.bits(format.wide(), i128::from(width - 1));
        let exponent = self.app(Op::BvSub, &[top, shift]);
        let rounded = self.round(format, Exact { negative, exponent, significand });
        let nothing = self.zero(format, no);
        self.ite(some, rounded, nothing)
    }

    /// A floating number cut to an integer, and whether that is one of the type.
    pub(super) fn float_to_integer(&mut self, format: Format, bits: Term, width: u32, signed: bool) -> (Term, Term) {
        let m = format.fraction;
        let number = self.unpack(format, bits);
        let zero_exponent = self.bits(format.wide(), 0);
        let below_one = self.app(Op::BvSlt, &[number.exponent, zero_exponent]);
        let limit = self.bits(format.wide(), i128::from(width));
        let near = self.app(Op::BvSlt, &[number.exponent, limit]);
        // A register that holds every magnitude below two to the width.
        let register = width + m + 1;
        let wide = self.resize(number.significand, register, false);
        let amount = self.resize(number.exponent, register, false);
        let shifted = self.app(Op::BvShl, &[wide, amount]);
        let whole = self.extract(shifted, width + m - 1, m);
        let zero = self.bits(width, 0);
        let small = self.or(below_one, number.zero);
        let magnitude = self.ite(small, zero, whole);
        let opposite = self.app(Op::BvNeg, &[magnitude]);
        let value = self.ite(number.negative, opposite, magnitude);
        let fits = if signed {
            let top = self.bit(magnitude, width - 1);
            let plain = self.not(top);
            let smallest = self.bits(width, i128::MIN >> (128 - width));
            let is_smallest = self.eq(magnitude, smallest);
            let is_smallest = self.and(is_smallest, number.negative);
            self.or(plain, is_smallest)
        } else {
            let some = self.non_zero(magnitude);
            let below = self.and(number.negative, some);
            self.not(below)
        };
        let special = self.or(number.nan, number.infinite);
        let finite = self.not(special);
        let ranged = self.and(near, fits);
        let ranged = self.or(small, ranged);
        let fits = self.and(finite, ranged);
        (value, fits)
    }

    /// A number in another format.
    pub(super) fn float_convert(&mut self, from: Format, to: Format, bits: Term) -> Term {
        if from == to {
            return bits;
        }
        let number = self.unpack(from, bits);
        let wide = from.wide().max(to.wide());
        let exponent = self.resize(number.exponent, wide, true);
        // Exponents that the other format cannot hold are far beyond its limits either way.
        let (lowest, highest) = (-(1i128 << (to.wide() - 2)), (1i128 << (to.wide() - 2)) - 1);
        let (lowest, highest) = (self.bits(wide, lowest), self.bits(wide, highest));
        let under = self.app(Op::BvSlt, &[exponent, lowest]);
        let over = self.app(Op::BvSgt, &[exponent, highest]);
        let exponent = self.ite(under, lowest, exponent);
        let exponent = self.ite(over, highest, exponent);
        let exponent = self.resize(exponent, to.wide(), true);
        let exact = Exact { negative: number.negative, exponent, significand: number.significand };
        let rounded = self.round(to, exact);
        let nothing = self.zero(to, number.negative);
        let infinity = self.infinity(to, number.negative);
        let nan = self.nan(to);
        let result = self.ite(number.zero, nothing, rounded);
        let result = self.ite(number.infinite, infinity, result);
        self.ite(number.nan, nan, result)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use smt::{Simplifier, Terms};

    use super::super::range::Ranges;
    use super::*;

    fn with<T>(work: impl FnOnce(&mut Build<'_>) -> T) -> T {
        let (mut terms, mut simplifier, mut ranges) = (Terms::new(), Simplifier::new(), Ranges::default());
        work(&mut Build { terms: &mut terms, simplifier: &mut simplifier, ranges: &mut ranges })
    }

    fn same32(left: u32, right: f32) -> bool {
        left == right.to_bits() || f32::from_bits(left).is_nan() && right.is_nan()
    }

    fn same64(left: u64, right: f64) -> bool {
        left == right.to_bits() || f64::from_bits(left).is_nan() && right.is_nan()
    }

    /// Patterns near the interesting places as often as any others.
    fn single() -> impl Strategy<Value = u32> {
        let edges = prop::sample::select(vec![
            0u32,
            1,
            0x7f_ffff,
            0x80_0000,
            0x7f7f_ffff,
            0x7f80_0000,
            0x7fc0_0000,
            0x3f80_0000,
            0x4b00_0000,
        ]);
        let near = (edges, -2i32..3, any::<bool>())
            .prop_map(|(edge, distance, sign)| edge.wrapping_add_signed(distance) | u32::from(sign) << 31);
        prop_oneof![any::<u32>(), near, any::<i8>().prop_map(|number| f32::from(number).to_bits())]
    }

    fn double() -> impl Strategy<Value = u64> {
        let edges = prop::sample::select(vec![
            0u64,
            1,
            0xf_ffff_ffff_ffff,
            0x10_0000_0000_0000,
            0x7fef_ffff_ffff_ffff,
            0x7ff0_0000_0000_0000,
            0x7ff8_0000_0000_0000,
            0x3ff0_0000_0000_0000,
        ]);
        let near = (edges, -2i64..3, any::<bool>())
            .prop_map(|(edge, distance, sign)| edge.wrapping_add_signed(distance) | u64::from(sign) << 63);
        prop_oneof![any::<u64>(), near, any::<i16>().prop_map(|number| f64::from(number).to_bits())]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(150))]

        #[test]
        fn single_arithmetic_is_that_of_the_machine(left in single(), right in single()) {
            let (a, b) = (f32::from_bits(left), f32::from_bits(right));
            with(|build| {
                let (x, y) = (build.bits(32, i128::from(left)), build.bits(32, i128::from(right)));
                let value = |build: &Build<'_>, term| build.constant(term).expect("constant") as u32;
                let term = build.float_add(SINGLE, x, y);
                assert!(same32(value(build, term), a + b), "{a} + {b}");
                let term = build.float_subtract(SINGLE, x, y);
                assert!(same32(value(build, term), a - b), "{a} - {b}");
                let term = build.float_multiply(SINGLE, x, y);
                assert!(same32(value(build, term), a * b), "{a} * {b}");
                let term = build.float_divide(SINGLE, x, y);
                assert!(same32(value(build, term), a / b), "{a} / {b}");
                let term = build.float_less(SINGLE, x, y);
                assert_eq!(build.is_true(term), a < b, "{a} < {b}");
                let term = build.float_equal(SINGLE, x, y);
                assert_eq!(build.is_true(term), a == b, "{a} == {b}");
                let term = build.float_convert(SINGLE, DOUBLE, x);
                assert!(same64(build.constant(term).expect("constant") as u64, f64::from(a)), "{a}");
            });
        }

        #[test]
        fn double_arithmetic_is_that_of_the_machine(left in double(), right in double()) {
            let (a, b) = (f64::from_bits(left), f64::from_bits(right));
            with(|build| {
                let (x, y) = (build.bits(64, i128::from(left)), build.bits(64, i128::from(right)));
                let value = |build: &Build<'_>, term| build.constant(term).expect("constant") as u64;
                let term = build.float_add(DOUBLE, x, y);
                assert!(same64(value(build, term), a + b), "{a} + {b}");
                let term = build.float_multiply(DOUBLE, x, y);
                assert!(same64(value(build, term), a * b), "{a} * {b}");
                let term = build.float_divide(DOUBLE, x, y);
                assert!(same64(value(build, term), a / b), "{a} / {b}");
                let term = build.float_convert(DOUBLE, SINGLE, x);
                assert!(same32(build.constant(term).expect("constant") as u32, a as f32), "{a}");
            });
        }

        #[test]
        fn conversions_are_those_of_the_machine(number in any::<i64>(), shift in 0u32..64, pattern in double()) {
            let number = number >> shift;
            with(|build| {
                let bits = build.bits(64, i128::from(number));
                let term = build.float_from_integer(DOUBLE, bits, true);
                assert_eq!(build.constant(term).expect("constant") as u64, (number as f64).to_bits(), "{number}");
                let term = build.float_from_integer(SINGLE, bits, false);
                assert_eq!(build.constant(term).expect("constant") as u32, (number as u64 as f32).to_bits(), "{number}");
                let float = f64::from_bits(pattern);
                let bits = build.bits(64, i128::from(pattern));
                let cut = float.trunc();
                let (value, fits) = build.float_to_integer(DOUBLE, bits, 32, true);
                let expected = (-2147483648.0..=2147483647.0).contains(&cut);
                assert_eq!(build.is_true(fits), expected, "{float}");
                if expected {
                    assert_eq!(build.constant(value).expect("constant") as u32 as i32, cut as i32, "{float}");
                }
                let (value, fits) = build.float_to_integer(DOUBLE, bits, 64, false);
                let expected = (0.0..18446744073709551616.0).contains(&cut) || cut == 0.0;
                assert_eq!(build.is_true(fits), expected, "{float}");
                if expected {
                    assert_eq!(build.constant(value).expect("constant") as u64, cut as u64, "{float}");
                }
            });
        }
    }
}
