//! Labels of goals as HTML: quoted text as code, and what a mutant changes as a difference.

use super::escape;

/// Words between two quoted texts that make them a before and an after.
const BECOMES: &str = " becomes ";
/// The same with the after first.
const STANDS_WHERE: &str = " stands where the formula has ";

/// A text with its quoted parts as code.
pub(super) fn label(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    // An odd quote belongs to the text: nothing is said to be code then.
    if parts.len().is_multiple_of(2) {
        return escape(text);
    }
    let mut shown = String::new();
    let mut at = 0;
    while at < parts.len() {
        match parts.get(at..at + 5) {
            Some([before, one, BECOMES, other, _]) if at.is_multiple_of(2) => {
                shown += &(escape(before) + &change(one, other));
                at += 4;
            }
            Some([before, one, STANDS_WHERE, other, _]) if at.is_multiple_of(2) => {
                shown += &(escape(before) + &change(other, one));
                at += 4;
            }
            _ => {
                let part = escape(parts[at]);
                shown += &if at.is_multiple_of(2) { part } else { format!("<code>{part}</code>") };
                at += 1;
            }
        }
    }
    shown
}

/// What was and what is there now, in one line: what both begin and end with is shown once.
fn change(before: &str, after: &str) -> String {
    let (was, now): (Vec<&str>, Vec<&str>) = (words(before), words(after));
    let head = was.iter().zip(&now).take_while(|(one, other)| one == other).count();
    let rest = was.len().min(now.len()) - head;
    let tail = was.iter().rev().zip(now.iter().rev()).take(rest).take_while(|(one, other)| one == other).count();
    let middle = |list: &[&str]| escape(&list[head..list.len() - tail].concat());
    format!(
        "<code class=\"change\">{}<del>{}</del><ins>{}</ins>{}</code>",
        escape(&was[..head].concat()),
        middle(&was),
        middle(&now),
        escape(&was[was.len() - tail..].concat())
    )
}

/// A text cut into names, numbers, spaces and single signs.
fn words(text: &str) -> Vec<&str> {
    let kind = |letter: char| match letter {
        letter if letter.is_alphanumeric() || letter == '_' || letter == '.' => 0,
        letter if letter.is_whitespace() => 1,
        _ => 2,
    };
    let mut found = Vec::new();
    let mut start = 0;
    let mut last = None;
    for (at, letter) in text.char_indices() {
        if last.is_some_and(|last| last != kind(letter) || last == 2) {
            found.push(&text[start..at]);
            start = at;
        }
        last = Some(kind(letter));
    }
    if start < text.len() {
        found.push(&text[start..]);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_mutant_changes_is_a_difference() {
        let cases = [
            (
                "close: `a = 0 and b` becomes `a != 0 and b`",
                "close: <code class=\"change\">a <del></del><ins>!</ins>= 0 and b</code>",
            ),
            (
                "tro: `F[0,40]` stands where the formula has `G[0,40]`",
                "tro: <code class=\"change\"><del>G</del><ins>F</ins>[0,40]</code>",
            ),
            ("`x` becomes `x + x`", "<code class=\"change\">x<del></del><ins> + x</ins></code>"),
            ("`a < 1` is true", "<code>a &lt; 1</code> is true"),
            ("a lone ` is kept", "a lone ` is kept"),
            ("", ""),
        ];
        for (text, html) in cases {
            assert_eq!(label(text), html, "{text}");
        }
    }
}
