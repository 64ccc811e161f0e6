//! The reachable states of a model as a graph for Graphviz.

use std::collections::BTreeMap;
use std::fmt::Write;

use action::Spec;
use action::interp::Interpreter;

use super::limits::{Limits, Stopped};
use super::space::Space;

/// The states and steps of a model as a graph, the initial state first; steps between the same states share an arrow.
///
/// # Errors
/// Why not all states can be drawn.
pub fn graph(spec: &Spec, limits: &Limits) -> Result<String, Stopped> {
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
            let _ = writeln!(text, "  s{number} -> s{target} [label=\"{}\"];", quoted(&labels.join(", ")));
        }
    }
    text.push_str("}\n");
    Ok(text)
}
