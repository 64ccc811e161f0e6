//! Values in formats such as `%+.3f`, written and refused as `java.util.Formatter` of the Java platform does.

mod float;
mod specifier;

use crate::show::{Shown, plain_text};
use crate::value::Value;

use specifier::Specifier;

/// A text with specifiers such as `%+.3f`, each replaced by the value.
pub(crate) fn format_value(format: &str, value: &Value) -> Result<String, String> {
    let wrong = |problem: &str| format!("The format {format} does not fit the value {}: {problem}", Shown(value));
    let mut text = String::new();
    let mut rest = format;
    let mut taken = false;
    while let Some(start) = rest.find('%') {
        text.push_str(&rest[..start]);
        let (specifier, after) = Specifier::read(&rest[start + 1..]).map_err(|problem| wrong(&problem))?;
        // Each specifier takes a value of its own, and there is one.
        if specifier.takes_next() && std::mem::replace(&mut taken, true) {
            return Err(wrong("there is one value only"));
        }
        if specifier.takes_same() && !taken {
            return Err(wrong("no value came before"));
        }
        text.push_str(&apply(&specifier, value).map_err(|problem| wrong(&problem))?);
        rest = after;
    }
    text.push_str(rest);
    Ok(text)
}

fn apply(specifier: &Specifier, value: &Value) -> Result<String, String> {
    match (specifier.letter, value) {
        ('%', _) => specifier.check_percent().map(|()| specifier.justified("%".into())),
        ('n', _) => specifier.check_newline().map(|()| "\n".into()),
        ('s' | 'b' | 'h', _) => {
            specifier.check_general()?;
            Ok(specifier.general(match (specifier.letter, value) {
                ('b', Value::Bool(truth)) => truth.to_string(),
                ('b', _) => "true".into(),
                ('h', value) => format!("{:x}", hash(value).ok_or("it has no hash code of the platform's")?),
                _ => plain_text(value),
            }))
        }
        ('d' | 'o' | 'x', Value::Int(_) | Value::Big(_)) => {
            specifier.check_integer()?;
            integer(specifier, value)
        }
        ('e' | 'f' | 'g' | 'a', Value::Float(number)) => {
            specifier.check_float()?;
            Ok(float::text(specifier, *number))
        }
        _ => Err("it is for values of another type".into()),
    }
}

fn integer(specifier: &Specifier, value: &Value) -> Result<String, String> {
    let number = value.as_integer().ok_or("it is not an integer")?;
    let radix = match specifier.letter {
        'o' => 8,
        'x' => 16,
        _ => 10,
    };
    let digits = number.in_radix(radix).to_string();
    let (negative, digits) = match digits.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, digits.as_str()),
    };
    let mut text = specifier.leading_sign(negative);
    if radix == 10 {
        specifier.magnitude(&mut text, digits, specifier.width_inside(negative));
    } else {
        let closing = usize::from(negative && specifier.has('('));
        if specifier.has('#') {
            text.push_str(match (radix, specifier.upper) {
                (8, _) => "0",
                (_, false) => "0x",
                (_, true) => "0X",
            });
        }
        if specifier.has('0') {
            let length = text.len() + digits.len() + closing;
            text.push_str(&"0".repeat(specifier.width.unwrap_or(0).saturating_sub(length)));
        }
        text.push_str(&if specifier.upper { digits.to_uppercase() } else { digits.to_owned() });
    }
    text.push_str(specifier.trailing_sign(negative));
    Ok(specifier.justified(text))
}

/// The hash code that the Java platform gives a value, where it is part of its documentation.
fn hash(value: &Value) -> Option<i32> {
    match value {
        Value::Bool(truth) => Some(if *truth { 1231 } else { 1237 }),
        Value::Float(number) => {
            let bits = if number.is_nan() { 0x7ff8_0000_0000_0000 } else { number.to_bits() };
            Some((bits ^ (bits >> 32)) as u32 as i32)
        }
        Value::String(text) => {
            Some(text.encode_utf16().fold(0_i32, |hash, unit| hash.wrapping_mul(31).wrapping_add(i32::from(unit))))
        }
        Value::Int(_) | Value::Big(_) => {
            let number = value.as_integer()?;
            let hexadecimal = number.in_radix(16).to_string();
            let (negative, digits) = match hexadecimal.strip_prefix('-') {
                Some(digits) => (true, digits),
                None => (false, hexadecimal.as_str()),
            };
            let mut hash = 0_i32;
            let mut end = digits.len() % 8;
            let mut start = 0;
            while start < digits.len() {
                if start < end {
                    let word = u32::from_str_radix(&digits[start..end], 16).ok()?;
                    hash = hash.wrapping_mul(31).wrapping_add(word as i32);
                }
                (start, end) = (end, end + 8);
            }
            Some(if negative { hash.wrapping_neg() } else { hash })
        }
        Value::Unit | Value::None | Value::Some(_) | Value::Object(_) => None,
        Value::List(_) | Value::Set(_) | Value::Map(_) | Value::Failure(_) => None,
    }
}

#[cfg(test)]
mod tests;
