//! The written form of suites: version 2, and version 1 where it is read.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::sources::{Role, SourceFile, Sources, is_plain};
use crate::{
    GoalRecord, Interface, Method, Minimality, Provenance, SCHEMA, SCHEMA_1, SourceRecord, Suite, Summary, TestRecord,
};

/// The fields of a suite in the order in which they are written.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Written {
    schema: String,
    language: String,
    /// Version 1: the main file alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    source: Option<SourceRecord>,
    /// Version 2: every file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sources: Option<Sources>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    interface: Option<Interface>,
    criterion: String,
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    options: IndexMap<String, Json>,
    strategy: Method,
    bound: Option<u64>,
    complete: bool,
    minimality: Minimality,
    goals: Vec<GoalRecord>,
    tests: Vec<TestRecord>,
    summary: Summary,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    provenance: Option<Provenance>,
}

impl From<Suite> for Written {
    fn from(suite: Suite) -> Written {
        Written {
            schema: SCHEMA.to_owned(),
            language: suite.language,
            source: None,
            sources: Some(Sources::new(&suite.source, &suite.others)),
            interface: suite.interface,
            criterion: suite.criterion,
            options: suite.options,
            strategy: suite.strategy,
            bound: suite.bound,
            complete: suite.complete,
            minimality: suite.minimality,
            goals: suite.goals,
            tests: suite.tests,
            summary: suite.summary,
            provenance: suite.provenance,
        }
    }
}

impl TryFrom<Written> for Suite {
    type Error = String;

    fn try_from(written: Written) -> Result<Suite, String> {
        let (source, others) = sources(&written.schema, written.source, written.sources)?;
        Ok(Suite {
            schema: written.schema,
            language: written.language,
            source,
            others,
            interface: written.interface,
            criterion: written.criterion,
            options: written.options,
            strategy: written.strategy,
            bound: written.bound,
            complete: written.complete,
            minimality: written.minimality,
            goals: written.goals,
            tests: written.tests,
            summary: written.summary,
            provenance: written.provenance,
        })
    }
}

/// The main file and the others, as the version writes them.
fn sources(
    schema: &str,
    one: Option<SourceRecord>,
    all: Option<Sources>,
) -> Result<(SourceRecord, Vec<SourceFile>), String> {
    match (schema, one, all) {
        (SCHEMA_1, Some(main), None) => Ok((main, Vec::new())),
        (SCHEMA_1, ..) => Err("a suite of version 1 has the field `source`, and not `sources`".to_owned()),
        (_, None, Some(Sources(mut files))) if files.first().is_some_and(|file| file.role == Role::Main) => {
            let main = files.remove(0);
            for (place, file) in files.iter().enumerate() {
                if !is_plain(&file.name) {
                    return Err(format!("the source `{}` is not a name below a folder", file.name));
                }
                let twice = files[..place].iter().chain([&main]).any(|other| other.name == file.name);
                if twice || file.role == Role::Main {
                    return Err(format!("there are two sources called `{}`, or two main files", file.name));
                }
            }
            if !is_plain(&main.name) || main.name.contains('/') {
                return Err(format!("the main file `{}` is not the name of a file", main.name));
            }
            Ok((SourceRecord { file: main.name, sha256: main.sha256 }, files))
        }
        _ => Err("a suite has the field `sources`, and its first is the main file".to_owned()),
    }
}
