//! Values as text, as the reference interpreter writes them.

use std::fmt;

use crate::types::tuple_member;
use crate::value::Value;

/// A value as it stands in the output: strings in quotes, their characters as they are.
pub struct Shown<'a>(pub &'a Value);

/// A value as it is written in a trace that is to be read again: strings in quotes, with escapes.
pub struct Literal<'a>(pub &'a Value);

/// The text of a value where it becomes part of a string: a string itself without quotes.
pub fn plain_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.to_string(),
        other => Shown(other).to_string(),
    }
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_value(f, self.0, false)
    }
}

impl fmt::Display for Literal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_value(f, self.0, true)
    }
}

fn write_value(f: &mut fmt::Formatter<'_>, value: &Value, escape: bool) -> fmt::Result {
    match value {
        Value::Bool(value) => write!(f, "{value}"),
        Value::Int(number) => write!(f, "{number}"),
        Value::Big(number) => write!(f, "{number}"),
        Value::Float(number) => f.write_str(&float_text(*number)),
        Value::String(text) if escape => quoted(f, text),
        Value::String(text) => write!(f, "\"{text}\""),
        Value::Unit => f.write_str("()"),
        Value::None => f.write_str("None"),
        Value::Some(inner) => {
            f.write_str("Some(")?;
            write_value(f, inner, escape)?;
            f.write_str(")")
        }
        Value::Object(object) if object.is_tuple() => {
            let members = (0..object.values.len()).filter_map(|index| object.member(&tuple_member(index)));
            bracketed(f, "(", members, ")", |f, member| write_value(f, member, escape))
        }
        Value::Object(object) => {
            let members = object.names.iter().zip(&object.values);
            bracketed(f, "{", members, "}", |f, (name, value)| {
                write!(f, "{name} = ")?;
                write_value(f, value, escape)
            })
        }
        Value::List(items) => bracketed(f, "List(", items.iter(), ")", |f, item| write_value(f, item, escape)),
        Value::Set(items) => bracketed(f, "Set(", items.iter(), ")", |f, item| write_value(f, item, escape)),
        Value::Map(entries) => bracketed(f, "Map(", entries.iter(), ")", |f, (key, value)| {
            write_value(f, key, escape)?;
            f.write_str(" -> ")?;
            write_value(f, value, escape)
        }),
        Value::Failure(failure) => write!(f, "<{}>", failure.message),
    }
}

fn bracketed<T>(
    f: &mut fmt::Formatter<'_>,
    open: &str,
    items: impl Iterator<Item = T>,
    close: &str,
    write: impl Fn(&mut fmt::Formatter<'_>, T) -> fmt::Result,
) -> fmt::Result {
    f.write_str(open)?;
    for (index, item) in items.enumerate() {
        if index > 0 {
            f.write_str(", ")?;
        }
        write(f, item)?;
    }
    f.write_str(close)
}

fn quoted(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    f.write_str("\"")?;
    for character in text.chars() {
        match character {
            '"' => f.write_str("\\\"")?,
            '\\' => f.write_str("\\\\")?,
            '\n' => f.write_str("\\n")?,
            '\r' => f.write_str("\\r")?,
            '\t' => f.write_str("\\t")?,
            other => write!(f, "{other}")?,
        }
    }
    f.write_str("\"")
}

/// A float as the Java platform writes it: at least one digit behind the point, an exponent outside 10^-3 to 10^7.
pub fn float_text(number: f64) -> String {
    if number.is_nan() {
        return "NaN".into();
    }
    if number.is_infinite() {
        return if number > 0.0 { "Infinity".into() } else { "-Infinity".into() };
    }
    let size = number.abs();
    if size != 0.0 && !(1e-3..1e7).contains(&size) {
        let mut text = format!("{number:e}");
        if !text.contains('.') {
            // Of decimals with one digit and with two, the platform shows the nearer one: 4.9E-324.
            text = format!("{number:.1e}");
        }
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let point = if digits.contains('.') { "" } else { ".0" };
        return format!("{digits}{point}E{exponent}");
    }
    let text = format!("{number}");
    if text.contains('.') { text } else { format!("{text}.0") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_look_as_on_the_java_platform() {
        let shown = [0.0, -0.0, 1.0, 0.5, 1e7, 9_999_999.0, 4.2e24, 1e-4, 0.001, 1e63, 5e-324].map(float_text);
        let expected =
            ["0.0", "-0.0", "1.0", "0.5", "1.0E7", "9999999.0", "4.2E24", "1.0E-4", "0.001", "1.0E63", "4.9E-324"];
        assert_eq!(shown, expected);
    }
}
