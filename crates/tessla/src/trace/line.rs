//! One line of a trace.

use std::sync::Arc;

use source::Span;

use crate::lex::{Token, Word, lex};
use crate::value::Value;

use super::value;

/// The common forms `12: x`, `12: x = -3`, `12: x = true` and `12: x = ()`, read from bytes.
pub(super) fn quick(line: &[u8]) -> Option<(i64, &[u8], Value)> {
    let (time, rest) = number(line)?;
    let rest = rest.strip_prefix(b":")?;
    let rest = rest.trim_ascii_start();
    let name = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    let (name, rest) = rest.split_at(name);
    if name.is_empty() || name[0].is_ascii_digit() {
        return None;
    }
    let rest = rest.trim_ascii();
    if rest.is_empty() {
        return Some((time, name, Value::Unit));
    }
    let rest = rest.strip_prefix(b"=")?.trim_ascii_start();
    let value = match rest {
        b"true" => Value::Bool(true),
        b"false" => Value::Bool(false),
        b"()" => Value::Unit,
        [b'-', digits @ ..] => Value::Int(-whole(digits)?),
        digits => Value::Int(whole(digits)?),
    };
    Some((time, name, value))
}

fn whole(digits: &[u8]) -> Option<i64> {
    number(digits).filter(|(_, rest)| rest.is_empty()).map(|(number, _)| number)
}

/// The decimal number at the start, if it has at most 18 digits.
fn number(text: &[u8]) -> Option<(i64, &[u8])> {
    let mut number = 0_i64;
    let mut length = 0;
    while let Some(digit) = text.get(length).filter(|byte| byte.is_ascii_digit()) {
        if length == 18 {
            return None;
        }
        number = number * 10 + i64::from(digit - b'0');
        length += 1;
    }
    (length > 0).then(|| (number, &text[length..]))
}

/// A line: its times, its stream and the words of its value.
pub(super) struct Line {
    times: Times,
    pub(super) time_place: Span,
    pub(super) stream: Arc<str>,
    pub(super) stream_place: Span,
    words: Vec<Word>,
    pub(super) value_place: Span,
}

/// Which times a line speaks about.
enum Times {
    Single(i64),
    /// From a time on by a step up to a last time; the name of the time in the value.
    Range {
        first: i64,
        step: i64,
        last: Option<i64>,
        name: Arc<str>,
    },
}

impl Line {
    /// Reads a line; nothing if it is blank or a comment.
    pub(super) fn read(text: &str) -> Result<Option<Line>, (Span, String)> {
        let words = lex(text, 0);
        if words.len() == 1 {
            return Ok(None);
        }
        let mut at = 0;
        let times = read_times(&words, &mut at)?;
        let time_place = words[0].span.join(words[at.saturating_sub(1)].span);
        expect(&words, &mut at, ":")?;
        let Token::Name(stream) = words[at].token.clone() else {
            return Err((words[at].span, "expected the name of a stream".into()));
        };
        let stream_place = words[at].span;
        at += 1;
        let mut rest = Vec::new();
        let mut value_place = stream_place;
        if words[at].token != Token::End {
            expect(&words, &mut at, "=")?;
            rest = words[at..].to_vec();
            let last = if rest.len() > 1 { &rest[rest.len() - 2] } else { &rest[0] };
            value_place = rest[0].span.join(last.span);
        }
        Ok(Some(Line { times, time_place, stream, stream_place, words: rest, value_place }))
    }

    pub(super) fn single_time(&self) -> Option<i64> {
        match self.times {
            Times::Single(time) => Some(time),
            Times::Range { .. } => None,
        }
    }

    /// The last time the line speaks about, if there is one.
    pub(super) fn last_time(&self) -> Option<i64> {
        match self.times {
            Times::Single(time) => Some(time),
            Times::Range { first, last, .. } => last.filter(|last| first <= *last),
        }
    }

    /// The value, given a name for the time where the line is a range.
    pub(super) fn value(&self, time: Option<(&str, i64)>) -> Result<Value, String> {
        if self.words.is_empty() {
            return Ok(Value::Unit);
        }
        value::read(&self.words, time)
    }
}

fn expect(words: &[Word], at: &mut usize, sign: &'static str) -> Result<(), (Span, String)> {
    if words[*at].token == Token::Sign(sign) {
        *at += 1;
        return Ok(());
    }
    Err((words[*at].span, format!("expected `{sign}`")))
}

fn time(words: &[Word], at: &mut usize) -> Result<i64, (Span, String)> {
    let Token::Int(digits, 10) = &words[*at].token else {
        return Err((words[*at].span, "expected a time".into()));
    };
    let Ok(time) = digits.parse() else {
        return Err((words[*at].span, "times beyond 64 bits are not supported".into()));
    };
    *at += 1;
    Ok(time)
}

fn read_times(words: &[Word], at: &mut usize) -> Result<Times, (Span, String)> {
    let first = time(words, at)?;
    let sign = |at: usize| match words[at].token {
        Token::Sign(sign) => sign,
        _ => "",
    };
    match sign(*at) {
        "," | ".." => {
            let mut step = 1;
            if sign(*at) == "," {
                *at += 1;
                let place = words[*at].span;
                let second = time(words, at)?;
                step = second
                    .checked_sub(first)
                    .filter(|step| *step > 0)
                    .ok_or((place, "the second time must be later".to_owned()))?;
            }
            expect(words, at, "..")?;
            let last = if matches!(words[*at].token, Token::Int(..)) { Some(time(words, at)?) } else { None };
            Ok(Times::Range { first, step, last, name: "t".into() })
        }
        "<" | "<=" => {
            let first = if sign(*at) == "<" { first.saturating_add(1) } else { first };
            *at += 1;
            let Token::Name(name) = words[*at].token.clone() else {
                return Err((words[*at].span, "expected a name for the time".into()));
            };
            *at += 1;
            let mut last = None;
            if matches!(sign(*at), "<" | "<=") {
                let strict = sign(*at) == "<";
                *at += 1;
                let bound = time(words, at)?;
                last = Some(if strict { bound - 1 } else { bound });
            }
            Ok(Times::Range { first, step: 1, last, name })
        }
        _ => Ok(Times::Single(first)),
    }
}

/// A line that gives an event at each of many times.
pub(super) struct Range {
    line: Line,
    input: usize,
    pub(super) next: i64,
}

/// The next event of a range.
pub(super) struct RangeEvent {
    pub(super) time: i64,
    pub(super) input: usize,
    pub(super) value: Result<Value, String>,
}

impl Range {
    /// Nothing if the range holds no time.
    pub(super) fn new(line: Line, input: usize) -> Option<Range> {
        let Times::Range { first, last, .. } = &line.times else { return None };
        let (first, is_empty) = (*first, last.is_some_and(|last| last < *first));
        (!is_empty).then_some(Range { line, input, next: first })
    }

    /// The next event, and whether there are more.
    pub(super) fn take(&mut self) -> (RangeEvent, bool) {
        let time = self.next;
        let Times::Range { step, last, name, .. } = &self.line.times else { panic!("a range has many times") };
        let value = self.line.value(Some((name, time)));
        let next = time.checked_add(*step).filter(|next| last.is_none_or(|last| *next <= last));
        self.next = next.unwrap_or(time);
        (RangeEvent { time, input: self.input, value }, next.is_some())
    }
}
