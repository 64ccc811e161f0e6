//! Values as plain text: what a person types into a table or on the command line.

use std::fmt;

use crate::{BitVec, EnumValue, IBig, RBig, Sort, UBig, Value};

/// Reads a value of sort `sort`, as [`Value`]'s display prints it; numbers may also be decimals, truth values `0`/`1`.
///
/// # Errors
/// When `text` does not write a value of that sort. Arrays have no plain text form.
pub fn from_text(sort: &Sort, text: &str) -> Result<Value, TextError> {
    let text = text.trim();
    let read = match sort {
        Sort::Bool => truth(text).map(Value::Bool),
        Sort::Int => text.parse::<IBig>().ok().map(Value::Int),
        Sort::Real => rational(text).map(Value::Real),
        Sort::BitVec(width) => pattern(*width, text).map(|bits| Value::BitVec(BitVec::new(*width, bits))),
        Sort::Enum(sort) => sort.position(text).map(|index| Value::Enum(EnumValue { sort: sort.clone(), index })),
        Sort::Array(_) => None,
    };
    read.ok_or_else(|| TextError { sort: sort.clone(), text: text.to_owned() })
}

fn truth(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "1" | "t" => Some(true),
        "false" | "0" | "f" => Some(false),
        _ => None,
    }
}

/// Reads `3`, `-3/4` or `2.75`.
fn rational(text: &str) -> Option<RBig> {
    if let Some((numerator, denominator)) = text.split_once('/') {
        let denominator: UBig = denominator.trim().parse().ok()?;
        let numerator: IBig = numerator.trim().parse().ok()?;
        return (denominator != UBig::ZERO).then(|| RBig::from_parts(numerator, denominator));
    }
    let Some((whole, fraction)) = text.split_once('.') else {
        return text.parse::<IBig>().ok().map(RBig::from);
    };
    if fraction.is_empty() || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let digits: IBig = format!("{whole}{fraction}").parse().ok()?;
    Some(RBig::from_parts(digits, UBig::from(10u8).pow(fraction.len())))
}

/// The number as a decimal where that is exact, otherwise as a fraction.
pub fn write_number(number: &RBig) -> String {
    if number.denominator().is_one() {
        return number.numerator().to_string();
    }
    let (mut rest, mut twos, mut fives) = (number.denominator().clone(), 0usize, 0usize);
    let (two, five) = (UBig::from(2u8), UBig::from(5u8));
    while (&rest % &two) == UBig::ZERO {
        rest /= &two;
        twos += 1;
    }
    while (&rest % &five) == UBig::ZERO {
        rest /= &five;
        fives += 1;
    }
    let places = twos.max(fives);
    if rest != UBig::ONE || 30 < places {
        return number.to_string();
    }
    let scaled = number * RBig::from(UBig::from(10u8).pow(places));
    let negative = *number < RBig::ZERO;
    let digits = scaled.numerator().to_string();
    let digits = digits.trim_start_matches('-');
    let padded = format!("{digits:0>width$}", width = places + 1);
    let (whole, fraction) = padded.split_at(padded.len() - places);
    format!("{}{whole}.{fraction}", if negative { "-" } else { "" })
}

/// Reads `#x0f`, `0x0f`, `#b01`, `0b01` or a decimal, if it fits `width` bits; decimals may be negative.
fn pattern(width: u32, text: &str) -> Option<UBig> {
    let radix = |digits: &str, radix| UBig::from_str_radix(digits, radix).ok();
    let bits = if let Some(digits) = text.strip_prefix("#x").or_else(|| text.strip_prefix("0x")) {
        radix(digits, 16)?
    } else if let Some(digits) = text.strip_prefix("#b").or_else(|| text.strip_prefix("0b")) {
        radix(digits, 2)?
    } else if let Some(digits) = text.strip_prefix('-') {
        let magnitude = radix(digits, 10)?;
        let modulus = UBig::ONE << width as usize;
        (magnitude.clone() << 1 <= modulus).then(|| (modulus.clone() - magnitude) % modulus)?
    } else {
        radix(text, 10)?
    };
    (bits < (UBig::ONE << width as usize)).then_some(bits)
}

/// Text that writes no value of the wanted sort.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    sort: Sort,
    text: String,
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not a value of sort {}", self.text, self.sort)
    }
}

impl std::error::Error for TextError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_decimals_where_those_are_exact() {
        for (numerator, denominator, text) in [
            (5, 2u32, "2.5"),
            (-1, 3, "-1/3"),
            (-1, 8, "-0.125"),
            (7, 1, "7"),
            (1, 1_000_000, "0.000001"),
            (3, 14, "3/14"),
        ] {
            let number = RBig::from_parts(IBig::from(numerator), UBig::from(denominator));
            assert_eq!(write_number(&number), text);
            assert_eq!(from_text(&Sort::Real, text), Ok(Value::Real(number)));
        }
    }
}
