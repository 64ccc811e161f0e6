//! Values in formats such as `%+.3f`.

use crate::show::{Shown, float_text, plain_text};
use crate::value::Value;

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
            ('a' | 'A', Value::Float(number)) => self.hexadecimal(*number),
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
        let decimal = Decimal::of(number);
        let places = self.precision.unwrap_or(6);
        let digits = decimal.rounded(decimal.point.saturating_add(places as i64));
        let (whole, fraction) = digits.around_point(places);
        let point = if places > 0 || self.flags.contains('#') { "." } else { "" };
        let sign = if number.is_sign_negative() { "-" } else { "" };
        self.signed(self.grouped(&format!("{sign}{whole}{point}{fraction}")))
    }

    fn scientific(&self, number: f64) -> String {
        if !number.is_finite() {
            return self.signed(float_text(number));
        }
        let places = self.precision.unwrap_or(6);
        let decimal = Decimal::of(number).rounded(places as i64 + 1);
        let exponent = if decimal.digits.is_empty() { 0 } else { decimal.point - 1 };
        let (whole, fraction) = Decimal { digits: decimal.digits, point: 1 }.around_point(places);
        let point = if places > 0 || self.flags.contains('#') { "." } else { "" };
        let minus = if number.is_sign_negative() { "-" } else { "" };
        let sign = if exponent < 0 { '-' } else { '+' };
        let text = format!("{minus}{whole}{point}{fraction}e{sign}{:02}", exponent.abs());
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

    /// The bits of the number: `0x1.8p1` is 3.
    fn hexadecimal(&self, number: f64) -> String {
        if !number.is_finite() {
            return self.signed(float_text(number));
        }
        let bits = number.to_bits();
        let (fraction, exponent) = (bits & ((1 << 52) - 1), (bits >> 52 & 0x7ff) as i64);
        let (mut first, mut power) = if exponent == 0 { (0, -1022) } else { (1, exponent - 1023) };
        let mut digits = format!("{fraction:013x}");
        if number == 0.0 {
            power = 0;
        }
        match self.precision.map(|places| places.clamp(1, 13)) {
            Some(places) if places < 13 => {
                let unit = 1_u64 << (52 - 4 * places as u64);
                let (kept, rest) = (fraction / unit, fraction % unit);
                let up = rest > unit / 2 || (rest == unit / 2 && kept % 2 == 1);
                let kept = kept + u64::from(up);
                first += (kept >> (4 * places)) as u32;
                digits = format!("{:0places$x}", kept & ((1 << (4 * places)) - 1));
            }
            Some(_) => {}
            None => {
                let length = digits.trim_end_matches('0').len().max(1);
                digits.truncate(length);
            }
        }
        let sign = if number.is_sign_negative() { "-" } else { "" };
        let text = format!("{sign}0x{first}.{digits}p{power}");
        self.signed(if self.letter == 'A' { text.to_uppercase() } else { text })
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

/// The shortest decimal that stands for a float: `0.DIGITS` times ten to the `point`.
struct Decimal {
    digits: Vec<u8>,
    point: i64,
}

impl Decimal {
    fn of(number: f64) -> Decimal {
        let text = format!("{:e}", number.abs());
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let mut digits: Vec<u8> = digits.bytes().filter(u8::is_ascii_digit).map(|digit| digit - b'0').collect();
        if digits == [0] {
            digits.clear();
        }
        Decimal { digits, point: exponent.parse::<i64>().unwrap_or(0) + 1 }
    }

    /// With at most so many digits, halves away from zero.
    fn rounded(&self, count: i64) -> Decimal {
        let Ok(count) = usize::try_from(count) else { return Decimal { digits: Vec::new(), point: self.point } };
        let mut kept: Vec<u8> = self.digits.iter().copied().take(count).collect();
        let mut point = self.point;
        if self.digits.get(count).is_some_and(|next| *next >= 5) {
            let mut place = kept.len();
            loop {
                if place == 0 {
                    kept.insert(0, 1);
                    kept.truncate(count.max(1));
                    point += 1;
                    break;
                }
                place -= 1;
                if kept[place] < 9 {
                    kept[place] += 1;
                    break;
                }
                kept[place] = 0;
            }
        }
        Decimal { digits: kept, point }
    }

    /// The digits before the point, and so many behind it.
    fn around_point(&self, places: usize) -> (String, String) {
        let digit = |place: i64| {
            let digit = usize::try_from(place).ok().and_then(|place| self.digits.get(place)).copied().unwrap_or(0);
            char::from(b'0' + digit)
        };
        let whole = if self.point <= 0 { "0".to_owned() } else { (0..self.point).map(digit).collect() };
        (whole, (0..places as i64).map(|place| digit(self.point + place)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        check("%.1f", &Value::Float(0.25), "0.3");
        check("%.2f", &Value::Float(1.005), "1.01");
        check("%.0f", &Value::Float(0.5), "1");
        check("%.0f", &Value::Float(-99.5), "-100");
        check("%.3f", &Value::Float(1e-7), "0.000");
        check("%.1f", &Value::Float(1e21), "1000000000000000000000.0");
        check("%.1e", &Value::Float(9.96), "1.0e+01");
        check("%e", &Value::Float(0.0), "0.000000e+00");
        check("%a", &Value::Float(3.0), "0x1.8p1");
        check("%a", &Value::Float(-0.1), "-0x1.999999999999ap-4");
        check("%.2a", &Value::Float(0.1), "0x1.9ap-4");
        check("%a", &Value::Float(0.0), "0x0.0p0");
        assert!(format_value("%d", &Value::Float(1.0)).is_err());
    }
}
