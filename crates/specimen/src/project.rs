//! A project as the verbs use it: its file, its units, what is remembered about them, and the processes that search them.

mod children;
mod farm;
mod plan;
mod search;
mod summary;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use ::project::{Files, FunctionsState, Health, MANIFEST, Manifest, Standing, State, Unit, Units, is_unit_excluded};
use front::failure::Failure;
use front::input::{self, cannot};
use front::output::Output;
use front::specification::Specification;
use serde_json::Value as Json;
use source::Source;
use testcase::{Suite, write_atomically};

use crate::args::parse;
use crate::args::{CheckArguments, Verb};
use crate::folder::OutFolder;
use crate::provenance::VERSION;

pub(crate) use children::{Children, Ended};
pub(crate) use farm::farm;
pub(crate) use plan::{merge, plan, work};
pub(crate) use search::{check, generate, replay};
pub(crate) use summary::{status, write_reports};

/// The file in which a project remembers what it has done.
const STATE: &str = "state.json";

/// A project.
pub(crate) struct Workspace {
    /// Its folder.
    pub(crate) root: PathBuf,
    pub(crate) manifest: Manifest,
    pub(crate) units: Vec<Unit>,
    pub(crate) state: State,
    pub(crate) files: Files,
    /// Accepted open goals, as `unit<tab>goal`.
    pub(crate) baseline: BTreeSet<String>,
}

impl Workspace {
    /// Opens the project that the current folder is in, and makes its folder the current one.
    pub(crate) fn open(output: &Output) -> Result<Workspace, Failure> {
        let here = std::env::current_dir().map_err(|error| Failure::Environment(error.to_string()))?;
        let root = here.ancestors().find(|folder| folder.join(MANIFEST).is_file()).ok_or_else(|| {
            Failure::Usage(format!(
                "name a specification, or go to a folder with a {MANIFEST} (`specimen init` writes one)"
            ))
        })?;
        std::env::set_current_dir(root).map_err(|error| cannot("enter", root, &error))?;
        let source = Source::new(MANIFEST, input::read_text(Path::new(MANIFEST))?);
        let manifest = Manifest::parse(&source).map_err(|wrong| output.rejected(&source, &wrong))?;
        let out = root.join(&manifest.project.out);
        let state = read_state(&out.join(STATE))?;
        let files = Files::below(root);
        let baseline = match root.join(&manifest.project.baseline) {
            path if path.is_file() => input::read_text(&path)?.lines().map(str::to_owned).collect(),
            _ => BTreeSet::new(),
        };
        let known = RefCell::new(state);
        let functions = |file: &str, arguments: &[String]| functions_of(&known, &files, file, arguments);
        let found = ::project::units(&manifest, &source, root, &functions);
        let Units { units, notes } = found.map_err(|wrong| output.rejected(&source, &wrong))?;
        notes.iter().for_each(|note| output.warn(note));
        let workspace =
            Workspace { root: root.to_owned(), manifest, units, state: known.into_inner(), files, baseline };
        workspace.check_options(output, &source)?;
        Ok(workspace)
    }

    /// Every unit's command line is understood, also of units that are not searched now.
    fn check_options(&self, output: &Output, source: &Source) -> Result<(), Failure> {
        let mut seen = BTreeSet::new();
        for unit in &self.units {
            let extension = unit.file.rsplit('.').next().unwrap_or_default();
            let options: Vec<&String> = unit.arguments.iter().filter(|word| !word.starts_with("--function=")).collect();
            if !seen.insert((unit.set, extension.to_owned(), options)) {
                continue;
            }
            if let Err(why) = generate_arguments(unit) {
                // The option that cannot be used even by itself is to blame.
                let alone = |word: &&String| {
                    generate_arguments(&Unit { arguments: vec![(*word).clone()], ..unit.clone() }).is_err()
                };
                let word = unit.arguments.iter().find(alone).map_or("", String::as_str);
                return Err(output.rejected(source, &[::project::refused_option(source, word, &why)]));
            }
        }
        Ok(())
    }

    /// The folder of suites and reports.
    pub(crate) fn out(&self) -> PathBuf {
        self.root.join(&self.manifest.project.out)
    }

    /// What the project is called.
    pub(crate) fn name(&self) -> String {
        let folder = self.root.file_name().map(|name| name.to_string_lossy().into_owned());
        self.manifest.project.name.clone().or(folder).unwrap_or_else(|| "project".to_owned())
    }

    /// The suite of a unit, if there is one that can be read.
    pub(crate) fn suite(&self, unit: &Unit) -> Option<Suite> {
        OutFolder::at(&self.out().join(unit.folder())).suite().ok().flatten()
    }

    /// Whether the suite of a unit speaks of it as it is now.
    pub(crate) fn health(&self, unit: &Unit) -> Health {
        match self.state.units.get(&unit.name) {
            _ if is_unit_excluded(&self.manifest, unit) => Health::Excluded,
            None => Health::Missing,
            Some(known) if !matches!(known.exit, 0 | 1) => Health::Failed,
            Some(_) if !self.is_fresh(unit) => Health::Stale,
            Some(_) if !self.out().join(unit.folder()).join("suite.json").is_file() => Health::Missing,
            Some(_) => Health::Fresh,
        }
    }

    /// Whether nothing has changed since a unit was searched, and the search was complete.
    pub(crate) fn is_fresh(&self, unit: &Unit) -> bool {
        self.state.is_fresh(unit, VERSION, &self.files)
    }

    /// How every unit stands.
    pub(crate) fn standings(&self) -> Vec<Standing> {
        let one = |unit: &Unit| {
            let message = self.state.units.get(&unit.name).and_then(|known| known.message.as_deref());
            let suite = self.suite(unit);
            ::project::standing(unit, self.health(unit), message, suite.as_ref(), &self.manifest, &self.baseline)
        };
        self.units.iter().map(one).collect()
    }

    /// Writes down what is remembered.
    pub(crate) fn remember(&self) -> Result<(), Failure> {
        let out = self.out();
        std::fs::create_dir_all(&out).map_err(|error| cannot("create", &out, &error))?;
        let path = out.join(STATE);
        write_atomically(&path, &self.state.to_json()).map_err(|error| cannot("write", &path, &error))
    }
}

fn read_state(path: &Path) -> Result<State, Failure> {
    if !path.is_file() {
        return Ok(State::new());
    }
    State::from_json(&input::read_text(path)?).map_err(|error| {
        Failure::Environment(format!(
            "{} is not the state of a project ({error}); remove it to search anew",
            path.display()
        ))
    })
}

/// The command line of a unit, as typed arguments; what is wrong with it otherwise.
pub(crate) fn generate_arguments(unit: &Unit) -> Result<crate::args::GenerateArguments, String> {
    let words = ["specimen", "generate", &unit.file].into_iter().map(Into::into);
    let words: Vec<std::ffi::OsString> = words.chain(unit.arguments.iter().map(Into::into)).collect();
    match parse::parse(&words) {
        Ok(parsed) => match parsed.arguments.verb {
            Verb::Generate(arguments) => Ok(arguments),
            _ => Err("it is not about a specification".to_owned()),
        },
        Err(parse::Refusal::Foreign { message, .. }) => Err(message),
        Err(parse::Refusal::Clap(error)) => {
            let text = error.to_string();
            Err(text.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned())
        }
    }
}

/// The functions that a file defines, as they were found before or by reading it now.
fn functions_of(state: &RefCell<State>, files: &Files, file: &str, arguments: &[String]) -> Option<Vec<String>> {
    if !file.ends_with(".c") && !file.ends_with(".i") {
        return None;
    }
    let sha256 = files.sha256(Path::new(file))?;
    if let Some(known) = state.borrow().functions.get(file)
        && known.sha256 == sha256
        && known.arguments == arguments
    {
        return known.names.clone();
    }
    let names = defined_functions(file, arguments);
    let known = FunctionsState { arguments: arguments.to_vec(), sha256, names: names.clone() };
    state.borrow_mut().functions.insert(file.to_owned(), known);
    names
}

/// Reads a C file for the functions that it defines. What is wrong with it is said when it is searched.
fn defined_functions(file: &str, arguments: &[String]) -> Option<Vec<String>> {
    let unit =
        Unit { name: file.to_owned(), file: file.to_owned(), function: None, arguments: arguments.to_vec(), set: 0 };
    let reading = generate_arguments(&unit).ok()?.spec.reading;
    let (silent, _) = Output::collecting();
    let specification = Specification::read(&silent, Path::new(file), &reading).ok()?;
    let described = specification.model.describe(&silent, &CheckArguments::of(file, reading)).ok()?;
    let names = described.json.get("defines").and_then(Json::as_array)?;
    Some(names.iter().filter_map(|name| name.as_str().map(str::to_owned)).collect())
}
