//! Filter expressions to target graphs, each expression once for every part of the graph it is asked about.

use rustc_hash::FxHashMap;
use source::Diagnostic;

use crate::codes::EMPTY_TARGET;
use crate::filter::apply;
use crate::graph::Graph;
use crate::normal::{Normal, Transformer, TransformerId};
use crate::target::TargetGraph;

/// Evaluates the filter expressions of one query on one graph.
pub(crate) struct Evaluator<'a> {
    graph: &'a Graph,
    normal: &'a Normal,
    graphs: Vec<TargetGraph>,
    ids: FxHashMap<TargetGraph, usize>,
    found: FxHashMap<(TransformerId, usize), usize>,
    /// Warnings about expressions that find nothing.
    pub(crate) warnings: Vec<Diagnostic>,
}

impl<'a> Evaluator<'a> {
    pub(crate) fn new(graph: &'a Graph, normal: &'a Normal) -> Evaluator<'a> {
        let mut evaluator = Evaluator {
            graph,
            normal,
            graphs: Vec::new(),
            ids: FxHashMap::default(),
            found: FxHashMap::default(),
            warnings: Vec::new(),
        };
        evaluator.intern(TargetGraph::whole(graph));
        evaluator
    }

    /// What an expression finds in the whole graph, with a warning if that is nothing.
    pub(crate) fn evaluate(&mut self, root: TransformerId) -> Result<TargetGraph, Box<Diagnostic>> {
        let seen = self.found.contains_key(&(root, 0));
        let id = self.run(root)?;
        if !seen && self.graphs[id].is_empty() {
            let text = self.normal.filter_text(root);
            let message = format!("Filter expression {text} evaluates to empty target graph");
            self.warnings.push(Diagnostic::warning(&EMPTY_TARGET, self.normal.place(root), message));
        }
        Ok(self.graphs[id].clone())
    }

    /// How many evaluations there were.
    pub(crate) fn evaluations(&self) -> usize {
        self.found.len()
    }

    fn run(&mut self, root: TransformerId) -> Result<usize, Box<Diagnostic>> {
        let mut tasks = vec![(root, 0)];
        while let Some(&(id, base)) = tasks.last() {
            if self.found.contains_key(&(id, base)) {
                tasks.pop();
                continue;
            }
            let done = |pair: (TransformerId, usize)| self.found.get(&pair).copied();
            let operands = match self.normal.filter(id) {
                Transformer::Union(left, right)
                | Transformer::Intersection(left, right)
                | Transformer::Minus(left, right) => Some((*left, *right)),
                Transformer::Identity | Transformer::Filter(_) | Transformer::Compose(..) => None,
            };
            let result = if let Some((left, right)) = operands {
                let (Some(one), Some(other)) = (done((left, base)), done((right, base))) else {
                    tasks.extend([(right, base), (left, base)]);
                    continue;
                };
                let (one, other) = (&self.graphs[one], &self.graphs[other]);
                let graph = match self.normal.filter(id) {
                    Transformer::Union(..) => one.union(other),
                    Transformer::Intersection(..) => one.intersection(other),
                    _ => one.minus(other, self.graph),
                };
                self.intern(graph)
            } else {
                match self.normal.filter(id) {
                    Transformer::Compose(left, right) => {
                        let Some(inner) = done((*right, base)) else {
                            tasks.push((*right, base));
                            continue;
                        };
                        let Some(outer) = done((*left, inner)) else {
                            tasks.push((*left, inner));
                            continue;
                        };
                        outer
                    }
                    Transformer::Filter(filter) => {
                        let found = apply(self.graph, filter, &self.graphs[base], self.normal.place(id))?;
                        self.intern(found)
                    }
                    Transformer::Identity
                    | Transformer::Union(..)
                    | Transformer::Intersection(..)
                    | Transformer::Minus(..) => base,
                }
            };
            self.found.insert((id, base), result);
            tasks.pop();
        }
        Ok(self.found[&(root, 0)])
    }

    fn intern(&mut self, graph: TargetGraph) -> usize {
        if let Some(id) = self.ids.get(&graph) {
            return *id;
        }
        let id = self.graphs.len();
        self.ids.insert(graph.clone(), id);
        self.graphs.push(graph);
        id
    }
}
