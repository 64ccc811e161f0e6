//! What every continuous signal does with propositions: order, limits, intermediate values.

use smt::{Term, Terms};
use stl::Spec;
use stl::store::{Comparison, Formula, Node, Relation, SignalId};
use value::{RBig, Sort};

use super::super::grid::{Grid, is_cell};
use super::Truth;

/// The truth of propositions at all indices.
pub(super) struct Propositions {
    booleans: Vec<Vec<Truth>>,
    /// For each linear form, made to start with coefficient one, its thresholds and their truths.
    forms: Vec<Form>,
}

struct Form {
    form: Vec<(RBig, SignalId)>,
    thresholds: Vec<RBig>,
    /// For each index and threshold, "less than" and "at most".
    truths: Vec<Vec<(Truth, Truth)>>,
}

impl Propositions {
    pub(super) fn new(
        terms: &mut Terms,
        facts: &mut Vec<Term>,
        spec: &Spec,
        formulas: &[Formula],
        grid: &Grid,
    ) -> Propositions {
        let mut booleans = Vec::new();
        for signal in &spec.signals {
            let wanted = if signal.sort == Sort::Bool { grid.last + 1 } else { 0 };
            let truths: Vec<Truth> = (0..wanted).map(|index| fresh(terms, facts, index)).collect();
            booleans.push(truths);
        }
        let mut forms: Vec<Form> = Vec::new();
        for formula in spec.store.below(formulas) {
            if let Node::Compare(comparison) = spec.store.node(formula) {
                let (form, _, threshold) = normalised(comparison);
                match forms.iter_mut().find(|known| known.form == form) {
                    Some(known) => known.thresholds.push(threshold),
                    None => forms.push(Form { form, thresholds: vec![threshold], truths: Vec::new() }),
                }
            }
        }
        for form in &mut forms {
            form.thresholds.sort();
            form.thresholds.dedup();
            form.samples(terms, facts, grid.last);
        }
        Propositions { booleans, forms }
    }

    /// The truth of a proposition at an index.
    pub(super) fn truth(&self, terms: &mut Terms, facts: &mut Vec<Term>, node: &Node, index: usize) -> Truth {
        match node {
            Node::Signal(signal) => self.booleans[signal.0 as usize][index],
            Node::Compare(comparison) => {
                let (form, relation, threshold) = normalised(comparison);
                let form = self.forms.iter().find(|known| known.form == form).expect("all forms are known");
                let place = form.thresholds.binary_search(&threshold).expect("all thresholds are known");
                let (less, most) = form.truths[index][place];
                related(terms, facts, relation, less, most)
            }
            _ => unreachable!("only propositions are asked for"),
        }
    }
}

impl Form {
    fn samples(&mut self, terms: &mut Terms, facts: &mut Vec<Term>, last: usize) {
        for index in 0..=last {
            let pairs: Vec<(Truth, Truth)> =
                (self.thresholds.iter()).map(|_| (fresh(terms, facts, index), fresh(terms, facts, index))).collect();
            // What is less than a number is at most it, and less than the next.
            let chain: Vec<Truth> = pairs.iter().flat_map(|&(less, most)| [less, most]).collect();
            for pair in chain.windows(2) {
                facts.push(terms.implies(pair[0].some, pair[1].some));
                facts.push(terms.implies(pair[0].all, pair[1].all));
            }
            self.truths.push(pairs);
        }
        // Limits: what is less at a point is less nearby; what is at most throughout a cell is so at its ends.
        for point in (0..=last).step_by(2) {
            let cells = [point.checked_sub(1), Some(point + 1).filter(|&cell| cell <= last)];
            for cell in cells.into_iter().flatten() {
                for place in 0..self.thresholds.len() {
                    let ((less_here, most_here), (less, most)) = (self.truths[point][place], self.truths[cell][place]);
                    facts.push(terms.implies(less_here.all, less.some));
                    facts.push(terms.implies(most.all, most_here.all));
                }
            }
        }
    }
}

/// A truth of which nothing is known but that all times imply some.
fn fresh(terms: &mut Terms, facts: &mut Vec<Term>, index: usize) -> Truth {
    let some = terms.fresh("some", &Sort::Bool);
    if !is_cell(index) {
        return Truth { some, all: some };
    }
    let all = terms.fresh("all", &Sort::Bool);
    facts.push(terms.implies(all, some));
    Truth { some, all }
}

fn related(terms: &mut Terms, facts: &mut Vec<Term>, relation: Relation, less: Truth, most: Truth) -> Truth {
    let mut not = |truth: Truth| Truth { some: terms.not(truth.all), all: terms.not(truth.some) };
    match relation {
        Relation::Less => less,
        Relation::AtMost => most,
        Relation::Greater => not(most),
        Relation::AtLeast => not(less),
        Relation::Equal => equal(terms, facts, less, most),
        Relation::NotEqual => {
            let equal = equal(terms, facts, less, most);
            Truth { some: terms.not(equal.all), all: terms.not(equal.some) }
        }
    }
}

/// At most and not less; between a smaller and a greater value lies the value itself.
fn equal(terms: &mut Terms, facts: &mut Vec<Term>, less: Truth, most: Truth) -> Truth {
    let (not_less_ever, not_less_some) = (terms.not(less.some), terms.not(less.all));
    let all = terms.and(&[most.all, not_less_ever]);
    if less.some == less.all && most.some == most.all {
        return Truth { some: all, all };
    }
    let greater_some = terms.not(most.all);
    let crossed = terms.and(&[less.some, greater_some]);
    let least = terms.or(&[crossed, all]);
    let upper = terms.and(&[most.some, not_less_some]);
    let some = terms.fresh("open", &Sort::Bool);
    facts.push(terms.implies(least, some));
    facts.push(terms.implies(some, upper));
    // All at most and some not less: equal there. Never less and some at most: equal there too.
    let touching = terms.and(&[most.all, not_less_some]);
    facts.push(terms.implies(touching, some));
    let touching = terms.and(&[most.some, not_less_ever]);
    facts.push(terms.implies(touching, some));
    Truth { some, all }
}

/// The comparison divided by its first coefficient.
fn normalised(comparison: &Comparison) -> (Vec<(RBig, SignalId)>, Relation, RBig) {
    let first = comparison.form[0].0.clone();
    let relation = if first < RBig::ZERO { comparison.relation.mirrored() } else { comparison.relation };
    let form = comparison.form.iter().map(|(coefficient, signal)| (coefficient / &first, *signal)).collect();
    (form, relation, &comparison.bound / &first)
}
