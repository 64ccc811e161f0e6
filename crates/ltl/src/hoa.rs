//! Automata as text for other tools: the Hanoi omega-automata format, and graphs for Graphviz.

use std::fmt::Write;

use crate::automaton::Automaton;
use crate::bdd::Bdd;
use crate::formulas::Formulas;
use crate::machine::Machine;

/// The most cubes that a label is written with.
const MOST_CUBES: usize = 100_000;

impl Automaton {
    /// The automaton in the Hanoi omega-automata format, version 1, with acceptance on transitions.
    pub fn to_hoa(&self, formulas: &Formulas) -> String {
        let names: Vec<String> = self.atoms.iter().map(|atom| format!("\"{}\"", formulas.atom_name(*atom))).collect();
        let sets: Vec<String> = (0..self.marks).map(|mark| format!("Inf({mark})")).collect();
        let condition = if sets.is_empty() { "t".to_owned() } else { sets.join(" & ") };
        let mut text = format!(
            "HOA: v1\nStates: {}\nStart: 0\nAP: {}{}{}\nAcceptance: {} {condition}\nproperties: trans-labels explicit-labels trans-acc\n--BODY--\n",
            self.len(),
            names.len(),
            if names.is_empty() { "" } else { " " },
            names.join(" "),
            self.marks,
        );
        for (state, edges) in self.edges.iter().enumerate() {
            let _ = writeln!(text, "State: {state}");
            for edge in edges {
                let marks: Vec<String> =
                    (0..self.marks).filter(|mark| edge.marks >> mark & 1 == 1).map(|mark| mark.to_string()).collect();
                let marks = if marks.is_empty() { String::new() } else { format!(" {{{}}}", marks.join(" ")) };
                let label = self.label(edge.guard, |place| place.to_string(), "t");
                let _ = writeln!(text, "[{label}] {}{marks}", edge.target);
            }
        }
        text + "--END--\n"
    }

    /// The automaton as a graph for Graphviz.
    pub fn to_dot(&self, formulas: &Formulas) -> String {
        let mut text = "digraph automaton {\n  rankdir=LR;\n  start [shape=point];\n  start -> 0;\n".to_owned();
        for (state, edges) in self.edges.iter().enumerate() {
            for edge in edges {
                let name = |place: u32| formulas.atom_name(self.atoms[place as usize]).replace('"', "'");
                let label = self.label(edge.guard, name, "true");
                let marks: Vec<String> = (0..self.marks)
                    .filter(|mark| edge.marks >> mark & 1 == 1)
                    .map(|mark| format!("({mark})"))
                    .collect();
                let _ = writeln!(text, "  {state} -> {} [label=\"{label}{}\"];", edge.target, marks.concat());
            }
        }
        text + "}\n"
    }

    fn label(&self, guard: Bdd, name: impl Fn(u32) -> String, always: &str) -> String {
        let cubes = self.bdds.cubes(guard, MOST_CUBES).unwrap_or_default();
        let cube = |literals: &Vec<(u32, bool)>| -> String {
            let words: Vec<String> = literals
                .iter()
                .map(|&(place, value)| format!("{}{}", if value { "" } else { "!" }, name(place)))
                .collect();
            if words.is_empty() { always.to_owned() } else { words.join("&") }
        };
        cubes.iter().map(cube).collect::<Vec<_>>().join(" | ")
    }
}

impl Machine {
    /// The machine as an automaton that accepts exactly what it allows: every state is accepting. What it sets is named by
    /// `controllable-AP`, as tools of synthesis expect.
    pub fn to_hoa(&self, formulas: &Formulas) -> String {
        let atoms: Vec<_> = self.reads.iter().chain(&self.sets).copied().collect();
        let names: Vec<String> =
            atoms.iter().map(|atom| format!("\"{}\"", formulas.atom_name(*atom).replace('"', "\\\""))).collect();
        let own: Vec<String> = (self.reads.len()..atoms.len()).map(|place| place.to_string()).collect();
        let mut text = format!(
            "HOA: v1\nStates: {}\nStart: 0\nAP: {} {}\ncontrollable-AP: {}\nAcceptance: 0 t\nproperties: trans-labels explicit-labels\n--BODY--\n",
            self.states.len(),
            names.len(),
            names.join(" "),
            own.join(" "),
        );
        for (number, state) in self.states.iter().enumerate() {
            let _ = writeln!(text, "State: {number}");
            for taken in &state.moves {
                let words: Vec<String> = taken
                    .guard
                    .iter()
                    .chain(&taken.sets)
                    .map(|(atom, value)| {
                        let place = atoms.iter().position(|other| other == atom).expect("a signal of the machine");
                        format!("{}{place}", if *value { "" } else { "!" })
                    })
                    .collect();
                let label = if words.is_empty() { "t".to_owned() } else { words.join("&") };
                let _ = writeln!(text, "[{label}] {}", taken.target);
            }
        }
        text + "--END--\n"
    }
}
