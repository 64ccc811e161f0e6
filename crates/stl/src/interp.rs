//! The exact monitor: at which times a formula holds on a trace.
//!
//! Every subformula is a set of times, computed once in linear time whatever the length of the windows. Where the samples have
//! times and values with common denominators that fit, everything is counted in machine words; otherwise in exact rationals.

mod clock;
mod outlook;
mod ticks;

use std::borrow::Cow;
use std::cmp::Ordering;

use value::RBig;

use crate::signal::{SignalValue, Step, Trace, value_at, value_before};
use crate::store::{Comparison, Formula, Node, Relation, Store, Window};
use crate::times::{Cut, Instant, Times};
use clock::Clock;
pub(crate) use clock::{common_ticks, in_ticks};
pub use outlook::{Outlook, Verdict, known_parts};
use ticks::Ticks;

/// Whether each formula holds at time zero.
pub fn verdicts(store: &Store, trace: &Trace, roots: &[Formula]) -> Vec<bool> {
    let below = store.below(roots);
    match counted(store, &below, trace, &[]) {
        Some((clock, propositions)) => evaluate(store, roots, &below, propositions, |time| clock.read(time)),
        None => evaluate(store, roots, &below, propositions(store, &below, trace), RBig::clone),
    }
}

/// A clock and the propositions in its ticks, where numbers fit.
type InTicks = (Clock, Vec<Option<Times<Ticks>>>);

fn counted(store: &Store, below: &[Formula], trace: &Trace, more: &[&RBig]) -> Option<InTicks> {
    let clock = Clock::new(store, below, trace, more)?;
    let propositions = clock.propositions(store, below)?;
    Some((clock, propositions))
}

fn propositions(store: &Store, below: &[Formula], trace: &Trace) -> Vec<Option<Times<RBig>>> {
    below.iter().map(|&formula| proposition(store.node(formula), trace)).collect()
}

/// Whether the formula holds at time zero.
pub fn holds(store: &Store, trace: &Trace, formula: Formula) -> bool {
    verdicts(store, trace, &[formula])[0]
}

/// The times at which a formula holds.
pub fn times(store: &Store, trace: &Trace, formula: Formula) -> Times<RBig> {
    let below = store.below(&[formula]);
    let last = "the formula is among those below it";
    match counted(store, &below, trace, &[]) {
        Some((clock, propositions)) => {
            let sets = sets(store, &below, propositions, |time| clock.read(time));
            clock.written(sets.into_iter().next_back().expect(last))
        }
        None => {
            let sets = sets(store, &below, propositions(store, &below, trace), RBig::clone);
            sets.into_iter().next_back().expect(last)
        }
    }
}

/// The times at which each part of a formula holds, operands first, the whole last.
pub fn parts(store: &Store, trace: &Trace, formula: Formula) -> Vec<(Formula, Times<RBig>)> {
    let below = store.below(&[formula]);
    let sets: Vec<Times<RBig>> = match counted(store, &below, trace, &[]) {
        Some((clock, propositions)) => {
            let sets = sets(store, &below, propositions, |time| clock.read(time));
            sets.into_iter().map(|times| clock.written(times)).collect()
        }
        None => sets(store, &below, propositions(store, &below, trace), RBig::clone),
    };
    below.into_iter().zip(sets).collect()
}

/// What is asked about a stretch of a trace.
#[derive(Clone, Debug)]
pub(crate) enum Question {
    /// Whether the formula holds at its beginning.
    Start(Formula),
    /// Whether the formula holds at all times, and at any time, from this time on.
    Spread(Formula, RBig),
    /// Whether the first holds until the second, which comes at this time or later; and whether the first holds throughout.
    /// Both are negated where the flag says so.
    Until(Formula, Formula, RBig, bool),
}

impl Question {
    /// The time from which it asks.
    pub(crate) fn from(&self) -> Option<&RBig> {
        match self {
            Question::Start(_) => None,
            Question::Spread(_, from) | Question::Until(_, _, from, _) => Some(from),
        }
    }
}

/// Answers questions about the part of a trace before `until`, or about all of it. The two truth values of an answer are
/// those the question speaks of.
pub(crate) fn answers(store: &Store, trace: &Trace, questions: &[Question], until: Option<&RBig>) -> Vec<(bool, bool)> {
    let roots: Vec<Formula> = questions
        .iter()
        .flat_map(|question| match *question {
            Question::Start(formula) | Question::Spread(formula, _) => vec![formula],
            Question::Until(left, right, ..) => vec![left, right],
        })
        .collect();
    let below = store.below(&roots);
    let own = questions.iter().filter_map(Question::from);
    let more: Vec<&RBig> = own.chain(until).collect();
    match counted(store, &below, trace, &more) {
        Some((clock, propositions)) => answered(store, &below, propositions, questions, until, |time| clock.read(time)),
        None => answered(store, &below, propositions(store, &below, trace), questions, until, RBig::clone),
    }
}

fn answered<T: Instant>(
    store: &Store,
    below: &[Formula],
    propositions: Vec<Option<Times<T>>>,
    questions: &[Question],
    until: Option<&RBig>,
    convert: impl Fn(&RBig) -> T,
) -> Vec<(bool, bool)> {
    let sets = sets(store, below, propositions, &convert);
    let until = until.map(&convert);
    let set = |formula: &Formula| &sets[below.binary_search(formula).expect("a formula is among those below it")];
    let one = |question: &Question| match question {
        Question::Start(formula) => {
            let truth = set(formula).holds_at_start();
            (truth, truth)
        }
        Question::Spread(formula, from) => set(formula).within(&convert(from), until.as_ref()),
        Question::Until(left, right, from, negated) => {
            let side = |formula: &Formula| {
                let times = set(formula).clone();
                if *negated { times.complement() } else { times }
            };
            let (left, right) = (side(left), side(right));
            let reached = left.until(&right, &convert(from), until.as_ref()).holds_at_start();
            (reached, left.within(&T::zero(), until.as_ref()).0)
        }
    };
    questions.iter().map(one).collect()
}

fn evaluate<T: Instant>(
    store: &Store,
    roots: &[Formula],
    below: &[Formula],
    propositions: Vec<Option<Times<T>>>,
    convert: impl Fn(&RBig) -> T,
) -> Vec<bool> {
    let sets = sets(store, below, propositions, convert);
    let at = |root: &Formula| below.binary_search(root).expect("a formula is among those below it");
    roots.iter().map(|root| sets[at(root)].holds_at_start()).collect()
}

/// The set of times of each formula, operands first.
fn sets<T: Instant>(
    store: &Store,
    below: &[Formula],
    mut propositions: Vec<Option<Times<T>>>,
    convert: impl Fn(&RBig) -> T,
) -> Vec<Times<T>> {
    let mut places = vec![u32::MAX; store.len()];
    let mut sets: Vec<Times<T>> = Vec::with_capacity(below.len());
    for (place, &formula) in below.iter().enumerate() {
        places[formula.0 as usize] = place as u32;
        let set = |arg: &Formula| &sets[places[arg.0 as usize] as usize];
        let times = match store.node(formula) {
            Node::Signal(_) | Node::Compare(_) => propositions[place].take().expect("propositions are prepared"),
            node => compound(node, set, set, &convert),
        };
        sets.push(times);
    }
    sets
}

/// The times of a formula that is not a proposition, from those of its operands; `opposite` gives those of negated operands.
fn compound<'s, T: Instant + 's>(
    node: &Node,
    set: impl Fn(&Formula) -> &'s Times<T>,
    opposite: impl Fn(&Formula) -> &'s Times<T>,
    convert: impl Fn(&RBig) -> T,
) -> Times<T> {
    let bounds = |window: &Window| (convert(&window.lower), window.upper.as_ref().map(&convert));
    match node {
        Node::Constant(truth) => Times::constant(*truth),
        Node::Signal(_) | Node::Compare(_) => unreachable!("propositions have no operands"),
        Node::Not(arg) => opposite(arg).clone().complement(),
        Node::And(left, right) => set(left).combine(set(right), |left, right| left && right),
        Node::Or(left, right) => set(left).combine(set(right), |left, right| left || right),
        Node::Implies(left, right) => opposite(left).combine(set(right), |left, right| !left || right),
        Node::Next(time, arg) => set(arg).shifted(&convert(time)),
        Node::Finally(window, arg) => {
            let (lower, upper) = bounds(window);
            set(arg).eventually(&lower, upper.as_ref())
        }
        Node::Globally(window, arg) => {
            let (lower, upper) = bounds(window);
            set(arg).clone().complement().eventually(&lower, upper.as_ref()).complement()
        }
        Node::Until(window, left, right) => {
            let (lower, upper) = bounds(window);
            set(left).until(set(right), &lower, upper.as_ref())
        }
        Node::Release(window, left, right) => {
            let (lower, upper) = bounds(window);
            let (left, right) = (set(left).clone().complement(), set(right).clone().complement());
            left.until(&right, &lower, upper.as_ref()).complement()
        }
        Node::Once(window, arg) => {
            let (lower, upper) = bounds(window);
            set(arg).once(&lower, upper.as_ref())
        }
        Node::Historically(window, arg) => {
            let (lower, upper) = bounds(window);
            set(arg).clone().complement().once(&lower, upper.as_ref()).complement()
        }
        Node::Since(window, left, right) => {
            let (lower, upper) = bounds(window);
            set(left).since(set(right), &lower, upper.as_ref())
        }
    }
}

/// The times at which a proposition holds; none for other nodes.
fn proposition(node: &Node, trace: &Trace) -> Option<Times<RBig>> {
    match node {
        Node::Signal(signal) => match &trace.signals[signal.0 as usize] {
            SignalValue::Bool(steps) => Some(stepping(steps)),
            SignalValue::Real(_) | SignalValue::Named(_) => unreachable!("the checker gives every signal one sort"),
        },
        Node::Compare(comparison) => {
            let forms: Vec<Weighted<'_>> = comparison
                .form
                .iter()
                .map(|(coefficient, signal)| {
                    let points = trace.signals[signal.0 as usize].polyline();
                    (coefficient, points.expect("the checker gives every signal one sort"))
                })
                .collect();
            Some(compared(comparison, &difference(&forms, &comparison.bound)))
        }
        Node::Constant(_)
        | Node::Not(_)
        | Node::And(..)
        | Node::Or(..)
        | Node::Implies(..)
        | Node::Next(..)
        | Node::Finally(..)
        | Node::Globally(..)
        | Node::Until(..)
        | Node::Release(..)
        | Node::Once(..)
        | Node::Historically(..)
        | Node::Since(..) => None,
    }
}

fn stepping(steps: &[Step]) -> Times<RBig> {
    let mut builder = Builder::default();
    for step in steps {
        builder.at(&step.time, step.at);
        builder.after(&step.time, step.after);
    }
    builder.times
}

/// A signal of a linear form: its coefficient and its points.
type Weighted<'a> = (&'a RBig, Cow<'a, [(RBig, RBig)]>);

/// The linear form minus the bound, as a polyline.
fn difference(forms: &[Weighted<'_>], bound: &RBig) -> Vec<(RBig, RBig)> {
    if let [(coefficient, points)] = forms {
        return points.iter().map(|(time, value)| (time.clone(), *coefficient * value - bound)).collect();
    }
    let mut times: Vec<RBig> =
        forms.iter().flat_map(|(_, points)| points.iter().map(|point| point.0.clone())).collect();
    times.sort();
    times.dedup();
    let sum = |time: &RBig, value: fn(&[(RBig, RBig)], &RBig) -> RBig| {
        let terms = forms.iter().map(|(coefficient, points)| *coefficient * value(points, time));
        (time.clone(), terms.fold(-bound.clone(), |sum, term| sum + term))
    };
    let mut points = Vec::with_capacity(times.len());
    for time in &times {
        let (before, now) = (sum(time, value_before), sum(time, value_at));
        if before != now {
            points.push(before);
        }
        points.push(now);
    }
    points
}

/// The times at which a polyline relates to zero as the comparison says.
fn compared(comparison: &Comparison, points: &[(RBig, RBig)]) -> Times<RBig> {
    let relation = comparison.relation;
    let truth = |value: &RBig| relation.holds(value.cmp(&RBig::ZERO));
    let mut builder = Builder::default();
    for (place, (time, value)) in points.iter().enumerate() {
        if points.get(place + 1).is_some_and(|next| next.0 == *time) {
            // A jump: the signal only comes near to this value.
            continue;
        }
        builder.at(time, truth(value));
        match points.get(place + 1) {
            None => builder.after(time, truth(value)),
            Some((next_time, next)) => {
                let crosses =
                    (*value < RBig::ZERO && RBig::ZERO < *next) || (*next < RBig::ZERO && RBig::ZERO < *value);
                builder.after(time, between(relation, value.cmp(&RBig::ZERO), next.cmp(&RBig::ZERO)));
                if crosses {
                    let share = value / (value - next);
                    let crossing = time + share * (next_time - time);
                    builder.at(&crossing, truth(&RBig::ZERO));
                    builder.after(&crossing, truth(next));
                }
            }
        }
    }
    builder.times
}

/// The truth just after a point whose value compares so with zero, when the line goes on to a point that compares so.
fn between(relation: Relation, value: Ordering, next: Ordering) -> bool {
    relation.holds(if value == Ordering::Equal { next } else { value })
}

/// Builds a set from truth values in the order of time.
struct Builder<T> {
    times: Times<T>,
    member: bool,
}

impl<T> Default for Builder<T> {
    fn default() -> Builder<T> {
        Builder { times: Times { cuts: Vec::new() }, member: false }
    }
}

impl<T: Instant> Builder<T> {
    fn at(&mut self, time: &T, truth: bool) {
        self.cut(time, false, truth);
    }

    fn after(&mut self, time: &T, truth: bool) {
        self.cut(time, true, truth);
    }

    fn cut(&mut self, time: &T, after: bool, truth: bool) {
        if truth != self.member {
            self.member = truth;
            self.times.cuts.push(Cut { at: time.clone(), after });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORMULAS: &[&str] = &[
        "G[0,7](x > 0.5 -> F[0.25,2] y <= -1/3)",
        "(x != 1 | p) U[0.5,3] (x + 2*y >= 1)",
        "!(p R[0,2] (x == y)) & N[1] (3x < 2y)",
        "F[1,4](G[0,0.75] x - y > 0.1 | (p U[0,2] !p))",
        "G[0,6](O[0.25,2] x > 0.5 -> (H[0,1] p | (y > 0 S[0.5,3] x <= 1/3)) & O !p)",
    ];

    /// Signals on common times, with values in sevenths and hundredths.
    fn wandering(spec: &crate::Spec, seed: u64) -> Trace {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as i64
        };
        let times: Vec<RBig> = (0..30).map(|time| RBig::from_parts((3 * time).into(), 8u8.into())).collect();
        let mut signal = |signal: &crate::spec::Signal| match signal.sort == value::Sort::Bool {
            true => SignalValue::Bool(
                times
                    .iter()
                    .map(|time| Step { time: time.clone(), at: next() % 2 == 0, after: next() % 2 == 0 })
                    .collect(),
            ),
            false => {
                let denominator: u8 = if next() % 2 == 0 { 7 } else { 100 };
                let mut value = || {
                    RBig::from_parts(
                        (next() % (3 * i64::from(denominator)) - i64::from(denominator)).into(),
                        denominator.into(),
                    )
                };
                SignalValue::Real(times.iter().map(|time| (time.clone(), value())).collect())
            }
        };
        let signals = spec.signals.iter().map(&mut signal).collect();
        Trace { signals, end: times[times.len() - 1].clone() }
    }

    #[test]
    fn ticks_and_rationals_agree() {
        let mut changes = 0;
        for text in FORMULAS {
            let (spec, _) = crate::load(&source::Source::new("test.stl", *text)).expect("well formed");
            let below = spec.store.below(&[spec.formula]);
            for seed in 0..50 {
                let trace = wandering(&spec, seed);
                let (clock, in_ticks) = counted(&spec.store, &below, &trace, &[]).expect("the numbers are small");
                let fast = sets(&spec.store, &below, in_ticks, |time| clock.read(time));
                let exact = sets(&spec.store, &below, propositions(&spec.store, &below, &trace), RBig::clone);
                for (fast, exact) in fast.into_iter().zip(exact) {
                    changes += exact.cuts.len();
                    assert_eq!(clock.written(fast), exact, "{text}, seed {seed}");
                }
            }
        }
        assert!(10_000 < changes, "the signals do something: {changes}");
    }

    #[test]
    fn numbers_that_do_not_fit_are_counted_exactly() {
        let (spec, _) = crate::load(&source::Source::new("test.stl", "G[0,1] x > 0")).expect("well formed");
        let below = spec.store.below(&[spec.formula]);
        let tiny = RBig::from_parts(1.into(), value::UBig::from(3u8).pow(60));
        let trace = |value: RBig| Trace { signals: vec![SignalValue::Real(vec![(RBig::ZERO, value)])], end: RBig::ONE };
        assert!(counted(&spec.store, &below, &trace(tiny.clone()), &[]).is_none());
        assert!(holds(&spec.store, &trace(tiny.clone()), spec.formula));
        assert!(!holds(&spec.store, &trace(-tiny), spec.formula));
    }
}
