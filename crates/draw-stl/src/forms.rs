//! The linear forms that signals are compared in, and what their values have to do with each other.
//!
//! A form such as `v - s` is treated like a signal of its own: what matters is where its value lies among the numbers it is
//! compared with. Forms that are independent can have any values together. Where some depend on each other, as `x`, `y` and `x + y`
//! do, finitely many combinations are impossible; by Farkas' lemma each of them contradicts one minimal dependency, so all can be listed.

use rustc_hash::FxHashMap;
use stl::levels::Levels;
use stl::store::{Comparison, Formula, Node, Relation, SignalId};
use stl::{Shape, Spec};
use value::RBig;

use super::linear::{Span, point};

/// Groups of more forms than this that depend on each other are left to a solver for reals.
const MOST_FORMS: usize = 8;

/// A form, divided by the coefficient of its first signal.
pub(super) struct Form {
    pub(super) form: Vec<(RBig, SignalId)>,
    /// The numbers it is compared with; for an enumeration, all its values.
    pub(super) levels: Levels,
    /// Whether it keeps its values between changes, so that it jumps.
    pub(super) jumps: bool,
    /// Whether it has no values but the numbers it is compared with.
    pub(super) named: bool,
}

/// All forms of some formulas, in groups that share signals.
pub(super) struct Forms {
    pub(super) forms: Vec<Form>,
    groups: Vec<Group>,
}

/// Forms that share signals.
struct Group {
    /// Which forms, by number.
    forms: Vec<usize>,
    signals: Vec<SignalId>,
    span: Span,
}

/// That a form lies on one side of one of its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Side {
    pub(super) form: usize,
    pub(super) threshold: usize,
    /// `<`, `<=`, `>` or `>=`.
    pub(super) relation: Relation,
}

/// A signal with its factor.
type Summand = (RBig, SignalId);

impl Forms {
    pub(super) fn of(spec: &Spec, formulas: &[Formula]) -> Forms {
        let mut found: Vec<(Vec<Summand>, Vec<RBig>)> = Vec::new();
        for formula in spec.store.below(formulas) {
            if let Node::Compare(comparison) = spec.store.node(formula) {
                let (form, _, threshold) = normalised(comparison);
                match found.iter_mut().find(|known| known.0 == form) {
                    Some(known) => known.1.push(threshold),
                    None => found.push((form, vec![threshold])),
                }
            }
        }
        let form = |(form, mut thresholds): (Vec<Summand>, Vec<RBig>)| {
            let shapes = || form.iter().map(|(_, signal)| &spec.signals[signal.0 as usize].shape);
            let names = shapes().find_map(|shape| match shape {
                Shape::Named(names) => Some(names.len()),
                Shape::Straight | Shape::Steps => None,
            });
            thresholds.extend((0..names.unwrap_or(0)).map(RBig::from));
            let jumps = shapes().any(|shape| *shape != Shape::Straight);
            Form { levels: Levels::new(thresholds), jumps, named: names.is_some(), form }
        };
        let forms: Vec<Form> = found.into_iter().map(form).collect();
        let groups = grouped(&forms);
        Forms { forms, groups }
    }

    /// The form of a comparison, the number it is compared with, and the relation between them.
    pub(super) fn place(&self, comparison: &Comparison, relation: Relation) -> Side {
        let (form, relation, threshold) = normalised(&Comparison { relation, ..comparison.clone() });
        let place = self.forms.iter().position(|known| known.form == form).expect("all forms are known");
        let threshold = self.forms[place].levels.thresholds.binary_search(&threshold).expect("all numbers are known");
        Side { form: place, threshold, relation }
    }

    /// Whether a form is left to a solver for reals.
    pub(super) fn is_left(&self, form: usize) -> bool {
        let group = self.groups.iter().find(|group| group.forms.contains(&form));
        group.is_some_and(|group| group.span.is_dependent() && MOST_FORMS < group.forms.len())
    }

    /// The signals of forms that are left to a solver for reals.
    pub(super) fn left_signals(&self) -> Vec<SignalId> {
        let left = self.groups.iter().filter(|group| self.is_left(group.forms[0]));
        left.flat_map(|group| group.signals.iter().copied()).collect()
    }

    /// Combinations of sides that no values of the signals have; every impossible combination contains one of them.
    pub(super) fn conflicts(&self) -> Vec<Vec<Side>> {
        let mut conflicts = Vec::new();
        for group in self.groups.iter().filter(|group| !self.is_left(group.forms[0])) {
            for dependency in group.span.dependencies() {
                for sign in [RBig::ONE, -RBig::ONE] {
                    let factors: Vec<(usize, RBig)> =
                        dependency.iter().map(|(place, factor)| (group.forms[*place], factor * &sign)).collect();
                    self.contradictions(&factors, &mut conflicts);
                }
            }
        }
        conflicts
    }

    /// The sum of these multiples of forms is zero. Lists the bounds from below on it that are above zero.
    fn contradictions(&self, factors: &[(usize, RBig)], conflicts: &mut Vec<Vec<Side>>) {
        let Some(((last, factor), others)) = factors.split_last() else { return };
        // Bounds chosen for the forms so far, with their sum and whether one is strict.
        let mut chosen: Vec<(Vec<Side>, RBig, bool)> = vec![(Vec::new(), RBig::ZERO, false)];
        for (form, factor) in others {
            let mut more = Vec::new();
            for (sides, sum, strict) in &chosen {
                for side in self.sides(*form, factor) {
                    let sides = sides.iter().copied().chain([side]).collect();
                    more.push((sides, sum + factor * self.number(side), *strict || is_strict(side)));
                }
            }
            chosen = more;
        }
        for (sides, sum, strict) in chosen {
            // The weakest bound that contradicts the others: all stronger ones follow.
            let contradicts = |side: &Side| {
                let sum = &sum + factor * self.number(*side);
                RBig::ZERO < sum || (sum.is_zero() && (strict || is_strict(*side)))
            };
            if let Some(side) = self.sides(*last, factor).into_iter().find(contradicts) {
                conflicts.push(sides.into_iter().chain([side]).collect());
            }
        }
    }

    /// The sides of a form that bound its multiple from below, the weakest first.
    fn sides(&self, form: usize, factor: &RBig) -> Vec<Side> {
        let count = self.forms[form].levels.thresholds.len();
        let side = |threshold, relation| Side { form, threshold, relation };
        match RBig::ZERO < *factor {
            true => (0..count)
                .flat_map(|threshold| [side(threshold, Relation::AtLeast), side(threshold, Relation::Greater)])
                .collect(),
            false => (0..count)
                .rev()
                .flat_map(|threshold| [side(threshold, Relation::AtMost), side(threshold, Relation::Less)])
                .collect(),
        }
    }

    fn number(&self, side: Side) -> &RBig {
        &self.forms[side.form].levels.thresholds[side.threshold]
    }

    /// Values of all signals in the groups that are not left, for the places of forms among their numbers.
    #[cfg(test)]
    pub(super) fn values(&self, places: impl Fn(usize) -> usize) -> Vec<(SignalId, RBig)> {
        Values::new(self).at(places).into_iter().map(|(signal, value)| (signal, value.clone())).collect()
    }
}

/// Values for places, each combination of which is worked out once: most samples of a signal lie where others do.
pub(super) struct Values<'a> {
    forms: &'a Forms,
    /// For each group that is not left, values of its signals by the places of its forms.
    known: Vec<(&'a Group, ByPlaces)>,
}

/// The values of a group's signals, by the places of its forms.
type ByPlaces = FxHashMap<Vec<usize>, Vec<RBig>>;

impl<'a> Values<'a> {
    pub(super) fn new(forms: &'a Forms) -> Values<'a> {
        let groups = forms.groups.iter().filter(|group| !forms.is_left(group.forms[0]));
        Values { forms, known: groups.map(|group| (group, ByPlaces::default())).collect() }
    }

    /// Values of all signals in the groups that are not left.
    pub(super) fn at(&mut self, places: impl Fn(usize) -> usize) -> Vec<(SignalId, &RBig)> {
        let mut values = Vec::new();
        for (group, known) in &mut self.known {
            let places: Vec<usize> = group.forms.iter().map(|&form| places(form)).collect();
            let forms = self.forms;
            let own = known.entry(places).or_insert_with_key(|places| group.values(forms, places));
            values.extend(group.signals.iter().copied().zip(own.iter()));
        }
        values
    }
}

impl Group {
    fn values(&self, forms: &Forms, places: &[usize]) -> Vec<RBig> {
        let levels: Vec<&Levels> = self.forms.iter().map(|&form| &forms.forms[form].levels).collect();
        let basis: Vec<RBig> = match self.span.is_dependent() {
            false => levels.iter().zip(places).map(|(levels, &place)| levels.representative(place)).collect(),
            true => point(&self.span, &levels, places).expect("impossible combinations are excluded"),
        };
        self.span.signals(&basis)
    }
}

fn is_strict(side: Side) -> bool {
    matches!(side.relation, Relation::Less | Relation::Greater)
}

fn grouped(forms: &[Form]) -> Vec<Group> {
    let mut groups: Vec<(Vec<usize>, Vec<SignalId>)> = Vec::new();
    for (place, form) in forms.iter().enumerate() {
        let own: Vec<SignalId> = form.form.iter().map(|(_, signal)| *signal).collect();
        let (mut joined, mut signals) = (vec![place], own.clone());
        groups.retain(|(forms, known)| {
            let apart = !known.iter().any(|signal| own.contains(signal));
            if !apart {
                joined.extend(forms);
                signals.extend(known);
            }
            apart
        });
        joined.sort_unstable();
        signals.sort();
        signals.dedup();
        groups.push((joined, signals));
    }
    let group = |(members, signals): (Vec<usize>, Vec<SignalId>)| {
        let row = |&form: &usize| {
            let coefficient = |signal: &SignalId| {
                let own = forms[form].form.iter().find(|(_, known)| known == signal);
                own.map_or(RBig::ZERO, |(coefficient, _)| coefficient.clone())
            };
            signals.iter().map(coefficient).collect::<Vec<RBig>>()
        };
        let span = Span::of(&members.iter().map(row).collect::<Vec<_>>());
        Group { forms: members, signals, span }
    };
    groups.into_iter().map(group).collect()
}

/// The comparison with its signals in order, divided by the first coefficient.
pub(super) fn normalised(comparison: &Comparison) -> (Vec<(RBig, SignalId)>, Relation, RBig) {
    let mut form = comparison.form.clone();
    form.sort_by_key(|(_, signal)| *signal);
    let first = form[0].0.clone();
    let relation = if first < RBig::ZERO { comparison.relation.mirrored() } else { comparison.relation };
    form.iter_mut().for_each(|(coefficient, _)| *coefficient = &*coefficient / &first);
    (form, relation, &comparison.bound / &first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forms(text: &str) -> (Spec, Forms) {
        let (spec, _) = stl::load(&source::Source::new("test.stl", text)).expect("well formed");
        let forms = Forms::of(&spec, &[spec.formula]);
        (spec, forms)
    }

    #[test]
    fn a_difference_and_its_opposite_are_one_form() {
        let (_, forms) = forms("v - s <= 3 & s - v <= 3 & v > 10");
        assert_eq!(forms.forms.len(), 2);
        assert!(forms.conflicts().is_empty(), "independent forms have any values");
    }

    /// Every combination of places is either excluded by a conflict, or has values that lie there.
    #[test]
    fn conflicts_are_exactly_what_no_values_have() {
        for text in [
            "x > 1 & y > 2 & x + y < 3",
            "x > 1 & x < 2 & y >= 0 & x - y <= 1 & x + y > 4",
            "a - b < 1 & b - c < 1 & c - a < -1",
            "x >= 0 & y >= 0 & z >= 0 & x + y + z <= 1 & x - y == 0",
        ] {
            let (_, forms) = forms(text);
            let conflicts = forms.conflicts();
            let counts: Vec<usize> = forms.forms.iter().map(|form| form.levels.places()).collect();
            let all: usize = counts.iter().product();
            let (mut excluded, mut shown) = (0, 0);
            for number in 0..all {
                let mut rest = number;
                let mut place = |count: &usize| {
                    let place = rest % count;
                    rest /= count;
                    place
                };
                let places: Vec<usize> = counts.iter().map(&mut place).collect();
                let lies = |side: &Side| {
                    let (place, at) = (places[side.form], 2 * side.threshold + 1);
                    side.relation.holds(place.cmp(&at))
                };
                if conflicts.iter().any(|conflict| conflict.iter().all(lies)) {
                    excluded += 1;
                    continue;
                }
                shown += 1;
                let values = forms.values(|form| places[form]);
                for (form, &place) in forms.forms.iter().zip(&places) {
                    let value = form.form.iter().fold(RBig::ZERO, |sum, (coefficient, signal)| {
                        let own = values.iter().find(|(known, _)| known == signal).expect("every signal has a value");
                        sum + coefficient * &own.1
                    });
                    let below = form.levels.thresholds.iter().filter(|number| **number < value).count();
                    let at = form.levels.thresholds.contains(&value);
                    assert_eq!(2 * below + usize::from(at), place, "{text}: {values:?}");
                }
            }
            assert!(0 < excluded && 0 < shown, "{text}: {excluded} and {shown}");
        }
    }
}
