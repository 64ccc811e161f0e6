//! What a project remembers between two runs: how each unit ended, and what it was made from.

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use testcase::{Role, Suite, fingerprint};

use crate::standing::Counts;
use crate::unit::Unit;

/// The name of the format.
const SCHEMA: &str = "specimen-state/1";

/// What is remembered.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    schema: String,
    /// The units by name.
    pub units: IndexMap<String, UnitState>,
    /// The functions that files define, by file.
    #[serde(default)]
    pub functions: IndexMap<String, FunctionsState>,
    /// The counts of the run before the last, for the trend.
    #[serde(default)]
    pub before: Option<Counts>,
    /// The counts of the last run.
    #[serde(default)]
    pub last: Option<Counts>,
}

/// How a unit ended, and what it was made from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnitState {
    /// The program that searched.
    pub version: String,
    /// The words of its command line after the file.
    pub arguments: Vec<String>,
    /// How it ended.
    pub exit: i32,
    /// Whether its search was complete.
    pub complete: bool,
    /// What it said where it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The files it was made from.
    pub sources: Vec<Fingerprint>,
}

/// The functions that a file defines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FunctionsState {
    /// The words of the command line after the file.
    pub arguments: Vec<String>,
    /// The fingerprint of the file.
    pub sha256: String,
    /// The functions; none where the file is not understood.
    pub names: Option<Vec<String>>,
}

/// A file as it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fingerprint {
    /// Its path, relative to the project's folder where it is below it.
    pub path: PathBuf,
    /// What was in it.
    pub sha256: String,
}

/// A state that cannot be read.
#[derive(Debug)]
pub struct StateError(String);

impl fmt::Display for StateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for StateError {}

impl State {
    /// Nothing is remembered.
    pub fn new() -> State {
        State { schema: SCHEMA.to_owned(), ..State::default() }
    }

    /// What a text says.
    ///
    /// # Errors
    /// If it is not the state of a project.
    pub fn from_json(text: &str) -> Result<State, StateError> {
        let state: State = serde_json::from_str(text).map_err(|error| StateError(error.to_string()))?;
        match state.schema == SCHEMA {
            true => Ok(state),
            false => Err(StateError(format!("its format is `{}`, not `{SCHEMA}`", state.schema))),
        }
    }

    /// The state as a text.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("a state is plain data") + "\n"
    }

    /// Whether nothing has changed since a unit was searched, and the search was complete.
    pub fn is_fresh(&self, unit: &Unit, version: &str, files: &Files) -> bool {
        self.units.get(&unit.name).is_some_and(|known| {
            known.complete
                && known.version == version
                && known.arguments == unit.arguments
                && known.sources.iter().all(|file| files.sha256(&file.path).as_deref() == Some(&file.sha256))
        })
    }
}

/// The fingerprints of files now, each computed once.
pub struct Files {
    root: PathBuf,
    known: Mutex<HashMap<PathBuf, Option<String>>>,
}

impl Files {
    /// Files relative to a folder.
    pub fn below(root: &Path) -> Files {
        Files { root: root.to_owned(), known: Mutex::default() }
    }

    /// The fingerprint of a file; none if it cannot be read.
    pub fn sha256(&self, path: &Path) -> Option<String> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known.get(path) {
            return known.clone();
        }
        let path_below = self.root.join(path);
        let now =
            path_below.is_file().then(|| std::fs::read(&path_below).ok()).flatten().map(|bytes| fingerprint(&bytes));
        known.insert(path.to_owned(), now.clone());
        now
    }

    /// Where the files of a suite are that was made from a main file; one that is not found where it should be is named all the same,
    /// and no file will ever be equal to it.
    pub fn of_suite(&self, main: &str, suite: &Suite) -> Vec<Fingerprint> {
        let folder = Path::new(main).parent().unwrap_or(Path::new(""));
        // What a preprocessor makes follows from the other files.
        let files = suite.sources().0.into_iter().filter(|file| file.role != Role::Preprocessed);
        let found = files.map(|file| {
            let path =
                if file.role == Role::Main { PathBuf::from(main) } else { folder.join(file.name.replace("__", "..")) };
            Fingerprint { path, sha256: file.sha256 }
        });
        found.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_is_fresh_until_something_changes() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("a.stl"), "x > 1").expect("a file");
        let unit = Unit {
            name: "a.stl".to_owned(),
            file: "a.stl".to_owned(),
            function: None,
            arguments: vec!["--seed=1".to_owned()],
            set: 0,
        };
        let sources = vec![Fingerprint { path: "a.stl".into(), sha256: fingerprint(b"x > 1") }];
        let known = UnitState {
            version: "1".to_owned(),
            arguments: unit.arguments.clone(),
            exit: 0,
            complete: true,
            message: None,
            sources,
        };
        let mut state = State::new();
        let fresh = |state: &State, version: &str| state.is_fresh(&unit, version, &Files::below(folder.path()));
        assert!(!fresh(&state, "1"), "a unit that was never searched");
        state.units.insert(unit.name.clone(), known.clone());
        let state = State::from_json(&state.to_json()).expect("it is read back");
        assert!(fresh(&state, "1"));
        assert!(!fresh(&state, "2"), "another version");
        let other = UnitState { arguments: Vec::new(), ..known.clone() };
        assert!(
            !fresh(&State { units: IndexMap::from([(unit.name.clone(), other)]), ..state.clone() }, "1"),
            "other options"
        );
        let cut = UnitState { complete: false, ..known };
        assert!(
            !fresh(&State { units: IndexMap::from([(unit.name.clone(), cut)]), ..state.clone() }, "1"),
            "a search that was cut"
        );
        std::fs::write(folder.path().join("a.stl"), "x > 2").expect("a file");
        assert!(!fresh(&state, "1"), "another text");
        assert!(State::from_json("{}").is_err());
    }
}
