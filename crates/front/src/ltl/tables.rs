//! Strategies as a table, and as tests for pytest.

use ltl::Machine;
use omega::{AtomId, Formulas};
use serde_json::{Map, Value as Json, json};
use testcase::Suite;

use super::show::guard;
use crate::failure::Failure;

/// The steps that a test for pytest takes.
const STEPS: usize = 80;

/// A row for every move: what the state sets, when the move is taken, and where it leads. What is free is `-`.
pub(super) fn as_csv(suite: &Suite) -> Result<String, Failure> {
    let strategies = strategies(suite)?;
    let mut inputs: Vec<String> = Vec::new();
    for (_, machine, formulas, _) in &strategies {
        for atom in &machine.sets {
            let name = formulas.atom_name(*atom);
            if !inputs.iter().any(|known| known == name) {
                inputs.push(name.to_owned());
            }
        }
    }
    let mut lines = Vec::new();
    let head = ["test", "state"].into_iter().chain(inputs.iter().map(String::as_str)).chain(["when", "next", "covers"]);
    lines.push(line(head));
    for (id, machine, formulas, covers) in &strategies {
        for (number, state) in machine.states.iter().enumerate() {
            for taken in &state.moves {
                let value = |input: &String| {
                    let set = taken.sets.iter().find(|(atom, _)| formulas.atom_name(*atom) == input);
                    set.map_or("-", |(_, value)| if *value { "1" } else { "0" }).to_owned()
                };
                let mut row = vec![id.clone(), number.to_string()];
                row.extend(inputs.iter().map(value));
                row.extend([guard(formulas, &taken.guard), taken.target.to_string(), covers.join(" ")]);
                lines.push(line(row.iter().map(String::as_str)));
            }
        }
    }
    Ok(lines.concat())
}

/// A line of a table; fields with commas, quotes or line ends are quoted.
fn line<'a>(fields: impl Iterator<Item = &'a str>) -> String {
    let quoted = |field: &str| match field.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", field.replace('"', "\"\"")),
        false => field.to_owned(),
    };
    let fields: Vec<String> = fields.map(quoted).collect();
    fields.join(",") + "\n"
}

/// A test for every strategy: it drives a system that the user supplies as a fixture, writes the trace, and has it judged.
pub(super) fn as_pytest(suite: &Suite) -> Result<String, Failure> {
    let mut tables = Map::new();
    let mut signals: Vec<String> = Vec::new();
    let mut free: Vec<String> = Vec::new();
    for (id, machine, formulas, _) in strategies(suite)? {
        let named = |atoms: &[AtomId]| -> Vec<String> {
            atoms.iter().map(|atom| formulas.atom_name(*atom).to_owned()).collect()
        };
        for name in named(&machine.sets).into_iter().chain(named(&machine.reads)) {
            if !signals.contains(&name) {
                signals.push(name);
            }
        }
        for state in 0..machine.states.len() {
            let set = machine.sets_in(state);
            let left = machine.sets.iter().filter(|atom| !set.iter().any(|(own, _)| own == *atom));
            free.extend(left.map(|atom| format!("{id}, state {state}: {}", formulas.atom_name(*atom))));
        }
        let states: Vec<Json> = (0..machine.states.len()).map(|state| table(&machine, &formulas, state)).collect();
        tables.insert(id, json!({ "inputs": named(&machine.sets), "states": states }));
    }
    let tables = python(&Json::Object(tables));
    let spec = &suite.source.file;
    let free = match free.is_empty() {
        true => String::new(),
        false => format!("\nInputs that a strategy leaves free are false here: {}.\n", free.join("; ")),
    };
    let signals = python(&json!(signals));
    let spec_text = python(&json!(spec));
    Ok(format!(
        r#""""Test strategies against a system under test.

Define a fixture `system` in conftest.py: an object with step(inputs) -> outputs, both dictionaries from
names to truth values, in its initial state. Traces are judged by `specimen run` with the specification.
{free}"""

import subprocess

import pytest

SPECIFICATION = {spec_text}
SIGNALS = {signals}
STRATEGIES = {tables}


def drive(strategy, system, steps={STEPS}):
    """The trace of a strategy and a system."""
    state, trace = 0, []
    for _ in range(steps):
        rules = strategy["states"][state]
        inputs = {{name: rules["set"].get(name, False) for name in strategy["inputs"]}}
        outputs = system.step(dict(inputs))
        trace.append({{**inputs, **outputs}})
        for rule in rules["moves"]:
            if all(bool(outputs[name]) == value for name, value in rule["when"].items()):
                state = rule["next"]
                break
    return trace


@pytest.mark.parametrize("name", sorted(STRATEGIES))
def test_strategy(name, system, tmp_path):
    trace = drive(STRATEGIES[name], system)
    table = tmp_path / "trace.csv"
    rows = [",".join(SIGNALS)] + [",".join(str(int(bool(step[name]))) for name in SIGNALS) for step in trace]
    table.write_text("\n".join(rows) + "\n")
    judged = subprocess.run(["specimen", "run", SPECIFICATION, str(table)], capture_output=True, text=True)
    assert judged.returncode == 0, judged.stdout + judged.stderr
"#
    ))
}

fn table(machine: &Machine, formulas: &Formulas, state: usize) -> Json {
    let values = |literals: &[(AtomId, bool)]| -> Json {
        Json::Object(
            literals.iter().map(|(atom, value)| (formulas.atom_name(*atom).to_owned(), json!(value))).collect(),
        )
    };
    let moves: Vec<Json> = machine.states[state]
        .moves
        .iter()
        .map(|taken| json!({ "when": values(&taken.guard), "next": taken.target }))
        .collect();
    json!({ "set": values(machine.sets_in(state)), "moves": moves })
}

/// JSON as Python writes it.
fn python(json: &Json) -> String {
    match json {
        Json::Null => "None".to_owned(),
        Json::Bool(value) => if *value { "True" } else { "False" }.to_owned(),
        Json::Number(number) => number.to_string(),
        Json::String(_) => json.to_string(),
        Json::Array(items) => format!("[{}]", items.iter().map(python).collect::<Vec<_>>().join(", ")),
        Json::Object(entries) => {
            let entry = |(key, value): (&String, &Json)| format!("{}: {}", json!(key), python(value));
            format!("{{{}}}", entries.iter().map(entry).collect::<Vec<_>>().join(", "))
        }
    }
}

type Strategy = (String, Machine, Formulas, Vec<String>);

fn strategies(suite: &Suite) -> Result<Vec<Strategy>, Failure> {
    let read = |test: &testcase::TestRecord| {
        let mut formulas = Formulas::new();
        let machine = Machine::from_json(&test.inputs, &mut formulas)
            .map_err(|error| Failure::Rejected(format!("{}: {error}", test.id)))?;
        Ok((test.id.clone(), machine, formulas, test.covers.clone()))
    };
    suite.tests.iter().map(read).collect()
}
