//! Criteria by name: each is a query, except MC/DC, which asks for pairs of tests.

use std::fmt;

use source::Diagnostic;

use crate::ast::Filter;
use crate::graph::{FunctionId, Graph, Variable};
use crate::mcdc::Mcdc;
use crate::print::print_filter;

/// A coverage criterion with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Criterion {
    /// Every basic block.
    Block,
    /// Both ways out of every `if`, loop and `?:`, and every case of a `switch`.
    Branch,
    /// Every condition true and false.
    Condition,
    /// Every decision with every outcome, Boolean expressions outside statements included.
    Decision,
    /// Every condition shown to decide its decision on its own.
    Mcdc,
    /// Every way to evaluate a decision.
    MultipleCondition,
    /// Every definition of a variable with every use that it reaches.
    DefUse,
    /// Every definition of a variable with some use that it reaches.
    AllDefs,
    /// Every edge, with every combination of what the conditions of the program are before it and behind it.
    PredicateComplete,
    /// Every path of the program that passes no node more than `k` times.
    Path(u32),
}

impl Criterion {
    /// The names, as shown in help.
    pub const NAMES: &'static str = "block, branch, condition, decision, mcdc, mcc, all-defs, all-uses, def-use, predicate-complete, path-1, path-2, …";

    /// The criterion of a name.
    pub fn from_name(name: &str) -> Option<Criterion> {
        match name {
            "block" => Some(Criterion::Block),
            "branch" => Some(Criterion::Branch),
            "condition" => Some(Criterion::Condition),
            "decision" => Some(Criterion::Decision),
            "mcdc" => Some(Criterion::Mcdc),
            "mcc" => Some(Criterion::MultipleCondition),
            "def-use" | "all-uses" => Some(Criterion::DefUse),
            "all-defs" => Some(Criterion::AllDefs),
            "predicate-complete" => Some(Criterion::PredicateComplete),
            _ => {
                let bound = name.strip_prefix("path-")?.parse().ok()?;
                (1 <= bound).then_some(Criterion::Path(bound))
            }
        }
    }

    /// The query that means the criterion on the functions that runs can enter; none for MC/DC and where there is nothing to
    /// cover. A function that is never called has no goals: it would only add goals that nothing can cover.
    ///
    /// # Errors
    /// When a decision can be evaluated in too many ways.
    pub fn query(self, graph: &Graph) -> Result<Option<String>, Box<Diagnostic>> {
        Ok(match self {
            Criterion::Block => Some(cover(graph, "@BASICBLOCKENTRY")),
            Criterion::Branch => Some(cover_or_enter(graph, "@DECISIONEDGE & @STMTTYPE(if,for,while,do,switch,?:)")),
            Criterion::Condition => Some(cover_or_enter(graph, "@CONDITIONEDGE")),
            Criterion::Decision => Some(cover_or_enter(graph, "@DECISIONEDGE")),
            Criterion::MultipleCondition => Mcdc::new(graph)?.all_evaluations(graph),
            Criterion::Path(bound) => Some(format!("cover PATHS(ID,{bound})")),
            Criterion::DefUse => def_use(graph, |define, read| format!("({define}).\"NOT({define})*\".({read})")),
            Criterion::AllDefs => def_use(graph, |define, read| format!("({define}).\"NOT({define})*.({read})\"")),
            Criterion::PredicateComplete => predicate_complete(graph)?,
            Criterion::Mcdc => None,
        })
    }
}

impl fmt::Display for Criterion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Criterion::Block => f.write_str("block"),
            Criterion::Branch => f.write_str("branch"),
            Criterion::Condition => f.write_str("condition"),
            Criterion::Decision => f.write_str("decision"),
            Criterion::Mcdc => f.write_str("mcdc"),
            Criterion::MultipleCondition => f.write_str("mcc"),
            Criterion::DefUse => f.write_str("def-use"),
            Criterion::AllDefs => f.write_str("all-defs"),
            Criterion::PredicateComplete => f.write_str("predicate-complete"),
            Criterion::Path(bound) => write!(f, "path-{bound}"),
        }
    }
}

/// The same for filters of decisions: where there are none, the function where runs start is entered.
fn cover_or_enter(graph: &Graph, filter: &str) -> String {
    let query = cover(graph, filter);
    let parsed = crate::parse(&query).ok();
    let count = parsed.and_then(|query| crate::evaluate(&query, graph).ok()).and_then(|(spec, _)| spec.goals.count());
    let start = graph.initial.iter().find_map(|node| graph.nodes[node.0 as usize].function);
    match start {
        Some(start) if count == Some(0) => format!("cover @ENTRY({})", graph.function(start).name),
        Some(_) | None => query,
    }
}

/// The query for the edges of a filter in the functions that runs can enter.
fn cover(graph: &Graph, filter: &str) -> String {
    let entered = graph.entered();
    let bodies = || graph.functions.iter().zip(&entered).filter(|(function, _)| function.body.is_some());
    if bodies().all(|(_, entered)| *entered) {
        return format!("cover {filter}");
    }
    let names: Vec<String> =
        bodies().filter(|(_, entered)| **entered).map(|(function, _)| format!("@FUNC({})", function.name)).collect();
    format!("cover {filter} & ({})", names.join(" | "))
}

/// The pairs of definitions and uses of every variable; those of a local variable within its function.
fn def_use(graph: &Graph, term: impl Fn(&str, &str) -> String) -> Option<String> {
    let entered = graph.entered();
    let terms: Vec<String> = graph
        .variables
        .iter()
        .filter(|variable| variable.function.is_none_or(|function| entered[function.0 as usize]))
        .filter(|variable| both(graph, variable))
        .map(|variable| {
            let define = filter(graph, Filter::Def(variable.name.clone()), variable.function);
            let read = filter(graph, Filter::Use(variable.name.clone()), variable.function);
            term(&define, &read)
        })
        .collect();
    (!terms.is_empty()).then(|| format!("cover {}", terms.join(" + ")))
}

/// The most predicates: there are as many goals as edges, times four for each predicate.
const MOST_PREDICATES: usize = 8;

/// The conditions of the functions that runs can enter, true or false before every edge and behind it. Conditions that change
/// something or call a function are not predicates.
fn predicate_complete(graph: &Graph) -> Result<Option<String>, Box<Diagnostic>> {
    let entered = graph.entered();
    let mut predicates: Vec<&str> = Vec::new();
    for decision in &graph.decisions {
        let function = graph.nodes.get(decision.entry.0 as usize).and_then(|node| node.function);
        if function.is_some_and(|function| !entered[function.0 as usize]) {
            continue;
        }
        let pure = |text: &&str| !text.is_empty() && !changes(text) && !text.contains(['{', '}', ';', '"', '\'']);
        for text in decision.conditions.iter().map(String::as_str).filter(pure) {
            if !predicates.contains(&text) {
                predicates.push(text);
            }
        }
    }
    if predicates.is_empty() {
        return Ok(None);
    }
    if MOST_PREDICATES < predicates.len() {
        let message = format!(
            "the program has {} conditions; predicate-complete takes at most {MOST_PREDICATES}",
            predicates.len()
        );
        return Err(Diagnostic::error(&crate::codes::TOO_LARGE, source::Span::default(), message).into());
    }
    let both: Vec<String> = predicates.iter().map(|text| format!("({{{text}}}+{{!({text})}})")).collect();
    let both = both.join(".");
    Ok(Some(format!("cover {both}.EDGES(ID).{both}")))
}

/// Whether the text of a condition may change something: it assigns, steps or calls.
fn changes(text: &str) -> bool {
    let bytes = text.as_bytes();
    let assigns = (0..bytes.len()).any(|at| {
        let before = at.checked_sub(1).map(|at| bytes[at]);
        bytes[at] == b'=' && bytes.get(at + 1) != Some(&b'=') && !matches!(before, Some(b'=' | b'!' | b'<' | b'>'))
            || bytes[at..].starts_with(b"<<=")
            || bytes[at..].starts_with(b">>=")
    });
    let calls = bytes
        .windows(2)
        .any(|pair| pair[1] == b'(' && (pair[0].is_ascii_alphanumeric() || matches!(pair[0], b'_' | b')' | b']')));
    assigns || calls || text.contains("++") || text.contains("--")
}

fn filter(graph: &Graph, filter: Filter, function: Option<FunctionId>) -> String {
    match function {
        None => print_filter(&filter),
        Some(function) => format!("{} & @FUNC({})", print_filter(&filter), graph.function(function).name),
    }
}

/// Whether a variable is both assigned and read.
fn both(graph: &Graph, variable: &Variable) -> bool {
    let here = |function: Option<FunctionId>| variable.function.is_none() || function == variable.function;
    let edges = || graph.edges.iter().filter(|edge| here(edge.function));
    edges().any(|edge| edge.defines.contains(&variable.name)) && edges().any(|edge| edge.uses.contains(&variable.name))
}
