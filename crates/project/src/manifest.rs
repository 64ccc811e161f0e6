//! `specimen.toml`: which files make units, how they are searched, and what is left out.

use std::ops::Range;

use serde::Deserialize;
use source::{Diagnostic, Source, Span};
use toml::{Spanned, Value};

use crate::codes;

/// The name of the project file.
pub const MANIFEST: &str = "specimen.toml";

/// A project file.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Manifest {
    /// What concerns the whole project.
    #[serde(default)]
    pub project: Project,
    /// The sets of files.
    #[serde(default, rename = "units")]
    pub sets: Vec<Set>,
    /// What is left out, with reasons.
    #[serde(default)]
    pub exclude: Vec<Exclusion>,
}

/// What concerns the whole project.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Project {
    /// What it is called in reports.
    pub name: Option<String>,
    /// The folder of suites and reports.
    pub out: String,
    /// The file of open goals that are accepted.
    pub baseline: String,
}

impl Default for Project {
    fn default() -> Project {
        Project { name: None, out: "specimen-out".to_owned(), baseline: "specimen.baseline".to_owned() }
    }
}

/// A set of files that are treated alike.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Set {
    /// Part of the names of its units, where a file is in several sets.
    pub name: Option<String>,
    /// Patterns of file names; with a database, which of its files are meant.
    pub files: Option<Vec<Spanned<String>>>,
    /// Patterns of files that are not meant.
    #[serde(default)]
    pub except: Vec<Spanned<String>>,
    /// A compile database that says which C files there are, and with which flags.
    pub database: Option<Spanned<String>>,
    /// The functions of C files that are tested.
    #[serde(default)]
    pub functions: Functions,
    /// The requirements that the tests of the set stand for.
    #[serde(default)]
    pub requirements: Vec<String>,
    /// Formats of `export` that are written beside each suite.
    #[serde(default)]
    pub export: Vec<Spanned<String>>,
    /// Into how many parts the goals of each unit are cut in a plan; by default by its size.
    pub shards: Option<u32>,
    /// Options of `generate`, by their long names.
    #[serde(default)]
    pub options: toml::map::Map<String, Value>,
}

/// The functions of C files that are tested.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", untagged)]
pub enum Functions {
    /// These.
    Named(Vec<String>),
    /// As `--function` says, or `main`, or the only one.
    Keyword(Keyword),
    /// Every function that the file defines.
    #[default]
    Every,
}

/// The functions of a file by a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Keyword {
    /// Every function that the file defines.
    All,
    /// `main`, or the only function.
    Main,
}

/// What is left out.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Exclusion {
    /// A pattern of unit names.
    #[serde(default = "everything")]
    pub unit: Spanned<String>,
    /// A pattern of stable goal names; without one the units are not searched at all.
    pub goal: Option<Spanned<String>>,
    /// Why.
    pub reason: Spanned<String>,
}

fn everything() -> Spanned<String> {
    Spanned::new(0..0, "*".to_owned())
}

impl Manifest {
    /// Reads a project file.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub fn parse(source: &Source) -> Result<Manifest, Vec<Diagnostic>> {
        let manifest: Manifest = toml::from_str(source.text()).map_err(|error| {
            let span = error.span().unwrap_or(0..0);
            let message = error.message().lines().collect::<Vec<_>>().join("; ");
            vec![
                Diagnostic::error(&codes::SYNTAX, span_of(&span), message)
                    .help("`specimen init` writes a project file with remarks"),
            ]
        })?;
        let mut wrong = Vec::new();
        for set in &manifest.sets {
            if set.files.is_none() && set.database.is_none() {
                let message = "a set needs `files`, or a `database` that names them";
                wrong.push(Diagnostic::error(&codes::SYNTAX, Span::new(0, 0), message));
            }
            let patterns = set.files.iter().flatten().chain(&set.except);
            wrong.extend(patterns.filter_map(pattern_error));
        }
        for exclusion in &manifest.exclude {
            wrong.extend(pattern_error(&exclusion.unit));
            wrong.extend(exclusion.goal.as_ref().and_then(pattern_error));
            if exclusion.reason.get_ref().trim().is_empty() {
                let span = span_of(&exclusion.reason.span());
                wrong.push(Diagnostic::error(&codes::REASON, span, "an exclusion needs a reason in words"));
            }
        }
        if wrong.is_empty() { Ok(manifest) } else { Err(wrong) }
    }

    /// The set with this number, for messages: its name, or its number from 1.
    pub fn set_name(&self, number: usize) -> String {
        match self.sets.get(number).and_then(|set| set.name.as_ref()) {
            Some(name) => format!("the set `{name}`"),
            None => format!("set {}", number + 1),
        }
    }
}

/// What is wrong with a pattern.
fn pattern_error(pattern: &Spanned<String>) -> Option<Diagnostic> {
    let text = pattern.get_ref();
    let leaves = text.starts_with('/') || text.split('/').any(|part| part == "..");
    let why = match glob::Pattern::new(text) {
        Err(error) => error.msg.to_owned(),
        Ok(_) if leaves => "it leads out of the project's folder".to_owned(),
        Ok(_) => return None,
    };
    Some(Diagnostic::error(
        &codes::PATTERN,
        span_of(&pattern.span()),
        format!("`{text}` cannot be used as a pattern: {why}"),
    ))
}

pub(crate) fn span_of(range: &Range<usize>) -> Span {
    Span::new(range.start, range.end)
}

/// What the project decides itself.
const OURS: &[&str] = &["out", "force", "shard", "interactive", "format"];

/// Options that start commands, or name files to write. A project or a plan may come from a stranger: a user who opens it runs nothing
/// of it, and writes nowhere else.
const REACHING: &[&str] = &["execute", "solver-command", "smt2-out", "results"];

/// Whether a word of a task's command line sets an option, and none that a plan may not set.
pub(crate) fn is_harmless(word: &str) -> bool {
    let Some(option) = word.strip_prefix("--") else { return false };
    let name = option.split('=').next().unwrap_or(option);
    !name.is_empty() && !OURS.contains(&name) && !REACHING.contains(&name)
}

/// An option of a set as words of a command line.
///
/// # Errors
/// Why its value has no form on a command line.
pub fn arguments_of(name: &str, value: &Value) -> Result<Vec<String>, String> {
    if name == "function" || OURS.contains(&name) {
        let instead = if name == "function" { "use `functions`" } else { "the project decides it" };
        return Err(format!("`{name}` cannot be set here: {instead}"));
    }
    if REACHING.contains(&name) {
        return Err(format!(
            "`{name}` cannot be set here: a project file starts no command and names no file to write"
        ));
    }
    if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-') {
        return Err(format!("`{name}` is not the name of an option"));
    }
    let plain = |value: &Value| match value {
        Value::String(text) => Ok(text.clone()),
        Value::Integer(number) => Ok(number.to_string()),
        Value::Float(number) => Ok(number.to_string()),
        Value::Boolean(_) | Value::Datetime(_) | Value::Array(_) | Value::Table(_) => {
            Err(format!("`{name}` takes texts, numbers, or true and false"))
        }
    };
    match value {
        Value::Boolean(true) => Ok(vec![format!("--{name}")]),
        Value::Boolean(false) => Ok(Vec::new()),
        Value::Array(values) => values.iter().map(|value| Ok(format!("--{name}={}", plain(value)?))).collect(),
        other => Ok(vec![format!("--{name}={}", plain(other)?)]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Vec<String> {
        match Manifest::parse(&Source::new(MANIFEST, text)) {
            Ok(manifest) => vec![format!("{} sets", manifest.sets.len())],
            Err(wrong) => wrong.iter().map(|one| format!("{}: {}", one.code.id, one.message)).collect(),
        }
    }

    #[test]
    fn a_project_file_is_understood_or_refused_with_a_place() {
        assert_eq!(said(""), ["0 sets"]);
        assert_eq!(said("[[units]]\nfiles = ['a/*.stl']\nfunctions = 'main'\n"), ["1 sets"]);
        assert_eq!(
            said("[[units]]\nfiles = ['a.c']\nfunctions = ['f', 'g']\n[units.options]\nunwind = 3\n"),
            ["1 sets"]
        );
        assert_eq!(said("[[units]]\n"), ["project-syntax: a set needs `files`, or a `database` that names them"]);
        assert!(said("[[unit]]\nfiles = []\n")[0].starts_with("project-syntax: unknown field `unit`"));
        assert_eq!(said("[[units]]\nfiles = ['../a.c', '[']\n").len(), 2);
        assert_eq!(
            said("[[exclude]]\ngoal = '*'\nreason = ' '\n"),
            ["project-no-reason: an exclusion needs a reason in words"]
        );
    }

    #[test]
    fn options_become_words_of_a_command_line() {
        let words = |name: &str, text: &str| arguments_of(name, &text.parse::<toml::Table>().expect("a table")["x"]);
        assert_eq!(words("unwind", "x = 3"), Ok(vec!["--unwind=3".to_owned()]));
        assert_eq!(words("no-assert", "x = true"), Ok(vec!["--no-assert".to_owned()]));
        assert_eq!(words("no-assert", "x = false"), Ok(Vec::new()));
        assert_eq!(words("define", "x = ['A=1', 'B']"), Ok(vec!["--define=A=1".to_owned(), "--define=B".to_owned()]));
        assert!(words("out", "x = 'elsewhere'").is_err());
        assert!(words("solver-command", "x = 'touch here'").is_err());
        assert!(words("execute", "x = true").is_err());
        assert!(words("a b", "x = 1").is_err());
        assert!(words("unwind", "x = { y = 1 }").is_err());
    }
}
