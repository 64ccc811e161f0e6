//! The user's own headers: those that stand beside the source belong to a suite as the source does.

use std::path::{Path, PathBuf};

use source::Source;

/// The headers of a program in the folder of its source or below: their names there, and where they are.
pub(super) fn beside(program: &c::Program, source: &Source) -> Vec<(String, PathBuf)> {
    let path = Path::new(source.name());
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut found: Vec<(String, PathBuf)> = Vec::new();
    for file in program.files.iter().map(Path::new).filter(|file| *file != path && is_own(file) && file.is_file()) {
        let Ok(below) = file.strip_prefix(folder) else { continue };
        let plain = below.components().all(|part| matches!(part, std::path::Component::Normal(_)));
        let is_header = below.extension().is_some_and(|extension| extension != "c" && extension != "i");
        if let Some(name) = below.to_str().filter(|_| plain && is_header) {
            found.push((name.to_owned(), file.to_owned()));
        }
    }
    found.sort();
    found.dedup();
    found
}

/// The first of these headers in whose place the program has one of the system.
pub(super) fn replaced<'h>(program: &c::Program, headers: &'h [String]) -> Option<&'h str> {
    let ends = |file: &str, header: &str| Path::new(file).ends_with(header);
    let found = headers.iter().find(|header| {
        let own = program.files.iter().any(|file| is_own(Path::new(file)) && ends(file, header));
        !own && program.files.iter().any(|file| ends(file, header))
    });
    found.map(String::as_str)
}

/// Whether a file is not one of the system's.
fn is_own(file: &Path) -> bool {
    let text = file.to_string_lossy();
    !text.is_empty() && !text.starts_with('<') && !text.starts_with("/usr/")
}
