//! Propositions at points and in cells, as terms.
//!
//! A linear form compared with constants is an order over finitely many thresholds: for each sample, truth values "below the
//! threshold" and "not above it". Where forms depend on each other, the combinations that no values have are excluded. Only large
//! groups of forms that depend on each other are sums of real terms.

use smt::{Model, Op, Term, Terms};
use stl::signal::{SignalValue, Step, Trace, held};
use stl::store::{Comparison, Formula, Node, Relation, SignalId};
use stl::{Shape, Spec};
use value::{RBig, Sort, Value};

use super::forms::{Forms, Side, Values};
use super::grid::{Grid, is_cell};

/// The samples of every signal and form.
pub(super) struct Atoms {
    signals: Vec<Samples>,
    forms: Forms,
    /// For each form and index, "less than" and "at most" for each threshold; nothing for sums of real terms.
    ordered: Vec<Vec<Vec<(Term, Term)>>>,
    shapes: Vec<Shape>,
}

enum Samples {
    /// One truth value for each index.
    Bool(Vec<Term>),
    /// One real for each index.
    Real(Vec<Term>),
    /// What the forms say.
    Ordered,
}

impl Atoms {
    /// Symbols for all samples.
    pub(super) fn new(terms: &mut Terms, spec: &Spec, formulas: &[Formula], grid: &Grid) -> Atoms {
        let forms = Forms::of(spec, formulas);
        let left = forms.left_signals();
        let mut signals = Vec::new();
        for (place, signal) in spec.signals.iter().enumerate() {
            let jumps = signal.sort == Sort::Real && signal.shape != Shape::Straight;
            let mut symbols = |sort: &Sort| {
                let name = |index: usize| format!("{}@{}", signal.name, sampled(index, grid.last, jumps));
                (0..=grid.last).map(|index| terms.symbol(&name(index), sort)).collect::<Vec<Term>>()
            };
            signals.push(match signal.sort == Sort::Bool {
                true => Samples::Bool(symbols(&Sort::Bool)),
                false if left.contains(&SignalId(place as u32)) => Samples::Real(symbols(&Sort::Real)),
                false => Samples::Ordered,
            });
        }
        let mut ordered = Vec::new();
        for (place, form) in forms.forms.iter().enumerate() {
            let wanted = if forms.is_left(place) { 0 } else { grid.last + 1 };
            let name = stl::form_text(&spec.signals, &form.form);
            let mut sample = |index: usize| {
                let index = sampled(index, grid.last, form.jumps);
                let pair = |number: &RBig| {
                    let text = format!("{name}@{index}{}", stl::write_number(number));
                    let less = terms.symbol(&format!("{text}:lt"), &Sort::Bool);
                    (less, terms.symbol(&format!("{text}:le"), &Sort::Bool))
                };
                form.levels.thresholds.iter().map(pair).collect::<Vec<_>>()
            };
            ordered.push((0..wanted).map(&mut sample).collect::<Vec<_>>());
        }
        let shapes = spec.signals.iter().map(|signal| signal.shape.clone()).collect();
        Atoms { signals, forms, ordered, shapes }
    }

    /// That each sample has one place in the order of the thresholds, and that no combination of places is impossible.
    pub(super) fn facts(&self, terms: &mut Terms) -> Vec<Term> {
        let mut facts = Vec::new();
        for sample in self.ordered.iter().flatten() {
            let chain: Vec<Term> = sample.iter().flat_map(|&(less, most)| [less, most]).collect();
            facts.extend(chain.windows(2).map(|pair| terms.implies(pair[0], pair[1])));
        }
        for (form, ordered) in self.forms.forms.iter().zip(&self.ordered).filter(|(form, _)| form.named) {
            debug_assert!(!form.levels.thresholds.is_empty(), "an enumeration has values");
            for sample in ordered {
                facts.extend(only_thresholds(terms, sample));
            }
        }
        let conflicts = self.forms.conflicts();
        let last = self.ordered.iter().map(Vec::len).max().unwrap_or(0);
        for index in 0..last {
            for conflict in &conflicts {
                let outside: Vec<Term> = conflict
                    .iter()
                    .map(|side| {
                        let inside = self.side(terms, *side, index);
                        terms.not(inside)
                    })
                    .collect();
                facts.push(terms.or(&outside));
            }
        }
        facts
    }

    /// That a form lies on a side of one of its thresholds.
    fn side(&self, terms: &mut Terms, side: Side, index: usize) -> Term {
        let (less, most) = self.ordered[side.form][index][side.threshold];
        related(terms, side.relation, less, most)
    }

    /// That a proposition is surely true, or surely false, at an index.
    pub(super) fn literal(&self, terms: &mut Terms, node: &Node, index: usize, truth: bool) -> Term {
        match node {
            Node::Signal(signal) => {
                let Samples::Bool(samples) = &self.signals[signal.0 as usize] else {
                    unreachable!("the checker gives every signal one sort")
                };
                if truth { samples[index] } else { terms.not(samples[index]) }
            }
            Node::Compare(comparison) => {
                let relation = if truth { comparison.relation } else { comparison.relation.opposite() };
                let straight = !self.forms.forms[self.forms.place(comparison, relation).form].jumps;
                if is_cell(index) && straight {
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
        let side = self.forms.place(comparison, relation);
        if !self.forms.is_left(side.form) {
            return self.side(terms, side, index);
        }
        let sum = self.sum(terms, &comparison.form, index);
        let bound = terms.constant(Value::Real(comparison.bound.clone()));
        let (less, most) = (terms.app(Op::Lt, &[sum, bound]), terms.app(Op::Le, &[sum, bound]));
        related(terms, relation, less, most)
    }

    fn sum(&self, terms: &mut Terms, form: &[(RBig, SignalId)], index: usize) -> Term {
        let mut parts = Vec::new();
        for (coefficient, signal) in form {
            let Samples::Real(samples) = &self.signals[signal.0 as usize] else {
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
        let mut points: Vec<Vec<(RBig, RBig)>> = vec![Vec::new(); self.signals.len()];
        let mut values = Values::new(&self.forms);
        for index in 0..=grid.last {
            let place = |form: usize| {
                let below = |&(less, most): &(Term, Term)| [truth(less), truth(most)];
                self.ordered[form][index].iter().flat_map(below).filter(|below| !below).count()
            };
            for (signal, value) in values.at(place) {
                points[signal.0 as usize].push((grid.time(index).clone(), value.clone()));
            }
        }
        let signal = |(place, samples): (usize, &Samples)| match samples {
            Samples::Bool(samples) => SignalValue::Bool(
                (0..=grid.last)
                    .step_by(2)
                    .map(|index| Step {
                        time: grid.time(index).clone(),
                        at: truth(samples[index]),
                        after: truth(*samples.get(index + 1).unwrap_or(&samples[index])),
                    })
                    .collect(),
            ),
            // A signal that no formula compares any more is as good as zero.
            Samples::Ordered if points[place].is_empty() => self.shaped(place, vec![(RBig::ZERO, RBig::ZERO)]),
            Samples::Ordered => self.shaped(place, points[place].clone()),
            Samples::Real(samples) => {
                let value = |index: usize| match model.value(terms, samples[index]) {
                    Value::Real(number) => (grid.time(index).clone(), number),
                    _ => unreachable!("a symbol has values of its sort"),
                };
                self.shaped(place, (0..=grid.last).map(value).collect())
            }
        };
        Trace { signals: self.signals.iter().enumerate().map(signal).collect(), end: grid.time(grid.last).clone() }
    }

    /// A signal with these values at points and in the middle of cells.
    fn shaped(&self, signal: usize, samples: Vec<(RBig, RBig)>) -> SignalValue {
        // What keeps its values has that of a cell from the point before it on.
        let points = || samples.iter().step_by(2).cloned().collect::<Vec<_>>();
        match self.shapes[signal] {
            Shape::Straight => SignalValue::Real(samples),
            Shape::Steps => SignalValue::Real(held(&points())),
            Shape::Named(_) => SignalValue::Named(points()),
        }
    }

    /// Terms that say, sample by sample, "as in this trace".
    pub(super) fn same_as(&self, terms: &mut Terms, trace: &Trace, grid: &Grid) -> Vec<Term> {
        let mut same = Vec::new();
        let value_at = |signal: usize, time: &RBig| {
            let points = trace.signals[signal].polyline().expect("a trace has the sorts of its signals");
            stl::signal::value_at(&points, time)
        };
        for index in 0..=grid.last {
            let time = grid.time(index);
            for (place, samples) in self.signals.iter().enumerate() {
                match (samples, &trace.signals[place]) {
                    (Samples::Bool(samples), SignalValue::Bool(steps)) => {
                        let (at, _) = stl::signal::truth_at(steps, time);
                        same.push(if at { samples[index] } else { terms.not(samples[index]) });
                    }
                    (Samples::Real(samples), _) => {
                        let value = terms.constant(Value::Real(value_at(place, time)));
                        same.push(terms.eq(samples[index], value));
                    }
                    (Samples::Ordered, _) => {}
                    (Samples::Bool(_), SignalValue::Real(_) | SignalValue::Named(_)) => {
                        unreachable!("a trace has the sorts of its signals")
                    }
                }
            }
            for (form, ordered) in self.forms.forms.iter().zip(&self.ordered) {
                let Some(ordered) = ordered.get(index) else { continue };
                let term = |(coefficient, signal): &(RBig, SignalId)| coefficient * value_at(signal.0 as usize, time);
                let value = form.form.iter().map(term).fold(RBig::ZERO, |sum, term| sum + term);
                for (&(less, most), number) in ordered.iter().zip(&form.levels.thresholds) {
                    same.push(if value < *number { less } else { terms.not(less) });
                    same.push(if value <= *number { most } else { terms.not(most) });
                }
            }
        }
        same
    }
}

/// The index whose sample stands for an index: a signal that keeps its values has that of the next cell at the point before it.
fn sampled(index: usize, last: usize, jumps: bool) -> usize {
    if jumps && !is_cell(index) && index < last { index + 1 } else { index }
}

/// That a value is one of the thresholds: neither below or above all of them nor between two.
fn only_thresholds(terms: &mut Terms, sample: &[(Term, Term)]) -> Vec<Term> {
    let mut facts = Vec::new();
    if let (Some(&(least, _)), Some(&(_, most))) = (sample.first(), sample.last()) {
        facts.extend([terms.not(least), most]);
    }
    facts.extend(sample.windows(2).map(|pair| terms.implies(pair[1].0, pair[0].1)));
    facts
}

/// A relation to a number, from "less than it" and "at most it".
fn related(terms: &mut Terms, relation: Relation, less: Term, most: Term) -> Term {
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
