//! Exact numbers: reading, writing, greatest common divisors.

pub use value::write_number;
use value::{IBig, RBig, UBig};

/// Numerals with more digits than this are rejected.
pub(crate) const MOST_DIGITS: usize = 400;

/// Reads `12`, `2.75` or `1.5e-3`; none when the numeral is too long or malformed.
pub(crate) fn read_numeral(text: &str) -> Option<RBig> {
    if let Some(short) = read_short(text) {
        return Some(short);
    }
    if let Some((mantissa, exponent)) = text.split_once(['e', 'E']) {
        return scaled(read_numeral(mantissa)?, exponent);
    }
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = format!("{whole}{fraction}");
    if digits.is_empty() || MOST_DIGITS < digits.len() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(RBig::from_parts(digits.parse().ok()?, UBig::from(10u8).pow(fraction.len())))
}

/// A number times a power of ten, which is written with a sign or without.
fn scaled(mantissa: RBig, exponent: &str) -> Option<RBig> {
    let exponent: i32 = exponent.parse().ok()?;
    if MOST_DIGITS < exponent.unsigned_abs() as usize {
        return None;
    }
    let scale = RBig::from(UBig::from(10u8).pow(exponent.unsigned_abs() as usize));
    Some(if exponent < 0 { mantissa / scale } else { mantissa * scale })
}

/// Reads a numeral of at most eighteen digits; none for all others.
fn read_short(text: &str) -> Option<RBig> {
    let bytes = text.as_bytes();
    if 19 < bytes.len() {
        return None;
    }
    let (mut digits, mut count, mut point) = (0u64, 0, None);
    for &byte in bytes {
        match byte {
            b'0'..=b'9' => {
                digits = digits * 10 + u64::from(byte - b'0');
                count += 1;
            }
            b'.' if point.is_none() => point = Some(count),
            _ => return None,
        }
    }
    if count == 0 || 18 < count {
        return None;
    }
    let places = point.map_or(0, |point| count - point);
    match 10u64.pow(places) {
        scale if digits % scale == 0 => Some(RBig::from(digits / scale)),
        scale => Some(RBig::from_parts(digits.into(), scale.into())),
    }
}

/// Reads a number of a table: a sign, a decimal or a fraction, an exponent.
pub fn read_sample(text: &str) -> Option<RBig> {
    let text = text.trim();
    let (sign, text) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let number = match (text.split_once('/'), text.split_once(['e', 'E'])) {
        (Some((numerator, denominator)), _) => {
            let denominator = read_numeral(denominator.trim())?;
            if denominator.is_zero() {
                return None;
            }
            read_numeral(numerator.trim())? / denominator
        }
        (None, Some((mantissa, exponent))) => {
            scaled(read_numeral(mantissa.strip_suffix('.').unwrap_or(mantissa))?, exponent)?
        }
        (None, None) => read_numeral(text.strip_suffix('.').unwrap_or(text))?,
    };
    Some(if sign { -number } else { number })
}

/// The largest number of which both are multiples; neither is negative.
pub(crate) fn common_divisor(left: &RBig, right: &RBig) -> RBig {
    use dashu_int::ops::Gcd;
    let numerator = |number: &RBig, other: &RBig| -> UBig {
        let product = number.numerator() * IBig::from(other.denominator().clone());
        UBig::try_from(product).expect("bounds are not negative")
    };
    let (first, second) = (numerator(left, right), numerator(right, left));
    if first == UBig::ZERO && second == UBig::ZERO {
        return RBig::ZERO;
    }
    let divisor = first.gcd(second);
    RBig::from_parts(divisor.into(), left.denominator() * right.denominator())
}

/// The nearest double.
pub(crate) fn to_double(number: &RBig) -> f64 {
    // A quotient of whole numbers that doubles hold exactly is rounded once, to the nearest.
    const EXACT: u64 = 1 << 53;
    match (i64::try_from(number.numerator()), u64::try_from(number.denominator())) {
        (Ok(numerator), Ok(1)) if numerator.unsigned_abs() <= EXACT => numerator as f64,
        (Ok(numerator), Ok(denominator)) if numerator.unsigned_abs() <= EXACT && denominator <= EXACT => {
            numerator as f64 / denominator as f64
        }
        _ => number.to_f64().value(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(numerator: i64, denominator: u64) -> RBig {
        RBig::from_parts(numerator.into(), denominator.into())
    }

    #[test]
    fn numbers_are_read_exactly() {
        assert_eq!(read_numeral("133.7"), Some(ratio(1337, 10)));
        assert_eq!(read_numeral(".5"), Some(ratio(1, 2)));
        assert_eq!(read_numeral("1e3"), Some(ratio(1000, 1)));
        assert_eq!(read_numeral("2.5E-3"), Some(ratio(1, 400)));
        assert_eq!(read_numeral("1e401"), None);
        assert_eq!(read_numeral("1e2e3"), None);
        assert_eq!(read_sample("-1.5e-1"), Some(ratio(-3, 20)));
        assert_eq!(read_sample("1/3"), Some(ratio(1, 3)));
        for text in ["", "nan", "inf", "1e999", "1/0", "--1", "0x1"] {
            assert_eq!(read_sample(text), None, "{text}");
        }
    }

    #[test]
    fn numbers_are_written_exactly() {
        for (number, text) in
            [(ratio(1337, 10), "133.7"), (ratio(-1, 20), "-0.05"), (ratio(1, 3), "1/3"), (ratio(4, 1), "4")]
        {
            assert_eq!(write_number(&number), text);
        }
    }

    #[test]
    fn common_divisors_divide() {
        assert_eq!(common_divisor(&ratio(3, 2), &ratio(1, 1)), ratio(1, 2));
        assert_eq!(common_divisor(&ratio(0, 1), &ratio(30, 1)), ratio(30, 1));
        assert_eq!(common_divisor(&ratio(1, 3), &ratio(1, 2)), ratio(1, 6));
    }
}
