//! Random traces: concrete runs for attacks on claims of infeasibility.

use std::sync::Arc;

use random::SplitMix;

use crate::core::{NodeKind, Spec};
use crate::trace::Event;
use crate::types::Type;
use crate::value::{Value, ValueMap, ValueSet};

/// A random trace with at most `moments` different times, and the time up to which the run goes. Numbers that the specification
/// mentions, and their neighbours, are likely values and likely gaps.
pub fn random_trace(spec: &Spec, seed: u64, moments: usize) -> (Vec<Event>, i64) {
    Sampler::new(spec).trace(seed, moments)
}

/// Draws random traces of one specification.
pub struct Sampler<'a> {
    spec: &'a Spec,
    numbers: Vec<i64>,
    texts: Vec<Value>,
}

impl<'a> Sampler<'a> {
    /// Looks for the values that the specification mentions.
    pub fn new(spec: &'a Spec) -> Sampler<'a> {
        Sampler { spec, numbers: numbers(spec), texts: texts(spec) }
    }

    /// As [`random_trace`]; the same for the same seed.
    pub fn trace(&self, seed: u64, moments: usize) -> (Vec<Event>, i64) {
        let random = SplitMix::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d);
        let mut dice = Dice { random, numbers: &self.numbers, texts: &self.texts };
        let mut events = Vec::new();
        let mut time = if dice.below(2) == 0 { 0 } else { dice.gap() };
        let count = 1 + dice.below(moments.max(1) as u64);
        let density = 1 + dice.below(4);
        for _ in 0..count {
            for (input, id) in self.spec.inputs.iter().enumerate() {
                if dice.below(4) < density {
                    events.push(Event { time, input, value: dice.value(&self.spec.stream(*id).element, 3) });
                }
            }
            time = time.saturating_add(dice.gap());
        }
        (events, time)
    }
}

/// The numbers that the functions of a specification mention.
fn numbers(spec: &Spec) -> Vec<i64> {
    let mut found = vec![0, 1];
    for node in spec.functions.iter().flat_map(|function| &function.nodes) {
        if let NodeKind::Constant(Value::Int(number)) = node.kind {
            found.extend([number.saturating_sub(1), number, number.saturating_add(1)]);
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The texts that the functions of a specification mention, and a few others.
fn texts(spec: &Spec) -> Vec<Value> {
    let mut found: Vec<Value> = ["", "a", "b", "ab"].into_iter().map(Value::string).collect();
    for node in spec.functions.iter().flat_map(|function| &function.nodes) {
        if let NodeKind::Constant(text @ Value::String(_)) = &node.kind
            && !found.contains(text)
        {
            found.push(text.clone());
        }
    }
    found
}

/// A small random generator, the same on every machine.
struct Dice<'a> {
    random: SplitMix,
    numbers: &'a [i64],
    texts: &'a [Value],
}

impl Dice<'_> {
    fn below(&mut self, limit: u64) -> u64 {
        self.random.below(limit)
    }

    fn mentioned(&mut self) -> i64 {
        let index = self.below(self.numbers.len() as u64) as usize;
        self.numbers[index]
    }

    fn gap(&mut self) -> i64 {
        match self.below(4) {
            0 => self.mentioned().clamp(1, 1 << 40),
            1 => 1 + self.below(10) as i64,
            _ => 1,
        }
    }

    fn value(&mut self, of: &Type, depth: u32) -> Value {
        match of {
            Type::Bool => Value::Bool(self.below(2) == 0),
            Type::Int => match self.below(3) {
                0 => Value::Int(self.below(21) as i64 - 10),
                _ => Value::Int(self.mentioned()),
            },
            Type::Float => Value::Float(self.mentioned() as f64 / (1 + self.below(4)) as f64),
            Type::String => {
                let index = self.below(self.texts.len() as u64) as usize;
                self.texts[index].clone()
            }
            Type::Option(_) if self.below(3) == 0 => Value::None,
            Type::Option(inner) => Value::some(self.value(inner, depth)),
            Type::Object(object) => {
                let names = object.members.iter().map(|(name, _)| name.clone()).collect();
                Value::object(names, object.members.iter().map(|(_, of)| self.value(of, depth)).collect())
            }
            Type::List(of) => Value::List(Arc::new(self.values(of, depth))),
            Type::Set(of) => Value::Set(Arc::new(self.values(of, depth).into_iter().collect::<ValueSet>())),
            Type::Map(key, of) => {
                let keys = self.values(key, depth);
                let entries = keys.into_iter().map(|key| (key, self.value(of, depth.saturating_sub(1))));
                Value::Map(Arc::new(entries.collect::<ValueMap>()))
            }
            Type::Events(_) | Type::Function(_) | Type::Parameter(_) => Value::Unit,
            Type::Meta(_) | Type::Opaque(..) | Type::Wrong => Value::Unit,
        }
    }

    fn values(&mut self, of: &Type, depth: u32) -> Vec<Value> {
        let count = if depth == 0 { 0 } else { self.below(4) };
        (0..count).map(|_| self.value(of, depth - 1)).collect()
    }
}
