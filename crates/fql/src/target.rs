//! Target graphs: parts of a program's graph that filter expressions find.

use rustc_hash::FxHashMap;

use crate::bits::BitSet;
use crate::graph::{EdgeId, FunctionId, Graph};

/// A part of a graph: nodes, edges between them, and the nodes where paths may begin.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TargetGraph {
    /// The nodes.
    pub nodes: BitSet,
    /// The edges.
    pub edges: BitSet,
    /// Where paths begin.
    pub initial: BitSet,
}

impl TargetGraph {
    /// The whole graph: all that runs can enter. Of a function that is never called nothing could be covered.
    pub fn whole(graph: &Graph) -> TargetGraph {
        let mut initial = graph.no_nodes();
        initial.extend(graph.initial.iter().map(|node| node.0));
        let entered = graph.entered();
        let starts = graph.initial.iter().any(|node| graph.nodes[node.0 as usize].function.is_some());
        let is_own = |function: Option<FunctionId>| !starts || function.is_none_or(|one| entered[one.0 as usize]);
        let (mut nodes, mut edges) = (graph.no_nodes(), graph.no_edges());
        nodes.extend((0u32..).zip(&graph.nodes).filter(|(_, node)| is_own(node.function)).map(|(at, _)| at));
        edges.extend((0u32..).zip(&graph.edges).filter(|(_, edge)| is_own(edge.function)).map(|(at, _)| at));
        TargetGraph { nodes, edges, initial }
    }

    /// The graph of these edges and their ends. Paths begin where an edge begins and none of them ends; in a part that is
    /// only cycles they begin where any edge begins.
    pub fn of_edges(graph: &Graph, edges: BitSet) -> TargetGraph {
        let mut nodes = graph.no_nodes();
        let mut starts = graph.no_nodes();
        let mut ends = graph.no_nodes();
        let mut out: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for id in edges.iter() {
            let edge = graph.edge(EdgeId(id));
            nodes.insert(edge.from.0);
            nodes.insert(edge.to.0);
            starts.insert(edge.from.0);
            ends.insert(edge.to.0);
            out.entry(edge.from.0).or_default().push(edge.to.0);
        }
        let mut initial = starts.difference(&ends);
        let mut reached = initial.clone();
        let mut open: Vec<u32> = initial.iter().collect();
        while let Some(node) = open.pop() {
            open.extend(out.get(&node).into_iter().flatten().copied().filter(|to| reached.insert(*to)));
        }
        initial.extend(starts.difference(&reached).iter());
        TargetGraph { nodes, edges, initial }
    }

    /// What either graph has.
    #[must_use]
    pub fn union(&self, other: &TargetGraph) -> TargetGraph {
        TargetGraph {
            nodes: self.nodes.union(&other.nodes),
            edges: self.edges.union(&other.edges),
            initial: self.initial.union(&other.initial),
        }
    }

    /// What both graphs have.
    #[must_use]
    pub fn intersection(&self, other: &TargetGraph) -> TargetGraph {
        TargetGraph {
            nodes: self.nodes.intersection(&other.nodes),
            edges: self.edges.intersection(&other.edges),
            initial: self.initial.intersection(&other.initial),
        }
    }

    /// What the other graph does not have, and the ends of the edges that are left.
    #[must_use]
    pub fn minus(&self, other: &TargetGraph, graph: &Graph) -> TargetGraph {
        let edges = self.edges.difference(&other.edges);
        let nodes = self.nodes.difference(&other.nodes).union(&TargetGraph::of_edges(graph, edges.clone()).nodes);
        let initial = self.initial.intersection(&nodes);
        TargetGraph { nodes, edges, initial }
    }

    /// Whether it has no node.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }
}
