//! Where in a text of C a local variable can be given a value: the text is as the user wrote it, before the preprocessor.

/// How a local variable is given a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Setting {
    /// By a statement that begins at this byte, behind the declaration.
    Behind(usize),
    /// By an initialiser at this byte: what is declared behind it may read it, and a head of a loop has no room for statements.
    Initialiser(usize),
}

/// The byte at a line and column, both counted from 1.
pub(super) fn offset(text: &str, line: u32, column: u32) -> usize {
    let before: usize = text.split_inclusive('\n').take(line.saturating_sub(1) as usize).map(str::len).sum();
    (before + column.saturating_sub(1) as usize).min(text.len())
}

/// How the variable is given a value whose name begins at a byte: as a whole, or a part of it. None if nothing can be done, as where
/// it is read by its own initialiser.
pub(super) fn setting(text: &str, from: usize, whole: bool) -> Option<Setting> {
    let mut open: Vec<u8> = Vec::new();
    let mut depth = 0usize;
    let mut declarator = None;
    for (at, byte) in code(text) {
        if at < from {
            match byte {
                b'(' | b'[' | b'{' => open.push(byte),
                b')' | b']' | b'}' => drop(open.pop()),
                _ => {}
            }
            continue;
        }
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            b'=' if depth == 0 && declarator.is_none() => return None,
            b',' if depth == 0 => declarator = declarator.or(Some(at)),
            b';' if depth == 0 => {
                return Some(match whole || open.last() == Some(&b'(') {
                    true => Setting::Initialiser(declarator.unwrap_or(at)),
                    false => Setting::Behind(at + 1),
                });
            }
            _ => {}
        }
    }
    None
}

/// The bytes of a text that are neither in comments nor in literals, with their places.
fn code(text: &str) -> impl Iterator<Item = (usize, u8)> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let byte = *bytes.get(at)?;
            let here = at;
            match (byte, bytes.get(at + 1)) {
                (b'/', Some(b'/')) => at = ending(bytes, at + 2, b"\n"),
                (b'/', Some(b'*')) => at = ending(bytes, at + 2, b"*/"),
                (b'"' | b'\'', _) => at = literal_end(bytes, at),
                _ => {
                    at += 1;
                    return Some((here, byte));
                }
            }
        }
    })
}

/// Behind the next occurrence of some bytes.
fn ending(bytes: &[u8], from: usize, end: &[u8]) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    rest.windows(end.len()).position(|window| window == end).map_or(bytes.len(), |at| from + at + end.len())
}

/// Behind the literal that begins here; at the end of its line if it has no end.
fn literal_end(bytes: &[u8], from: usize) -> usize {
    let mut at = from + 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 2,
            b'\n' => return at,
            _ if byte == bytes[from] => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_are_followed_to_their_ends() {
        let found = |text: &str, name: &str, whole| setting(text, text.find(name).expect("the name is there"), whole);
        let at = |text: &str, name: &str| found(text, name, false);
        assert_eq!(at("int f(void) { int a /* ; */, b; }", "a /*"), Some(Setting::Behind(31)));
        assert_eq!(found("int f(void) { int a /* ; */, b = a; }", "a /*", true), Some(Setting::Initialiser(27)));
        assert_eq!(found("int f(void) { int a = a & 3; }", "a = ", true), None);
        assert_eq!(at("int f(void) { for (int k; k < 3; k++) ; }", "k;"), Some(Setting::Initialiser(24)));
        assert_eq!(at("int f(void) { for (int k, m = 2; k < 3; k++) ; }", "k,"), Some(Setting::Initialiser(24)));
        assert_eq!(at("char *s = \"(\"; int f(void) { int g[2]; }", "g["), Some(Setting::Behind(38)));
        assert_eq!(at("int a", "a"), None);
    }
}
