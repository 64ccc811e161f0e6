//! Calmer signals: points are left out, instants made like their neighbours and values moved off thresholds, as long as the signal
//! still shows what it must.

use stl::goals::Obligation;
use stl::interp::verdicts;
use stl::levels::Levels;
use stl::signal::{SignalValue, Trace};
use stl::store::SignalId;
use testcase::ObligationId;
use value::RBig;

use super::StlSubject;

/// How many simpler signals are tried.
const TRIES: usize = 400;

/// A calmer signal that meets the same targets.
pub(super) fn calm(subject: &StlSubject, trace: &Trace, targets: &[ObligationId]) -> Trace {
    let mut calmer = Calmer { subject, targets, left: TRIES, best: trace.tidy() };
    if !calmer.shows(&calmer.best.clone()) {
        return trace.clone();
    }
    for signal in 0..calmer.best.signals.len() {
        calmer.fewer_points(signal);
    }
    for signal in 0..calmer.best.signals.len() {
        calmer.quiet_instants(signal);
        calmer.off_thresholds(signal);
        calmer.round_values(signal);
    }
    for signal in 0..calmer.best.signals.len() {
        calmer.fewer_points(signal);
    }
    calmer.best
}

struct Calmer<'a> {
    subject: &'a StlSubject,
    targets: &'a [ObligationId],
    left: usize,
    best: Trace,
}

impl Calmer<'_> {
    /// Whether a signal meets the targets, by the exact monitor.
    fn shows(&self, trace: &Trace) -> bool {
        let obligation = |target: &ObligationId| self.subject.goals.obligations[target.0 as usize];
        let spec = &self.subject.spec;
        let mut roots = vec![spec.formula];
        roots.extend(self.targets.iter().map(|target| match obligation(target) {
            Obligation::Differ(formula) | Obligation::Hold { predicate: formula, .. } => formula,
        }));
        let verdicts = verdicts(&spec.store, trace, &roots);
        let met = |(place, target): (usize, &ObligationId)| match obligation(target) {
            Obligation::Differ(_) => verdicts[place + 1] != verdicts[0],
            Obligation::Hold { verdict, .. } => {
                verdicts[place + 1] && verdict.is_none_or(|verdict| verdict == verdicts[0])
            }
        };
        self.targets.iter().enumerate().all(met)
    }

    /// Takes a changed signal if it will do.
    fn accept(&mut self, change: impl FnOnce(&mut Trace)) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        let mut changed = self.best.clone();
        change(&mut changed);
        let changed = changed.tidy();
        let fine = changed != self.best && self.shows(&changed);
        if fine {
            self.best = changed;
        }
        fine
    }

    /// Leaves out blocks of points, large ones first.
    fn fewer_points(&mut self, signal: usize) {
        let mut block = count(&self.best.signals[signal]).saturating_sub(1);
        while 0 < block {
            let mut start = 1;
            while start < count(&self.best.signals[signal]) && 0 < self.left {
                if !self.accept(|trace| remove(&mut trace.signals[signal], start, block)) {
                    start += block;
                }
            }
            block /= 2;
        }
    }

    /// Gives the instants of a Boolean signal the value after them, or before.
    fn quiet_instants(&mut self, signal: usize) {
        for place in (0..count(&self.best.signals[signal])).rev() {
            let SignalValue::Bool(steps) = &self.best.signals[signal] else { return };
            let Some(step) = steps.get(place) else { continue };
            let around = place.checked_sub(1).map(|before| steps[before].after);
            let (at, after) = (step.at, step.after);
            for value in [Some(after), around].into_iter().flatten().filter(|&value| value != at) {
                let done = self.accept(|trace| {
                    if let SignalValue::Bool(steps) = &mut trace.signals[signal] {
                        steps[place].at = value;
                    }
                });
                if done {
                    break;
                }
            }
        }
    }

    /// Moves values that lie on a threshold to where people see on which side they are.
    fn off_thresholds(&mut self, signal: usize) {
        let formulas = self.subject.formulas();
        let levels = Levels::of(&self.subject.spec.store, &formulas, SignalId(signal as u32));
        for place in 0..count(&self.best.signals[signal]) {
            let SignalValue::Real(points) = &self.best.signals[signal] else { return };
            let Some((_, value)) = points.get(place) else { continue };
            let Ok(threshold) = levels.thresholds.binary_search(value) else { continue };
            for level in [2 * threshold + 2, 2 * threshold] {
                let moved: RBig = levels.representative(level);
                let done = self.accept(|trace| {
                    if let SignalValue::Real(points) = &mut trace.signals[signal] {
                        points[place].1 = moved;
                    }
                });
                if done {
                    break;
                }
            }
        }
    }
}

/// Values that people can read.
impl Calmer<'_> {
    /// Gives values that are not integers the nearest integer, tenth or hundredth.
    fn round_values(&mut self, signal: usize) {
        for place in 0..count(&self.best.signals[signal]) {
            let SignalValue::Real(points) = &self.best.signals[signal] else { return };
            let Some((_, value)) = points.get(place).filter(|(_, value)| !value.is_int()) else { continue };
            let value = value.clone();
            for scale in [1u8, 10, 100] {
                let rounded = RBig::from_parts((&value * RBig::from(scale)).round(), scale.into());
                let done = self.accept(|trace| {
                    if let SignalValue::Real(points) = &mut trace.signals[signal] {
                        points[place].1 = rounded;
                    }
                });
                if done {
                    break;
                }
            }
        }
    }
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
