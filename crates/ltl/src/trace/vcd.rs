//! Traces as value change dumps (VCD, IEEE 1364). Without a clock, every time at which something changes is a step and shows the
//! values after the changes. With a clock, every rising edge is a step and shows the values just before it.

use rustc_hash::FxHashMap;

use super::lines::Lines;
use super::{Steps, TraceError, Warning, missing};
use crate::codes;

/// A dump that is read change by change.
pub(super) struct Vcd<'a> {
    words: Words<'a>,
    /// What a code of the dump stands for; several signals may share one.
    targets: FxHashMap<String, Vec<Target>>,
    names: Vec<String>,
    /// The values of the signals after the changes so far.
    now: Vec<Option<bool>>,
    /// The values of the signals at the end of the time before.
    before: Vec<Option<bool>>,
    clock: Option<Clock>,
    has_changed: bool,
    is_over: bool,
}

#[derive(Clone, Copy)]
enum Target {
    Signal(usize),
    Clock,
}

#[derive(Clone, Copy, Default)]
struct Clock {
    level: Option<bool>,
    has_risen: bool,
}

/// A variable of the dump.
struct Variable {
    code: String,
    path: String,
    name: String,
    width: String,
}

impl<'a> Vcd<'a> {
    pub(super) fn open(lines: Lines<'a>, signals: &[String], clock: Option<&str>) -> Result<Vcd<'a>, TraceError> {
        let mut words = Words { lines, at: 0, start: 0, is_over: false };
        let variables = declarations(&mut words)?;
        let mut targets: FxHashMap<String, Vec<Target>> = FxHashMap::default();
        for (place, signal) in signals.iter().enumerate() {
            let variable = find(&words, &variables, signal)?;
            targets.entry(variable.code.clone()).or_default().push(Target::Signal(place));
        }
        if let Some(clock) = clock {
            let variable = find(&words, &variables, clock)?;
            targets.entry(variable.code.clone()).or_default().push(Target::Clock);
        }
        Ok(Vcd {
            words,
            targets,
            names: signals.to_vec(),
            now: vec![None; signals.len()],
            before: vec![None; signals.len()],
            clock: clock.map(|_| Clock::default()),
            has_changed: false,
            is_over: false,
        })
    }

    /// Takes a change; `value` is none for unknown and undriven.
    fn change(&mut self, code: &str, value: Option<bool>) {
        self.has_changed = true;
        for target in self.targets.get(code).into_iter().flatten() {
            match (*target, &mut self.clock) {
                (Target::Signal(place), _) => self.now[place] = value,
                (Target::Clock, Some(clock)) => {
                    clock.has_risen |= clock.level == Some(false) && value == Some(true);
                    clock.level = value;
                }
                (Target::Clock, None) => unreachable!("there is a clock"),
            }
        }
    }

    /// Ends a time; whether it is a step, whose values are then in `letter`.
    fn end_of_time(&mut self, letter: &mut [bool]) -> Result<bool, TraceError> {
        let (is_step, values) = match &mut self.clock {
            None => (self.has_changed, &self.now),
            Some(clock) => (std::mem::take(&mut clock.has_risen), &self.before),
        };
        if is_step {
            for ((place, value), name) in letter.iter_mut().zip(values).zip(&self.names) {
                let Some(value) = *value else {
                    return Err(self.words.reject(
                        &codes::TRACE_VALUE,
                        &format!("`{name}` has no truth value in this step"),
                        None,
                    ));
                };
                *place = value;
            }
        }
        self.has_changed = false;
        self.before.copy_from_slice(&self.now);
        Ok(is_step)
    }
}

impl Steps for Vcd<'_> {
    fn next(&mut self, letter: &mut [bool], _warnings: &mut Vec<Warning>) -> Result<bool, TraceError> {
        while !self.is_over {
            let Some(word) = self.words.next()? else {
                self.is_over = true;
                return self.end_of_time(letter);
            };
            let (first, rest) = word.split_at(word.chars().next().map_or(0, char::len_utf8));
            let rest = rest.to_owned();
            match first {
                "#" => {
                    if rest.is_empty() || !rest.bytes().all(|byte| byte.is_ascii_digit()) {
                        return Err(self.words.unexpected("a time"));
                    }
                    if self.end_of_time(letter)? {
                        return Ok(true);
                    }
                }
                "0" | "1" if !rest.is_empty() => self.change(&rest, Some(first == "1")),
                "x" | "X" | "z" | "Z" if !rest.is_empty() => self.change(&rest, None),
                "b" | "B" | "r" | "R" | "s" | "S" => {
                    let value = match rest.trim_start_matches('0') {
                        "" if !rest.is_empty() => Some(false),
                        "1" => Some(true),
                        _ => None,
                    };
                    let code = self.words.expect("the code of a variable")?;
                    self.change(&code, value);
                }
                "$" if rest == "comment" => self.words.skip()?,
                "$" if matches!(rest.as_str(), "dumpvars" | "dumpall" | "dumpon" | "dumpoff" | "end") => {}
                _ => return Err(self.words.unexpected("a time or a change of a value")),
            }
        }
        Ok(false)
    }
}

/// The declarations, up to `$enddefinitions`.
fn declarations(words: &mut Words<'_>) -> Result<Vec<Variable>, TraceError> {
    let mut variables = Vec::new();
    let mut scopes: Vec<String> = Vec::new();
    loop {
        let word = words.expect("`$enddefinitions`")?;
        match word.as_str() {
            "$scope" => {
                words.expect("a kind of scope")?;
                scopes.push(words.expect("the name of a scope")?);
                words.skip()?;
            }
            "$upscope" => {
                scopes.pop();
                words.skip()?;
            }
            "$var" => {
                words.expect("a kind of variable")?;
                let width = words.expect("a width")?;
                let code = words.expect("a code")?;
                let mut name = words.expect("a name")?;
                loop {
                    match words.expect("`$end`")? {
                        end if end == "$end" => break,
                        range => name += &range,
                    }
                }
                let path = scopes.iter().map(String::as_str).chain([name.as_str()]).collect::<Vec<_>>().join(".");
                variables.push(Variable { code, path, name, width });
            }
            "$enddefinitions" => {
                words.skip()?;
                return Ok(variables);
            }
            section if section.starts_with('$') => words.skip()?,
            _ => return Err(words.unexpected("a section such as `$var`")),
        }
    }
}

/// The variable of a name: that of the whole path, or the only one with this name.
fn find<'a>(words: &Words<'_>, variables: &'a [Variable], signal: &str) -> Result<&'a Variable, TraceError> {
    let by_path = variables.iter().find(|variable| variable.path == signal);
    let mut by_name = variables.iter().filter(|variable| variable.name == signal);
    let (first, second) = (by_name.next(), by_name.find(|other| first_code(variables, signal) != Some(&other.code)));
    let found = match (by_path, first, second) {
        (Some(variable), _, _) | (None, Some(variable), None) => variable,
        (None, Some(first), Some(second)) => {
            let message = format!("`{signal}` stands in several scopes: `{}` and `{}`", first.path, second.path);
            return Err(words.reject(&codes::TRACE_MISSING, &message, None));
        }
        (None, None, _) => {
            let known: Vec<&str> = variables.iter().map(|variable| variable.name.as_str()).collect();
            let (code, message, help) = missing(signal, &known);
            return Err(words.reject(code, &message, help));
        }
    };
    if found.width != "1" {
        let message = format!("`{signal}` is {} bits wide; a proposition has one", found.width);
        return Err(words.reject(&codes::TRACE_VALUE, &message, None));
    }
    Ok(found)
}

/// The code of the first variable with a name.
fn first_code<'a>(variables: &'a [Variable], name: &str) -> Option<&'a String> {
    variables.iter().find(|variable| variable.name == name).map(|variable| &variable.code)
}

/// The words of a dump.
struct Words<'a> {
    lines: Lines<'a>,
    at: usize,
    start: usize,
    is_over: bool,
}

impl Words<'_> {
    /// The next word, or none at the end.
    fn next(&mut self) -> Result<Option<String>, TraceError> {
        while !self.is_over {
            let line = self.lines.bytes();
            let blanks = line[self.at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            self.start = self.at + blanks;
            let length = line[self.start..].iter().take_while(|byte| !byte.is_ascii_whitespace()).count();
            if 0 < length {
                self.at = self.start + length;
                return Ok(Some(self.lines.text()?[self.start..self.at].to_owned()));
            }
            (self.at, self.start) = (0, 0);
            self.is_over = !self.lines.advance()?;
        }
        Ok(None)
    }

    fn expect(&mut self, what: &str) -> Result<String, TraceError> {
        match self.next()? {
            Some(word) => Ok(word),
            None => Err(self.reject(&codes::TRACE_SYNTAX, &format!("the dump ends where {what} is expected"), None)),
        }
    }

    /// Goes past the next `$end`.
    fn skip(&mut self) -> Result<(), TraceError> {
        while self.expect("`$end`")? != "$end" {}
        Ok(())
    }

    fn unexpected(&self, what: &str) -> TraceError {
        let word = String::from_utf8_lossy(&self.lines.bytes()[self.start..self.at]).into_owned();
        self.reject(&codes::TRACE_SYNTAX, &format!("{what} is expected, `{word}` is found"), None)
    }

    fn reject(&self, code: &'static source::Code, message: &str, help: Option<String>) -> TraceError {
        self.lines.reject(code, self.start, self.at, message, help)
    }
}
