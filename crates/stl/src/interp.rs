//! The exact monitor: at which times a formula holds on a trace.
//!
//! Every subformula is a set of times, computed once in linear time whatever the length of the windows. Where all times involved
//! are multiples of a common fraction that fits, they are whole numbers; otherwise exact rationals.

use value::{IBig, RBig, UBig};

use crate::signal::{SignalValue, Step, Trace};
use crate::store::{Comparison, Formula, Node, Relation, Store, Window};
use crate::times::{Cut, Instant, Times};

/// Whether each formula holds at time zero.
pub fn verdicts(store: &Store, trace: &Trace, roots: &[Formula]) -> Vec<bool> {
    let below = store.below(roots);
    let propositions: Vec<Option<Times<RBig>>> =
        below.iter().map(|&formula| proposition(store.node(formula), trace)).collect();
    match common_scale(store, &below, &propositions, &[]) {
        Some(scale) => {
            let propositions = propositions.into_iter().map(|times| times.map(|times| scaled(times, &scale))).collect();
            let convert = |time: &RBig| whole(time, &scale).expect("the scale fits all times");
            evaluate(store, roots, &below, propositions, convert)
        }
        None => evaluate(store, roots, &below, propositions, RBig::clone),
    }
}

/// Whether the formula holds at time zero.
pub fn holds(store: &Store, trace: &Trace, formula: Formula) -> bool {
    verdicts(store, trace, &[formula])[0]
}

/// The times at which a formula holds.
pub fn times(store: &Store, trace: &Trace, formula: Formula) -> Times<RBig> {
    let below = store.below(&[formula]);
    let propositions = below.iter().map(|&formula| proposition(store.node(formula), trace)).collect();
    let mut sets = sets(store, &below, propositions, RBig::clone);
    sets.remove(sets.len() - 1)
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
    let propositions: Vec<Option<Times<RBig>>> =
        below.iter().map(|&formula| proposition(store.node(formula), trace)).collect();
    let own = questions.iter().filter_map(|question| match question {
        Question::Start(_) => None,
        Question::Spread(_, from) | Question::Until(_, _, from, _) => Some(from),
    });
    let more: Vec<&RBig> = own.chain(until).collect();
    match common_scale(store, &below, &propositions, &more) {
        Some(scale) => {
            let propositions = propositions.into_iter().map(|times| times.map(|times| scaled(times, &scale))).collect();
            let convert = |time: &RBig| whole(time, &scale).expect("the scale fits all times");
            answered(store, &below, propositions, questions, until, convert)
        }
        None => answered(store, &below, propositions, questions, until, RBig::clone),
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
        let bounds = |window: &Window| (convert(&window.lower), window.upper.as_ref().map(&convert));
        let times = match store.node(formula) {
            Node::Constant(truth) => Times::constant(*truth),
            Node::Signal(_) | Node::Compare(_) => propositions[place].take().expect("propositions are prepared"),
            Node::Not(arg) => set(arg).clone().complement(),
            Node::And(left, right) => set(left).combine(set(right), |left, right| left && right),
            Node::Or(left, right) => set(left).combine(set(right), |left, right| left || right),
            Node::Implies(left, right) => set(left).combine(set(right), |left, right| !left || right),
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
        };
        sets.push(times);
    }
    sets
}

/// The times at which a proposition holds; none for other nodes.
fn proposition(node: &Node, trace: &Trace) -> Option<Times<RBig>> {
    match node {
        Node::Signal(signal) => match &trace.signals[signal.0 as usize] {
            SignalValue::Bool(steps) => Some(stepping(steps)),
            SignalValue::Real(_) => unreachable!("the checker gives every signal one sort"),
        },
        Node::Compare(comparison) => {
            let forms: Vec<(&RBig, &[(RBig, RBig)])> = comparison
                .form
                .iter()
                .map(|(coefficient, signal)| match &trace.signals[signal.0 as usize] {
                    SignalValue::Real(points) => (coefficient, points.as_slice()),
                    SignalValue::Bool(_) => unreachable!("the checker gives every signal one sort"),
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
        | Node::Release(..) => None,
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

/// The linear form minus the bound, as a polyline.
pub(crate) fn difference(forms: &[(&RBig, &[(RBig, RBig)])], bound: &RBig) -> Vec<(RBig, RBig)> {
    if let [(coefficient, points)] = forms {
        return points.iter().map(|(time, value)| (time.clone(), *coefficient * value - bound)).collect();
    }
    let mut times: Vec<RBig> =
        forms.iter().flat_map(|(_, points)| points.iter().map(|point| point.0.clone())).collect();
    times.sort();
    times.dedup();
    let value = |time: &RBig| {
        let terms = forms.iter().map(|(coefficient, points)| *coefficient * crate::signal::value_at(points, time));
        terms.fold(-bound.clone(), |sum, term| sum + term)
    };
    times.iter().map(|time| (time.clone(), value(time))).collect()
}

/// The times at which a polyline relates to zero as the comparison says.
fn compared(comparison: &Comparison, points: &[(RBig, RBig)]) -> Times<RBig> {
    let relation = comparison.relation;
    let truth = |value: &RBig| relation.holds(value.cmp(&RBig::ZERO));
    let mut builder = Builder::default();
    for (place, (time, value)) in points.iter().enumerate() {
        builder.at(time, truth(value));
        match points.get(place + 1) {
            None => builder.after(time, truth(value)),
            Some((next_time, next)) => {
                let crosses =
                    (*value < RBig::ZERO && RBig::ZERO < *next) || (*next < RBig::ZERO && RBig::ZERO < *value);
                builder.after(time, between(relation, value, next));
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

/// The truth just after a point with this value when the line goes on to `next`.
fn between(relation: Relation, value: &RBig, next: &RBig) -> bool {
    if value.is_zero() { relation.holds(next.cmp(&RBig::ZERO)) } else { relation.holds(value.cmp(&RBig::ZERO)) }
}

/// Builds a set from truth values in the order of time.
struct Builder {
    times: Times<RBig>,
    member: bool,
}

impl Default for Builder {
    fn default() -> Builder {
        Builder { times: Times { cuts: Vec::new() }, member: false }
    }
}

impl Builder {
    fn at(&mut self, time: &RBig, truth: bool) {
        self.cut(time, false, truth);
    }

    fn after(&mut self, time: &RBig, truth: bool) {
        self.cut(time, true, truth);
    }

    fn cut(&mut self, time: &RBig, after: bool, truth: bool) {
        if truth != self.member {
            self.member = truth;
            self.times.cuts.push(Cut { at: time.clone(), after });
        }
    }
}

/// A denominator that makes all times of a run whole and small, if there is one.
fn common_scale(
    store: &Store,
    below: &[Formula],
    propositions: &[Option<Times<RBig>>],
    more: &[&RBig],
) -> Option<UBig> {
    use dashu_int::ops::Gcd;
    let mut scale = UBig::ONE;
    let mut largest = RBig::ONE;
    let mut include = |time: &RBig| {
        let denominator = time.denominator();
        if (&scale % denominator) != UBig::ZERO {
            scale = &scale / (&scale).gcd(denominator) * denominator;
        }
        if largest < *time {
            largest = time.clone();
        }
        scale.bit_len() <= 40
    };
    use dashu_int::ops::BitTest;
    let bounds = below.iter().flat_map(|&formula| {
        let node = store.node(formula);
        let next = if let Node::Next(time, _) = node { Some(time) } else { None };
        let window = node.window();
        next.into_iter().chain(window.map(|window| &window.lower)).chain(window.and_then(|w| w.upper.as_ref()))
    });
    let cuts = propositions.iter().flatten().flat_map(|times| times.cuts.iter().map(|cut| &cut.at));
    let fits = bounds.chain(cuts).chain(more.iter().copied()).all(&mut include);
    // Sums of a few hundred bounds stay far below 2^62.
    (fits && (largest * RBig::from(scale.clone())).ceil().bit_len() <= 52).then_some(scale)
}

fn whole(time: &RBig, scale: &UBig) -> Option<i64> {
    let product = time.numerator() * IBig::from(scale / time.denominator());
    i64::try_from(product).ok()
}

fn scaled(times: Times<RBig>, scale: &UBig) -> Times<i64> {
    let cut = |cut: Cut<RBig>| Cut { at: whole(&cut.at, scale).expect("the scale fits all times"), after: cut.after };
    Times { cuts: times.cuts.into_iter().map(cut).collect() }
}
