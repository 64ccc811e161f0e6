//! Suites in the formats other programs read: one row in [`Format`] and one file for each.

mod c;
mod csv;
mod html;
mod json;
mod junit;
mod markdown;
mod name;
mod pytest;
mod rust;
mod spreadsheet;
mod table;
pub mod xml;

pub use html::escape;
pub use name::comment;
pub use spreadsheet::{guarded, unguarded};

use std::fmt;

use crate::{Suite, TestRecord};

macro_rules! formats {
    ($($variant:ident $name:literal $file:literal $words:literal $write:path;)*) => {
        /// A format suites are exported to.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Format { $(#[doc = $words] $variant,)* }

        impl Format {
            /// Every format.
            pub const ALL: &'static [Format] = &[$(Format::$variant,)*];

            /// The name on the command line.
            pub fn name(self) -> &'static str { match self { $(Format::$variant => $name,)* } }

            /// What it is, in a few words.
            pub fn description(self) -> &'static str { match self { $(Format::$variant => $words,)* } }

            /// The usual name of such a file; `*` stands for the name of the source.
            pub fn file_pattern(self) -> &'static str { match self { $(Format::$variant => $file,)* } }

            fn write(self, suite: &Suite, extras: &Extras<'_>) -> Result<String, ExportError> {
                match self { $(Format::$variant => $write(suite, extras),)* }
            }
        }
    };
}

formats! {
    Json "json" "*.json" "the suite itself, as JSON" json::write;
    Csv "csv" "*.csv" "a table with one test in each row" csv::write;
    Markdown "markdown" "*.md" "tables of goals and tests for people" markdown::write;
    Junit "junit" "*.xml" "JUnit XML: open goals fail, infeasible goals are skipped" junit::write;
    Html "html" "*.html" "a report for the browser, in one file" html::write;
    C "c" "*_tests.h" "a C11 header with a table of tests" c::write;
    Pytest "pytest" "test_*.py" "a parametrised pytest module" pytest::write;
    Rust "rust" "*_tests.rs" "a Rust module with a table of tests" rust::write;
}

/// What an export may show in addition to the suite.
#[derive(Clone, Copy, Debug, Default)]
pub struct Extras<'a> {
    /// The text of the source, for reports that show it.
    pub source_text: Option<&'a str>,
    /// What draws a test, for reports that have pictures.
    pub viewer: Option<Viewer>,
}

/// Draws a test as a fragment of HTML, SVG most often, with every text in it escaped.
pub type Viewer = fn(&TestRecord) -> Option<String>;

/// A suite that a format cannot express.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportError {
    /// The format.
    pub format: Format,
    /// What it cannot express.
    pub problem: String,
}

/// The suite in a format. The same suite gives the same bytes.
///
/// # Errors
/// When the format cannot express the suite.
pub fn export(suite: &Suite, format: Format, extras: &Extras<'_>) -> Result<String, ExportError> {
    format.write(suite, extras)
}

impl Format {
    /// The format called `name`.
    pub fn from_name(name: &str) -> Option<Format> {
        Format::ALL.iter().copied().find(|format| format.name() == name)
    }
}

impl fmt::Display for ExportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the format {} cannot express this suite: {}", self.format.name(), self.problem)
    }
}

impl std::error::Error for ExportError {}
