//! One step of a formula: what must hold now and what must hold next, as a Boolean function.
//!
//! A formula in negation normal form is a Boolean function of *elements*: propositions, and subformulas that begin with
//! a temporal operator. Reading one letter turns it into a function of the letter's propositions and of the elements
//! that must hold in the next step. Every until has one variable more, *postponed*, true where its promise is put off.

use rustc_hash::FxHashMap;

use crate::bdd::{Bdd, Bdds};
use crate::formulas::{AtomId, Binary, Formula, Formulas, Node, Unary};
use crate::work;

/// The unfolding of some formulas in negation normal form, over the variables of a manager: first the propositions, by
/// their places in the list that is given, then the elements and the marks of untils.
pub struct Unfolding {
    /// The propositions; their variables are their places.
    pub atoms: Vec<AtomId>,
    /// The elements that are not propositions, with their variables.
    elements: FxHashMap<Formula, u32>,
    by_variable: FxHashMap<u32, Formula>,
    /// The variable of each until's mark, in order.
    marks: Vec<(Formula, u32)>,
    /// Every subformula as a function of elements of the same step.
    now: FxHashMap<Formula, Bdd>,
    /// Every element as a function of the letter and of the elements of the next step, with marks.
    step: FxHashMap<u32, Bdd>,
    first: u32,
    /// Whether a negated proposition is an element of its own, so that states are monotone functions of elements.
    apart: bool,
}

impl Unfolding {
    /// The unfolding of formulas, which must be in negation normal form. `atoms` are the propositions in the order of
    /// their variables; all that occur must be among them. With `apart` negated propositions are elements of their own:
    /// states are monotone then, but equal states may look different.
    pub fn new(bdds: &mut Bdds, formulas: &Formulas, roots: &[Formula], atoms: &[AtomId], apart: bool) -> Unfolding {
        let first = atoms.len() as u32;
        // Propositions may stand for themselves in a state, so they have a second variable behind the first ones.
        let mut unfolding = Unfolding {
            atoms: atoms.to_vec(),
            elements: FxHashMap::default(),
            by_variable: FxHashMap::default(),
            marks: Vec::new(),
            now: FxHashMap::default(),
            step: FxHashMap::default(),
            first,
            apart,
        };
        let mut free = first;
        for formula in formulas.reachable(roots.iter().copied()) {
            unfolding.define(bdds, formulas, formula, &mut free);
        }
        unfolding
    }

    fn define(&mut self, bdds: &mut Bdds, formulas: &Formulas, formula: Formula, free: &mut u32) {
        let mut fresh = || {
            *free += 1;
            *free - 1
        };
        let now = match formulas.node(formula) {
            Node::Constant(true) => Bdd::TRUE,
            Node::Constant(false) => Bdd::FALSE,
            Node::Atom(atom) => {
                let place = self.atoms.iter().position(|other| *other == atom).expect("every proposition has a place");
                let variable = fresh();
                self.name(formula, variable);
                let letter = bdds.variable(place as u32);
                self.step.insert(variable, letter);
                bdds.variable(variable)
            }
            Node::Unary(Unary::Not, argument) if self.apart => {
                let variable = fresh();
                self.name(formula, variable);
                let positive = self.after(bdds, self.now[&argument]);
                let step = bdds.not(positive);
                self.step.insert(variable, step);
                bdds.variable(variable)
            }
            Node::Unary(Unary::Not, argument) => bdds.not(self.now[&argument]),
            Node::Binary(Binary::And, left, right) => bdds.and(self.now[&left], self.now[&right]),
            Node::Binary(Binary::Or, left, right) => bdds.or(self.now[&left], self.now[&right]),
            Node::Unary(Unary::Next, argument) => {
                let variable = fresh();
                self.name(formula, variable);
                self.step.insert(variable, self.now[&argument]);
                bdds.variable(variable)
            }
            Node::Unary(Unary::Finally, argument) => {
                let (variable, mark) = (fresh(), fresh());
                self.name(formula, variable);
                self.marks.push((formula, mark));
                let argument = self.after(bdds, self.now[&argument]);
                let later = bdds.cube(&[(variable, true), (mark, true)]);
                let step = bdds.or(argument, later);
                self.step.insert(variable, step);
                bdds.variable(variable)
            }
            Node::Unary(Unary::Globally, argument) => {
                let variable = fresh();
                self.name(formula, variable);
                let argument = self.after(bdds, self.now[&argument]);
                let later = bdds.variable(variable);
                let step = bdds.and(argument, later);
                self.step.insert(variable, step);
                bdds.variable(variable)
            }
            Node::Binary(operator, left, right) => {
                let variable = fresh();
                self.name(formula, variable);
                let strong = matches!(operator, Binary::Until | Binary::StrongRelease);
                let mut later = bdds.variable(variable);
                if strong {
                    let mark = fresh();
                    self.marks.push((formula, mark));
                    later = bdds.cube(&[(variable, true), (mark, true)]);
                }
                let left = self.after(bdds, self.now[&left]);
                let right = self.after(bdds, self.now[&right]);
                let step = if matches!(operator, Binary::Until | Binary::WeakUntil) {
                    let wait = bdds.and(left, later);
                    bdds.or(right, wait)
                } else {
                    let wait = bdds.or(left, later);
                    bdds.and(right, wait)
                };
                self.step.insert(variable, step);
                bdds.variable(variable)
            }
        };
        self.now.insert(formula, now);
    }

    fn name(&mut self, formula: Formula, variable: u32) {
        self.elements.insert(formula, variable);
        self.by_variable.insert(variable, formula);
    }

    /// A subformula as a function of the elements of the same step: a state that means just this formula.
    pub fn state(&self, formula: Formula) -> Bdd {
        self.now[&formula]
    }

    /// A state after one letter: a function of the letter, the elements of the next step, and the marks.
    pub fn after(&self, bdds: &mut Bdds, state: Bdd) -> Bdd {
        bdds.compose(state, &self.step)
    }

    /// One step of every element where some propositions of the letter have known values, given as a cube.
    pub fn steps_within(&self, bdds: &mut Bdds, known: Bdd) -> FxHashMap<u32, Bdd> {
        let mut variables: Vec<u32> = self.by_variable.keys().copied().collect();
        variables.sort_unstable();
        variables.into_iter().map(|variable| (variable, bdds.cofactor(self.step[&variable], known))).collect()
    }

    /// The first variable that is not a proposition of the letter.
    pub fn first_element(&self) -> u32 {
        self.first
    }

    /// The untils and the variables that say they are put off.
    pub fn marks(&self) -> &[(Formula, u32)] {
        &self.marks
    }

    /// The element of a variable; none for a mark.
    pub fn element(&self, variable: u32) -> Option<Formula> {
        self.by_variable.get(&variable).copied()
    }

    /// The smallest sets of elements and marks that make a monotone function true, at most `most`.
    pub fn smallest(bdds: &Bdds, function: Bdd, most: usize) -> Option<Vec<Vec<u32>>> {
        let support = bdds.support(function);
        match support.len() {
            0..=64 => smallest_sets::<u64>(bdds, function, &support, most),
            65..=128 => smallest_sets::<u128>(bdds, function, &support, most),
            _ => smallest_sets::<Vec<u32>>(bdds, function, &support, most),
        }
    }

    /// Splits a function of letters and elements by the letter: for each different rest the letters that lead to it.
    pub fn split(&self, bdds: &mut Bdds, function: Bdd) -> Vec<(Bdd, Bdd)> {
        let mut order: Vec<Bdd> = Vec::new();
        let mut guards: FxHashMap<Bdd, Bdd> = FxHashMap::default();
        let mut open = vec![(function, Bdd::TRUE)];
        // Guards are collected from the top, nodes in the order of their variables, each once.
        let mut layers: std::collections::BTreeMap<(u32, Bdd), Bdd> = std::collections::BTreeMap::new();
        loop {
            while let Some((function, guard)) = open.pop() {
                let target = if function.is_constant() || self.first <= bdds.top(function) {
                    if !guards.contains_key(&function) {
                        order.push(function);
                    }
                    guards.entry(function).or_insert(Bdd::FALSE)
                } else {
                    layers.entry((bdds.top(function), function)).or_insert(Bdd::FALSE)
                };
                let old = *target;
                let joined = bdds.or(old, guard);
                if function.is_constant() || self.first <= bdds.top(function) {
                    guards.insert(function, joined);
                } else {
                    layers.insert((bdds.top(function), function), joined);
                }
            }
            let Some(((variable, function), guard)) = layers.pop_first() else { break };
            let (low, high) = bdds.branches(function);
            for (branch, value) in [(high, true), (low, false)] {
                let literal = bdds.literal(variable, value);
                let guard = bdds.and(guard, literal);
                open.push((branch, guard));
            }
        }
        order.into_iter().map(|rest| (rest, guards[&rest])).collect()
    }
}

/// A set of places in the support of a function.
trait Places: Clone + Default {
    fn with(&self, place: u32) -> Self;
    fn is_inside(&self, other: &Self) -> bool;
    fn contains(&self, place: u32) -> bool;
}

macro_rules! bits {
    ($word:ty) => {
        impl Places for $word {
            fn with(&self, place: u32) -> $word {
                self | 1 << place
            }

            fn is_inside(&self, other: &$word) -> bool {
                self & !other == 0
            }

            fn contains(&self, place: u32) -> bool {
                self >> place & 1 == 1
            }
        }
    };
}

bits!(u64);
bits!(u128);

impl Places for Vec<u32> {
    fn with(&self, place: u32) -> Vec<u32> {
        std::iter::once(place).chain(self.iter().copied()).collect()
    }

    fn is_inside(&self, other: &Vec<u32>) -> bool {
        self.iter().all(|item| <[u32]>::contains(other, item))
    }

    fn contains(&self, place: u32) -> bool {
        <[u32]>::contains(self, &place)
    }
}

/// The smallest sets that make a monotone function true, from the bottom of its diagram up.
fn smallest_sets<S: Places>(bdds: &Bdds, function: Bdd, support: &[u32], most: usize) -> Option<Vec<Vec<u32>>> {
    let mut known: FxHashMap<Bdd, Vec<S>> = FxHashMap::default();
    known.insert(Bdd::FALSE, Vec::new());
    known.insert(Bdd::TRUE, vec![S::default()]);
    let mut open = vec![function];
    while let Some(&current) = open.last() {
        if known.contains_key(&current) {
            open.pop();
            continue;
        }
        let (low, high) = bdds.branches(current);
        let (Some(without), Some(with)) = (known.get(&low), known.get(&high)) else {
            open.extend([low, high].into_iter().filter(|branch| !known.contains_key(branch)));
            continue;
        };
        let place = support.binary_search(&bdds.top(current)).expect("a function depends on its variables") as u32;
        let mut sets = without.clone();
        let is_new = |set: &&S| !without.iter().any(|small| small.is_inside(set));
        sets.extend(with.iter().filter(is_new).map(|set| set.with(place)));
        if most < sets.len() {
            return None;
        }
        work::spend(sets.len() as u64);
        known.insert(current, sets);
        open.pop();
    }
    let sets = known.remove(&function)?;
    let listed = |set: S| (0..).zip(support).filter(|(place, _)| set.contains(*place)).map(|(_, item)| *item).collect();
    Some(sets.into_iter().map(listed).collect())
}
