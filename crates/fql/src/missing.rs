//! What is missing, as a query: its goals are exactly the goals that no run has covered.

use std::collections::BTreeMap;

use crate::bits::BitSet;
use crate::describe::ANYTHING;
use crate::goals::Letter;
use crate::graph::{EdgeId, Graph};
use crate::meter::Meter;
use crate::print::{print, print_expression};

/// The goals that are not covered: their numbers, as many as asked for, and how many there are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Missing {
    /// The numbers of the first of them.
    pub goals: Vec<u128>,
    /// How many there are; none if that is not known.
    pub count: Option<u128>,
}

/// The goals that are not covered.
pub fn missing(meter: &Meter<'_>, most: usize) -> Missing {
    let goals = &meter.spec().goals;
    let count = goals.count().zip(meter.covered_count()).map(|(all, covered)| all - covered);
    let mut found = Vec::new();
    for (index, goal) in goals.iter().enumerate() {
        if most <= found.len() || count == Some(found.len() as u128) {
            break;
        }
        if !meter.is_covered(&goal) {
            found.push(index as u128);
        }
    }
    Missing { goals: found, count }
}

/// The query for a list of goals; its goals are these and no others. None if there are none.
pub fn query_for(graph: &Graph, meter: &Meter<'_>, goals: &[u128]) -> Option<String> {
    let spec = meter.spec();
    let mut rows: Vec<Row> = goals.iter().filter_map(|index| spec.goals.get(*index)).map(row).collect();
    if rows.is_empty() {
        return None;
    }
    let longest = rows.iter().map(Vec::len).max().unwrap_or_default();
    for position in (0..longest).rev() {
        rows = merge(rows, position);
    }
    let anything = spec.quotes.iter().position(|text| text == ANYTHING).map(|at| Letter::Quote(at as u32));
    let open = |row: &Row| {
        let is = |letters: Option<&Vec<Letter>>| anything.is_some_and(|any| letters == Some(&vec![any]));
        3 <= row.len() && is(row.first()) && is(row.last())
    };
    let anchored = !rows.iter().all(open);
    let terms: Vec<String> = rows
        .iter()
        .map(|row| {
            if anchored {
                term(graph, meter, row, anything)
            } else {
                term(graph, meter, &row[1..row.len() - 1], anything)
            }
        })
        .collect();
    let cover = if terms.len() == 1 { terms[0].clone() } else { terms.join(" + ") };
    let cover = match (anchored, terms.len()) {
        (false, _) => cover,
        (true, 1) => format!("^{cover}$"),
        (true, _) => format!("^({cover})$"),
    };
    let passing = if spec.passes_everything() {
        String::new()
    } else {
        let normal = spec.normal.to_query();
        let clause = normal.passing.expect("a normal form has a passing clause");
        format!(" passing ^{}$", wrapped(&print_expression(&normal, clause.pattern)))
    };
    let text = format!("cover {cover}{passing}");
    Some(crate::parse::parse(&text).map_or(text, |query| print(&query)))
}

/// The letters that may stand at each position.
type Row = Vec<Vec<Letter>>;

fn row(goal: Vec<Letter>) -> Row {
    goal.into_iter().map(|letter| vec![letter]).collect()
}

/// Joins rows that differ at one position only, if edges or nodes stand there.
fn merge(rows: Vec<Row>, position: usize) -> Vec<Row> {
    let mut groups: BTreeMap<(Row, u8), (usize, Vec<Letter>)> = BTreeMap::new();
    let mut kept: Vec<(usize, Row)> = Vec::new();
    for (at, row) in rows.into_iter().enumerate() {
        let kind = row.get(position).and_then(|letters| letters.first()).map_or(0, |letter| match letter {
            Letter::Edge(_) => 1,
            Letter::Node(_) => 2,
            Letter::Predicate(_) | Letter::Quote(_) => 0,
        });
        if kind == 0 {
            kept.push((at, row));
            continue;
        }
        let mut others = row;
        let letters = std::mem::take(&mut others[position]);
        groups.entry((others, kind)).or_insert((at, Vec::new())).1.extend(letters);
    }
    for ((mut row, _), (at, mut letters)) in groups {
        letters.sort_unstable();
        letters.dedup();
        row[position] = letters;
        kept.push((at, row));
    }
    kept.sort_by_key(|(at, _)| *at);
    kept.into_iter().map(|(_, row)| row).collect()
}

fn term(graph: &Graph, meter: &Meter<'_>, row: &[Vec<Letter>], anything: Option<Letter>) -> String {
    let spec = meter.spec();
    if row.is_empty() {
        return "ID==0".into();
    }
    let mut text = String::new();
    let mut arrow = false;
    for (at, letters) in row.iter().enumerate() {
        let inner = 0 < at && at + 1 < row.len();
        if inner && anything.is_some_and(|any| letters[..] == [any]) && !arrow {
            arrow = true;
            continue;
        }
        if 0 < at {
            text.push_str(if arrow { " -> " } else { "." });
        }
        arrow = false;
        text.push_str(&match letters[0] {
            Letter::Quote(quote) => format!("\"{}\"", spec.quotes[quote as usize]),
            Letter::Predicate(predicate) => format!("{{{}}}", spec.predicates[predicate as usize]),
            Letter::Node(_) => {
                let numbers: Vec<String> = letters.iter().filter_map(node_number).collect();
                format!("NODES(@NODE({}))", numbers.join(","))
            }
            Letter::Edge(_) => {
                let edge = |letter: &Letter| match letter {
                    Letter::Edge(edge) => Some(*edge),
                    Letter::Node(_) | Letter::Predicate(_) | Letter::Quote(_) => None,
                };
                wrapped(&name(graph, &letters.iter().filter_map(edge).collect::<Vec<_>>()))
            }
        });
    }
    text
}

fn node_number(letter: &Letter) -> Option<String> {
    match letter {
        Letter::Node(node) => Some(node.0.to_string()),
        Letter::Edge(_) | Letter::Predicate(_) | Letter::Quote(_) => None,
    }
}

fn wrapped(text: &str) -> String {
    format!("({text})")
}

/// A filter expression that finds exactly these edges, readable if there is one.
fn name(graph: &Graph, edges: &[EdgeId]) -> String {
    let mut wanted = graph.no_edges();
    wanted.extend(edges.iter().map(|edge| edge.0));
    let whole = whole_filters(graph, &wanted);
    if let Some(text) = whole {
        return text;
    }
    let mut parts: Vec<String> = Vec::new();
    let mut rest: Vec<String> = Vec::new();
    let mut done = graph.no_edges();
    for edge in edges {
        if done.contains(edge.0) {
            continue;
        }
        match line_filter(graph, *edge, &wanted) {
            Some((text, found)) => {
                done = done.union(&found);
                parts.push(text);
            }
            None => rest.push(edge.0.to_string()),
        }
    }
    if !rest.is_empty() {
        parts.push(format!("@EDGE({})", rest.join(",")));
    }
    parts.join(" | ")
}

type Keep = fn(&crate::graph::Edge) -> bool;

const FILTERS: [(&str, Keep); 4] = [
    ("@CONDITIONEDGE", |edge| edge.condition.is_some()),
    ("@DECISIONEDGE", |edge| edge.outcome.is_some()),
    ("@BASICBLOCKENTRY", |edge| edge.block_entry),
    ("ID", |_| true),
];

/// One of the usual filters, of the whole program or of one function, if it finds just these edges.
fn whole_filters(graph: &Graph, wanted: &BitSet) -> Option<String> {
    let first = wanted.iter().next()?;
    let function = graph.edge(EdgeId(first)).function;
    for (text, keep) in FILTERS {
        if select(graph, keep) == *wanted {
            return Some(text.into());
        }
        let name = function.map(|function| graph.function(function).name.as_str());
        let same = |edge: &crate::graph::Edge| {
            keep(edge) && edge.function.map(|function| graph.function(function).name.as_str()) == name
        };
        if name.is_some() && select(graph, same) == *wanted {
            return name.map(|name| match text {
                "ID" => format!("@FUNC({name})"),
                _ => format!("{text} & @FUNC({name})"),
            });
        }
    }
    None
}

/// The edges of a line, all or those of a kind, if all of them are wanted.
fn line_filter(graph: &Graph, edge: EdgeId, wanted: &BitSet) -> Option<(String, BitSet)> {
    let own = graph.edge(edge);
    if own.line == 0 {
        return None;
    }
    let elsewhere = graph.edges.iter().any(|edge| edge.file != own.file && edge.line == own.line);
    let file = match own.file.filter(|_| elsewhere) {
        None => String::new(),
        Some(file) => format!("@FILE('{}') & ", graph.files[file as usize]),
    };
    let one_file = file.is_empty();
    let here = |other: &crate::graph::Edge| other.line == own.line && (one_file || other.file == own.file);
    let all = select(graph, here);
    if all.is_subset(wanted) {
        return Some((format!("{file}@LINE({})", own.line), all));
    }
    for (text, keep) in &FILTERS[..3] {
        let some = select(graph, |other| here(other) && keep(other));
        if some.contains(edge.0) && some.is_subset(wanted) {
            return Some((format!("{file}@LINE({}) & {text}", own.line), some));
        }
    }
    None
}

fn select(graph: &Graph, keep: impl Fn(&crate::graph::Edge) -> bool) -> BitSet {
    let mut found = graph.no_edges();
    let numbered = graph.edges.iter().enumerate();
    found.extend(numbered.filter(|(_, edge)| keep(edge)).map(|(at, _)| at as u32));
    found
}
