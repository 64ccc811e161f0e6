//! Traces as JSON lines: for every step an object of values by name, or an array of the names of what is true.
//!
//! Objects inside the object are looked into, so that the log of a test run (`{"inputs": {…}, "outputs": {…}}`) is a trace.

use serde_json::Value as Json;

use super::lines::Lines;
use super::{Steps, TraceError, Warning, extra, missing};
use crate::codes;

/// JSON lines.
pub(super) struct JsonLines<'a> {
    lines: Lines<'a>,
    signals: Vec<String>,
    has_warned: bool,
}

impl<'a> JsonLines<'a> {
    pub(super) fn new(lines: Lines<'a>, signals: Vec<String>) -> JsonLines<'a> {
        JsonLines { lines, signals, has_warned: false }
    }

    fn step(&mut self, json: &Json, letter: &mut [bool], warnings: &mut Vec<Warning>) -> Result<(), TraceError> {
        let length = self.lines.bytes().len();
        let mut others: Vec<&str> = Vec::new();
        match json {
            Json::Object(_) => {
                let mut found: Vec<(&str, &Json)> = Vec::new();
                flatten(json, &mut found);
                for (signal, place) in self.signals.iter().zip(letter.iter_mut()) {
                    let Some((_, value)) = found.iter().find(|(name, _)| name == signal) else {
                        let known: Vec<&str> = found.iter().map(|(name, _)| *name).collect();
                        let (code, message, help) = missing(signal, &known);
                        return Err(self.lines.reject(code, 0, length, &message, help));
                    };
                    *place = match value {
                        Json::Bool(value) => *value,
                        Json::Number(number) if number.as_u64() == Some(1) => true,
                        Json::Number(number) if number.as_u64() == Some(0) => false,
                        other => {
                            let message = format!("the value of `{signal}` is neither true nor false: {other}");
                            return Err(self.lines.reject(&codes::TRACE_VALUE, 0, length, &message, None));
                        }
                    };
                }
                others.extend(found.iter().map(|(name, _)| *name).filter(|name| !self.is_known(name)));
            }
            Json::Array(names) => {
                letter.fill(false);
                for name in names {
                    let Json::String(name) = name else {
                        let message = format!("an array holds the names of what is true; {name} is not a name");
                        return Err(self.lines.reject(&codes::TRACE_SYNTAX, 0, length, &message, None));
                    };
                    match self.signals.iter().position(|signal| signal == name) {
                        Some(place) => letter[place] = true,
                        None => others.push(name),
                    }
                }
            }
            Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => {
                let message = "a step is an object of values or an array of names";
                return Err(self.lines.reject(&codes::TRACE_SYNTAX, 0, length, message, None));
            }
        }
        if !others.is_empty() && !self.has_warned {
            self.has_warned = true;
            warnings.push(self.lines.warning(&codes::TRACE_EXTRA, 0, length, &extra(&others)));
        }
        Ok(())
    }

    fn is_known(&self, name: &str) -> bool {
        self.signals.iter().any(|signal| signal == name)
    }
}

impl Steps for JsonLines<'_> {
    fn next(&mut self, letter: &mut [bool], warnings: &mut Vec<Warning>) -> Result<bool, TraceError> {
        loop {
            if !self.lines.advance()? {
                return Ok(false);
            }
            let text = self.lines.text()?;
            if text.trim().is_empty() {
                continue;
            }
            let json: Json = serde_json::from_str(text).map_err(|error| {
                let column = error.column().saturating_sub(1);
                self.lines.reject(&codes::TRACE_SYNTAX, column, column + 1, &format!("not JSON: {error}"), None)
            })?;
            self.step(&json, letter, warnings)?;
            return Ok(true);
        }
    }
}

/// The values of an object and of the objects in it; the parser limits how deep they nest.
fn flatten<'a>(json: &'a Json, found: &mut Vec<(&'a str, &'a Json)>) {
    let mut open = vec![json];
    while let Some(json) = open.pop() {
        for (name, value) in json.as_object().into_iter().flatten() {
            match value {
                Json::Object(_) => open.push(value),
                Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) | Json::Array(_) => {
                    found.push((name, value));
                }
            }
        }
    }
}
