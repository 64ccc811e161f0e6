//! Plans: the work of a project in tasks that any job engine can carry out.
//!
//! A task is one file that holds everything a worker needs: the words of the command line and every source by content. Nothing of the
//! machine on which the plan was made has to be there where a task is carried out, but the program itself.

use std::fmt;

use serde::{Deserialize, Serialize};
use testcase::{fingerprint, is_plain};

/// The name of the format of plans.
const PLAN: &str = "specimen-plan/1";

/// The name of the format of tasks.
const TASK: &str = "specimen-task/1";

/// A plan: which tasks there are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    schema: String,
    /// The program that made it; another one must not carry it out.
    pub version: String,
    /// The units, in the order of the project.
    pub units: Vec<PlannedUnit>,
}

/// A unit of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlannedUnit {
    /// Its name.
    pub name: String,
    /// The numbers of its tasks, from 1; one for each shard.
    pub tasks: Vec<usize>,
    /// For each task the fingerprint of its file.
    pub sha256: Vec<String>,
    /// How much work it is, relative to others.
    pub estimate: usize,
}

/// A task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Task {
    schema: String,
    /// Its number, from 1.
    pub number: usize,
    /// The program that made it.
    pub version: String,
    /// The name of its unit.
    pub unit: String,
    /// The main file, by its name among the files.
    pub file: String,
    /// The words of the command line after the file.
    pub arguments: Vec<String>,
    /// Which part of the goals it is, as `I/N`; none for all of them.
    pub shard: Option<String>,
    /// Every file it needs.
    pub files: Vec<TaskFile>,
}

/// A file of a task, by content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TaskFile {
    /// Its name, below the folder in which the task is carried out.
    pub name: String,
    /// Its text; or, where it is not text, nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Its bytes in hexadecimal, where it is not text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<String>,
}

/// A plan or a task that cannot be used.
#[derive(Debug, PartialEq, Eq)]
pub struct PlanError(String);

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PlanError {}

impl Plan {
    /// A plan without units.
    pub fn new(version: &str) -> Plan {
        Plan { schema: PLAN.to_owned(), version: version.to_owned(), units: Vec::new() }
    }

    /// Adds the task files of a unit; returns them with the names they must have.
    pub fn add(&mut self, unit: &str, estimate: usize, tasks: Vec<Task>) -> Vec<(String, String)> {
        let mut planned = PlannedUnit { name: unit.to_owned(), tasks: Vec::new(), sha256: Vec::new(), estimate };
        let mut files = Vec::new();
        for (number, task) in (self.task_count() + 1..).zip(tasks) {
            let task = Task { number, ..task };
            let text = serde_json::to_string_pretty(&task).expect("a task is plain data") + "\n";
            planned.tasks.push(number);
            planned.sha256.push(fingerprint(text.as_bytes()));
            files.push((Plan::task_file(number), text));
        }
        self.units.push(planned);
        files
    }

    /// How many tasks there are.
    pub fn task_count(&self) -> usize {
        self.units.iter().map(|unit| unit.tasks.len()).sum()
    }

    /// The name of the file of a task, below the folder of the plan.
    pub fn task_file(number: usize) -> String {
        format!("tasks/{number}.json")
    }

    /// The fingerprint that the file of a task must have.
    pub fn sha256(&self, number: usize) -> Option<&str> {
        let tasks = self.units.iter().flat_map(|unit| unit.tasks.iter().zip(&unit.sha256));
        tasks.filter(|(task, _)| **task == number).map(|(_, sha256)| sha256.as_str()).next()
    }

    /// The plan as a text.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("a plan is plain data") + "\n"
    }

    /// What a text says.
    ///
    /// # Errors
    /// If it is not a plan, or one of another version of the program.
    pub fn from_json(text: &str, version: &str) -> Result<Plan, PlanError> {
        let plan: Plan = serde_json::from_str(text).map_err(|error| PlanError(format!("it is not a plan: {error}")))?;
        agree(&plan.schema, PLAN, &plan.version, version)?;
        Ok(plan)
    }
}

impl Task {
    /// A task; the plan gives it its number.
    pub fn new(
        version: &str,
        unit: &str,
        file: &str,
        arguments: Vec<String>,
        shard: Option<String>,
        files: Vec<TaskFile>,
    ) -> Task {
        Task {
            schema: TASK.to_owned(),
            number: 0,
            version: version.to_owned(),
            unit: unit.to_owned(),
            file: file.to_owned(),
            arguments,
            shard,
            files,
        }
    }

    /// What a text says: the fingerprint must be the one that the plan names.
    ///
    /// # Errors
    /// If it is not that task, or one of another version of the program, names files outside of its folder, or sets what a plan may not set.
    pub fn from_json(text: &str, version: &str, sha256: &str) -> Result<Task, PlanError> {
        if fingerprint(text.as_bytes()) != sha256 {
            return Err(PlanError("it is not the task that the plan names: half written, or changed".to_owned()));
        }
        let task: Task = serde_json::from_str(text).map_err(|error| PlanError(format!("it is not a task: {error}")))?;
        agree(&task.schema, TASK, &task.version, version)?;
        let mut names = task.files.iter().map(|file| &file.name).chain([&task.file, &task.unit]);
        if let Some(name) = names.find(|name| !is_plain(name)) {
            return Err(PlanError(format!("`{}` leads out of the task's folder", name.escape_debug())));
        }
        drop(names);
        if let Some(word) = task.arguments.iter().find(|word| !crate::manifest::is_harmless(word)) {
            let word = word.escape_debug();
            return Err(PlanError(format!(
                "`{word}` is not for a task: it starts no command and writes to its folder only"
            )));
        }
        Ok(task)
    }
}

fn agree(schema: &str, wanted: &str, version: &str, own: &str) -> Result<(), PlanError> {
    if schema != wanted {
        return Err(PlanError(format!("its format is `{}`, not `{wanted}`", schema.escape_debug())));
    }
    if version != own {
        return Err(PlanError(format!("it was made by {}, and this is {own}", version.escape_debug())));
    }
    Ok(())
}

impl TaskFile {
    /// A file with these bytes.
    pub fn new(name: &str, bytes: &[u8]) -> TaskFile {
        let text = std::str::from_utf8(bytes).ok().map(str::to_owned);
        let bytes = text.is_none().then(|| bytes.iter().map(|byte| format!("{byte:02x}")).collect());
        TaskFile { name: name.to_owned(), text, bytes }
    }

    /// What is in it; none if it is not written as it should be.
    pub fn content(&self) -> Option<Vec<u8>> {
        let digit = |digit: u8| (digit as char).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
        match (&self.text, &self.bytes) {
            (Some(text), None) => Some(text.clone().into_bytes()),
            (None, Some(bytes)) if bytes.len() % 2 == 0 => {
                bytes.as_bytes().chunks(2).map(|pair| Some(digit(pair[0])? * 16 + digit(pair[1])?)).collect()
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn planned(name: &str) -> (Plan, String) {
        let files = vec![TaskFile::new(name, b"x > 1"), TaskFile::new("blob", &[0xff, 0x00])];
        let mut plan = Plan::new("1");
        let mut written =
            plan.add("a.stl", 3, vec![Task::new("1", "a.stl", name, Vec::new(), Some("1/2".to_owned()), files)]);
        (plan, written.remove(0).1)
    }

    #[test]
    fn tasks_are_read_as_they_were_planned() {
        let (plan, text) = planned("a.stl");
        let plan = Plan::from_json(&plan.to_json(), "1").expect("a plan");
        assert_eq!(plan.task_count(), 1);
        let sha256 = plan.sha256(1).expect("a task");
        let task = Task::from_json(&text, "1", sha256).expect("a task");
        assert_eq!((task.number, task.shard.as_deref()), (1, Some("1/2")));
        let contents: Vec<Option<Vec<u8>>> = task.files.iter().map(TaskFile::content).collect();
        assert_eq!(contents, [Some(b"x > 1".to_vec()), Some(vec![0xff, 0x00])]);
    }

    #[test]
    fn tasks_that_are_not_those_of_the_plan_are_refused() {
        let (plan, text) = planned("a.stl");
        let sha256 = plan.sha256(1).expect("a task");
        assert!(Task::from_json(&text[..text.len() / 2], "1", sha256).is_err(), "half written");
        assert!(Task::from_json(&text.replace("x > 1", "x > 2"), "1", sha256).is_err(), "changed");
        assert!(Task::from_json(&text, "2", sha256).is_err(), "another version");
        assert!(Plan::from_json(&plan.to_json(), "2").is_err(), "a plan of another version");
        assert!(Plan::from_json("{}", "1").is_err());
        let (plan, text) = planned("../a.stl");
        assert!(Task::from_json(&text, "1", plan.sha256(1).expect("a task")).is_err(), "a name that leads out");
    }

    #[test]
    fn tasks_start_no_commands_and_write_nowhere_else() {
        let read = |word: &str| {
            let mut plan = Plan::new("1");
            let task = Task::new("1", "a.c", "a.c", vec![word.to_owned()], None, Vec::new());
            let text = plan.add("a.c", 1, vec![task]).remove(0).1;
            Task::from_json(&text, "1", plan.sha256(1).expect("a task"))
        };
        assert!(read("--unwind=3").is_ok());
        for word in ["--execute", "--solver-command=touch x", "--smt2-out=/x", "--out=/x", "--results=/x", "-q", "b.c"]
        {
            assert!(read(word).is_err(), "{word}");
        }
    }
}
