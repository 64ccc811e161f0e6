//! Machines in the Hanoi format for automata.

use std::fmt::Write as _;

use omega::Formulas;

use crate::machine::Machine;

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
