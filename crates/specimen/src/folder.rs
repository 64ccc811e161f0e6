//! The folder of `--out`: what we write there, and nothing of anybody else's.

use std::fs;
use std::path::{Component, Path, PathBuf};

use front::failure::{Failure, INVALID_SUITE};
use front::input::{self, cannot};
use front::language;
use front::reader::{Reader, SOURCES};
use front::{ExportedFile, FrontEnd};
use testcase::export::{Extras, Format, export};
use testcase::{Suite, write_atomically, write_bytes_atomically};

/// A folder we may write to.
pub(crate) struct OutFolder {
    path: PathBuf,
}

const SUITE: &str = "suite.json";
const REPORT: &str = "report.html";
const TABLE: &str = "tests.csv";

impl OutFolder {
    /// Takes a folder: a new or empty one, or one that holds a suite of ours.
    pub(crate) fn open(path: &Path) -> Result<OutFolder, Failure> {
        if path.exists() && !path.is_dir() {
            return Err(Failure::Environment(format!("{} is not a folder", path.display())));
        }
        fs::create_dir_all(path).map_err(|error| cannot("create", path, &error))?;
        let entries = fs::read_dir(path).map_err(|error| cannot("read", path, &error))?;
        let entries: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        let (mut unfinished, others): (Vec<PathBuf>, Vec<PathBuf>) =
            entries.into_iter().partition(|path| is_unfinished(path));
        let folder = OutFolder { path: path.to_owned() };
        if !others.is_empty() && folder.suite()?.is_none() {
            return Err(Failure::Environment(format!(
                "{} holds files that are not ours; name a new or empty folder",
                path.display()
            )));
        }
        let copies = fs::read_dir(path.join(SOURCES)).into_iter().flatten().flatten();
        unfinished.extend(copies.map(|entry| entry.path()).filter(|path| is_unfinished(path)));
        for path in unfinished {
            fs::remove_file(&path).map_err(|error| cannot("remove", &path, &error))?;
        }
        Ok(folder)
    }

    /// A folder that is known to be ours.
    pub(crate) fn at(path: &Path) -> OutFolder {
        OutFolder { path: path.to_owned() }
    }

    /// Whether there is a suite in the folder.
    pub(crate) fn holds_suite(&self) -> bool {
        self.path.join(SUITE).exists()
    }

    /// The suite in the folder, if there is one.
    pub(crate) fn suite(&self) -> Result<Option<Suite>, Failure> {
        let path = self.path.join(SUITE);
        if !path.exists() {
            return Ok(None);
        }
        let text = input::read_text(&path)?;
        let suite = Suite::from_json(&text).map_err(|error| {
            Failure::Environment(format!("{} is not a suite of ours ({error}); name another folder", path.display()))
        })?;
        Ok(Some(suite))
    }

    /// Writes the suite only: what a killed run leaves.
    pub(crate) fn write_suite(&self, suite: &Suite) -> Result<(), Failure> {
        self.write(SUITE, &suite.to_json_string())
    }

    /// Writes copies of everything that was opened, so that the folder can be judged again by itself, wherever it is.
    pub(crate) fn write_sources(&self, reader: &Reader) -> Result<(), Failure> {
        for (file, bytes) in reader.copies() {
            let path = self.path.join(SOURCES).join(&file.name);
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent).map_err(|error| cannot("create", parent, &error))?;
            }
            write_bytes_atomically(&path, &bytes).map_err(|error| cannot("write", &path, &error))?;
        }
        Ok(())
    }

    /// Removes what an earlier run wrote: its suite, its reports and its copies of sources, and nothing of anybody else's.
    pub(crate) fn clear(&self) -> Result<(), Failure> {
        let Some(suite) = self.suite()? else { return Ok(()) };
        let front = language::front_of(&suite.language);
        let made = front.map(|front| front.files(&suite)).unwrap_or_default();
        let made = made.into_iter().map(|file| self.path.join(file.name));
        let copies = suite.sources().0.into_iter().map(|file| self.path.join(SOURCES).join(file.name));
        let ours = [REPORT, TABLE, SUITE].into_iter().map(|name| self.path.join(name));
        // The suite goes last: until then the folder is known as ours.
        for path in made.chain(copies).chain(ours).filter(|path| path.is_file()) {
            fs::remove_file(&path).map_err(|error| cannot("remove", &path, &error))?;
        }
        Ok(())
    }

    /// Writes the suite, the report and the table.
    pub(crate) fn write_all(&self, suite: &Suite, front: &dyn FrontEnd, source_text: &str) -> Result<(), Failure> {
        self.write_suite(suite)?;
        write_files(&self.path, &front.files(suite))?;
        let extras = Extras { source_text: Some(source_text), viewer: front.viewer() };
        for (name, format) in [(REPORT, Format::Html), (TABLE, Format::Csv)] {
            let own = front.formats().iter().any(|(own, _)| *own == format.name());
            let text = match own {
                true => {
                    front.export(suite, format.name(), Some(source_text))?.into_iter().map(|file| file.text).collect()
                }
                false => export(suite, format, &extras).map_err(|error| Failure::Bug(error.to_string()))?,
            };
            self.write(name, &text)?;
        }
        Ok(())
    }

    /// Writes further files.
    pub(crate) fn write_files(&self, files: &[ExportedFile]) -> Result<(), Failure> {
        write_files(&self.path, files)
    }

    fn write(&self, name: &str, text: &str) -> Result<(), Failure> {
        let path = self.path.join(name);
        write_atomically(&path, text).map_err(|error| cannot("write", &path, &error))
    }
}

/// Writes exported files to a folder, which is made if it is not there. Files that are there already and say something else are
/// replaced only when asked to; nothing is written when one of them is in the way.
pub(crate) fn export_files(folder: &Path, files: &[ExportedFile], force: bool) -> Result<(), Failure> {
    if !force && let Some(path) = files.iter().map(|file| folder.join(&file.name)).zip(files).find_map(in_the_way) {
        return Err(Failure::Environment(format!(
            "{} is there already and holds something else; name another folder, or replace it with --force",
            path.display()
        )));
    }
    write_files(folder, files)
}

/// The path, where a file stands there that is not what would be written.
fn in_the_way((path, file): (PathBuf, &ExportedFile)) -> Option<PathBuf> {
    let there = fs::symlink_metadata(&path).is_ok();
    (there && !fs::read(&path).is_ok_and(|bytes| bytes == file.text.as_bytes())).then_some(path)
}

/// Writes files to a folder, which is made if it is not there. A name that leads out of the folder is refused.
pub(crate) fn write_files(folder: &Path, files: &[ExportedFile]) -> Result<(), Failure> {
    for file in files {
        if !Path::new(&file.name).components().all(|part| matches!(part, Component::Normal(_))) {
            return Err(Failure::Refused(
                &INVALID_SUITE,
                format!("`{}` leads out of the folder", file.name.escape_debug()),
            ));
        }
        let path = folder.join(&file.name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(|error| cannot("create", parent, &error))?;
        }
        write_atomically(&path, &file.text).map_err(|error| cannot("write", &path, &error))?;
    }
    Ok(())
}

/// Whether a killed run left this file, half written: `.NAME.PROCESS-ATTEMPT.part`.
fn is_unfinished(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let numbers =
        name.strip_prefix('.').and_then(|rest| rest.strip_suffix(".part")).and_then(|rest| rest.rsplit_once('.'));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    numbers
        .and_then(|(_, numbers)| numbers.split_once('-'))
        .is_some_and(|(process, attempt)| is_number(process) && is_number(attempt))
}
