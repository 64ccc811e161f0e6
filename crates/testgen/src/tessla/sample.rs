//! Random traces, for attacks on claims.

use tessla::core::{NodeKind, Spec};
use tessla::trace::Event;
use tessla::types::Type;
use tessla::value::Value;

use super::document::Trace;

/// Draws traces at random.
pub(super) struct Sampler<'a> {
    spec: &'a Spec,
    /// Numbers and texts of the specification: interesting values are near them.
    numbers: Vec<i64>,
    texts: Vec<Value>,
    state: u64,
}

impl<'a> Sampler<'a> {
    pub(super) fn new(spec: &'a Spec, seed: u64) -> Sampler<'a> {
        let (mut numbers, mut texts) = (vec![0, 1, 2, 5], vec![Value::string("a"), Value::string("b")]);
        for node in spec.functions.iter().flat_map(|function| &function.nodes) {
            match &node.kind {
                NodeKind::Constant(Value::Int(number)) => numbers.push(*number),
                NodeKind::Constant(text @ Value::String(_)) => texts.push(text.clone()),
                _ => {}
            }
        }
        Sampler { spec, numbers, texts, state: seed.wrapping_add(0x9e37_79b9_7f4a_7c15) }
    }

    /// A trace with events at up to `moments` times.
    pub(super) fn draw(&mut self, moments: usize) -> Trace {
        let mut events = Vec::new();
        let mut time = if self.roll(2) == 0 { 0 } else { self.roll(4) as i64 };
        let (density, gap) = (2 + self.roll(3), 1 + self.roll(8));
        for _ in 0..self.roll(moments as u64 + 1) {
            for input in 0..self.spec.inputs.len() {
                if self.roll(density) != 0 || self.spec.inputs.len() == 1 {
                    let element = &self.spec.stream(self.spec.inputs[input]).element;
                    events.push(Event { time, input, value: self.value(element) });
                }
            }
            time += 1 + self.roll(gap) as i64;
        }
        let end = events.last().map_or(0, |event: &Event| event.time) + self.roll(20) as i64;
        Trace { events, end }
    }

    fn value(&mut self, of: &Type) -> Value {
        match of {
            Type::Bool => Value::Bool(self.roll(2) == 0),
            Type::Int => {
                let index = self.roll(self.numbers.len() as u64) as usize;
                let near = self.numbers[index];
                let number = near.saturating_add(self.roll(3) as i64 - 1);
                Value::Int(if self.roll(8) == 0 { number.saturating_neg() } else { number })
            }
            Type::String => {
                let index = self.roll(self.texts.len() as u64) as usize;
                self.texts[index].clone()
            }
            Type::Float => Value::Float(self.roll(200) as f64 / 8.0 - 12.0),
            Type::Option(inner) if self.roll(3) != 0 => Value::some(self.value(inner)),
            Type::Object(object) if !object.members.is_empty() => {
                let names: Vec<_> = object.members.iter().map(|(name, _)| name.clone()).collect();
                let values = object.members.iter().map(|(_, of)| self.value(of)).collect();
                Value::object(names.into(), values)
            }
            Type::Object(_) => Value::Unit,
            _ => Value::None,
        }
    }

    fn roll(&mut self, sides: u64) -> u64 {
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 33) % sides.max(1)
    }
}
