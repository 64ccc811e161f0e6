//! Traces as tables: a head of names, then a line of values for every step.

use super::lines::Lines;
use super::{Steps, TraceError, Warning, extra, missing, truth};
use crate::codes;

/// A table that is read line by line.
pub(super) struct Csv<'a> {
    lines: Lines<'a>,
    separator: u8,
    /// For every column, the place of its signal in a letter.
    places: Vec<Option<usize>>,
}

/// A field: where it stands in its line, and its text if that is not what stands there.
struct Field {
    start: usize,
    end: usize,
    quoted: Option<Vec<u8>>,
}

impl<'a> Csv<'a> {
    pub(super) fn open(
        mut lines: Lines<'a>,
        signals: &[String],
        warnings: &mut Vec<Warning>,
    ) -> Result<Csv<'a>, TraceError> {
        loop {
            if !lines.advance()? {
                let message = "the trace is empty; it begins with a line of signal names";
                return Err(lines.reject(&codes::TRACE_SYNTAX, 0, 0, message, None));
            }
            if !is_blank(lines.bytes()) {
                break;
            }
        }
        let text = lines.text()?;
        let separator = [b',', b';', b'\t'].into_iter().find(|byte| text.as_bytes().contains(byte)).unwrap_or(b',');
        let fields = fields(&lines, separator)?;
        let names: Vec<String> =
            fields.iter().map(|field| String::from_utf8_lossy(field.trimmed(lines.bytes())).into_owned()).collect();
        let known: Vec<&str> = names.iter().map(String::as_str).collect();
        let mut places = vec![None; names.len()];
        for (place, signal) in signals.iter().enumerate() {
            let mut named = (0..names.len()).filter(|&column| names[column] == *signal);
            match (named.next(), named.next()) {
                (Some(column), None) => places[column] = Some(place),
                (Some(_), Some(second)) => {
                    let (start, end) = (fields[second].start, fields[second].end);
                    let message = format!("two columns are called `{signal}`");
                    return Err(lines.reject(&codes::TRACE_SYNTAX, start, end, &message, None));
                }
                (None, _) => {
                    let (code, message, help) = missing(signal, &known);
                    return Err(lines.reject(code, 0, lines.bytes().len(), &message, help));
                }
            }
        }
        let others: Vec<usize> = (0..names.len()).filter(|&column| places[column].is_none()).collect();
        if let (Some(&first), names) = (others.first(), others.iter().map(|&column| known[column]).collect::<Vec<_>>())
        {
            let (start, end) = (fields[first].start, fields[first].end);
            warnings.push(lines.warning(&codes::TRACE_EXTRA, start, end, &extra(&names)));
        }
        Ok(Csv { lines, separator, places })
    }

    /// Reads a line without quotes; whether it has as many fields as the head and values where they are needed.
    fn plain(&self, letter: &mut [bool]) -> bool {
        let mut columns = self.places.iter();
        for field in self.lines.bytes().split(|&byte| byte == self.separator) {
            let Some(place) = columns.next() else { return false };
            if let Some(place) = *place {
                let Some(value) = truth(field.trim_ascii()) else { return false };
                letter[place] = value;
            }
        }
        columns.next().is_none()
    }

    /// Reads a line with quotes, or says what is wrong with it.
    fn careful(&self, letter: &mut [bool]) -> Result<(), TraceError> {
        let lines = &self.lines;
        lines.text()?;
        let fields = fields(lines, self.separator)?;
        if fields.len() != self.places.len() {
            let message = format!("this line has {} fields, the head {}", fields.len(), self.places.len());
            return Err(lines.reject(&codes::TRACE_ROW, 0, lines.bytes().len(), &message, None));
        }
        for (field, place) in fields.iter().zip(&self.places) {
            let Some(place) = *place else { continue };
            let text = field.trimmed(lines.bytes());
            let Some(value) = truth(text) else {
                let message = format!("`{}` is neither true nor false", String::from_utf8_lossy(text));
                return Err(lines.reject(&codes::TRACE_VALUE, field.start, field.end, &message, None));
            };
            letter[place] = value;
        }
        Ok(())
    }
}

impl Steps for Csv<'_> {
    fn next(&mut self, letter: &mut [bool], _warnings: &mut Vec<Warning>) -> Result<bool, TraceError> {
        loop {
            if !self.lines.advance()? {
                return Ok(false);
            }
            if !is_blank(self.lines.bytes()) {
                break;
            }
        }
        if !self.plain(letter) {
            self.careful(letter)?;
        }
        Ok(true)
    }
}

fn is_blank(line: &[u8]) -> bool {
    line.trim_ascii().is_empty()
}

/// The fields of the line at hand. A field in quotes may hold separators and doubled quotes.
fn fields(lines: &Lines<'_>, separator: u8) -> Result<Vec<Field>, TraceError> {
    let line = lines.bytes();
    let mut fields = Vec::new();
    let mut at = 0;
    loop {
        let start = at;
        let blanks = line[at..].iter().take_while(|byte| **byte == b' ').count();
        let mut quoted = None;
        if line.get(at + blanks) == Some(&b'"') {
            at += blanks + 1;
            let mut text = Vec::new();
            loop {
                match (line.get(at), line.get(at + 1)) {
                    (Some(b'"'), Some(b'"')) => {
                        text.push(b'"');
                        at += 2;
                    }
                    (Some(b'"'), _) => break,
                    (Some(&byte), _) => {
                        text.push(byte);
                        at += 1;
                    }
                    (None, _) => {
                        let message = "this quote is never closed";
                        return Err(lines.reject(&codes::TRACE_SYNTAX, start, line.len(), message, None));
                    }
                }
            }
            quoted = Some(text);
        }
        let length = line[at..].iter().position(|byte| *byte == separator).unwrap_or(line.len() - at);
        at += length;
        fields.push(Field { start, end: at, quoted });
        if at == line.len() {
            return Ok(fields);
        }
        at += 1;
    }
}

impl Field {
    fn trimmed<'a>(&'a self, line: &'a [u8]) -> &'a [u8] {
        self.quoted.as_deref().unwrap_or(&line[self.start..self.end]).trim_ascii()
    }
}
