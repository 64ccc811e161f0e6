//! Names of files and texts of options where C, make, shells and compilers read them.

use super::{Unit, base};

/// The names that parts of a harness have on the disk: letters, digits, `_`, `.` and `-`, none twice.
pub(super) fn of_units(units: &[Unit]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for unit in units {
        let plain = safe(base(&unit.name));
        let mut name = plain.clone();
        let mut number = 2;
        while names.contains(&name) {
            name = format!("{number}_{plain}");
            number += 1;
        }
        names.push(name);
    }
    names
}

/// A name that make, shells and compilers take for nothing but a name.
pub fn safe(name: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '.' | '-');
    let name: String = name.chars().map(|letter| if plain(letter) { letter } else { '_' }).collect();
    if name.is_empty() || name.starts_with(['-', '.']) { format!("_{name}") } else { name }
}

/// Arguments of a compiler as a file that it reads with `@FILE`: no shell is between the file and the compiler.
pub fn response(arguments: &[String]) -> String {
    let mut text = String::new();
    for argument in arguments {
        text.push('"');
        for letter in argument.chars() {
            if matches!(letter, '"' | '\\') {
                text.push('\\');
            }
            text.push(letter);
        }
        text.push_str("\"\n");
    }
    text
}

/// A file behind `#include`; none if C has no way to write its name.
pub fn include(name: &str) -> Option<String> {
    (!name.contains(['"', '\n', '\r', '\\', '\0']) && !name.contains("??")).then(|| format!("#include \"{name}\"\n"))
}

/// A text as C writes it in quotes.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' => quoted.extend(['\\', char::from(byte)]),
            b' '..=b'~' if byte != b'?' => quoted.push(char::from(byte)),
            _ => quoted.push_str(&format!("\\{byte:03o}")),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_only_names() {
        for (name, expected) in [
            ("bar.c", "bar.c"),
            ("my file.c", "my_file.c"),
            ("$(shell touch X).c", "__shell_touch_X_.c"),
            ("a;touch X;.c", "a_touch_X_.c"),
            ("-o.c", "_-o.c"),
            ("a\nb.c", "a_b.c"),
            ("", "_"),
        ] {
            assert_eq!(safe(name), expected);
        }
        let unit = |name: &str| Unit { name: name.to_owned(), ..Unit::default() };
        assert_eq!(of_units(&[unit("a/x.c"), unit("b/x.c"), unit("x;c")]), ["x.c", "2_x.c", "x_c"]);
    }

    #[test]
    fn what_c_cannot_write_is_not_included() {
        assert_eq!(include("my file.c").as_deref(), Some("#include \"my file.c\"\n"));
        assert_eq!(include("a\"b.c"), None);
        assert_eq!(include("a\nb.c"), None);
        assert_eq!(quoted("a\"b\n?.c"), "\"a\\\"b\\012\\077.c\"");
    }

    #[test]
    fn options_are_quoted_for_the_compiler() {
        assert_eq!(
            response(&["-DX=$(shell touch X)".into(), "-D T=\"a\\b\"".into()]),
            "\"-DX=$(shell touch X)\"\n\"-D T=\\\"a\\\\b\\\"\"\n"
        );
    }
}
