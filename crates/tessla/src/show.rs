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
        let text = format!("{number:e}");
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let point = if digits.contains('.') { "" } else { ".0" };
        return format!("{digits}{point}E{exponent}");
    }
    let text = format!("{number}");
    if text.contains('.') { text } else { format!("{text}.0") }
}

/// A value in a format such as `%+.3f`, with the letters and flags of the Java platform.
pub(crate) fn format_value(format: &str, value: &Value) -> Result<String, String> {
    let wrong = || format!("The format {format} does not fit the value {}", Shown(value));
    let Some(start) = format.find('%') else { return Ok(format.to_owned()) };
    let (before, rest) = format.split_at(start);
    let spec = Format::read(&rest[1..]).ok_or_else(wrong)?;
    let text = spec.apply(value).ok_or_else(wrong)?;
    Ok(format!("{before}{text}{}", spec.after))
}

struct Format<'a> {
    flags: &'a str,
    width: usize,
    precision: Option<usize>,
    letter: char,
    after: &'a str,
}

/// Wider fields and longer fractions are refused.
const WIDEST: usize = 10_000;

impl<'a> Format<'a> {
    fn read(text: &'a str) -> Option<Format<'a>> {
        let flags_end = text.find(|flag: char| !"-#+ 0,(".contains(flag)).unwrap_or(text.len());
        let (flags, rest) = text.split_at(flags_end);
        let width_end = rest.find(|digit: char| !digit.is_ascii_digit()).unwrap_or(rest.len());
        let (width, rest) = rest.split_at(width_end);
        let mut precision = None;
        let mut rest = rest;
        if let Some(after) = rest.strip_prefix('.') {
            let end = after.find(|digit: char| !digit.is_ascii_digit()).unwrap_or(after.len());
            precision = Some(after[..end].parse().ok().filter(|digits| *digits <= WIDEST)?);
            rest = &after[end..];
        }
        let letter = rest.chars().next()?;
        let width = if width.is_empty() { 0 } else { width.parse().ok().filter(|width| *width <= WIDEST)? };
        Some(Format { flags, width, precision, letter, after: &rest[letter.len_utf8()..] })
    }

    fn apply(&self, value: &Value) -> Option<String> {
        let text = match (self.letter, value) {
            ('s', value) => self.cut(plain_text(value)),
            ('S', value) => self.cut(plain_text(value)).to_uppercase(),
            ('b', Value::Bool(value)) => value.to_string(),
            ('d', Value::Int(_) | Value::Big(_)) => self.signed(self.grouped(&plain_text(value))),
            ('x' | 'X' | 'o', Value::Int(_) | Value::Big(_)) => self.in_radix(value)?,
            ('f', Value::Float(number)) => self.fixed(*number),
            ('e' | 'E', Value::Float(number)) => self.scientific(*number),
            ('g' | 'G', Value::Float(number)) => self.general(*number),
            ('%', _) => "%".into(),
            ('n', _) => "\n".into(),
            _ => return None,
        };
        Some(self.padded(text))
    }

    fn cut(&self, text: String) -> String {
        match self.precision {
            Some(length) => text.chars().take(length).collect(),
            None => text,
        }
    }

    fn in_radix(&self, value: &Value) -> Option<String> {
        let number = value.as_integer()?;
        let radix = if self.letter == 'o' { 8 } else { 16 };
        let digits = number.in_radix(radix).to_string();
        let prefix = match (self.flags.contains('#'), self.letter) {
            (false, _) => "",
            (true, 'o') => "0",
            (true, _) => "0x",
        };
        let text = match digits.strip_prefix('-') {
            Some(digits) => format!("-{prefix}{digits}"),
            None => format!("{prefix}{digits}"),
        };
        Some(if self.letter == 'X' { text.to_uppercase() } else { text })
    }

    fn fixed(&self, number: f64) -> String {
        if !number.is_finite() {
            return self.signed(float_text(number));
        }
        self.signed(self.grouped(&format!("{number:.*}", self.precision.unwrap_or(6))))
    }

    fn scientific(&self, number: f64) -> String {
        if !number.is_finite() {
            return self.signed(float_text(number));
        }
        let text = format!("{number:.*e}", self.precision.unwrap_or(6));
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let exponent: i32 = exponent.parse().unwrap_or(0);
        let sign = if exponent < 0 { '-' } else { '+' };
        let text = format!("{digits}e{sign}{:02}", exponent.abs());
        self.signed(if self.letter == 'E' { text.to_uppercase() } else { text })
    }

    /// The shorter of the two: fixed from 10^-4 up to 10^precision, scientific outside.
    fn general(&self, number: f64) -> String {
        let precision = self.precision.unwrap_or(6).max(1);
        let size = number.abs();
        if size != 0.0 && !(1e-4..10_f64.powi(precision as i32)).contains(&size) {
            let letter = if self.letter == 'G' { 'E' } else { 'e' };
            return Format { precision: Some(precision - 1), letter, ..*self }.scientific(number);
        }
        let before = if size < 1.0 { 1 } else { size.log10().floor() as usize + 1 };
        Format { precision: Some(precision.saturating_sub(before)), letter: 'f', ..*self }.fixed(number)
    }

    /// Digits before the point in groups of three, where asked for.
    fn grouped(&self, text: &str) -> String {
        if !self.flags.contains(',') {
            return text.to_owned();
        }
        let (sign, digits) = text.strip_prefix('-').map_or(("", text), |digits| ("-", digits));
        let (whole, fraction) = digits.split_at(digits.find('.').unwrap_or(digits.len()));
        let mut grouped = String::new();
        for (index, digit) in whole.chars().enumerate() {
            if index > 0 && (whole.len() - index) % 3 == 0 {
                grouped.push(',');
            }
            grouped.push(digit);
        }
        format!("{sign}{grouped}{fraction}")
    }

    fn signed(&self, text: String) -> String {
        match text.strip_prefix('-') {
            Some(digits) if self.flags.contains('(') => format!("({digits})"),
            Some(_) => text,
            None if self.flags.contains('+') => format!("+{text}"),
            None if self.flags.contains(' ') => format!(" {text}"),
            None => text,
        }
    }

    fn padded(&self, text: String) -> String {
        let missing = self.width.saturating_sub(text.chars().count());
        if self.flags.contains('-') {
            return format!("{text}{}", " ".repeat(missing));
        }
        if self.flags.contains('0') && !matches!(self.letter, 's' | 'S' | 'b') {
            let sign = text.len() - text.trim_start_matches(['+', '-', ' ']).len();
            return format!("{}{}{}", &text[..sign], "0".repeat(missing), &text[sign..]);
        }
        format!("{}{text}", " ".repeat(missing))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_look_as_on_the_java_platform() {
        let shown = [0.0, -0.0, 1.0, 0.5, 1e7, 9_999_999.0, 4.2e24, 1e-4, 0.001, 1e63].map(float_text);
        assert_eq!(shown, ["0.0", "-0.0", "1.0", "0.5", "1.0E7", "9999999.0", "4.2E24", "1.0E-4", "0.001", "1.0E63"]);
    }

    #[test]
    fn formats() {
        let check =
            |format: &str, value: &Value, text: &str| assert_eq!(format_value(format, value).as_deref(), Ok(text));
        check("%+.10f", &Value::Float(0.0), "+0.0000000000");
        check("%8.3f|", &Value::Float(-1.5), "  -1.500|");
        check("%08d", &Value::Int(-42), "-0000042");
        check("%,d", &Value::Int(1_234_567), "1,234,567");
        check("%#x", &Value::Int(255), "0xff");
        check("%-5s|", &Value::string("ab"), "ab   |");
        check("%.2e", &Value::Float(12345.678), "1.23e+04");
        check("%g", &Value::Float(12.5), "12.5000");
        assert!(format_value("%d", &Value::Float(1.0)).is_err());
    }
}
