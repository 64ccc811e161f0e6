//! A trace with values in double precision, its times counted on a common clock.

use value::RBig;

use super::moment::{Moment, Tick};
use crate::interp::{common_ticks, in_ticks};
use crate::number::to_double;
use crate::signal::{SignalValue, Trace};
use crate::store::{Formula, Node, Store};

/// A trace in doubles.
#[derive(Clone, Debug)]
pub(super) struct Doubles<T> {
    pub(super) signals: Vec<Samples<T>>,
}

#[derive(Clone, Debug)]
pub(super) enum Samples<T> {
    Real {
        times: Vec<T>,
        values: Vec<f64>,
    },
    Bool(Vec<(T, bool, bool)>),
    /// The values of an enumeration, each from its time on: they have no distance.
    Named(Vec<(T, RBig)>),
}

impl<T: Moment> Doubles<T> {
    /// The trace in doubles.
    pub(super) fn new(trace: &Trace, time: impl Fn(&RBig) -> T) -> Doubles<T> {
        let convert = |signal: &SignalValue| match signal {
            SignalValue::Real(points) => Samples::Real {
                times: points.iter().map(|point| time(&point.0)).collect(),
                values: points.iter().map(|point| to_double(&point.1)).collect(),
            },
            SignalValue::Bool(steps) => {
                Samples::Bool(steps.iter().map(|step| (time(&step.time), step.at, step.after)).collect())
            }
            SignalValue::Named(values) => {
                Samples::Named(values.iter().map(|(at, value)| (time(at), value.clone())).collect())
            }
        };
        Doubles { signals: trace.signals.iter().map(convert).collect() }
    }

    /// What no side of a comparison among these formulas exceeds.
    pub(super) fn magnitude(&self, store: &Store, below: &[Formula]) -> f64 {
        let largest = |samples: &Samples<T>| match samples {
            Samples::Real { values, .. } => values.iter().fold(0.0, |most: f64, value| most.max(value.abs())),
            Samples::Bool(_) | Samples::Named(_) => 0.0,
        };
        let largest: Vec<f64> = self.signals.iter().map(largest).collect();
        let mut magnitude: f64 = 0.0;
        for &formula in below {
            if let Node::Compare(comparison) = store.node(formula) {
                let term = |(coefficient, signal): &(RBig, crate::store::SignalId)| {
                    to_double(coefficient).abs() * largest[signal.0 as usize]
                };
                let sum: f64 = comparison.form.iter().map(term).sum();
                let side = sum + to_double(&comparison.bound).abs();
                // A product of zero and an infinite number is beyond doubles too.
                magnitude = if side.is_nan() { f64::INFINITY } else { magnitude.max(side) };
            }
        }
        magnitude
    }
}

/// How many ticks a unit of time has, so that all samples and bounds lie on ticks; none where that does not fit.
pub(super) fn common_clock(store: &Store, below: &[Formula], trace: &Trace, more: &[&RBig]) -> Option<i64> {
    let bounds = below.iter().flat_map(|&formula| store.node(formula).bounds());
    let samples = trace.signals.iter().flat_map(SignalValue::times);
    common_ticks(bounds.chain(samples).chain(more.iter().copied()))
}

/// A time of a clock with so many ticks in a unit.
pub(super) fn counted(time: &RBig, ticks: i64) -> Tick {
    Tick::whole(in_ticks(time, ticks).expect("the clock was made for this time"))
}
