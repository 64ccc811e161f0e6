//! Bounded paths of a target graph: maximal sequences of edges that pass every node at most `k` times.
//!
//! Paths go into callees and come back from them, as runs do. In a graph without cycles the bound cuts nothing, and the
//! automaton is the graph itself, however many paths there are; otherwise the paths are listed.

use rustc_hash::FxHashMap;

use crate::graph::{EdgeId, Graph, NodeId};
use crate::target::TargetGraph;

/// The most states of the tree of paths.
const MOST: usize = 1_000_000;

/// An automaton whose words are the paths.
#[derive(Clone, Debug, Default)]
pub(crate) struct PathAutomaton {
    pub(crate) states: u32,
    pub(crate) initial: Vec<u32>,
    pub(crate) accepting: Vec<u32>,
    pub(crate) moves: Vec<(u32, EdgeId, u32)>,
}

/// The paths of a graph; none if there are too many to list.
pub(crate) fn paths(graph: &Graph, target: &TargetGraph, bound: u32) -> Option<PathAutomaton> {
    let view = View::new(graph, target);
    if view.is_acyclic() { Some(view.whole()) } else { view.tree(bound) }
}

/// The part of a graph in which paths run. A move without an edge comes back from a callee.
struct View {
    nodes: usize,
    initial: Vec<NodeId>,
    out: FxHashMap<NodeId, Vec<(Option<EdgeId>, NodeId)>>,
}

impl View {
    fn new(graph: &Graph, target: &TargetGraph) -> View {
        let mut out: FxHashMap<NodeId, Vec<(Option<EdgeId>, NodeId)>> = FxHashMap::default();
        for id in target.edges.iter().map(EdgeId) {
            out.entry(graph.edge(id).from).or_default().push((Some(id), graph.after(id)));
        }
        for (exit, behind) in graph.returns() {
            if target.nodes.contains(exit.0) && target.nodes.contains(behind.0) {
                out.entry(exit).or_default().push((None, behind));
            }
        }
        View { nodes: graph.nodes.len(), initial: target.initial.iter().map(NodeId).collect(), out }
    }

    fn moves(&self, node: NodeId) -> &[(Option<EdgeId>, NodeId)] {
        self.out.get(&node).map_or(&[], Vec::as_slice)
    }

    /// Whether no cycle can be reached from where paths begin.
    fn is_acyclic(&self) -> bool {
        let mut state = vec![0u8; self.nodes];
        for start in &self.initial {
            let mut stack = vec![(*start, 0)];
            if state[start.0 as usize] == 2 {
                continue;
            }
            state[start.0 as usize] = 1;
            while let Some((node, next)) = stack.last_mut() {
                match self.moves(*node).get(*next) {
                    Some((_, to)) => {
                        *next += 1;
                        match state[to.0 as usize] {
                            0 => {
                                state[to.0 as usize] = 1;
                                stack.push((*to, 0));
                            }
                            1 => return false,
                            _ => {}
                        }
                    }
                    None => {
                        state[node.0 as usize] = 2;
                        stack.pop();
                    }
                }
            }
        }
        true
    }

    /// The automaton whose states are nodes, twice: before and behind the first edge, because a path has one.
    fn whole(&self) -> PathAutomaton {
        let mut automaton = PathAutomaton::default();
        let mut ids: FxHashMap<(NodeId, bool), u32> = FxHashMap::default();
        let mut open: Vec<(NodeId, bool)> = Vec::new();
        let mut id = |place: (NodeId, bool), open: &mut Vec<(NodeId, bool)>| {
            let fresh = ids.len() as u32;
            *ids.entry(place).or_insert_with(|| {
                open.push(place);
                fresh
            })
        };
        for node in &self.initial {
            automaton.initial.push(id((*node, false), &mut open));
        }
        while let Some(place) = open.pop() {
            let from = id(place, &mut open);
            let (steps, ends) = self.steps(place.0);
            for (edge, to) in steps {
                let to = id((to, true), &mut open);
                automaton.moves.push((from, edge, to));
            }
            if ends && place.1 {
                automaton.accepting.push(from);
            }
        }
        automaton.states = ids.len() as u32;
        automaton
    }

    /// The edges that may follow at a node of a graph without cycles, and whether a path may end there.
    fn steps(&self, node: NodeId) -> (Vec<(EdgeId, NodeId)>, bool) {
        let (mut steps, mut ends, mut open) = (Vec::new(), false, vec![node]);
        while let Some(node) = open.pop() {
            let moves = self.moves(node);
            ends |= moves.is_empty();
            for (edge, to) in moves {
                match edge {
                    Some(edge) => steps.push((*edge, *to)),
                    None => open.push(*to),
                }
            }
        }
        (steps, ends)
    }

    /// The automaton that is the tree of all bounded paths.
    fn tree(&self, bound: u32) -> Option<PathAutomaton> {
        let mut automaton = PathAutomaton::default();
        let mut passed = vec![0u32; self.nodes];
        for start in &self.initial {
            let root = automaton.states;
            automaton.states += 1;
            automaton.initial.push(root);
            passed[start.0 as usize] += 1;
            let mut stack = vec![Walk { node: *start, state: root, next: 0, extended: false, steps: 0 }];
            while let Some(top) = stack.last_mut() {
                match self.moves(top.node).get(top.next) {
                    Some((edge, to)) => {
                        top.next += 1;
                        if passed[to.0 as usize] == bound {
                            continue;
                        }
                        top.extended = true;
                        passed[to.0 as usize] += 1;
                        let (from, steps) = (top.state, top.steps + u32::from(edge.is_some()));
                        let state = match edge {
                            Some(edge) => {
                                let state = automaton.states;
                                automaton.states += 1;
                                automaton.moves.push((from, *edge, state));
                                state
                            }
                            None => from,
                        };
                        stack.push(Walk { node: *to, state, next: 0, extended: false, steps });
                    }
                    None => {
                        if !top.extended && 0 < top.steps {
                            automaton.accepting.push(top.state);
                        }
                        passed[top.node.0 as usize] -= 1;
                        stack.pop();
                    }
                }
                if MOST < automaton.states as usize {
                    return None;
                }
            }
        }
        Some(automaton)
    }
}

/// A node on the path that is being listed.
struct Walk {
    node: NodeId,
    state: u32,
    next: usize,
    extended: bool,
    steps: u32,
}
