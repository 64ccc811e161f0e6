//! Automata as text for other tools: the Hanoi omega-automata format, and graphs for Graphviz.

use std::fmt::Write;

use crate::automaton::Automaton;
use crate::bdd::Bdd;
use crate::formulas::Formulas;

/// The most cubes that a label is written with.
const MOST_CUBES: usize = 100_000;

impl Automaton {
    /// The automaton in the Hanoi omega-automata format, version 1, with acceptance on transitions; none if a label is too long.
    pub fn to_hoa(&self, formulas: &Formulas) -> Option<String> {
        let names: Vec<String> = self.atoms.iter().map(|atom| quoted(formulas.atom_name(*atom))).collect();
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
                let label = self.label(edge.guard, |place| place.to_string(), "t")?;
                let _ = writeln!(text, "[{label}] {}{marks}", edge.target);
            }
        }
        Some(text + "--END--\n")
    }

    /// The automaton as a graph for Graphviz; none if a label is too long.
    pub fn to_dot(&self, formulas: &Formulas) -> Option<String> {
        let mut text = "digraph automaton {\n  rankdir=LR;\n  start [shape=point];\n  start -> 0;\n".to_owned();
        for (state, edges) in self.edges.iter().enumerate() {
            for edge in edges {
                let name = |place: u32| formulas.atom_name(self.atoms[place as usize]).replace('"', "'");
                let label = self.label(edge.guard, name, "true")?;
                let marks: Vec<String> = (0..self.marks)
                    .filter(|mark| edge.marks >> mark & 1 == 1)
                    .map(|mark| format!("({mark})"))
                    .collect();
                let _ = writeln!(text, "  {state} -> {} [label=\"{label}{}\"];", edge.target, marks.concat());
            }
        }
        Some(text + "}\n")
    }

    fn label(&self, guard: Bdd, name: impl Fn(u32) -> String, always: &str) -> Option<String> {
        let cubes = self.bdds.cubes(guard, MOST_CUBES)?;
        let cube = |literals: &Vec<(u32, bool)>| -> String {
            let words: Vec<String> = literals
                .iter()
                .map(|&(place, value)| format!("{}{}", if value { "" } else { "!" }, name(place)))
                .collect();
            if words.is_empty() { always.to_owned() } else { words.join("&") }
        };
        Some(cubes.iter().map(cube).collect::<Vec<_>>().join(" | "))
    }
}

/// A name as the format quotes it.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
}
