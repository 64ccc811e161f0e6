//! Random assignments that like to sit on boundaries: the attack on claims that something is impossible.

use std::collections::BTreeMap;
use std::sync::Arc;

use random::SplitMix;
use value::{ArrayValue, BitVec, EnumValue, IBig, RBig, Sort, UBig, Value};

use crate::interp::Assignment;
use crate::{ExprKind, Spec};

/// An endless sequence of assignments, the same for the same seed.
#[derive(Clone, Debug)]
pub struct Sampler<'a> {
    spec: &'a Spec,
    random: SplitMix,
    /// Numbers of the specification and their neighbours.
    integers: Vec<IBig>,
    reals: Vec<RBig>,
    patterns: Vec<UBig>,
    last: Option<Assignment>,
}

impl<'a> Sampler<'a> {
    /// Assignments for a specification. Declared ranges hold; other assumptions need not.
    pub fn new(spec: &'a Spec, seed: u64) -> Sampler<'a> {
        let (mut integers, mut reals, mut patterns) = (vec![IBig::ZERO], vec![RBig::ZERO], vec![UBig::ZERO]);
        for expr in &spec.exprs {
            match &expr.kind {
                ExprKind::Literal(Value::Int(number)) => {
                    integers.extend([-1, 0, 1].map(|offset| number + IBig::from(offset)));
                }
                ExprKind::Literal(Value::Real(number)) => {
                    let half = RBig::from_parts(IBig::ONE, UBig::from(2u8));
                    reals.extend([
                        number - &half,
                        number.clone(),
                        number + &half,
                        number - RBig::ONE,
                        number + RBig::ONE,
                    ]);
                }
                ExprKind::Literal(Value::BitVec(pattern)) => {
                    let bits = pattern.bits();
                    patterns.extend([bits.clone(), bits + UBig::ONE]);
                    if UBig::ZERO < *bits {
                        patterns.push(bits - UBig::ONE);
                    }
                }
                ExprKind::Literal(_) | ExprKind::Variable(_) | ExprKind::Apply { .. } => {}
            }
        }
        integers.sort();
        integers.dedup();
        reals.sort();
        reals.dedup();
        patterns.sort();
        patterns.dedup();
        Sampler { spec, random: SplitMix::new(seed), integers, reals, patterns, last: None }
    }

    /// The next assignment: a fresh one, or the last with a few variables changed.
    pub fn draw(&mut self) -> Assignment {
        let count = self.spec.variables.len();
        let mut assignment = match self.last.take() {
            Some(last) if 0 < count && !self.random.chance(3) => {
                let mut next = last;
                for _ in 0..1 + self.random.below(3) {
                    let index = self.random.below(count as u64) as usize;
                    next[index] = self.value(index);
                }
                next
            }
            _ => (0..count).map(|index| self.value(index)).collect(),
        };
        if 1 < count && self.random.chance(4) {
            self.copy(&mut assignment);
        }
        self.last = Some(assignment.clone());
        assignment
    }

    /// Gives one variable the value of another of its sort: equalities between variables need that.
    fn copy(&mut self, assignment: &mut Assignment) {
        let count = assignment.len() as u64;
        let (from, to) = (self.random.below(count) as usize, self.random.below(count) as usize);
        let target = &self.spec.variables[to];
        let fits = target.sort == self.spec.variables[from].sort;
        let inside = match (&assignment[from], &target.range) {
            (Value::Int(number), Some((low, high))) => low <= number && number <= high,
            _ => true,
        };
        if fits && inside {
            assignment[to] = assignment[from].clone();
        }
    }

    fn value(&mut self, index: usize) -> Value {
        let variable = &self.spec.variables[index];
        match &variable.range {
            Some((low, high)) => Value::Int(self.in_range(low, high)),
            None => self.of_sort(&variable.sort),
        }
    }

    fn in_range(&mut self, low: &IBig, high: &IBig) -> IBig {
        if self.random.chance(8) {
            return if self.random.chance(2) { low.clone() } else { high.clone() };
        }
        if self.random.chance(2) {
            let pick = self.random.below(self.integers.len() as u64) as usize;
            let number = &self.integers[pick];
            if low <= number && number <= high {
                return number.clone();
            }
        }
        let size = high - low + IBig::ONE;
        low + IBig::from(self.random.bits()) % size
    }

    /// The depth of sorts is limited by the parsers.
    fn of_sort(&mut self, sort: &Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(self.random.chance(2)),
            Sort::Int => Value::Int(self.integer()),
            Sort::Real => Value::Real(self.real()),
            Sort::BitVec(width) => Value::BitVec(BitVec::new(*width, self.pattern(*width))),
            Sort::Enum(sort) => {
                let index = self.random.below(sort.variants.len() as u64) as u32;
                Value::Enum(EnumValue { sort: sort.clone(), index })
            }
            Sort::Array(parts) => {
                let default = self.of_sort(&parts.1);
                let mut entries = BTreeMap::new();
                for _ in 0..self.random.below(4) {
                    entries.insert(self.of_sort(&parts.0), self.of_sort(&parts.1));
                }
                Value::Array(Arc::new(ArrayValue::new(parts.0.clone(), parts.1.clone(), default, entries)))
            }
        }
    }

    fn integer(&mut self) -> IBig {
        match self.random.below(8) {
            0 => IBig::from(self.random.below(41)) - IBig::from(20),
            1 => IBig::from(self.random.bits() as i32),
            _ => self.integers[self.random.below(self.integers.len() as u64) as usize].clone(),
        }
    }

    fn real(&mut self) -> RBig {
        match self.random.below(8) {
            0 => RBig::from_parts(IBig::from(self.random.below(161)) - IBig::from(80), UBig::from(8u8)),
            1 => RBig::from(IBig::from(self.random.bits() as i32)),
            _ => self.reals[self.random.below(self.reals.len() as u64) as usize].clone(),
        }
    }

    fn pattern(&mut self, width: u32) -> UBig {
        match self.random.below(4) {
            0 => (0..width.div_ceil(64)).fold(UBig::ZERO, |bits, _| (bits << 64) | UBig::from(self.random.bits())),
            1 => UBig::ONE << self.random.below(u64::from(width)) as usize,
            _ => self.patterns[self.random.below(self.patterns.len() as u64) as usize].clone(),
        }
    }
}
