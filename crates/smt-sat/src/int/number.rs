//! Exact integer arithmetic on words: every number carries the interval it lies in, and is as wide as that needs.

use dashu_int::ops::{BitTest, DivRemEuclid};
use value::IBig;

use super::bound::Interval;
use crate::bits::{self, Word};
use crate::gate::{Gates, Signal};

/// An integer in two's complement.
#[derive(Clone)]
pub(super) struct Number {
    /// At least one bit; as many as the interval needs.
    pub(super) word: Word,
    pub(super) low: IBig,
    pub(super) high: IBig,
    /// When the word is not the number, because a result was cut.
    pub(super) overflow: Signal,
}

/// The bits a number needs in two's complement.
pub(super) fn signed_width(number: &IBig) -> usize {
    if *number < IBig::ZERO { (-number - IBig::ONE).bit_len() + 1 } else { number.bit_len() + 1 }
}

/// The bits an interval needs.
pub(super) fn width_of(low: &IBig, high: &IBig) -> usize {
    signed_width(low).max(signed_width(high))
}

impl Number {
    pub(super) fn constant(value: &IBig) -> Number {
        let word = (0..signed_width(value)).map(|index| Signal::constant(value.bit(index))).collect();
        Number { word, low: value.clone(), high: value.clone(), overflow: Signal::FALSE }
    }

    /// A bit pattern as an unsigned number.
    pub(super) fn natural(pattern: &[Signal]) -> Number {
        let high = (IBig::ONE << pattern.len()) - IBig::ONE;
        Number { word: bits::zero_extend(pattern, pattern.len() + 1), low: IBig::ZERO, high, overflow: Signal::FALSE }
    }

    /// A result from its word, which must be right modulo two to the width of the interval.
    fn result(gates: &mut Gates, word: &[Signal], low: IBig, high: IBig, from: &[&Number]) -> Number {
        let word = bits::sign_extend(word, width_of(&low, &high));
        let overflows: Word = from.iter().map(|number| number.overflow).collect();
        Number { word, low, high, overflow: gates.any(&overflows) }
    }

    /// The number cut to at most `widest` bits.
    pub(super) fn limited(self, gates: &mut Gates, widest: usize) -> Number {
        if self.word.len() <= widest {
            return self;
        }
        let sign = self.word[widest - 1];
        let differing: Word = self.word[widest..].iter().map(|&bit| gates.xor(bit, sign)).collect();
        let cut = gates.any(&differing);
        let most = (IBig::ONE << (widest - 1)) - IBig::ONE;
        let least = -(IBig::ONE << (widest - 1));
        Number {
            word: self.word[..widest].to_vec(),
            low: self.low.max(least.clone()).min(most.clone()),
            high: self.high.min(most).max(least),
            overflow: gates.or(self.overflow, cut),
        }
    }

    /// The number where it is known to lie in an interval as well; anything elsewhere.
    pub(super) fn within(mut self, interval: &Interval) -> Number {
        let low = interval.low.clone().map_or_else(|| self.low.clone(), |low| low.max(self.low.clone()));
        let high = interval.high.clone().map_or_else(|| self.high.clone(), |high| high.min(self.high.clone()));
        if low <= high {
            self.word.truncate(width_of(&low, &high));
            (self.low, self.high) = (low, high);
        }
        self
    }

    pub(super) fn value(&self, gates: &mut Gates) -> IBig {
        let mut value = IBig::ZERO;
        for (place, &bit) in self.word.iter().enumerate() {
            if gates.value(bit) {
                let weight = IBig::ONE << place;
                value = if place + 1 == self.word.len() { value - weight } else { value + weight };
            }
        }
        value
    }

    fn sign(&self) -> Signal {
        *self.word.last().expect("a number has at least one bit")
    }

    /// The greatest absolute value.
    fn greatest(&self) -> IBig {
        self.high.clone().max(-&self.low)
    }

    fn aligned(&self, other: &Number) -> (Word, Word) {
        let width = self.word.len().max(other.word.len());
        (bits::sign_extend(&self.word, width), bits::sign_extend(&other.word, width))
    }

    pub(super) fn equal(&self, gates: &mut Gates, other: &Number) -> Signal {
        let (left, right) = self.aligned(other);
        bits::equal(gates, &left, &right)
    }

    pub(super) fn less(&self, gates: &mut Gates, other: &Number) -> Signal {
        let (left, right) = self.aligned(other);
        bits::signed_less(gates, &left, &right)
    }

    pub(super) fn choose(gates: &mut Gates, condition: Signal, then: &Number, otherwise: &Number) -> Number {
        let (left, right) = then.aligned(otherwise);
        let word = bits::choose(gates, condition, &left, &right);
        let low = then.low.clone().min(otherwise.low.clone());
        let high = then.high.clone().max(otherwise.high.clone());
        Number::result(gates, &word, low, high, &[then, otherwise])
    }

    pub(super) fn plus(&self, gates: &mut Gates, other: &Number) -> Number {
        let (low, high) = (&self.low + &other.low, &self.high + &other.high);
        let width = width_of(&low, &high);
        let (left, right) = (bits::sign_extend(&self.word, width), bits::sign_extend(&other.word, width));
        let word = bits::add(gates, &left, &right, Signal::FALSE);
        Number::result(gates, &word, low, high, &[self, other])
    }

    pub(super) fn minus(&self, gates: &mut Gates, other: &Number) -> Number {
        let (low, high) = (&self.low - &other.high, &self.high - &other.low);
        let width = width_of(&low, &high);
        let (left, right) = (bits::sign_extend(&self.word, width), bits::sign_extend(&other.word, width));
        let word = bits::subtract(gates, &left, &right);
        Number::result(gates, &word, low, high, &[self, other])
    }

    pub(super) fn times(&self, gates: &mut Gates, other: &Number) -> Number {
        let corners =
            [&self.low * &other.low, &self.low * &other.high, &self.high * &other.low, &self.high * &other.high];
        let low = corners.iter().min().expect("four corners").clone();
        let high = corners.iter().max().expect("four corners").clone();
        let width = width_of(&low, &high);
        let (left, right) = (bits::sign_extend(&self.word, width), bits::sign_extend(&other.word, width));
        let word = bits::multiply(gates, &left, &right);
        Number::result(gates, &word, low, high, &[self, other])
    }

    pub(super) fn magnitude(&self, gates: &mut Gates) -> Number {
        if IBig::ZERO <= self.low {
            return self.clone();
        }
        let word = self.unsigned_magnitude(gates, self.word.len() + 1);
        Number::result(gates, &word, IBig::ZERO, self.greatest(), &[self])
    }

    fn unsigned_magnitude(&self, gates: &mut Gates, width: usize) -> Word {
        let negated = bits::negate_if(gates, self.sign(), &self.word);
        bits::zero_extend(&negated, width)
    }

    /// Quotient and remainder with a remainder that is never negative; by zero they are zero and the dividend.
    pub(super) fn divide(&self, gates: &mut Gates, divisor: &Number) -> (Number, Number) {
        let width = self.word.len().max(divisor.word.len()) + 1;
        let (left, right) = (self.unsigned_magnitude(gates, width), divisor.unsigned_magnitude(gates, width));
        let (quotient, remainder) = bits::unsigned_divide(gates, &left, &right);
        // A negative dividend with a remainder is one step further from zero, and the remainder counts from there.
        let inexact = gates.any(&remainder);
        let further = gates.and(self.sign(), inexact);
        let quotient = bits::increment_if(gates, further, &quotient);
        let complement = bits::subtract(gates, &right, &remainder);
        let remainder = bits::choose(gates, further, &complement, &remainder);
        let negative = gates.xor(self.sign(), divisor.sign());
        let quotient = bits::negate_if(gates, negative, &quotient);
        let nonzero = gates.any(&divisor.word);
        let quotient: Word = quotient.iter().map(|&bit| gates.and(bit, nonzero)).collect();
        let remainder = bits::choose(gates, nonzero, &remainder, &bits::sign_extend(&self.word, width));
        let ((low, high), (least, most)) = (self.quotient_interval(divisor), self.remainder_interval(divisor));
        let quotient = Number::result(gates, &quotient, low, high, &[self, divisor]);
        (quotient, Number::result(gates, &remainder, least, most, &[self, divisor]))
    }

    fn quotient_interval(&self, divisor: &Number) -> (IBig, IBig) {
        if divisor.low == divisor.high && IBig::ZERO < divisor.low {
            let floor = |number: &IBig| number.div_rem_euclid(&divisor.low).0;
            return (floor(&self.low), floor(&self.high));
        }
        let most = self.greatest();
        if IBig::ZERO <= self.low && IBig::ZERO <= divisor.low { (IBig::ZERO, most) } else { (-&most, most) }
    }

    fn remainder_interval(&self, divisor: &Number) -> (IBig, IBig) {
        let mut high = (divisor.greatest() - IBig::ONE).max(IBig::ZERO);
        let mut low = IBig::ZERO;
        if IBig::ZERO <= self.low {
            high = high.min(self.high.clone());
        }
        if divisor.low <= IBig::ZERO && IBig::ZERO <= divisor.high {
            low = low.min(self.low.clone());
            high = high.max(self.high.clone());
        }
        (low, high)
    }
}
