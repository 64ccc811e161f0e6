//! What a project says about itself: a table, JSON, and reports.

use ::project::{Counts, Health, Standing, cobertura, index, junit};
use front::columns::Table;
use front::exit::Exit;
use front::failure::Failure;
use front::input::cannot;
use front::output::{Form, Output};
use front::words::counted;
use serde_json::json;
use testcase::write_atomically;

use super::Workspace;
use crate::args::StatusArguments;
use crate::provenance::VERSION;

/// `specimen status`.
pub(crate) fn status(output: &Output, arguments: &StatusArguments) -> Result<Exit, Failure> {
    let mut workspace = Workspace::open(output)?;
    if arguments.accept {
        let open = workspace.standings().into_iter().flat_map(|standing| {
            let unit = standing.unit;
            let goals = standing.open.into_iter().map(|(goal, _)| goal).chain(standing.accepted);
            goals.map(|goal| format!("{unit}\t{goal}")).collect::<Vec<_>>()
        });
        workspace.baseline = open.collect();
        let path = workspace.root.join(&workspace.manifest.project.baseline);
        let text: String = workspace.baseline.iter().map(|line| format!("{line}\n")).collect();
        write_atomically(&path, &text).map_err(|error| cannot("write", &path, &error))?;
        output.talk(&format!("{} accepted in {}", counted(workspace.baseline.len(), "open goal"), path.display()));
    }
    let standings = workspace.standings();
    show(output, &workspace, &standings)?;
    Ok(exit(&workspace, &standings))
}

/// Shows how the units stand.
pub(super) fn show(output: &Output, workspace: &Workspace, standings: &[Standing]) -> Result<(), Failure> {
    let all: Counts = standings.iter().map(|standing| standing.counts).sum();
    let text = match output.form {
        Form::Json => {
            let whole = json!({ "project": workspace.name(), "units": standings, "total": all, "before": workspace.state.before });
            format!("{whole:#}\n")
        }
        Form::Human => human(standings, &all),
    };
    output.product(&text)
}

fn human(standings: &[Standing], all: &Counts) -> String {
    let mut table = Table::new(&["unit", "state", "goals", "covered", "impossible", "open", "tests"]);
    for standing in standings {
        let counts = &standing.counts;
        let numbers = [counts.goals, counts.covered, counts.infeasible, counts.open, counts.tests];
        let words = [standing.unit.clone(), standing.health.word().to_owned()];
        table.row(words.into_iter().chain(numbers.map(|number| number.to_string())).collect());
    }
    let mut text = table.to_text(0);
    text.push('\n');
    for standing in standings {
        let reason = standing.reason.as_deref().unwrap_or_default();
        match standing.health {
            Health::Failed | Health::Excluded => {
                text.push_str(&format!("{}: {}: {reason}\n", standing.unit, standing.health.word()));
            }
            Health::Fresh | Health::Stale | Health::Missing => {}
        }
        for (goal, reason) in &standing.open {
            let why = if reason.is_empty() { String::new() } else { format!(": {reason}") };
            text.push_str(&format!("{}: open: {goal}{why}\n", standing.unit));
        }
    }
    text.push_str(&format!(
        "{}, {}: {} covered, {} impossible, {} open",
        counted(standings.len(), "unit"),
        counted(all.goals, "goal"),
        all.covered,
        all.infeasible,
        all.open
    ));
    for (count, word) in [(all.accepted, "accepted"), (all.excluded, "excluded")] {
        if 0 < count {
            text.push_str(&format!(", {count} {word}"));
        }
    }
    text.push_str(&format!("; {}\n", counted(all.tests, "test")));
    text
}

/// How a verb about these units ends.
pub(super) fn exit(workspace: &Workspace, standings: &[Standing]) -> Exit {
    let failed = standings.iter().filter(|standing| standing.health == Health::Failed);
    let codes = failed.filter_map(|standing| workspace.state.units.get(&standing.unit)).map(|known| known.exit);
    match codes.max() {
        Some(code) => exit_of(if code < 0 { 4 } else { code }),
        None if standings.iter().all(Standing::is_settled) => Exit::Done,
        None => Exit::Open,
    }
}

/// The exit code of a run as ours.
pub(super) fn exit_of(code: i32) -> Exit {
    match code {
        0 => Exit::Done,
        1 => Exit::Open,
        2 => Exit::Usage,
        3 => Exit::Rejected,
        70 => Exit::Bug,
        _ => Exit::Environment,
    }
}

/// Writes the summary page and what continuous integration reads.
pub(crate) fn write_reports(workspace: &Workspace, standings: &[Standing]) -> Result<(), Failure> {
    let name = workspace.name();
    for (file, text) in [
        ("index.html", index(&name, standings, workspace.state.before, VERSION)),
        ("junit.xml", junit(&name, standings)),
        ("coverage.xml", cobertura(standings)),
    ] {
        let path = workspace.out().join(file);
        write_atomically(&path, &text).map_err(|error| cannot("write", &path, &error))?;
    }
    Ok(())
}
