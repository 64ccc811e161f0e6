//! A strategy for people: a line for each state.

use ltl::{Machine, Target};
use omega::{AtomId, Formulas};
use serde_json::Value as Json;
use testcase::TestRecord;

/// The lines of a strategy.
pub(super) fn strategy(test: &TestRecord) -> Option<String> {
    let mut formulas = Formulas::new();
    let machine = Machine::from_json(&test.inputs, &mut formulas).ok()?;
    let mut text = String::new();
    for state in 0..machine.states.len() {
        let mut parts = Vec::new();
        if machine.kind == Target::Moore {
            parts.push(literals(&formulas, machine.sets_in(state), " "));
        }
        for taken in &machine.states[state].moves {
            let seen = guard(&formulas, &taken.guard);
            parts.push(match machine.kind {
                Target::Moore => format!("{seen} -> {}", taken.target),
                // What a system sets depends on what it sees in the same step.
                Target::Mealy => format!("{seen} / {} -> {}", literals(&formulas, &taken.sets, " "), taken.target),
            });
        }
        text += &format!("{state}: {}", parts.join("; "));
        text.push('\n');
    }
    for (fault, why) in test.notes.get("degenerate").and_then(Json::as_object).into_iter().flatten() {
        text += &format!("{fault}: kept from showing: {}\n", why.as_str().unwrap_or("it never shows"));
    }
    for (fault, other) in test.notes.get("by_symmetry").and_then(Json::as_object).into_iter().flatten() {
        text += &format!("{fault}: by symmetry with {}\n", other.as_str().unwrap_or("another"));
    }
    Some(text)
}

/// The condition of a move, in words.
pub(super) fn guard(formulas: &Formulas, guard: &[(AtomId, bool)]) -> String {
    if guard.is_empty() { "always".to_owned() } else { literals(formulas, guard, " & ") }
}

/// Values of signals, in words.
pub(super) fn literals(formulas: &Formulas, literals: &[(AtomId, bool)], between: &str) -> String {
    let words: Vec<String> = literals
        .iter()
        .map(|(atom, value)| format!("{}{}", if *value { "" } else { "!" }, formulas.atom_name(*atom)))
        .collect();
    words.join(between)
}
