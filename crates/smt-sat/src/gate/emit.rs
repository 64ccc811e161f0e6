//! Gates as clauses: Tseitin's, both directions, for the cones that are used.

use super::{Gate, Gates, Signal, inputs};
use crate::sat::Lit;

impl Gates {
    /// Adds a clause: one of `signals` is true.
    pub(crate) fn clause(&mut self, signals: &[Signal]) {
        let mut lits = Vec::with_capacity(signals.len());
        for &signal in signals {
            match signal.as_constant() {
                Some(true) => return,
                Some(false) => {}
                None => lits.push(self.lit(signal)),
            }
        }
        if lits.is_empty() {
            lits.push(self.lit(Signal::FALSE));
        }
        self.sat.add_clause(&lits);
    }

    /// The literal of a signal; its cone is emitted first, inputs before the gates that read them.
    pub(crate) fn lit(&mut self, signal: Signal) -> Lit {
        let mut open = vec![signal.gate()];
        let mut reads = Vec::new();
        while let Some(&gate) = open.last() {
            if self.emitted[gate].is_some() {
                open.pop();
                continue;
            }
            self.reads(gate, &mut reads);
            let before = open.len();
            open.extend(reads.iter().map(|read| read.gate()).filter(|&read| self.emitted[read].is_none()));
            if open.len() == before {
                open.pop();
                self.emit(gate, &reads);
            }
        }
        self.emitted_lit(signal)
    }

    fn emitted_lit(&self, signal: Signal) -> Lit {
        let lit = self.emitted[signal.gate()].expect("the cone was emitted");
        if signal.is_negated() { !lit } else { lit }
    }

    /// The signals a gate's clauses mention. A conjunction takes in the conjunctions that only it reads.
    fn reads(&self, gate: usize, reads: &mut Vec<Signal>) {
        reads.clear();
        reads.extend(inputs(self.gates[gate]).into_iter().flatten());
        let Gate::And(..) = self.gates[gate] else { return };
        let mut next = 0;
        while next < reads.len() {
            let signal = reads[next];
            let inner = signal.gate();
            match self.gates[inner] {
                Gate::And(a, b)
                    if !signal.is_negated() && self.readers[inner] == 1 && self.emitted[inner].is_none() =>
                {
                    reads[next] = a;
                    reads.push(b);
                }
                _ => next += 1,
            }
        }
    }

    fn emit(&mut self, gate: usize, reads: &[Signal]) {
        let lits: Vec<Lit> = reads.iter().map(|&read| self.emitted_lit(read)).collect();
        let output = self.sat.new_var();
        self.emitted[gate] = Some(output);
        let sat = &mut self.sat;
        match (self.gates[gate], &*lits) {
            (Gate::And(..), lits) => {
                let mut whole = vec![output];
                for &lit in lits {
                    sat.add_clause(&[!output, lit]);
                    whole.push(!lit);
                }
                sat.add_clause(&whole);
            }
            (Gate::Xor(..), &[a, b]) => {
                for (a, b, output) in [(a, b, !output), (!a, !b, !output), (a, !b, output), (!a, b, output)] {
                    sat.add_clause(&[a, b, output]);
                }
            }
            (Gate::Choice(..), &[condition, then, otherwise]) => {
                sat.add_clause(&[!condition, !then, output]);
                sat.add_clause(&[!condition, then, !output]);
                sat.add_clause(&[condition, !otherwise, output]);
                sat.add_clause(&[condition, otherwise, !output]);
                sat.add_clause(&[!then, !otherwise, output]);
                sat.add_clause(&[then, otherwise, !output]);
            }
            (Gate::Parity(..), &[a, b, c]) => {
                for signs in 0..8u32 {
                    let flip = |lit: Lit, bit: u32| if signs >> bit & 1 == 1 { !lit } else { lit };
                    let odd = signs.count_ones() % 2 == 1;
                    sat.add_clause(&[flip(a, 0), flip(b, 1), flip(c, 2), if odd { output } else { !output }]);
                }
            }
            (Gate::Majority(..), &[a, b, c]) => {
                for (x, y) in [(a, b), (a, c), (b, c)] {
                    sat.add_clause(&[!x, !y, output]);
                    sat.add_clause(&[x, y, !output]);
                }
            }
            (Gate::Constant | Gate::Input, _) => {}
            (Gate::Digit, _) => sat.prefer(!output),
            (Gate::Xor(..) | Gate::Choice(..) | Gate::Parity(..) | Gate::Majority(..), _) => {
                unreachable!("a gate reads as many signals as it has inputs")
            }
        }
    }
}
