//! A checked specification.

use std::collections::BTreeMap;

use indexmap::IndexSet;
use source::Span;
use value::{RBig, Sort};

use crate::store::{Comparison, Formula, SignalId, Store, Window};

/// A formula with its signals, checked.
#[derive(Clone, Debug)]
pub struct Spec {
    /// The title, if the file has one.
    pub title: Option<String>,
    /// The requirement in words, if the file has one.
    pub requirement: Option<String>,
    /// How many seconds the unit of its times has, if the file says so.
    pub unit: Option<RBig>,
    /// The signals, in order of first use.
    pub signals: Vec<Signal>,
    /// The formula and what is made from it.
    pub store: Store,
    /// The formula.
    pub formula: Formula,
    /// The formula as a tree, operands before what uses them, the whole last.
    pub occurrences: Vec<Occurrence>,
}

/// A signal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signal {
    /// Its name.
    pub name: String,
    /// `Sort::Bool` or `Sort::Real`.
    pub sort: Sort,
    /// How a number goes on between samples; truth values keep theirs.
    pub shape: Shape,
}

/// How a signal goes on between samples.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// On a straight line; a jump is written as two values at one time.
    Straight,
    /// A value is kept up to the next one: zero-order hold. From its time on, a signal has the new value.
    Steps,
    /// The same, for the values of an enumeration, which have these names and count from zero.
    Named(Vec<String>),
}

/// A place of the formula's tree.
#[derive(Clone, Debug)]
pub struct Occurrence {
    /// The formula that stands there.
    pub formula: Formula,
    /// The places of its operands.
    pub args: Vec<u32>,
    /// Where it is written.
    pub span: Span,
}

impl Spec {
    /// A specification built without a text; the spans are empty.
    pub fn from_parts(signals: Vec<Signal>, store: Store, formula: Formula) -> Spec {
        let mut spec =
            Spec { title: None, requirement: None, unit: None, signals, store, formula, occurrences: Vec::new() };
        spec.occurrences = tree(&spec.store, formula);
        spec
    }

    /// The same with the places of a tree that has the shape of the formula.
    pub(crate) fn with_places(mut self, shape: &[Occurrence]) -> Spec {
        self.occurrences = tree(&self.store, self.formula);
        // Both are in the same order: operands before what uses them, from left to right.
        for (occurrence, place) in self.occurrences.iter_mut().zip(shape) {
            occurrence.span = place.span;
        }
        self
    }

    /// The same with windows that end: where one has no upper bound, it ends so far ahead, or with its lower bound.
    #[must_use]
    pub fn bounded(&self, horizon: &RBig) -> Spec {
        let mut store = Store::default();
        let mut images: BTreeMap<Formula, Formula> = BTreeMap::new();
        let roots: Vec<Formula> = self.occurrences.iter().map(|place| place.formula).chain([self.formula]).collect();
        for part in self.store.below(&roots) {
            let node = self.store.node(part);
            let node = node.with_args(&node.args().iter().map(|arg| images[arg]).collect::<Vec<_>>());
            let node = match node.window().filter(|_| node.is_open_ended()) {
                Some(Window { lower, .. }) => {
                    let upper = horizon.clone().max(lower.clone());
                    node.with_window(Window::new(lower.clone(), upper))
                }
                None => node,
            };
            images.insert(part, store.add(node));
        }
        let place = |place: &Occurrence| Occurrence { formula: images[&place.formula], ..place.clone() };
        let occurrences = self.occurrences.iter().map(place).collect();
        Spec { store, formula: images[&self.formula], occurrences, ..self.clone() }
    }

    /// The same with signals that keep their values between samples in place of straight ones.
    #[must_use]
    pub fn stepping(mut self) -> Spec {
        for signal in self.signals.iter_mut().filter(|signal| signal.shape == Shape::Straight) {
            signal.shape = Shape::Steps;
        }
        self
    }

    /// The names of the values that a comparison is about, if it is one of an enumeration.
    pub fn names_of(&self, comparison: &Comparison) -> Option<&[String]> {
        names_of(&self.signals, comparison)
    }

    /// The signal called `name`.
    pub fn signal(&self, name: &str) -> Option<SignalId> {
        let place = self.signals.iter().position(|signal| signal.name == name)?;
        Some(SignalId(place as u32))
    }

    /// The atomic propositions, in order of first occurrence.
    pub fn propositions(&self) -> Vec<Formula> {
        let propositions = self.occurrences.iter().map(|occurrence| occurrence.formula);
        let found: IndexSet<Formula> =
            propositions.filter(|&formula| self.store.node(formula).is_proposition()).collect();
        found.into_iter().collect()
    }

    /// The greatest step that divides all bounds; 1 if there is none but zero.
    pub fn step(&self) -> RBig {
        crate::horizon::step(&self.store, &[self.formula])
    }
}

/// The names of the values that a comparison is about, if it is one of an enumeration.
pub(crate) fn names_of<'s>(signals: &'s [Signal], comparison: &Comparison) -> Option<&'s [String]> {
    let (_, signal) = comparison.form.first()?;
    match &signals[signal.0 as usize].shape {
        Shape::Named(names) => Some(names),
        Shape::Straight | Shape::Steps => None,
    }
}

/// The tree of a formula, made with an explicit stack.
fn tree(store: &Store, root: Formula) -> Vec<Occurrence> {
    let mut occurrences: Vec<Occurrence> = Vec::new();
    let mut results: Vec<u32> = Vec::new();
    let mut stack = vec![(root, false)];
    while let Some((formula, visited)) = stack.pop() {
        let args = store.node(formula).args();
        if visited {
            let args = results.split_off(results.len() - args.len());
            results.push(occurrences.len() as u32);
            occurrences.push(Occurrence { formula, args, span: Span::default() });
        } else {
            stack.push((formula, true));
            stack.extend(args.iter().rev().map(|&arg| (arg, false)));
        }
    }
    occurrences
}
