//! The judge of machines: does every word that a machine allows satisfy a formula?
//!
//! The product of the machine with the automaton of the negated formula is built on the fly and searched for an
//! accepting cycle. Nothing here knows how machines are found.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use crate::automaton::{Limits, all_marks, successor};
use crate::bdd::{Bdd, Bdds};
use crate::eval::{Lasso, Letter};
use crate::formulas::{AtomId, Formula, Formulas};
use crate::graph::components;
use crate::machine::Machine;
use crate::nnf::nnf;
use crate::simplify::simplify;
use crate::unfold::Unfolding;

/// What the judge says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// Every word of the machine satisfies the formula.
    Satisfied,
    /// This word of the machine does not.
    Violated(Lasso),
    /// The limits were reached.
    Unknown,
}

/// Judges a machine. Propositions that the machine neither reads nor sets, and what it leaves free, may have any value
/// in any step.
pub fn verify(formulas: &mut Formulas, machine: &Machine, formula: Formula, limits: Limits) -> Judgement {
    let small = simplify(formulas, formula);
    let parts = formulas.conjuncts(small);
    for part in parts {
        // A disjunction with a conjunction: (a & b) | c holds if both a | c and b | c do, and those are smaller.
        for piece in distribute(formulas, part) {
            match verify_part(formulas, machine, piece, limits) {
                Judgement::Satisfied => {}
                other => return other,
            }
        }
    }
    Judgement::Satisfied
}

/// Formulas whose conjunction is equivalent to a disjunction one member of which is a conjunction.
fn distribute(formulas: &mut Formulas, formula: Formula) -> Vec<Formula> {
    use crate::formulas::{Binary, Node};
    let mut members = Vec::new();
    let mut open = vec![formula];
    while let Some(current) = open.pop() {
        match formulas.node(current) {
            Node::Binary(Binary::Or, left, right) => open.extend([right, left]),
            Node::Constant(_) | Node::Atom(_) | Node::Unary(..) | Node::Binary(..) => members.push(current),
        }
        if 1000 < members.len() {
            return vec![formula];
        }
    }
    let is_conjunction = |member: &Formula| matches!(formulas.node(*member), Node::Binary(Binary::And, ..));
    let Some(place) = members.iter().position(is_conjunction) else { return vec![formula] };
    let chosen = members.remove(place);
    let rest = formulas.any(members);
    let parts = formulas.conjuncts(chosen);
    parts.into_iter().map(|part| formulas.binary(Binary::Or, part, rest)).collect()
}

struct Product<'a> {
    machine: &'a Machine,
    unfolding: Unfolding,
    bdds: Bdds,
    letters: Bdd,
    nodes: Vec<(usize, Bdd)>,
    edges: Vec<Vec<ProductEdge>>,
}

#[derive(Clone)]
struct ProductEdge {
    target: usize,
    marks: u64,
    /// The number of the machine's move, and the elements and marks of the automaton.
    taken: usize,
    set: Vec<u32>,
}

fn verify_part(formulas: &mut Formulas, machine: &Machine, formula: Formula, limits: Limits) -> Judgement {
    let negated = nnf(formulas, formula, true);
    let root = simplify(formulas, negated);
    let atoms = formulas.atoms_of([root]);
    let mut bdds = Bdds::new(limits.nodes, limits.deadline);
    let unfolding = Unfolding::new(&mut bdds, formulas, &[root], &atoms, true);
    if 64 < unfolding.marks().len() {
        return Judgement::Unknown;
    }
    let letters: Vec<(u32, bool)> = (0..atoms.len() as u32).map(|variable| (variable, true)).collect();
    let letters = bdds.cube(&letters);
    let start = unfolding.state(root);
    let mut product = Product { machine, unfolding, bdds, letters, nodes: vec![(0, start)], edges: Vec::new() };
    if product.explore(limits).is_none() {
        return Judgement::Unknown;
    }
    match product.accepting_cycle() {
        None => Judgement::Satisfied,
        Some((prefix, cycle)) => Judgement::Violated(product.lasso(&prefix, &cycle)),
    }
}

impl Product<'_> {
    fn marks(&self) -> u64 {
        all_marks(self.unfolding.marks().len() as u32)
    }

    /// The literals of a move that matter, as a cube over letters.
    fn cube(&mut self, state: usize, taken: usize) -> Bdd {
        let taken = &self.machine.states[state].moves[taken];
        let place = |atom: &AtomId| self.unfolding.atoms.iter().position(|other| other == atom);
        let literals: Vec<(u32, bool)> = taken
            .guard
            .iter()
            .chain(&taken.sets)
            .filter_map(|(atom, value)| Some((place(atom)? as u32, *value)))
            .collect();
        self.bdds.cube(&literals)
    }

    fn explore(&mut self, limits: Limits) -> Option<()> {
        let mut numbers: FxHashMap<(usize, Bdd), usize> = FxHashMap::default();
        numbers.insert(self.nodes[0], 0);
        let mut afters: FxHashMap<Bdd, Bdd> = FxHashMap::default();
        while self.edges.len() < self.nodes.len() {
            let (state, obligations) = self.nodes[self.edges.len()];
            let after = match afters.get(&obligations) {
                Some(&after) => after,
                None => {
                    let after = self.unfolding.after(&mut self.bdds, obligations);
                    afters.insert(obligations, after);
                    after
                }
            };
            let mut edges: Vec<ProductEdge> = Vec::new();
            for taken in 0..self.machine.states[state].moves.len() {
                let cube = self.cube(state, taken);
                let possible = self.bdds.cofactor(after, cube);
                let possible = self.bdds.exists(possible, self.letters);
                let next_state = self.machine.states[state].moves[taken].target;
                for set in Unfolding::smallest(&self.bdds, possible, limits.states)? {
                    let (target, missing) = successor(&mut self.bdds, &self.unfolding, &set);
                    let key = (next_state, target);
                    let next = self.nodes.len();
                    let number = *numbers.entry(key).or_insert_with(|| {
                        self.nodes.push(key);
                        next
                    });
                    let marks = self.marks() & !missing;
                    if !edges.iter().any(|edge| edge.target == number && edge.marks == marks) {
                        edges.push(ProductEdge { target: number, marks, taken, set });
                    }
                }
            }
            self.edges.push(edges);
            if self.bdds.is_exhausted() || limits.states < self.nodes.len() {
                return None;
            }
        }
        Some(())
    }

    /// The edges of a path to an accepting cycle, and of the cycle, as (node, number of edge).
    #[expect(clippy::type_complexity, reason = "two lists of edges need no name")]
    fn accepting_cycle(&self) -> Option<(Vec<(usize, usize)>, Vec<(usize, usize)>)> {
        let count = self.nodes.len();
        let component = components(count, |node| self.edges[node].iter().map(|edge| edge.target).collect());
        let mut marks = vec![0_u64; count];
        let mut cyclic = vec![false; count];
        for (node, edges) in self.edges.iter().enumerate() {
            for edge in edges.iter().filter(|edge| component[edge.target] == component[node]) {
                marks[component[node]] |= edge.marks;
                cyclic[component[node]] = true;
            }
        }
        let entry = (0..count).find(|node| cyclic[component[*node]] && marks[component[*node]] == self.marks())?;
        let prefix = self.path(0, |node| node == entry, |_, _| true)?;
        let inside = |node: usize, edge: &ProductEdge| component[node] == component[edge.target];
        let home = component[entry];
        let mut cycle: Vec<(usize, usize)> = Vec::new();
        let mut place = entry;
        let mut missing = self.marks();
        // One edge for every mark, then back; at least one edge.
        while missing != 0 || cycle.is_empty() {
            let wanted = |node: usize| {
                component[node] == home
                    && self.edges[node]
                        .iter()
                        .any(|edge| inside(node, edge) && (missing == 0 || edge.marks & missing != 0))
            };
            let path = self.path(place, wanted, inside)?;
            cycle.extend(&path);
            place = path.last().map_or(place, |&(node, edge)| self.edges[node][edge].target);
            let best = (0..self.edges[place].len())
                .filter(|&edge| inside(place, &self.edges[place][edge]))
                .max_by_key(|&edge| (self.edges[place][edge].marks & missing).count_ones())?;
            cycle.push((place, best));
            missing &= !self.edges[place][best].marks;
            place = self.edges[place][best].target;
        }
        cycle.extend(self.path(place, |node| node == entry, inside)?);
        Some((prefix, cycle))
    }

    /// A shortest path from a node to a wanted one.
    fn path(
        &self,
        from: usize,
        wanted: impl Fn(usize) -> bool,
        allowed: impl Fn(usize, &ProductEdge) -> bool,
    ) -> Option<Vec<(usize, usize)>> {
        let mut came: FxHashMap<usize, Option<(usize, usize)>> = FxHashMap::default();
        came.insert(from, None);
        let mut open = VecDeque::from([from]);
        while let Some(node) = open.pop_front() {
            if wanted(node) {
                let mut path = Vec::new();
                let mut place = node;
                while let Some((before, edge)) = came[&place] {
                    path.push((before, edge));
                    place = before;
                }
                path.reverse();
                return Some(path);
            }
            for (number, edge) in self.edges[node].iter().enumerate() {
                if allowed(node, edge) && !came.contains_key(&edge.target) {
                    came.insert(edge.target, Some((node, number)));
                    open.push_back(edge.target);
                }
            }
        }
        None
    }

    fn lasso(&mut self, prefix: &[(usize, usize)], cycle: &[(usize, usize)]) -> Lasso {
        let prefix = prefix.iter().map(|&(node, edge)| self.letter(node, edge)).collect();
        let cycle = cycle.iter().map(|&(node, edge)| self.letter(node, edge)).collect();
        Lasso { prefix, cycle }
    }

    /// A letter that allows an edge.
    fn letter(&mut self, node: usize, edge: usize) -> Letter {
        let edge = self.edges[node][edge].clone();
        let (state, obligations) = self.nodes[node];
        let after = self.unfolding.after(&mut self.bdds, obligations);
        let cube = self.cube(state, edge.taken);
        let possible = self.bdds.and(after, cube);
        let chosen: Vec<u32> = edge.set.clone();
        let mut literals: Vec<(u32, bool)> = Vec::new();
        for variable in self.bdds.support(possible) {
            if self.unfolding.first_element() <= variable {
                literals.push((variable, chosen.contains(&variable)));
            }
        }
        let fixed = self.bdds.cube(&literals);
        let letters = self.bdds.cofactor(possible, fixed);
        let mut letter = Letter::default();
        for (variable, value) in self.bdds.some_cube(letters).unwrap_or_default() {
            letter.set(self.unfolding.atoms[variable as usize], value);
        }
        let taken = &self.machine.states[state].moves[edge.taken];
        for &(atom, value) in taken.guard.iter().chain(&taken.sets) {
            letter.set(atom, value);
        }
        letter
    }
}
