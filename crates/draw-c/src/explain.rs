//! Why a goal is impossible, in words.

use c::Program;
use fql::describe::describe_edge;
use fql::graph::{EdgeId, Graph};

use super::problem::Why;
use search::Reason;

/// Names the parts of a contradiction. A goal that asks for one edge is not excluded by itself.
pub(super) fn explain(program: &Program, graph: &Graph, goal: Option<u32>, core: &[Reason]) -> String {
    let mut found: Vec<String> = Vec::new();
    for &reason in core {
        let text = match Why::of(reason) {
            Why::Goal | Why::Inputs => continue,
            Why::Cut => "it would take an execution that is not followed".to_owned(),
            Why::Passing => "the passing clause".to_owned(),
            Why::Taken(edge) | Why::Defined(edge) if program.is_library(edge) => continue,
            Why::Taken(edge) => describe_edge(graph, EdgeId(edge.0)),
            Why::Defined(edge) => {
                let place = program.edge(edge).notes.location.map(|location| program.place_text(location));
                format!("{} must be defined and assumptions hold", place.unwrap_or_else(|| "an operation".into()))
            }
        };
        if !found.contains(&text) {
            found.push(text);
        }
    }
    let own = goal.map(|edge| describe_edge(graph, EdgeId(edge)));
    match found.as_slice() {
        [one] if own.as_ref() == Some(one) => "no execution that comes there does that".to_owned(),
        [] => "no execution does that".to_owned(),
        [one] => format!("excluded by {one}"),
        several => format!("these exclude each other: {}", several.join("; ")),
    }
}
