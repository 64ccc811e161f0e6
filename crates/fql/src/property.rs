//! Property files of Test-Comp: `COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )`.

use source::{Diagnostic, Span};

use crate::codes::PROPERTY;
use crate::parse::parse;

/// What a property file asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// The function where runs start.
    pub entry: String,
    /// The query.
    pub query: String,
}

/// Reads a property file.
///
/// # Errors
/// When it is not a property about coverage.
pub fn read_property(text: &str) -> Result<Property, Box<Diagnostic>> {
    let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let start = text.find(line).unwrap_or_default();
    let span = Span::new(start, start + line.trim_end().len());
    let wrong = |message: &str| {
        let help = "A property about coverage reads `COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )`.";
        Box::new(Diagnostic::error(&PROPERTY, span, message).help(help))
    };
    let mut rest = Scanner { text, at: 0 };
    if !rest.word("COVER") || !rest.sign('(') {
        let check = text.trim_start().to_ascii_uppercase().starts_with("CHECK");
        return Err(wrong(if check {
            "this property is about all runs, not about coverage"
        } else {
            "this is not a property about coverage"
        }));
    }
    let initial = rest.word("init") && rest.sign('(');
    let entry = if initial { rest.name() } else { None };
    let (Some(entry), true) = (entry, rest.sign('(') && rest.sign(')') && rest.sign(')') && rest.sign(',')) else {
        return Err(wrong("expected `init(main())` and a comma"));
    };
    if !rest.word("FQL") || !rest.sign('(') {
        return Err(wrong("expected `FQL(` and a query"));
    }
    let Some(query) = rest.balanced() else {
        return Err(wrong("the parenthesis behind `FQL` is never closed"));
    };
    if !rest.sign(')') || !rest.text[rest.at..].trim().is_empty() {
        return Err(wrong("expected one property that ends in `)`"));
    }
    let query_text = text[query.range()].trim();
    parse(query_text).map_err(|mut error| {
        let shift = query.start + (text[query.range()].len() - text[query.range()].trim_start().len()) as u32;
        for label in &mut error.labels {
            label.span = Span { start: label.span.start + shift, end: label.span.end + shift };
        }
        error
    })?;
    Ok(Property { entry, query: query_text.to_owned() })
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl Scanner<'_> {
    fn space(&mut self) -> &str {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        &self.text[self.at..]
    }

    fn name(&mut self) -> Option<String> {
        let rest = self.space();
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        let name = rest[..end].to_owned();
        self.at += end;
        (!name.is_empty()).then_some(name)
    }

    fn word(&mut self, word: &str) -> bool {
        self.name().is_some_and(|name| name.eq_ignore_ascii_case(word))
    }

    fn sign(&mut self, sign: char) -> bool {
        let found = self.space().starts_with(sign);
        self.at += usize::from(found);
        found
    }

    /// The text up to the parenthesis that closes the one just read.
    fn balanced(&mut self) -> Option<Span> {
        let start = self.at;
        let mut depth = 1;
        for (at, byte) in self.text.bytes().enumerate().skip(start) {
            match byte {
                b'(' => depth += 1,
                b')' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                self.at = at + 1;
                return Some(Span::new(start, at));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_properties_of_test_comp_are_read() {
        let read = |text: &str| read_property(text).map(|property| (property.entry, property.query));
        let branches = "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )\n\n";
        assert_eq!(read(branches).unwrap(), ("main".into(), "COVER EDGES(@DECISIONEDGE)".into()));
        let error = "COVER( init(main()), FQL(COVER EDGES(@CALL(reach_error))) )";
        assert_eq!(read(error).unwrap(), ("main".into(), "COVER EDGES(@CALL(reach_error))".into()));
        let wrong = |text: &str| read_property(text).expect_err("no property").message;
        assert_eq!(
            wrong("CHECK( init(main()), LTL(G ! call(reach_error())) )"),
            "this property is about all runs, not about coverage"
        );
        assert_eq!(wrong(""), "this is not a property about coverage");
        assert_eq!(wrong("COVER( init(main()), FQL(COVER EDGES(@CALL(x)) )"), "expected one property that ends in `)`");
    }
}
