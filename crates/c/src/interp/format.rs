//! `printf`.

use super::arithmetic::number;
use super::code::{Argument, Scalar};
use super::machine::{Machine, Run, Stop};
use super::{Ending, Fault};
use crate::types::Integer;

/// A conversion such as `%-08.3ld`.
#[derive(Clone, Debug, Default)]
struct Conversion {
    left: bool,
    zero: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    width: usize,
    precision: Option<usize>,
    /// Bits of an integer argument that count.
    bits: u32,
    letter: u8,
}

/// Widths and precisions are cut here: more helps nobody.
const WIDEST: i128 = 100_000;

impl Machine<'_> {
    pub(super) fn format(&mut self, format: i128, arguments: &[Argument], values: &[i128]) -> Run<Vec<u8>> {
        let format = self.string(format)?;
        let mut text = Vec::new();
        let mut next = 0;
        let mut at = 0;
        let edge = self.edge;
        let mut take = |letter: u8| -> Run<i128> {
            let (Some(argument), Some(value)) = (arguments.get(next), values.get(next)) else {
                return Err(Fault::LibraryPrecondition.into());
            };
            next += 1;
            if let Scalar::Extended(_) = argument.scalar {
                let what = "the text of a `long double`".to_owned();
                return Err(Stop::Ending(Ending::Unsupported { what, edge }));
            }
            let floating = matches!(argument.scalar, Scalar::Float | Scalar::Double);
            let wants_float = letter.is_ascii_alphabetic() && b"fFeEgGaA".contains(&letter);
            if argument.size != 0 || floating != wants_float {
                Err(Fault::LibraryPrecondition.into())
            } else {
                Ok(*value)
            }
        };
        while at < format.len() {
            if format[at] != b'%' {
                text.push(format[at]);
                at += 1;
                continue;
            }
            at += 1;
            let mut conversion = Conversion { bits: 32, ..Conversion::default() };
            while let Some(flag) = format.get(at) {
                match flag {
                    b'-' => conversion.left = true,
                    b'0' => conversion.zero = true,
                    b'+' => conversion.plus = true,
                    b' ' => conversion.space = true,
                    b'#' => conversion.alternate = true,
                    _ => break,
                }
                at += 1;
            }
            if format.get(at) == Some(&b'*') {
                at += 1;
                let width = take(b'*')?;
                conversion.left |= width < 0;
                conversion.width = width.abs().min(WIDEST) as usize;
            } else {
                conversion.width = digits(&format, &mut at);
            }
            if format.get(at) == Some(&b'.') {
                at += 1;
                conversion.precision = if format.get(at) == Some(&b'*') {
                    at += 1;
                    usize::try_from(take(b'*')?.min(WIDEST)).ok()
                } else {
                    Some(digits(&format, &mut at))
                };
            }
            while let Some(length) = format.get(at) {
                conversion.bits = match length {
                    b'h' if conversion.bits == 16 => 8,
                    b'h' => 16,
                    b'l' | b'z' | b't' | b'j' | b'q' => 64,
                    b'L' => 128,
                    _ => break,
                };
                at += 1;
            }
            let Some(&letter) = format.get(at) else {
                return Err(Fault::LibraryPrecondition.into());
            };
            at += 1;
            conversion.letter = letter;
            match letter {
                b'%' => text.push(b'%'),
                b's' => {
                    let address = take(letter)?;
                    let body = if address == 0 {
                        b"(null)".to_vec()
                    } else {
                        self.limited_string(address, conversion.precision)?
                    };
                    pad(&mut text, &conversion, &body, false);
                }
                b'c' => {
                    let value = take(letter)?;
                    pad(&mut text, &conversion, &[value as u8], false);
                }
                b'd' | b'i' | b'u' | b'x' | b'X' | b'o' => {
                    let value = take(letter)?;
                    integer(&mut text, &conversion, value);
                }
                b'p' => {
                    let value = take(letter)?;
                    let body = if value == 0 { "(nil)".to_owned() } else { format!("{value:#x}") };
                    pad(&mut text, &conversion, body.as_bytes(), false);
                }
                b'f' | b'F' | b'e' | b'E' | b'g' | b'G' => {
                    let value = take(letter)?;
                    floating(&mut text, &conversion, number(value));
                }
                other => {
                    let what = format!("the conversion `%{}` of printf", char::from(other).escape_default());
                    return Err(Stop::Ending(Ending::Unsupported { what, edge: self.edge }));
                }
            }
            if text.len() > self.settings.output {
                break;
            }
        }
        Ok(text)
    }

    fn limited_string(&mut self, address: i128, most: Option<usize>) -> Run<Vec<u8>> {
        match most {
            None => self.string(address),
            Some(most) => {
                let mut text = Vec::new();
                while text.len() < most {
                    let plain = Scalar::Integer(Integer { bits: 8, signed: true });
                    match self.load(address + text.len() as i128, plain, crate::types::TypeId::CHAR)? as u8 {
                        0 => break,
                        byte => text.push(byte),
                    }
                }
                Ok(text)
            }
        }
    }
}

fn digits(format: &[u8], at: &mut usize) -> usize {
    let mut value = 0usize;
    while let Some(digit) = format.get(*at).filter(|byte| byte.is_ascii_digit()) {
        value = (value * 10 + usize::from(digit - b'0')).min(WIDEST as usize);
        *at += 1;
    }
    value
}

/// Fills up to the width: with zeros behind the sign, or with spaces.
fn pad(text: &mut Vec<u8>, conversion: &Conversion, body: &[u8], zeros: bool) {
    let missing = conversion.width.saturating_sub(body.len());
    if conversion.left {
        text.extend_from_slice(body);
        text.extend(std::iter::repeat_n(b' ', missing));
    } else if zeros {
        let sign = body.iter().position(|byte| byte.is_ascii_alphanumeric()).unwrap_or(0);
        let prefix = if body[sign..].starts_with(b"0x") || body[sign..].starts_with(b"0X") { sign + 2 } else { sign };
        text.extend_from_slice(&body[..prefix]);
        text.extend(std::iter::repeat_n(b'0', missing));
        text.extend_from_slice(&body[prefix..]);
    } else {
        text.extend(std::iter::repeat_n(b' ', missing));
        text.extend_from_slice(body);
    }
}

fn sign(conversion: &Conversion, negative: bool) -> &'static str {
    match (negative, conversion.plus, conversion.space) {
        (true, ..) => "-",
        (false, true, _) => "+",
        (false, false, true) => " ",
        (false, false, false) => "",
    }
}

fn integer(text: &mut Vec<u8>, conversion: &Conversion, value: i128) {
    let signed = matches!(conversion.letter, b'd' | b'i');
    let value = Integer { bits: conversion.bits, signed }.wrap(value);
    let magnitude = value.unsigned_abs();
    let mut body = match conversion.letter {
        b'x' => format!("{magnitude:x}"),
        b'X' => format!("{magnitude:X}"),
        b'o' => format!("{magnitude:o}"),
        _ => magnitude.to_string(),
    };
    if conversion.precision == Some(0) && value == 0 {
        body.clear();
    }
    let least = conversion.precision.unwrap_or(0);
    if body.len() < least {
        body.insert_str(0, &"0".repeat(least - body.len()));
    }
    let prefix = match conversion.letter {
        b'x' if conversion.alternate && value != 0 => "0x",
        b'X' if conversion.alternate && value != 0 => "0X",
        b'o' if conversion.alternate && !body.starts_with('0') => "0",
        _ => "",
    };
    let sign = if signed { sign(conversion, value < 0) } else { "" };
    let whole = format!("{sign}{prefix}{body}");
    pad(text, conversion, whole.as_bytes(), conversion.zero && conversion.precision.is_none());
}

fn floating(text: &mut Vec<u8>, conversion: &Conversion, value: f64) {
    let sign = sign(conversion, value.is_sign_negative());
    let upper = conversion.letter.is_ascii_uppercase();
    let magnitude = value.abs();
    if !magnitude.is_finite() {
        let word = if magnitude.is_nan() { "nan" } else { "inf" };
        let word = if upper { word.to_uppercase() } else { word.to_owned() };
        return pad(text, conversion, format!("{sign}{word}").as_bytes(), false);
    }
    let precision = conversion.precision.unwrap_or(6);
    let body = match conversion.letter.to_ascii_lowercase() {
        b'f' => fixed(magnitude, precision, conversion.alternate),
        b'e' => exponential(magnitude, precision, conversion.alternate),
        _ => general(magnitude, precision.max(1), conversion.alternate),
    };
    let body = if upper { body.to_uppercase() } else { body };
    pad(text, conversion, format!("{sign}{body}").as_bytes(), conversion.zero);
}

fn fixed(value: f64, precision: usize, point: bool) -> String {
    let body = format!("{value:.precision$}");
    if point && precision == 0 { body + "." } else { body }
}

fn exponential(value: f64, precision: usize, point: bool) -> String {
    let body = format!("{value:.precision$e}");
    let (mantissa, exponent) = body.split_once('e').unwrap_or((&body, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let dot = if point && precision == 0 { "." } else { "" };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}{dot}e{sign}{:02}", exponent.abs())
}

/// `%g`: the shorter of the two forms, zeros at the end removed.
fn general(value: f64, precision: usize, keep: bool) -> String {
    let scientific = format!("{value:.*e}", precision - 1);
    let exponent: i32 = scientific.split_once('e').and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or(0);
    let fits = exponent >= -4 && exponent < precision as i32;
    let body = if fits {
        fixed(value, (precision as i32 - 1 - exponent).max(0) as usize, keep)
    } else {
        exponential(value, precision - 1, keep)
    };
    if keep || !body.contains('.') {
        return body;
    }
    let (mantissa, rest) = match body.find('e') {
        Some(at) => body.split_at(at),
        None => (body.as_str(), ""),
    };
    format!("{}{rest}", mantissa.trim_end_matches('0').trim_end_matches('.'))
}
