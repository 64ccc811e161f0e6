//! Trace automata: what runs of a program look like that match a pattern.
//!
//! # For engines
//!
//! A run is a sequence of *moments* with a step, an edge of the [`Graph`](crate::graph::Graph), between each two. At a moment control is
//! at one node, or at several: coming back from a callee is not a step, so that right after the last edge of a callee
//! control is at the callee's exit and at the node behind the call. A predicate holds at a moment if it holds in the state at one of
//! these nodes, with the names visible there; where its names mean nothing it may be taken to hold.
//!
//! An [`Automaton`] has no empty moves. It starts in state [`Automaton::INITIAL`]. A [`Step`] may be taken from its state when
//! its [`Guard`] holds *at the moment before the edge* and the edge is in its set. A run is accepted if some sequence of
//! steps over all its edges ends in a state of an [`Accept`] whose guard holds at the last moment. A guard is a
//! conjunction: control is at a node of every set, and every predicate holds.
//!
//! So an encoding needs, per position of the unrolled program, the state as a bit vector, one constraint "the edge is taken
//! → some step matches" and "not taken → the state stays", and at the end "some accept matches". Every edge of the
//! graph counts: an edge in no set blocks the automaton.
//!
//! A query on a program ([`crate::Spec`]) gives the *passing* automaton, which every test must match; the automaton of any
//! single goal ([`crate::Spec::goal_automaton`]); and the *coverage* automaton of all goals at once, whose steps carry
//! [`Emission`]s: the word a run emits is the goal that it covers.

use indexmap::IndexSet;

use crate::bits::BitSet;
use crate::graph::{EdgeId, NodeId};

/// A set of edges or of nodes, among those of [`Sets`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SetId(pub u32);

/// The sets of edges and nodes that automata speak of; equal sets have equal ids.
#[derive(Clone, Debug, Default)]
pub struct Sets {
    edges: IndexSet<BitSet>,
    nodes: IndexSet<BitSet>,
}

/// An automaton over the edges of a graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Automaton {
    /// The number of states.
    pub states: u32,
    /// The steps, ordered by the state they leave.
    pub steps: Vec<Step>,
    /// Where runs may end, ordered by state.
    pub accepting: Vec<Accept>,
    first_step: Vec<u32>,
    first_accept: Vec<u32>,
}

/// A way to read an edge.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Step {
    /// The state it leaves.
    pub from: u32,
    /// What must hold before the edge.
    pub guard: Guard,
    /// What is emitted before the edge.
    pub before: Vec<Emission>,
    /// The edges it reads.
    pub edges: SetId,
    /// Whether the edge itself is emitted.
    pub emits_edge: bool,
    /// The state it leads to.
    pub to: u32,
}

/// A way to end.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Accept {
    /// The state.
    pub state: u32,
    /// What must hold at the end.
    pub guard: Guard,
    /// What is emitted at the end.
    pub emits: Vec<Emission>,
}

/// A conjunction of tests on a moment.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Guard {
    /// Control is at a node of each of these sets.
    pub nodes: Vec<SetId>,
    /// Each of these predicates holds.
    pub predicates: Vec<u32>,
}

/// A letter of the goal that a run covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Emission {
    /// A node of this set at which control is.
    Node(SetId),
    /// A predicate.
    Predicate(u32),
    /// A quoted pattern, by its position in the query.
    Quote(u32),
}

/// What is known about a moment of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moment {
    /// The nodes at which control is.
    pub nodes: Vec<NodeId>,
    /// Which predicates of the query hold.
    pub truths: Vec<bool>,
}

impl Sets {
    /// The id of a set of edges.
    pub fn edges(&mut self, set: BitSet) -> SetId {
        SetId(self.edges.insert_full(set).0 as u32)
    }

    /// The id of a set of nodes.
    pub fn nodes(&mut self, set: BitSet) -> SetId {
        SetId(self.nodes.insert_full(set).0 as u32)
    }

    /// A set of edges.
    pub fn edge_set(&self, id: SetId) -> &BitSet {
        &self.edges[id.0 as usize]
    }

    /// A set of nodes.
    pub fn node_set(&self, id: SetId) -> &BitSet {
        &self.nodes[id.0 as usize]
    }

    /// The number of sets of edges.
    pub fn edge_set_count(&self) -> usize {
        self.edges.len()
    }
}

impl Guard {
    /// Whether the guard always holds.
    pub fn is_trivial(&self) -> bool {
        self.nodes.is_empty() && self.predicates.is_empty()
    }

    /// Whether the guard holds at a moment.
    pub fn holds(&self, sets: &Sets, moment: &Moment) -> bool {
        let at = |set: &SetId| moment.nodes.iter().any(|node| sets.node_set(*set).contains(node.0));
        self.nodes.iter().all(at) && self.predicates.iter().all(|predicate| moment.truths[*predicate as usize])
    }

    /// Whether everything this guard asks for is asked for by the other too.
    pub(crate) fn is_weaker(&self, other: &Guard) -> bool {
        self.nodes.iter().all(|set| other.nodes.contains(set))
            && self.predicates.iter().all(|predicate| other.predicates.contains(predicate))
    }
}

impl Automaton {
    /// The state in which runs start.
    pub const INITIAL: u32 = 0;

    /// An automaton of these steps and ends.
    pub(crate) fn new(states: u32, mut steps: Vec<Step>, mut accepting: Vec<Accept>) -> Automaton {
        steps.sort();
        steps.dedup();
        accepting.sort();
        accepting.dedup();
        let first = |states: u32, of: &mut dyn Iterator<Item = u32>| {
            let mut first = vec![0; states as usize + 1];
            for state in of {
                first[state as usize + 1] += 1;
            }
            for at in 1..first.len() {
                first[at] += first[at - 1];
            }
            first
        };
        let first_step = first(states, &mut steps.iter().map(|step| step.from));
        let first_accept = first(states, &mut accepting.iter().map(|accept| accept.state));
        Automaton { states, steps, accepting, first_step, first_accept }
    }

    /// The steps that leave a state.
    pub fn steps_from(&self, state: u32) -> &[Step] {
        &self.steps[self.first_step[state as usize] as usize..self.first_step[state as usize + 1] as usize]
    }

    /// The ways to end in a state.
    pub fn accepts_in(&self, state: u32) -> &[Accept] {
        &self.accepting[self.first_accept[state as usize] as usize..self.first_accept[state as usize + 1] as usize]
    }

    /// Whether every run is accepted, whatever its edges: one state that reads all `edges` without a guard.
    pub fn is_universal(&self, sets: &Sets, edges: usize) -> bool {
        self.states == 1
            && self.accepting.iter().any(|accept| accept.guard.is_trivial())
            && self.steps.iter().any(|step| step.guard.is_trivial() && sets.edge_set(step.edges).len() == edges)
    }

    /// Whether a whole run is accepted: moments, and the edges between them.
    pub fn accepts(&self, sets: &Sets, moments: &[Moment], edges: &[EdgeId]) -> bool {
        assert_eq!(moments.len(), edges.len() + 1, "a run has one moment more than edges");
        let mut active = vec![false; self.states as usize];
        active[Automaton::INITIAL as usize] = self.states != 0;
        for (edge, moment) in edges.iter().zip(moments) {
            active = self.advance(sets, &active, *edge, moment);
        }
        self.ends(sets, &active, &moments[edges.len()])
    }

    /// The states reached from active ones by an edge.
    pub fn advance(&self, sets: &Sets, active: &[bool], edge: EdgeId, before: &Moment) -> Vec<bool> {
        let mut next = vec![false; self.states as usize];
        for state in (0..self.states).filter(|state| active[*state as usize]) {
            for step in self.steps_from(state) {
                if sets.edge_set(step.edges).contains(edge.0) && step.guard.holds(sets, before) {
                    next[step.to as usize] = true;
                }
            }
        }
        next
    }

    /// Whether a run may end in one of the active states.
    pub fn ends(&self, sets: &Sets, active: &[bool], last: &Moment) -> bool {
        self.accepting.iter().any(|accept| active[accept.state as usize] && accept.guard.holds(sets, last))
    }
}
