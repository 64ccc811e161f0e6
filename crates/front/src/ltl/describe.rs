//! What `check` says about LTL specifications; with `--realizable` also who wins the game, and the proof of it.

use draw_ltl::{Allowance, Answer, realizable};
use ltl::{Machine, Property, Role, Spec, Target};
use omega::Class;
use serde_json::{Map, json};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::front_end::Description;
use crate::options::CheckArguments;
use crate::words::counted;

pub(super) fn describe(spec: &Spec, arguments: &CheckArguments, verbose: bool) -> Result<Description, Failure> {
    let count = |role: Role| spec.atoms_with(role).len();
    let sides = match spec.has_sides() {
        true => format!(
            "{}, {}",
            counted(count(Role::Input), "input"),
            counted(count(Role::Output) + count(Role::Hidden), "output")
        ),
        false => counted(count(Role::Open), "proposition"),
    };
    let mut text = format!(
        "ok, {sides}; {}, {}\n",
        counted(spec.assumptions.len(), "assumption"),
        counted(spec.guarantees.len(), "guarantee")
    );
    let mut json = Map::from_iter([
        ("inputs".to_owned(), json!(count(Role::Input))),
        ("outputs".to_owned(), json!(count(Role::Output))),
        ("hidden".to_owned(), json!(count(Role::Hidden))),
        ("assumptions".to_owned(), json!(spec.assumptions.len())),
        ("guarantees".to_owned(), json!(spec.guarantees.len())),
    ]);
    let properties: Vec<_> = spec.assumptions.iter().chain(&spec.guarantees).collect();
    let classes = properties.iter().map(|property| {
        let class = spec.formulas.class(property.formula);
        json!({ "name": property.name, "class": class.name(), "monitorable": class.is_monitorable() })
    });
    json.insert("properties".to_owned(), classes.collect());
    if verbose {
        properties.iter().for_each(|property| text.push_str(&explained(spec, property)));
    }
    let mut exit = Exit::Done;
    if arguments.ltl.realizable {
        let mut spec = spec.clone();
        let (verdict, words, machine) = answer(&mut spec, arguments)?;
        text = format!("{verdict}{words}\n");
        json.insert("realizable".to_owned(), json!(verdict));
        match machine {
            Some(machine) => {
                json.insert("states".to_owned(), json!(machine.states.len()));
                write(&spec, &machine, arguments)?;
            }
            None => {
                json.insert("reason".to_owned(), json!(words.trim_start_matches(": ")));
                if verdict == "unknown" {
                    exit = Exit::Open;
                }
            }
        }
    }
    Ok(Description { text, json, exit })
}

/// What a finite trace can tell of a property.
fn explained(spec: &Spec, property: &Property) -> String {
    let class = spec.formulas.class(property.formula);
    let told = match class {
        Class::Safety => "a finite trace can show a violation",
        Class::Guarantee => "a finite trace can show satisfaction",
        Class::Obligation => "a finite trace can always come to decide it",
        Class::Recurrence | Class::Persistence | Class::Reactivity => "finite traces may leave it open for ever",
    };
    let mut text = format!("  {}: {}: {told}\n", property.name, class.name());
    for hiding in spec.formulas.hiding(property.formula) {
        let formula = ltl::print(&spec.formulas, hiding);
        text.push_str(&format!(
            "    in `{formula}` the shorter wait hides the longer; `G F a | G F b` judges each alone\n"
        ));
    }
    text
}

fn answer(spec: &mut Spec, arguments: &CheckArguments) -> Result<(&'static str, String, Option<Machine>), Failure> {
    if !spec.has_sides() {
        let message = "realizability needs to know which signals are inputs and which are outputs";
        return Err(Failure::Rejected(format!("{message}; declare them, or give a --partition")));
    }
    match realizable(spec, Allowance { time: arguments.ltl.timeout, megabytes: arguments.ltl.memory }) {
        Answer::Realizable(machine) => {
            let kind = match machine.kind {
                Target::Mealy => "Mealy",
                Target::Moore => "Moore",
            };
            let words = format!(": a {kind} machine of {} satisfies it", counted(machine.states.len(), "state"));
            Ok(("realizable", words, Some(machine)))
        }
        Answer::Unrealizable(machine) => {
            let states = counted(machine.states.len(), "state");
            Ok(("unrealizable", format!(": an environment of {states} makes every system fail"), Some(machine)))
        }
        Answer::Unkept { realizable, reason } => {
            let verdict = if realizable { "realizable" } else { "unrealizable" };
            Ok((verdict, format!(": {reason}; the machine is not kept, and nobody has checked it"), None))
        }
        Answer::Unknown(reason) => Ok(("unknown", format!(": {reason}"), None)),
        Answer::Disagreement(words) => Err(Failure::Bug(words)),
    }
}

fn write(spec: &Spec, machine: &Machine, arguments: &CheckArguments) -> Result<(), Failure> {
    let Some(folder) = &arguments.ltl.out else { return Ok(()) };
    let failed = |error: std::io::Error| Failure::Environment(format!("{}: {error}", folder.display()));
    std::fs::create_dir_all(folder).map_err(failed)?;
    std::fs::write(folder.join("machine.json"), format!("{:#}\n", machine.to_json(&spec.formulas))).map_err(failed)?;
    std::fs::write(folder.join("machine.dot"), machine.to_dot(&spec.formulas)).map_err(failed)?;
    std::fs::write(folder.join("machine.aag"), machine.to_aiger(&spec.formulas)).map_err(failed)
}
