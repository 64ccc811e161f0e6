//! `long double` as the x87 has it: a sign, 15 bits of exponent and 64 of significand, the leading one written out.
//!
//! A number is its 80 bits. Every operation rounds once, to the nearest, ties to even.

use std::cmp::Ordering;

use dashu_int::UBig;
use dashu_int::ops::BitTest;

const BIAS: i32 = 16383;
const SIGN: u128 = 1 << 79;
const INFINITE: u128 = 0x7fff << 64 | 1 << 63;
const NOT_A_NUMBER: u128 = 0x7fff << 64 | 3 << 62;

/// Decimal exponents beyond this are infinite or zero whatever the digits.
const LARGEST_DECIMAL: i64 = 6000;

/// A number taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Parts {
    NotANumber,
    Infinite,
    Zero,
    /// The significand with its highest bit set, times a power of two.
    Finite {
        significand: u64,
        exponent: i32,
    },
}

fn negative(bits: u128) -> bool {
    bits & SIGN != 0
}

fn signed(negative: bool, magnitude: u128) -> u128 {
    if negative { magnitude | SIGN } else { magnitude }
}

fn parts(bits: u128) -> Parts {
    let (raw, significand) = ((bits >> 64) as i32 & 0x7fff, bits as u64);
    match (raw, significand) {
        (0x7fff, significand) if significand << 1 == 0 => Parts::Infinite,
        (0x7fff, _) => Parts::NotANumber,
        (_, 0) => Parts::Zero,
        (raw, significand) => {
            let shift = significand.leading_zeros();
            let exponent = raw.max(1) - BIAS - 63 - shift as i32;
            Parts::Finite { significand: significand << shift, exponent }
        }
    }
}

/// The nearest number to `value * 2^exponent`, where `inexact` says that the true value is a little more.
fn rounded(sign: bool, value: u128, exponent: i32, inexact: bool) -> u128 {
    if value == 0 {
        return signed(sign, 0);
    }
    let shift = value.leading_zeros();
    let mut value = value << shift;
    let mut inexact = inexact;
    let mut raw = exponent - shift as i32 + 64 + BIAS + 63;
    if raw < 1 {
        let lost = 1 - i64::from(raw);
        inexact |= lost >= 128 || value << (128 - lost) != 0;
        value = if lost >= 128 { 0 } else { value >> lost };
        raw = 0;
    }
    let (mut significand, rest) = ((value >> 64) as u64, value as u64);
    let half = 1 << 63;
    if rest > half || rest == half && (inexact || significand & 1 == 1) {
        significand = significand.wrapping_add(1);
        if significand == 0 {
            significand = half;
            raw += 1;
        }
    }
    if raw == 0 && significand & half != 0 {
        raw = 1;
    }
    if raw >= 0x7fff {
        return signed(sign, INFINITE);
    }
    signed(sign, (raw as u128) << 64 | u128::from(significand))
}

/// A narrower format of IEEE 754.
struct Narrow {
    digits: i32,
    least: i32,
    largest: i32,
}

const DOUBLE: Narrow = Narrow { digits: 53, least: -1022, largest: 1023 };
const SINGLE: Narrow = Narrow { digits: 24, least: -126, largest: 127 };

/// The bits of the nearest number of a narrower format, without its sign.
fn narrowed(bits: u128, format: &Narrow) -> u64 {
    let field = format.digits - 1;
    let infinite = ((2 * format.largest + 1) as u64) << field;
    match parts(bits) {
        Parts::NotANumber => infinite | 1 << (field - 1),
        Parts::Infinite => infinite,
        Parts::Zero => 0,
        Parts::Finite { significand, exponent } => {
            let leading = exponent + 63;
            if leading > format.largest {
                return infinite;
            }
            let lost = 64 - format.digits + (format.least - leading).max(0);
            if lost > 65 {
                return 0;
            }
            let wide = u128::from(significand);
            let (mut kept, rest, half) = (wide >> lost, wide & ((1 << lost) - 1), 1u128 << (lost - 1));
            if rest > half || rest == half && kept & 1 == 1 {
                kept += 1;
            }
            // A carry out of the field goes where it belongs: into the exponent.
            let base = if leading < format.least { 0 } else { (leading + format.largest) as u64 - 1 };
            if leading < format.least { kept as u64 } else { (base << field) + kept as u64 }
        }
    }
}

pub(crate) fn from_double(number: f64) -> u128 {
    let sign = number.is_sign_negative();
    if number.is_nan() {
        return signed(sign, NOT_A_NUMBER);
    }
    if number.is_infinite() {
        return signed(sign, INFINITE);
    }
    let bits = number.to_bits();
    let (raw, field) = ((bits >> 52) as i32 & 0x7ff, bits & ((1 << 52) - 1));
    let significand = if raw == 0 { field } else { field | 1 << 52 };
    rounded(sign, u128::from(significand), raw.max(1) - 1075, false)
}

pub(crate) fn to_double(bits: u128) -> f64 {
    f64::from_bits(narrowed(bits, &DOUBLE) | u64::from(negative(bits)) << 63)
}

pub(crate) fn to_single(bits: u128) -> f32 {
    f32::from_bits(narrowed(bits, &SINGLE) as u32 | u32::from(negative(bits)) << 31)
}

pub(crate) fn from_integer(sign: bool, magnitude: u128) -> u128 {
    rounded(sign, magnitude, 0, false)
}

/// The sign and the whole part of a number; none if it has 128 bits or more, or is none.
pub(crate) fn to_integer(bits: u128) -> Option<(bool, u128)> {
    let magnitude = match parts(bits) {
        Parts::NotANumber | Parts::Infinite => return None,
        Parts::Zero => 0,
        Parts::Finite { exponent, .. } if exponent > 64 => return None,
        Parts::Finite { exponent, .. } if exponent <= -64 => 0,
        Parts::Finite { significand, exponent } if exponent < 0 => u128::from(significand >> -exponent),
        Parts::Finite { significand, exponent } => u128::from(significand) << exponent,
    };
    Some((negative(bits), magnitude))
}

pub(crate) fn is_zero(bits: u128) -> bool {
    parts(bits) == Parts::Zero
}

pub(crate) fn negate(bits: u128) -> u128 {
    bits ^ SIGN
}

pub(crate) fn add(left: u128, right: u128) -> u128 {
    let (left_sign, right_sign) = (negative(left), negative(right));
    match (parts(left), parts(right)) {
        (Parts::NotANumber, _) | (_, Parts::NotANumber) => NOT_A_NUMBER,
        (Parts::Infinite, Parts::Infinite) if left_sign != right_sign => NOT_A_NUMBER,
        (Parts::Infinite, _) => left,
        (_, Parts::Infinite) => right,
        (Parts::Zero, Parts::Zero) => signed(left_sign && right_sign, 0),
        (Parts::Zero, _) => right,
        (_, Parts::Zero) => left,
        (Parts::Finite { significand: one, exponent: here }, Parts::Finite { significand: other, exponent: there }) => {
            if (here, one) < (there, other) {
                return add(right, left);
            }
            let (large, small) = (u128::from(one) << 62, u128::from(other) << 62);
            let distance = here - there;
            let (small, inexact) = match distance {
                0..=127 => (small >> distance, distance != 0 && small << (128 - distance) != 0),
                _ => (0, true),
            };
            let value = if left_sign == right_sign { large + small } else { large - small - u128::from(inexact) };
            if value == 0 && !inexact { 0 } else { rounded(left_sign, value, here - 62, inexact) }
        }
    }
}

pub(crate) fn subtract(left: u128, right: u128) -> u128 {
    add(left, negate(right))
}

pub(crate) fn multiply(left: u128, right: u128) -> u128 {
    let sign = negative(left) != negative(right);
    match (parts(left), parts(right)) {
        (Parts::NotANumber, _) | (_, Parts::NotANumber) => NOT_A_NUMBER,
        (Parts::Infinite, Parts::Zero) | (Parts::Zero, Parts::Infinite) => NOT_A_NUMBER,
        (Parts::Infinite, _) | (_, Parts::Infinite) => signed(sign, INFINITE),
        (Parts::Zero, _) | (_, Parts::Zero) => signed(sign, 0),
        (Parts::Finite { significand: one, exponent: here }, Parts::Finite { significand: other, exponent: there }) => {
            rounded(sign, u128::from(one) * u128::from(other), here + there, false)
        }
    }
}

pub(crate) fn divide(left: u128, right: u128) -> u128 {
    let sign = negative(left) != negative(right);
    match (parts(left), parts(right)) {
        (Parts::NotANumber, _) | (_, Parts::NotANumber) => NOT_A_NUMBER,
        (Parts::Infinite, Parts::Infinite) | (Parts::Zero, Parts::Zero) => NOT_A_NUMBER,
        (Parts::Infinite, _) | (_, Parts::Zero) => signed(sign, INFINITE),
        (Parts::Zero, _) | (_, Parts::Infinite) => signed(sign, 0),
        (Parts::Finite { significand: one, exponent: here }, Parts::Finite { significand: other, exponent: there }) => {
            let (one, other) = (u128::from(one) << 64, u128::from(other));
            let (quotient, rest) = (one / other, (one % other) << 2);
            let value = (quotient << 2) | (rest / other);
            rounded(sign, value, here - there - 66, rest % other != 0)
        }
    }
}

/// The order of two numbers; none if one is not a number.
pub(crate) fn compare(left: u128, right: u128) -> Option<Ordering> {
    let key = |bits: u128| -> Option<i128> {
        match parts(bits) {
            Parts::NotANumber => None,
            Parts::Zero => Some(0),
            Parts::Infinite | Parts::Finite { .. } => {
                let magnitude = (bits & !SIGN) as i128;
                Some(if negative(bits) { -magnitude } else { magnitude })
            }
        }
    };
    Some(key(left)?.cmp(&key(right)?))
}

/// A decimal number without a sign, such as `1.5e-3`.
pub(crate) fn from_decimal(text: &str) -> Option<u128> {
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let digits = digits.trim_start_matches('0');
    if digits.is_empty() {
        return Some(0);
    }
    let value = UBig::from_str_radix(digits, 10).ok()?;
    let exponent = exponent.parse::<i64>().ok()?.clamp(-1_000_000, 1_000_000) - fraction.len() as i64;
    let leading = exponent + digits.len() as i64;
    if leading > LARGEST_DECIMAL {
        return Some(INFINITE);
    }
    if leading < -LARGEST_DECIMAL {
        return Some(0);
    }
    let power = UBig::from(10u8).pow(exponent.unsigned_abs() as usize);
    if exponent >= 0 {
        return Some(from_large(value * power, 0, false));
    }
    let shift = (130 + power.bit_len()).saturating_sub(value.bit_len());
    let shifted = value << shift;
    let (quotient, rest) = (&shifted / &power, &shifted % &power);
    Some(from_large(quotient, -(shift as i32), rest != UBig::ZERO))
}

fn from_large(value: UBig, exponent: i32, inexact: bool) -> u128 {
    let lost = value.bit_len().saturating_sub(128);
    let top = &value >> lost;
    let inexact = inexact || (&top << lost) != value;
    let top = u128::try_from(top).expect("128 bits are left");
    rounded(false, top, exponent + lost as i32, inexact)
}

/// A hexadecimal significand times a power of two.
pub(crate) fn from_binary(significand: u128, exponent: i32) -> u128 {
    rounded(false, significand, exponent, false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> u128 {
        from_decimal(text).expect("a number")
    }

    #[test]
    fn decimals_are_the_nearest_numbers() {
        assert_eq!(of("1.0"), 0x3fff_8000_0000_0000_0000);
        assert_eq!(of("0.1"), 0x3ffb_cccc_cccc_cccc_cccd);
        assert_eq!(of("3.14159265358979323846264338327950288"), 0x4000_c90f_daa2_2168_c235);
        assert_eq!(of("1.18973149535723176502e+4932"), 0x7ffe_ffff_ffff_ffff_ffff);
        assert_eq!(of("3.64519953188247460253e-4951"), 1);
        assert_eq!(of("1e5000"), INFINITE);
        assert_eq!(to_double(of("1.79769313486231570814527423731704356798070e+308")), f64::MAX);
    }

    #[test]
    fn doubles_come_back() {
        for number in [0.0, -0.0, 1.0, -1.5, f64::MAX, f64::MIN_POSITIVE, 5e-324, 1e300, f64::INFINITY, 0.1] {
            assert_eq!(to_double(from_double(number)).to_bits(), number.to_bits());
        }
        assert_eq!(to_single(from_double(1.0000000596046448)), 1.0);
        assert_eq!(to_single(from_double(3.4028236e38)), f32::INFINITY);
    }

    #[test]
    fn arithmetic_rounds_once() {
        let third = divide(of("1"), of("3"));
        assert_eq!(third, 0x3ffd_aaaa_aaaa_aaaa_aaab);
        assert_eq!(multiply(third, of("3")), of("1"));
        assert_eq!(add(of("1"), of("1e-30")), of("1"));
        assert_eq!(subtract(of("1"), of("1e-30")), of("1"));
        assert_eq!(subtract(of("3"), of("3")), 0);
        assert_eq!(add(of("0.1"), of("0.2")), 0x3ffd_9999_9999_9999_999a);
        assert_eq!(to_integer(of("1234567890123456789.9")), Some((false, 1_234_567_890_123_456_789)));
        assert_eq!(compare(negate(of("2")), of("1")), Some(Ordering::Less));
        assert_eq!(compare(negate(0), 0), Some(Ordering::Equal));
    }
}
