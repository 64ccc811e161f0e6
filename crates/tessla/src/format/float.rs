//! Floating-point numbers in formats.

use super::specifier::Specifier;

/// A number in a format for floats.
pub(super) fn text(specifier: &Specifier, number: f64) -> String {
    if number.is_nan() {
        return specifier.justified(if specifier.upper { "NAN" } else { "NaN" }.to_owned());
    }
    let negative = number.is_sign_negative();
    let mut text = specifier.leading_sign(negative);
    let size = number.abs();
    if size.is_infinite() {
        text.push_str(if specifier.upper { "INFINITY" } else { "Infinity" });
    } else {
        match specifier.letter {
            'e' => scientific(specifier, &mut text, size, specifier.precision.unwrap_or(6), negative),
            'f' => fixed(specifier, &mut text, size, specifier.precision.unwrap_or(6), negative),
            'g' => general(specifier, &mut text, size, negative),
            _ => hexadecimal(specifier, &mut text, size, negative),
        }
    }
    text.push_str(specifier.trailing_sign(negative));
    specifier.justified(text)
}

fn fixed(specifier: &Specifier, text: &mut String, size: f64, places: usize, negative: bool) {
    let decimal = Decimal::of(size);
    let digits = decimal.rounded(decimal.point.saturating_add(places as i64));
    let point = if places > 0 || specifier.has('#') { "." } else { "" };
    let (whole, fraction) = digits.around_point(places);
    specifier.magnitude(text, &format!("{whole}{point}{fraction}"), specifier.width_inside(negative));
}

fn scientific(specifier: &Specifier, text: &mut String, size: f64, places: usize, negative: bool) {
    let decimal = Decimal::of(size).rounded(places as i64 + 1);
    let exponent = if decimal.digits.is_empty() { 0 } else { decimal.point - 1 };
    let (whole, fraction) = Decimal { digits: decimal.digits, point: 1 }.around_point(places);
    let point = if places > 0 || specifier.has('#') { "." } else { "" };
    let sign = if exponent < 0 { '-' } else { '+' };
    let power = format!("{}{sign}{:02}", if specifier.upper { 'E' } else { 'e' }, exponent.abs());
    let width = specifier.width_inside(negative).map(|width| width.saturating_sub(power.len()));
    specifier.magnitude(text, &format!("{whole}{point}{fraction}"), width);
    text.push_str(&power);
}

/// Fixed from 10^-4 up to 10^precision, once rounded, scientific outside.
fn general(specifier: &Specifier, text: &mut String, size: f64, negative: bool) {
    let precision = specifier.precision.unwrap_or(6).max(1);
    if size == 0.0 {
        return fixed(specifier, text, size, precision - 1, negative);
    }
    let rounded = Decimal::of(size).rounded(precision as i64);
    let exponent = rounded.point - 1;
    if exponent < -4 || precision as i64 <= exponent {
        return scientific(specifier, text, size, precision - 1, negative);
    }
    let places = usize::try_from(precision as i64 - rounded.point).unwrap_or(0);
    fixed(specifier, text, size, places, negative);
}

/// The bits of the number: `0x1.8p1` is 3.
fn hexadecimal(specifier: &Specifier, text: &mut String, size: f64, negative: bool) {
    let (mantissa, power) = match specifier.precision.map(|places| places.max(1)) {
        None => bits_of(size, 0),
        Some(places) => {
            let (mut mantissa, power) = if size == 0.0 || 13 <= places { bits_of(size, 0) } else { cut(size, places) };
            let behind = mantissa.len() - mantissa.find('.').map_or(0, |point| point + 1);
            mantissa.push_str(&"0".repeat(places.saturating_sub(behind)));
            (mantissa, power)
        }
    };
    let power = power.to_string();
    text.push_str(if specifier.upper { "0X" } else { "0x" });
    if specifier.has('0') {
        // Zeros are counted before the mantissa is filled up, as the platform does.
        let own = bits_for_width(specifier, size) + 1 + power.len();
        let signed = specifier.has(' ') || specifier.has('+') || negative;
        let missing = specifier.width.unwrap_or(0).saturating_sub(own + if signed { 3 } else { 2 });
        text.push_str(&"0".repeat(missing));
    }
    text.push_str(&if specifier.upper { mantissa.to_uppercase() } else { mantissa });
    text.push(if specifier.upper { 'P' } else { 'p' });
    text.push_str(&power);
}

/// The length of the mantissa before zeros are added to it.
fn bits_for_width(specifier: &Specifier, size: f64) -> usize {
    match specifier.precision.map(|places| places.max(1)) {
        Some(places) if size != 0.0 && places < 13 => cut(size, places).0.len(),
        Some(_) | None => bits_of(size, 0).0.len(),
    }
}

/// The number as `1.8` and its power of two, less a shift; numbers below the normal ones begin with 0.
fn bits_of(size: f64, shift: i64) -> (String, i64) {
    if size == 0.0 {
        return ("0.0".to_owned(), 0);
    }
    let bits = size.to_bits();
    let (fraction, exponent) = (bits & ((1 << 52) - 1), (bits >> 52 & 0x7ff) as i64);
    let (first, power) = if exponent == 0 { (0, -1022) } else { (1, exponent - 1023) };
    let digits = format!("{fraction:013x}");
    let kept = digits.trim_end_matches('0');
    let kept = if kept.is_empty() { "0" } else { kept };
    (format!("{first}.{kept}"), power - shift)
}

/// The number with so many hexadecimal digits behind the point, halves to the even one; small numbers as if they were normal.
fn cut(size: f64, places: usize) -> (String, i64) {
    let small = size < f64::MIN_POSITIVE;
    let (scaled, shift) = if small { (size * 2_f64.powi(54), 54) } else { (size, 0) };
    let distance = 52 - 4 * places as u32;
    let bits = scaled.to_bits();
    let (kept, rest, half) = (bits >> distance, bits & ((1 << distance) - 1), 1_u64 << (distance - 1));
    let up = rest > half || (rest == half && kept % 2 == 1);
    let rounded = f64::from_bits((kept + u64::from(up)) << distance);
    if rounded.is_infinite() {
        return ("1.0".to_owned(), 1024);
    }
    bits_of(rounded, shift)
}

/// The decimal that the Java platform shows for a float: `0.DIGITS` times ten to the `point`.
struct Decimal {
    digits: Vec<u8>,
    point: i64,
}

impl Decimal {
    fn of(size: f64) -> Decimal {
        let mut text = format!("{size:e}");
        if !text.contains('.') {
            // Of decimals with one digit and with two, the platform shows the nearer one.
            text = format!("{size:.1e}");
        }
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let mut digits: Vec<u8> = digits.bytes().filter(u8::is_ascii_digit).map(|digit| digit - b'0').collect();
        while digits.last() == Some(&0) {
            digits.pop();
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
