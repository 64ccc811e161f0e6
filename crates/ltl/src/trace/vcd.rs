//! Traces as value change dumps (VCD, IEEE 1364). Without a clock, every time at which something changes is a step and shows the
//! values after the changes. With a clock, every rising edge is a step and shows the values just before it.

use rustc_hash::FxHashMap;

use super::dump_atom::{DumpAtom, Number, Relation};
use super::lines::Lines;
use super::{Dump, Steps, TraceError, Unknown, Warning, missing};
use crate::codes;

/// A dump that is read change by change.
pub(super) struct Vcd<'a> {
    words: Words<'a>,
    /// The width of each variable that matters, and what it stands for, by its code in the dump.
    targets: FxHashMap<String, (usize, Vec<Target>)>,
    names: Vec<String>,
    watched: Vec<Watched>,
    /// What the propositions are after the changes so far; none if unknown.
    now: Vec<Option<bool>>,
    /// What they were at the end of the time before.
    before: Vec<Option<bool>>,
    unknown: Unknown,
    clock: Option<Clock>,
    /// Whether a signal stands last that says that the system is being reset, and the value that says so.
    reset: Option<bool>,
    has_begun: bool,
    has_changed: bool,
    is_over: bool,
    time: u64,
    unit: String,
    /// The time of the step that was read last.
    step: u64,
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

/// What a proposition asks of a variable: which bits, from the highest on, and what they are compared with.
struct Watched {
    from: usize,
    count: usize,
    test: Option<(Relation, Number)>,
}

impl Watched {
    fn value(&self, bits: &[Option<bool>]) -> Option<bool> {
        let bits = &bits[self.from..self.from + self.count];
        match &self.test {
            Some((relation, number)) => number.compared(bits, *relation),
            None => bits[0],
        }
    }
}

/// A variable of the dump.
struct Variable {
    code: String,
    /// Its name, and with the scopes that it stands in; both without its range.
    name: String,
    path: String,
    /// The range as it is written, and its first and last bit.
    range: String,
    ends: Option<(i64, i64)>,
    width: usize,
}

impl Variable {
    /// Whether a text is this name of the variable, with its range or without.
    fn is(&self, name: &str, text: &str) -> bool {
        text.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest == self.range)
    }
}

impl<'a> Vcd<'a> {
    pub(super) fn open(lines: Lines<'a>, signals: &[String], dump: Dump<'_>) -> Result<Vcd<'a>, TraceError> {
        let mut words = Words { lines, at: 0, start: 0, is_over: false };
        let (variables, unit) = declarations(&mut words)?;
        let mut targets: FxHashMap<String, (usize, Vec<Target>)> = FxHashMap::default();
        let mut watched = Vec::new();
        let reset = dump.reset.map(|name| name.strip_prefix('!').map_or((name, true), |name| (name, false)));
        let extra = reset.map(|(name, _)| name.to_owned());
        let mut add = |words: &Words<'_>, name: &str, target: Target| {
            let (variable, watch) = find(words, &variables, name)?;
            targets.entry(variable.code.clone()).or_insert((variable.width, Vec::new())).1.push(target);
            Ok::<Watched, TraceError>(watch)
        };
        for (place, signal) in signals.iter().chain(&extra).enumerate() {
            watched.push(add(&words, signal, Target::Signal(place))?);
        }
        if let Some(clock) = dump.clock {
            add(&words, clock, Target::Clock)?;
        }
        let count = watched.len();
        Ok(Vcd {
            words,
            targets,
            names: signals.to_vec(),
            watched,
            now: vec![None; count],
            before: vec![None; count],
            unknown: dump.unknown,
            clock: dump.clock.map(|_| Clock::default()),
            reset: reset.map(|(_, level)| level),
            has_begun: false,
            has_changed: false,
            is_over: false,
            time: 0,
            unit,
            step: 0,
        })
    }

    /// Takes a change; bits are written with the highest first, and those that are left out are zero, or unknown behind an unknown one.
    fn change(&mut self, code: &str, written: &str) {
        self.has_changed = true;
        let Some((width, targets)) = self.targets.get(code) else { return };
        let bit = |letter: char| match letter {
            '0' => Some(false),
            '1' => Some(true),
            _ => None,
        };
        let given: Vec<Option<bool>> = written.chars().map(bit).collect();
        let filler = given.first().copied().unwrap_or(None).map(|_| false);
        let mut bits = vec![filler; width.saturating_sub(given.len())];
        bits.extend(&given[given.len().saturating_sub(*width)..]);
        for target in targets {
            match (*target, &mut self.clock) {
                (Target::Signal(place), _) => self.now[place] = self.watched[place].value(&bits),
                (Target::Clock, Some(clock)) => {
                    let value = bits.last().copied().flatten();
                    clock.has_risen |= clock.level == Some(false) && value == Some(true);
                    clock.level = value;
                }
                (Target::Clock, None) => unreachable!("there is a clock"),
            }
        }
    }

    /// Ends a time; whether it is a step, whose values are then in `letter`.
    fn end_of_time(&mut self, letter: &mut [bool], warnings: &mut Vec<Warning>) -> Result<bool, TraceError> {
        let is_step = match &mut self.clock {
            None => self.has_changed,
            Some(clock) => std::mem::take(&mut clock.has_risen),
        };
        let taken = is_step && self.take(letter, warnings)?;
        self.has_changed = false;
        self.before.copy_from_slice(&self.now);
        Ok(taken)
    }

    /// Takes the values of a step into `letter`; false if it is none of the trace.
    fn take(&mut self, letter: &mut [bool], warnings: &mut Vec<Warning>) -> Result<bool, TraceError> {
        let values = if self.clock.is_some() { &self.before } else { &self.now };
        if let (Some(level), Some(value)) = (self.reset, values.last()) {
            let is_active = value.map_or(!self.has_begun, |value| value == level);
            if is_active && self.has_begun {
                let message = "the system is reset once more: the trace ends here, and what follows is not judged";
                warnings.push(self.words.warn(&codes::TRACE_RESET, message));
                self.is_over = true;
            }
            if is_active {
                return Ok(false);
            }
        }
        for ((place, value), name) in letter.iter_mut().zip(values).zip(&self.names) {
            *place = match (*value, self.unknown) {
                (Some(value), _) => value,
                (None, Unknown::False) => false,
                (None, Unknown::Ignore) => return Ok(false),
                (None, Unknown::Error) => {
                    let help = "--unknown false takes such values for false, --unknown ignore leaves such steps out.";
                    let message = format!("`{name}` has no truth value in this step");
                    return Err(self.words.reject(&codes::TRACE_VALUE, &message, Some(help.to_owned())));
                }
            };
        }
        self.has_begun = true;
        self.step = self.time;
        Ok(true)
    }
}

impl Steps for Vcd<'_> {
    fn next(&mut self, letter: &mut [bool], warnings: &mut Vec<Warning>) -> Result<bool, TraceError> {
        while !self.is_over {
            let Some(word) = self.words.next()? else {
                self.is_over = true;
                return self.end_of_time(letter, warnings);
            };
            let (first, rest) = word.split_at(word.chars().next().map_or(0, char::len_utf8));
            let rest = rest.to_owned();
            match first {
                "#" => {
                    let Some(time) = rest.parse().ok().filter(|_| rest.bytes().all(|byte| byte.is_ascii_digit()))
                    else {
                        return Err(self.words.unexpected("a time"));
                    };
                    let is_step = self.end_of_time(letter, warnings)?;
                    self.time = time;
                    if is_step {
                        return Ok(true);
                    }
                }
                "0" | "1" | "x" | "X" | "z" | "Z" if !rest.is_empty() => self.change(&rest, first),
                "b" | "B" | "r" | "R" | "s" | "S" => {
                    let is_binary = first.eq_ignore_ascii_case("b") && !rest.is_empty();
                    let code = self.words.expect("the code of a variable")?;
                    self.change(&code, if is_binary { &rest } else { "x" });
                }
                "$" if rest == "comment" => self.words.skip()?,
                "$" if matches!(rest.as_str(), "dumpvars" | "dumpall" | "dumpon" | "dumpoff" | "end") => {}
                _ => return Err(self.words.unexpected("a time or a change of a value")),
            }
        }
        Ok(false)
    }

    fn time(&self) -> Option<(u64, &str)> {
        Some((self.step, &self.unit))
    }
}

/// The declarations, up to `$enddefinitions`, and the unit of time.
fn declarations(words: &mut Words<'_>) -> Result<(Vec<Variable>, String), TraceError> {
    let mut variables = Vec::new();
    let mut unit = String::new();
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
            "$timescale" => loop {
                match words.expect("`$end`")? {
                    end if end == "$end" => break,
                    part => unit += &part,
                }
            },
            "$var" => variables.push(variable(words, &scopes)?),
            "$enddefinitions" => {
                words.skip()?;
                return Ok((variables, unit));
            }
            section if section.starts_with('$') => words.skip()?,
            _ => return Err(words.unexpected("a section such as `$var`")),
        }
    }
}

/// The rest of a declaration of a variable.
fn variable(words: &mut Words<'_>, scopes: &[String]) -> Result<Variable, TraceError> {
    words.expect("a kind of variable")?;
    let width = words.expect("a width")?;
    let Some(width) = width.parse().ok().filter(|width| (1..=1 << 20).contains(width)) else {
        return Err(words.unexpected("a width"));
    };
    let code = words.expect("a code")?;
    let mut name = words.expect("a name")?;
    let mut range = String::new();
    loop {
        match words.expect("`$end`")? {
            end if end == "$end" => break,
            part => range += &part,
        }
    }
    // Some simulators write the range without a blank before it; `a[3]` of one bit is a name.
    if let (true, Some(place)) = (range.is_empty() && 1 < width, name.rfind('[')) {
        range = name.split_off(place);
    }
    let ends = range.strip_prefix('[').and_then(|range| range.strip_suffix(']')).and_then(|range| {
        let (first, last) = range.split_once(':').unwrap_or((range, range));
        Some((first.trim().parse().ok()?, last.trim().parse().ok()?))
    });
    let path = scopes.iter().map(String::as_str).chain([name.as_str()]).collect::<Vec<_>>().join(".");
    Ok(Variable { code, name, path, range, ends, width })
}

/// The variable that a proposition is about, and what it asks of it. A name is that of the whole path, or the only one.
fn find<'a>(words: &Words<'_>, variables: &'a [Variable], signal: &str) -> Result<(&'a Variable, Watched), TraceError> {
    if let Some(variable) = called(words, variables, signal)? {
        if variable.width != 1 {
            let message = format!("`{signal}` is {} bits wide; a proposition has one", variable.width);
            let help = format!("Name a bit, `\"{signal}[0]\"`, or compare, `\"{signal} == 4\"`.");
            return Err(words.reject(&codes::TRACE_VALUE, &message, Some(help)));
        }
        return Ok((variable, Watched { from: 0, count: 1, test: None }));
    }
    let atom = DumpAtom::parse(signal).map_err(|error| words.reject(&codes::TRACE_VALUE, &error, None))?;
    // `a[3] == 1` may be about a variable called `a[3]`.
    let whole = atom.select.map(|(first, _)| format!("{}[{first}]", atom.name));
    let (found, select) = match (called(words, variables, &atom.name)?, whole) {
        (Some(variable), _) => (Some(variable), atom.select),
        (None, Some(whole)) => (called(words, variables, &whole)?, None),
        (None, None) => (None, None),
    };
    let Some(variable) = found else {
        let known: Vec<&str> = variables.iter().map(|variable| variable.name.as_str()).collect();
        let (code, message, help) = missing(&atom.name, &known);
        return Err(words.reject(code, &message, help));
    };
    let (first, last) = variable.ends.unwrap_or((variable.width as i64 - 1, 0));
    let (from, to) = select.unwrap_or((first, last));
    let place = |bit: i64| usize::try_from(if last <= first { first - bit } else { bit - first }).ok();
    let inside = |place: &usize| *place < variable.width;
    let (Some(from), Some(to)) = (place(from).filter(inside), place(to).filter(inside)) else {
        let message = format!("`{}` has the bits {first} to {last}", variable.name);
        return Err(words.reject(&codes::TRACE_VALUE, &message, None));
    };
    if to < from || atom.test.is_none() && to != from {
        let message = match to < from {
            true => format!("the bits of `{}` go from {first} to {last}", variable.name),
            false => format!("`{signal}` is {} bits wide; a proposition has one", to - from + 1),
        };
        return Err(words.reject(&codes::TRACE_VALUE, &message, None));
    }
    Ok((variable, Watched { from, count: to - from + 1, test: atom.test }))
}

/// The variable that is called so, if there is one. A whole path comes before a name; several declarations of one code are one.
fn called<'a>(words: &Words<'_>, variables: &'a [Variable], name: &str) -> Result<Option<&'a Variable>, TraceError> {
    let by_path = |variable: &&Variable| variable.is(&variable.path, name);
    let by_name = |variable: &&Variable| variable.is(&variable.name, name);
    let mut found: Vec<&Variable> = variables.iter().filter(by_path).collect();
    if found.is_empty() {
        found = variables.iter().filter(by_name).collect();
    }
    let Some(&first) = found.first() else { return Ok(None) };
    match found.iter().find(|other| other.code != first.code) {
        Some(second) => {
            let several = format!("`{}{}` and `{}{}`", first.path, first.range, second.path, second.range);
            let message = format!("`{name}` stands in several scopes: {several}");
            Err(words.reject(&codes::TRACE_MISSING, &message, None))
        }
        None => Ok(Some(first)),
    }
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

    fn warn(&self, code: &'static source::Code, message: &str) -> Warning {
        self.lines.warning(code, self.start, self.at, message)
    }

    fn reject(&self, code: &'static source::Code, message: &str, help: Option<String>) -> TraceError {
        self.lines.reject(code, self.start, self.at, message, help)
    }
}
