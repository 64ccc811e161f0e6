//! Numbers, characters and strings.

use source::{Diagnostic, Span};

use super::{Error, Parsed, Parser};
use crate::ast::{Basic, CharacterWidth, ExprKind, IntegerLiteral};
use crate::codes;
use crate::extended;

fn malformed(span: Span, message: impl Into<String>) -> Error {
    Box::new(Diagnostic::error(&codes::SYNTAX, span, message))
}

impl Parser<'_> {
    pub(super) fn number(&mut self) -> Parsed<ExprKind> {
        let span = self.advance().span;
        let text = &self.text[span.range()];
        number(text).ok_or_else(|| malformed(span, format!("`{}` is not a number", super::shortened(text))))
    }

    pub(super) fn character(&mut self) -> Parsed<ExprKind> {
        let span = self.advance().span;
        let (width, body) = prefix(&self.text[span.range()], '\'');
        let units = units(body, width, span)?;
        let value = match (width, units.as_slice()) {
            (_, []) => return Err(malformed(span, "a character literal is empty")),
            (CharacterWidth::Plain, [one]) => i128::from(*one as u8 as i8),
            // Several characters: the first is the most significant, as compilers do it.
            (CharacterWidth::Plain, several) => {
                i128::from(several.iter().fold(0i32, |value, unit| value.wrapping_shl(8) | i32::from(*unit as u8)))
            }
            (CharacterWidth::Wide, [.., last]) => i128::from(*last as i32),
            (CharacterWidth::Utf16 | CharacterWidth::Utf32, [.., last]) => i128::from(*last),
        };
        Ok(ExprKind::Character(value, width))
    }

    /// String literals side by side.
    pub(super) fn string(&mut self) -> Parsed<ExprKind> {
        let mut all = Vec::new();
        let mut width = CharacterWidth::Plain;
        while self.kind() == crate::token::TokenKind::Text {
            let span = self.advance().span;
            let (found, body) = prefix(&self.text[span.range()], '"');
            if found != CharacterWidth::Plain {
                width = found;
            }
            all.extend(units(body, width, span)?);
        }
        Ok(ExprKind::Text(all, width))
    }
}

fn prefix(text: &str, quote: char) -> (CharacterWidth, &str) {
    let (mark, body) = text.split_at(text.find(quote).unwrap_or(0));
    let width = match mark {
        "L" => CharacterWidth::Wide,
        "u" => CharacterWidth::Utf16,
        "U" => CharacterWidth::Utf32,
        _ => CharacterWidth::Plain,
    };
    let body = body.strip_prefix(quote).unwrap_or(body);
    (width, body.strip_suffix(quote).unwrap_or(body))
}

/// The code units of the inside of a literal, escapes replaced.
fn units(body: &str, width: CharacterWidth, span: Span) -> Parsed<Vec<u32>> {
    let mut units = Vec::new();
    let mut characters = body.chars().peekable();
    let push = |units: &mut Vec<u32>, character: char| match width {
        CharacterWidth::Plain => match crate::load::raw_byte(character) {
            Some(byte) => units.push(u32::from(byte)),
            None => units.extend(character.encode_utf8(&mut [0; 4]).bytes().map(u32::from)),
        },
        CharacterWidth::Utf16 => units.extend(character.encode_utf16(&mut [0; 2]).iter().map(|unit| u32::from(*unit))),
        CharacterWidth::Wide | CharacterWidth::Utf32 => units.push(character as u32),
    };
    while let Some(character) = characters.next() {
        if character != '\\' {
            push(&mut units, character);
            continue;
        }
        let Some(escape) = characters.next() else {
            return Err(malformed(span, "an escape has no end"));
        };
        let simple = match escape {
            'n' => 10,
            't' => 9,
            'r' => 13,
            'a' => 7,
            'b' => 8,
            'f' => 12,
            'v' => 11,
            'e' | 'E' => 27,
            '\\' | '\'' | '"' | '?' => escape as u32,
            '0'..='7' => {
                let mut value = escape as u32 - 48;
                for _ in 0..2 {
                    if let Some(digit) = characters.peek().and_then(|next| next.to_digit(8)) {
                        value = value * 8 + digit;
                        characters.next();
                    }
                }
                value
            }
            'x' => {
                let mut value: u32 = 0;
                let mut digits = 0;
                while let Some(digit) = characters.peek().and_then(|next| next.to_digit(16)) {
                    value = value.wrapping_mul(16).wrapping_add(digit);
                    digits += 1;
                    characters.next();
                }
                if digits == 0 {
                    return Err(malformed(span, "`\\x` needs hexadecimal digits"));
                }
                if width == CharacterWidth::Plain { value & 0xff } else { value }
            }
            'u' | 'U' => {
                let count = if escape == 'u' { 4 } else { 8 };
                let mut value: u32 = 0;
                for _ in 0..count {
                    let digit = characters.next().and_then(|next| next.to_digit(16));
                    value = value.wrapping_mul(16)
                        + digit.ok_or_else(|| malformed(span, "a universal character name is too short"))?;
                }
                let named = char::from_u32(value).ok_or_else(|| malformed(span, "this is not a character"))?;
                push(&mut units, named);
                continue;
            }
            '\n' => continue,
            other => return Err(malformed(span, format!("`\\{other}` is not an escape"))),
        };
        units.push(simple);
    }
    Ok(units)
}

fn number(text: &str) -> Option<ExprKind> {
    let lower = text.to_ascii_lowercase();
    let hexadecimal = lower.starts_with("0x");
    let floating =
        if hexadecimal { lower.contains(['.', 'p']) } else { !lower.starts_with("0b") && lower.contains(['.', 'e']) };
    if floating { float(&lower, hexadecimal) } else { integer(&lower) }
}

fn integer(text: &str) -> Option<ExprKind> {
    let (radix, digits) = if let Some(rest) = text.strip_prefix("0x") {
        (16, rest)
    } else if let Some(rest) = text.strip_prefix("0b") {
        (2, rest)
    } else if text.len() > 1 && text.starts_with('0') && text.as_bytes()[1].is_ascii_digit() {
        (8, &text[1..])
    } else {
        (10, text)
    };
    let end = digits.find(|character: char| !character.is_digit(radix)).unwrap_or(digits.len());
    let value = u128::from_str_radix(&digits[..end], radix).ok()?;
    let (unsigned, longs) = match &digits[end..] {
        "" => (false, 0),
        "u" => (true, 0),
        "l" => (false, 1),
        "ll" => (false, 2),
        "ul" | "lu" => (true, 1),
        "ull" | "llu" => (true, 2),
        _ => return None,
    };
    Some(ExprKind::Integer(IntegerLiteral { value, decimal: radix == 10, unsigned, longs }))
}

fn float(text: &str, hexadecimal: bool) -> Option<ExprKind> {
    const SUFFIXES: [(&str, Basic); 9] = [
        ("f128", Basic::LongDouble),
        ("f64x", Basic::LongDouble),
        ("f32x", Basic::Double),
        ("f64", Basic::Double),
        ("f32", Basic::Float),
        ("q", Basic::LongDouble),
        ("l", Basic::LongDouble),
        ("f", Basic::Float),
        ("", Basic::Double),
    ];
    // An `f` at the end of a hexadecimal number stands behind its exponent, so it is a suffix there too.
    let (suffix, ty) = SUFFIXES.iter().find(|(suffix, _)| text.ends_with(suffix))?;
    let digits = text.strip_suffix(suffix)?;
    if *ty == Basic::LongDouble {
        let bits = match hexadecimal {
            true => {
                let (significand, exponent) = hexadecimal_parts(digits.strip_prefix("0x")?)?;
                extended::from_binary(significand, exponent)
            }
            false => extended::from_decimal(digits)?,
        };
        return Some(ExprKind::Extended(bits));
    }
    let value = if hexadecimal {
        hexadecimal_float(digits.strip_prefix("0x")?, *ty == Basic::Float)?
    } else if *ty == Basic::Float {
        f64::from(digits.parse::<f32>().ok()?)
    } else {
        digits.parse::<f64>().ok()?
    };
    Some(ExprKind::Float(value, *ty))
}

/// `1.8p3`. Digits beyond what the type holds are rounded once if at most 60 significant bits are written.
fn hexadecimal_float(text: &str, single: bool) -> Option<f64> {
    let (significand, exponent) = hexadecimal_parts(text)?;
    let value = significand as f64 * 2f64.powi(exponent);
    Some(if single { f64::from(value as f32) } else { value })
}

/// The digits of `1.8p3` as a number, and the power of two it is multiplied with.
fn hexadecimal_parts(text: &str) -> Option<(u128, i32)> {
    let (mantissa, exponent) = text.split_once('p')?;
    let exponent: i32 = exponent.parse().ok()?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits: String = format!("{whole}{fraction}");
    let trimmed = digits.trim_start_matches('0');
    if trimmed.is_empty() {
        return if digits.is_empty() { None } else { Some((0, 0)) };
    }
    if trimmed.len() > 30 {
        return None;
    }
    let bits = u128::from_str_radix(trimmed, 16).ok()?;
    Some((bits, exponent.checked_sub(4 * fraction.len() as i32)?))
}
