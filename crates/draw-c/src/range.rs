//! Which numbers terms can be, whatever the inputs are: intervals, read with and without a sign.
//!
//! Inputs of a C program are often bytes, and what is computed from them is small. Then sums do not overflow, comparisons are
//! decided, and products and quotients need few bits.

use smt::{Op, Term, Terms};
use value::Value;

/// The numbers a bit pattern may be, read without a sign and with one. Both readings hold at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    /// Without a sign.
    pub(super) low: u64,
    pub(super) high: u64,
    /// With a sign.
    pub(super) least: i64,
    pub(super) most: i64,
}

/// The widest bit patterns that are looked at.
const WIDEST: u32 = 64;

/// What stands for a term that is not a narrow bit pattern: an empty interval.
const NONE: Range = Range { low: 1, high: 0, least: 1, most: 0 };

/// The ranges of the terms of one arena, from the first on.
#[derive(Default)]
pub(super) struct Ranges {
    known: Vec<Range>,
}

impl Range {
    /// Every pattern of a width.
    fn full(width: u32) -> Range {
        let high = u64::MAX >> (WIDEST - width);
        Range { low: 0, high, least: -((high >> 1) as i64) - 1, most: (high >> 1) as i64 }
    }

    /// The patterns of a width that are numbers without a sign between two.
    fn unsigned(width: u32, low: u128, high: u128) -> Range {
        let full = Range::full(width);
        if u128::from(full.high) < high {
            return full;
        }
        Range { low: low as u64, high: high as u64, ..full }.sharpened(width)
    }

    /// The patterns of a width that are numbers with a sign between two.
    fn signed(width: u32, least: i128, most: i128) -> Range {
        let full = Range::full(width);
        if least < i128::from(full.least) || i128::from(full.most) < most {
            return full;
        }
        Range { least: least as i64, most: most as i64, ..full }.sharpened(width)
    }

    /// What both say.
    fn both(self, other: Range, width: u32) -> Range {
        let both = Range {
            low: self.low.max(other.low),
            high: self.high.min(other.high),
            least: self.least.max(other.least),
            most: self.most.min(other.most),
        };
        both.sharpened(width)
    }

    /// What one or the other says.
    fn either(self, other: Range) -> Range {
        Range {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            least: self.least.min(other.least),
            most: self.most.max(other.most),
        }
    }

    /// Each reading made as narrow as the other allows.
    fn sharpened(mut self, width: u32) -> Range {
        let full = Range::full(width);
        let half = full.most as u64;
        // A negative number is so much more when it is read without a sign.
        let wrapped = |number: i64| (number as u64) & full.high;
        let negative = |pattern: u64| (pattern | !full.high) as i64;
        if self.high <= half {
            self.least = self.least.max(self.low as i64);
            self.most = self.most.min(self.high as i64);
        } else if half < self.low {
            self.least = self.least.max(negative(self.low));
            self.most = self.most.min(negative(self.high));
        }
        if 0 <= self.least {
            self.low = self.low.max(self.least as u64);
            self.high = self.high.min(self.most as u64);
        } else if self.most < 0 {
            self.low = self.low.max(wrapped(self.least));
            self.high = self.high.min(wrapped(self.most));
        }
        self
    }

    /// The sum, before it is cut to the width: with and without a sign.
    pub(super) fn plus(self, other: Range) -> ([i128; 2], [i128; 2]) {
        let [least, most] =
            [(self.least, other.least), (self.most, other.most)].map(|(l, r)| i128::from(l) + i128::from(r));
        let [low, high] = [(self.low, other.low), (self.high, other.high)].map(|(l, r)| i128::from(l) + i128::from(r));
        ([least, most], [low, high])
    }

    /// The difference, before it is cut to the width: with and without a sign.
    pub(super) fn minus(self, other: Range) -> ([i128; 2], [i128; 2]) {
        let [least, most] =
            [(self.least, other.most), (self.most, other.least)].map(|(l, r)| i128::from(l) - i128::from(r));
        let [low, high] = [(self.low, other.high), (self.high, other.low)].map(|(l, r)| i128::from(l) - i128::from(r));
        ([least, most], [low, high])
    }

    /// The product with a sign, before it is cut to the width.
    pub(super) fn times(self, other: Range) -> [i128; 2] {
        let (left, right) = ([self.least, self.most], [other.least, other.most]);
        let all = left.map(|left| right.map(|right| i128::from(left) * i128::from(right)));
        let all = [all[0][0], all[0][1], all[1][0], all[1][1]];
        [all.iter().copied().min().unwrap_or(0), all.iter().copied().max().unwrap_or(0)]
    }

    /// The greatest product without a sign.
    pub(super) fn greatest_product(self, other: Range) -> u128 {
        u128::from(self.high) * u128::from(other.high)
    }

    /// Whether the numbers with a sign between two fit a width.
    pub(super) fn fits([least, most]: [i128; 2], width: u32) -> bool {
        signed_bits(least).max(signed_bits(most)) <= width
    }

    /// The bits that these numbers need when they are read with a sign.
    pub(super) fn signed_bits(self) -> u32 {
        signed_bits(i128::from(self.least)).max(signed_bits(i128::from(self.most)))
    }

    /// The bits that these numbers need when they are read without a sign; at least one.
    pub(super) fn unsigned_bits(self) -> u32 {
        (u64::BITS - self.high.leading_zeros()).max(1)
    }
}

/// The bits that a number with a sign needs.
pub(super) fn signed_bits(number: i128) -> u32 {
    let magnitude = if number < 0 { !number } else { number };
    i128::BITS - magnitude.leading_zeros() + 1
}

impl Ranges {
    /// The range of a term; none unless it is a bit pattern that is not too wide.
    pub(super) fn of(&mut self, terms: &Terms, term: Term) -> Option<Range> {
        for index in self.known.len()..=term.index() {
            let range = self.computed(terms, terms.at(index)).unwrap_or(NONE);
            self.known.push(range);
        }
        self.at(term)
    }

    fn at(&self, term: Term) -> Option<Range> {
        let range = self.known[term.index()];
        (range != NONE).then_some(range)
    }

    /// The truth of a comparison, where the ranges of its sides tell it.
    pub(super) fn comparison(&mut self, terms: &Terms, op: Op, left: Term, right: Term) -> Option<bool> {
        // Both sides of whatever is compared, not only of bit patterns.
        terms.width(left).filter(|width| *width <= WIDEST)?;
        let (left, right) = (self.of(terms, left)?, self.of(terms, right)?);
        let less = |less: bool, not_less: bool| match (less, not_less) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            (false, false) => None,
        };
        match op {
            Op::BvUlt => less(left.high < right.low, right.high <= left.low),
            Op::BvUge => less(right.high <= left.low, left.high < right.low),
            Op::BvUgt => less(right.high < left.low, left.high <= right.low),
            Op::BvUle => less(left.high <= right.low, right.high < left.low),
            Op::BvSlt => less(left.most < right.least, right.most <= left.least),
            Op::BvSge => less(right.most <= left.least, left.most < right.least),
            Op::BvSgt => less(right.most < left.least, left.most <= right.least),
            Op::BvSle => less(left.most <= right.least, right.most < left.least),
            Op::Eq => {
                let apart = left.high < right.low
                    || right.high < left.low
                    || left.most < right.least
                    || right.most < left.least;
                apart.then_some(false)
            }
            _ => None,
        }
    }

    /// The range of a term from those of its arguments, which are known.
    fn computed(&self, terms: &Terms, term: Term) -> Option<Range> {
        let width = terms.width(term).filter(|width| *width <= WIDEST)?;
        let full = Range::full(width);
        let args = terms.args(term);
        let arg = |place: usize| self.at(args[place]);
        let narrow = |place: usize| terms.width(args[place]).unwrap_or(width);
        let range = match terms.op(term) {
            Op::Constant => {
                let Some(Value::BitVec(bits)) = terms.value(term) else { return Some(full) };
                let pattern = u128::try_from(bits.bits()).unwrap_or(0);
                Some(Range::unsigned(width, pattern, pattern))
            }
            Op::Ite => arg(1).zip(arg(2)).map(|(left, right)| left.either(right)),
            Op::ZeroExtend => arg(0).map(|inner| Range::unsigned(width, inner.low.into(), inner.high.into())),
            Op::SignExtend => arg(0).map(|inner| Range::signed(width, inner.least.into(), inner.most.into())),
            Op::Extract => arg(0).map(|inner| {
                let [high, low] = terms.indices(term);
                extracted(inner, narrow(0), high, low)
            }),
            Op::Concat => arg(0).zip(arg(1)).map(|(upper, lower)| {
                let shift = narrow(1);
                let joined = |upper: u64, lower: u64| u128::from(upper) << shift | u128::from(lower);
                Range::unsigned(width, joined(upper.low, lower.low), joined(upper.high, lower.high))
            }),
            Op::BvAdd => arg(0).zip(arg(1)).map(|(left, right)| readings(width, left.plus(right))),
            Op::BvSub => arg(0).zip(arg(1)).map(|(left, right)| readings(width, left.minus(right))),
            Op::BvNeg => arg(0).map(|inner| Range::signed(width, -i128::from(inner.most), -i128::from(inner.least))),
            Op::BvNot => arg(0)
                .map(|inner| Range::unsigned(width, (full.high - inner.high).into(), (full.high - inner.low).into())),
            Op::BvMul => arg(0).zip(arg(1)).map(|(left, right)| {
                let [least, most] = left.times(right);
                let least_product = u128::from(left.low) * u128::from(right.low);
                let unsigned = Range::unsigned(width, least_product, left.greatest_product(right));
                Range::signed(width, least, most).both(unsigned, width)
            }),
            Op::BvAnd => {
                arg(0).zip(arg(1)).map(|(left, right)| Range::unsigned(width, 0, left.high.min(right.high).into()))
            }
            Op::BvOr => arg(0).zip(arg(1)).map(|(left, right)| {
                Range::unsigned(width, left.low.max(right.low).into(), filled(left.high | right.high).into())
            }),
            Op::BvXor => {
                arg(0).zip(arg(1)).map(|(left, right)| Range::unsigned(width, 0, filled(left.high | right.high).into()))
            }
            Op::BvUdiv => arg(0).zip(arg(1)).filter(|(_, right)| right.low != 0).map(|(left, right)| {
                Range::unsigned(width, (left.low / right.high).into(), (left.high / right.low).into())
            }),
            // By zero it is the dividend.
            Op::BvUrem => arg(0).zip(arg(1)).map(|(left, right)| {
                let most = if right.low == 0 { left.high } else { left.high.min(right.high - 1) };
                Range::unsigned(width, 0, most.into())
            }),
            Op::BvSdiv => {
                arg(0).zip(arg(1)).filter(|(_, right)| right.least > 0 || right.most < 0).map(|(left, right)| {
                    let most = i128::from(left.most).abs().max(i128::from(left.least).abs());
                    match left.least >= 0 && right.least > 0 {
                        true => Range::signed(
                            width,
                            i128::from(left.least) / i128::from(right.most),
                            i128::from(left.most) / i128::from(right.least),
                        ),
                        false => {
                            let divisor = i128::from(right.least).abs().min(i128::from(right.most).abs());
                            Range::signed(width, -(most / divisor), most / divisor)
                        }
                    }
                })
            }
            Op::BvSrem => arg(0).zip(arg(1)).map(|(left, right)| {
                // As far from zero as the dividend at most, and less than the divisor unless that is zero; its sign is the dividend's.
                let divisor = i128::from(right.least).abs().max(i128::from(right.most).abs());
                let divides = right.least > 0 || right.most < 0;
                let limit = |number: i64| match divides {
                    true => i128::from(number).clamp(1 - divisor, divisor - 1),
                    false => i128::from(number),
                };
                Range::signed(width, limit(left.least).min(0), limit(left.most).max(0))
            }),
            Op::BvLshr => arg(0).zip(arg(1)).map(|(left, right)| {
                Range::unsigned(width, shifted(left.low, right.high).into(), shifted(left.high, right.low).into())
            }),
            Op::BvAshr => arg(0).zip(arg(1)).map(|(left, right)| {
                let by = |number: i64, amount: u64| i128::from(number >> amount.min(63));
                let all = [left.least, left.most].map(|number| [by(number, right.low), by(number, right.high)]);
                let least = all[0][0].min(all[0][1]);
                Range::signed(width, least, all[1][0].max(all[1][1]))
            }),
            Op::BvShl => arg(0).zip(arg(1)).filter(|(_, right)| right.high < width.into()).map(|(left, right)| {
                let high = u128::from(left.high) << right.high;
                Range::unsigned(width, u128::from(left.low) << right.low, high)
            }),
            _ => None,
        };
        Some(range.unwrap_or(full))
    }
}

/// The range of bits taken from a pattern of a width.
fn extracted(inner: Range, width: u32, high: u32, low: u32) -> Range {
    let taken = high - low + 1;
    if low != 0 {
        let (from, to) = (u128::from(inner.low) >> low, u128::from(inner.high) >> low);
        // Bits above those that are taken must be the same everywhere.
        return match high + 1 == width || from >> taken == to >> taken {
            true => {
                let mask = (1u128 << taken) - 1;
                Range::unsigned(taken, from & mask, to & mask)
            }
            false => Range::full(taken),
        };
    }
    let unsigned = Range::unsigned(taken, inner.low.into(), inner.high.into());
    unsigned.both(Range::signed(taken, inner.least.into(), inner.most.into()), taken)
}

/// What is known of a sum or a difference from both its readings before it is cut.
fn readings(width: u32, ([least, most], [low, high]): ([i128; 2], [i128; 2])) -> Range {
    let signed = Range::signed(width, least, most);
    if low < 0 {
        return signed;
    }
    signed.both(Range::unsigned(width, low as u128, high as u128), width)
}

/// The pattern with all bits below its highest set.
fn filled(pattern: u64) -> u64 {
    match pattern {
        0 => 0,
        _ => u64::MAX >> pattern.leading_zeros(),
    }
}

fn shifted(pattern: u64, amount: u64) -> u64 {
    if 64 <= amount { 0 } else { pattern >> amount }
}
