//! What every continuous signal does with propositions: order, limits, intermediate values.

use smt::{Term, Terms};
use stl::Spec;
use stl::store::{Formula, Node, Relation};
use value::Sort;

use super::super::forms::{Forms, Side};
use super::super::grid::{Grid, is_cell};
use super::Truth;

/// The truth of propositions at all indices.
pub(super) struct Propositions {
    booleans: Vec<Vec<Truth>>,
    forms: Forms,
    /// For each form, index and threshold, "less than" and "at most".
    truths: Vec<Vec<Vec<(Truth, Truth)>>>,
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
        let forms = Forms::of(spec, formulas);
        let truths: Vec<_> =
            forms.forms.iter().map(|form| samples(terms, facts, form.levels.thresholds.len(), grid.last)).collect();
        let propositions = Propositions { booleans, forms, truths };
        propositions.exclude(terms, facts, grid.last);
        propositions
    }

    /// That impossible combinations never occur: not at one time of a cell while the others hold throughout it.
    fn exclude(&self, terms: &mut Terms, facts: &mut Vec<Term>, last: usize) {
        let conflicts = self.forms.conflicts();
        for index in 0..=last {
            for conflict in &conflicts {
                let sides: Vec<Truth> = conflict.iter().map(|side| self.side(terms, facts, *side, index)).collect();
                let choices = if is_cell(index) { sides.len() } else { 1 };
                for once in 0..choices {
                    let truth = |(place, side): (usize, &Truth)| if place == once { side.some } else { side.all };
                    let outside: Vec<Term> =
                        sides.iter().enumerate().map(truth).map(|inside| terms.not(inside)).collect();
                    facts.push(terms.or(&outside));
                }
            }
        }
    }

    fn side(&self, terms: &mut Terms, facts: &mut Vec<Term>, side: Side, index: usize) -> Truth {
        let (less, most) = self.truths[side.form][index][side.threshold];
        related(terms, facts, side.relation, less, most)
    }

    /// The truth of a proposition at an index.
    pub(super) fn truth(&self, terms: &mut Terms, facts: &mut Vec<Term>, node: &Node, index: usize) -> Truth {
        match node {
            Node::Signal(signal) => self.booleans[signal.0 as usize][index],
            Node::Compare(comparison) => {
                let side = self.forms.place(comparison, comparison.relation);
                self.side(terms, facts, side, index)
            }
            _ => unreachable!("only propositions are asked for"),
        }
    }
}

/// For each index and threshold, whether a form is less than it, and at most it.
fn samples(terms: &mut Terms, facts: &mut Vec<Term>, thresholds: usize, last: usize) -> Vec<Vec<(Truth, Truth)>> {
    let mut truths: Vec<Vec<(Truth, Truth)>> = Vec::new();
    for index in 0..=last {
        let pairs: Vec<(Truth, Truth)> =
            (0..thresholds).map(|_| (fresh(terms, facts, index), fresh(terms, facts, index))).collect();
        // What is less than a number is at most it, and less than the next.
        let chain: Vec<Truth> = pairs.iter().flat_map(|&(less, most)| [less, most]).collect();
        for pair in chain.windows(2) {
            facts.push(terms.implies(pair[0].some, pair[1].some));
            facts.push(terms.implies(pair[0].all, pair[1].all));
        }
        truths.push(pairs);
    }
    // Limits: what is less at a point is less nearby; what is at most throughout a cell is so at its ends.
    for point in (0..=last).step_by(2) {
        let cells = [point.checked_sub(1), Some(point + 1).filter(|&cell| cell <= last)];
        for cell in cells.into_iter().flatten() {
            for (&(less_here, most_here), &(less, most)) in truths[point].iter().zip(&truths[cell]) {
                facts.push(terms.implies(less_here.all, less.some));
                facts.push(terms.implies(most.all, most_here.all));
            }
        }
    }
    truths
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
