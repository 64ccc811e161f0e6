//! Numerals, read exactly.

use value::{IBig, RBig, UBig};

/// A number as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Number {
    Integer(IBig),
    Decimal(RBig),
}

/// Reads `12`, `1_000`, `0x1f`, `0b101` or `2.75`.
pub(crate) fn read_number(text: &str) -> Option<Number> {
    let radix = |digits: &str, radix| {
        let digits: String = digits.chars().filter(|&digit| digit != '_').collect();
        let fits = !digits.is_empty() && digits.chars().all(|digit| digit.is_digit(radix));
        fits.then(|| IBig::from_str_radix(&digits, radix).ok()).flatten()
    };
    let lower = text.get(..2).unwrap_or_default();
    if let "0x" | "0X" = lower {
        return radix(&text[2..], 16).map(Number::Integer);
    }
    if let "0b" | "0B" = lower {
        return radix(&text[2..], 2).map(Number::Integer);
    }
    let Some((whole, fraction)) = text.split_once('.') else {
        return radix(text, 10).map(Number::Integer);
    };
    let fraction: String = fraction.chars().filter(|&digit| digit != '_').collect();
    let digits = radix(&format!("{whole}{fraction}"), 10)?;
    let scale = UBig::from(10u8).pow(fraction.len());
    radix(&fraction, 10)?;
    Some(Number::Decimal(RBig::from_parts(digits, scale)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_numerals_exactly() {
        let integer = |text: &str, number: i64| assert_eq!(read_number(text), Some(Number::Integer(number.into())));
        integer("0", 0);
        integer("1_000", 1000);
        integer("0x1F", 31);
        integer("0b101", 5);
        assert_eq!(read_number("2.75"), Some(Number::Decimal(RBig::from_parts(11.into(), 4u8.into()))));
        for text in ["12ab", "0x", "0xg", "1.2x", "1e5", "_"] {
            assert_eq!(read_number(text), None, "{text}");
        }
    }
}
