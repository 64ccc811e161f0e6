//! Finite machines: systems that answer an environment, and testers that drive a system.

use serde_json::{Value, json};

use crate::eval::Letter;
use crate::spec::Target;
use omega::{AtomId, Formulas};

/// A machine. It begins in state 0; in every state the guards of the moves are disjoint and leave nothing out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    /// Whether what it sets may depend on what it reads in the same step.
    pub kind: Target,
    /// What it reads.
    pub reads: Vec<AtomId>,
    /// What it sets.
    pub sets: Vec<AtomId>,
    /// The states.
    pub states: Vec<State>,
}

/// A state: its moves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// The moves.
    pub moves: Vec<Move>,
}

/// A move. In a Moore machine all moves of a state set the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// When it is taken: what is read.
    pub guard: Vec<(AtomId, bool)>,
    /// What is set; what is missing here may have any value.
    pub sets: Vec<(AtomId, bool)>,
    /// The next state.
    pub target: usize,
}

impl Machine {
    /// The move that is taken in a state when a letter is read.
    pub fn step(&self, state: usize, letter: &Letter) -> &Move {
        let fits = |taken: &&Move| taken.guard.iter().all(|&(atom, value)| letter.holds(atom) == value);
        self.states[state].moves.iter().find(fits).expect("the guards leave nothing out")
    }

    /// What a Moore machine sets in a state.
    pub fn sets_in(&self, state: usize) -> &[(AtomId, bool)] {
        self.states[state].moves.first().map_or(&[], |first| &first.sets)
    }

    /// Whether everything that a Moore machine sets, whatever it reads, is also allowed by another Moore machine that reads
    /// the same.
    pub fn is_inside(&self, other: &Machine) -> bool {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut open = vec![(0, 0)];
        while let Some((own, theirs)) = open.pop() {
            if !seen.insert((own, theirs)) {
                continue;
            }
            let set = self.sets_in(own);
            if !other.sets_in(theirs).iter().all(|literal| set.contains(literal)) {
                return false;
            }
            for taken in &self.states[own].moves {
                let together =
                    |move_of: &&Move| !move_of.guard.iter().any(|(atom, value)| taken.guard.contains(&(*atom, !value)));
                let targets = other.states[theirs].moves.iter().filter(together);
                open.extend(targets.map(|move_of| (taken.target, move_of.target)));
            }
        }
        true
    }

    /// The machine in one line: for every state its moves, with what is read, what is set, and the next state.
    pub fn to_words(&self, formulas: &Formulas) -> String {
        let words = |literals: &[(AtomId, bool)]| -> String {
            let words: Vec<String> = literals
                .iter()
                .map(|(atom, value)| format!("{}{}", if *value { "" } else { "!" }, formulas.atom_name(*atom)))
                .collect();
            if words.is_empty() { "always".to_owned() } else { words.join(" ") }
        };
        let state = |(number, state): (usize, &State)| -> String {
            let moves: Vec<String> = state
                .moves
                .iter()
                .map(|taken| format!("{} / {} -> {}", words(&taken.guard), words(&taken.sets), taken.target))
                .collect();
            format!("{number}: {}", moves.join(", "))
        };
        self.states.iter().enumerate().map(state).collect::<Vec<_>>().join("; ")
    }

    /// The machine as JSON.
    pub fn to_json(&self, formulas: &Formulas) -> Value {
        let names = |atoms: &[AtomId]| -> Value { atoms.iter().map(|atom| json!(formulas.atom_name(*atom))).collect() };
        let literals = |literals: &[(AtomId, bool)]| -> Value {
            let pairs = literals.iter().map(|(atom, value)| (formulas.atom_name(*atom).to_owned(), json!(value)));
            Value::Object(pairs.collect())
        };
        let states: Vec<Value> = self
            .states
            .iter()
            .map(|state| {
                let moves: Vec<Value> = state
                    .moves
                    .iter()
                    .map(|taken| json!({"when": literals(&taken.guard), "set": literals(&taken.sets), "next": taken.target}))
                    .collect();
                json!({ "moves": moves })
            })
            .collect();
        let kind = match self.kind {
            Target::Mealy => "mealy",
            Target::Moore => "moore",
        };
        json!({
            "schema": "specimen-machine/1",
            "kind": kind,
            "reads": names(&self.reads),
            "sets": names(&self.sets),
            "initial": 0,
            "states": states,
        })
    }

    /// Reads a machine from JSON; names of signals are looked up among the atoms, new ones are added.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn from_json(value: &Value, formulas: &mut Formulas) -> Result<Machine, String> {
        let kind = match value["kind"].as_str() {
            Some("mealy") => Target::Mealy,
            Some("moore") => Target::Moore,
            _ => return Err("`kind` must be mealy or moore".to_owned()),
        };
        let mut names = |key: &str| -> Result<Vec<AtomId>, String> {
            let list = value[key].as_array().ok_or(format!("`{key}` must be a list of names"))?;
            list.iter()
                .map(|name| Ok(formulas.atom_id(name.as_str().ok_or(format!("`{key}` must be a list of names"))?)))
                .collect()
        };
        let (reads, sets) = (names("reads")?, names("sets")?);
        let rows = value["states"].as_array().ok_or("`states` must be a list")?;
        let mut states = Vec::new();
        for row in rows {
            let mut state = State::default();
            for row in row["moves"].as_array().ok_or("`moves` must be a list")? {
                let guard = literals(&row["when"], &reads, formulas)?;
                let set = literals(&row["set"], &sets, formulas)?;
                let target = row["next"].as_u64().and_then(|next| usize::try_from(next).ok());
                let target = target.filter(|next| *next < rows.len()).ok_or("`next` must be the number of a state")?;
                state.moves.push(Move { guard, sets: set, target });
            }
            states.push(state);
        }
        let machine = Machine { kind, reads, sets, states };
        machine.complete()?;
        Ok(machine)
    }

    /// Guards are disjoint and leave nothing out; a Moore machine sets the same in all moves of a state.
    fn complete(&self) -> Result<(), String> {
        if self.states.is_empty() {
            return Err("it has no state".to_owned());
        }
        for (number, state) in self.states.iter().enumerate() {
            let disjoint = |left: &Move, right: &Move| {
                left.guard.iter().any(|(atom, value)| right.guard.contains(&(*atom, !value)))
            };
            for (index, taken) in state.moves.iter().enumerate() {
                if state.moves[..index].iter().any(|other| !disjoint(other, taken)) {
                    return Err(format!("two moves of state {number} are possible at once"));
                }
                if self.kind == Target::Moore && taken.sets != state.moves[0].sets {
                    return Err(format!("state {number} of a Moore machine sets different values"));
                }
            }
            // Disjoint cubes cover everything exactly if their shares add up to one.
            let share: f64 = state.moves.iter().map(|taken| 0.5_f64.powi(taken.guard.len() as i32)).sum();
            if (share - 1.0).abs() > 1e-9 {
                return Err(format!("no move of state {number} is possible for some of what it reads"));
            }
        }
        Ok(())
    }

    /// The machine as a graph for Graphviz.
    pub fn to_dot(&self, formulas: &Formulas) -> String {
        use std::fmt::Write;
        let words = |literals: &[(AtomId, bool)]| -> String {
            let words: Vec<String> = literals
                .iter()
                .map(|(atom, value)| format!("{}{}", if *value { "" } else { "!" }, formulas.atom_name(*atom)))
                .collect();
            if words.is_empty() { "true".to_owned() } else { words.join(" & ").replace('"', "'") }
        };
        let mut text = "digraph machine {\n  rankdir=LR;\n  start [shape=point];\n  start -> s0;\n".to_owned();
        for (number, state) in self.states.iter().enumerate() {
            let label = match self.kind {
                Target::Moore => format!("{number}\\n{}", words(self.sets_in(number))),
                Target::Mealy => number.to_string(),
            };
            let _ = writeln!(text, "  s{number} [label=\"{label}\"];");
            for taken in &state.moves {
                let label = match self.kind {
                    Target::Moore => words(&taken.guard),
                    Target::Mealy => format!("{} / {}", words(&taken.guard), words(&taken.sets)),
                };
                let _ = writeln!(text, "  s{number} -> s{} [label=\"{label}\"];", taken.target);
            }
        }
        text + "}\n"
    }
}

fn literals(value: &Value, allowed: &[AtomId], formulas: &mut Formulas) -> Result<Vec<(AtomId, bool)>, String> {
    let object = value.as_object().ok_or("`when` and `set` must be objects")?;
    let mut found = Vec::new();
    for (name, value) in object {
        let atom = formulas.atom_id(name);
        if !allowed.contains(&atom) {
            return Err(format!("`{name}` is not among the signals of the machine"));
        }
        found.push((atom, value.as_bool().ok_or(format!("`{name}` must be true or false"))?));
    }
    Ok(found)
}
