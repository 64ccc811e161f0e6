//! Propositions at points and in cells, as terms.
//!
//! A signal compared with constants only is an order over finitely many thresholds: for each sample, truth values "below the
//! threshold" and "not above it". Signals that occur in sums are real terms.

use smt::{Model, Op, Term, Terms};
use stl::Spec;
use stl::levels::Levels;
use stl::signal::{SignalValue, Step, Trace};
use stl::store::{Comparison, Formula, Node, Relation, SignalId};
use value::{RBig, Sort, Value};

use super::grid::{Grid, is_cell};

/// The samples of every signal.
pub(super) struct Atoms {
    samples: Vec<Samples>,
    levels: Vec<Levels>,
}

enum Samples {
    /// One truth value for each index.
    Bool(Vec<Term>),
    /// For each index, "less than" and "at most" for each threshold.
    Ordered(Vec<Vec<(Term, Term)>>),
    /// One real for each index.
    Real(Vec<Term>),
}

impl Atoms {
    /// Symbols for all samples.
    pub(super) fn new(terms: &mut Terms, spec: &Spec, formulas: &[Formula], grid: &Grid) -> Atoms {
        let summed = summed(spec, formulas);
        let mut atoms = Atoms { samples: Vec::new(), levels: Vec::new() };
        for (place, signal) in spec.signals.iter().enumerate() {
            let id = SignalId(place as u32);
            let levels = Levels::of(&spec.store, formulas, id);
            let name = |index: usize| format!("{}@{index}", signal.name);
            let samples = if signal.sort == Sort::Bool {
                Samples::Bool((0..=grid.last).map(|index| terms.symbol(&name(index), &Sort::Bool)).collect())
            } else if summed[place] {
                Samples::Real((0..=grid.last).map(|index| terms.symbol(&name(index), &Sort::Real)).collect())
            } else {
                let mut ordered = Vec::with_capacity(grid.last + 1);
                for index in 0..=grid.last {
                    let mut pair = |number: &RBig| {
                        let text = format!("{}{}", name(index), stl::write_number(number));
                        let less = terms.symbol(&format!("{text}:lt"), &Sort::Bool);
                        (less, terms.symbol(&format!("{text}:le"), &Sort::Bool))
                    };
                    ordered.push(levels.thresholds.iter().map(&mut pair).collect());
                }
                Samples::Ordered(ordered)
            };
            atoms.samples.push(samples);
            atoms.levels.push(levels);
        }
        atoms
    }

    /// That each sample has one place in the order of the thresholds.
    pub(super) fn facts(&self, terms: &mut Terms) -> Vec<Term> {
        let mut facts = Vec::new();
        for samples in &self.samples {
            if let Samples::Ordered(ordered) = samples {
                for sample in ordered {
                    let chain: Vec<Term> = sample.iter().flat_map(|&(less, most)| [less, most]).collect();
                    facts.extend(chain.windows(2).map(|pair| terms.implies(pair[0], pair[1])));
                }
            }
        }
        facts
    }

    /// That a proposition is surely true, or surely false, at an index.
    pub(super) fn literal(&self, terms: &mut Terms, node: &Node, index: usize, truth: bool) -> Term {
        match node {
            Node::Signal(signal) => {
                let Samples::Bool(samples) = &self.samples[signal.0 as usize] else {
                    unreachable!("the checker gives every signal one sort")
                };
                if truth { samples[index] } else { terms.not(samples[index]) }
            }
            Node::Compare(comparison) => {
                let relation = if truth { comparison.relation } else { comparison.relation.opposite() };
                if is_cell(index) {
                    self.throughout(terms, comparison, relation, index)
                } else {
                    self.relates(terms, comparison, relation, index)
                }
            }
            _ => unreachable!("only propositions have literals"),
        }
    }

    /// That a comparison holds at all times of a cell: its two halves are straight.
    fn throughout(&self, terms: &mut Terms, comparison: &Comparison, relation: Relation, cell: usize) -> Term {
        let mut parts = |ends: Relation, middle: Relation| {
            let first = self.relates(terms, comparison, ends, cell - 1);
            let inside = self.relates(terms, comparison, middle, cell);
            let last = self.relates(terms, comparison, ends, cell + 1);
            terms.and(&[first, inside, last])
        };
        match relation {
            Relation::Less | Relation::AtMost => parts(Relation::AtMost, relation),
            Relation::Greater | Relation::AtLeast => parts(Relation::AtLeast, relation),
            Relation::Equal => parts(Relation::Equal, Relation::Equal),
            Relation::NotEqual => {
                let (below, above) =
                    (parts(Relation::AtMost, Relation::Less), parts(Relation::AtLeast, Relation::Greater));
                terms.or(&[below, above])
            }
        }
    }

    /// That a comparison holds of one sample.
    fn relates(&self, terms: &mut Terms, comparison: &Comparison, relation: Relation, index: usize) -> Term {
        let (less, most) = match comparison.form.as_slice() {
            [(coefficient, signal)] if matches!(self.samples[signal.0 as usize], Samples::Ordered(_)) => {
                let threshold = &comparison.bound / coefficient;
                let place = self.levels[signal.0 as usize].thresholds.binary_search(&threshold);
                let Samples::Ordered(ordered) = &self.samples[signal.0 as usize] else { unreachable!("matched above") };
                let (less, most) = ordered[index][place.expect("every number compared with is a threshold")];
                if *coefficient < RBig::ZERO { (terms.not(most), terms.not(less)) } else { (less, most) }
            }
            form => {
                let sum = self.sum(terms, form, index);
                let bound = terms.constant(Value::Real(comparison.bound.clone()));
                (terms.app(Op::Lt, &[sum, bound]), terms.app(Op::Le, &[sum, bound]))
            }
        };
        match relation {
            Relation::Less => less,
            Relation::AtMost => most,
            Relation::Greater => terms.not(most),
            Relation::AtLeast => terms.not(less),
            Relation::Equal => {
                let not_less = terms.not(less);
                terms.and(&[most, not_less])
            }
            Relation::NotEqual => {
                let more = terms.not(most);
                terms.or(&[less, more])
            }
        }
    }

    fn sum(&self, terms: &mut Terms, form: &[(RBig, SignalId)], index: usize) -> Term {
        let mut parts = Vec::new();
        for (coefficient, signal) in form {
            let Samples::Real(samples) = &self.samples[signal.0 as usize] else {
                unreachable!("signals of sums are reals")
            };
            let factor = terms.constant(Value::Real(coefficient.clone()));
            parts.push(if coefficient.is_one() {
                samples[index]
            } else {
                terms.app(Op::Mul, &[factor, samples[index]])
            });
        }
        if parts.len() == 1 { parts[0] } else { terms.app(Op::Add, &parts) }
    }

    /// The signals that a model shows: straight between samples, truth values constant in cells.
    pub(super) fn decode(&self, terms: &Terms, model: &Model, grid: &Grid) -> Trace {
        let truth = |term: Term| model.value(terms, term).as_bool().unwrap_or(false);
        let signal = |(place, samples): (usize, &Samples)| match samples {
            Samples::Bool(samples) => SignalValue::Bool(
                (0..=grid.last)
                    .step_by(2)
                    .map(|index| Step {
                        time: grid.time(index),
                        at: truth(samples[index]),
                        after: truth(*samples.get(index + 1).unwrap_or(&samples[index])),
                    })
                    .collect(),
            ),
            Samples::Ordered(ordered) => {
                let value = |index: usize| {
                    let below = |&(less, most): &(Term, Term)| [truth(less), truth(most)];
                    let above = ordered[index].iter().flat_map(below).filter(|below| !below).count();
                    (grid.time(index), self.levels[place].representative(above))
                };
                SignalValue::Real((0..=grid.last).map(value).collect())
            }
            Samples::Real(samples) => {
                let value = |index: usize| match model.value(terms, samples[index]) {
                    Value::Real(number) => (grid.time(index), number),
                    _ => unreachable!("a symbol has values of its sort"),
                };
                SignalValue::Real((0..=grid.last).map(value).collect())
            }
        };
        Trace { signals: self.samples.iter().enumerate().map(signal).collect(), end: grid.time(grid.last) }
    }

    /// Terms that say, sample by sample, "as in this trace".
    pub(super) fn same_as(&self, terms: &mut Terms, trace: &Trace, grid: &Grid) -> Vec<Term> {
        let mut same = Vec::new();
        for (place, samples) in self.samples.iter().enumerate() {
            for index in 0..=grid.last {
                let time = grid.time(index);
                match (samples, &trace.signals[place]) {
                    (Samples::Bool(samples), SignalValue::Bool(steps)) => {
                        let (at, _) = stl::signal::truth_at(steps, &time);
                        same.push(if at { samples[index] } else { terms.not(samples[index]) });
                    }
                    (Samples::Ordered(ordered), SignalValue::Real(points)) => {
                        let value = stl::signal::value_at(points, &time);
                        for (&(less, most), number) in ordered[index].iter().zip(&self.levels[place].thresholds) {
                            same.push(if value < *number { less } else { terms.not(less) });
                            same.push(if value <= *number { most } else { terms.not(most) });
                        }
                    }
                    (Samples::Real(samples), SignalValue::Real(points)) => {
                        let value = terms.constant(Value::Real(stl::signal::value_at(points, &time)));
                        same.push(terms.eq(samples[index], value));
                    }
                    _ => unreachable!("a trace has the sorts of its signals"),
                }
            }
        }
        same
    }
}

/// Which signals occur in sums.
fn summed(spec: &Spec, formulas: &[Formula]) -> Vec<bool> {
    let mut summed = vec![false; spec.signals.len()];
    for formula in spec.store.below(formulas) {
        if let Node::Compare(comparison) = spec.store.node(formula)
            && 1 < comparison.form.len()
        {
            comparison.form.iter().for_each(|(_, signal)| summed[signal.0 as usize] = true);
        }
    }
    summed
}
