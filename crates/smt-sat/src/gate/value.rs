//! Gates under the model of the SAT solver.

use super::{Gate, Gates, Signal, inputs};

impl Gates {
    /// Says that the SAT solver has a new model.
    pub(crate) fn new_model(&mut self) {
        self.model += 1;
    }

    /// The value of a signal in the current model. Inputs that were never emitted are false.
    pub(crate) fn value(&mut self, signal: Signal) -> bool {
        let mut open = vec![signal.gate()];
        while let Some(&gate) = open.last() {
            if self.values[gate].0 == self.model {
                open.pop();
                continue;
            }
            let before = open.len();
            if self.emitted[gate].is_none() {
                let model = self.model;
                let inputs = inputs(self.gates[gate]).into_iter().flatten().map(Signal::gate);
                open.extend(inputs.filter(|&input| self.values[input].0 != model));
            }
            if open.len() == before {
                open.pop();
                let value = match self.emitted[gate] {
                    Some(lit) => self.sat.value(lit),
                    None => self.compute(gate),
                };
                self.values[gate] = (self.model, value);
            }
        }
        self.known(signal)
    }

    fn known(&self, signal: Signal) -> bool {
        self.values[signal.gate()].1 != signal.is_negated()
    }

    fn compute(&self, gate: usize) -> bool {
        match self.gates[gate] {
            Gate::Constant | Gate::Input | Gate::Digit => false,
            Gate::And(a, b) => self.known(a) && self.known(b),
            Gate::Xor(a, b) => self.known(a) != self.known(b),
            Gate::Choice(condition, then, otherwise) => {
                if self.known(condition) {
                    self.known(then)
                } else {
                    self.known(otherwise)
                }
            }
            Gate::Parity(a, b, c) => self.known(a) ^ self.known(b) ^ self.known(c),
            Gate::Majority(a, b, c) => 2 <= [a, b, c].iter().filter(|&&input| self.known(input)).count(),
        }
    }
}
