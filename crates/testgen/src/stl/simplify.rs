//! Calmer signals: points are left out as long as the signal still shows all it showed.

use std::collections::BTreeSet;

use stl::meter::Meter;
use stl::signal::{SignalValue, Trace};
use testcase::ObligationId;

use super::StlSubject;

/// How many simpler signals are tried.
const TRIES: usize = 160;

/// At most this many obligation verdicts are computed: signals of large formulas are tried less often.
const WORK: usize = 400_000;

/// A signal with fewer points that meets the same obligations.
pub(super) fn simplify(subject: &StlSubject, trace: Trace) -> Trace {
    let meter = Meter::new(&subject.spec, &subject.goals);
    let (holds, met) = meter.look(&trace);
    let wanted: BTreeSet<ObligationId> = met.into_iter().collect();
    let points: usize = trace.signals.iter().map(count).sum();
    let mut left = TRIES.min(WORK / (subject.spec.store.len() * points.max(1)).max(1));
    let shows = |trace: &Trace| {
        let (verdict, met) = meter.look(trace);
        verdict == holds && wanted.iter().all(|wanted| met.binary_search(wanted).is_ok())
    };
    let mut best = trace.tidy();
    for signal in 0..best.signals.len() {
        let mut block = count(&best.signals[signal]).saturating_sub(1);
        while 0 < block {
            let mut start = 1;
            while start < count(&best.signals[signal]) && 0 < left {
                let mut fewer = best.clone();
                remove(&mut fewer.signals[signal], start, block);
                left -= 1;
                if shows(&fewer) {
                    best = fewer.tidy();
                } else {
                    start += block;
                }
            }
            block /= 2;
        }
    }
    best
}

fn count(signal: &SignalValue) -> usize {
    match signal {
        SignalValue::Real(points) => points.len(),
        SignalValue::Bool(steps) => steps.len(),
    }
}

fn remove(signal: &mut SignalValue, start: usize, block: usize) {
    match signal {
        SignalValue::Real(points) => drop(points.drain(start..(start + block).min(points.len()))),
        SignalValue::Bool(steps) => drop(steps.drain(start..(start + block).min(steps.len()))),
    }
}
