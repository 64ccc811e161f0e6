//! Goals and edges in words.

use crate::goals::Letter;
use crate::graph::{Decision, EdgeId, Graph, NodeId};
use crate::spec::Spec;

/// An edge in words: its place and what it does.
pub fn describe_edge(graph: &Graph, id: EdgeId) -> String {
    let edge = graph.edge(id);
    let place = graph.place(id);
    if let Some(side) = edge.condition
        && let Some(decision) = graph.decisions.get(side.decision as usize)
    {
        let text = &decision.conditions[side.condition as usize];
        return format!("{place} `{text}` is {}", side.holds);
    }
    let doing = match (&edge.calls, edge.text.as_str()) {
        (Some(function), _) => format!("call {}", graph.function(*function).name),
        (None, "") => match edge.outcome {
            Some((decision, outcome)) => outcome_text(graph, decision, outcome),
            None if edge.block_entry => "block".into(),
            None => "skip".into(),
        },
        (None, text) => format!("`{}`", shorten(text)),
    };
    match edge.outcome {
        Some((decision, outcome)) if edge.text.is_empty() || edge.calls.is_none() => {
            format!("{place} {}", outcome_text(graph, decision, outcome))
        }
        _ => format!("{place} {doing}"),
    }
}

/// An outcome of a decision, at the place of the decision.
fn describe_outcome(graph: &Graph, id: EdgeId, decision: &Decision) -> String {
    let place = match decision.file {
        Some(file) if decision.line != 0 => format!("{}:{}", graph.file_name(file), decision.line),
        _ => graph.place(id),
    };
    let text = graph.edge(id).outcome.map(|(decision, outcome)| outcome_text(graph, decision, outcome));
    format!("{place} {}", text.unwrap_or_default())
}

fn outcome_text(graph: &Graph, decision: u32, outcome: u32) -> String {
    match graph.decisions.get(decision as usize) {
        Some(found) if found.structure.is_some() => format!("decision `{}` is {}", shorten(&found.text), outcome == 1),
        Some(found) => format!("outcome {outcome} of `{}`", shorten(&found.text)),
        None => format!("outcome {outcome}"),
    }
}

/// A goal in words; quoted patterns that match everything are left out, others are shown.
pub fn describe_goal(graph: &Graph, spec: &Spec, goal: &[Letter]) -> String {
    let part = |letter: &Letter| match letter {
        Letter::Edge(edge) => Some(match spec.decision_of(graph, graph.edge(*edge)) {
            Some(decision) => describe_outcome(graph, *edge, decision),
            None => describe_edge(graph, *edge),
        }),
        Letter::Node(node) => Some(describe_node(graph, *node)),
        Letter::Predicate(at) => Some(format!("{{{}}}", spec.predicates[*at as usize])),
        Letter::Quote(at) => {
            let text = &spec.quotes[*at as usize];
            (text != ANYTHING).then(|| format!("\"{text}\""))
        }
    };
    let parts: Vec<String> = goal.iter().filter_map(part).collect();
    if parts.is_empty() { "any run".into() } else { parts.join(", then ") }
}

/// The quoted pattern that matches every run.
pub(crate) const ANYTHING: &str = "EDGES(ID)*";

fn describe_node(graph: &Graph, node: NodeId) -> String {
    let out = graph.edges.iter().position(|edge| edge.from == node);
    match out {
        Some(edge) => format!("{} (node {})", graph.place(EdgeId(edge as u32)), node.0),
        None => format!("end (node {})", node.0),
    }
}

/// A goal as `--show-test-goals` of FShell shows it: locations, `<TRUE>` for patterns that match everything.
pub fn show_goal(graph: &Graph, spec: &Spec, number: u128, goal: &[Letter]) -> String {
    let location = |edge: EdgeId| {
        let next = graph.after(edge);
        let branch = graph.edge(edge).condition.is_some();
        let target = graph.edges.iter().position(|edge| edge.from == next);
        match (branch, target) {
            (true, Some(target)) => format!("{}-{}", graph.place(edge), graph.place(EdgeId(target as u32))),
            (true, None) => format!("{}-NO_LOCATION", graph.place(edge)),
            (false, _) => graph.place(edge),
        }
    };
    let part = |letter: &Letter| match letter {
        Letter::Edge(edge) => location(*edge),
        Letter::Node(node) => match graph.edges.iter().position(|edge| edge.from == *node) {
            Some(edge) => graph.place(EdgeId(edge as u32)),
            None => "NO_LOCATION".into(),
        },
        Letter::Predicate(at) => format!("{{{}}}", spec.predicates[*at as usize]),
        Letter::Quote(at) if spec.quotes[*at as usize] == ANYTHING => "<TRUE>".into(),
        Letter::Quote(at) => format!("\"{}\"", spec.quotes[*at as usize]),
    };
    let parts: Vec<String> = goal.iter().map(part).collect();
    format!("Test goal {number}: {}", parts.join("..."))
}

fn shorten(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= 60 { line } else { line.chars().take(59).chain(['…']).collect() }
}
