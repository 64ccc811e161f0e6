//! What the page can ask for. Every change is on disk before the answer goes out.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use front::failure::Failure;
use front::input;
use front::language::{Language, front_of};
use front::output::Output;
use front::specification::Specification;
use front::tests_file;
use search::{Backend, Options};
use serde_json::{Value as Json, json};
use smt::Interrupt;
use tempfile::TempDir;
use testcase::{Inputs, Suite};

use super::judge;
use super::project::{EXTENSION, Project, file_name};
use crate::args::{CriterionArguments, ReadingArguments};
use crate::drawing::{self, Start};
use crate::verbs::measure;

/// How long it is looked for what makes a specification pointless.
const PATIENCE: Duration = Duration::from_secs(2);

/// The projects of a folder, and the searches that run for them.
pub(crate) struct Desk {
    folder: PathBuf,
    /// Everything that changes a file, a search included, holds this: one at a time, from reading it to having written it.
    turn: Arc<Mutex<()>>,
    searches: Arc<Mutex<BTreeMap<String, Search>>>,
}

/// A search in the background.
#[derive(Default)]
struct Search {
    interrupt: Interrupt,
    running: bool,
    problem: Option<String>,
}

/// Why a request is not answered: the status and the words.
pub(crate) type Refusal = (u16, String);

impl Desk {
    pub(crate) fn new(folder: &Path) -> Desk {
        Desk { folder: folder.to_owned(), turn: Arc::default(), searches: Arc::default() }
    }

    /// The projects of the folder.
    pub(crate) fn projects(&self) -> Result<Json, Refusal> {
        let entries = fs::read_dir(&self.folder).map_err(|error| (500, error.to_string()))?;
        let mut files: Vec<String> = entries
            .flatten()
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .filter(|name| name.ends_with(&format!(".{EXTENSION}")) && !name.starts_with('.'))
            .collect();
        files.sort();
        let one = |file: &String| match Project::read(&self.folder.join(file)) {
            Ok(project) => {
                let best = project
                    .answers
                    .values()
                    .filter_map(|answers| project.suite.as_ref().map(|suite| judge::coverage(suite, answers)));
                let (shown, all) = best.max().unwrap_or((0, 0));
                json!({ "file": file, "title": project.title, "shown": shown, "all": all, "conflict": in_conflict(&project) })
            }
            Err(problem) => json!({ "file": file, "problem": problem }),
        };
        Ok(json!({ "projects": files.iter().map(one).collect::<Vec<_>>(), "languages": reviewable() }))
    }

    /// Makes a project.
    pub(crate) fn create(&self, title: &str, language: &str) -> Result<Json, Refusal> {
        let _turn = lock(&self.turn);
        if title.trim().is_empty() {
            return Err((400, "a project has a title".to_owned()));
        }
        Language::from_name(language).map_err(|problem| (400, problem))?;
        let file = file_name(title);
        let path = self.folder.join(&file);
        if path.exists() {
            return Err((409, format!("there is already a project {file}")));
        }
        Project::new(title.trim(), language).write(&path).map_err(refusal)?;
        self.state(&file)
    }

    /// A project as the page shows it.
    pub(crate) fn state(&self, file: &str) -> Result<Json, Refusal> {
        let project = self.read(file)?;
        let front = project.suite.as_ref().and_then(|suite| front_of(&suite.language));
        let tests: Vec<Json> = project
            .suite
            .iter()
            .flat_map(|suite| &suite.tests)
            .map(|test| {
                let blind = judge::without_verdict(test);
                let picture = front.and_then(|front| front.viewer()).and_then(|viewer| viewer(&blind));
                let text = front.and_then(|front| front.show(&blind)).unwrap_or_else(|| test.inputs.to_string());
                json!({ "id": test.id, "picture": picture, "text": text, "verdict": judge::verdict(test), "covers": test.covers })
            })
            .collect();
        let people: Vec<Json> = project.answers.iter().map(|(name, answers)| person(&project, name, answers)).collect();
        let searches = lock(&self.searches);
        let search = searches.get(file);
        Ok(json!({
            "file": file,
            "title": project.title,
            "requirement": project.requirement,
            "notes": project.notes,
            "language": project.language,
            "specification": project.specification,
            "criterion": project.criterion,
            "tests": tests,
            "goals": project.suite.as_ref().map(|suite| &suite.goals),
            "summary": project.suite.as_ref().map(|suite| &suite.summary),
            "people": people,
            "mistakes": project.suite.as_ref().is_some_and(are_mistakes),
            "drawing": search.is_some_and(|search| search.running),
            "problem": search.and_then(|search| search.problem.clone()),
            "conflict": in_conflict(&project),
        }))
    }

    /// What there is to say about a specification while it is typed; also that it demands nothing, or what nobody can meet.
    pub(crate) fn check(&self, language: &str, text: &str) -> Result<Json, Refusal> {
        let (loaded, mut said) = load(language, text).map_err(|problem| (400, problem))?;
        if let Some(loaded) = loaded.filter(|_| language == "stl") {
            let (output, warnings) = Output::collecting();
            let backend = Backend::new(&Options { timeout: Some(PATIENCE), ..Options::default() });
            // What stands in the way of tests is said when they are drawn; here only what is known to be wrong.
            let _ = loaded.specification.model.precheck(&output, &backend);
            said.extend(warnings.take().into_iter().filter(|said| said["severity"] == "warning"));
        }
        Ok(json!({ "diagnostics": said }))
    }

    /// Changes a project. A specification that is wrong changes nothing, nor does a change of what somebody else has changed
    /// since: `was` says, for each field, what the page took it to be.
    pub(crate) fn change(&self, file: &str, changes: &Json) -> Result<Json, Refusal> {
        let _turn = lock(&self.turn);
        let mut project = self.read(file)?;
        let text = |name: &str| changes.get(name).and_then(Json::as_str);
        let fields = [
            ("title", &project.title),
            ("requirement", &project.requirement),
            ("notes", &project.notes),
            ("specification", &project.specification),
        ];
        for (name, now) in fields {
            let known = changes["was"][name].as_str().unwrap_or(now);
            if text(name).is_some_and(|new| known != now && new != now) {
                let said = json!({ "meanwhile": { name: now } });
                return Err((409, said.to_string()));
            }
        }
        if let Some(specification) = text("specification").filter(|text| *text != project.specification) {
            self.stop(file);
            let (loaded, said) = load(&project.language, specification).map_err(|problem| (400, problem))?;
            let Some(loaded) = loaded else {
                return Err((422, json!({ "diagnostics": said }).to_string()));
            };
            let said = loaded.specification.model.requirement().filter(|_| project.requirement.trim().is_empty());
            project.requirement = said.map_or(project.requirement.clone(), str::to_owned);
            project.specification = specification.to_owned();
            project.suite =
                project.suite.take().map(|suite| again(&loaded.specification, &project, &suite)).transpose()?;
        }
        let fields =
            [("title", &mut project.title), ("requirement", &mut project.requirement), ("notes", &mut project.notes)];
        for (name, field) in fields {
            if let Some(value) = text(name) {
                *field = value.to_owned();
            }
        }
        if let Some(criterion) = changes.get("criterion") {
            project.criterion = criterion.as_str().filter(|name| !name.is_empty()).map(str::to_owned);
        }
        self.write(file, &project)?;
        self.state(file)
    }

    /// Takes an answer, or takes one back.
    pub(crate) fn answer(&self, file: &str, person: &str, test: &str, allowed: Option<bool>) -> Result<Json, Refusal> {
        let _turn = lock(&self.turn);
        let mut project = self.read(file)?;
        let person = person.trim();
        if person.is_empty() {
            return Err((400, "an answer has a name".to_owned()));
        }
        let known = project.suite.iter().flat_map(|suite| &suite.tests).any(|known| known.id == test);
        if !known {
            return Err((404, format!("unknown test {test}")));
        }
        let answers = project.answers.entry(person.to_owned()).or_default();
        match allowed {
            Some(allowed) => {
                answers.insert(test.to_owned(), allowed);
            }
            None => {
                answers.shift_remove(test);
            }
        }
        self.write(file, &project)?;
        self.state(file)
    }

    /// Starts to draw tests; those that are there stay.
    pub(crate) fn draw(&self, file: &str) -> Result<Json, Refusal> {
        {
            let _turn = lock(&self.turn);
            let project = self.read(file)?;
            let mut searches = lock(&self.searches);
            if searches.get(file).is_some_and(|search| search.running) {
                return Err((409, "tests are being drawn already".to_owned()));
            }
            let interrupt = Interrupt::new();
            searches.insert(file.to_owned(), Search { interrupt: interrupt.clone(), running: true, problem: None });
            let (searches, turn, file) = (self.searches.clone(), self.turn.clone(), file.to_owned());
            let path = self.path(&file)?;
            thread::spawn(move || {
                let drawn = drawn(&project, interrupt);
                let problem = drawn.and_then(|suite| {
                    let _turn = lock(&turn);
                    store(&path, &project, suite)
                });
                let problem = problem.err();
                let mut searches = lock(&searches);
                searches.insert(file, Search { problem, ..Search::default() });
            });
        }
        self.state(file)
    }

    /// Takes a project out of the list. Its file stays in the folder under another name, so that nothing is lost.
    pub(crate) fn remove(&self, file: &str) -> Result<Json, Refusal> {
        let _turn = lock(&self.turn);
        let path = self.path(file)?;
        self.stop(file);
        let name = |number: u32| match number {
            0 => format!("{file}.removed"),
            _ => format!("{file}.removed-{number}"),
        };
        let free = (0..).map(name).find(|name| !self.folder.join(name).exists()).expect("some number is free");
        fs::rename(&path, self.folder.join(&free)).map_err(|error| (500, error.to_string()))?;
        Ok(json!({ "kept": free }))
    }

    /// Ends a search with what it has.
    pub(crate) fn stop(&self, file: &str) {
        if let Some(search) = lock(&self.searches).get(file) {
            search.interrupt.raise();
        }
    }

    fn read(&self, file: &str) -> Result<Project, Refusal> {
        Project::read(&self.path(file)?).map_err(|problem| (422, format!("{file} cannot be used: {problem}")))
    }

    fn write(&self, file: &str, project: &Project) -> Result<(), Refusal> {
        project.write(&self.path(file)?).map_err(refusal)
    }

    /// The file of a project: one in the folder, nowhere else.
    fn path(&self, file: &str) -> Result<PathBuf, Refusal> {
        let plain = Path::new(file).file_name().is_some_and(|name| name == file);
        if !plain || !file.ends_with(&format!(".{EXTENSION}")) {
            return Err((400, format!("`{file}` is not the name of a project")));
        }
        let path = self.folder.join(file);
        if path.is_file() { Ok(path) } else { Err((404, format!("unknown project {file}"))) }
    }
}

/// A specification, and the folder in which it stands if its language reads files.
struct Loaded {
    specification: Specification,
    _folder: Option<TempDir>,
}

/// Reads a specification; the diagnostics, and the specification if it is right.
fn load(language: &str, text: &str) -> Result<(Option<Loaded>, Vec<Json>), String> {
    let language = Language::from_name(language)?;
    let (output, said) = Output::collecting();
    let mut name = format!("specification.{}", language.name());
    // A preprocessor reads files: that must be the text at hand, not one that happens to have the same name.
    let folder = match language.name() == "c" {
        true => Some(TempDir::new().map_err(|error| format!("no temporary folder could be made: {error}"))?),
        false => None,
    };
    if let Some(folder) = &folder {
        let path = folder.path().join(&name);
        fs::write(&path, text).map_err(|error| input::cannot("write", &path, &error).to_string())?;
        name = path.display().to_string();
    }
    let bytes = text.as_bytes().to_vec();
    let loaded = Specification::from_bytes(&output, &name, bytes, language, &ReadingArguments::default());
    match loaded {
        Ok(specification) => Ok((Some(Loaded { specification, _folder: folder }), said.take())),
        Err(Failure::Shown) => Ok((None, said.take())),
        Err(failure) => Err(failure.to_string()),
    }
}

fn arguments(project: &Project) -> CriterionArguments {
    CriterionArguments { criterion: project.criterion.clone(), ..CriterionArguments::default() }
}

/// The tests of a suite, judged by another specification. Tests it cannot run are dropped.
fn again(specification: &Specification, project: &Project, suite: &Suite) -> Result<Suite, Refusal> {
    let (output, _) = Output::collecting();
    let asked = specification.asked(&arguments(project)).map_err(refusal)?;
    let model = &*specification.model;
    let tests = suite.tests.iter().filter_map(|test| {
        let inputs = model.read_inputs(&test.inputs).ok()?;
        Some(tests_file::GivenTest { name: test.id.clone(), inputs })
    });
    let tests: Vec<tests_file::GivenTest> = tests.collect();
    let mut measured = measure::measured(&output, specification, &asked, &tests).map_err(refusal)?;
    // Answers belong to tests by name: the names stay.
    let names: BTreeMap<String, String> =
        measured.tests.iter().zip(&tests).map(|(record, test)| (record.id.clone(), test.name.clone())).collect();
    let rename = |id: &mut String| *id = names.get(id).cloned().unwrap_or_else(|| id.clone());
    measured.tests.iter_mut().for_each(|test| rename(&mut test.id));
    measured.goals.iter_mut().flat_map(|goal| &mut goal.tests).for_each(rename);
    Ok(measured)
}

/// Draws a suite around the tests that are there.
fn drawn(project: &Project, interrupt: Interrupt) -> Result<Suite, String> {
    let (loaded, said) = load(&project.language, &project.specification)?;
    let Some(loaded) = loaded else {
        let first = said.first().and_then(|said| said["message"].as_str()).unwrap_or("it is wrong");
        return Err(format!("no tests can be drawn: {first}"));
    };
    let specification = &loaded.specification;
    let (output, said) = Output::collecting();
    let asked = specification.asked(&arguments(project)).map_err(|failure| failure.to_string())?;
    let given: Vec<Inputs> = match &project.suite {
        Some(suite) => {
            let tests = suite.tests.iter().filter_map(|test| specification.model.read_inputs(&test.inputs).ok());
            tests.collect()
        }
        None => Vec::new(),
    };
    let start = Start {
        specification,
        asked: &asked,
        options: Options { interrupt, ..Options::default() },
        given,
        tests: Vec::new(),
        lenient: false,
        known: Vec::new(),
        folder: None,
        search: true,
        concluded: false,
        interactive: false,
    };
    match drawing::draw(&output, start) {
        Ok(drawn) => Ok(drawn.suite),
        Err(Failure::Shown) => {
            let said = said.take();
            Err(said.iter().filter_map(|said| said["message"].as_str()).collect::<Vec<_>>().join("; "))
        }
        Err(failure) => Err(failure.to_string()),
    }
}

/// Puts a drawn suite into the project, unless the specification has changed meanwhile. Names of tests that were there
/// stay.
fn store(path: &Path, drawn_from: &Project, mut suite: Suite) -> Result<(), String> {
    if !path.is_file() {
        // The project was removed meanwhile, and stays so.
        return Ok(());
    }
    let mut project = Project::read(path)?;
    if project.specification != drawn_from.specification {
        return Ok(());
    }
    if let Some(old) = &project.suite {
        let mut names: BTreeMap<String, String> = BTreeMap::new();
        let mut fresh = old.tests.iter().filter_map(|test| test.id.strip_prefix('t')?.parse::<usize>().ok()).max();
        for test in &suite.tests {
            let known = old.tests.iter().find(|known| known.inputs == test.inputs).map(|known| known.id.clone());
            let name = known.unwrap_or_else(|| {
                fresh = Some(fresh.unwrap_or(0) + 1);
                format!("t{}", fresh.unwrap_or(0))
            });
            names.insert(test.id.clone(), name);
        }
        suite.tests.iter_mut().for_each(|test| test.id = names[&test.id].clone());
        suite.goals.iter_mut().flat_map(|goal| &mut goal.tests).for_each(|id| *id = names[id].clone());
    }
    project.suite = Some(suite);
    project.write(path).map_err(|failure| failure.to_string())
}

fn person(project: &Project, name: &str, answers: &judge::Answers) -> Json {
    let Some(suite) = &project.suite else { return json!({ "name": name, "answers": answers }) };
    let (shown, all) = judge::coverage(suite, answers);
    let conflicts: Vec<&str> = judge::conflicts(suite, answers).iter().map(|test| test.id.as_str()).collect();
    let suggestions = if are_mistakes(suite) { judge::suggestions(suite, answers) } else { Vec::new() };
    json!({
        "name": name,
        "answers": answers,
        "shown": shown,
        "all": all,
        "conflicts": conflicts,
        "suggestions": suggestions,
    })
}

/// Whether the goals of a suite are mistakes the specification could have.
fn are_mistakes(suite: &Suite) -> bool {
    front_of(&suite.language).is_some_and(|front| front.are_mistakes(&suite.criterion))
}

fn in_conflict(project: &Project) -> bool {
    let Some(suite) = &project.suite else { return false };
    project.answers.values().any(|answers| !judge::conflicts(suite, answers).is_empty())
}

/// The languages whose tests a person can answer with allowed or not allowed.
fn reviewable() -> Vec<&'static str> {
    Language::ALL.iter().map(|language| language.name()).collect()
}

fn refusal(failure: Failure) -> Refusal {
    (422, failure.to_string())
}

/// The lock of a mutex; a panic while it was held has ended the program.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The project file a path names: an existing one, or one to be made.
pub(crate) fn opened(path: &Path) -> Result<(PathBuf, Option<String>), Failure> {
    if path.is_dir() {
        return Ok((path.to_owned(), None));
    }
    let is_project = path.extension().is_some_and(|extension| extension == EXTENSION);
    if !is_project {
        return Err(Failure::Usage(format!("{} is neither a folder nor a .{EXTENSION} file", path.display())));
    }
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    };
    if !path.exists() {
        let title = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        Project::new(&title, "stl").write(path)?;
    }
    Ok((folder, Some(input::file_name(path))))
}
