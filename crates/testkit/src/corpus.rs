//! Cases that are files: a case is `corpus/LANGUAGE/KIND/NAME.EXT`, what is expected of it stands in `NAME.EXT.expected`.
//!
//! `UPDATE_EXPECT=1` writes the expectations anew. Directives stand in comments at the top of a case: `criterion: NAME`.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use expect_test::expect_file;
use source::{Diagnostic, Severity, Source};

/// One file of the corpus.
pub struct Case {
    /// Where it stands.
    pub path: PathBuf,
    /// What it says; bytes that are not text are replaced.
    pub source: Source,
}

/// The cases of a folder of the corpus, such as `boolean/reject`, that have one of these extensions; by name.
///
/// # Panics
///
/// Panics if there are none: a runner that finds nothing would pass.
#[must_use]
pub fn cases(folder: &str, extensions: &[&str]) -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus").join(folder);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths.retain(|path| path.extension().is_some_and(|own| extensions.iter().any(|extension| own == *extension)));
    assert!(!paths.is_empty(), "{} has no cases", folder.display());
    paths.into_iter().map(Case::read).collect()
}

impl Case {
    fn read(path: PathBuf) -> Case {
        let name = path.file_name().expect("a file has a name").to_string_lossy().into_owned();
        let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Case { path, source: Source::new(name, String::from_utf8_lossy(&bytes).into_owned()) }
    }

    /// What follows `KEY:` in the comments at the top.
    #[must_use]
    pub fn directive(&self, key: &str) -> Option<&str> {
        let marks = ['/', ';', '#', '%'];
        let comments = self.source.text().lines().take_while(|line| line.starts_with(marks));
        let mut words = comments.map(|line| line.trim_start_matches(marks).trim());
        words.find_map(|line| line.strip_prefix(key)?.strip_prefix(':')).map(str::trim)
    }

    /// The file of the same name with another extension, if there is one.
    #[must_use]
    pub fn beside(&self, extension: &str) -> Option<Source> {
        let text = std::fs::read_to_string(self.path.with_extension(extension)).ok()?;
        Some(Source::new(format!("case.{extension}"), text))
    }

    /// Compares with what is expected.
    pub fn expect(&self, actual: &str) {
        let mut name = self.path.clone().into_os_string();
        name.push(".expected");
        expect_file![PathBuf::from(name)].assert_eq(actual);
    }

    /// Says that a case was rejected that should not be, and why.
    ///
    /// # Panics
    ///
    /// Always.
    pub fn rejected(&self, errors: &[Diagnostic]) -> ! {
        panic!("{} is rejected:\n{}", self.path.display(), describe(&self.source, errors))
    }
}

/// Diagnostics in a form that is easy to compare: severity, code, message, places with the words there, advice.
#[must_use]
pub fn describe(source: &Source, diagnostics: &[Diagnostic]) -> String {
    let mut text = String::new();
    for diagnostic in diagnostics {
        let severity = match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let _ = writeln!(text, "{severity}[{}]: {}", diagnostic.code.id, diagnostic.message);
        for label in &diagnostic.labels {
            let place = source.place(label.span.start);
            let words: String = source.slice(label.span).chars().take(40).collect();
            let _ = writeln!(text, "  {}:{} {words:?} {}", place.line, place.column, label.text);
        }
        for help in &diagnostic.help {
            let _ = writeln!(text, "  help: {help}");
        }
    }
    text
}
