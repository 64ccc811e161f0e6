//! Gates with structural hashing, and their way to clauses.
//!
//! A gate is built once: equal gates are one signal, and constants, repeated and complementary inputs are folded away.
//! Clauses (Tseitin's, both directions) are given to the SAT solver only for gates in the cone of a signal that is
//! used in a clause or an assumption. Inputs stand before the gates that use them, so every pass is a loop.

mod emit;
mod value;

use std::ops::Not;

use rustc_hash::FxHashMap;

use crate::sat::{Lit, Sat};

/// A wire: the output of a gate, or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Signal(u32);

impl Signal {
    pub(crate) const FALSE: Signal = Signal(0);
    pub(crate) const TRUE: Signal = Signal(1);

    pub(crate) fn constant(truth: bool) -> Signal {
        Signal(u32::from(truth))
    }

    /// The truth value of a signal that is constant.
    pub(crate) fn as_constant(self) -> Option<bool> {
        (self.0 <= 1).then_some(self.0 == 1)
    }

    fn gate(self) -> usize {
        (self.0 >> 1) as usize
    }

    fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    fn positive(self) -> Signal {
        Signal(self.0 & !1)
    }

    fn negated_if(self, condition: bool) -> Signal {
        Signal(self.0 ^ u32::from(condition))
    }
}

impl Not for Signal {
    type Output = Signal;

    fn not(self) -> Signal {
        Signal(self.0 ^ 1)
    }
}

/// What a gate computes. The inputs of `And`, `Xor`, `Parity` and `Majority` are in ascending order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Gate {
    /// Constant false: only gate 0.
    Constant,
    /// A free variable.
    Input,
    /// A free variable that is false where nothing speaks for true: a bit of a number.
    Digit,
    And(Signal, Signal),
    /// Exclusive or of two positive signals.
    Xor(Signal, Signal),
    /// If-then-else; the first two signals are positive.
    Choice(Signal, Signal, Signal),
    /// Exclusive or of three positive signals: the sum of a full adder.
    Parity(Signal, Signal, Signal),
    /// At least two of three: the carry of a full adder.
    Majority(Signal, Signal, Signal),
}

/// The circuit and the SAT solver it is emitted to.
pub(crate) struct Gates {
    pub(crate) sat: Sat,
    gates: Vec<Gate>,
    unique: FxHashMap<Gate, u32>,
    /// How many gates read each gate.
    readers: Vec<u32>,
    /// The variable of each emitted gate.
    emitted: Vec<Option<Lit>>,
    /// The value of each gate in the current model, with the number of the model.
    values: Vec<(u32, bool)>,
    model: u32,
}

impl Gates {
    pub(crate) fn over(mut sat: Sat) -> Gates {
        let truth = sat.new_var();
        sat.add_clause(&[!truth]);
        Gates {
            sat,
            gates: vec![Gate::Constant],
            unique: FxHashMap::default(),
            readers: vec![0],
            emitted: vec![Some(truth)],
            values: vec![(0, false)],
            model: 0,
        }
    }

    /// The number of gates.
    pub(crate) fn count(&self) -> usize {
        self.gates.len()
    }

    /// A free variable.
    pub(crate) fn input(&mut self) -> Signal {
        self.push(Gate::Input)
    }

    /// A free variable that is preferably false.
    pub(crate) fn digit(&mut self) -> Signal {
        self.push(Gate::Digit)
    }

    pub(crate) fn and(&mut self, a: Signal, b: Signal) -> Signal {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if a == Signal::FALSE || a == !b {
            return Signal::FALSE;
        }
        if a == Signal::TRUE || a == b {
            return b;
        }
        if let Some(simpler) = self.absorb(a, b).or_else(|| self.absorb(b, a)) {
            return simpler;
        }
        self.unique(Gate::And(a, b))
    }

    /// `a` and `b`, where `a` is itself a conjunction, possibly negated, that shares an input with `b`.
    fn absorb(&mut self, a: Signal, b: Signal) -> Option<Signal> {
        let Gate::And(x, y) = self.gates[a.gate()] else { return None };
        match (a.is_negated(), b) {
            (false, b) if b == x || b == y => Some(a),
            (false, b) if b == !x || b == !y => Some(Signal::FALSE),
            (true, b) if b == !x || b == !y => Some(b),
            (true, b) if b == x => Some(self.and(b, !y)),
            (true, b) if b == y => Some(self.and(b, !x)),
            _ => None,
        }
    }

    pub(crate) fn or(&mut self, a: Signal, b: Signal) -> Signal {
        !self.and(!a, !b)
    }

    pub(crate) fn xor(&mut self, a: Signal, b: Signal) -> Signal {
        let negated = a.is_negated() != b.is_negated();
        let (a, b) = ordered(a.positive(), b.positive());
        let positive = if a == Signal::FALSE {
            b
        } else if a == b {
            Signal::FALSE
        } else {
            self.unique(Gate::Xor(a, b))
        };
        positive.negated_if(negated)
    }

    pub(crate) fn iff(&mut self, a: Signal, b: Signal) -> Signal {
        !self.xor(a, b)
    }

    pub(crate) fn choose(&mut self, condition: Signal, then: Signal, otherwise: Signal) -> Signal {
        let (condition, then, otherwise) =
            if condition.is_negated() { (!condition, otherwise, then) } else { (condition, then, otherwise) };
        if condition == Signal::FALSE || then == otherwise {
            return otherwise;
        }
        if then == Signal::TRUE || then == condition {
            return self.or(condition, otherwise);
        }
        if then == Signal::FALSE || then == !condition {
            return self.and(!condition, otherwise);
        }
        if otherwise == Signal::TRUE || otherwise == !condition {
            return self.or(!condition, then);
        }
        if otherwise == Signal::FALSE || otherwise == condition {
            return self.and(condition, then);
        }
        if then == !otherwise {
            return self.iff(condition, then);
        }
        let negated = then.is_negated();
        self.unique(Gate::Choice(condition, then.negated_if(negated), otherwise.negated_if(negated)))
            .negated_if(negated)
    }

    /// Whether an odd number of three signals is true.
    pub(crate) fn parity(&mut self, a: Signal, b: Signal, c: Signal) -> Signal {
        let negated = a.is_negated() ^ b.is_negated() ^ c.is_negated();
        let [a, b, c] = sorted([a.positive(), b.positive(), c.positive()]);
        let positive = if a == Signal::FALSE {
            self.xor(b, c)
        } else if a == b {
            c
        } else if b == c {
            a
        } else {
            self.unique(Gate::Parity(a, b, c))
        };
        positive.negated_if(negated)
    }

    /// Whether at least two of three signals are true.
    pub(crate) fn majority(&mut self, a: Signal, b: Signal, c: Signal) -> Signal {
        let negations = [a, b, c].iter().filter(|signal| signal.is_negated()).count();
        let flip = 2 <= negations;
        let [a, b, c] = sorted([a.negated_if(flip), b.negated_if(flip), c.negated_if(flip)]);
        let result = if a == Signal::FALSE {
            self.and(b, c)
        } else if a == Signal::TRUE {
            self.or(b, c)
        } else if a == b || b == c {
            b
        } else if a == !b {
            c
        } else if b == !c {
            a
        } else {
            self.unique(Gate::Majority(a, b, c))
        };
        result.negated_if(flip)
    }

    /// The conjunction of any number of signals.
    pub(crate) fn all(&mut self, signals: &[Signal]) -> Signal {
        let mut level = signals.to_vec();
        level.sort_unstable();
        level.dedup();
        while 1 < level.len() {
            level = level.chunks(2).map(|pair| if let [a, b] = *pair { self.and(a, b) } else { pair[0] }).collect();
        }
        level.pop().unwrap_or(Signal::TRUE)
    }

    /// The disjunction of any number of signals.
    pub(crate) fn any(&mut self, signals: &[Signal]) -> Signal {
        let negated: Vec<Signal> = signals.iter().map(|&signal| !signal).collect();
        !self.all(&negated)
    }

    fn unique(&mut self, gate: Gate) -> Signal {
        if let Some(&index) = self.unique.get(&gate) {
            return Signal(index << 1);
        }
        let signal = self.push(gate);
        self.unique.insert(gate, signal.0 >> 1);
        for input in inputs(gate).into_iter().flatten() {
            self.readers[input.gate()] += 1;
        }
        signal
    }

    fn push(&mut self, gate: Gate) -> Signal {
        let index = u32::try_from(self.gates.len()).ok().filter(|&index| index < 1 << 31);
        let index = index.expect("fewer than 2^31 gates");
        self.gates.push(gate);
        self.readers.push(0);
        self.emitted.push(None);
        self.values.push((0, false));
        Signal(index << 1)
    }
}

fn ordered(a: Signal, b: Signal) -> (Signal, Signal) {
    if a <= b { (a, b) } else { (b, a) }
}

fn sorted(mut signals: [Signal; 3]) -> [Signal; 3] {
    signals.sort_unstable();
    signals
}

fn inputs(gate: Gate) -> [Option<Signal>; 3] {
    match gate {
        Gate::Constant | Gate::Input | Gate::Digit => [None; 3],
        Gate::And(a, b) | Gate::Xor(a, b) => [Some(a), Some(b), None],
        Gate::Choice(a, b, c) | Gate::Parity(a, b, c) | Gate::Majority(a, b, c) => [Some(a), Some(b), Some(c)],
    }
}
