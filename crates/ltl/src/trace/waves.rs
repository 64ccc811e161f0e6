//! Traces as the literature prints them: a line `name: T--T` for every signal, and comments after `#`.

use super::lines::Lines;
use super::{Steps, TraceError, Warning, extra, missing};
use crate::codes;

/// A trace that was read as a whole.
pub(super) struct Waves {
    /// For every signal of a letter, its values.
    values: Vec<Vec<bool>>,
    step: usize,
}

impl Waves {
    pub(super) fn open(
        mut lines: Lines<'_>,
        signals: &[String],
        warnings: &mut Vec<Warning>,
    ) -> Result<Waves, TraceError> {
        let mut found: Vec<(String, Vec<bool>)> = Vec::new();
        let mut others: Vec<String> = Vec::new();
        while lines.advance()? {
            let Some((name, values)) = wave(&lines)? else { continue };
            let length = lines.bytes().len();
            if found.iter().any(|(known, _)| *known == name) || others.contains(&name) {
                let message = format!("two lines are called `{name}`");
                return Err(lines.reject(&codes::TRACE_SYNTAX, 0, length, &message, None));
            }
            if let Some((first, expected)) = found.first().filter(|(_, first)| first.len() != values.len()) {
                let message = format!("`{name}` has {} values, `{first}` has {}", values.len(), expected.len());
                return Err(lines.reject(&codes::TRACE_ROW, 0, length, &message, None));
            }
            if signals.contains(&name) {
                found.push((name, values));
            } else {
                if others.is_empty() {
                    warnings.push(lines.warning(&codes::TRACE_EXTRA, 0, length, &extra(&[&name])));
                }
                others.push(name);
            }
        }
        let mut values = Vec::new();
        for signal in signals {
            let Some((_, found)) = found.iter_mut().find(|(name, _)| name == signal) else {
                let known: Vec<&str> = others.iter().map(String::as_str).collect();
                let (code, message, help) = missing(signal, &known);
                return Err(lines.reject(code, 0, 0, &message, help));
            };
            values.push(std::mem::take(found));
        }
        Ok(Waves { values, step: 0 })
    }
}

impl Steps for Waves {
    fn next(&mut self, letter: &mut [bool], _warnings: &mut Vec<Warning>) -> Result<bool, TraceError> {
        if self.values.first().is_none_or(|values| values.len() <= self.step) {
            return Ok(false);
        }
        for (place, values) in letter.iter_mut().zip(&self.values) {
            *place = values[self.step];
        }
        self.step += 1;
        Ok(true)
    }
}

/// The name and the values of the line at hand, unless it is blank or a comment.
fn wave(lines: &Lines<'_>) -> Result<Option<(String, Vec<bool>)>, TraceError> {
    let text = lines.text()?;
    let written = text.split('#').next().unwrap_or_default();
    if written.trim().is_empty() {
        return Ok(None);
    }
    let Some((name, rest)) = written.split_once([':', '=']) else {
        let message = "a line of a trace is `name: T--T`";
        return Err(lines.reject(&codes::TRACE_SYNTAX, 0, text.len(), message, None));
    };
    let mut values = Vec::new();
    for (place, character) in rest.char_indices() {
        values.push(match character {
            'T' | 't' | '1' => true,
            'F' | 'f' | '0' | '-' | '.' => false,
            ' ' | '\t' => continue,
            other => {
                let start = name.len() + 1 + place;
                let message = format!("`{other}` is neither true nor false");
                return Err(lines.reject(&codes::TRACE_VALUE, start, start + other.len_utf8(), &message, None));
            }
        });
    }
    Ok(Some((name.trim().trim_matches('"').to_owned(), values)))
}
