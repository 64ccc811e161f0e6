//! Line markers of preprocessed text: which files it was made from.

use std::path::{Path, PathBuf};

/// The flag of a header of the system.
const SYSTEM: &str = "3";

/// The files that a text was made from, each once, but for headers of the system.
pub(super) fn headers(text: &str) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = Vec::new();
    for line in text.lines() {
        let Some((name, flags)) = marker(line) else { continue };
        let path = PathBuf::from(&name);
        // The preprocessor's own names are in angle brackets; a name that ends with `/` is the folder it ran in.
        let is_file = !name.starts_with('<') && !name.ends_with('/');
        if is_file && !flags.split(' ').any(|flag| flag == SYSTEM) && !found.contains(&path) {
            found.push(path);
        }
    }
    found
}

/// The text with other names of files in its markers.
pub(super) fn renamed(text: &str, name_of: &dyn Fn(&Path) -> String) -> String {
    let mut renamed = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        match marker(line.trim_end_matches('\n')) {
            Some((name, flags)) if !name.starts_with('<') => {
                let number = line.split(' ').nth(1).unwrap_or("1");
                // The folder that the preprocessor ran in is nobody's business.
                let name = if name.ends_with('/') { String::new() } else { name_of(Path::new(&name)) };
                let name = name.replace('\\', "\\\\").replace('"', "\\\"");
                let flags = if flags.is_empty() { String::new() } else { format!(" {flags}") };
                renamed.push_str(&format!("# {number} \"{name}\"{flags}\n"));
            }
            Some(_) | None => renamed.push_str(line),
        }
    }
    renamed
}

/// The name and the flags of a marker `# 1 "name" flags`.
fn marker(line: &str) -> Option<(String, &str)> {
    let rest = line.strip_prefix("# ").or_else(|| line.strip_prefix("#line "))?;
    let (number, rest) = rest.split_once(' ')?;
    number.parse::<u32>().ok()?;
    let rest = rest.strip_prefix('"')?;
    let mut name = String::new();
    let mut escaped = false;
    for (place, letter) in rest.char_indices() {
        match letter {
            _ if escaped => {
                name.push(letter);
                escaped = false;
            }
            '\\' => escaped = true,
            '"' => return Some((name, rest[place + 1..].trim())),
            _ => name.push(letter),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# 0 \"/home/me/a.c\"\n# 0 \"<built-in>\"\n# 1 \"/usr/include/stdio.h\" 1 3 4\nint puts();\n\
        # 2 \"/home/me/a.c\" 2\n# 1 \"/home/me/h \\\"x\\\".h\" 1\nint h;\n# 3 \"/home/me/a.c\" 2\n#pragma x\n";

    #[test]
    fn headers_of_the_user_are_found() {
        assert_eq!(headers(TEXT), [PathBuf::from("/home/me/a.c"), PathBuf::from("/home/me/h \"x\".h")]);
    }

    #[test]
    fn no_folder_is_left_and_nothing_else_changes() {
        let base = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let text = renamed(TEXT, &base);
        assert!(!text.contains("/home") && !text.contains("/usr"), "{text}");
        assert_eq!(text.lines().count(), TEXT.lines().count());
        assert!(
            text.contains("# 1 \"h \\\"x\\\".h\" 1\nint h;\n") && text.contains("# 1 \"stdio.h\" 1 3 4\n"),
            "{text}"
        );
    }
}
