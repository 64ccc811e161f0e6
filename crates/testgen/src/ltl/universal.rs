//! A universal co-Büchi automaton for a formula: one small automaton for every part of it.
//!
//! A word satisfies the formula if *every* run of the automaton meets accepting states only finitely often. Since all runs
//! count, a conjunction is the union of the automata of its parts, and what a player does not see is simply projected out
//! of the guards.

use ltl::automaton::{Limits, translate};
use ltl::bdd::{Bdd, Bdds};
use ltl::simplify::simplify;
use ltl::{AtomId, Binary, Formula, Formulas, Node};
use rustc_hash::FxHashMap;

use super::arena::copy;

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

/// The most parts, and the most states of all their automata together.
const MOST_PARTS: usize = 300;
const MOST_STATES: usize = 6000;

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
            Some(place) if open.len() + done.len() < MOST_PARTS => {
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

fn disjuncts(formulas: &Formulas, root: Formula) -> Vec<Formula> {
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
        let unseen = (first.len() + second.len()) as u32;
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
            let whole = formulas.any(part.iter().copied());
            let negated = formulas.not(whole);
            let automaton = translate(formulas, negated, Limits { states: MOST_STATES, ..limits })?;
            if automaton.is_empty_language() {
                continue;
            }
            universal.join(automaton.degeneralise(), unseen);
            if MOST_STATES < universal.edges.len() || universal.bdds.is_exhausted() {
                return None;
            }
        }
        Some(universal)
    }

    fn join(&mut self, automaton: ltl::automaton::Buchi, unseen: u32) {
        let offset = self.edges.len();
        let components = self.counted.len();
        let (component, counted) = automaton.components();
        self.component.extend(component.iter().map(|component| component + components));
        self.counted.extend(counted);
        self.start.push(offset);
        // What nobody sees may have any value.
        let mut hidden = Vec::new();
        let mut variables = Vec::new();
        for atom in &automaton.atoms {
            let seen = self.first.iter().chain(&self.second).find(|(other, _)| other == atom);
            variables.push(seen.map_or_else(
                || {
                    hidden.push((unseen + hidden.len() as u32, true));
                    unseen + hidden.len() as u32 - 1
                },
                |(_, variable)| *variable,
            ));
        }
        let hidden = self.bdds.cube(&hidden);
        let mut copies = FxHashMap::default();
        for (state, row) in automaton.edges.iter().enumerate() {
            let mut edges: Vec<(Bdd, usize)> = Vec::new();
            for &(guard, target) in row {
                let guard = copy(&mut self.bdds, &automaton.bdds, guard, &variables, &mut copies);
                let guard = self.bdds.exists(guard, hidden);
                match edges.iter_mut().find(|(_, other)| *other == target + offset) {
                    Some(edge) => edge.0 = self.bdds.or(edge.0, guard),
                    None => edges.push((guard, target + offset)),
                }
            }
            let stays = edges.iter().any(|&(guard, target)| target == state + offset && guard == Bdd::TRUE);
            self.fatal.push(stays && automaton.accepting[state]);
            self.edges.push(edges);
            self.accepting.push(automaton.accepting[state]);
        }
    }
}
