//! Connectives inside cells: which combinations of truth values their leaves take at some time of a cell.
//!
//! "At some time" and "at all times" of two leaves say little about their conjunction. So each combination of the truth values of all
//! leaves below connectives, propositions and temporal formulas alike, has a truth value of its own: it occurs in the cell. What no
//! instant shows does not occur: `x < 3` with `x > 5`, or `G[0,2] p` without `p`.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use smt::Term;
use stl::store::{Formula, Node, Store};
use value::Sort;

use super::{Prover, Truth};

/// More leaves than this are not combined.
const MOST_LEAVES: usize = 6;

/// Beyond so many combinations in all cells together, further ones are not told apart.
const MOST_COMBINATIONS: usize = 400_000;

/// The leaves below connectives, and the combinations of their truth values that an instant may show, as bits in their order.
pub(super) struct Layer {
    leaves: Vec<Formula>,
    combinations: Vec<u32>,
}

/// Combinations with the terms that say that they occur in a cell.
pub(super) type Occurrences = Rc<Vec<(u32, Term)>>;

/// What was made so far.
#[derive(Default)]
pub(super) struct Layers {
    layers: FxHashMap<Formula, Option<Rc<Layer>>>,
    occurrences: FxHashMap<(Vec<Formula>, usize), Occurrences>,
    made: usize,
}

impl Prover<'_> {
    /// A connective in a cell, from the combinations that occur there; none if there are too many.
    pub(super) fn combined(&mut self, formula: Formula, cell: usize) -> Option<Truth> {
        let layer = self.layer(formula)?;
        let occurrences = self.occurrences(&layer, cell)?;
        let truth = self.seen(&layer, &occurrences, formula);
        // What is known of the operands is known of the same combinations.
        for arg in self.spec.store.node(formula).args() {
            if layer.leaves.contains(&arg) {
                continue;
            }
            let own = self.made[&(arg, cell)];
            let seen = self.seen(&layer, &occurrences, arg);
            if own != seen {
                self.same(own, seen);
            }
        }
        Some(truth)
    }

    fn same(&mut self, left: Truth, right: Truth) {
        let (some, all) = (self.terms.eq(left.some, right.some), self.terms.eq(left.all, right.all));
        self.facts.extend([some, all]);
    }

    fn layer(&mut self, formula: Formula) -> Option<Rc<Layer>> {
        if let Some(known) = self.layers.layers.get(&formula) {
            return known.clone();
        }
        let store = &self.spec.store;
        let leaves = leaves(store, formula);
        let layer = leaves.map(|leaves| {
            let all = 0..1u32 << leaves.len();
            let mut combinations: Vec<u32> = all.filter(|&mask| possible(store, &leaves, mask)).collect();
            let orders = self.propositions.orders(store, &leaves);
            combinations.retain(|mask| orders.iter().all(|(bits, seen)| seen.contains(&(mask & bits))));
            Rc::new(Layer { leaves, combinations })
        });
        self.layers.layers.insert(formula, layer.clone());
        layer
    }

    fn occurrences(&mut self, layer: &Layer, cell: usize) -> Option<Occurrences> {
        let key = (layer.leaves.clone(), cell);
        if let Some(known) = self.layers.occurrences.get(&key) {
            return Some(known.clone());
        }
        self.layers.made += layer.combinations.len();
        if MOST_COMBINATIONS < self.layers.made {
            return None;
        }
        let occurs = |mask: &u32| (*mask, self.terms.fresh("occurs", &Sort::Bool));
        let occurrences: Occurrences = Rc::new(layer.combinations.iter().map(occurs).collect());
        let any: Vec<Term> = occurrences.iter().map(|(_, occurs)| *occurs).collect();
        let any = self.terms.or(&any);
        self.facts.push(any);
        for &leaf in &layer.leaves {
            let (own, seen) = (self.made[&(leaf, cell)], self.seen(layer, &occurrences, leaf));
            self.same(own, seen);
        }
        self.layers.occurrences.insert(key, occurrences.clone());
        Some(occurrences)
    }

    /// The truth of a formula over the leaves in the combinations that occur.
    fn seen(&mut self, layer: &Layer, occurrences: &Occurrences, formula: Formula) -> Truth {
        let (mut yes, mut no) = (Vec::new(), Vec::new());
        for &(mask, occurs) in occurrences.iter() {
            let truth = value(&self.spec.store, &layer.leaves, mask, formula);
            if truth.expect("the leaves are below the formula") { yes.push(occurs) } else { no.push(occurs) }
        }
        let (some, never) = (self.terms.or(&yes), self.terms.or(&no));
        Truth { some, all: self.terms.not(never) }
    }
}

/// What stands below the connectives of a formula; none if that is too much.
fn leaves(store: &Store, formula: Formula) -> Option<Vec<Formula>> {
    let mut leaves: Vec<Formula> = Vec::new();
    let mut open = vec![formula];
    while let Some(part) = open.pop() {
        match store.node(part) {
            Node::Constant(_) => {}
            node if node.is_logical() || matches!(node, Node::Not(_)) => open.extend(node.args()),
            _ if leaves.contains(&part) => {}
            _ if leaves.len() == MOST_LEAVES => return None,
            _ => leaves.push(part),
        }
    }
    leaves.sort();
    Some(leaves)
}

/// The truth of a formula where its leaves have these truth values; none if it has others.
fn value(store: &Store, leaves: &[Formula], mask: u32, formula: Formula) -> Option<bool> {
    if let Ok(place) = leaves.binary_search(&formula) {
        return Some(mask >> place & 1 == 1);
    }
    // Connectives nest as deep as the user writes them, so the truth values of operands are kept on a stack.
    let mut known: FxHashMap<Formula, bool> = FxHashMap::default();
    let mut open = vec![(formula, false)];
    while let Some((part, visited)) = open.pop() {
        let node = store.node(part);
        let truth = match leaves.binary_search(&part) {
            Ok(place) => mask >> place & 1 == 1,
            Err(_) if !visited && (node.is_logical() || matches!(node, Node::Not(_))) => {
                open.push((part, true));
                open.extend(node.args().into_iter().map(|arg| (arg, false)));
                continue;
            }
            Err(_) => match node {
                Node::Constant(truth) => *truth,
                Node::Not(arg) => !known[arg],
                Node::And(left, right) => known[left] && known[right],
                Node::Or(left, right) => known[left] || known[right],
                Node::Implies(left, right) => !known[left] || known[right],
                _ => return None,
            },
        };
        known.insert(part, truth);
    }
    known.get(&formula).copied()
}

/// Whether an instant may show these truth values: a temporal formula whose window begins now says something about now.
fn possible(store: &Store, leaves: &[Formula], mask: u32) -> bool {
    leaves.iter().enumerate().all(|(place, leaf)| {
        let truth = mask >> place & 1 == 1;
        let node = store.node(*leaf);
        let Some(window) = node.window().filter(|window| !window.is_empty()) else { return true };
        let now = window.lower.is_zero();
        // Nothing is known of operands with other leaves.
        let of = |arg: &Formula| value(store, leaves, mask, *arg);
        let implied = |premise: bool, conclusion: Option<bool>| !premise || conclusion != Some(false);
        let implies = |premise: Option<bool>| premise != Some(true) || truth;
        let either = |left: Option<bool>, right: Option<bool>| match (left, right) {
            (Some(false), Some(false)) => Some(false),
            (Some(true), _) | (_, Some(true)) => Some(true),
            _ => None,
        };
        let both = |left: Option<bool>, right: Option<bool>| {
            either(left.map(|left| !left), right.map(|right| !right)).map(|either| !either)
        };
        match node {
            Node::Globally(_, arg) | Node::Historically(_, arg) => !now || implied(truth, of(arg)),
            Node::Finally(_, arg) | Node::Once(_, arg) => !now || implies(of(arg)),
            Node::Until(_, left, right) | Node::Since(_, left, right) => match now {
                true => implies(of(right)) && implied(truth, either(of(left), of(right))),
                false => implied(truth, of(left)),
            },
            Node::Release(_, left, right) => match now {
                true => implied(truth, of(right)) && implies(both(of(left), of(right))),
                false => implies(of(left)),
            },
            Node::Constant(_)
            | Node::Signal(_)
            | Node::Compare(_)
            | Node::Not(_)
            | Node::And(..)
            | Node::Or(..)
            | Node::Implies(..)
            | Node::Next(..) => true,
        }
    })
}
