//! Units: what a project searches one by one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use source::{Diagnostic, Source, Span};
use toml::Spanned;

use crate::codes;
use crate::database::{Database, Flags};
use crate::manifest::{Functions, Keyword, Manifest, Set, arguments_of, span_of};

/// A specification, or a function of a C file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// Its name: the file, then the function, and the name of the set before it.
    pub name: String,
    /// The file, relative to the project's folder.
    pub file: String,
    /// The function, where the file is a C program and one is chosen.
    pub function: Option<String>,
    /// The words of the command line after the file.
    pub arguments: Vec<String>,
    /// The number of its set.
    pub set: usize,
}

impl Unit {
    /// The folder of its suite, below the project's folder of suites.
    pub fn folder(&self) -> &str {
        &self.name
    }
}

/// The units of a project, with what there is to say about them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Units {
    /// The units, in the order of the project file and of file names.
    pub units: Vec<Unit>,
    /// Remarks: what a compile database names and is not there.
    pub notes: Vec<String>,
}

/// Tells the functions that a file defines; none if it is not a C file, or not one that is understood.
pub type FunctionsOf<'a> = dyn Fn(&str, &[String]) -> Option<Vec<String>> + 'a;

/// The units of a project.
///
/// # Errors
/// What is wrong with the project file.
pub fn units(
    manifest: &Manifest,
    source: &Source,
    root: &Path,
    functions: &FunctionsOf<'_>,
) -> Result<Units, Vec<Diagnostic>> {
    let mut found = Units::default();
    let mut wrong = Vec::new();
    if manifest.sets.is_empty() {
        let error = Diagnostic::error(&codes::NO_FILES, Span::new(0, 0), "the project has no sets of files");
        wrong.push(error.help("Name them in `[[units]]`: `files = [\"src/*.c\"]`"));
    }
    for (number, set) in manifest.sets.iter().enumerate() {
        match files(set, root, &manifest.project.out, &mut found.notes) {
            Err(diagnostic) => wrong.push(*diagnostic),
            Ok(files) if files.is_empty() => {
                let message = format!("{} has no files", manifest.set_name(number));
                wrong.push(Diagnostic::error(&codes::NO_FILES, place(set, source), message));
            }
            Ok(files) => match of_set(set, number, source, &files, functions) {
                Ok(units) => found.units.extend(units),
                Err(diagnostics) => wrong.extend(diagnostics),
            },
        }
    }
    let names: BTreeSet<&str> = found.units.iter().map(|unit| unit.name.as_str()).collect();
    let mut seen = BTreeSet::new();
    // The folder of a unit must not be in that of another one.
    let within = |name: &str| name.match_indices('/').any(|(at, _)| names.contains(&name[..at]));
    if let Some(unit) = found.units.iter().find(|unit| !seen.insert(unit.name.as_str()) || within(&unit.name)) {
        let set = &manifest.sets[unit.set];
        let message = format!("{} makes the unit `{}` once more", manifest.set_name(unit.set), unit.name);
        let help = "give one of the sets a `name`, or leave the file out with `except`";
        wrong.push(Diagnostic::error(&codes::TWICE, place(set, source), message).help(help));
    }
    if wrong.is_empty() { Ok(found) } else { Err(wrong) }
}

/// Where a set stands in the project file.
fn place(set: &Set, source: &Source) -> Span {
    let first = set.files.iter().flatten().next().map(Spanned::span);
    let span = first.or_else(|| set.database.as_ref().map(Spanned::span));
    span.map_or_else(|| Span::new(0, source.text().len().min(1)), |span| span_of(&span))
}

/// The files of a set with their flags, sorted by name.
fn files(
    set: &Set,
    root: &Path,
    out: &str,
    notes: &mut Vec<String>,
) -> Result<BTreeMap<String, Flags>, Box<Diagnostic>> {
    let mut found: BTreeMap<String, Flags> = BTreeMap::new();
    match &set.database {
        Some(name) => {
            let span = span_of(&name.span());
            let refused = |why: String| {
                Box::new(Diagnostic::error(&codes::DATABASE, span, format!("`{}`: {why}", name.get_ref())))
            };
            let text =
                std::fs::read_to_string(root.join(name.get_ref())).map_err(|error| refused(error.to_string()))?;
            let database = Database::parse(&text, root).map_err(refused)?;
            if !database.missing.is_empty() {
                notes.push(format!(
                    "{} names files that are not there: {}",
                    name.get_ref(),
                    database.missing.join(", ")
                ));
            }
            let wanted = |file: &str| set.files.as_ref().is_none_or(|patterns| matches(patterns, file));
            found.extend(database.files.into_iter().filter(|(file, _)| wanted(file)));
        }
        None => {
            for pattern in set.files.iter().flatten() {
                found.extend(below(root, pattern.get_ref()).into_iter().map(|file| (file, Flags::default())));
            }
        }
    }
    // Suites hold copies of their sources.
    let copy = |file: &str| file.strip_prefix(out).is_some_and(|rest| rest.starts_with('/'));
    found.retain(|file, _| !matches(&set.except, file) && !copy(file));
    Ok(found)
}

/// Whether one of the patterns fits.
fn matches(patterns: &[Spanned<String>], file: &str) -> bool {
    let options = glob::MatchOptions { require_literal_separator: true, ..glob::MatchOptions::new() };
    patterns
        .iter()
        .any(|pattern| glob::Pattern::new(pattern.get_ref()).is_ok_and(|pattern| pattern.matches_with(file, options)))
}

/// The files below the root that fit a pattern, relative to it.
fn below(root: &Path, pattern: &str) -> Vec<String> {
    let whole = format!("{}/{pattern}", glob::Pattern::escape(&root.to_string_lossy()));
    let paths = glob::glob(&whole).into_iter().flatten().flatten().filter(|path| path.is_file());
    let names = paths.filter_map(|path| Some(path.strip_prefix(root).ok()?.to_str()?.replace('\\', "/")));
    names.collect()
}

/// The units of a set.
fn of_set(
    set: &Set,
    number: usize,
    source: &Source,
    files: &BTreeMap<String, Flags>,
    functions: &FunctionsOf<'_>,
) -> Result<Vec<Unit>, Vec<Diagnostic>> {
    let mut options = Vec::new();
    let mut wrong = Vec::new();
    for (name, value) in &set.options {
        match arguments_of(name, value) {
            Ok(words) => options.extend(words),
            Err(message) => wrong.push(Diagnostic::error(&codes::OPTION, option_place(source, name), message)),
        }
    }
    if !wrong.is_empty() {
        return Err(wrong);
    }
    let mut found = Vec::new();
    for (file, flags) in files {
        let include = flags.include.iter().map(|folder| format!("--include={folder}"));
        let define = flags.define.iter().map(|text| format!("--define={text}"));
        let arguments: Vec<String> = include.chain(define).chain(options.iter().cloned()).collect();
        let entries = match &set.functions {
            Functions::Named(names) => Some(names.clone()),
            Functions::Keyword(Keyword::Main) => None,
            Functions::Every | Functions::Keyword(Keyword::All) => functions(file, &arguments),
        };
        let base = set.name.as_ref().map_or_else(|| file.clone(), |name| format!("{name}/{file}"));
        let unit = |function: Option<&String>| Unit {
            name: function.map_or_else(|| base.clone(), |function| format!("{base}/{function}")),
            file: file.clone(),
            function: function.cloned(),
            arguments: function
                .map(|function| format!("--function={function}"))
                .into_iter()
                .chain(arguments.clone())
                .collect(),
            set: number,
        };
        match entries.as_deref() {
            None | Some([]) => found.push(unit(None)),
            Some(names) => found.extend(names.iter().map(|name| unit(Some(name)))),
        }
    }
    Ok(found)
}

/// Says that an option, as a word of a command line, cannot be used.
pub fn refused_option(source: &Source, word: &str, why: &str) -> Diagnostic {
    let name = word.trim_start_matches('-').split('=').next().unwrap_or_default();
    Diagnostic::error(&codes::OPTION, option_place(source, name), why.to_owned())
}

/// Where an option stands in the project file: the first key of this name.
fn option_place(source: &Source, name: &str) -> Span {
    let text = source.text();
    let mut from = 0;
    for line in text.split_inclusive('\n') {
        let key = line.trim_start();
        let rest = key.strip_prefix(name).or_else(|| key.strip_prefix(&format!("\"{name}\"")));
        if rest.is_some_and(|rest| rest.trim_start().starts_with('=')) {
            let start = from + (line.len() - key.len());
            return span_of(&(start..start + name.len()));
        }
        from += line.len();
    }
    Span::new(0, 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(text: &str) -> Vec<String> {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["src/a.c", "src/deep/b.c", "spec/x.stl", "spec/y.stl"] {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(path, "").expect("a file");
        }
        let source = Source::new("specimen.toml", text);
        let manifest = Manifest::parse(&source).expect("a project file");
        let functions = |file: &str, _: &[String]| file.ends_with(".c").then(|| vec!["f".to_owned(), "g".to_owned()]);
        match units(&manifest, &source, folder.path(), &functions) {
            Ok(found) => found.units.iter().map(|unit| format!("{} {}", unit.name, unit.arguments.join(" "))).collect(),
            Err(wrong) => wrong.iter().map(|one| format!("{}: {}", one.code.id, one.message)).collect(),
        }
    }

    #[test]
    fn sets_become_units_in_order() {
        assert_eq!(
            named(
                "[[units]]\nfiles = ['src/**/*.c']\n[units.options]\nunwind = 2\n[[units]]\nfiles = ['spec/*']\nexcept = ['*/y.stl']\n"
            ),
            [
                "src/a.c/f --function=f --unwind=2",
                "src/a.c/g --function=g --unwind=2",
                "src/deep/b.c/f --function=f --unwind=2",
                "src/deep/b.c/g --function=g --unwind=2",
                "spec/x.stl ",
            ]
        );
        assert_eq!(named("[[units]]\nfiles = ['src/a.c']\nfunctions = 'main'\nname = 'm'\n"), ["m/src/a.c "]);
        assert_eq!(named("[[units]]\nfiles = ['src/a.c']\nfunctions = ['h']\n"), ["src/a.c/h --function=h"]);
    }

    #[test]
    fn what_cannot_be_is_said() {
        assert_eq!(named("[[units]]\nfiles = ['lib/*.c']\n"), ["project-no-files: set 1 has no files"]);
        assert_eq!(named(""), ["project-no-files: the project has no sets of files"]);
        assert_eq!(
            named("[[units]]\nfiles = ['spec/x.stl']\n[[units]]\nfiles = ['spec/*.stl']\n"),
            ["project-unit-twice: set 2 makes the unit `spec/x.stl` once more"]
        );
        assert_eq!(
            named("[[units]]\nfiles = ['spec/x.stl']\n[units.options]\nout = 'x'\n"),
            ["project-option: `out` cannot be set here: the project decides it"]
        );
        assert!(named("[[units]]\ndatabase = 'nowhere.json'\n")[0].starts_with("project-database: `nowhere.json`: "));
    }
}
