//! Signals drawn at random, near the thresholds of the formulas and on fine and coarse grids.

use random::SplitMix;
use value::{RBig, Sort};

use crate::levels::Levels;
use crate::signal::{SignalValue, Step, Trace, held};
use crate::spec::{Shape, Spec};
use crate::store::{Formula, SignalId};

/// Draws signals, the same for the same seed.
#[derive(Clone, Debug)]
pub struct Sampler<'a> {
    spec: &'a Spec,
    levels: Vec<Levels>,
    step: RBig,
    horizon: RBig,
    random: SplitMix,
}

impl<'a> Sampler<'a> {
    /// A sampler for a specification and formulas made from it.
    pub fn new(spec: &'a Spec, formulas: &[Formula], seed: u64) -> Sampler<'a> {
        let mut roots = formulas.to_vec();
        roots.push(spec.formula);
        let levels = (0..spec.signals.len() as u32).map(|id| Levels::of(&spec.store, &roots, SignalId(id))).collect();
        let (step, horizon) = (crate::step(&spec.store, &roots), crate::horizon(&spec.store, &roots));
        Sampler { spec, levels, step, horizon, random: SplitMix::new(seed ^ 0x9e37_79b9_7f4a_7c15) }
    }

    /// The next signal.
    pub fn draw(&mut self) -> Trace {
        let halves = RBig::from(2u64 << self.random.below(3));
        let step = &self.step / halves;
        let samples = (&self.horizon / &step).ceil();
        let samples = u64::try_from(samples).unwrap_or(1000).min(1000) + 1;
        // Calm signals change seldom.
        let calm = [1, 2, 4, 16][self.random.below(4) as usize];
        let mut signals = Vec::new();
        for place in 0..self.spec.signals.len() {
            let signal = &self.spec.signals[place];
            let value = match &signal.shape {
                _ if signal.sort == Sort::Bool => SignalValue::Bool(self.steps(&step, samples, calm)),
                Shape::Straight => SignalValue::Real(self.points(place, &step, samples, calm)),
                Shape::Steps => SignalValue::Real(held(&self.points(place, &step, samples, calm))),
                Shape::Named(names) => SignalValue::Named(self.values(names.len() as u64, &step, samples, calm)),
            };
            signals.push(value);
        }
        Trace { signals, end: step * RBig::from(samples - 1) }
    }

    fn steps(&mut self, step: &RBig, samples: u64, calm: u64) -> Vec<Step> {
        let mut value = self.random.below(2) == 1;
        let mut steps = Vec::new();
        for sample in 0..samples {
            let mut toss = |value: bool| if self.random.below(calm) == 0 { !value } else { value };
            let at = toss(value);
            value = toss(at);
            steps.push(Step { time: step * RBig::from(sample), at, after: value });
        }
        steps
    }

    fn values(&mut self, count: u64, step: &RBig, samples: u64, calm: u64) -> Vec<(RBig, RBig)> {
        let mut value = self.random.below(count);
        let mut values = Vec::new();
        for sample in 0..samples {
            if self.random.below(calm) == 0 {
                value = self.random.below(count);
            }
            values.push((step * RBig::from(sample), RBig::from(value)));
        }
        values
    }

    fn points(&mut self, place: usize, step: &RBig, samples: u64, calm: u64) -> Vec<(RBig, RBig)> {
        let places = self.levels[place].places() as u64;
        let mut level = self.random.below(places);
        let mut points = Vec::new();
        for sample in 0..samples {
            if self.random.below(calm) == 0 {
                level = self.random.below(places);
            }
            points.push((step * RBig::from(sample), self.levels[place].representative(level as usize)));
        }
        points
    }
}
