//! Bugs of ours: say which invariant broke, keep what is needed to see it again, end with 70.

use std::fs;
use std::io;
use std::panic::PanicHookInfo;
use std::path::{Path, PathBuf};

use crate::exit::Exit;
use crate::output::say;

/// Files larger than this are named in the reproducer but not copied.
const LARGEST_COPY: u64 = 64 << 20;

/// Makes panics end the program with a reproducer.
pub(crate) fn install() {
    std::panic::set_hook(Box::new(|panic| {
        report(&described(panic));
        std::process::exit(Exit::Bug as i32);
    }));
}

fn described(panic: &PanicHookInfo<'_>) -> String {
    let payload = panic.payload();
    let message = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let message = message.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_default();
    match panic.location() {
        Some(place) => format!("{message} ({}:{}:{})", place.file(), place.line(), place.column()),
        None => message,
    }
}

/// Says what broke and writes a reproducer.
pub(crate) fn report(what: &str) {
    say(&format!("specimen has a bug: {what}"));
    let folder = std::env::temp_dir().join(format!("specimen-bug-{}", std::process::id()));
    let arguments: Vec<String> = std::env::args().collect();
    match write_reproducer(&folder, what, &arguments) {
        Ok(()) => say(&format!("what is needed to see it again is in {}; please send it to us", folder.display())),
        Err(error) => say(&format!("a reproducer could not be written to {}: {error}", folder.display())),
    }
}

/// The arguments, the version, what broke, and every input file named in the arguments.
fn write_reproducer(folder: &Path, what: &str, arguments: &[String]) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let mut report = format!("specimen {}\n{what}\n\narguments:\n", env!("CARGO_PKG_VERSION"));
    for argument in arguments {
        report.push_str(&format!("  {argument}\n"));
    }
    let files = arguments.iter().skip(1).map(PathBuf::from).filter(|path| path.is_file());
    for (number, path) in files.enumerate() {
        let size = path.metadata()?.len();
        let name = path.file_name().map_or_else(Default::default, |name| name.to_string_lossy().into_owned());
        let copy = format!("{}-{name}", number + 1);
        if size <= LARGEST_COPY {
            fs::copy(&path, folder.join(&copy))?;
        }
        report.push_str(&format!("\nfile {} ({size} bytes): {copy}", path.display()));
    }
    report.push('\n');
    fs::write(folder.join("report.txt"), report)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reproducer_holds_arguments_version_and_input() {
        let folder = tempfile::tempdir().expect("a folder");
        let input = folder.path().join("policy.bool");
        fs::write(&input, "decision d = a;").expect("written");
        let bug = folder.path().join("bug");
        let arguments = ["specimen".to_owned(), "check".to_owned(), input.display().to_string()];
        write_reproducer(&bug, "an invariant broke", &arguments).expect("written");
        let report = fs::read_to_string(bug.join("report.txt")).expect("there is a report");
        assert!(report.contains("an invariant broke") && report.contains("check") && report.contains("specimen 0."));
        assert_eq!(fs::read_to_string(bug.join("1-policy.bool")).expect("copied"), "decision d = a;");
    }
}
