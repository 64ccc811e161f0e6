//! Faults planted in a text: one small mistake each, of the kinds that people make when they write a specification or a program.
//!
//! They are made from the text alone. The mutants that criteria ask for are made from syntax trees, by other operators; so the two
//! do not share an idea of what a mistake is.

mod syntax;
mod tokens;

use source::{Source, Span};
use testcase::Location;

pub use syntax::Syntax;
use tokens::{Kind, Token};

/// The longest text of a place.
const LONGEST_TEXT: usize = 60;

/// A changed text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Its name: `f1`, `f2`, …, or that of a file.
    pub id: String,
    /// The kind of mistake.
    pub operator: &'static str,
    /// Where it is; none for a whole file.
    pub location: Option<Location>,
    /// What is changed, in words.
    pub words: String,
    /// The text with the mistake.
    pub text: String,
}

/// A replacement of a part of the text.
struct Edit {
    operator: &'static str,
    span: Span,
    by: String,
}

/// Every fault of a text in the order of places; those that make no valid specification are among them.
pub fn plant(source: &Source, syntax: &Syntax) -> Vec<Fault> {
    let tokens = tokens::tokens(source.text(), syntax);
    let mut edits: Vec<Edit> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        replaced(source, token, syntax, &mut edits);
        if syntax.negated.contains(&source.slice(token.span)) {
            edits.extend(negated(source, &tokens, at));
        }
    }
    if syntax.has_statements {
        edits.extend(dropped(source, &tokens, syntax));
    }
    edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
    (1..).zip(edits).map(|(number, edit)| fault(source, number, edit)).collect()
}

/// Other operators, words and numbers in place of one.
fn replaced(source: &Source, token: &Token, syntax: &Syntax, edits: &mut Vec<Edit>) {
    let text = source.slice(token.span);
    match token.kind {
        Kind::Number => {
            let other = syntax::neighbours(text).into_iter();
            edits.extend(other.map(|by| Edit { operator: "constant", span: token.span, by }));
        }
        Kind::Word | Kind::Sign => {
            for row in syntax.replaced.iter().filter(|row| row.from == text) {
                let other =
                    row.by.iter().map(|by| Edit { operator: row.operator, span: token.span, by: (*by).to_owned() });
                edits.extend(other);
            }
        }
    }
}

/// The condition in brackets behind a word, negated.
fn negated(source: &Source, tokens: &[Token], word: usize) -> Option<Edit> {
    let open = tokens.get(word + 1).filter(|token| source.slice(token.span) == "(")?;
    let close = tokens[closing(source, tokens, word + 1)?];
    let span = Span { start: open.span.start, end: close.span.end };
    Some(Edit { operator: "negation", span, by: format!("(!{})", source.slice(span)) })
}

/// Where the bracket at `open` is closed.
fn closing(source: &Source, tokens: &[Token], open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match source.slice(token.span) {
            "(" => depth += 1,
            ")" => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// Statements that are left out: from what ends or begins a block to a semicolon outside of brackets.
fn dropped(source: &Source, tokens: &[Token], syntax: &Syntax) -> Vec<Edit> {
    let mut edits = Vec::new();
    let (mut start, mut depth) = (None, 0_usize);
    for (at, token) in tokens.iter().enumerate() {
        match source.slice(token.span) {
            "(" => depth += 1,
            ")" => depth = depth.saturating_sub(1),
            "{" | "}" if depth == 0 => {
                start = Some(at + 1);
                continue;
            }
            ";" if depth == 0 => {
                let first = start.filter(|first| *first < at).map(|first| tokens[first]);
                let keeps = |first: &Token| syntax.kept.contains(&source.slice(first.span));
                if let Some(first) = first.filter(|first| !keeps(first)) {
                    let span = Span { start: first.span.start, end: token.span.end };
                    edits.push(Edit { operator: "omission", span, by: ";".to_owned() });
                }
                start = Some(at + 1);
            }
            _ => {}
        }
    }
    edits
}

fn fault(source: &Source, number: u32, edit: Edit) -> Fault {
    let place = source.place(edit.span.start);
    let was = short(source.slice(edit.span));
    let words = match edit.operator {
        "omission" => format!("`{was}` is left out"),
        _ => format!("`{was}` becomes `{}`", short(&edit.by)),
    };
    let text = source.text();
    let (start, end) = (edit.span.start as usize, edit.span.end as usize);
    Fault {
        id: format!("f{number}"),
        operator: edit.operator,
        location: Some(Location { line: place.line, column: place.column, text: was }),
        words,
        text: [&text[..start], &edit.by, &text[end..]].concat(),
    }
}

/// A piece of text in one line, cut if it is long.
fn short(text: &str) -> String {
    let text: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.chars().count() <= LONGEST_TEXT {
        true => text,
        false => text.chars().take(LONGEST_TEXT - 1).chain(['…']).collect(),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use source::Source;

    use super::{Syntax, plant};

    fn check(syntax: &Syntax, text: &str, expected: &Expect) {
        let source = Source::new("a", text);
        let shown: String = plant(&source, syntax)
            .iter()
            .map(|fault| {
                let place = fault.location.as_ref().map(|place| format!("{}:{}", place.line, place.column));
                format!("{} {} {}\n", place.unwrap_or_default(), fault.operator, fault.words)
            })
            .collect();
        expected.assert_eq(&shown);
    }

    #[test]
    fn declarations_comments_and_texts_hold_no_faults() {
        let text = "input x: int in 0..9; // x < 3\n/* a && b */\ndecision d = x >= 5 && \"<\" ;\n";
        check(
            &Syntax::BOOLEAN,
            text,
            &expect![[r#"
            3:16 relation `>=` becomes `>`
            3:16 relation `>=` becomes `<`
            3:19 constant `5` becomes `6`
            3:19 constant `5` becomes `4`
            3:21 logic `&&` becomes `||`
        "#]],
        );
    }

    #[test]
    fn functions_of_c_lose_statements_and_conditions_turn_round() {
        let text = "#define N 3\nint t[4];\nvoid f(int a)\n{\n  if (a)\n    t[a] = N;\n  return;\n}\n";
        check(
            &Syntax::C,
            text,
            &expect![[r#"
            5:3 omission `if (a) t[a] = N;` is left out
            5:6 negation `(a)` becomes `(!(a))`
        "#]],
        );
    }

    #[test]
    fn decimals_change_in_their_last_place_and_large_numbers_are_exact() {
        check(
            &Syntax::STL,
            "G[0,20] v < 133.75 & w > 99999999999999999999",
            &expect![[r#"
            1:1 temporal `G` becomes `F`
            1:3 constant `0` becomes `1`
            1:5 constant `20` becomes `21`
            1:5 constant `20` becomes `19`
            1:11 relation `<` becomes `<=`
            1:11 relation `<` becomes `>`
            1:13 constant `133.75` becomes `133.76`
            1:13 constant `133.75` becomes `133.74`
            1:20 logic `&` becomes `|`
            1:24 relation `>` becomes `>=`
            1:24 relation `>` becomes `<`
            1:26 constant `99999999999999999999` becomes `100000000000000000000`
            1:26 constant `99999999999999999999` becomes `99999999999999999998`
        "#]],
        );
    }
}
