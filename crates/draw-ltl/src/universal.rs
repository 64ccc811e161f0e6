//! A universal co-Büchi automaton for a formula: one small automaton for every part of it.
//!
//! A word satisfies the formula if *every* run of the automaton meets accepting states only finitely often. Since all runs
//! count, a conjunction is the union of the automata of its parts, and what a player does not see is simply projected out
//! of the guards.

use omega::automaton::{Buchi, Limits, translate};
use omega::bdd::{Bdd, Bdds};
use omega::deterministic::is_now;
use omega::simplify::simplify;
use omega::{AtomId, Binary, Formula, Formulas, Node, Unary};
use rustc_hash::FxHashMap;

use super::arena::copy;
use super::effort;

/// The automaton. All guards are functions of the signals that the players see, first player's variables first.
pub(crate) struct Universal {
    pub(crate) bdds: Bdds,
    /// The edges of every state: letters and the next state.
    pub(crate) edges: Vec<Vec<(Bdd, usize)>>,
    pub(crate) accepting: Vec<bool>,
    /// The component of every state, and whether visits of accepting states are counted in it.
    pub(crate) component: Vec<usize>,
    pub(crate) counted: Vec<bool>,
    /// States from which every word is lost.
    pub(crate) fatal: Vec<bool>,
    /// The initial states.
    pub(crate) start: Vec<usize>,
    pub(crate) first: Vec<(AtomId, u32)>,
    pub(crate) second: Vec<(AtomId, u32)>,
    pub(crate) first_cube: Bdd,
    pub(crate) second_cube: Bdd,
}

/// A disjunction, as its members.
pub(crate) type Part = Vec<Formula>;

/// Disjunctions whose conjunction is equivalent to a formula: what is inside is distributed while that stays small, and
/// what another part implies is left out.
pub(crate) fn parts(formulas: &mut Formulas, root: Formula) -> Vec<Part> {
    let root = simplify(formulas, root);
    let mut done: Vec<Vec<Formula>> = Vec::new();
    let mut open: Vec<Vec<Formula>> =
        formulas.conjuncts(root).into_iter().rev().map(|part| disjuncts(formulas, part)).collect();
    while let Some(part) = open.pop() {
        let is_conjunction = |member: &Formula| matches!(formulas.node(*member), Node::Binary(Binary::And, ..));
        match part.iter().position(is_conjunction) {
            Some(place) if open.len() + done.len() < effort::UNIVERSAL_PARTS.size() => {
                for conjunct in formulas.conjuncts(part[place]).into_iter().rev() {
                    let mut longer = part.clone();
                    longer.remove(place);
                    for member in disjuncts(formulas, conjunct) {
                        if !longer.contains(&member) {
                            longer.push(member);
                        }
                    }
                    longer.sort_unstable();
                    open.push(longer);
                }
            }
            Some(_) | None => done.push(part),
        }
    }
    let implied = |part: &Vec<Formula>, place: usize| {
        done.iter().enumerate().any(|(other_place, other)| {
            let inside = other.iter().all(|member| part.contains(member));
            inside && (other.len() < part.len() || other_place < place)
        })
    };
    done.iter().enumerate().filter(|(place, part)| !implied(part, *place)).map(|(_, part)| part.clone()).collect()
}

/// The members of a disjunction.
pub(crate) fn disjuncts(formulas: &Formulas, root: Formula) -> Vec<Formula> {
    let mut found: Vec<Formula> = Vec::new();
    let mut open = vec![root];
    while let Some(formula) = open.pop() {
        match formulas.node(formula) {
            Node::Binary(Binary::Or, left, right) => open.extend([right, left]),
            Node::Constant(_) | Node::Atom(_) | Node::Unary(..) | Node::Binary(..) => {
                if !found.contains(&formula) {
                    found.push(formula);
                }
            }
        }
    }
    found.sort_unstable();
    found
}

impl Universal {
    /// The automaton of the conjunction of some formulas; none beyond the limits.
    pub(crate) fn new(
        formulas: &mut Formulas,
        parts: &[Part],
        first: &[AtomId],
        second: &[AtomId],
        limits: Limits,
    ) -> Option<Universal> {
        let first: Vec<(AtomId, u32)> = first.iter().copied().zip(0..).collect();
        let second: Vec<(AtomId, u32)> = second.iter().copied().zip(first.len() as u32..).collect();
        let mut bdds = Bdds::new(limits.nodes, limits.deadline);
        let cube = |bdds: &mut Bdds, signals: &[(AtomId, u32)]| {
            let literals: Vec<(u32, bool)> = signals.iter().map(|(_, variable)| (*variable, true)).collect();
            bdds.cube(&literals)
        };
        let (first_cube, second_cube) = (cube(&mut bdds, &first), cube(&mut bdds, &second));
        let mut universal = Universal {
            bdds,
            edges: Vec::new(),
            accepting: Vec::new(),
            component: Vec::new(),
            counted: Vec::new(),
            fatal: Vec::new(),
            start: Vec::new(),
            first,
            second,
            first_cube,
            second_cube,
        };
        for part in parts {
            // What holds again and again needs no automaton of its own, only a place in the order of visits.
            let (mut again, mut rest) = (Vec::new(), Vec::new());
            for &member in part {
                let negated = formulas.not(member);
                let negated = simplify(formulas, negated);
                match recurring(formulas, negated) {
                    Some(now) => again.push(now),
                    None => rest.push(negated),
                }
            }
            let rest = formulas.all(rest);
            let automaton = translate(formulas, rest, Limits { states: effort::UNIVERSAL_STATES.size(), ..limits })?;
            if automaton.is_empty_language() {
                continue;
            }
            universal.join(formulas, automaton.degeneralise()?, &again);
            if effort::UNIVERSAL_STATES.size() < universal.edges.len() || universal.bdds.is_late() {
                return None;
            }
        }
        universal.bdds.sound(())?;
        Some(universal)
    }

    /// Adds an automaton; its runs count only where all formulas of `again` hold again and again.
    fn join(&mut self, formulas: &Formulas, automaton: Buchi, again: &[Formula]) {
        let mut atoms = automaton.atoms.clone();
        atoms.extend(
            formulas.atoms_of(again.iter().copied()).into_iter().filter(|atom| !automaton.atoms.contains(atom)),
        );
        // What nobody sees may have any value; it has variables behind all others.
        let mut hidden: Vec<(u32, bool)> = Vec::new();
        let mut variables: Vec<u32> = Vec::new();
        for atom in &atoms {
            let seen = self.first.iter().chain(&self.second).find(|(other, _)| other == atom);
            variables.push(match seen {
                Some((_, variable)) => *variable,
                None => {
                    let variable = (self.first.len() + self.second.len() + hidden.len()) as u32;
                    hidden.push((variable, true));
                    variable
                }
            });
        }
        let hidden = self.bdds.cube(&hidden);
        let mut copies = FxHashMap::default();
        let mut rows: Vec<Vec<(Bdd, usize)>> = Vec::new();
        for row in &automaton.edges {
            let edges = row.iter().map(|&(guard, target)| {
                (copy(&mut self.bdds, &automaton.bdds, guard, &variables, &mut copies), target)
            });
            rows.push(edges.collect());
        }
        let place = |atom: AtomId| variables[atoms.iter().position(|other| *other == atom).expect("it was listed")];
        let conditions: Vec<Bdd> = again.iter().map(|now| function(&mut self.bdds, formulas, *now, place)).collect();
        let visits = Buchi { bdds: Bdds::new(2, None), atoms: Vec::new(), edges: rows, accepting: automaton.accepting };
        let levelled = self.levelled(visits, &conditions);
        let (component, counted) = levelled.components();
        let (offset, components) = (self.edges.len(), self.counted.len());
        self.start.push(offset);
        self.component.extend(component.iter().map(|component| component + components));
        self.counted.extend(counted);
        for (state, row) in levelled.edges.iter().enumerate() {
            let mut edges: Vec<(Bdd, usize)> = Vec::new();
            for &(guard, target) in row {
                let guard = self.bdds.exists(guard, hidden);
                match edges.iter_mut().find(|(_, other)| *other == target + offset) {
                    Some(edge) => edge.0 = self.bdds.or(edge.0, guard),
                    None => edges.push((guard, target + offset)),
                }
            }
            let stays = edges.iter().any(|&(guard, target)| target == state + offset && guard == Bdd::TRUE);
            self.fatal.push(stays && levelled.accepting[state]);
            self.edges.push(edges);
            self.accepting.push(levelled.accepting[state]);
        }
    }

    /// An automaton that waits for an accepting state, then for each condition in turn, and accepts when all were met.
    fn levelled(&mut self, automaton: Buchi, conditions: &[Bdd]) -> Buchi {
        if conditions.is_empty() {
            return automaton;
        }
        let (component, counted) = automaton.components();
        let last = conditions.len() + 1;
        let mut states: Vec<(usize, usize)> = vec![(0, 0)];
        let mut numbers: FxHashMap<(usize, usize), usize> = FxHashMap::default();
        numbers.insert((0, 0), 0);
        let mut edges: Vec<Vec<(Bdd, usize)>> = Vec::new();
        while edges.len() < states.len() && states.len() <= effort::UNIVERSAL_STATES.size() {
            let (state, level) = states[edges.len()];
            let level = if level == last { 0 } else { level };
            let mut row = Vec::new();
            for &(guard, target) in &automaton.edges[state] {
                let inside = component[target] == component[state] && counted[component[target]];
                let steps = match (inside, level) {
                    (false, _) => vec![(guard, 0)],
                    (true, 0) => vec![(guard, usize::from(automaton.accepting[target]))],
                    (true, level) => {
                        let met = self.bdds.and(guard, conditions[level - 1]);
                        let unmet = self.bdds.minus(guard, conditions[level - 1]);
                        vec![(met, level + 1), (unmet, level)]
                    }
                };
                for (guard, level) in steps.into_iter().filter(|(guard, _)| *guard != Bdd::FALSE) {
                    let next = states.len();
                    let number = *numbers.entry((target, level)).or_insert_with(|| {
                        states.push((target, level));
                        next
                    });
                    row.push((guard, number));
                }
            }
            edges.push(row);
        }
        // Beyond the limit the rest is left out; the caller gives up on so large an automaton.
        edges.resize(states.len(), Vec::new());
        let accepting = states.iter().map(|(_, level)| *level == last).collect();
        Buchi { edges, accepting, ..automaton }
    }
}

/// What `G F` stands before, if that is about one step.
fn recurring(formulas: &Formulas, formula: Formula) -> Option<Formula> {
    let Node::Unary(Unary::Globally, inner) = formulas.node(formula) else { return None };
    let Node::Unary(Unary::Finally, now) = formulas.node(inner) else { return None };
    is_now(formulas, now).then_some(now)
}

/// A formula about one step as a function.
fn function(bdds: &mut Bdds, formulas: &Formulas, root: Formula, variable: impl Fn(AtomId) -> u32) -> Bdd {
    let mut known: FxHashMap<Formula, Bdd> = FxHashMap::default();
    for part in formulas.reachable([root]) {
        let value = match formulas.node(part) {
            Node::Constant(true) => Bdd::TRUE,
            Node::Constant(false) => Bdd::FALSE,
            Node::Atom(atom) => bdds.variable(variable(atom)),
            Node::Unary(_, argument) => bdds.not(known[&argument]),
            Node::Binary(Binary::And, left, right) => bdds.and(known[&left], known[&right]),
            Node::Binary(_, left, right) => bdds.or(known[&left], known[&right]),
        };
        known.insert(part, value);
    }
    known[&root]
}
