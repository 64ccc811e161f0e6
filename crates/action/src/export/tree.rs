//! A suite as one tree: what tests begin with together stands there once. As text, and as a graph for Graphviz.

use std::fmt::Write;

use serde_json::Value as Json;
use testcase::Suite;
use testcase::export::comment;

use super::{File, points, stem};

/// A place in the tree, with what leads on from it.
#[derive(Default)]
struct Place {
    /// What happens, and the place after it.
    next: Vec<(String, usize)>,
    /// The tests that end here, with the input each tries at last.
    ends: Vec<(String, Option<String>)>,
}

pub(super) fn write(suite: &Suite) -> Vec<File> {
    let places = tree(suite);
    let name = stem(suite);
    vec![(format!("{name}-tree.txt"), text(&places)), (format!("{name}-tree.dot"), graph(suite, &places))]
}

fn tree(suite: &Suite) -> Vec<Place> {
    let mut places = vec![Place::default()];
    for test in &suite.tests {
        let mut at = 0;
        for point in points(test) {
            let event = match point.kind.as_str() {
                "input" => format!("?{}", point.label),
                "output" => format!("!{}", point.label),
                "internal" => point.label,
                "silence" => "(silence)".to_owned(),
                // What a test watches or tries at its end is its own.
                _ => continue,
            };
            // A step to another state by the same label is another branch where states are compared.
            let event = if point.state.is_empty() { event } else { format!("{event} -> {}", point.state) };
            at = match places[at].next.iter().find(|(known, _)| *known == event) {
                Some((_, place)) => *place,
                None => {
                    let place = places.len();
                    places[at].next.push((event, place));
                    places.push(Place::default());
                    place
                }
            };
        }
        let then = test.inputs.get("then").and_then(Json::as_str).map(str::to_owned);
        places[at].ends.push((test.id.clone(), then));
    }
    places
}

fn ending((id, then): &(String, Option<String>)) -> String {
    match then {
        Some(then) => format!("{id}: try {then}"),
        None => format!("{id}: watch"),
    }
}

fn text(places: &[Place]) -> String {
    let mut text = String::from("? is given, ! is seen; tests end where they are named\n");
    let mut stack = vec![(0usize, 0usize, "(begin)".to_owned())];
    while let Some((place, depth, event)) = stack.pop() {
        let ends: Vec<String> = places[place].ends.iter().map(ending).collect();
        let ends = if ends.is_empty() { String::new() } else { format!("    [{}]", ends.join("; ")) };
        let _ = writeln!(text, "{:indent$}{event}{ends}", "", indent = 2 * depth);
        stack.extend(places[place].next.iter().rev().map(|(event, next)| (*next, depth + 1, event.clone())));
    }
    text
}

fn graph(suite: &Suite, places: &[Place]) -> String {
    let quoted = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    let mut text =
        format!("// The tests of {}, merged where they begin alike.\ndigraph suite {{\n", comment(&suite.source.file));
    text.push_str("  rankdir=LR; node [shape=point, fontname=sans]; edge [fontname=sans, fontsize=10];\n");
    for (number, place) in places.iter().enumerate() {
        if !place.ends.is_empty() {
            let lines: Vec<String> = place.ends.iter().map(|end| quoted(&ending(end))).collect();
            let _ = writeln!(text, "  p{number} [shape=box, fontsize=10, label=\"{}\"];", lines.join("\\n"));
        }
        for (event, next) in &place.next {
            let label = event.split(" -> ").next().unwrap_or_default();
            let _ = writeln!(text, "  p{number} -> p{next} [label=\"{}\"];", quoted(label));
        }
    }
    text.push_str("}\n");
    text
}
