//! Value change dumps (VCD, IEEE 1364): every signal keeps its value from one change to the next.

use std::collections::HashMap;

use source::Span;
use value::{RBig, UBig};

use super::{Kind, Problem, Recorded, Sample, missing};

/// A variable of the dump.
struct Variable {
    code: String,
    path: String,
    name: String,
    /// The range behind the name, as in `[7:0]`.
    range: Option<(u32, u32)>,
}

/// Where the changes of a code go: a column, and the bit of the vector, if only that is wanted.
type Target = (usize, Option<u32>);

/// The changes of some signals, with times in seconds. A signal is named by its path, or by its name alone where that is clear; one bit
/// of a vector as in `bus[3]`.
pub(crate) fn read_dump(text: &str, wanted: &[String]) -> Result<Recorded, Problem> {
    let mut words = Words { text, at: 0, start: 0 };
    let (variables, tick) = declarations(&mut words)?;
    let mut targets: HashMap<&str, Vec<Target>> = HashMap::new();
    for (column, name) in wanted.iter().enumerate() {
        let (variable, bit) = find(&variables, name, words.span())?;
        targets.entry(variable.code.as_str()).or_default().push((column, bit));
    }
    let mut recorded = Recorded::default();
    let mut time = RBig::ZERO;
    while let Some(word) = words.next() {
        let (first, rest) = word.split_at(word.chars().next().map_or(0, char::len_utf8));
        let (bits, code) = match first {
            "#" => {
                let count: UBig = rest.parse().map_err(|_| words.problem("the time is not a number"))?;
                let next = RBig::from(count) * &tick;
                if next < time {
                    return Err(Problem { kind: Kind::Time, ..words.problem("the time lies before the one above") });
                }
                time = next;
                recorded.end = Some(time.clone());
                continue;
            }
            "0" | "1" | "x" | "X" | "z" | "Z" if !rest.is_empty() => (first.to_owned(), rest),
            "b" | "B" | "r" | "R" | "s" | "S" => (word.to_owned(), words.expect("the code of a variable")?),
            "$" if rest == "comment" => {
                words.skip()?;
                continue;
            }
            "$" if matches!(rest, "dumpvars" | "dumpall" | "dumpon" | "dumpoff" | "end") => continue,
            _ => return Err(words.problem("a time or a change of a value is expected")),
        };
        recorded.end.get_or_insert_with(|| time.clone());
        for &(column, bit) in targets.get(code).into_iter().flatten() {
            let span = words.span();
            recorded.samples.push(Sample { time: time.clone(), column, text: value(&bits, bit), span });
        }
    }
    Ok(recorded)
}

/// The value that a change writes, or one bit of it; none for unknown and undriven.
fn value(written: &str, bit: Option<u32>) -> Option<String> {
    let (kind, rest) = written.split_at(1);
    match kind {
        "0" | "1" => Some(kind.to_owned()),
        "b" | "B" => match bit {
            Some(bit) => {
                // Leading bits may be left out: they are those that extend the first one.
                let place = rest.len().checked_sub(1 + bit as usize);
                let digit =
                    place.map_or(if rest.starts_with(['x', 'X', 'z', 'Z']) { "x" } else { "0" }, |at| &rest[at..=at]);
                matches!(digit, "0" | "1").then(|| digit.to_owned())
            }
            None => UBig::from_str_radix(rest, 2).ok().map(|number| number.to_string()),
        },
        "r" | "R" => Some(rest.to_owned()),
        "s" | "S" => Some(rest.to_owned()),
        _ => None,
    }
}

fn declarations(words: &mut Words<'_>) -> Result<(Vec<Variable>, RBig), Problem> {
    let mut variables = Vec::new();
    let mut scopes: Vec<&str> = Vec::new();
    let mut tick = RBig::ONE;
    loop {
        match words.expect("`$enddefinitions`")? {
            "$timescale" => {
                let mut scale = String::new();
                loop {
                    match words.expect("`$end`")? {
                        "$end" => break,
                        word => scale += word,
                    }
                }
                tick = timescale(&scale).ok_or_else(|| words.problem("the time scale is one such as `10 ns`"))?;
            }
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
                words.expect("a width")?;
                let code = words.expect("a code")?.to_owned();
                let mut name = words.expect("a name")?.to_owned();
                loop {
                    match words.expect("`$end`")? {
                        "$end" => break,
                        more => name += more,
                    }
                }
                let (name, range) = split_range(&name);
                let path = scopes.iter().copied().chain([name.as_str()]).collect::<Vec<_>>().join(".");
                variables.push(Variable { code, path, name, range });
            }
            "$enddefinitions" => {
                words.skip()?;
                return Ok((variables, tick));
            }
            section if section.starts_with('$') => words.skip()?,
            _ => return Err(words.problem("a section such as `$var` is expected")),
        }
    }
}

/// `10ns` in seconds.
fn timescale(text: &str) -> Option<RBig> {
    let digits = text.len() - text.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
    let count: UBig = text[..digits].parse().ok()?;
    let places = match &text[digits..] {
        "s" => 0,
        "ms" => 3,
        "us" => 6,
        "ns" => 9,
        "ps" => 12,
        "fs" => 15,
        _ => return None,
    };
    Some(RBig::from_parts(count.into(), UBig::from(10u8).pow(places)))
}

/// `bus[7:0]` as its name and range; `bit[3]`, which is one variable of its own, stays a name.
fn split_range(name: &str) -> (String, Option<(u32, u32)>) {
    let range = || {
        let (name, range) = name.strip_suffix(']')?.rsplit_once('[')?;
        let (high, low) = range.split_once(':')?;
        Some((name.to_owned(), Some((high.parse().ok()?, low.parse().ok()?))))
    };
    range().unwrap_or_else(|| (name.to_owned(), None))
}

/// The variable of a name, and the bit of it that is meant.
fn find<'v>(variables: &'v [Variable], wanted: &str, span: Span) -> Result<(&'v Variable, Option<u32>), Problem> {
    if let Some(variable) = named(variables, wanted, span)? {
        return Ok((variable, None));
    }
    let bit = wanted.strip_suffix(']').and_then(|rest| rest.rsplit_once('['));
    if let Some((name, bit)) = bit
        && let Ok(bit) = bit.parse::<u32>()
        && let Some(variable) = named(variables, name, span)?
        && let Some((high, low)) = variable.range
        && (high.min(low)..=high.max(low)).contains(&bit)
    {
        return Ok((variable, Some(bit.abs_diff(low))));
    }
    let known: Vec<&str> = variables.iter().map(|variable| variable.name.as_str()).collect();
    Err(missing(wanted, &known, span))
}

fn named<'v>(variables: &'v [Variable], wanted: &str, span: Span) -> Result<Option<&'v Variable>, Problem> {
    if let Some(variable) = variables.iter().find(|variable| variable.path == wanted) {
        return Ok(Some(variable));
    }
    let mut found = variables.iter().filter(|variable| variable.name == wanted);
    let first = found.next();
    match first.and_then(|first| found.find(|other| other.code != first.code).map(|other| (first, other))) {
        Some((first, other)) => {
            let message = format!("`{wanted}` stands in several scopes: `{}` and `{}`", first.path, other.path);
            let help = format!("`--map '{}={wanted}'` takes one of them.", first.path);
            Err(Problem { help: Some(help), ..Problem::new(Kind::Column, span, message) })
        }
        None => Ok(first),
    }
}

/// The words of a dump.
struct Words<'a> {
    text: &'a str,
    at: usize,
    start: usize,
}

impl<'a> Words<'a> {
    fn next(&mut self) -> Option<&'a str> {
        let rest = &self.text[self.at..];
        self.start = self.at + (rest.len() - rest.trim_start().len());
        let word = self.text[self.start..].split_whitespace().next()?;
        self.at = self.start + word.len();
        Some(word)
    }

    fn expect(&mut self, what: &str) -> Result<&'a str, Problem> {
        self.next().ok_or_else(|| self.problem(format!("the dump ends where {what} is expected")))
    }

    /// Goes past the next `$end`.
    fn skip(&mut self) -> Result<(), Problem> {
        while self.expect("`$end`")? != "$end" {}
        Ok(())
    }

    fn span(&self) -> Span {
        Span::new(self.start.min(self.text.len()), self.at)
    }

    fn problem(&self, message: impl Into<String>) -> Problem {
        Problem::new(Kind::Syntax, self.span(), message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DUMP: &str = "$timescale 10 ns $end $scope module top $end $var wire 4 ! bus [3:0] $end $var real 64 % v $end \
        $upscope $end $enddefinitions $end #0 $dumpvars b101 ! r1.5 % $end #20 b1x1 ! #30 b0 !";

    fn read(wanted: &str) -> Vec<(String, Option<String>)> {
        let recorded = read_dump(DUMP, &[wanted.to_owned()]).expect("a dump");
        recorded.samples.into_iter().map(|sample| (value::write_number(&sample.time), sample.text)).collect()
    }

    #[test]
    fn changes_have_times_in_seconds() {
        let at = |time: &str, text: Option<&str>| (time.to_owned(), text.map(str::to_owned));
        assert_eq!(read("bus"), [at("0", Some("5")), at("0.0000002", None), at("0.0000003", Some("0"))]);
        assert_eq!(read("top.v"), [at("0", Some("1.5"))]);
        assert_eq!(read("bus[1]"), [at("0", Some("0")), at("0.0000002", None), at("0.0000003", Some("0"))]);
        assert_eq!(read("bus[3]"), [at("0", Some("0")), at("0.0000002", Some("0")), at("0.0000003", Some("0"))]);
    }

    #[test]
    fn what_is_missing_is_named() {
        let problem = read_dump(DUMP, &["buss".to_owned()]).expect_err("no such signal");
        assert_eq!(problem.kind, Kind::Column);
        assert_eq!(problem.help.as_deref(), Some("`--map 'bus=buss'` takes `bus`."));
    }
}
