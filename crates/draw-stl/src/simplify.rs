//! Calmer signals: points are left out, instants made like their neighbours and values moved off thresholds, as long as the signal
//! still shows what it must.

use stl::Shape;
use stl::goals::Obligation;
use stl::interp::verdicts;
use stl::levels::Levels;
use stl::signal::{SignalValue, Trace, held, samples};
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

    /// The points of a signal of numbers that can be any: those of a line, or the values that are kept.
    fn points(&self, signal: usize) -> Option<Vec<(RBig, RBig)>> {
        match (&self.best.signals[signal], &self.subject.spec.signals[signal].shape) {
            (SignalValue::Real(points), Shape::Steps) => Some(samples(points)),
            (SignalValue::Real(points), _) => Some(points.clone()),
            (SignalValue::Bool(_) | SignalValue::Named(_), _) => None,
        }
    }

    /// Takes another value for one of these points, if it will do.
    fn moved(&mut self, signal: usize, place: usize, value: &RBig) -> bool {
        let Some(mut points) = self.points(signal) else { return false };
        points[place].1 = value.clone();
        let steps = self.subject.spec.signals[signal].shape == Shape::Steps;
        let points = if steps { held(&points) } else { points };
        self.accept(|trace| trace.signals[signal] = SignalValue::Real(points))
    }

    /// Leaves out blocks of points, large ones first.
    fn fewer_points(&mut self, signal: usize) {
        let mut block = count(&self.best.signals[signal]).saturating_sub(1);
        while 0 < block {
            let mut start = 1;
            while start < count(&self.best.signals[signal]) && 0 < self.left {
                let steps = self.subject.spec.signals[signal].shape == Shape::Steps;
                if !self.accept(|trace| remove(&mut trace.signals[signal], steps, start, block)) {
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
            let Some((_, value)) = self.points(signal).and_then(|points| points.get(place).cloned()) else { return };
            let Ok(threshold) = levels.thresholds.binary_search(&value) else { continue };
            for level in [2 * threshold + 2, 2 * threshold] {
                let moved: RBig = levels.representative(level);
                let done = self.moved(signal, place, &moved);
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
            let Some((_, value)) = self.points(signal).and_then(|points| points.get(place).cloned()) else { return };
            if value.is_int() {
                continue;
            }
            for scale in [1u8, 10, 100] {
                let rounded = RBig::from_parts((&value * RBig::from(scale)).round(), scale.into());
                let done = self.moved(signal, place, &rounded);
                if done {
                    break;
                }
            }
        }
    }
}

fn count(signal: &SignalValue) -> usize {
    match signal {
        SignalValue::Real(points) | SignalValue::Named(points) => points.len(),
        SignalValue::Bool(steps) => steps.len(),
    }
}

fn remove(signal: &mut SignalValue, steps: bool, start: usize, block: usize) {
    match signal {
        SignalValue::Real(points) if steps => {
            let mut values = samples(points);
            drop(values.drain(start.min(values.len())..(start + block).min(values.len())));
            *points = held(&values);
        }
        SignalValue::Real(points) | SignalValue::Named(points) => {
            drop(points.drain(start..(start + block).min(points.len())))
        }
        SignalValue::Bool(steps) => drop(steps.drain(start..(start + block).min(steps.len()))),
    }
}
