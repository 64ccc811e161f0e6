//! The reachable states of a model as a graph for Graphviz.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use action::Spec;
use action::interp::Interpreter;
use action::trace::Label;

use super::limits::{Limits, Stopped};
use super::space::Space;

/// The names of the tests that may pass from one state to another.
pub type Paths = BTreeMap<(Vec<i64>, Vec<i64>), BTreeSet<String>>;

/// The steps on the ways of tests, each a name and a trace; a trace is followed as far as it is possible.
pub fn paths(spec: &Spec, tests: &[(String, Vec<Label>)]) -> Paths {
    let mut interpreter = Interpreter::new(spec);
    let mut paths = Paths::new();
    for (name, labels) in tests {
        let Ok(run) = interpreter.run(labels) else { continue };
        for (pair, label) in run.states.windows(2).zip(labels) {
            for from in &pair[0] {
                for to in interpreter.after(from, label).unwrap_or_default() {
                    paths.entry((from.clone(), to)).or_default().insert(name.clone());
                }
            }
        }
    }
    paths
}

/// The states and steps of a model as a graph, the initial state first; steps between the same states share an arrow. The ways
/// of tests are drawn thick, with the names of the tests.
///
/// # Errors
/// Why not all states can be drawn.
pub fn graph(spec: &Spec, limits: &Limits, paths: &Paths) -> Result<String, Stopped> {
    let space = Space::explore(spec, limits);
    if let Some(stopped) = space.stopped() {
        return Err(stopped);
    }
    let quoted = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    let mut interpreter = Interpreter::new(spec);
    let mut text = String::from("digraph states {\n  node [shape=box, style=rounded, fontname=sans, fontsize=10];\n");
    text.push_str("  edge [fontname=sans, fontsize=9];\n  begin [shape=point];\n  begin -> s0;\n");
    for number in 0..space.len() {
        let state = space.state_at(number);
        let shown = quoted(&spec.show_state(&state)).replace(", ", "\\n");
        let steps = interpreter.steps(&state).map_err(|_| Stopped::Ways(limits.ways))?;
        // States in which nothing is possible any more are drawn as ends.
        let end = if steps.is_empty() { ", peripheries=2" } else { "" };
        let _ = writeln!(text, "  s{number} [label=\"{shown}\"{end}];");
        let mut arrows: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        for (step, weight) in steps {
            let alike = if weight == 1 { String::new() } else { format!(" and {} alike", weight - 1) };
            let target = space.number_of(&step.post).expect("all states are there");
            arrows.entry(target).or_default().push(format!("{}{alike}", step.label));
        }
        for (target, labels) in arrows {
            let marked = match paths.get(&(state.clone(), space.state_at(target))) {
                Some(tests) => {
                    let names: Vec<&str> = tests.iter().map(String::as_str).collect();
                    let names = quoted(&names.join(", "));
                    format!(", color=\"#2563eb\", penwidth=2, xlabel=\"{names}\", fontcolor=\"#2563eb\"")
                }
                None => String::new(),
            };
            let label = quoted(&labels.join(", "));
            let _ = writeln!(text, "  s{number} -> s{target} [label=\"{label}\"{marked}];");
        }
    }
    text.push_str("}\n");
    Ok(text)
}
