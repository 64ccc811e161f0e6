//! A trace in machine words: the clock whose ticks are common to all times, and the signals counted in it.

use value::{IBig, RBig, UBig};

use super::ticks::Ticks;
use super::{Builder, between};
use crate::signal::{SignalValue, Step, Trace};
use crate::store::{Comparison, Formula, Node, Store};
use crate::times::Times;

/// Times and bounds are smaller than this many ticks, so that no difference of two overflows.
const MOST_TICKS: i64 = 1 << 52;
/// Values are smaller than this, so that neither a sum nor a difference of two overflows.
const LARGEST: i128 = 1 << 61;

/// A clock and the signals of a trace in its ticks.
pub(super) struct Clock {
    /// Ticks in a unit of time.
    ticks: i64,
    signals: Vec<Counted>,
}

/// A signal in ticks.
enum Counted {
    /// Points, values over a common denominator.
    Real {
        points: Vec<(i64, i64)>,
        denominator: i64,
    },
    Bool(Vec<(i64, bool, bool)>),
}

/// A term of a linear form: the coefficient, the points of its signal, and the denominator of their values.
type Summand<'a> = (&'a RBig, &'a [(i64, i64)], i64);

impl Clock {
    /// The clock for a run; none where numbers do not fit.
    pub(super) fn new(store: &Store, below: &[Formula], trace: &Trace, more: &[&RBig]) -> Option<Clock> {
        let bounds = below.iter().flat_map(|&formula| store.node(formula).bounds());
        let samples = trace.signals.iter().flat_map(SignalValue::times);
        let ticks = common_ticks(bounds.chain(samples).chain(more.iter().copied()))?;
        let fits = |time: &RBig| in_ticks(time, ticks);
        let counted = |signal: &SignalValue| {
            Some(match signal {
                SignalValue::Real(points) => {
                    let mut values = Denominator::default();
                    points.iter().try_for_each(|point| values.include(&point.1))?;
                    let denominator = values.common;
                    let point = |point: &(RBig, RBig)| Some((fits(&point.0)?, over(&point.1, denominator)?));
                    Counted::Real { points: points.iter().map(point).collect::<Option<_>>()?, denominator }
                }
                // Enumerations are rare: they take the exact way.
                SignalValue::Named(_) => return None,
                SignalValue::Bool(steps) => {
                    let step = |step: &Step| Some((fits(&step.time)?, step.at, step.after));
                    Counted::Bool(steps.iter().map(step).collect::<Option<_>>()?)
                }
            })
        };
        let signals = trace.signals.iter().map(counted).collect::<Option<_>>()?;
        Some(Clock { ticks, signals })
    }

    /// A bound in ticks; only for what the clock was made for.
    pub(super) fn read(&self, time: &RBig) -> Ticks {
        Ticks::whole(over(time, self.ticks).expect("the clock was made for this time"))
    }

    /// A set of times in the units of the trace.
    pub(super) fn written(&self, times: Times<Ticks>) -> Times<RBig> {
        times.mapped(|time| time.fraction(self.ticks))
    }

    /// The times at which each formula holds that is a proposition; none where numbers do not fit.
    pub(super) fn propositions(&self, store: &Store, below: &[Formula]) -> Option<Vec<Option<Times<Ticks>>>> {
        let one = |&formula: &Formula| match store.node(formula) {
            Node::Signal(signal) => Some(Some(self.stepping(signal.0 as usize))),
            Node::Compare(comparison) => self.compared(comparison).map(Some),
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
            | Node::Since(..) => Some(None),
        };
        below.iter().map(one).collect()
    }

    fn stepping(&self, signal: usize) -> Times<Ticks> {
        let Counted::Bool(steps) = &self.signals[signal] else {
            unreachable!("the checker gives every signal one sort")
        };
        let mut builder = Builder::default();
        for &(time, at, after) in steps {
            builder.at(&Ticks::whole(time), at);
            builder.after(&Ticks::whole(time), after);
        }
        builder.times
    }

    fn compared(&self, comparison: &Comparison) -> Option<Times<Ticks>> {
        let forms: Vec<Summand<'_>> = comparison
            .form
            .iter()
            .map(|(coefficient, signal)| match &self.signals[signal.0 as usize] {
                Counted::Real { points, denominator } => (coefficient, points.as_slice(), *denominator),
                Counted::Bool(_) => unreachable!("the checker gives every signal one sort"),
            })
            .collect();
        let (_, first, _) = *forms.first()?;
        // Sums are taken point by point where all signals have the same times, as in a table.
        let alike = |points: &[(i64, i64)]| {
            points.len() == first.len() && points.iter().zip(first).all(|(point, other)| point.0 == other.0)
        };
        if !forms[1..].iter().all(|(_, points, _)| alike(points)) {
            return None;
        }
        // Everything over one denominator: that of the bound, of the coefficients, and of the signals.
        let mut common = Denominator::default();
        common.include(&comparison.bound)?;
        for (coefficient, _, denominator) in &forms {
            common.include(&(*coefficient / RBig::from(*denominator)))?;
        }
        let bound = i128::from(over(&comparison.bound, common.common)?);
        let factor = |(coefficient, _, denominator): &Summand<'_>| {
            over(&(*coefficient / RBig::from(*denominator)), common.common).map(i128::from)
        };
        let factors: Vec<i128> = forms.iter().map(factor).collect::<Option<_>>()?;
        let value = |place: usize| {
            let mut sum = -bound;
            for ((_, points, _), factor) in forms.iter().zip(&factors) {
                sum = sum.checked_add(factor.checked_mul(i128::from(points[place].1))?)?;
            }
            (-LARGEST < sum && sum < LARGEST).then_some(sum as i64)
        };
        let relation = comparison.relation;
        let truth = |value: i64| relation.holds(value.cmp(&0));
        let mut builder = Builder::default();
        let mut here = value(0)?;
        for (place, &(time, _)) in first.iter().enumerate() {
            let tick = Ticks::whole(time);
            if first.get(place + 1).is_some_and(|next| next.0 == time) {
                // A jump: the signal only comes near to this value.
                here = value(place + 1)?;
                continue;
            }
            builder.at(&tick, truth(here));
            let Some(&(next_time, _)) = first.get(place + 1) else {
                builder.after(&tick, truth(here));
                break;
            };
            let next = value(place + 1)?;
            builder.after(&tick, between(relation, here.cmp(&0), next.cmp(&0)));
            if (here < 0 && 0 < next) || (next < 0 && 0 < here) {
                let crossing = Ticks::crossing(time, next_time, here, next);
                builder.at(&crossing, truth(0));
                builder.after(&crossing, truth(next));
            }
            here = next;
        }
        Some(builder.times)
    }
}

/// How many ticks a unit of time has, so that all these times are whole ticks, and not too many; none where that does not fit.
pub(crate) fn common_ticks<'a>(times: impl Iterator<Item = &'a RBig> + Clone) -> Option<i64> {
    let mut common = Denominator::default();
    times.clone().try_for_each(|time| common.include(time))?;
    let ticks = common.common;
    let mut times = times;
    times.try_for_each(|time| in_ticks(time, ticks).map(drop))?;
    Some(ticks)
}

/// A time in ticks of a clock with so many in a unit; only for times the clock was made for.
pub(crate) fn in_ticks(time: &RBig, ticks: i64) -> Option<i64> {
    over(time, ticks).filter(|count| *count < MOST_TICKS)
}

/// A common denominator, as far as it fits.
struct Denominator {
    common: i64,
    /// The last one seen: mostly the next one is the same.
    last: u64,
}

impl Default for Denominator {
    fn default() -> Denominator {
        Denominator { common: 1, last: 1 }
    }
}

impl Denominator {
    fn include(&mut self, number: &RBig) -> Option<()> {
        let one = number.denominator();
        if one.is_one() {
            return Some(());
        }
        let one = u64::try_from(one).ok()?;
        if one != self.last {
            self.last = one;
            let common = self.common.unsigned_abs();
            let larger = (common / divisor(common, one)).checked_mul(one)?;
            self.common = i64::try_from(larger).ok().filter(|common| *common < 1 << 40)?;
        }
        Some(())
    }
}

/// The greatest common divisor.
fn divisor(mut left: u64, mut right: u64) -> u64 {
    while right != 0 {
        (left, right) = (right, left % right);
    }
    left
}

/// The numerator of a number over a multiple of its denominator.
fn over(number: &RBig, denominator: i64) -> Option<i64> {
    let numerator = i64::try_from(number.numerator()).ok();
    if number.denominator().is_one() {
        return numerator?.checked_mul(denominator);
    }
    let own = i64::try_from(number.denominator()).ok()?;
    match numerator {
        Some(numerator) => numerator.checked_mul(denominator / own),
        None => i64::try_from(number.numerator() * IBig::from(UBig::from((denominator / own).unsigned_abs()))).ok(),
    }
}
