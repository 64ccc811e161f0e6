//! Projects: what is kept of a review, in one file.

use std::fs;
use std::path::Path;

use front::failure::Failure;
use front::input::cannot;
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use testcase::{Suite, write_atomically};

/// The name of the format.
pub(crate) const SCHEMA: &str = "specimen-project/1";

/// The extension of project files.
pub(crate) const EXTENSION: &str = "specimen";

/// A review.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Project {
    /// Always [`SCHEMA`].
    pub(crate) schema: String,
    /// The title.
    pub(crate) title: String,
    /// The requirement, in words.
    #[serde(default)]
    pub(crate) requirement: String,
    /// Notes of the people who use it.
    #[serde(default)]
    pub(crate) notes: String,
    /// The language of the specification, as `--lang` names it.
    pub(crate) language: String,
    /// The specification that should say what the requirement says.
    #[serde(default)]
    pub(crate) specification: String,
    /// The criterion tests are drawn for; the language's own choice if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) criterion: Option<String>,
    /// The tests, judged by the specification as it is now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) suite: Option<Suite>,
    /// For each person, the tests the person allows and does not allow.
    #[serde(default)]
    pub(crate) answers: IndexMap<String, IndexMap<String, bool>>,
}

impl Project {
    /// A project in which everything is still to be written.
    pub(crate) fn new(title: &str, language: &str) -> Project {
        Project {
            schema: SCHEMA.to_owned(),
            title: title.to_owned(),
            requirement: String::new(),
            notes: String::new(),
            language: language.to_owned(),
            specification: String::new(),
            criterion: None,
            suite: None,
            answers: IndexMap::new(),
        }
    }

    /// Reads a project, or says what is wrong with the file.
    pub(crate) fn read(path: &Path) -> Result<Project, String> {
        let bytes = fs::read(path).map_err(|error| cannot("read", path, &error).to_string())?;
        let project: Project =
            serde_json::from_slice(&bytes).map_err(|error| format!("it is not a project: {error}"))?;
        if project.schema != SCHEMA {
            return Err(format!("its format is `{}`, and this version knows `{SCHEMA}`", project.schema));
        }
        Ok(project)
    }

    /// Writes the project; a reader sees the old file or the new one.
    pub(crate) fn write(&self, path: &Path) -> Result<(), Failure> {
        let mut text = serde_json::to_string_pretty(self).map_err(|error| Failure::Bug(error.to_string()))?;
        text.push('\n');
        write_atomically(path, &text).map_err(|error| cannot("write", path, &error))
    }
}

/// The name of the file for a title: what is not a letter or digit becomes `-`.
pub(crate) fn file_name(title: &str) -> String {
    let plain: String = title.chars().map(|letter| if letter.is_alphanumeric() { letter } else { '-' }).collect();
    let plain = plain.split('-').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-").to_lowercase();
    let plain: String = plain.chars().take(60).collect();
    format!("{}.{EXTENSION}", if plain.is_empty() { "project".to_owned() } else { plain })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_become_names_of_files() {
        for (title, name) in [
            ("Speed limit", "speed-limit.specimen"),
            ("../../etc/passwd", "etc-passwd.specimen"),
            ("Überdruck ≤ 5!", "überdruck-5.specimen"),
            ("…", "project.specimen"),
        ] {
            assert_eq!(file_name(title), name);
        }
    }

    #[test]
    fn a_project_survives_being_written_and_a_broken_one_is_left_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("p.specimen");
        let project = Project::new("Speed", "stl");
        project.write(&path).expect("written");
        assert_eq!(Project::read(&path), Ok(project));
        fs::write(&path, "{ \"schema\": 3").expect("written");
        assert!(Project::read(&path).expect_err("broken").starts_with("it is not a project"));
        assert_eq!(fs::read_to_string(&path).expect("there"), "{ \"schema\": 3");
    }
}
