//! Deterministic automata of formulas of the simpler classes: safety, guarantee, recurrence and persistence.

use rustc_hash::FxHashMap;

use crate::automaton::{Automaton, Limits, all_marks, translate};
use crate::bdd::{Bdd, Bdds};
use crate::formulas::{AtomId, Binary, Formula, Formulas, Node, Unary};
use crate::simplify::simplify;
use crate::unfold::Unfolding;

/// When a run of a deterministic automaton is accepting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Acceptance {
    /// It never takes a marked edge; after one, all edges are marked.
    Never,
    /// It takes a marked edge; after one, all edges are marked.
    Once,
    /// It takes marked edges for ever.
    Repeatedly,
    /// It takes marked edges only finitely often.
    Finitely,
}

/// A deterministic automaton; the guards of every state are disjoint and leave nothing out. State 0 is initial.
pub struct Deterministic {
    /// The functions that guard edges, over the places of propositions in `atoms`.
    pub bdds: Bdds,
    /// The propositions.
    pub atoms: Vec<AtomId>,
    /// When runs are accepting.
    pub acceptance: Acceptance,
    /// The edges of every state: letters, whether it is marked, and the next state.
    pub edges: Vec<Vec<(Bdd, bool, usize)>>,
}

/// Whether a formula in negation normal form only forbids: it has no `F`, `U` and `M`.
pub fn is_safety(formulas: &Formulas, formula: Formula) -> bool {
    formulas.reachable([formula]).into_iter().all(|part| {
        !matches!(
            formulas.node(part),
            Node::Unary(Unary::Finally, _) | Node::Binary(Binary::Until | Binary::StrongRelease, ..)
        )
    })
}

/// Whether a formula in negation normal form only promises: it has no `G`, `R` and `W`.
pub fn is_guarantee(formulas: &Formulas, formula: Formula) -> bool {
    formulas.reachable([formula]).into_iter().all(|part| {
        !matches!(
            formulas.node(part),
            Node::Unary(Unary::Globally, _) | Node::Binary(Binary::Release | Binary::WeakUntil, ..)
        )
    })
}

/// The automaton of a safety formula, with marks on violations.
pub fn safety(formulas: &mut Formulas, formula: Formula, limits: Limits) -> Option<Deterministic> {
    let root = simplify(formulas, formula);
    progress(formulas, root, Acceptance::Never, limits)
}

/// The automaton of a guarantee, with marks once it is kept.
pub fn guarantee(formulas: &mut Formulas, formula: Formula, limits: Limits) -> Option<Deterministic> {
    let root = simplify(formulas, formula);
    progress(formulas, root, Acceptance::Once, limits)
}

/// The deterministic automaton of a formula, if it is of one of the classes and within the limits.
pub fn determinise(formulas: &mut Formulas, formula: Formula, limits: Limits) -> Option<Deterministic> {
    let root = simplify(formulas, formula);
    if is_safety(formulas, root) {
        return progress(formulas, root, Acceptance::Never, limits);
    }
    if is_guarantee(formulas, root) {
        return progress(formulas, root, Acceptance::Once, limits);
    }
    // `G F p` with `p` about one step needs no state at all.
    let inner = |formulas: &Formulas, formula: Formula, outside: Unary, inside: Unary| match formulas.node(formula) {
        Node::Unary(operator, argument) if operator == outside => match formulas.node(argument) {
            Node::Unary(operator, argument) if operator == inside && is_now(formulas, argument) => Some(argument),
            Node::Constant(_) | Node::Atom(_) | Node::Unary(..) | Node::Binary(..) => None,
        },
        Node::Constant(_) | Node::Atom(_) | Node::Unary(..) | Node::Binary(..) => None,
    };
    if let Some(now) = inner(formulas, root, Unary::Globally, Unary::Finally) {
        return stateless(formulas, now, true, Acceptance::Repeatedly, limits);
    }
    if let Some(now) = inner(formulas, root, Unary::Finally, Unary::Globally) {
        return stateless(formulas, now, false, Acceptance::Finitely, limits);
    }
    let negated = formulas.not(root);
    if let Some(automaton) = translate(formulas, negated, limits).filter(Automaton::is_weak) {
        return breakpoint(automaton, Acceptance::Repeatedly, limits);
    }
    let automaton = translate(formulas, root, limits).filter(Automaton::is_weak)?;
    breakpoint(automaton, Acceptance::Finitely, limits)
}

/// Whether a formula in negation normal form says nothing about later steps.
pub fn is_now(formulas: &Formulas, formula: Formula) -> bool {
    formulas.reachable([formula]).into_iter().all(|part| match formulas.node(part) {
        Node::Constant(_) | Node::Atom(_) | Node::Unary(Unary::Not, _) => true,
        Node::Binary(operator, ..) => matches!(operator, Binary::And | Binary::Or),
        Node::Unary(..) => false,
    })
}

fn stateless(
    formulas: &Formulas,
    now: Formula,
    marked: bool,
    acceptance: Acceptance,
    limits: Limits,
) -> Option<Deterministic> {
    let atoms = formulas.atoms_of([now]);
    let mut bdds = Bdds::new(limits.nodes, limits.deadline);
    let unfolding = Unfolding::new(&mut bdds, formulas, &[now], &atoms, false);
    let holds = unfolding.after(&mut bdds, unfolding.state(now));
    let fails = bdds.not(holds);
    bdds.sound(())?;
    Some(Deterministic { bdds, atoms, acceptance, edges: vec![vec![(holds, marked, 0), (fails, !marked, 0)]] })
}

/// Follows what is left to show: a violated safety formula becomes false, a kept guarantee becomes true.
fn progress(formulas: &Formulas, root: Formula, acceptance: Acceptance, limits: Limits) -> Option<Deterministic> {
    let atoms = formulas.atoms_of([root]);
    let mut bdds = Bdds::new(limits.nodes, limits.deadline);
    let unfolding = Unfolding::new(&mut bdds, formulas, &[root], &atoms, false);
    let marks: Vec<(u32, bool)> = unfolding.marks().iter().map(|(_, mark)| (*mark, true)).collect();
    let marks = bdds.cube(&marks);
    let end = if acceptance == Acceptance::Never { Bdd::FALSE } else { Bdd::TRUE };
    let start = unfolding.state(root);
    let mut states = vec![start];
    let mut numbers: FxHashMap<Bdd, usize> = FxHashMap::default();
    numbers.insert(start, 0);
    let mut edges: Vec<Vec<(Bdd, bool, usize)>> = Vec::new();
    while edges.len() < states.len() {
        let state = states[edges.len()];
        let after = unfolding.after(&mut bdds, state);
        let after = bdds.cofactor(after, marks);
        let mut row = Vec::new();
        for (rest, guard) in unfolding.split(&mut bdds, after) {
            let next = states.len();
            let target = *numbers.entry(rest).or_insert_with(|| {
                states.push(rest);
                next
            });
            row.push((guard, rest == end, target));
        }
        edges.push(row);
        if bdds.is_late() || limits.states < states.len() {
            return None;
        }
    }
    let mut automaton = Deterministic { bdds, atoms, acceptance, edges };
    automaton.merge();
    automaton.bdds.sound(())?;
    Some(automaton)
}

impl Automaton {
    /// Whether in every component either all cycles have every mark or none has.
    pub fn is_weak(&self) -> bool {
        let (component, accepting) = self.accepting_components();
        let full = all_marks(self.marks);
        self.edges.iter().enumerate().all(|(state, edges)| {
            let inside = edges.iter().filter(|edge| component[edge.target] == component[state]);
            inside.clone().all(|edge| edge.marks == full) || !accepting[component[state]]
        })
    }
}

/// The subset construction with a set of pursued states. The language of the weak automaton is the runs in which the
/// pursued set becomes empty only finitely often; `acceptance` says whether that language or its complement is wanted.
fn breakpoint(mut automaton: Automaton, acceptance: Acceptance, limits: Limits) -> Option<Deterministic> {
    let (component, accepting) = automaton.accepting_components();
    let is_good = |state: usize| accepting[component[state]];
    type Key = (Vec<usize>, Vec<usize>);
    let start: Key = (vec![0], if is_good(0) { vec![0] } else { Vec::new() });
    let mut states: Vec<Key> = vec![start.clone()];
    let mut numbers: FxHashMap<Key, usize> = FxHashMap::default();
    numbers.insert(start, 0);
    let mut edges: Vec<Vec<(Bdd, bool, usize)>> = Vec::new();
    while edges.len() < states.len() {
        let (all, pursued) = states[edges.len()].clone();
        // Letters, the next states, and those reached from pursued states inside their component.
        let mut cells: Vec<(Bdd, Vec<usize>, Vec<usize>)> = vec![(Bdd::TRUE, Vec::new(), Vec::new())];
        for &state in &all {
            let follows = pursued.contains(&state);
            for edge in automaton.edges[state].clone() {
                let mut refined = Vec::new();
                for (letters, next, next_pursued) in cells {
                    let inside = automaton.bdds.and(letters, edge.guard);
                    let outside = automaton.bdds.minus(letters, edge.guard);
                    if inside != Bdd::FALSE {
                        let (mut next, mut next_pursued) = (next.clone(), next_pursued.clone());
                        insert(&mut next, edge.target);
                        if follows && is_good(edge.target) {
                            insert(&mut next_pursued, edge.target);
                        }
                        refined.push((inside, next, next_pursued));
                    }
                    if outside != Bdd::FALSE {
                        refined.push((outside, next, next_pursued));
                    }
                }
                cells = refined;
                if limits.states < cells.len() || automaton.bdds.is_late() {
                    return None;
                }
            }
        }
        let mut row: Vec<(Bdd, bool, usize)> = Vec::new();
        for (letters, next, mut next_pursued) in cells {
            let empty = next_pursued.is_empty();
            if empty {
                next_pursued = next.iter().copied().filter(|state| is_good(*state)).collect();
            }
            let key = (next, next_pursued);
            let fresh = states.len();
            let target = *numbers.entry(key.clone()).or_insert_with(|| {
                states.push(key);
                fresh
            });
            match row.iter_mut().find(|(_, mark, other)| *other == target && *mark == empty) {
                Some(found) => found.0 = automaton.bdds.or(found.0, letters),
                None => row.push((letters, empty, target)),
            }
        }
        edges.push(row);
        if limits.states < states.len() || automaton.bdds.is_late() {
            return None;
        }
    }
    let mut found = Deterministic { bdds: automaton.bdds, atoms: automaton.atoms, acceptance, edges };
    found.merge();
    found.bdds.sound(())?;
    Some(found)
}

/// The edges of a state: letters, whether it is marked, and the next state.
type Row = Vec<(Bdd, bool, usize)>;

fn insert(set: &mut Vec<usize>, item: usize) {
    if let Err(place) = set.binary_search(&item) {
        set.insert(place, item);
    }
}

impl Deterministic {
    /// Merges states that differ in no future, by refinement.
    fn merge(&mut self) {
        let mut class: Vec<usize> = vec![0; self.edges.len()];
        let mut count = 1;
        loop {
            let mut first: FxHashMap<(usize, Row), usize> = FxHashMap::default();
            let mut refined = Vec::new();
            for (state, edges) in self.edges.iter().enumerate() {
                let mut row: Vec<(Bdd, bool, usize)> = Vec::new();
                for &(guard, mark, target) in edges {
                    match row.iter_mut().find(|(_, other, place)| *other == mark && *place == class[target]) {
                        Some(found) => found.0 = self.bdds.or(found.0, guard),
                        None => row.push((guard, mark, class[target])),
                    }
                }
                row.sort_unstable_by_key(|(guard, mark, target)| (*target, *mark, *guard));
                let next = first.len();
                refined.push(*first.entry((class[state], row)).or_insert(next));
            }
            let stable = first.len() == count;
            count = first.len();
            class = refined;
            if stable {
                break;
            }
        }
        let mut edges: Vec<Vec<(Bdd, bool, usize)>> = vec![Vec::new(); count];
        let mut done = vec![false; count];
        for (state, row) in self.edges.iter().enumerate() {
            if std::mem::replace(&mut done[class[state]], true) {
                continue;
            }
            for &(guard, mark, target) in row {
                let merged = &mut edges[class[state]];
                match merged.iter_mut().find(|(_, other, place)| *other == mark && *place == class[target]) {
                    Some(found) => found.0 = self.bdds.or(found.0, guard),
                    None => merged.push((guard, mark, class[target])),
                }
            }
        }
        self.edges = edges;
    }
}
