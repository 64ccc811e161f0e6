//! Nondeterministic Büchi automata of formulas: generalised, with marks on edges, or plain with accepting states.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::bdd::{Bdd, Bdds};
use crate::formulas::{AtomId, Formula, Formulas};
use crate::graph::components;
use crate::nnf::nnf;
use crate::simplify::simplify;
use crate::unfold::Unfolding;
use crate::work::Deadline;

/// A generalised Büchi automaton: a run is accepting if for every mark it takes edges with that mark for ever.
pub struct Automaton {
    /// The functions that guard edges, over the places of propositions in `atoms`.
    pub bdds: Bdds,
    /// The propositions.
    pub atoms: Vec<AtomId>,
    /// The number of marks, at most 64.
    pub marks: u32,
    /// The edges of every state; state 0 is initial.
    pub edges: Vec<Vec<Edge>>,
}

/// An edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Edge {
    /// The letters.
    pub guard: Bdd,
    /// The marks, one bit each.
    pub marks: u64,
    /// The next state.
    pub target: usize,
}

/// What an automaton may cost.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most states.
    pub states: usize,
    /// The most nodes of decision diagrams.
    pub nodes: usize,
    /// When to give up.
    pub deadline: Option<Deadline>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { states: 20_000, nodes: 4_000_000, deadline: None }
    }
}

/// The automaton that accepts exactly the words of a formula; none beyond the limits.
pub fn translate(formulas: &mut Formulas, formula: Formula, limits: Limits) -> Option<Automaton> {
    let small = simplify(formulas, formula);
    let root = nnf(formulas, small, false);
    let atoms = formulas.atoms_of([root]);
    let mut bdds = Bdds::new(limits.nodes, limits.deadline);
    let unfolding = Unfolding::new(&mut bdds, formulas, &[root], &atoms, true);
    let marks = unfolding.marks().len() as u32;
    if 64 < marks {
        return None;
    }
    let mut automaton = Automaton { bdds, atoms, marks, edges: Vec::new() };
    let mut numbers: FxHashMap<Bdd, usize> = FxHashMap::default();
    let start = unfolding.state(root);
    let mut states = vec![start];
    numbers.insert(start, 0);
    while automaton.edges.len() < states.len() {
        let state = states[automaton.edges.len()];
        let after = unfolding.after(&mut automaton.bdds, state);
        let mut edges: Vec<Edge> = Vec::new();
        for (rest, guard) in unfolding.split(&mut automaton.bdds, after) {
            for set in Unfolding::smallest(&automaton.bdds, rest, limits.states)? {
                let (target, missing) = successor(&mut automaton.bdds, &unfolding, &set);
                let next = states.len();
                let number = *numbers.entry(target).or_insert_with(|| {
                    states.push(target);
                    next
                });
                let marks = all_marks(automaton.marks) & !missing;
                add_edge(&mut automaton.bdds, &mut edges, Edge { guard, marks, target: number });
            }
        }
        if automaton.bdds.is_exhausted() || limits.states < states.len() {
            return None;
        }
        automaton.edges.push(edges);
    }
    automaton.prune();
    automaton.merge();
    automaton.bdds.sound(())?;
    Some(automaton)
}

/// The marks from 0 up to a number, as bits.
pub fn all_marks(count: u32) -> u64 {
    if count == 64 { u64::MAX } else { (1 << count) - 1 }
}

/// The state of a set of elements and marks, and the marks that are missing on the way there.
pub fn successor(bdds: &mut Bdds, unfolding: &Unfolding, set: &[u32]) -> (Bdd, u64) {
    let mut missing = 0;
    let mut literals = Vec::new();
    for &variable in set {
        match unfolding.marks().iter().position(|(_, mark)| *mark == variable) {
            Some(place) => missing |= 1 << place,
            None => literals.push((variable, true)),
        }
    }
    (bdds.cube(&literals), missing)
}

fn add_edge(bdds: &mut Bdds, edges: &mut Vec<Edge>, edge: Edge) {
    match edges.iter_mut().find(|other| other.target == edge.target && other.marks == edge.marks) {
        Some(other) => other.guard = bdds.or(other.guard, edge.guard),
        None => edges.push(edge),
    }
}

impl Automaton {
    /// The number of states.
    pub fn len(&self) -> usize {
        self.edges.len()
    }

    /// Never: there is an initial state.
    pub fn is_empty(&self) -> bool {
        self.edges.is_empty()
    }

    /// Whether no word is accepted; exact once states without a future are removed.
    pub fn is_empty_language(&self) -> bool {
        self.edges[0].is_empty()
    }

    /// For every state whether its strongly connected component has a cycle with every mark.
    pub fn accepting_components(&self) -> (Vec<usize>, Vec<bool>) {
        let component = components(self.len(), |state| self.edges[state].iter().map(|edge| edge.target).collect());
        let count = component.iter().max().map_or(0, |last| last + 1);
        let mut marks = vec![0_u64; count];
        let mut cyclic = vec![false; count];
        for (state, edges) in self.edges.iter().enumerate() {
            for edge in edges.iter().filter(|edge| component[edge.target] == component[state]) {
                marks[component[state]] |= edge.marks;
                cyclic[component[state]] = true;
            }
        }
        let accepting = (0..count).map(|place| cyclic[place] && marks[place] == all_marks(self.marks)).collect();
        (component, accepting)
    }

    /// Removes states from which nothing is accepted and states that are not reachable.
    pub fn prune(&mut self) {
        let (component, accepting) = self.accepting_components();
        let mut alive: Vec<bool> = (0..self.len()).map(|state| accepting[component[state]]).collect();
        loop {
            let mut changed = false;
            for state in 0..self.len() {
                if !alive[state] && self.edges[state].iter().any(|edge| alive[edge.target]) {
                    alive[state] = true;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        for edges in &mut self.edges {
            edges.retain(|edge| alive[edge.target] && edge.guard != Bdd::FALSE);
        }
        // A mark on an edge between components counts for nothing.
        for (state, edges) in self.edges.iter_mut().enumerate() {
            for edge in edges.iter_mut().filter(|edge| component[edge.target] != component[state]) {
                edge.marks = 0;
            }
        }
        self.keep_reachable();
    }

    fn keep_reachable(&mut self) {
        let mut order = vec![0];
        let mut number: FxHashMap<usize, usize> = FxHashMap::default();
        number.insert(0, 0);
        let mut next = 0;
        while next < order.len() {
            for edge in &self.edges[order[next]] {
                let fresh = order.len();
                number.entry(edge.target).or_insert_with(|| {
                    order.push(edge.target);
                    fresh
                });
            }
            next += 1;
        }
        let edges = order.iter().map(|&old| {
            let renamed = self.edges[old].iter().map(|edge| Edge { target: number[&edge.target], ..*edge });
            renamed.collect()
        });
        self.edges = edges.collect();
    }

    /// Merges states with the same edges until nothing changes.
    pub fn merge(&mut self) {
        loop {
            let mut first: FxHashMap<Vec<Edge>, usize> = FxHashMap::default();
            let mut rename: Vec<usize> = Vec::new();
            for (state, edges) in self.edges.iter().enumerate() {
                let mut sorted = edges.clone();
                // Loops on a state look the same for states that are otherwise alike.
                for edge in &mut sorted {
                    if edge.target == state {
                        edge.target = usize::MAX;
                    }
                }
                sorted.sort_unstable();
                rename.push(*first.entry(sorted).or_insert(state));
            }
            if rename.iter().enumerate().all(|(old, new)| old == *new) {
                return;
            }
            for edges in &mut self.edges {
                let mut merged: Vec<Edge> = Vec::new();
                for edge in edges.iter() {
                    add_edge(&mut self.bdds, &mut merged, Edge { target: rename[edge.target], ..*edge });
                }
                *edges = merged;
            }
            self.keep_reachable();
        }
    }

    /// The plain Büchi automaton of the same language: accepting states, no marks; none if the budget of its functions is used up.
    pub fn degeneralise(self) -> Option<Buchi> {
        let marks = self.marks;
        let (component, accepting) = self.accepting_components();
        let level_after = |mut level: u32, edge_marks: u64| {
            while level < marks && edge_marks >> level & 1 == 1 {
                level += 1;
            }
            level
        };
        let mut numbers: FxHashMap<(usize, u32), usize> = FxHashMap::default();
        // Where counting begins is free; beginning with a visit saves states.
        let entry = |state: usize| if accepting[component[state]] { marks } else { 0 };
        let mut states = vec![(0, entry(0))];
        numbers.insert(states[0], 0);
        let mut edges: Vec<Vec<(Bdd, usize)>> = Vec::new();
        while edges.len() < states.len() {
            let (state, level) = states[edges.len()];
            let mut row = Vec::new();
            for edge in &self.edges[state] {
                let inside = component[edge.target] == component[state] && accepting[component[state]];
                // Reaching level `marks` is the visit of an accepting state; counting begins anew behind it.
                let from = if level == marks { 0 } else { level };
                let to = if inside { level_after(from, edge.marks) } else { entry(edge.target) };
                let next = states.len();
                let number = *numbers.entry((edge.target, to)).or_insert_with(|| {
                    states.push((edge.target, to));
                    next
                });
                row.push((edge.guard, number));
            }
            edges.push(row);
        }
        let is_accepting = states.iter().map(|&(state, level)| level == marks && accepting[component[state]]).collect();
        let mut buchi = Buchi { bdds: self.bdds, atoms: self.atoms, edges, accepting: is_accepting };
        buchi.merge();
        buchi.bdds.sound(())?;
        Some(buchi)
    }
}

/// A plain Büchi automaton: a run is accepting if it visits accepting states for ever.
pub struct Buchi {
    /// The functions that guard edges, over the places of propositions in `atoms`.
    pub bdds: Bdds,
    /// The propositions.
    pub atoms: Vec<AtomId>,
    /// The edges of every state: letters and next state. State 0 is initial.
    pub edges: Vec<Vec<(Bdd, usize)>>,
    /// The accepting states.
    pub accepting: Vec<bool>,
}

impl Buchi {
    /// The strongly connected component of every state, and which of them hold accepting cycles.
    pub fn components(&self) -> (Vec<usize>, Vec<bool>) {
        let component =
            components(self.edges.len(), |state| self.edges[state].iter().map(|(_, target)| *target).collect());
        let count = component.iter().max().map_or(0, |last| last + 1);
        let mut accepting = vec![false; count];
        for (state, edges) in self.edges.iter().enumerate() {
            let cyclic = edges.iter().any(|(_, target)| component[*target] == component[state]);
            if self.accepting[state] && cyclic {
                accepting[component[state]] = true;
            }
        }
        (component, accepting)
    }

    /// Merges states with the same edges and the same acceptance until nothing changes.
    fn merge(&mut self) {
        loop {
            let mut first: FxHashMap<(bool, Vec<(Bdd, usize)>), usize> = FxHashMap::default();
            let mut rename = Vec::new();
            for (state, edges) in self.edges.iter().enumerate() {
                let mut sorted = edges.clone();
                for edge in &mut sorted {
                    if edge.1 == state {
                        edge.1 = usize::MAX;
                    }
                }
                sorted.sort_unstable();
                rename.push(*first.entry((self.accepting[state], sorted)).or_insert(state));
            }
            if rename.iter().enumerate().all(|(old, new)| old == *new) {
                return;
            }
            let mut order: Vec<usize> = Vec::new();
            let mut seen = FxHashSet::default();
            let mut open = vec![0];
            while let Some(state) = open.pop() {
                if seen.insert(state) {
                    order.push(state);
                    open.extend(self.edges[state].iter().rev().map(|(_, target)| rename[*target]));
                }
            }
            let number: FxHashMap<usize, usize> = order.iter().enumerate().map(|(new, old)| (*old, new)).collect();
            let mut edges = Vec::new();
            for &old in &order {
                let mut row: Vec<(Bdd, usize)> = Vec::new();
                for &(guard, target) in &self.edges[old] {
                    let target = number[&rename[target]];
                    match row.iter_mut().find(|(_, other)| *other == target) {
                        Some(found) => found.0 = self.bdds.or(found.0, guard),
                        None => row.push((guard, target)),
                    }
                }
                edges.push(row);
            }
            self.accepting = order.iter().map(|old| self.accepting[*old]).collect();
            self.edges = edges;
        }
    }
}
