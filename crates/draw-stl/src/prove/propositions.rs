//! What every signal does with propositions: order; limits and, where it is continuous, intermediate values.

use std::collections::BTreeMap;

use smt::{Term, Terms};
use stl::Spec;
use stl::store::{Formula, Node, Relation, Store};
use value::Sort;

use super::super::forms::{Form, Forms, Side};
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
        let truths: Vec<_> = forms.forms.iter().map(|form| samples(terms, facts, form, grid.last)).collect();
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
        related(terms, facts, side.relation, (less, most), !self.forms.forms[side.form].jumps)
    }

    /// For each form that several of these formulas compare, their bits, and which of them can be set together.
    pub(super) fn orders(&self, store: &Store, formulas: &[Formula]) -> Vec<(u32, Vec<u32>)> {
        let mut by_form: BTreeMap<usize, Vec<(usize, Side)>> = BTreeMap::new();
        for (bit, formula) in formulas.iter().enumerate() {
            if let Node::Compare(comparison) = store.node(*formula) {
                let side = self.forms.place(comparison, comparison.relation);
                by_form.entry(side.form).or_default().push((bit, side));
            }
        }
        let seen = |(form, sides): (usize, Vec<(usize, Side)>)| {
            let bits = sides.iter().fold(0, |bits, (bit, _)| bits | 1 << bit);
            let at = |place: usize| {
                let holds = |side: &Side| side.relation.holds(place.cmp(&(2 * side.threshold + 1)));
                sides.iter().filter(|(_, side)| holds(side)).fold(0, |bits, (bit, _)| bits | 1 << bit)
            };
            let Form { levels, named, .. } = &self.forms.forms[form];
            // Odd places are the numbers themselves: an enumeration has no others.
            let mut seen: Vec<u32> = (0..levels.places()).filter(|place| !named || place % 2 == 1).map(at).collect();
            seen.sort_unstable();
            seen.dedup();
            (bits, seen)
        };
        by_form.into_iter().map(seen).collect()
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
fn samples(terms: &mut Terms, facts: &mut Vec<Term>, form: &Form, last: usize) -> Vec<Vec<(Truth, Truth)>> {
    let thresholds = form.levels.thresholds.len();
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
        if form.named {
            only_thresholds(terms, facts, &pairs);
        }
        truths.push(pairs);
    }
    if form.jumps {
        goes_on(terms, facts, &truths);
        return truths;
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

/// That an enumeration has no values but its own: what is less than one is at most the one before it.
fn only_thresholds(terms: &mut Terms, facts: &mut Vec<Term>, pairs: &[(Truth, Truth)]) {
    if let (Some((least, _)), Some((_, most))) = (pairs.first(), pairs.last()) {
        facts.extend([terms.not(least.some), most.all]);
    }
    for pair in pairs.windows(2) {
        let (most, less) = (pair[0].1, pair[1].0);
        facts.extend([terms.implies(less.some, most.some), terms.implies(less.all, most.all)]);
    }
}

/// A signal that keeps its values has that of a point for a while after it; nothing else follows from one index for the next.
fn goes_on(terms: &mut Terms, facts: &mut Vec<Term>, truths: &[Vec<(Truth, Truth)>]) {
    for point in (0..truths.len().saturating_sub(1)).step_by(2) {
        for (here, after) in truths[point].iter().zip(&truths[point + 1]) {
            for (here, after) in [(here.0, after.0), (here.1, after.1)] {
                facts.extend([terms.implies(here.all, after.some), terms.implies(after.all, here.all)]);
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

fn related(
    terms: &mut Terms,
    facts: &mut Vec<Term>,
    relation: Relation,
    (less, most): (Truth, Truth),
    continuous: bool,
) -> Truth {
    let mut not = |truth: Truth| Truth { some: terms.not(truth.all), all: terms.not(truth.some) };
    match relation {
        Relation::Less => less,
        Relation::AtMost => most,
        Relation::Greater => not(most),
        Relation::AtLeast => not(less),
        Relation::Equal => equal(terms, facts, less, most, continuous),
        Relation::NotEqual => {
            let equal = equal(terms, facts, less, most, continuous);
            Truth { some: terms.not(equal.all), all: terms.not(equal.some) }
        }
    }
}

/// At most and not less; without jumps, between a smaller and a greater value lies the value itself.
fn equal(terms: &mut Terms, facts: &mut Vec<Term>, less: Truth, most: Truth, continuous: bool) -> Truth {
    let (not_less_ever, not_less_some) = (terms.not(less.some), terms.not(less.all));
    let all = terms.and(&[most.all, not_less_ever]);
    if less.some == less.all && most.some == most.all {
        return Truth { some: all, all };
    }
    let greater_some = terms.not(most.all);
    let crossed = terms.and(&[less.some, greater_some]);
    let least = if continuous { terms.or(&[crossed, all]) } else { all };
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
