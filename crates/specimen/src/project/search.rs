//! The verbs of a whole project: `generate`, `check` and `replay` without a file.

use std::collections::BTreeSet;
use std::sync::Mutex;

use ::project::{Fingerprint, Health, Unit, UnitState};
use front::exit::Exit;
use front::failure::Failure;
use front::output::{Form, Output};
use front::words::counted;
use serde_json::json;

use super::{Children, Ended, Workspace, summary, write_reports};
use crate::args::ProjectArguments;
use crate::interrupt;
use crate::provenance::VERSION;

/// Searches every unit that is not up to date.
pub(crate) fn generate(output: &Output, arguments: &ProjectArguments) -> Result<Exit, Failure> {
    let mut workspace = Workspace::open(output)?;
    let stale = |unit: &&Unit| match workspace.health(unit) {
        Health::Excluded => false,
        Health::Fresh => arguments.force,
        Health::Failed => arguments.force || !workspace.is_fresh(unit),
        Health::Stale | Health::Missing => true,
    };
    let units: Vec<Unit> = selected(&workspace, arguments)?.into_iter().filter(stale).cloned().collect();
    let children = Children::new(arguments.jobs(), interrupt::on_ctrl_c(), arguments.timeout)?;
    output.talk(&match units.len() {
        0 => format!("{} up to date", counted(workspace.units.len(), "unit")),
        count => format!("searching {} of {}", count, counted(workspace.units.len(), "unit")),
    });
    let ended: Mutex<Vec<(Unit, Result<Ended, Failure>)>> = Mutex::default();
    let done = |unit: &Unit, result: Result<Ended, Failure>| {
        output.talk(&format!("{}: {}", unit.name, said(&result)));
        ended.lock().expect("no worker panics").push((unit.clone(), result));
    };
    children.each(&units, |unit| search(&children, &workspace, unit, arguments.force), done);
    let cut = children.is_over();
    for (unit, result) in ended.into_inner().expect("no worker panics") {
        let state = after(&workspace, &unit, result?);
        workspace.state.units.insert(unit.name.clone(), state);
    }
    let known: BTreeSet<&str> = workspace.units.iter().map(|unit| unit.name.as_str()).collect();
    workspace.state.units.retain(|name, _| known.contains(name.as_str()));
    if !units.is_empty() {
        workspace.state.before = workspace.state.last;
    }
    let standings = workspace.standings();
    workspace.state.last = Some(standings.iter().map(|standing| standing.counts).sum());
    workspace.remember()?;
    write_reports(&workspace, &standings)?;
    summary::show(output, &workspace, &standings)?;
    let exit = summary::exit(&workspace, &standings);
    Ok(if cut && exit == Exit::Done { Exit::Open } else { exit })
}

/// The units that are meant.
fn selected<'a>(workspace: &'a Workspace, arguments: &ProjectArguments) -> Result<Vec<&'a Unit>, Failure> {
    let Some(text) = &arguments.only else { return Ok(workspace.units.iter().collect()) };
    let pattern =
        glob::Pattern::new(text).map_err(|error| Failure::Usage(format!("`{text}` is not a pattern: {error}")))?;
    let found: Vec<&Unit> = workspace.units.iter().filter(|unit| pattern.matches(&unit.name)).collect();
    match found.is_empty() {
        true => Err(Failure::Usage(format!("no unit of the project fits `{text}`; `specimen status` lists them"))),
        false => Ok(found),
    }
}

/// The command line of a unit.
fn words(workspace: &Workspace, unit: &Unit, force: bool) -> Vec<String> {
    let folder = workspace.out().join(unit.folder());
    let known = workspace.state.units.get(&unit.name);
    // A suite that other options made is replaced; one of another text is brought up to date.
    let replaced = folder.join("suite.json").is_file() && known.is_none_or(|known| known.arguments != unit.arguments);
    let mut words = vec!["generate".to_owned(), "--quiet".to_owned(), format!("--out={}", folder.display())];
    words.extend((replaced || force).then(|| "--force".to_owned()));
    words.extend(unit.arguments.iter().cloned());
    words.extend(["--".to_owned(), unit.file.clone()]);
    words
}

/// The last lines of what a run printed: the counts.
fn said(result: &Result<Ended, Failure>) -> String {
    match result {
        Ok(ended) if matches!(ended.exit, Some(0 | 1)) => ended.counts().unwrap_or("done").to_owned(),
        Ok(ended) => ended.message(),
        Err(failure) => failure.to_string(),
    }
}

/// What is remembered of a run.
fn after(workspace: &Workspace, unit: &Unit, ended: Ended) -> UnitState {
    let suite = workspace.suite(unit).filter(|_| matches!(ended.exit, Some(0 | 1)));
    let sources = match &suite {
        Some(suite) => workspace.files.of_suite(&unit.file, suite),
        None => {
            let sha256 = workspace.files.sha256(unit.file.as_ref()).unwrap_or_default();
            vec![Fingerprint { path: unit.file.clone().into(), sha256 }]
        }
    };
    let failed = !matches!(ended.exit, Some(0 | 1));
    UnitState {
        version: VERSION.to_owned(),
        arguments: unit.arguments.clone(),
        exit: ended.exit.unwrap_or(-1),
        // What is wrong with a text stays wrong until the text changes; what ended otherwise is tried again.
        complete: suite.map_or(ended.exit == Some(3), |suite| suite.complete),
        message: failed.then(|| ended.message()),
        sources,
    }
}

/// Searches a unit, and writes the formats that its set asks for.
fn search(children: &Children, workspace: &Workspace, unit: &Unit, force: bool) -> Result<Ended, Failure> {
    let ended = children.run(&workspace.root, &words(workspace, unit, force))?;
    let folder = workspace.out().join(unit.folder());
    let suite = folder.join("suite.json");
    for format in workspace.manifest.sets[unit.set].export.iter().map(|format| format.get_ref()) {
        if matches!(ended.exit, Some(0 | 1)) {
            let words = ["export", &suite.to_string_lossy(), &format!("--to={format}"), "--force"].map(str::to_owned);
            let out = format!("--out={}", folder.join("export").join(format).display());
            let exported = children.run(&workspace.root, &words.into_iter().chain([out]).collect::<Vec<_>>())?;
            if exported.exit != Some(0) {
                return Ok(exported);
            }
        }
    }
    Ok(ended)
}

/// Checks every file.
pub(crate) fn check(output: &Output, arguments: &ProjectArguments) -> Result<Exit, Failure> {
    let workspace = Workspace::open(output)?;
    let mut seen = BTreeSet::new();
    let units = selected(&workspace, arguments)?.into_iter().filter(|unit| seen.insert(unit.file.as_str()));
    let units: Vec<Unit> = units.cloned().collect();
    let words = |unit: &Unit| {
        let reading = ["--include=", "--define=", "--lang=", "--link=", "--machine="];
        let options = unit.arguments.iter().filter(|word| reading.iter().any(|option| word.starts_with(option)));
        let words = ["check".to_owned()].into_iter().chain(options.cloned());
        words.chain(["--".to_owned(), unit.file.clone()]).collect::<Vec<String>>()
    };
    each(output, &workspace, arguments, &units, words)
}

/// Judges every suite again.
pub(crate) fn replay(output: &Output, arguments: &ProjectArguments) -> Result<Exit, Failure> {
    let workspace = Workspace::open(output)?;
    let suite = |unit: &Unit| workspace.out().join(unit.folder()).join("suite.json");
    let units = selected(&workspace, arguments)?.into_iter().filter(|unit| suite(unit).is_file());
    let units: Vec<Unit> = units.cloned().collect();
    if units.is_empty() {
        return Err(Failure::Environment("no suite has been drawn yet: `specimen generate` does that".to_owned()));
    }
    let words = |unit: &Unit| vec!["replay".to_owned(), suite(unit).display().to_string()];
    each(output, &workspace, arguments, &units, words)
}

/// Runs a verb for each unit and shows what it printed, in the order of the units.
fn each(
    output: &Output,
    workspace: &Workspace,
    arguments: &ProjectArguments,
    units: &[Unit],
    words: impl Fn(&Unit) -> Vec<String> + Sync,
) -> Result<Exit, Failure> {
    let children = Children::new(arguments.jobs(), interrupt::on_ctrl_c(), arguments.timeout)?;
    let ended: Mutex<Vec<(String, Result<Ended, Failure>)>> = Mutex::default();
    let done = |unit: &Unit, result| ended.lock().expect("no worker panics").push((unit.name.clone(), result));
    children.each(units, |unit| children.run(&workspace.root, &words(unit)), done);
    let mut ended = ended.into_inner().expect("no worker panics");
    let place = |name: &str| units.iter().position(|unit| unit.name == name);
    ended.sort_by_key(|(name, _)| place(name));
    let mut worst = if ended.len() < units.len() { 1 } else { 0 };
    for (name, result) in ended {
        let result = result?;
        let first = result.product.lines().next().unwrap_or_default();
        let text = if matches!(result.exit, Some(0 | 1)) { first.to_owned() } else { result.message() };
        let said =
            text.split_once(": ").filter(|(file, _)| name.starts_with(file)).map_or(text.as_str(), |(_, said)| said);
        output.product(&match output.form {
            Form::Human => format!("{name}: {said}\n"),
            Form::Json => format!("{}\n", json!({ "unit": name, "exit": result.exit, "said": said })),
        })?;
        worst = worst.max(result.exit.unwrap_or(4));
    }
    Ok(summary::exit_of(worst))
}
