//! From the texts of a specification to its core.

use std::num::NonZeroU32;

use source::Source;

use crate::assertion::assertions;
use crate::ast::Statement;
use crate::check::check;
use crate::codes::{EMPTY, INCLUDE, NO_OUTPUT};
use crate::core::Spec;
use crate::expand::expand;
use crate::files::Files;
use crate::parse::parse;
use crate::place::{FileId, Place};
use crate::report::Report;
use crate::ticks::count_in_ticks;
use crate::time::TimeUnit;

/// The standard library.
const LIBRARY: &[(&str, &str)] = &[
    ("Types.tessla", include_str!("../library/Types.tessla")),
    ("Operators.tessla", include_str!("../library/Operators.tessla")),
    ("Values.tessla", include_str!("../library/Values.tessla")),
    ("Collections.tessla", include_str!("../library/Collections.tessla")),
    ("Streams.tessla", include_str!("../library/Streams.tessla")),
    ("Temporal.tessla", include_str!("../library/Temporal.tessla")),
    ("Patterns.tessla", include_str!("../library/Patterns.tessla")),
    ("Annotations.tessla", include_str!("../library/Annotations.tessla")),
];

/// The stack of the thread that checks and expands: texts may nest deeply, and so may macros.
const STACK: usize = 1 << 30;

/// How many files a specification may consist of.
const MOST_FILES: usize = 1000;

/// How a specification is read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// The time unit of traces, needed where the specification uses units.
    pub unit: Option<TimeUnit>,
    /// How many times there are to a unit, where times are parts of it.
    pub ticks: Option<NonZeroU32>,
}

/// What reading gives: the texts, the core unless there are errors, and everything there is to say.
#[derive(Debug)]
pub struct Loaded {
    /// The texts, also those of the standard library.
    pub files: Files,
    /// The core; nothing if there is an error.
    pub spec: Option<Spec>,
    /// Errors and warnings.
    pub reports: Vec<Report>,
}

/// Finds the text of a file that is included: given the path relative to the directory the program runs in, or what went wrong.
pub type Resolver<'a> = &'a (dyn Fn(&str) -> Result<String, String> + Sync);

/// Reads a specification.
pub fn load(main: Source, resolver: Resolver<'_>, options: Options) -> Loaded {
    let mut loaded = with_room(|| load_here(main, resolver, options));
    loaded.reports.sort_by_key(|report| (report.file, report.diagnostic.labels[0].span.start));
    loaded
}

/// Reads a specification that includes no files.
pub fn load_alone(main: Source, options: Options) -> Loaded {
    load(main, &|path| Err(format!("{path} cannot be read from here")), options)
}

/// Runs something on a stack of its own that is large enough for deeply nested specifications.
pub fn with_room<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    source::with_room(STACK, work)
}

fn load_here(main: Source, resolver: Resolver<'_>, options: Options) -> Loaded {
    let mut files = Files::default();
    let mut library = Vec::new();
    let mut reports = Vec::new();
    for (name, text) in LIBRARY {
        let file = files.add_library(Source::new(*name, *text));
        let (statements, mut problems) = parse(text, file);
        library.extend(statements);
        reports.append(&mut problems);
    }
    let file = files.add_main(main);
    let mut user = Vec::new();
    include(file, &mut files, resolver, &mut user, &mut reports);
    let assertions = assertions(&files, file, &mut reports);
    if user.is_empty() && assertions.is_empty() && !reports.iter().any(Report::is_error) {
        let place = Place { file, span: source::Span::default() };
        let help = "Declare an input and an output: `in a: Events[Int]`, a line break, `out a + 1 as b`.";
        reports.push(Report::error(&EMPTY, place, "the file declares nothing").help(help));
    }
    if reports.iter().any(Report::is_error) {
        return Loaded { files, spec: None, reports };
    }
    let (checked, mut problems) = check(&files, options.unit, &library, &user, &assertions);
    reports.append(&mut problems);
    if reports.iter().any(Report::is_error) {
        return Loaded { files, spec: None, reports };
    }
    match expand(&files, &checked) {
        Ok(mut spec) => {
            if let Some(ticks) = options.ticks.filter(|ticks| ticks.get() > 1) {
                reports.append(&mut count_in_ticks(&mut spec, ticks.get()));
            }
            if reports.iter().any(Report::is_error) {
                return Loaded { files, spec: None, reports };
            }
            if spec.outputs.is_empty() && spec.assertions.is_empty() {
                let place = Place { file, span: source::Span::default() };
                reports.push(Report::warning(&NO_OUTPUT, place, "The specification has no output"));
            }
            Loaded { files, spec: Some(spec), reports }
        }
        Err(mut problems) => {
            reports.append(&mut problems);
            Loaded { files, spec: None, reports }
        }
    }
}

/// The statements of a file and of all it includes, each file once.
fn include(
    file: FileId,
    files: &mut Files,
    resolver: Resolver<'_>,
    all: &mut Vec<Statement>,
    reports: &mut Vec<Report>,
) {
    let mut open = vec![file];
    let mut count = 0;
    while let Some(file) = open.pop() {
        count += 1;
        let text = files.source(file).text().to_owned();
        let (statements, mut problems) = parse(&text, file);
        reports.append(&mut problems);
        for statement in &statements {
            let Statement::Include { path, place } = statement else { continue };
            let path = relative(files.source(file).name(), path);
            if files.named(&path).is_some() {
                continue;
            }
            match resolver(&path) {
                _ if count > MOST_FILES => reports.push(Report::error(&INCLUDE, *place, "too many files are included")),
                Ok(text) if u32::try_from(text.len()).is_ok() => open.push(files.add(Source::new(path, text))),
                Ok(_) => reports.push(Report::error(&INCLUDE, *place, format!("{path} is too large"))),
                Err(problem) => {
                    reports.push(Report::error(&INCLUDE, *place, format!("Could not include {path}: {problem}")));
                }
            }
        }
        all.extend(statements);
    }
}

/// A path relative to the file in which it is written.
fn relative(from: &str, path: &str) -> String {
    match from.rsplit_once('/') {
        Some((folder, _)) if !path.starts_with('/') => format!("{folder}/{path}"),
        _ => path.to_owned(),
    }
}
