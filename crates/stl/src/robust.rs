//! Robustness: by how much a formula is satisfied or violated, over dense time.
//!
//! The verdict comes from the exact monitor; this is the distance, with values in double precision. Times are exact wherever it
//! matters, so the distance never contradicts the verdict. Boolean signals count as infinitely true or false. Every operator is
//! computed in time proportional to the number of points, whatever the length of its window.

mod backwards;
mod curve;
mod doubles;
mod moment;
mod until;
mod window;

use value::RBig;

use crate::interp::Question;
use crate::signal::Trace;
use crate::store::{Comparison, Formula, Node, Relation, Store, Window};
use curve::Curve;
use doubles::{Doubles, Samples};
use moment::{Moment, Tick};

/// A share of the largest value that a distance can be wrong by: far more than rounding adds up to.
const ROUNDING: f64 = 1e-9;
/// Values beyond this are not told from infinite ones.
const LARGEST: f64 = 1e300;

/// The robustness at time zero of a formula that holds there or does not, as the exact monitor says.
///
/// # Panics
/// When the distance contradicts the verdict: one of the two would be wrong.
pub fn robustness(store: &Store, trace: &Trace, formula: Formula, holds: bool) -> f64 {
    let distances = Distances::new(store, &[formula], trace, &[]);
    agreeing(distances.answer(&Question::Start(formula), None).0, holds, distances.magnitude())
}

/// A distance with the sign of the verdict: what rounding made of zero is zero.
pub(crate) fn agreeing(distance: f64, holds: bool, magnitude: f64) -> f64 {
    if distance.is_nan() || (magnitude.is_nan() || LARGEST < magnitude) {
        return infinite(holds);
    }
    let contradicts = if holds { distance < 0.0 } else { 0.0 < distance };
    if !contradicts {
        // Negative zero is zero.
        return distance + 0.0;
    }
    assert!(
        distance.abs() <= ROUNDING * magnitude,
        "the robustness {distance} contradicts the verdict {holds} for values up to {magnitude}"
    );
    0.0
}

/// A trace prepared for questions about distances.
pub(crate) struct Distances<'a> {
    store: &'a Store,
    prepared: Prepared,
    magnitude: f64,
}

enum Prepared {
    /// Counted in so many ticks of a common clock.
    Ticks(Doubles<Tick>, i64),
    /// Where no common clock fits.
    Exact(Doubles<RBig>),
}

impl<'a> Distances<'a> {
    /// Prepares a trace for questions about some formulas, with `more` points of time in them.
    pub(crate) fn new(store: &'a Store, roots: &[Formula], trace: &Trace, more: &[&RBig]) -> Distances<'a> {
        let below = store.below(roots);
        let prepared = match doubles::common_clock(store, &below, trace, more) {
            Some(ticks) => Prepared::Ticks(Doubles::new(trace, |time| doubles::counted(time, ticks)), ticks),
            None => Prepared::Exact(Doubles::new(trace, RBig::clone)),
        };
        let magnitude = match &prepared {
            Prepared::Ticks(doubles, _) => doubles.magnitude(store, &below),
            Prepared::Exact(doubles) => doubles.magnitude(store, &below),
        };
        Distances { store, prepared, magnitude }
    }

    /// No value of a comparison is larger.
    pub(crate) fn magnitude(&self) -> f64 {
        self.magnitude
    }

    /// The distances a question speaks of, up to `until` or for the whole trace: at the start; the least and the greatest;
    /// that of until, and the least of its first part.
    pub(crate) fn answer(&self, question: &Question, until: Option<&RBig>) -> (f64, f64) {
        match &self.prepared {
            Prepared::Ticks(doubles, ticks) => {
                let run = Run { store: self.store, doubles, convert: |time: &RBig| doubles::counted(time, *ticks) };
                run.answer(question, until)
            }
            Prepared::Exact(doubles) => {
                Run { store: self.store, doubles, convert: RBig::clone }.answer(question, until)
            }
        }
    }
}

struct Run<'a, T, C> {
    store: &'a Store,
    doubles: &'a Doubles<T>,
    /// A point of time or a bound in the measure of the curves.
    convert: C,
}

impl<T: Moment, C: Fn(&RBig) -> T> Run<'_, T, C> {
    fn answer(&self, question: &Question, until: Option<&RBig>) -> (f64, f64) {
        let end = until.map(&self.convert);
        match question {
            Question::Start(formula) => {
                let start = self.curve(*formula).start();
                (start, start)
            }
            Question::Spread(formula, from) => self.curve(*formula).range(&(self.convert)(from), end.as_ref()),
            Question::Until(left, right, from, negated) => {
                let side = |formula: Formula| match *negated {
                    true => self.curve(formula).negated(),
                    false => self.curve(formula),
                };
                let (left, right) = (side(*left), side(*right));
                let window = Window { lower: from.clone(), upper: until.cloned() };
                (self.until(&left, &right, &window).start(), left.range(&T::zero(), end.as_ref()).0)
            }
        }
    }

    /// The robustness over time.
    fn curve(&self, formula: Formula) -> Curve<T> {
        let store = self.store;
        let below = store.below(&[formula]);
        let mut uses = vec![0u32; store.len()];
        for &formula in &below {
            store.node(formula).args().iter().for_each(|arg| uses[arg.0 as usize] += 1);
        }
        let mut curves: Vec<Option<Curve<T>>> = vec![None; store.len()];
        for &formula in &below {
            let node = store.node(formula);
            let curve = self.node(node, |arg| curves[arg.0 as usize].as_ref().expect("operands come first"));
            // What is not needed any more goes: the curves of long signals are large.
            for arg in node.args() {
                uses[arg.0 as usize] -= 1;
                if uses[arg.0 as usize] == 0 {
                    curves[arg.0 as usize] = None;
                }
            }
            curves[formula.0 as usize] = Some(curve);
        }
        curves[formula.0 as usize].take().expect("the whole comes last")
    }

    fn node<'c>(&self, node: &Node, of: impl Fn(&Formula) -> &'c Curve<T>) -> Curve<T>
    where
        T: 'c,
    {
        match node {
            Node::Constant(truth) => Curve::constant(infinite(*truth)),
            Node::Signal(signal) => match &self.doubles.signals[signal.0 as usize] {
                Samples::Bool(steps) => Curve::stepping(
                    steps.iter().map(|(time, at, after)| (time.clone(), infinite(*at), infinite(*after))),
                ),
                Samples::Real { .. } | Samples::Named(_) => unreachable!("the checker gives every signal one sort"),
            },
            Node::Compare(comparison) => compared(self.doubles, comparison),
            Node::Not(arg) => of(arg).negated(),
            Node::And(left, right) => of(left).least(of(right)),
            Node::Or(left, right) => of(left).greatest(of(right)),
            Node::Implies(left, right) => of(left).negated().greatest(of(right)),
            Node::Next(time, arg) => of(arg).clone().shifted(&(self.convert)(time)),
            Node::Finally(window, arg) => self.eventually(of(arg), window),
            Node::Globally(window, arg) => self.eventually(&of(arg).negated(), window).negated(),
            Node::Until(window, left, right) => self.until(of(left), of(right), window),
            Node::Release(window, left, right) => {
                self.until(&of(left).negated(), &of(right).negated(), window).negated()
            }
            Node::Once(window, arg) => self.once(of(arg), window),
            Node::Historically(window, arg) => self.once(&of(arg).negated(), window).negated(),
            Node::Since(window, left, right) => {
                let end = self.turning_point(&[of(left), of(right)], window);
                self.until(&of(left).backwards(&end), &of(right).backwards(&end), window).forwards(&end)
            }
        }
    }

    fn eventually(&self, curve: &Curve<T>, window: &Window) -> Curve<T> {
        if window.is_empty() {
            return Curve::constant(f64::NEG_INFINITY);
        }
        let wide = match &window.upper {
            Some(upper) => curve.highest_within(&(self.convert)(&(upper - &window.lower)), true),
            None => curve.highest_ever(),
        };
        wide.shifted(&(self.convert)(&window.lower))
    }

    /// Looking back is looking ahead while time runs backwards.
    fn once(&self, curve: &Curve<T>, window: &Window) -> Curve<T> {
        let end = self.turning_point(&[curve], window);
        self.eventually(&curve.backwards(&end), window).forwards(&end)
    }

    /// A time after which neither these curves change, nor what a window shows of them that looks back.
    fn turning_point(&self, curves: &[&Curve<T>], window: &Window) -> T {
        let last = curves.iter().map(|curve| curve.knots[curve.knots.len() - 1].time.clone()).max();
        let reach = (self.convert)(window.upper.as_ref().unwrap_or(&window.lower));
        last.unwrap_or_else(T::zero).plus(&reach).later()
    }

    /// `X U[a,b] Y` is `F[a,b] Y`, `X` at all times before `a`, and from `a` on `X` until `Y`, whenever.
    fn until(&self, left: &Curve<T>, right: &Curve<T>, window: &Window) -> Curve<T> {
        if window.is_empty() {
            return Curve::constant(f64::NEG_INFINITY);
        }
        let lower = (self.convert)(&window.lower);
        let mut result = left.until(right).shifted(&lower);
        if T::zero() < lower {
            result = result.least(&left.negated().highest_within(&lower, false).negated());
        }
        match window.upper {
            Some(_) => result.least(&self.eventually(right, window)),
            None => result,
        }
    }
}

fn infinite(truth: bool) -> f64 {
    if truth { f64::INFINITY } else { f64::NEG_INFINITY }
}

fn compared<T: Moment>(trace: &Doubles<T>, comparison: &Comparison) -> Curve<T> {
    let mut sum: Option<Curve<T>> = None;
    for (coefficient, signal) in &comparison.form {
        if let Samples::Named(values) = &trace.signals[signal.0 as usize] {
            let truth =
                |value: &RBig| infinite(comparison.relation.holds((coefficient * value).cmp(&comparison.bound)));
            return Curve::stepping(values.iter().map(|(time, value)| (time.clone(), truth(value), truth(value))));
        }
        let Samples::Real { times, values } = &trace.signals[signal.0 as usize] else {
            unreachable!("the checker gives every signal one sort")
        };
        let term = Curve::polyline(times, values).scaled(crate::number::to_double(coefficient));
        sum = Some(match sum {
            None => term,
            Some(sum) => sum.plus(&term),
        });
    }
    let bound = crate::number::to_double(&comparison.bound);
    let difference = sum.expect("a comparison has a signal").raised(-bound);
    match comparison.relation {
        Relation::Greater | Relation::AtLeast => difference,
        Relation::Less | Relation::AtMost => difference.negated(),
        Relation::NotEqual => difference.greatest(&difference.negated()),
        Relation::Equal => difference.least(&difference.negated()),
    }
}
