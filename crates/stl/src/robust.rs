//! Robustness: by how much a formula is satisfied or violated, over dense time, in double precision.
//!
//! The verdict comes from the exact monitor; this is the distance. Boolean signals count as infinitely true or false. Every
//! operator is computed in time proportional to the number of points, whatever the length of its window.

mod curve;
mod until;
mod window;

pub use curve::Curve;

use crate::number::to_double;
use crate::signal::{SignalValue, Trace};
use crate::store::{Comparison, Formula, Node, Relation, Store, Window};

/// The robustness at time zero.
pub fn robustness(store: &Store, trace: &Trace, formula: Formula) -> f64 {
    // Negative zero is zero.
    curve(store, &Doubles::new(trace), formula).start() + 0.0
}

/// A trace in doubles.
#[derive(Clone, Debug)]
pub struct Doubles {
    signals: Vec<Samples>,
}

#[derive(Clone, Debug)]
enum Samples {
    Real { times: Vec<f64>, values: Vec<f64> },
    Bool(Vec<(f64, bool, bool)>),
}

impl Doubles {
    /// The trace in doubles.
    pub fn new(trace: &Trace) -> Doubles {
        let convert = |signal: &SignalValue| match signal {
            SignalValue::Real(points) => Samples::Real {
                times: points.iter().map(|point| to_double(&point.0)).collect(),
                values: points.iter().map(|point| to_double(&point.1)).collect(),
            },
            SignalValue::Bool(steps) => {
                Samples::Bool(steps.iter().map(|step| (to_double(&step.time), step.at, step.after)).collect())
            }
        };
        Doubles { signals: trace.signals.iter().map(convert).collect() }
    }
}

/// The robustness over time.
pub fn curve(store: &Store, trace: &Doubles, formula: Formula) -> Curve {
    let below = store.below(&[formula]);
    let mut uses = vec![0u32; store.len()];
    for &formula in &below {
        store.node(formula).args().iter().for_each(|arg| uses[arg.0 as usize] += 1);
    }
    let mut curves: Vec<Option<Curve>> = vec![None; store.len()];
    for &formula in &below {
        let node = store.node(formula);
        let curve = {
            let of = |arg: &Formula| curves[arg.0 as usize].as_ref().expect("operands come first");
            match node {
                Node::Constant(truth) => Curve::constant(infinite(*truth)),
                Node::Signal(signal) => match &trace.signals[signal.0 as usize] {
                    Samples::Bool(steps) => {
                        Curve::stepping(steps.iter().map(|&(time, at, after)| (time, infinite(at), infinite(after))))
                    }
                    Samples::Real { .. } => unreachable!("the checker gives every signal one sort"),
                },
                Node::Compare(comparison) => compared(trace, comparison),
                Node::Not(arg) => of(arg).negated(),
                Node::And(left, right) => of(left).least(of(right)),
                Node::Or(left, right) => of(left).greatest(of(right)),
                Node::Implies(left, right) => of(left).negated().greatest(of(right)),
                Node::Next(time, arg) => of(arg).clone().shifted(to_double(time)),
                Node::Finally(window, arg) => eventually(of(arg), window),
                Node::Globally(window, arg) => eventually(&of(arg).negated(), window).negated(),
                Node::Until(window, left, right) => until_window(of(left), of(right), window),
                Node::Release(window, left, right) => {
                    until_window(&of(left).negated(), &of(right).negated(), window).negated()
                }
            }
        };
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

fn infinite(truth: bool) -> f64 {
    if truth { f64::INFINITY } else { f64::NEG_INFINITY }
}

fn compared(trace: &Doubles, comparison: &Comparison) -> Curve {
    let mut sum: Option<Curve> = None;
    for (coefficient, signal) in &comparison.form {
        let Samples::Real { times, values } = &trace.signals[signal.0 as usize] else {
            unreachable!("the checker gives every signal one sort")
        };
        let term = Curve::polyline(times, values).scaled(to_double(coefficient));
        sum = Some(match sum {
            None => term,
            Some(sum) => sum.plus(&term),
        });
    }
    let difference = sum.expect("a comparison has a signal").raised(-to_double(&comparison.bound));
    match comparison.relation {
        Relation::Greater | Relation::AtLeast => difference,
        Relation::Less | Relation::AtMost => difference.negated(),
        Relation::NotEqual => difference.greatest(&difference.negated()),
        Relation::Equal => difference.least(&difference.negated()),
    }
}

fn eventually(curve: &Curve, window: &Window) -> Curve {
    if window.is_empty() {
        return Curve::constant(f64::NEG_INFINITY);
    }
    let lower = to_double(&window.lower);
    let wide = match &window.upper {
        Some(upper) => curve.highest_within(to_double(upper) - lower, true),
        None => curve.highest_ever(),
    };
    wide.shifted(lower)
}

/// `X U[a,b] Y` is `F[a,b] Y`, `X` at all times before `a`, and from `a` on `X` until `Y`, whenever.
pub(crate) fn until_window(left: &Curve, right: &Curve, window: &Window) -> Curve {
    if window.is_empty() {
        return Curve::constant(f64::NEG_INFINITY);
    }
    let lower = to_double(&window.lower);
    let mut result = left.until(right).shifted(lower);
    if 0.0 < lower {
        result = result.least(&left.negated().highest_within(lower, false).negated());
    }
    match window.upper {
        Some(_) => result.least(&eventually(right, window)),
        None => result,
    }
}
