//! `specimen run … --against` and `--implementation`: strategies drive a system, and what it does is judged.

use std::path::Path;
use std::time::Duration;

use ltl::execute::{Executor, Outcome, Run, System, to_csv};
use ltl::{Machine, Role, Spec, Target};
use omega::AtomId;
use serde_json::{Value as Json, json};

use super::LtlModel;
use super::implementation::{CommandSystem, Implementation, free};
use crate::adapter::Told;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input;
use crate::options::{DriveArguments, RunArguments};
use crate::output::{Form, Output};
use crate::words::counted;

/// A strategy with its name.
pub(super) struct Named {
    pub(super) name: String,
    pub(super) machine: Machine,
    /// What it is for, as the suite says.
    pub(super) covers: Vec<String>,
}

pub(super) fn drive(model: &LtlModel, output: &Output, arguments: &RunArguments) -> Result<Exit, Failure> {
    let drive = &arguments.drive;
    if !arguments.traces.counting.is_empty() {
        return Err(Failure::Usage("--counting is for traces: systems are judged by the usual rules".to_owned()));
    }
    let mut spec = model.spec.clone();
    if !spec.has_sides() {
        return Err(Failure::Rejected("a run needs to know which signals are inputs and which are outputs".to_owned()));
    }
    let mut strategies = Vec::new();
    let own = arguments.spec.file.extension().is_some_and(|extension| extension == "json");
    for path in own.then_some(&arguments.spec.file).into_iter().chain(&arguments.tests) {
        strategies.extend(read_strategies(path, &mut spec)?);
    }
    if strategies.is_empty() && drive.steps.random == 0 {
        return Err(Failure::Usage("there is nothing to run: name strategies, or ask for --random runs".to_owned()));
    }
    let implementation = match (&drive.against, &drive.steps.implementation) {
        (Some(_), Some(_)) => {
            return Err(Failure::Usage("--against and --implementation exclude each other".to_owned()));
        }
        (_, Some(path)) => Some(Implementation::read(output, path, &mut spec)?),
        (_, None) => None,
    };
    let spec = &spec;
    let mut system: Box<dyn System + '_> = match (&implementation, &drive.against) {
        (Some(implementation), _) => implementation.system(&spec.formulas),
        (None, Some(command)) => Box::new(CommandSystem::new(command, drive.step_timeout, spec)),
        (None, None) => return Err(Failure::Usage("no system is given: name one with --against".to_owned())),
    };
    let seen: Vec<AtomId> = match &implementation {
        Some(implementation) => implementation.outputs().to_vec(),
        None => spec.atoms_with(Role::Output),
    };
    let steps = &drive.steps;
    let mut executor = Executor::new(spec, &seen, steps.steps, free(steps.free), steps.input_seed);
    let mut runs: Vec<(String, Run)> = Vec::new();
    for strategy in &strategies {
        runs.push((strategy.name.clone(), executor.run(Some(&strategy.machine), &mut *system)));
    }
    for number in 1..=steps.random {
        runs.push((format!("random {number}"), executor.run(None, &mut *system)));
    }
    drop(system);
    if let Some(folder) = &drive.log {
        write_traces(folder, spec, &seen, &runs)?;
    }
    show(output, &executor, &runs)?;
    Ok(match () {
        () if runs.iter().any(|(_, run)| run.trouble.is_some()) => Exit::Environment,
        () if runs.iter().all(|(_, run)| matches!(run.outcome, Outcome::Passes | Outcome::PresumablyPasses)) => {
            Exit::Done
        }
        () => Exit::Open,
    })
}

/// Drives a command with every strategy of a suite.
pub(super) fn against(
    model: &LtlModel,
    suite: &testcase::Suite,
    command: &str,
    patience: Duration,
) -> Result<Vec<Told>, Failure> {
    let mut spec = model.spec.clone();
    if !spec.has_sides() {
        return Err(Failure::Rejected("a run needs to know which signals are inputs and which are outputs".to_owned()));
    }
    let mut machines = Vec::new();
    for test in &suite.tests {
        let wrong = |error: String| Failure::Rejected(format!("test {}: {error}", test.id));
        machines.push(strategy(&test.inputs, &mut spec).map_err(wrong)?);
    }
    let mut system = CommandSystem::new(command, patience, &spec);
    let steps = DriveArguments::default().steps;
    let seen = spec.atoms_with(Role::Output);
    let mut executor = Executor::new(&spec, &seen, steps.steps, free(steps.free), steps.input_seed);
    let told = machines.iter().map(|machine| {
        let run = executor.run(Some(machine), &mut system);
        let words = format!("{} after {}: {}", run.outcome.name(), counted(run.steps.len(), "step"), run.why);
        match (run.trouble, run.outcome) {
            (Some(trouble), _) => Told::Trouble(trouble),
            (None, Outcome::Passes | Outcome::PresumablyPasses) => Told::Pass,
            (None, Outcome::Fails | Outcome::PresumablyFails) => Told::Fail(words),
            (None, Outcome::Inconclusive) => Told::Inconclusive(words),
        }
    });
    Ok(told.collect())
}

fn show(output: &Output, executor: &Executor<'_>, runs: &[(String, Run)]) -> Result<(), Failure> {
    for name in executor.unseen() {
        output.warn(&format!("{name} is not judged: the system does not show all signals it is about"));
    }
    match output.form {
        Form::Json => {
            let list: Vec<Json> = runs
                .iter()
                .map(|(name, run)| {
                    json!({
                        "strategy": name, "steps": run.steps.len(), "outcome": run.outcome.name(), "why": run.why,
                        "trouble": run.trouble,
                    })
                })
                .collect();
            output.product(&format!("{:#}\n", json!({ "runs": list })))
        }
        Form::Human => {
            let mut text = String::new();
            for (name, run) in runs {
                let steps = counted(run.steps.len(), "step");
                text += &format!("{name}: {} after {steps}: {}\n", run.outcome.name(), run.why);
            }
            output.product(&text)
        }
    }
}

/// The strategies of a suite, or the one that a file is.
pub(super) fn read_strategies(path: &Path, spec: &mut Spec) -> Result<Vec<Named>, Failure> {
    let name = path.display().to_string();
    let wrong = |error: String| Failure::Rejected(format!("{name}: {error}"));
    let json: Json = serde_json::from_str(&input::read_text(path)?).map_err(|error| wrong(error.to_string()))?;
    let mut found = Vec::new();
    match json["tests"].as_array() {
        Some(tests) => {
            for test in tests {
                let id = test["id"].as_str().unwrap_or("?").to_owned();
                let machine = strategy(&test["inputs"], spec).map_err(|error| wrong(format!("{id}: {error}")))?;
                let covers = test["covers"].as_array().into_iter().flatten();
                let covers = covers.filter_map(|goal| goal.as_str().map(str::to_owned)).collect();
                found.push(Named { name: id, machine, covers });
            }
        }
        None => {
            let machine = strategy(&json, spec).map_err(wrong)?;
            found.push(Named { name: input::file_name(path), machine, covers: Vec::new() });
        }
    }
    Ok(found)
}

/// A machine that can drive systems of a specification.
pub(super) fn strategy(json: &Json, spec: &mut Spec) -> Result<Machine, String> {
    let machine = Machine::from_json(json, &mut spec.formulas)?;
    if machine.kind != Target::Moore {
        return Err("a strategy is a Moore machine: it sets inputs before it sees outputs".to_owned());
    }
    let (inputs, outputs) = (spec.atoms_with(Role::Input), spec.atoms_with(Role::Output));
    for (atoms, known, what) in [(&machine.sets, &inputs, "input"), (&machine.reads, &outputs, "output")] {
        if let Some(atom) = atoms.iter().find(|atom| !known.contains(atom)) {
            return Err(format!("`{}` is no {what} of the specification", spec.formulas.atom_name(*atom)));
        }
    }
    Ok(machine)
}

fn write_traces(folder: &Path, spec: &Spec, seen: &[AtomId], runs: &[(String, Run)]) -> Result<(), Failure> {
    let failed = |error: std::io::Error| Failure::Environment(format!("{}: {error}", folder.display()));
    std::fs::create_dir_all(folder).map_err(failed)?;
    let mut signals = spec.atoms_with(Role::Input);
    signals.extend(seen);
    for (number, (name, run)) in runs.iter().enumerate() {
        let safe: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        let file = folder.join(format!("{:02}-{safe}.csv", number + 1));
        std::fs::write(file, to_csv(&spec.formulas, &signals, &run.steps)).map_err(failed)?;
    }
    Ok(())
}
