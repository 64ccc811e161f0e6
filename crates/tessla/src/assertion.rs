//! Assertions: the comments `# assert QUANTOR EXPRESSION` of a file, and the readable forms that stand for them.

use std::sync::Arc;

use source::Span;

use crate::ast::{Argument, Expr, ExprKind, Name};
use crate::check::WrittenAssertion;
use crate::codes::ASSERTION;
use crate::core::Quantor;
use crate::files::Files;
use crate::parse::parse_expressions;
use crate::place::{FileId, Place};
use crate::report::Report;

/// The module of the standard library that has the patterns.
const PATTERNS: &str = "Patterns";

/// What the word after `assert` says.
#[derive(Clone, Copy)]
enum Form {
    /// One of the four quantors of one stream.
    Plain(Quantor),
    /// `never p`: no event of `p` is true.
    Never,
    /// `sequence p, q, …`: `p` holds, later `q`, and so on; each within a distance of the one before, if one is given.
    Sequence,
    /// `directly p, q, …`: at events that follow each other.
    Directly,
    /// `response p, q within N`: whenever `p` holds, `q` holds at most `N` later.
    Response,
    /// `precedence p, q`: `q` holds only if `p` holds or held before, at most a distance ago if one is given.
    Precedence,
}

const FORMS: &[(&str, Form)] = &[
    ("some", Form::Plain(Quantor::Some)),
    ("empty", Form::Plain(Quantor::Empty)),
    ("exists", Form::Plain(Quantor::Exists)),
    ("all", Form::Plain(Quantor::All)),
    ("never", Form::Never),
    ("sequence", Form::Sequence),
    ("directly", Form::Directly),
    ("response", Form::Response),
    ("precedence", Form::Precedence),
];

/// The assertions of a file.
pub(crate) fn assertions(files: &Files, file: FileId, reports: &mut Vec<Report>) -> Vec<WrittenAssertion> {
    let source = files.source(file);
    let mut found = Vec::new();
    for number in 1..=source.line_count() {
        let line = source.line(number);
        let text = source.slice(line);
        let Some(comment) = text.trim_start().strip_prefix('#') else { continue };
        let Some(rest) = comment.trim_start().strip_prefix("assert") else { continue };
        if !rest.starts_with([' ', '\t']) {
            continue;
        }
        let written = Written { file, line: text, start: line.start as usize };
        match written.read(rest.trim_start()) {
            Ok(assertion) => found.push(assertion),
            Err(mut problems) => reports.append(&mut problems),
        }
    }
    found
}

/// A line with an assertion.
struct Written<'a> {
    file: FileId,
    line: &'a str,
    start: usize,
}

impl Written<'_> {
    fn at(&self, piece: &str) -> usize {
        self.start + (piece.as_ptr() as usize - self.line.as_ptr() as usize)
    }

    fn place(&self, piece: &str) -> Place {
        Place { file: self.file, span: Span::new(self.at(piece), self.at(piece) + piece.len()) }
    }

    fn wrong<T>(&self, piece: &str, message: String) -> Result<T, Vec<Report>> {
        Err(vec![Report::error(&ASSERTION, self.place(piece), message)])
    }

    /// Reads what follows `assert`.
    fn read(&self, rest: &str) -> Result<WrittenAssertion, Vec<Report>> {
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let (word, rest) = rest.split_at(end);
        let Some((_, form)) = FORMS.iter().find(|(name, _)| *name == word) else {
            let names: Vec<&str> = FORMS.iter().map(|(name, _)| *name).collect();
            return self.wrong(word, format!("`{word}` is not one of {}", names.join(", ")));
        };
        let rest = rest.trim();
        let (streams, distance) = match rest.rfind(" within ") {
            Some(at) => (&rest[..at], Some(rest[at + " within ".len()..].trim())),
            None => (rest, None),
        };
        let streams = parse_expressions(streams, self.at(streams), self.file)?;
        let distance = match distance {
            None => None,
            Some(text) => match parse_expressions(text, self.at(text), self.file)?.as_slice() {
                [distance] => Some(distance.clone()),
                _ => return self.wrong(text, "one distance follows `within`".to_owned()),
            },
        };
        let (quantor, expr) = self.built(word, *form, streams, distance)?;
        Ok(WrittenAssertion { quantor, expr, place: self.place(self.line.trim()) })
    }

    fn built(
        &self,
        word: &str,
        form: Form,
        mut streams: Vec<Expr>,
        distance: Option<Expr>,
    ) -> Result<(Quantor, Expr), Vec<Report>> {
        let fewest = match form {
            Form::Plain(_) | Form::Never => 1..=1,
            Form::Sequence | Form::Directly => 2..=usize::MAX,
            Form::Response | Form::Precedence => 2..=2,
        };
        if !fewest.contains(&streams.len()) {
            let count =
                if *fewest.end() == usize::MAX { "at least two" } else { ["no", "one", "two"][*fewest.start()] };
            return self.wrong(word, format!("`{word}` takes {count} expressions, not {}", streams.len()));
        }
        let allows_distance = matches!(form, Form::Sequence | Form::Response | Form::Precedence);
        if distance.is_some() && !allows_distance {
            return self.wrong(word, format!("`{word}` takes no `within`"));
        }
        let place = streams.iter().map(|stream| stream.place).reduce(Place::join).unwrap_or_default();
        let pattern = |name: &str, arguments: Vec<Expr>| applied(name, arguments, place);
        Ok(match form {
            Form::Plain(quantor) => (quantor, streams.remove(0)),
            Form::Never => {
                let depth = streams[0].depth + 1;
                let kind = ExprKind::Unary("not", Box::new(streams.remove(0)));
                (Quantor::All, Expr { kind, place, depth })
            }
            Form::Sequence | Form::Directly => {
                let mut steps = streams.into_iter();
                let first = steps.next().expect("at least two were counted");
                let joined = steps.fold(first, |before, now| match (&distance, form) {
                    (Some(distance), _) => pattern("laterWithin", vec![before, now, distance.clone()]),
                    (None, Form::Directly) => pattern("next", vec![before, now]),
                    (None, _) => pattern("later", vec![before, now]),
                });
                (Quantor::Exists, joined)
            }
            Form::Response => {
                let Some(distance) = distance else {
                    return self.wrong(word, "`response` needs `within` and a distance in time".to_owned());
                };
                streams.push(distance);
                (Quantor::Empty, pattern("missed", streams))
            }
            Form::Precedence => match distance {
                None => (Quantor::Empty, pattern("unprepared", streams)),
                Some(distance) => {
                    streams.push(distance);
                    (Quantor::Empty, pattern("unpreparedWithin", streams))
                }
            },
        })
    }
}

/// A pattern of the library, applied.
fn applied(name: &str, arguments: Vec<Expr>, place: Place) -> Expr {
    let module = Expr { kind: ExprKind::Name(Arc::from(PATTERNS)), place, depth: 1 };
    let member = Name { text: name.into(), place };
    let function = Expr { kind: ExprKind::Member(Box::new(module), member), place, depth: 2 };
    let depth = 1 + arguments.iter().map(|argument| argument.depth).max().unwrap_or(0).max(2);
    let arguments = arguments.into_iter().map(|value| Argument { name: None, value }).collect();
    let kind = ExprKind::Call { function: Box::new(function), generics: Vec::new(), arguments: Some(arguments) };
    Expr { kind, place, depth }
}
