//! The reader: the only thing that opens the files a specification consists of. What it opened is the record of a suite's sources.

use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use testcase::{Role, SCHEMA_1, SourceFile, SourceRecord, Sources, Suite, fingerprint};

use crate::failure::{Failure, OTHER_SOURCES};
use crate::input;

/// The folder beside a suite that holds copies of its sources.
pub const SOURCES: &str = "sources";

/// What stands for `..` in the names of copies.
const ABOVE: &str = "__";

/// Opens files and remembers them. A file that is opened a second time is what it was the first time.
#[derive(Debug)]
pub struct Reader {
    place: Place,
    opened: Mutex<Vec<Opened>>,
    /// What preprocessed a program, for the provenance.
    preprocessor: Mutex<Option<String>>,
}

/// A file that was opened.
#[derive(Clone, Debug)]
pub struct Opened {
    /// Its role, its name and its fingerprint.
    pub file: SourceFile,
    /// Where it is.
    pub path: PathBuf,
    /// What was in it.
    pub bytes: Arc<[u8]>,
    /// What was asked for.
    asked: PathBuf,
}

/// Where files are looked for.
#[derive(Debug)]
enum Place {
    /// Where their names say; names in the record are relative to this folder, that of the main file.
    Disk(PathBuf),
    /// Where a suite keeps its sources: the record says which there are, and each must be what it was.
    Suite { base: PathBuf, folders: Vec<PathBuf>, recorded: Sources, first_version: bool },
    /// Where a suite keeps its sources or where they stand now, if they still exist.
    Current { base: PathBuf, folders: Vec<PathBuf> },
    /// Nowhere: there is a text, and nothing else.
    Text,
}

impl Reader {
    /// Opens files where their names say, beginning with the main file.
    pub fn on_disk(main: &Path) -> Result<(Arc<Reader>, Vec<u8>), Failure> {
        let reader = Reader::at(Place::Disk(folder_of(main)));
        let bytes = input::read(main)?;
        reader.remember(Role::Main, input::file_name(main), main, main, &bytes);
        Ok((Arc::new(reader), bytes))
    }

    /// Holds a text under a name, and opens nothing.
    pub fn of_text(name: &str, bytes: &[u8]) -> Arc<Reader> {
        let reader = Reader::at(Place::Text);
        let path = Path::new(name);
        reader.remember(Role::Main, input::file_name(path), path, path, bytes);
        Arc::new(reader)
    }

    /// Opens the sources of a suite, which are beside it or beside the main file that is given.
    pub fn of_suite(
        suite: &Suite,
        beside: &Path,
        given: Option<&Path>,
    ) -> Result<(Arc<Reader>, PathBuf, Vec<u8>), Failure> {
        let mut folders = vec![beside.with_file_name(SOURCES), folder_of(beside)];
        let main = match given {
            Some(path) => {
                folders.insert(0, folder_of(path));
                path.to_owned()
            }
            None => {
                folders.iter().map(|folder| folder.join(&suite.source.file)).find(|path| path.is_file()).ok_or_else(
                    || {
                        Failure::Environment(format!(
                            "the source {} is not beside the suite; name it with --source",
                            suite.source.file
                        ))
                    },
                )?
            }
        };
        let bytes = input::read(&main)?;
        if fingerprint(&bytes) != suite.source.sha256 {
            return Err(Failure::Refused(
                &OTHER_SOURCES,
                format!("{} is not the source the suite was drawn from", main.display()),
            ));
        }
        let (base, recorded) = (folder_of(&main), suite.sources());
        let reader = Reader::at(Place::Suite { base, folders, recorded, first_version: suite.schema == SCHEMA_1 });
        reader.remember(Role::Main, suite.source.file.clone(), &main, &main, &bytes);
        reader.check_copies()?;
        Ok((Arc::new(reader), main, bytes))
    }

    /// Opens the sources of a suite as they are now, beginning with a main file that may have changed.
    pub fn of_current(suite: &Suite, main: &Path) -> Result<Arc<Reader>, Failure> {
        let base = folder_of(main);
        let folders = vec![base.clone(), base.join(SOURCES)];
        let reader = Reader::at(Place::Current { base, folders });
        reader.remember(Role::Main, suite.source.file.clone(), main, main, &input::read(main)?);
        Ok(Arc::new(reader))
    }

    fn at(place: Place) -> Reader {
        Reader { place, opened: Mutex::default(), preprocessor: Mutex::default() }
    }

    /// Opens a file: one that is named on the command line, by its path; one of a suite, also by its name in the record.
    pub fn read(&self, role: Role, path: &Path) -> Result<Opened, Failure> {
        if let Some(known) = self.known(role, path) {
            return Ok(known);
        }
        let name = self.logical(path);
        match &self.place {
            Place::Disk(_) => {
                let bytes = input::read(path)?;
                Ok(self.remember(role, self.unused(&name), path, path, &bytes))
            }
            Place::Suite { recorded, folders, first_version, .. } => {
                let Some(file) = recorded.find(role, &name).or_else(|| recorded.find(role, &path.to_string_lossy()))
                else {
                    return if *first_version { self.unrecorded(role, path) } else { Err(not_recorded(role, path)) };
                };
                let places = folders.iter().map(|folder| folder.join(&file.name));
                let there = places.filter(|place| place.is_file()).find_map(|place| {
                    let bytes = input::read(&place).ok()?;
                    (fingerprint(&bytes) == file.sha256).then_some((place, bytes))
                });
                let (place, bytes) = there.ok_or_else(|| {
                    let (name, words) = (&file.name, role.words());
                    Failure::Environment(format!(
                        "{name}, {words}, is not beside the suite as it was; a copy belongs into the folder `{SOURCES}`"
                    ))
                })?;
                Ok(self.remember(role, file.name.clone(), &place, path, &bytes))
            }
            Place::Current { base, folders } => {
                let recorded = path.to_string_lossy();
                let places =
                    folders.iter().map(|folder| folder.join(path)).chain([base.join(recorded.replace(ABOVE, ".."))]);
                let there = places.into_iter().find(|place| place.is_file()).unwrap_or_else(|| path.to_owned());
                let bytes = input::read(&there)?;
                Ok(self.remember(role, recorded.into_owned(), &there, path, &bytes))
            }
            Place::Text => Err(Failure::Rejected(format!("{} is not opened: there is only this text", path.display()))),
        }
    }

    /// Opens a file under another name than its path gives it.
    pub fn read_as(&self, role: Role, path: &Path, name: &str) -> Result<Opened, Failure> {
        if let Some(known) = self.known(role, path) {
            return Ok(known);
        }
        let bytes = input::read(path)?;
        if let Place::Suite { first_version: false, recorded, .. } = &self.place
            && recorded.find(role, name).is_none_or(|file| file.sha256 != fingerprint(&bytes))
        {
            let (path, words) = (path.display(), role.words());
            return Err(Failure::Refused(
                &OTHER_SOURCES,
                format!("{path}, {words}, is not what the suite was drawn from"),
            ));
        }
        Ok(self.remember(role, self.unused(name), path, path, &bytes))
    }

    /// The folder of the main file.
    pub fn base(&self) -> &Path {
        match &self.place {
            Place::Disk(base) | Place::Suite { base, .. } | Place::Current { base, .. } => base,
            Place::Text => Path::new(""),
        }
    }

    /// The text of a file.
    pub fn read_text(&self, role: Role, path: &Path) -> Result<String, Failure> {
        let opened = self.read(role, path)?;
        String::from_utf8(opened.bytes.to_vec())
            .map_err(|_| Failure::Rejected(format!("{} is not UTF-8 text", path.display())))
    }

    /// Opens all files of a folder that a filter wants, in the order of their names; with the name of the folder in the record.
    pub fn read_folder(
        &self,
        role: Role,
        folder: &Path,
        wanted: impl Fn(&Path) -> bool,
    ) -> Result<(String, Vec<Opened>), Failure> {
        let name = Some(input::file_name(folder)).filter(|name| testcase::is_plain(name) && !name.contains('/'));
        let name = name.unwrap_or_else(|| role.name().to_owned());
        let of_role = |name: &str| -> Vec<Opened> {
            let inside = |one: &&Opened| one.file.role == role && one.file.name.starts_with(&format!("{name}/"));
            self.all().iter().filter(inside).cloned().collect()
        };
        if folder == Path::new(&name) && !of_role(&name).is_empty() {
            let opened = of_role(&name);
            return Ok((name, opened));
        }
        if let Place::Suite { recorded, first_version: false, .. } = &self.place {
            let names: Vec<String> = recorded
                .0
                .iter()
                .filter(|file| file.role == role && file.name.starts_with(&format!("{name}/")))
                .map(|file| file.name.clone())
                .collect();
            let opened = names.iter().map(|name| self.read(role, Path::new(name))).collect::<Result<_, _>>()?;
            return Ok((name, opened));
        }
        let listing = std::fs::read_dir(folder).map_err(|error| input::cannot("read", folder, &error))?;
        let files = listing.flatten().map(|entry| entry.path()).filter(|path| path.is_file() && wanted(path));
        let mut files: Vec<PathBuf> = files.collect();
        files.sort();
        let mut opened = Vec::new();
        for path in files {
            let bytes = input::read(&path)?;
            let inside = self.unused(&format!("{name}/{}", input::file_name(&path)));
            opened.push(self.remember(role, inside, &path, &path, &bytes));
        }
        Ok((name, opened))
    }

    /// Takes in a text that was made from the files, such as what a preprocessor makes of them.
    pub fn made(&self, role: Role, name: &str, text: &str) -> Result<(), Failure> {
        if let Place::Suite { recorded, first_version: false, .. } = &self.place
            && recorded.find(role, name).is_none_or(|file| file.sha256 != fingerprint(text.as_bytes()))
        {
            return Err(Failure::Refused(
                &OTHER_SOURCES,
                format!(
                    "{name}, {}, is not what the suite was drawn from: a header or the preprocessor is another",
                    role.words()
                ),
            ));
        }
        let path = Path::new(name);
        if self.known(role, path).is_none() {
            self.remember(role, name.to_owned(), path, path, text.as_bytes());
        }
        Ok(())
    }

    /// Whether the record of a suite has a file of this role and name.
    pub fn has_recorded(&self, role: Role, name: &str) -> bool {
        matches!(&self.place, Place::Suite { recorded, folders, .. }
            if recorded.find(role, name).is_some() && folders.iter().any(|folder| folder.join(name).is_file()))
    }

    /// Everything that was opened so far; of a suite, everything that it was made from.
    pub fn record(&self) -> Sources {
        if let Place::Suite { recorded, first_version: false, .. } = &self.place {
            return recorded.clone();
        }
        Sources(self.all().into_iter().map(|opened| opened.file).collect())
    }

    /// The main file of the record.
    pub fn main(&self) -> SourceRecord {
        let main = self.all().into_iter().find(|opened| opened.file.role == Role::Main);
        main.map_or_else(
            || SourceRecord { file: String::new(), sha256: fingerprint(b"") },
            |main| SourceRecord { file: main.file.name, sha256: main.file.sha256 },
        )
    }

    /// Everything that was opened so far, with what was in it.
    pub fn all(&self) -> Vec<Opened> {
        self.opened.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Everything there is to copy: what was opened, and of a suite what else is beside it.
    pub fn copies(&self) -> Vec<(SourceFile, Arc<[u8]>)> {
        let mut copies: Vec<(SourceFile, Arc<[u8]>)> =
            self.all().into_iter().map(|opened| (opened.file, opened.bytes)).collect();
        let Place::Suite { recorded, folders, .. } = &self.place else { return copies };
        for file in &recorded.0 {
            if copies.iter().any(|(known, _)| known.name == file.name) {
                continue;
            }
            let places = folders.iter().map(|folder| folder.join(&file.name)).filter(|place| place.is_file());
            let bytes = places.filter_map(|place| input::read(&place).ok());
            if let Some(bytes) = bytes.into_iter().find(|bytes| fingerprint(bytes) == file.sha256) {
                copies.push((file.clone(), bytes.into()));
            }
        }
        copies
    }

    /// What preprocessed the program, if it was preprocessed.
    pub fn preprocessor(&self) -> Option<String> {
        self.preprocessor.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Notes what preprocessed the program.
    pub fn preprocessed_by(&self, version: Option<String>) {
        *self.preprocessor.lock().unwrap_or_else(PoisonError::into_inner) = version;
    }

    /// The name of a file in the record: relative to the folder of the main file where it is named so, and without folders otherwise.
    pub fn logical(&self, path: &Path) -> String {
        let relative = match path.strip_prefix(self.base()) {
            Ok(rest) if rest.is_relative() && !rest.as_os_str().is_empty() => rest,
            Ok(_) | Err(_) => Path::new(path.file_name().unwrap_or(path.as_os_str())),
        };
        let mut parts: Vec<String> = Vec::new();
        for part in relative.components() {
            match part {
                Component::ParentDir if parts.last().is_some_and(|last| last != ABOVE) => {
                    parts.pop();
                }
                Component::ParentDir => parts.push(ABOVE.to_owned()),
                Component::Normal(name) => parts.push(name.to_string_lossy().into_owned()),
                Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
            }
        }
        parts.join("/")
    }

    fn known(&self, role: Role, path: &Path) -> Option<Opened> {
        let same = |one: &&Opened| one.file.role == role && (one.asked == path || Path::new(&one.file.name) == path);
        self.opened.lock().unwrap_or_else(PoisonError::into_inner).iter().find(same).cloned()
    }

    fn remember(&self, role: Role, name: String, path: &Path, asked: &Path, bytes: &[u8]) -> Opened {
        let opened = Opened {
            file: SourceFile { role, name, sha256: fingerprint(bytes) },
            path: path.to_owned(),
            bytes: bytes.into(),
            asked: asked.to_owned(),
        };
        self.opened.lock().unwrap_or_else(PoisonError::into_inner).push(opened.clone());
        opened
    }

    /// A name that no other file has, made from one that may be taken: copies of all of them are in one folder.
    fn unused(&self, name: &str) -> String {
        let taken: Vec<String> = self.all().into_iter().map(|one| one.file.name).collect();
        let clashes = |name: &str| {
            taken.iter().any(|other| {
                other == name || other.starts_with(&format!("{name}/")) || name.starts_with(&format!("{other}/"))
            })
        };
        let (folder, file) = name.rsplit_once('/').map_or(("", name), |(folder, file)| (folder, file));
        let other = |number: u32| match folder {
            "" => format!("{number}-{file}"),
            folder => format!("{folder}/{number}-{file}"),
        };
        std::iter::once(name.to_owned()).chain((2..).map(other)).find(|name| !clashes(name)).unwrap_or_default()
    }

    /// A file of a suite of the first version, whose paths are those of the machine it was drawn on.
    fn unrecorded(&self, role: Role, path: &Path) -> Result<Opened, Failure> {
        let bytes = input::read(path)?;
        Ok(self.remember(role, self.unused(&self.logical(path)), path, path, &bytes))
    }

    /// Checks that the copies beside a suite are what the record says.
    fn check_copies(&self) -> Result<(), Failure> {
        let Place::Suite { recorded, folders, .. } = &self.place else { return Ok(()) };
        let copies = folders.iter().find(|folder| folder.ends_with(SOURCES));
        for file in &recorded.0 {
            let Some(place) = copies.map(|folder| folder.join(&file.name)).filter(|place| place.is_file()) else {
                continue;
            };
            if fingerprint(&input::read(&place)?) != file.sha256 {
                let (place, words) = (place.display(), file.role.words());
                return Err(Failure::Refused(
                    &OTHER_SOURCES,
                    format!("{place}, {words}, is not what the suite was drawn from"),
                ));
            }
        }
        Ok(())
    }
}

/// Where the main file of a suite is: among the copies beside it, or beside it.
pub fn main_beside(suite: &Suite, beside: &Path) -> PathBuf {
    let copy = beside.with_file_name(SOURCES).join(&suite.source.file);
    if copy.is_file() { copy } else { beside.with_file_name(&suite.source.file) }
}

fn not_recorded(role: Role, path: &Path) -> Failure {
    Failure::Refused(&OTHER_SOURCES, format!("the suite was drawn without {}, {}", path.display(), role.words()))
}

fn folder_of(path: &Path) -> PathBuf {
    path.parent().map(Path::to_path_buf).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn names_are_relative_to_the_main_file_and_never_absolute() {
        let reader = Reader::at(Place::Disk(PathBuf::from("/home/me/project")));
        for (path, name) in [
            ("/home/me/project/a.c", "a.c"),
            ("/home/me/project/sub/./h.h", "sub/h.h"),
            ("/home/me/project/sub/../h.h", "h.h"),
            ("/home/me/project/../lib/x.tessla", "__/lib/x.tessla"),
            ("/home/me/project/../../x.h", "__/__/x.h"),
            ("/opt/lib/b.c", "b.c"),
            ("../b.c", "b.c"),
        ] {
            assert_eq!(reader.logical(Path::new(path)), name, "{path}");
        }
        let here = Reader::at(Place::Disk(PathBuf::new()));
        assert_eq!(here.logical(Path::new("../lib/b.c")), "__/lib/b.c");
    }

    #[test]
    fn two_files_of_one_name_are_told_apart_and_a_file_is_read_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        fs::create_dir_all(path("x")).expect("a folder");
        fs::create_dir_all(path("y")).expect("a folder");
        for (name, text) in [("main.c", "m"), ("x/b.c", "1"), ("y/b.c", "2")] {
            fs::write(path(name), text).expect("written");
        }
        let outside = tempfile::tempdir().expect("a folder");
        fs::write(outside.path().join("b.c"), "3").expect("written");
        fs::write(outside.path().join("main.c"), "4").expect("written");
        let (reader, _) = Reader::on_disk(&path("main.c")).expect("readable");
        for file in [path("x/b.c"), path("y/b.c"), outside.path().join("b.c"), outside.path().join("main.c")] {
            reader.read(Role::Link, &file).expect("readable");
        }
        fs::write(path("x/b.c"), "changed").expect("written");
        assert_eq!(&*reader.read(Role::Link, &path("x/b.c")).expect("known").bytes, b"1");
        let names: Vec<String> = reader.record().0.into_iter().map(|file| file.name).collect();
        assert_eq!(names, ["main.c", "x/b.c", "y/b.c", "b.c", "2-main.c"]);
    }
}
