//! The judge of machines: does every word that a machine allows satisfy a formula?
//!
//! The product of the machine with the automaton of the negated formula is built on the fly and searched for an
//! accepting cycle. Nothing here knows how machines are found.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use crate::eval::{Lasso, Letter};
use crate::machine::Machine;
use omega::automaton::{Limits, all_marks, successor};
use omega::bdd::{Bdd, Bdds};
use omega::graph::components;
use omega::memory::Held;
use omega::nnf;
use omega::simplify::simplify;
use omega::unfold::Unfolding;
use omega::work::{self, Deadline};
use omega::{AtomId, Formula, Formulas};

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
    for piece in pieces(formulas, formula) {
        match judge_piece(formulas, machine, piece, &mut None, limits) {
            Judgement::Satisfied => {}
            other @ (Judgement::Violated(_) | Judgement::Unknown) => return other,
        }
    }
    Judgement::Satisfied
}

/// The most nodes of decision diagrams that are remembered for one part of a formula.
const MOST_REMEMBERED: usize = 2_000_000;

/// A judge of many machines: what it worked out about a formula it remembers as long as it is asked about the same one.
#[derive(Default)]
pub struct Verifier {
    formula: Option<Formula>,
    /// What must all hold; the automaton of each once it was needed.
    parts: Vec<(Formula, Option<Watch>)>,
}

impl Verifier {
    /// Judges a machine, as [`verify`] does. All formulas that one judge is asked about belong to the same `formulas`.
    pub fn judge(&mut self, formulas: &mut Formulas, machine: &Machine, formula: Formula, limits: Limits) -> Judgement {
        if self.formula.replace(formula) != Some(formula) {
            self.parts = pieces(formulas, formula).into_iter().map(|piece| (piece, None)).collect();
        }
        for (piece, watch) in &mut self.parts {
            match judge_piece(formulas, machine, *piece, watch, limits) {
                Judgement::Satisfied => {}
                other @ (Judgement::Violated(_) | Judgement::Unknown) => return other,
            }
        }
        Judgement::Satisfied
    }
}

/// Judges a machine by one part of a formula; what was worked out is left behind if it is not too much.
fn judge_piece(
    formulas: &mut Formulas,
    machine: &Machine,
    piece: Formula,
    watch: &mut Option<Watch>,
    limits: Limits,
) -> Judgement {
    let Some(mut known) = watch.take().or_else(|| Watch::new(formulas, piece, limits)) else {
        return Judgement::Unknown;
    };
    known.bdds.allow_until(limits.deadline);
    let judgement = judge_part(machine, &mut known, limits);
    if !known.bdds.is_exhausted() && known.bdds.len() <= MOST_REMEMBERED {
        *watch = Some(known);
    }
    judgement
}

/// Formulas whose conjunction is equivalent to one, each as small as can be.
fn pieces(formulas: &mut Formulas, formula: Formula) -> Vec<Formula> {
    let small = simplify(formulas, formula);
    // A disjunction with a conjunction: (a & b) | c holds if both a | c and b | c do, and those are smaller.
    formulas.conjuncts(small).into_iter().flat_map(|part| distribute(formulas, part)).collect()
}

/// Formulas whose conjunction is equivalent to a disjunction one member of which is a conjunction.
fn distribute(formulas: &mut Formulas, formula: Formula) -> Vec<Formula> {
    use omega::{Binary, Node};
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

/// The automaton of a negated formula, as far as machines have needed it.
struct Watch {
    root: Formula,
    unfolding: Unfolding,
    bdds: Bdds,
    letters: Bdd,
    /// The variable of every proposition that matters, by its number.
    places: Vec<Option<u32>>,
    /// Cubes of literals.
    cubes: FxHashMap<Vec<(u32, bool)>, Bdd>,
    scratch: Vec<(u32, bool)>,
    /// For what is set, as a cube, one step of every element.
    steps: FxHashMap<Bdd, FxHashMap<u32, Bdd>>,
    /// For obligations and what is set: what may follow, as a function of what is seen and of the next obligations.
    afters: FxHashMap<(Bdd, Bdd), Bdd>,
    /// For these and what is seen: what follows.
    followers: FxHashMap<(Bdd, Bdd, Bdd), Vec<Follower>>,
}

/// Obligations that may follow.
#[derive(Clone)]
struct Follower {
    target: Bdd,
    missing: u64,
    /// The elements and marks of the automaton.
    set: Vec<u32>,
}

impl Watch {
    /// The automaton that watches for words that do not satisfy a formula; none if it has too many marks.
    fn new(formulas: &mut Formulas, formula: Formula, limits: Limits) -> Option<Watch> {
        let negated = nnf(formulas, formula, true);
        let root = simplify(formulas, negated);
        let atoms = formulas.atoms_of([root]);
        let mut bdds = Bdds::new(limits.nodes, limits.deadline);
        let unfolding = Unfolding::new(&mut bdds, formulas, &[root], &atoms, true);
        if 64 < unfolding.marks().len() {
            return None;
        }
        let letters: Vec<(u32, bool)> = (0..atoms.len() as u32).map(|variable| (variable, true)).collect();
        let letters = bdds.cube(&letters);
        let mut places = vec![None; atoms.last().map_or(0, |atom| atom.0 as usize + 1)];
        for (atom, place) in atoms.iter().zip(0..) {
            places[atom.0 as usize] = Some(place);
        }
        let (cubes, scratch, steps, afters, followers) = Default::default();
        Some(Watch { root, unfolding, bdds, letters, places, cubes, scratch, steps, afters, followers })
    }

    /// What may follow obligations where some signals have known values.
    fn after(&mut self, obligations: Bdd, known: Bdd) -> Bdd {
        if let Some(&after) = self.afters.get(&(obligations, known)) {
            return after;
        }
        let (unfolding, bdds) = (&self.unfolding, &mut self.bdds);
        let steps = self.steps.entry(known).or_insert_with(|| unfolding.steps_within(bdds, known));
        let after = bdds.compose(obligations, steps);
        self.afters.insert((obligations, known), after);
        after
    }

    /// Makes sure that what follows is known; none beyond the limits.
    fn follow(&mut self, obligations: Bdd, set: Bdd, seen: Bdd, limits: Limits) -> Option<()> {
        let key = (obligations, set, seen);
        if self.followers.contains_key(&key) {
            return Some(());
        }
        let after = self.after(obligations, set);
        let possible = self.bdds.cofactor(after, seen);
        let possible = self.bdds.exists(possible, self.letters);
        let mut found = Vec::new();
        for set in Unfolding::smallest(&self.bdds, possible, limits.states)? {
            let (target, missing) = successor(&mut self.bdds, &self.unfolding, &set);
            found.push(Follower { target, missing, set });
        }
        if self.bdds.is_exhausted() {
            return None;
        }
        self.followers.insert(key, found);
        Some(())
    }
}

struct Product<'a> {
    machine: &'a Machine,
    watch: &'a mut Watch,
    /// For every state the moves as far as they matter.
    steps: Vec<Vec<Step>>,
    nodes: Vec<(usize, Bdd)>,
    edges: Vec<Vec<ProductEdge>>,
    held: Held,
}

/// Moves of a state that differ in nothing that matters.
struct Step {
    /// The literals that matter, as cubes over letters: what is set, and what is seen.
    set: Bdd,
    seen: Bdd,
    target: usize,
    /// The number of the first such move.
    taken: usize,
}

#[derive(Clone)]
struct ProductEdge {
    target: usize,
    marks: u64,
    /// The number of the step, and the elements and marks of the automaton.
    step: usize,
    set: Vec<u32>,
}

fn judge_part(machine: &Machine, watch: &mut Watch, limits: Limits) -> Judgement {
    let start = watch.unfolding.state(watch.root);
    if limits.deadline.is_some_and(Deadline::is_over) {
        return Judgement::Unknown;
    }
    let mut steps: Vec<Vec<Step>> = Vec::with_capacity(machine.states.len());
    let mut known: FxHashMap<(Bdd, Bdd, usize), usize> = FxHashMap::default();
    for (number, state) in machine.states.iter().enumerate() {
        let mut row: Vec<Step> = Vec::new();
        for (place, taken) in state.moves.iter().enumerate() {
            let (set, seen, target) = (watch.cube(&taken.sets), watch.cube(&taken.guard), taken.target);
            if known.insert((set, seen, target), number) != Some(number) {
                row.push(Step { set, seen, target, taken: place });
            }
        }
        steps.push(row);
    }
    let mut product =
        Product { machine, watch, steps, nodes: vec![(0, start)], edges: Vec::new(), held: Held::default() };
    if product.explore(limits).is_none() {
        return Judgement::Unknown;
    }
    match product.accepting_cycle() {
        None => Judgement::Satisfied,
        Some((prefix, cycle)) => {
            let lasso = product.lasso(&prefix, &cycle);
            product.watch.bdds.sound(lasso).map_or(Judgement::Unknown, Judgement::Violated)
        }
    }
}

impl Watch {
    /// The literals that matter, as a cube over letters.
    fn cube(&mut self, literals: &[(AtomId, bool)]) -> Bdd {
        self.scratch.clear();
        for &(atom, value) in literals {
            if let Some(&Some(place)) = self.places.get(atom.0 as usize) {
                self.scratch.push((place, value));
            }
        }
        if let Some(&known) = self.cubes.get(self.scratch.as_slice()) {
            return known;
        }
        let cube = self.bdds.cube(&self.scratch);
        if !self.bdds.is_exhausted() {
            self.cubes.insert(self.scratch.clone(), cube);
        }
        cube
    }
}

impl Product<'_> {
    fn marks(&self) -> u64 {
        all_marks(self.watch.unfolding.marks().len() as u32)
    }

    fn explore(&mut self, limits: Limits) -> Option<()> {
        let mut numbers: FxHashMap<(usize, Bdd), usize> = FxHashMap::default();
        numbers.insert(self.nodes[0], 0);
        while self.edges.len() < self.nodes.len() {
            let (state, obligations) = self.nodes[self.edges.len()];
            let mut edges: Vec<ProductEdge> = Vec::new();
            for (step, &Step { set, seen, target, .. }) in self.steps[state].iter().enumerate() {
                self.watch.follow(obligations, set, seen, limits)?;
                for follower in &self.watch.followers[&(obligations, set, seen)] {
                    let key = (target, follower.target);
                    let next = self.nodes.len();
                    let number = *numbers.entry(key).or_insert_with(|| {
                        self.nodes.push(key);
                        next
                    });
                    let marks = self.marks() & !follower.missing;
                    if !edges.iter().any(|edge| edge.target == number && edge.marks == marks) {
                        edges.push(ProductEdge { target: number, marks, step, set: follower.set.clone() });
                    }
                }
            }
            work::spend(1 + self.steps[state].len() as u64 + edges.len() as u64);
            let fits = self.held.add(1 + edges.len() as u64);
            self.edges.push(edges);
            let is_late = work::is_stopped() || limits.deadline.is_some_and(Deadline::is_over);
            if !fits || is_late || self.watch.bdds.is_exhausted() || limits.states < self.nodes.len() {
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
        let Step { set, seen, taken, .. } = self.steps[state][edge.step];
        let watch = &mut *self.watch;
        let after = watch.after(obligations, set);
        let possible = watch.bdds.and(after, seen);
        let mut literals: Vec<(u32, bool)> = Vec::new();
        for variable in watch.bdds.support(possible) {
            if watch.unfolding.first_element() <= variable {
                literals.push((variable, edge.set.contains(&variable)));
            }
        }
        let fixed = watch.bdds.cube(&literals);
        let letters = watch.bdds.cofactor(possible, fixed);
        let mut letter = Letter::default();
        for (variable, value) in watch.bdds.some_cube(letters).unwrap_or_default() {
            letter.set(watch.unfolding.atoms[variable as usize], value);
        }
        let taken = &self.machine.states[state].moves[taken];
        for &(atom, value) in taken.guard.iter().chain(&taken.sets) {
            letter.set(atom, value);
        }
        letter
    }
}
