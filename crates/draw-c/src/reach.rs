//! What executions may still do that are not followed to their end: the edges that control flow leads to from where they are.
//!
//! An execution that is cut may meet a goal later. Where no path leads from the place of the cut to the goal's edges, it cannot,
//! whatever it computes; such cuts do not stand in the way of a proof.

use c::Program;
use c::program::{Callee, EdgeId, NodeId, Operation};
use fql::bits::BitSet;
use rustc_hash::FxHashMap;
use smt::Term;

use super::CSubject;
use super::build::Build;
use super::trace::Trace;

/// From at most this many nodes it is looked where control flow leads.
const MOST_NODES: usize = 1_000;

/// Cuts, in groups from which control flow leads to the same edges.
pub(super) struct Continuations {
    groups: Vec<Group>,
}

struct Group {
    /// The edges as queries number them; none for all.
    edges: Option<BitSet>,
    /// When an execution is cut so.
    guard: Term,
}

impl Continuations {
    pub(super) fn new(build: &mut Build<'_>, subject: &CSubject, trace: &Trace) -> Continuations {
        let mut search = Search { subject, known: FxHashMap::default() };
        // The group of each list of nodes, and the guards of each group.
        let mut places: FxHashMap<&[NodeId], usize> = FxHashMap::default();
        let mut found: Vec<(Option<BitSet>, Vec<Term>)> = Vec::new();
        for cut in &trace.cuts {
            let at = *places.entry(&cut.nodes).or_insert_with(|| {
                let edges = search.behind_any(&cut.nodes);
                found.iter().position(|(other, _)| *other == edges).unwrap_or_else(|| {
                    found.push((edges, Vec::new()));
                    found.len() - 1
                })
            });
            found[at].1.push(cut.guard);
        }
        let groups = found.into_iter().map(|(edges, guards)| Group { edges, guard: build.any(&guards) });
        Continuations { groups: groups.collect() }
    }

    /// When an execution is cut that may take one of these edges later.
    pub(super) fn taking(&self, build: &mut Build<'_>, letters: &BitSet) -> Term {
        let takes = |group: &&Group| group.edges.as_ref().is_none_or(|edges| !edges.intersection(letters).is_empty());
        let guards: Vec<Term> = self.groups.iter().filter(takes).map(|group| group.guard).collect();
        build.any(&guards)
    }
}

/// Follows control flow.
struct Search<'a> {
    subject: &'a CSubject,
    known: FxHashMap<NodeId, BitSet>,
}

impl Search<'_> {
    /// The edges that control flow leads to from some of the nodes; none if that is not known.
    fn behind_any(&mut self, nodes: &[NodeId]) -> Option<BitSet> {
        if nodes.is_empty() {
            return None;
        }
        let mut all = BitSet::new(self.subject.edge_count());
        for &node in nodes {
            if !self.known.contains_key(&node) {
                if MOST_NODES <= self.known.len() {
                    return None;
                }
                let edges = self.behind(node);
                self.known.insert(node, edges);
            }
            all = all.union(&self.known[&node]);
        }
        Some(all)
    }

    /// The edges that control flow leads to from a node before the node's function returns.
    fn behind(&self, start: NodeId) -> BitSet {
        let program = &self.subject.translation.program;
        let mut edges = BitSet::new(self.subject.edge_count());
        let mut seen = vec![false; program.nodes.len()];
        let mut open = vec![start];
        while let Some(node) = open.pop() {
            if std::mem::replace(&mut seen[node.0 as usize], true) {
                continue;
            }
            for &edge in &program.node(node).out {
                self.letters(program, edge, &mut edges, &mut open);
                open.push(program.edge(edge).to);
            }
        }
        edges
    }

    /// The numbers of an edge for queries, and the functions it enters.
    fn letters(&self, program: &Program, edge: EdgeId, edges: &mut BitSet, open: &mut Vec<NodeId>) {
        let own = !program.is_library(edge);
        let mut insert = |callee| {
            let letter = self.subject.graph.edge(edge, callee).0;
            if own && (letter as usize) < self.subject.edge_count() {
                edges.insert(letter);
            }
        };
        insert(None);
        let Operation::Call { callee, .. } = &program.edge(edge).operation else { return };
        let targets = match callee {
            Callee::Function(function) => std::slice::from_ref(function),
            Callee::Pointer { targets, .. } => targets.as_slice(),
        };
        for &function in targets {
            insert(Some(function));
            open.extend(program.function(function).body.as_ref().map(|body| body.entry));
        }
    }
}
