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
    /// Every path of the program that passes no node more than `k` times.
    Path(u32),
}

impl Criterion {
    /// The names, as shown in help.
    pub const NAMES: &'static str = "block, branch, condition, decision, mcdc, mcc, def-use, path-1, path-2, …";

    /// The criterion of a name.
    pub fn from_name(name: &str) -> Option<Criterion> {
        match name {
            "block" => Some(Criterion::Block),
            "branch" => Some(Criterion::Branch),
            "condition" => Some(Criterion::Condition),
            "decision" => Some(Criterion::Decision),
            "mcdc" => Some(Criterion::Mcdc),
            "mcc" => Some(Criterion::MultipleCondition),
            "def-use" => Some(Criterion::DefUse),
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
            Criterion::Branch => Some(cover(graph, "@DECISIONEDGE & @STMTTYPE(if,for,while,do,switch,?:)")),
            Criterion::Condition => Some(cover(graph, "@CONDITIONEDGE")),
            Criterion::Decision => Some(cover(graph, "@DECISIONEDGE")),
            Criterion::MultipleCondition => Mcdc::new(graph)?.all_evaluations(graph),
            Criterion::Path(bound) => Some(format!("cover PATHS(ID,{bound})")),
            Criterion::DefUse => def_use(graph),
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
            Criterion::Path(bound) => write!(f, "path-{bound}"),
        }
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
fn def_use(graph: &Graph) -> Option<String> {
    let entered = graph.entered();
    let terms: Vec<String> = graph
        .variables
        .iter()
        .filter(|variable| variable.function.is_none_or(|function| entered[function.0 as usize]))
        .filter(|variable| both(graph, variable))
        .map(|variable| {
            let define = filter(graph, Filter::Def(variable.name.clone()), variable.function);
            let read = filter(graph, Filter::Use(variable.name.clone()), variable.function);
            format!("({define}).\"NOT({define})*\".({read})")
        })
        .collect();
    (!terms.is_empty()).then(|| format!("cover {}", terms.join(" + ")))
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
