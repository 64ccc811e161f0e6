//! Macros: `#define` as in C, expanded in the text of a query before it is read.
//!
//! Quoted path patterns and predicates are expanded too; only file names in single quotes and comments are left alone.

use indexmap::IndexMap;
use source::{Diagnostic, Span};

use crate::codes::MACRO;

/// The longest text that expansion may make.
const LONGEST: usize = 10_000_000;

/// The macros defined so far.
#[derive(Clone, Debug, Default)]
pub struct Macros {
    defined: IndexMap<String, Definition>,
}

/// What a macro stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Definition {
    parameters: Option<Vec<String>>,
    body: String,
}

/// An expanded text, and where each part of it comes from.
#[derive(Clone, Debug)]
pub struct Expanded {
    /// The text.
    pub text: String,
    /// Where pieces of the text begin, and the places in the original that they stand for.
    pieces: Vec<(usize, Span, bool)>,
}

impl Macros {
    /// Whether the line is about macros.
    pub fn is_directive(line: &str) -> bool {
        line.trim_start().starts_with('#')
    }

    /// Obeys `#define …` or `#undef …`.
    ///
    /// # Errors
    /// When the line is not such a directive, or a macro is defined anew with another meaning.
    pub fn directive(&mut self, line: &str) -> Result<(), Box<Diagnostic>> {
        let whole = Span::new(0, line.trim_end().len());
        let start = line.len() - line.trim_start().len() + 1;
        let (word, rest) = word(line, start);
        let (name, after) = word_behind(line, rest);
        let name_text = &line[name.range()];
        if !starts_name(name_text) {
            return Err(wrong(whole, "a macro needs a name").help("Write `#define name text`.").into());
        }
        match &line[word.range()] {
            "undef" => {
                self.defined.shift_remove(name_text);
                Ok(())
            }
            "define" => self.define(line, name_text, after),
            _ => Err(wrong(whole, "only `#define` and `#undef` are known").into()),
        }
    }

    fn define(&mut self, line: &str, name: &str, after: usize) -> Result<(), Box<Diagnostic>> {
        let mut parameters = None;
        let mut body = after;
        if line[after..].starts_with('(') {
            let Some(close) = line[after..].find(')') else {
                return Err(wrong(Span::new(after, after + 1), "the list of parameters never ends").into());
            };
            let list = &line[after + 1..after + close];
            let names: Vec<String> = match list.trim() {
                "" => Vec::new(),
                list => list.split(',').map(|name| name.trim().to_owned()).collect(),
            };
            let bad = names.iter().enumerate().find(|(at, name)| !starts_name(name) || names[..*at].contains(name));
            if let Some((_, name)) = bad {
                let span = Span::new(after + 1, after + close);
                return Err(wrong(span, format!("`{name}` is not a parameter, or is there twice")).into());
            }
            parameters = Some(names);
            body = after + close + 1;
        }
        let text = line[body..].trim().to_owned();
        if text.contains('#') {
            return Err(wrong(Span::new(body, line.len()), "`#` and `##` are not supported in macros").into());
        }
        let definition = Definition { parameters, body: text };
        match self.defined.get(name) {
            Some(old) if *old != definition => {
                let message = format!("the macro `{name}` is defined already, with another meaning");
                Err(wrong(Span::new(0, line.trim_end().len()), message)
                    .help(format!("Write `#undef {name}` first."))
                    .into())
            }
            _ => {
                self.defined.insert(name.to_owned(), definition);
                Ok(())
            }
        }
    }

    /// The definitions as lines, in the order in which they were made.
    pub fn lines(&self) -> Vec<String> {
        let line = |(name, definition): (&String, &Definition)| match &definition.parameters {
            Some(parameters) => format!("#define {name}({}) {}", parameters.join(","), definition.body),
            None => format!("#define {name} {}", definition.body),
        };
        self.defined.iter().map(line).collect()
    }

    /// The text with all macros replaced.
    ///
    /// # Errors
    /// When a macro is used with the wrong number of arguments or expansion does not end.
    pub fn expand(&self, text: &str) -> Result<Expanded, Box<Diagnostic>> {
        let mut expanded = Expanded { text: String::new(), pieces: Vec::new() };
        let mut at = 0;
        while at < text.len() {
            let piece = scan(text, at);
            let name = &text[at..piece];
            let used = self.defined.get(name);
            let call = used.and_then(|definition| self.call(text, piece, definition).transpose());
            match call {
                Some(call) => {
                    let (arguments, end) = call?;
                    let definition = used.expect("only macros are called");
                    let span = Span::new(at, end);
                    let replaced = self.replace(name, definition, &arguments, span)?;
                    expanded.pieces.push((expanded.text.len(), span, true));
                    expanded.text.push_str(&replaced);
                    at = end;
                }
                None => {
                    expanded.pieces.push((expanded.text.len(), Span::new(at, piece), false));
                    expanded.text.push_str(&text[at..piece]);
                    at = piece;
                }
            }
            if LONGEST < expanded.text.len() {
                return Err(wrong(Span::new(0, text.len()), "the expansion of macros does not end").into());
            }
        }
        Ok(expanded)
    }

    /// The arguments of a use that ends at `at`, and where it ends; none if a macro with parameters has no parenthesis.
    fn call(
        &self,
        text: &str,
        at: usize,
        definition: &Definition,
    ) -> Result<Option<(Vec<String>, usize)>, Box<Diagnostic>> {
        let Some(parameters) = &definition.parameters else { return Ok(Some((Vec::new(), at))) };
        let open = at + (text[at..].len() - text[at..].trim_start().len());
        if !text[open..].starts_with('(') {
            return Ok(None);
        }
        let (mut depth, mut from, mut arguments, mut here) = (0, open + 1, Vec::new(), open);
        while here < text.len() {
            let next = scan(text, here);
            match &text[here..next] {
                "(" | "{" => depth += 1,
                "}" => depth -= 1,
                ")" if depth == 1 => {
                    arguments.push(text[from..here].trim().to_owned());
                    if parameters.is_empty() && arguments == [""] {
                        arguments.clear();
                    }
                    if arguments.len() != parameters.len() {
                        let message =
                            format!("the macro takes {} arguments, not {}", parameters.len(), arguments.len());
                        return Err(wrong(Span::new(open, next), message).into());
                    }
                    return Ok(Some((arguments, next)));
                }
                ")" => depth -= 1,
                "," if depth == 1 => {
                    arguments.push(text[from..here].trim().to_owned());
                    from = next;
                }
                _ => {}
            }
            here = next;
        }
        Err(wrong(Span::new(open, open + 1), "the arguments of the macro never end").into())
    }

    /// The body with the arguments put in and further macros replaced. A macro is not replaced within itself.
    fn replace(
        &self,
        name: &str,
        definition: &Definition,
        arguments: &[String],
        span: Span,
    ) -> Result<String, Box<Diagnostic>> {
        let mut body = String::new();
        let parameters = definition.parameters.as_deref().unwrap_or_default();
        let mut at = 0;
        while at < definition.body.len() {
            let next = scan(&definition.body, at);
            let piece = &definition.body[at..next];
            match parameters.iter().position(|parameter| parameter == piece) {
                Some(index) => {
                    let argument = self.expand(&arguments[index]).map_err(|error| moved(*error, span))?;
                    body.push_str(&argument.text);
                }
                None => body.push_str(piece),
            }
            at = next;
            if LONGEST < body.len() {
                return Err(wrong(span, "the expansion of macros does not end").into());
            }
        }
        let mut others = self.clone();
        others.defined.shift_remove(name);
        others.expand(&body).map(|expanded| expanded.text).map_err(|error| moved(*error, span).into())
    }
}

impl Expanded {
    /// The place in the original of a place in the expanded text.
    pub fn original(&self, span: Span) -> Span {
        let place = |offset: u32, end: bool| {
            let offset = offset as usize;
            let at = self.pieces.partition_point(|(start, ..)| if end { *start < offset } else { *start <= offset });
            let Some((start, original, replaced)) = at.checked_sub(1).map(|at| self.pieces[at]) else { return 0 };
            match (replaced, end) {
                (true, false) => original.start as usize,
                (true, true) => original.end as usize,
                (false, _) => (original.start as usize + offset - start).min(original.end as usize),
            }
        };
        let start = place(span.start, false);
        Span::new(start, place(span.end, true).max(start))
    }

    /// The diagnostic with its places in the original.
    pub fn relocate(&self, mut diagnostic: Diagnostic) -> Diagnostic {
        for label in &mut diagnostic.labels {
            label.span = self.original(label.span);
        }
        diagnostic
    }
}

/// The end of the piece of text that begins at `at`: a name, a text in single quotes, a comment or one character.
fn scan(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    if starts_name(rest) {
        return at + rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
    }
    if rest.starts_with(|c: char| c.is_ascii_digit()) {
        return at + rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
    }
    if rest.starts_with("//") {
        return at + rest.find('\n').unwrap_or(rest.len());
    }
    if rest.starts_with("/*") {
        return at + rest.find("*/").map_or(rest.len(), |end| end + 2);
    }
    let first = rest.chars().next().map_or(1, char::len_utf8);
    if let Some(inner) = rest.strip_prefix('\'') {
        return at + inner.find(['\'', '\n']).map_or(first, |end| end + 2);
    }
    at + first
}

fn starts_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

fn word(line: &str, at: usize) -> (Span, usize) {
    word_behind(line, at)
}

fn word_behind(line: &str, at: usize) -> (Span, usize) {
    let rest = line.get(at..).unwrap_or_default();
    let start = line.len() - rest.len() + (rest.len() - rest.trim_start().len());
    let end =
        line[start..].find(|c: char| !c.is_ascii_alphanumeric() && c != '_').map_or(line.len(), |end| start + end);
    (Span::new(start, end), end)
}

fn wrong(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(&MACRO, span, message)
}

fn moved(mut diagnostic: Diagnostic, span: Span) -> Diagnostic {
    for label in &mut diagnostic.labels {
        label.span = span;
    }
    diagnostic
}

#[cfg(test)]
mod tests {
    use super::*;

    fn macros(lines: &[&str]) -> Macros {
        let mut macros = Macros::default();
        for line in lines {
            macros.directive(line).expect("a definition");
        }
        macros
    }

    #[test]
    fn macros_are_replaced_as_in_c() {
        let check = |lines: &[&str], text: &str, expected: &str| {
            assert_eq!(macros(lines).expand(text).map(|expanded| expanded.text).expect("expands"), expected);
        };
        check(&["#define st(s) @STMTTYPE(s)"], "cover st(if) + st(assert)", "cover @STMTTYPE(if) + @STMTTYPE(assert)");
        check(&["#define A B.C", "#define B {x > A}"], "A A", "{x > A}.C {x > A}.C");
        check(&["#define gap \"NOT(d)*\"", "#define d @DEF(t)"], "d.gap.@USE(t)", "@DEF(t).\"NOT(@DEF(t))*\".@USE(t)");
        check(&["#define f(a,b) a+b"], "f ({g(1,2)}, 'f(') f 'f(1,2)'", "{g(1,2)}+'f(' f 'f(1,2)'");
        check(&["#define e()  x", "#define X"], "e() X|", "x |");
    }

    #[test]
    fn places_lead_back_to_the_original() {
        let expanded = macros(&["#define long_name(x) (x . x . x)"]).expand("a + long_name(b) + c").expect("expands");
        let at = expanded.text.find("c").expect("there");
        assert_eq!(expanded.original(Span::new(at, at + 1)), Span::new(19, 20));
        let inside = expanded.text.find(". b").expect("there");
        assert_eq!(expanded.original(Span::new(inside, inside + 1)), Span::new(4, 16));
        assert_eq!(expanded.original(Span::new(0, 1)), Span::new(0, 1));
    }

    #[test]
    fn what_is_no_macro_is_said() {
        let error = |line: &str| Macros::default().directive(line).expect_err("wrong").message;
        assert_eq!(error("#define"), "a macro needs a name");
        assert_eq!(error("#include <x>"), "a macro needs a name");
        assert_eq!(error("#pragma once"), "only `#define` and `#undef` are known");
        assert_eq!(error("#define f(x"), "the list of parameters never ends");
        assert_eq!(error("#define f(x,x) x"), "`x` is not a parameter, or is there twice");
        let two = macros(&["#define f(x,y) x"]);
        assert_eq!(two.expand("f(1)").expect_err("one missing").message, "the macro takes 2 arguments, not 1");
        assert_eq!(two.expand("f(1").expect_err("open").message, "the arguments of the macro never end");
    }
}
