//! Filter functions: which edges of a graph each of them finds.

use source::{Diagnostic, Span};

use crate::ast::Filter;
use crate::bits::BitSet;
use crate::codes::UNKNOWN_NAME;
use crate::graph::{Edge, EdgeId, Function, FunctionId, Graph};
use crate::print::print_filter;
use crate::regexp::Regexp;
use crate::target::TargetGraph;
use source::nearest;

/// What a filter function finds within a part of the graph.
///
/// # Errors
/// When the filter names something that is not in the program.
pub(crate) fn apply(
    graph: &Graph,
    filter: &Filter,
    within: &TargetGraph,
    span: Span,
) -> Result<TargetGraph, Box<Diagnostic>> {
    known(graph, filter, span)?;
    if let Filter::Node(nodes) = filter {
        let mut found = graph.no_nodes();
        found.extend(nodes.iter().copied().filter(|node| within.nodes.contains(*node)));
        return Ok(TargetGraph { initial: found.clone(), nodes: found, edges: graph.no_edges() });
    }
    let mut edges = graph.no_edges();
    let matches = matcher(graph, filter, span)?;
    for id in within.edges.iter() {
        if matches(EdgeId(id)) {
            edges.insert(id);
        }
    }
    let mut found = TargetGraph::of_edges(graph, edges);
    if let Some(starts) = starts(graph, filter) {
        found.initial = starts.intersection(&found.nodes);
    }
    Ok(found)
}

type Matcher<'a> = Box<dyn Fn(EdgeId) -> bool + 'a>;

fn matcher<'a>(graph: &'a Graph, filter: &'a Filter, span: Span) -> Result<Matcher<'a>, Box<Diagnostic>> {
    let edge = move |id: EdgeId| graph.edge(id);
    let named = move |function: Option<FunctionId>, name: &str| {
        function.is_some_and(|function| graph.function(function).name == name)
    };
    Ok(match filter {
        Filter::BasicBlockEntry => Box::new(move |id| edge(id).block_entry),
        Filter::ConditionEdge => Box::new(move |id| edge(id).condition.is_some()),
        Filter::ConditionGraph => Box::new(move |id| edge(id).decision.is_some()),
        Filter::DecisionEdge => Box::new(move |id| edge(id).outcome.is_some()),
        Filter::Calls => Box::new(move |id| edge(id).calls.is_some()),
        Filter::File(name) => {
            Box::new(move |id| edge(id).file.is_some_and(|file| same_file(&graph.files[file as usize], name)))
        }
        Filter::Line(line) => Box::new(move |id| edge(id).line == *line && *line != 0),
        Filter::Column(column) => Box::new(move |id| edge(id).column == *column && *column != 0),
        Filter::Func(name) => Box::new(move |id| named(edge(id).function, name)),
        Filter::Entry(name) => Box::new(move |id| {
            let edge = edge(id);
            named(edge.function, name) && entry(graph, edge) == Some(edge.from)
        }),
        Filter::Exit(name) => {
            let leaves = leaving(graph);
            Box::new(move |id| named(edge(id).function, name) && leaves.contains(id.0))
        }
        Filter::Call(name) => Box::new(move |id| named(edge(id).calls, name)),
        Filter::Label(name) => Box::new(move |id| edge(id).labels.contains(name)),
        Filter::Def(name) => Box::new(move |id| edge(id).defines.contains(name)),
        Filter::Use(name) => Box::new(move |id| edge(id).uses.contains(name)),
        Filter::StatementType(kinds) => Box::new(move |id| edge(id).kinds.iter().any(|kind| kinds.contains(kind))),
        Filter::Expression(text) => {
            let wanted = squeezed(text);
            Box::new(move |id| squeezed(&edge(id).text) == wanted)
        }
        Filter::Regexp(text) => {
            let regexp = Regexp::new(text).map_err(|message| {
                let message = format!("the regular expression cannot be read: {message}");
                Diagnostic::error(&crate::codes::SYNTAX, span, message)
            })?;
            Box::new(move |id| regexp.occurs_in(&edge(id).text))
        }
        Filter::Edge(edges) => {
            let mut wanted = graph.no_edges();
            wanted.extend(edges.iter().copied());
            Box::new(move |id| wanted.contains(id.0))
        }
        Filter::Node(_) => Box::new(|_| false),
    })
}

/// Where paths in the found graph begin, where that is not simply where its edges begin.
fn starts(graph: &Graph, filter: &Filter) -> Option<BitSet> {
    let mut found = graph.no_nodes();
    let mut add = |function: &Function| found.extend(function.body.map(|(entry, _)| entry.0));
    match filter {
        Filter::Func(name) | Filter::Entry(name) => {
            graph.functions.iter().filter(|function| function.name == *name).for_each(&mut add);
        }
        Filter::File(name) => {
            let inside =
                |function: &&Function| function.file.is_some_and(|file| same_file(&graph.files[file as usize], name));
            graph.functions.iter().filter(inside).for_each(&mut add);
        }
        Filter::ConditionGraph => found.extend(graph.decisions.iter().map(|decision| decision.entry.0)),
        Filter::BasicBlockEntry
        | Filter::ConditionEdge
        | Filter::DecisionEdge
        | Filter::Calls
        | Filter::Line(_)
        | Filter::Column(_)
        | Filter::Exit(_)
        | Filter::Call(_)
        | Filter::Label(_)
        | Filter::Def(_)
        | Filter::Use(_)
        | Filter::StatementType(_)
        | Filter::Expression(_)
        | Filter::Regexp(_)
        | Filter::Edge(_)
        | Filter::Node(_) => return None,
    }
    Some(found)
}

fn entry(graph: &Graph, edge: &Edge) -> Option<crate::graph::NodeId> {
    edge.function.and_then(|function| graph.function(function).body).map(|(entry, _)| entry)
}

/// The edges with which a function is left: returns, edges to its exit, and edges behind which its graph ends.
fn leaving(graph: &Graph) -> BitSet {
    let mut continues = graph.no_nodes();
    continues.extend(graph.edges.iter().map(|edge| edge.from.0));
    let mut found = graph.no_edges();
    for (at, edge) in graph.edges.iter().enumerate() {
        if edge.returns || edge.stops || !continues.contains(edge.to.0) {
            found.insert(at as u32);
        }
    }
    found
}

/// Whether a file is meant: by its whole name, or by the end of it behind a slash.
fn same_file(file: &str, name: &str) -> bool {
    let tail =
        |long: &str, short: &str| long.strip_suffix(short).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'));
    !name.is_empty() && (tail(file, name) || tail(name, file))
}

fn squeezed(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// Checks that what a filter names is in the program.
fn known(graph: &Graph, filter: &Filter, span: Span) -> Result<(), Box<Diagnostic>> {
    let functions = || graph.functions.iter().map(|function| function.name.as_str());
    let bodies =
        || graph.functions.iter().filter(|function| function.body.is_some()).map(|function| function.name.as_str());
    match filter {
        Filter::Func(name) | Filter::Entry(name) | Filter::Exit(name) => {
            if functions().any(|known| known == name) && !bodies().any(|known| known == name) {
                let message = format!("the function `{name}` has no body in the program");
                let help = format!("Its calls are `@CALL({name})`.");
                return Err(Diagnostic::error(&UNKNOWN_NAME, span, message).help(help).into());
            }
            check(filter, "function", name, bodies(), span)
        }
        Filter::Call(name) => check(filter, "function", name, functions(), span),
        Filter::Label(name) => {
            let labels = || graph.edges.iter().flat_map(|edge| &edge.labels).map(String::as_str);
            check(filter, "label", name, labels(), span)
        }
        Filter::Def(name) | Filter::Use(name) => {
            check(filter, "variable", name, graph.variables.iter().map(|variable| variable.name.as_str()), span)
        }
        Filter::File(name) => {
            if graph.files.iter().any(|file| same_file(file, name)) {
                return Ok(());
            }
            check(filter, "file", name, graph.files.iter().map(String::as_str), span)
        }
        Filter::Edge(numbers) => in_range(numbers, graph.edges.len(), "edge", span),
        Filter::Node(numbers) => in_range(numbers, graph.nodes.len(), "node", span),
        Filter::BasicBlockEntry
        | Filter::ConditionEdge
        | Filter::ConditionGraph
        | Filter::DecisionEdge
        | Filter::Calls
        | Filter::Line(_)
        | Filter::Column(_)
        | Filter::StatementType(_)
        | Filter::Expression(_)
        | Filter::Regexp(_) => Ok(()),
    }
}

fn check<'a>(
    filter: &Filter,
    what: &str,
    name: &str,
    names: impl Iterator<Item = &'a str> + Clone,
    span: Span,
) -> Result<(), Box<Diagnostic>> {
    if names.clone().any(|known| known == name) {
        return Ok(());
    }
    let message = format!("unknown {what} `{name}` in the program");
    let wrong =
        Diagnostic::error(&UNKNOWN_NAME, span, message).label(format!("{} finds nothing", print_filter(filter)));
    Err(match nearest(name, names) {
        Some(near) => wrong.help(format!("Did you mean `{near}`?")),
        None => wrong,
    }
    .into())
}

fn in_range(numbers: &[u32], count: usize, what: &str, span: Span) -> Result<(), Box<Diagnostic>> {
    match numbers.iter().find(|number| count <= **number as usize) {
        None => Ok(()),
        Some(number) => {
            let message = format!("unknown {what} {number} in the program");
            Err(Diagnostic::error(&UNKNOWN_NAME, span, message).help(format!("It has {count}, counted from 0.")).into())
        }
    }
}
