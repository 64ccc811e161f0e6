//! Models of the functions on strings and memory.

use super::Fault;
use super::code::Scalar;
use super::machine::{Machine, Run, Value};
use super::models::Model;
use crate::types::{Integer, TypeId};

/// No string is longer.
const LONGEST: u64 = 1 << 24;

impl Machine<'_> {
    /// One byte, asked for if it is an input.
    fn byte(&mut self, address: i128) -> Run<u8> {
        // As the declared type where it is a `char`, so that inputs have the names and types the user knows.
        let plain = Integer { bits: 8, signed: self.program.types.model().signed_char };
        self.load(address, Scalar::Integer(plain), TypeId::CHAR).map(|value| value as u8)
    }

    /// A string without its end.
    pub(super) fn string(&mut self, address: i128) -> Run<Vec<u8>> {
        self.string_up_to(address, u64::MAX)
    }

    fn string_up_to(&mut self, address: i128, most: u64) -> Run<Vec<u8>> {
        let mut text = Vec::new();
        while (text.len() as u64) < most {
            match self.byte(address + text.len() as i128)? {
                0 => break,
                byte => text.push(byte),
            }
            if text.len() as u64 > LONGEST {
                return Err(super::Limit::Memory.into());
            }
        }
        Ok(text)
    }

    pub(super) fn put_bytes(&mut self, address: i128, bytes: &[u8]) -> Run<()> {
        self.write_bytes(address, bytes, &vec![true; bytes.len()])
    }

    fn put_string(&mut self, address: i128, text: &[u8]) -> Run<()> {
        let mut bytes = text.to_vec();
        bytes.push(0);
        self.put_bytes(address, &bytes)
    }

    /// Two regions that must not overlap.
    fn apart(&self, left: i128, right: i128, size: u64) -> Run<()> {
        let size = i128::from(size);
        if size > 0 && left < right + size && right < left + size { Err(Fault::Overlap.into()) } else { Ok(()) }
    }

    /// Compares bytes one by one, as far as needed, so that no more inputs are read than the library must read.
    fn compare(&mut self, left: i128, right: i128, most: u64, strings: bool, fold: bool) -> Run<i128> {
        for index in 0..most {
            let (a, b) = (self.byte(left + i128::from(index))?, self.byte(right + i128::from(index))?);
            let (a, b) = if fold { (a.to_ascii_lowercase(), b.to_ascii_lowercase()) } else { (a, b) };
            if a != b {
                self.compared = (a.into(), b.into());
                return Ok(if a < b { -1 } else { 1 });
            }
            if strings && a == 0 {
                break;
            }
        }
        Ok(0)
    }

    fn copy(&mut self, to: i128, from: i128, size: u64) -> Run<()> {
        if let Value::Bytes(bytes, known) = self.read_bytes(from, size, None)? {
            self.write_bytes(to, &bytes, &known)?;
        }
        Ok(())
    }

    pub(super) fn string_model(&mut self, model: Model, values: &[i128]) -> Run<Value> {
        let at = |index: usize| values.get(index).copied().unwrap_or(0);
        let size = |index: usize| u64::try_from(at(index)).unwrap_or(u64::MAX);
        let value = match model {
            Model::Strlen => self.string(at(0))?.len() as i128,
            Model::Strnlen => self.string_up_to(at(0), size(1))?.len() as i128,
            Model::Strcpy | Model::Stpcpy => {
                let text = self.string(at(1))?;
                self.apart(at(0), at(1), text.len() as u64 + 1)?;
                self.put_string(at(0), &text)?;
                if model == Model::Stpcpy { at(0) + text.len() as i128 } else { at(0) }
            }
            Model::Strncpy => {
                let mut text = self.string_up_to(at(1), size(2))?;
                if size(2) > LONGEST {
                    return Err(Fault::OutOfBounds.into());
                }
                text.resize(size(2) as usize, 0);
                self.put_bytes(at(0), &text)?;
                at(0)
            }
            Model::Strcat => {
                let end = at(0) + self.string(at(0))?.len() as i128;
                let text = self.string(at(1))?;
                self.put_string(end, &text)?;
                at(0)
            }
            Model::Strncat => {
                let end = at(0) + self.string(at(0))?.len() as i128;
                let text = self.string_up_to(at(1), size(2))?;
                self.put_string(end, &text)?;
                at(0)
            }
            Model::Strcmp => self.compare(at(0), at(1), u64::MAX, true, false)?,
            Model::Strncmp => self.compare(at(0), at(1), size(2), true, false)?,
            Model::Strcasecmp => self.compare(at(0), at(1), u64::MAX, true, true)?,
            Model::Strncasecmp => self.compare(at(0), at(1), size(2), true, true)?,
            Model::Strchr => self.find_character(at(0), at(1) as u8)?,
            Model::Strrchr => {
                let mut text = self.string(at(0))?;
                text.push(0);
                text.iter().rposition(|byte| *byte == at(1) as u8).map_or(0, |index| at(0) + index as i128)
            }
            Model::Strstr => {
                let (text, wanted) = (self.string(at(0))?, self.string(at(1))?);
                let found =
                    (0..=text.len().saturating_sub(wanted.len())).find(|start| text[*start..].starts_with(&wanted));
                found.map_or(0, |index| at(0) + index as i128)
            }
            Model::Strspn | Model::Strcspn | Model::Strpbrk => {
                let (text, set) = (self.string(at(0))?, self.string(at(1))?);
                let stop = text.iter().position(|byte| set.contains(byte) != (model == Model::Strspn));
                match (model, stop) {
                    (Model::Strpbrk, found) => found.map_or(0, |index| at(0) + index as i128),
                    (_, stop) => stop.unwrap_or(text.len()) as i128,
                }
            }
            Model::Strdup => {
                let text = self.string(at(0))?;
                let id = self.memory.allocate(text.len() as u64 + 1, super::memory::Kind::Heap, true)?;
                let address = self.memory.address(id);
                self.put_string(address, &text)?;
                address
            }
            Model::Memcpy | Model::Mempcpy => {
                self.apart(at(0), at(1), size(2))?;
                self.copy(at(0), at(1), size(2))?;
                if model == Model::Mempcpy { at(0) + at(2) } else { at(0) }
            }
            Model::Memmove => {
                self.copy(at(0), at(1), size(2))?;
                at(0)
            }
            Model::Memset | Model::Bzero => {
                let (byte, count) = if model == Model::Memset { (at(1) as u8, size(2)) } else { (0, size(1)) };
                if count > 0 {
                    self.memory.check(at(0), count)?;
                    self.put_bytes(at(0), &vec![byte; count as usize])?;
                }
                at(0)
            }
            Model::Memcmp => self.compare(at(0), at(1), size(2), false, false)?,
            Model::Memchr => {
                let mut found = 0;
                for index in 0..size(2) {
                    let here = at(0) + i128::from(index);
                    if self.byte(here)? == at(1) as u8 {
                        found = here;
                        break;
                    }
                }
                found
            }
            _ => unreachable!("the other models are elsewhere"),
        };
        Ok(Value::Scalar(value))
    }

    /// `strtol` and its kin, for results of 64 bits: the number, saturated with `errno` set, and the place behind it.
    pub(super) fn scanned_integer(&mut self, start: i128, end: i128, base: i128, signed: bool) -> Run<Value> {
        let Some(mut radix) = u32::try_from(base).ok().filter(|base| *base == 0 || (2..=36).contains(base)) else {
            return Err(Fault::LibraryPrecondition.into());
        };
        let mut at = start;
        while matches!(self.byte(at)?, b' ' | 9..=13) {
            at += 1;
        }
        let sign = self.byte(at)?;
        at += i128::from(matches!(sign, b'+' | b'-'));
        let prefixed = self.byte(at)? == b'0'
            && matches!(self.byte(at + 1)?, b'x' | b'X')
            && char::from(self.byte(at + 2)?).is_ascii_hexdigit();
        if (radix == 0 || radix == 16) && prefixed {
            at += 2;
            radix = 16;
        } else if radix == 0 {
            radix = if self.byte(at)? == b'0' { 8 } else { 10 };
        }
        let (mut value, mut digits) = (0i128, 0);
        while let Some(digit) = char::from(self.byte(at)?).to_digit(radix) {
            value = (value * i128::from(radix) + i128::from(digit)).min(1 << 80);
            digits += 1;
            at += 1;
        }
        if end != 0 {
            let pointer = Scalar::Pointer(self.program.types.model().pointer);
            self.store(end, pointer, if digits == 0 { start } else { at })?;
        }
        let value = if sign == b'-' { -value } else { value };
        let width = Integer { bits: 64, signed };
        if signed && !width.holds(value) || !signed && value.abs() > width.max() {
            self.set_errno(34)?;
            return Ok(Value::Scalar(if signed && value < 0 { width.min() } else { width.max() }));
        }
        Ok(Value::Scalar(width.wrap(value)))
    }

    /// The number that a text begins with, and how many bytes it takes: `strtod`.
    pub(super) fn scanned_float(&mut self, start: i128) -> Run<(f64, usize)> {
        let mut text = Vec::new();
        // No number is longer than this and means something else than its beginning does.
        while text.len() < 400 {
            match self.byte(start + text.len() as i128)? {
                0 => break,
                byte => text.push(byte),
            }
        }
        Ok(floating_prefix(&text))
    }

    fn find_character(&mut self, address: i128, wanted: u8) -> Run<i128> {
        let mut at = address;
        loop {
            let byte = self.byte(at)?;
            if byte == wanted {
                return Ok(at);
            }
            if byte == 0 {
                return Ok(0);
            }
            at += 1;
        }
    }
}

/// The number at the beginning of a text as `strtod` reads it, and its length with the blanks before it; 0 if there is none.
fn floating_prefix(text: &[u8]) -> (f64, usize) {
    let blanks = text.iter().take_while(|byte| matches!(byte, b' ' | 9..=13)).count();
    let sign = usize::from(matches!(text.get(blanks), Some(b'+' | b'-')));
    let negative = text.get(blanks) == Some(&b'-');
    let body = &text[blanks + sign..];
    let signed = |number: f64| if negative { -number } else { number };
    let starts = |word: &str| body.len() >= word.len() && body[..word.len()].eq_ignore_ascii_case(word.as_bytes());
    for (word, number) in [("infinity", f64::INFINITY), ("inf", f64::INFINITY), ("nan", f64::NAN)] {
        if starts(word) {
            return (signed(number), blanks + sign + word.len());
        }
    }
    if starts("0x")
        && let Some((number, length)) = hexadecimal(&body[2..])
    {
        return (signed(number), blanks + sign + 2 + length);
    }
    let digits = |from: usize| body[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let whole = digits(0);
    let mut end = whole;
    let mut fraction = 0;
    if body.get(end) == Some(&b'.') {
        fraction = digits(end + 1);
        end += 1 + fraction;
    }
    if whole + fraction == 0 {
        return (0.0, 0);
    }
    if matches!(body.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(body.get(end + 1), Some(b'+' | b'-')));
        let exponent = if end + 1 + sign <= body.len() { digits(end + 1 + sign) } else { 0 };
        if 0 < exponent {
            end += 1 + sign + exponent;
        }
    }
    let number: f64 = std::str::from_utf8(&body[..end]).ok().and_then(|text| text.parse().ok()).unwrap_or(0.0);
    (signed(number), blanks + sign + end)
}

/// The digits and exponent behind `0x`, where they are few enough to be exact.
fn hexadecimal(text: &[u8]) -> Option<(f64, usize)> {
    let (mut number, mut digits, mut scale, mut at, mut point) = (0u64, 0, 0i32, 0, false);
    while let Some(&byte) = text.get(at) {
        match char::from(byte).to_digit(16) {
            Some(digit) => {
                number = number.checked_mul(16).filter(|number| *number < 1 << 53)? + u64::from(digit);
                digits += 1;
                scale -= if point { 4 } else { 0 };
            }
            None if byte == b'.' && !point => point = true,
            None => break,
        }
        at += 1;
    }
    if digits == 0 {
        return None;
    }
    if matches!(text.get(at), Some(b'p' | b'P')) {
        let sign = usize::from(matches!(text.get(at + 1), Some(b'+' | b'-')));
        let power: String = text[(at + 1 + sign).min(text.len())..]
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .map(|&byte| char::from(byte))
            .collect();
        if let Ok(exponent) = power.parse::<i32>() {
            scale += if text[at + 1] == b'-' { -exponent } else { exponent };
            at += 1 + sign + power.len();
        }
    }
    let step = if scale < 0 { 0.5 } else { 2.0 };
    let number = (0..scale.unsigned_abs().min(3_000)).fold(number as f64, |number, _| number * step);
    Some((number, at))
}
