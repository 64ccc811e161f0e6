//! The page of TeSSLa's library: every definition with its signature, as the files of the library have them.

use std::fmt::Write as _;
use std::fs;

use crate::root;

/// The page.
pub(crate) const LIBRARY: &str = "docs/book/tessla-library.md";

/// The files that are shown, and under what title.
const FILES: &[(&str, &str)] = &[
    ("Operators", "Operators"),
    ("Streams", "Streams"),
    ("Temporal", "Time"),
    ("Values", "Values"),
    ("Collections", "Lists, sets and maps"),
    ("Patterns", "Patterns of events"),
];

/// The page as it should be.
pub(crate) fn page() -> Result<String, String> {
    let mut page = String::from(
        "<!-- Written by `cargo xtask codegen`. -->\n\n# The library of TeSSLa\n\n\
         What specifications can use without an import. `liftable` functions take streams as well as values.\n",
    );
    for (file, title) in FILES {
        let name = format!("crates/tessla/library/{file}.tessla");
        let text = fs::read_to_string(root().join(&name)).map_err(|error| format!("cannot read {name}: {error}"))?;
        let _ = write!(page, "\n## {title}\n\n```text\n");
        for line in signatures(&text) {
            let _ = writeln!(page, "{line}");
        }
        page.push_str("```\n");
    }
    Ok(page)
}

/// The signatures of definitions that a specification can name: those at the top, and those of modules with their module.
fn signatures(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut module = None;
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let indent = line.len() - line.trim_start().len();
        let words = line.trim();
        if let Some(name) = words.strip_prefix("module ").filter(|_| indent == 0) {
            module = Some(name.trim_end_matches(['{', ' ']).to_owned());
        } else if line.starts_with('}') {
            module = None;
        }
        let wanted = if module.is_some() { 2 } else { 0 };
        let definition = words.strip_prefix("liftable def ").map(|rest| (true, rest));
        let definition = definition.or_else(|| words.strip_prefix("def ").map(|rest| (false, rest)));
        let Some((liftable, rest)) = definition.filter(|(_, rest)| indent == wanted && !rest.starts_with(['@', '_']))
        else {
            continue;
        };
        let mut whole = rest.to_owned();
        while depth(&whole) != 0 {
            let Some(next) = lines.next() else { break };
            whole = format!("{whole} {}", next.trim());
        }
        let prefix = module.as_deref().map(|name| format!("{name}.")).unwrap_or_default();
        let suffix = if liftable { "    liftable" } else { "" };
        found.push(format!("{prefix}{}{suffix}", head(&whole)));
    }
    found
}

/// How many brackets are open at the end.
fn depth(text: &str) -> i32 {
    text.chars().map(|letter| i32::from("([{".contains(letter)) - i32::from(")]}".contains(letter))).sum()
}

/// A definition up to its body: the `=` outside of all brackets, but not that of `=>`.
fn head(text: &str) -> &str {
    let mut depth = 0_i32;
    for (at, letter) in text.char_indices() {
        match letter {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            '=' if depth == 0 && !text[at + 1..].starts_with('>') => return text[..at].trim_end(),
            _ => {}
        }
    }
    text.trim_end()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_ends_before_the_body() {
        assert_eq!(head("fold[T](f: (T) => U): U = extern(\"x\")"), "fold[T](f: (T) => U): U");
        assert_eq!(head("alone"), "alone");
        let text = "def a(x: Int,\n  y: Int): Int = 1\nmodule M {\n  liftable def b(x: Int): Int = x\n    def inner = 2\n}\ndef c = 3\n";
        assert_eq!(signatures(text), ["a(x: Int, y: Int): Int", "M.b(x: Int): Int    liftable", "c"]);
    }
}
