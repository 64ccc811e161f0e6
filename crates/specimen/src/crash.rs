//! Bugs of ours: say which invariant broke, keep what is needed to see it again, end with 70.

use std::fs;
use std::io;
use std::panic::PanicHookInfo;
use std::path::{Path, PathBuf};

use front::exit::Exit;

use crate::terminal::say;

/// Files larger than this are named in the reproducer but not copied.
const LARGEST_COPY: u64 = 64 << 20;

/// Makes panics end the program with a reproducer.
pub(crate) fn install() {
    search::on_exhaustion(exhausted);
    std::panic::set_hook(Box::new(|panic| {
        if let Some(room) = panic.payload().downcast_ref::<source::NoRoom>() {
            say(&format!("error: {room}"));
            std::process::exit(Exit::Environment as i32);
        }
        report(&described(panic));
        std::process::exit(Exit::Bug as i32);
    }));
}

/// What is said when memory is exhausted; in one piece, since nothing can be put together then.
const EXHAUSTED: &str = "error: the system gives no more memory; what was found before is in the folder of --out, if one was named, and \
                         `--memory` limits what a search takes\n";

/// Ends the program when memory is exhausted.
fn exhausted() -> ! {
    // Standard error has no buffer: nothing is allocated. Where it is closed, the exit code says it.
    let _ = io::Write::write_all(&mut io::stderr(), EXHAUSTED.as_bytes());
    std::process::exit(Exit::Environment as i32)
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
    let arguments: Vec<String> = std::env::args().collect();
    let written = private_folder().and_then(|folder| write_reproducer(&folder, what, &arguments).map(|()| folder));
    match written {
        Ok(folder) => say(&format!("what is needed to see it again is in {}; please send it to us", folder.display())),
        Err(error) => say(&format!("a reproducer could not be written: {error}")),
    }
}

/// Keeps what a solver was asked when it answered wrongly.
pub(crate) fn keep_script(script: &str) {
    let path = private_folder().map(|folder| folder.join("question.smt2"));
    match path.and_then(|path| fs::write(&path, script).map(|()| path)) {
        Ok(path) => say(&format!("what it was asked is in {}", path.display())),
        Err(error) => say(&format!("what it was asked could not be written: {error}")),
    }
}

/// A new folder that nobody can guess and that only the user can read: inputs may be confidential.
fn private_folder() -> io::Result<PathBuf> {
    let mut builder = tempfile::Builder::new();
    builder.prefix("specimen-bug-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    Ok(builder.tempdir()?.keep())
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

    #[cfg(unix)]
    #[test]
    fn the_folder_of_a_reproducer_is_private_and_new() {
        use std::os::unix::fs::PermissionsExt;
        let (first, second) = (private_folder().expect("a folder"), private_folder().expect("a folder"));
        assert_ne!(first, second);
        for folder in [first, second] {
            assert_eq!(fs::metadata(&folder).expect("it is there").permissions().mode() & 0o777, 0o700);
            fs::remove_dir(&folder).expect("it is ours");
        }
    }

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
