//! Plans: `specimen plan`, `specimen work`, and `specimen merge` of a plan.

use std::path::{Component, Path, PathBuf};
use std::sync::Mutex;

use ::project::{Files, Health, Plan, Task, TaskFile, Unit, UnitState};
use front::exit::Exit;
use front::failure::{Failure, INVALID_PLAN};
use front::input::{self, cannot};
use front::output::Output;
use front::specification::Specification;
use front::words::counted;
use serde::{Deserialize, Serialize};
use testcase::{Role, write_atomically, write_bytes_atomically};

use super::{Children, Ended, STATE, Workspace, generate_arguments, read_state, summary};
use crate::args::{PlanArguments, WorkArguments};
use crate::folder::OutFolder;
use crate::interrupt;
use crate::provenance::VERSION;

/// The file of a plan.
const PLAN: &str = "plan.json";

/// About how many goals make a task.
const GOALS_PER_TASK: usize = 64;

/// More parts than this cost more than they save.
const MOST_SHARDS: usize = 64;

/// `specimen plan`.
pub(crate) fn plan(output: &Output, arguments: &PlanArguments) -> Result<Exit, Failure> {
    let folder = std::path::absolute(&arguments.out).map_err(|error| cannot("find", &arguments.out, &error))?;
    let workspace = Workspace::open(output)?;
    let is_empty = std::fs::read_dir(&folder).map_or(true, |mut entries| entries.next().is_none());
    if !is_empty {
        return Err(Failure::Environment(format!("{} is not empty; name a new folder", folder.display())));
    }
    let pattern = arguments.only.as_deref().map(glob::Pattern::new).transpose();
    let pattern = pattern.map_err(|error| Failure::Usage(format!("--only is not a pattern: {error}")))?;
    let mut plan = Plan::new(VERSION);
    for unit in &workspace.units {
        let wanted = pattern.as_ref().is_none_or(|pattern| pattern.matches(&unit.name));
        let due = matches!(workspace.health(unit), Health::Stale | Health::Missing) || arguments.force;
        if !wanted || !due || workspace.health(unit) == Health::Excluded {
            continue;
        }
        let (goals, files) = match read(output, unit) {
            Ok(read) => read,
            Err(failure @ (Failure::Shown | Failure::Rejected(_) | Failure::Refused(..))) => {
                output.warn(&format!("{} is not planned: {failure}", unit.name));
                continue;
            }
            Err(failure) => return Err(failure),
        };
        let chosen = arguments.shards.or(workspace.manifest.sets[unit.set].shards);
        let shards =
            chosen.map_or_else(|| goals.div_ceil(GOALS_PER_TASK).clamp(1, MOST_SHARDS), |shards| shards as usize);
        let task = |part: usize| {
            let shard = (1 < shards).then(|| format!("{part}/{shards}"));
            Task::new(VERSION, &unit.name, &unit.file, unit.arguments.clone(), shard, files.clone())
        };
        for (name, text) in plan.add(&unit.name, goals, (1..=shards).map(task).collect()) {
            write(&folder.join(name), text.as_bytes())?;
        }
    }
    // The plan comes last: a folder without it is not a plan.
    write(&folder.join(PLAN), plan.to_json().as_bytes())?;
    output.product(&format!(
        "{} for {}: `specimen work {} K` does one of them\n",
        counted(plan.task_count(), "task"),
        counted(plan.units.len(), "unit"),
        arguments.out.display()
    ))?;
    Ok(Exit::Done)
}

/// How many goals a unit has, and every file it is made from.
fn read(output: &Output, unit: &Unit) -> Result<(usize, Vec<TaskFile>), Failure> {
    let arguments = generate_arguments(unit).map_err(Failure::Usage)?;
    let quiet = output.silent();
    let specification = Specification::read(&quiet, &arguments.spec.file, &arguments.spec.reading)?;
    let asked = specification.asked(&arguments.criterion)?;
    let goals = match specification.model.product(&quiet, &asked)? {
        Some(_) => 1,
        None => specification.model.subject(&quiet, &asked)?.goals().len(),
    };
    let mut files = Vec::new();
    for opened in specification.reader.all().into_iter().filter(|opened| opened.file.role != Role::Preprocessed) {
        let name = below(&opened.path).ok_or_else(|| {
            let message =
                format!("{} is outside of the project's folder: it cannot travel with a task", opened.path.display());
            Failure::Rejected(message)
        })?;
        files.push(TaskFile::new(&name, &opened.bytes));
    }
    Ok((goals, files))
}

/// A path below the current folder, with slashes.
fn below(path: &Path) -> Option<String> {
    let here = std::env::current_dir().ok()?;
    let path = path.strip_prefix(&here).unwrap_or(path);
    let mut parts: Vec<&str> = Vec::new();
    for part in path.components() {
        match part {
            Component::Normal(part) => parts.push(part.to_str()?),
            Component::CurDir => {}
            Component::ParentDir => {
                parts.pop()?;
            }
            Component::Prefix(_) | Component::RootDir => return None,
        }
    }
    Some(parts.join("/"))
}

/// Writes a file whole, and its folder if that is not there.
fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|error| cannot("create", folder, &error))?;
    }
    write_bytes_atomically(path, bytes).map_err(|error| cannot("write", path, &error))
}

/// Reads a plan.
pub(super) fn read_plan(folder: &Path) -> Result<Plan, Failure> {
    let path = folder.join(PLAN);
    Plan::from_json(&input::read_text(&path)?, VERSION)
        .map_err(|error| Failure::Refused(&INVALID_PLAN, format!("{}: {error}", path.display())))
}

/// What a worker leaves beside a result: which task it is of, and how it ended.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Done {
    /// The fingerprint of the task.
    sha256: String,
    exit: i32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

/// Where the result of a task is, and what says that it is there.
fn result_of(folder: &Path, number: usize) -> (PathBuf, PathBuf) {
    (folder.join(format!("results/{number}")), folder.join(format!("results/{number}.json")))
}

/// What is known of the result of a task; none if it is not there, or of another task.
fn done(folder: &Path, plan: &Plan, number: usize) -> Option<Done> {
    let text = std::fs::read_to_string(result_of(folder, number).1).ok()?;
    let done: Done = serde_json::from_str(&text).ok()?;
    (plan.sha256(number) == Some(&done.sha256)).then_some(done)
}

/// `specimen work`.
pub(crate) fn work(output: &Output, arguments: &WorkArguments) -> Result<Exit, Failure> {
    let folder = std::path::absolute(&arguments.plan).map_err(|error| cannot("find", &arguments.plan, &error))?;
    let plan = read_plan(&arguments.plan)?;
    let numbers: Vec<usize> = match arguments.task {
        Some(number) if plan.sha256(number).is_none() => {
            let message = format!("the plan has no task {number}; they are 1 to {}", plan.task_count());
            return Err(Failure::Usage(message));
        }
        Some(number) => vec![number],
        None => (1..=plan.task_count()).collect(),
    };
    let children = Children::new(arguments.jobs(), interrupt::on_ctrl_c(), None)?;
    let worst: Mutex<Result<i32, Failure>> = Mutex::new(Ok(0));
    let work = |number: &usize| carry_out(&children, &folder, &plan, *number);
    let done = |number: &usize, result: Result<(i32, String), Failure>| {
        let mut worst = worst.lock().expect("no worker panics");
        match result {
            Ok((exit, said)) => {
                output.talk(&format!("task {number}: {said}"));
                if let Ok(worst) = worst.as_mut() {
                    *worst = (*worst).max(exit);
                }
            }
            Err(failure) => *worst = Err(failure),
        }
    };
    children.each(&numbers, work, done);
    let worst = worst.into_inner().expect("no worker panics")?;
    if children.is_over() {
        output.warn("not every task was done: the same command goes on where this one ended");
        return Ok(Exit::Open);
    }
    Ok(summary::exit_of(worst))
}

/// Carries out a task that is not done: in a folder of its own, so that a worker that was killed goes on where it ended.
fn carry_out(children: &Children, folder: &Path, plan: &Plan, number: usize) -> Result<(i32, String), Failure> {
    if let Some(done) = done(folder, plan, number) {
        return Ok((done.exit, "done before".to_owned()));
    }
    let path = folder.join(Plan::task_file(number));
    let sha256 = plan.sha256(number).unwrap_or_default();
    let task = Task::from_json(&input::read_text(&path)?, VERSION, sha256)
        .map_err(|error| Failure::Refused(&INVALID_PLAN, format!("{}: {error}", path.display())))?;
    let place = folder.join(format!("running/{number}"));
    for file in &task.files {
        let content = file.content();
        let content = content.ok_or_else(|| {
            Failure::Refused(&INVALID_PLAN, format!("{}: {} has no content", path.display(), file.name))
        })?;
        write(&place.join("files").join(&file.name), &content)?;
    }
    let mut words = vec!["generate".to_owned(), "--quiet".to_owned(), "--out=../suite".to_owned()];
    words.extend(task.shard.iter().map(|shard| format!("--shard={shard}")));
    words.extend(task.arguments.iter().cloned());
    words.extend(["--".to_owned(), task.file.clone()]);
    let ended = children.run(&place.join("files"), &words)?;
    if ended.exit.is_none() || children.is_over() {
        return Ok((1, "cut".to_owned()));
    }
    let (result, mark) = result_of(folder, number);
    let found = matches!(ended.exit, Some(0 | 1));
    if found {
        std::fs::create_dir_all(folder.join("results")).map_err(|error| cannot("create", folder, &error))?;
        // A result without its mark is from a worker that was killed in between.
        let _ = std::fs::remove_dir_all(&result);
        std::fs::rename(place.join("suite"), &result).map_err(|error| cannot("move", &place, &error))?;
    }
    let message = (!found).then(|| ended.message());
    let said = message.clone().unwrap_or_else(|| format!("{} done", task.unit));
    let exit = ended.exit.unwrap_or(4);
    let text = serde_json::to_string(&Done { sha256: sha256.to_owned(), exit, message }).expect("plain data");
    write(&mark, text.as_bytes())?;
    let _ = std::fs::remove_dir_all(&place);
    Ok((exit, said))
}

/// What became of a task, as a merge finds it.
enum Arrived {
    /// Its suite, which was judged again.
    Believed(PathBuf),
    /// It is not believed, for this reason.
    Refused(String),
    /// It failed, with this exit code and message.
    Failed(i32, String),
    /// The result is missing.
    Missing,
}

/// `specimen merge` of a plan: judges every result again, joins the parts of each unit, and says what is missing. Tasks, then units, side
/// by side; what is said follows the plan.
pub(crate) fn merge(output: &Output, folder: &Path, out: Option<&Path>) -> Result<Exit, Failure> {
    let plan = read_plan(folder)?;
    let out = out.map_or_else(|| folder.join("merged"), Path::to_owned);
    let jobs = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let children = Children::new(jobs, interrupt::on_ctrl_c(), None)?;
    let mut worst = 0;
    let mut state = read_state(&out.join(STATE))?;
    let tasks: Vec<usize> = plan.units.iter().flat_map(|unit| unit.tasks.iter().copied()).collect();
    let mut arrived = children.all(&tasks, |number| judged(&children, folder, &plan, *number)).into_iter();
    let mut whole: Vec<(&::project::PlannedUnit, Vec<PathBuf>)> = Vec::new();
    for unit in &plan.units {
        let mut parts = Vec::new();
        for number in &unit.tasks {
            let Some(Some(found)) = arrived.next() else { return Err(interrupted()) };
            match found? {
                Arrived::Believed(suite) => parts.push(suite),
                Arrived::Refused(why) => {
                    output.complain(&format!("the result of task {number} ({}) is refused: {why}", unit.name));
                    worst = worst.max(3);
                }
                Arrived::Failed(exit, why) => {
                    output.complain(&format!("task {number} ({}) failed: {why}", unit.name));
                    worst = worst.max(exit);
                }
                Arrived::Missing => {
                    let again = format!("specimen work {} {number}", folder.display());
                    output.complain(&format!("task {number} ({}) is missing: {again}", unit.name));
                    worst = worst.max(1);
                }
            }
        }
        if parts.len() == unit.tasks.len() {
            whole.push((unit, parts));
        }
    }
    let joined = children.all(&whole, |(unit, parts)| join(&children, &out.join(&unit.name), parts));
    for ((unit, _), ended) in whole.iter().zip(joined) {
        let ended = ended.ok_or_else(interrupted)??;
        let found = matches!(ended.exit, Some(0 | 1));
        let said = if found { ended.counts().unwrap_or("merged").to_owned() } else { ended.message() };
        output.product(&format!("{}: {said}\n", unit.name))?;
        worst = worst.max(ended.exit.unwrap_or(4));
        remember(&mut state, folder, &plan, unit, &out.join(&unit.name), &ended)?;
    }
    std::fs::create_dir_all(&out).map_err(|error| cannot("create", &out, &error))?;
    let path = out.join(STATE);
    write_atomically(&path, &state.to_json()).map_err(|error| cannot("write", &path, &error))?;
    Ok(summary::exit_of(worst))
}

fn interrupted() -> Failure {
    Failure::Environment("the merge was interrupted: the same command begins it anew".to_owned())
}

/// Judges the result of a task: everything that can be computed again is.
fn judged(children: &Children, folder: &Path, plan: &Plan, number: usize) -> Result<Arrived, Failure> {
    let Some(done) = done(folder, plan, number) else { return Ok(Arrived::Missing) };
    if !matches!(done.exit, 0 | 1) {
        return Ok(Arrived::Failed(done.exit, done.message.unwrap_or_default()));
    }
    let suite = result_of(folder, number).0.join("suite.json");
    let ended = children.run(Path::new("."), &["replay".to_owned(), suite.display().to_string()])?;
    Ok(match ended.exit {
        Some(0 | 1) => Arrived::Believed(suite),
        _ => Arrived::Refused(ended.message()),
    })
}

/// Joins the parts of a unit in its folder.
fn join(children: &Children, place: &Path, parts: &[PathBuf]) -> Result<Ended, Failure> {
    // An earlier merge of the plan is replaced; a folder that holds anything else is not ours.
    if OutFolder::open(place)?.holds_suite() {
        std::fs::remove_dir_all(place).map_err(|error| cannot("replace", place, &error))?;
    }
    let mut words = vec!["merge".to_owned(), "--quiet".to_owned(), format!("--out={}", place.display())];
    words.extend(parts.iter().map(|part| part.display().to_string()));
    children.run(Path::new("."), &words)
}

/// Remembers a merged unit as if it had been searched in its project.
fn remember(
    state: &mut ::project::State,
    folder: &Path,
    plan: &Plan,
    unit: &::project::PlannedUnit,
    place: &Path,
    ended: &Ended,
) -> Result<(), Failure> {
    let Some(suite) = OutFolder::at(place).suite()? else { return Ok(()) };
    let Some(number) = unit.tasks.first() else { return Ok(()) };
    let text = input::read_text(&folder.join(Plan::task_file(*number)))?;
    let task = Task::from_json(&text, VERSION, plan.sha256(*number).unwrap_or_default())
        .map_err(|error| Failure::Refused(&INVALID_PLAN, error.to_string()))?;
    let known = UnitState {
        version: VERSION.to_owned(),
        arguments: task.arguments,
        exit: ended.exit.unwrap_or(4),
        complete: suite.complete,
        message: None,
        sources: Files::below(Path::new(".")).of_suite(&task.file, &suite),
    };
    state.units.insert(unit.name.clone(), known);
    Ok(())
}
