//! Compile databases: the C files of a project, with the flags that matter to the meaning of a program.

use std::path::{Component, Path, PathBuf};

use serde::Deserialize;

/// A compile database.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Database {
    /// The files below the project's folder, each once, relative to it.
    pub files: Vec<(String, Flags)>,
    /// Files that are named and are not there, as the database names them.
    pub missing: Vec<String>,
    /// Files that are not C, or not below the project's folder: how many.
    pub others: usize,
}

/// The flags that say what a program means: where its headers are, and which macros are defined.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// The folders of headers, relative to the project's folder where they are below it.
    pub include: Vec<String>,
    /// The macros.
    pub define: Vec<String>,
}

#[derive(Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    #[serde(default)]
    arguments: Vec<String>,
    command: Option<String>,
}

impl Database {
    /// Reads a database; paths become relative to the root, which is absolute.
    ///
    /// # Errors
    /// Why it is not one.
    pub fn parse(text: &str, root: &Path) -> Result<Database, String> {
        let entries: Vec<Entry> =
            serde_json::from_str(text).map_err(|error| format!("it is not a compile database: {error}"))?;
        let mut database = Database::default();
        for entry in entries {
            let directory = root.join(&entry.directory);
            let path = normal(&directory.join(&entry.file));
            let Some(name) = below(&path, root).filter(|name| name.ends_with(".c") || name.ends_with(".i")) else {
                database.others += 1;
                continue;
            };
            if !path.is_file() {
                database.missing.push(name);
                continue;
            }
            let words = match entry.command {
                Some(command) if entry.arguments.is_empty() => split(&command),
                _ => entry.arguments,
            };
            if database.files.iter().all(|(known, _)| *known != name) {
                database.files.push((name, flags(&words, &directory, root)));
            }
        }
        Ok(database)
    }
}

/// The flags among the words of a compiler's command line.
fn flags(words: &[String], directory: &Path, root: &Path) -> Flags {
    let mut found = Flags::default();
    let mut words = words.iter().skip(1);
    while let Some(word) = words.next() {
        let value = |flag: &str, rest: &mut dyn Iterator<Item = &String>| match word.strip_prefix(flag) {
            Some("") => rest.next().cloned(),
            Some(value) => Some(value.to_owned()),
            None => None,
        };
        if let Some(folder) = ["-isystem", "-iquote", "-I"].iter().find_map(|flag| value(flag, &mut words)) {
            let folder = normal(&directory.join(folder));
            found.include.push(below(&folder, root).unwrap_or_else(|| folder.to_string_lossy().into_owned()));
        } else if let Some(macro_text) = value("-D", &mut words) {
            found.define.push(macro_text);
        }
    }
    found
}

/// The words of a command as a shell would take them apart, without carrying anything out.
fn split(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    let mut letters = command.chars();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some(mark), _) if letter == mark => quote = None,
            (Some('"') | None, '\\') => word.get_or_insert_default().extend(letters.next()),
            (Some(_), _) => word.get_or_insert_default().push(letter),
            (None, '"' | '\'') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, _) if letter.is_whitespace() => words.extend(word.take()),
            (None, _) => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

/// A path without `.` and, where that can be seen from the text, without `..`.
fn normal(path: &Path) -> PathBuf {
    let mut found = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(found.components().next_back(), Some(Component::Normal(_))) => {
                found.pop();
            }
            other => found.push(other),
        }
    }
    found
}

/// The name of a path relative to the root, with slashes, if it is below it.
fn below(path: &Path, root: &Path) -> Option<String> {
    let parts = path.strip_prefix(root).ok()?.components().map(|part| part.as_os_str().to_str());
    let parts: Vec<&str> = parts.collect::<Option<_>>()?;
    Some(if parts.is_empty() { ".".to_owned() } else { parts.join("/") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_taken_from_words_and_from_commands() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        std::fs::create_dir_all(root.join("src")).expect("a folder");
        for name in ["src/a.c", "src/b.c", "src/x.cc"] {
            std::fs::write(root.join(name), "").expect("a file");
        }
        let here = root.display();
        let text = format!(
            r#"[
            {{"directory": "{here}/build", "file": "../src/a.c", "arguments": ["cc", "-I", "../include", "-DA=1", "-O2", "-c", "../src/a.c"]}},
            {{"directory": "{here}", "file": "src/b.c", "command": "cc -Iinc\\ two '-DTEXT=\"x y\"' -isystem /opt/h -c src/b.c"}},
            {{"directory": "{here}", "file": "src/a.c", "arguments": ["cc"]}},
            {{"directory": "{here}", "file": "src/gone.c", "arguments": ["cc"]}},
            {{"directory": "{here}", "file": "src/x.cc", "arguments": ["cc"]}}]"#
        );
        let database = Database::parse(&text, root).expect("a database");
        let list = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        let expected = [
            ("src/a.c".to_owned(), Flags { include: list(&["include"]), define: list(&["A=1"]) }),
            ("src/b.c".to_owned(), Flags { include: list(&["inc two", "/opt/h"]), define: list(&["TEXT=\"x y\""]) }),
        ];
        assert_eq!(database, Database { files: expected.into(), missing: list(&["src/gone.c"]), others: 1 });
        assert!(Database::parse("{}", root).is_err());
    }
}
