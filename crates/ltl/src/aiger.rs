//! Circuits in the AIGER format, as synthesis and model checking tools exchange them: machines are written, circuits are read.

use std::fmt::Write as _;

use flussab_aiger::aig::{Aig, SymbolTarget};
use flussab_aiger::{ascii, binary};
use rustc_hash::FxHashMap;
use source::Span;

use crate::circuit::{Circuit, Equation};
use crate::machine::Machine;
use omega::{AtomId, Binary, Formula, Formulas, Node};

/// The most variables of a circuit that is read.
const MOST_VARIABLES: usize = 1 << 20;

impl Circuit {
    /// Reads a circuit in the AIGER format, text or binary. Inputs and outputs have names, as symbols; latches have first values.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn from_aiger(bytes: &[u8], formulas: &mut Formulas) -> Result<Circuit, String> {
        let aig = parsed(bytes)?;
        let properties = [&aig.bad_state_properties, &aig.invariant_constraints, &aig.fairness_constraints];
        if properties.iter().any(|properties| !properties.is_empty()) || !aig.justice_properties.is_empty() {
            return Err("the circuit has properties or constraints, which an implementation has not".to_owned());
        }
        let mut names: FxHashMap<SymbolTarget, &str> = FxHashMap::default();
        for symbol in &aig.symbols {
            names.insert(symbol.target, &symbol.name);
        }
        let named = |target: SymbolTarget, what: &str| {
            names.get(&target).copied().ok_or_else(|| format!("{what} has no name: add a symbol to the circuit"))
        };
        let mut gates = Gates { known: FxHashMap::default(), open: FxHashMap::default() };
        gates.known.insert(0, formulas.constant(false));
        let mut circuit = Circuit {
            inputs: Vec::new(),
            outputs: Vec::new(),
            registers: Vec::new(),
            equations: Vec::new(),
            forced: Vec::new(),
        };
        for (place, &code) in aig.inputs.iter().enumerate() {
            let atom = formulas.atom_id(named(SymbolTarget::Input(place), &format!("input {place}"))?);
            circuit.inputs.push(atom);
            gates.define(code, formulas.add(Node::Atom(atom)))?;
        }
        for (place, latch) in aig.latches.iter().enumerate() {
            // No signal of a specification has a blank in its name unless it is quoted.
            let atom = formulas.atom_id(&format!("latch {place}"));
            let first = latch.initialization.ok_or_else(|| format!("latch {place} has no first value"))?;
            circuit.registers.push((atom, first));
            gates.define(latch.state, formulas.add(Node::Atom(atom)))?;
        }
        for gate in &aig.and_gates {
            gates.open.insert(gate.output, gate.inputs);
        }
        for (place, &code) in aig.outputs.iter().enumerate() {
            let atom = formulas.atom_id(named(SymbolTarget::Output(place), &format!("output {place}"))?);
            if circuit.outputs.contains(&atom) || circuit.inputs.contains(&atom) {
                return Err(format!("`{}` is declared twice", formulas.atom_name(atom)));
            }
            circuit.outputs.push(atom);
            circuit.equations.push(equation(atom, false, gates.formula(formulas, code)?));
        }
        for (place, latch) in aig.latches.iter().enumerate() {
            let atom = circuit.registers[place].0;
            circuit.equations.push(equation(atom, true, gates.formula(formulas, latch.next_state)?));
        }
        Ok(circuit)
    }
}

fn equation(atom: AtomId, later: bool, formula: Formula) -> Equation {
    Equation { atom, later, formula, span: Span::new(0, 0) }
}

fn parsed(bytes: &[u8]) -> Result<Aig<u32>, String> {
    let size = |variables: usize| match variables <= MOST_VARIABLES {
        true => Ok(()),
        false => Err(format!("the circuit has more than {MOST_VARIABLES} variables")),
    };
    if bytes.starts_with(b"aig") {
        let parser = binary::Parser::<u32>::from_read(bytes, binary::Config::default());
        let parser = parser.map_err(|error| error.to_string())?;
        size(parser.header().max_var_index)?;
        return Ok(parser.parse().map_err(|error| error.to_string())?.into());
    }
    let parser = ascii::Parser::<u32>::from_read(bytes, ascii::Config::default());
    let parser = parser.map_err(|error| error.to_string())?;
    size(parser.header().max_var_index)?;
    parser.parse().map_err(|error| error.to_string())
}

/// The gates of a circuit, as formulas once these are needed.
struct Gates {
    known: FxHashMap<u32, Formula>,
    open: FxHashMap<u32, [u32; 2]>,
}

impl Gates {
    fn define(&mut self, code: u32, formula: Formula) -> Result<(), String> {
        match code & 1 == 0 && self.known.insert(code, formula).is_none() {
            true => Ok(()),
            false => Err(format!("the literal {code} is defined twice, or negated where it is defined")),
        }
    }

    /// The formula of a literal.
    fn formula(&mut self, formulas: &mut Formulas, code: u32) -> Result<Formula, String> {
        let mut path = vec![code & !1];
        while let Some(&gate) = path.last() {
            if self.known.contains_key(&gate) {
                path.pop();
                continue;
            }
            let Some(&[left, right]) = self.open.get(&gate) else {
                return Err(format!("the literal {gate} is not defined"));
            };
            match [left, right].into_iter().find(|input| !self.known.contains_key(&(input & !1))) {
                // A gate stands once on the path to what it needs.
                Some(input) if path.len() <= self.open.len() => path.push(input & !1),
                Some(_) => return Err(format!("the gate {gate} depends on itself")),
                None => {
                    let [left, right] = [left, right].map(|input| self.literal(formulas, input));
                    let both = formulas.binary(Binary::And, left, right);
                    self.known.insert(gate, both);
                }
            }
        }
        Ok(self.literal(formulas, code))
    }

    fn literal(&self, formulas: &mut Formulas, code: u32) -> Formula {
        let formula = self.known[&(code & !1)];
        if code & 1 == 1 { formulas.not(formula) } else { formula }
    }
}

/// And-gates while a circuit is written; literals are codes of the format.
#[derive(Default)]
struct Writer {
    variables: u32,
    gates: Vec<(u32, u32, u32)>,
    known: FxHashMap<(u32, u32), u32>,
}

const FALSE: u32 = 0;
const TRUE: u32 = 1;

impl Writer {
    fn variable(&mut self) -> u32 {
        self.variables += 1;
        2 * self.variables
    }

    fn and(&mut self, left: u32, right: u32) -> u32 {
        let (left, right) = (left.max(right), left.min(right));
        if right == FALSE || left == right ^ 1 {
            return FALSE;
        }
        if right == TRUE || left == right {
            return left;
        }
        if let Some(&known) = self.known.get(&(left, right)) {
            return known;
        }
        let gate = self.variable();
        self.gates.push((gate, left, right));
        self.known.insert((left, right), gate);
        gate
    }

    fn or(&mut self, left: u32, right: u32) -> u32 {
        self.and(left ^ 1, right ^ 1) ^ 1
    }
}

impl Machine {
    /// The machine as a circuit in the AIGER format, as text: it reads its inputs, its state is in the latches, and what it leaves free is
    /// false.
    pub fn to_aiger(&self, formulas: &Formulas) -> String {
        let mut writer = Writer::default();
        let inputs: FxHashMap<AtomId, u32> = self.reads.iter().map(|atom| (*atom, writer.variable())).collect();
        let width = usize::BITS - (self.states.len() - 1).leading_zeros();
        let latches: Vec<u32> = (0..width).map(|_| writer.variable()).collect();
        let mut next = vec![FALSE; latches.len()];
        let mut outputs = vec![FALSE; self.sets.len()];
        for (number, state) in self.states.iter().enumerate() {
            let bits = latches.iter().enumerate().map(|(bit, latch)| latch ^ u32::from(number >> bit & 1 == 0));
            let here = bits.collect::<Vec<u32>>().into_iter().fold(TRUE, |all, bit| writer.and(all, bit));
            for taken in &state.moves {
                let literals = taken.guard.iter().map(|(atom, value)| inputs[atom] ^ u32::from(!value));
                let step = literals.collect::<Vec<u32>>().into_iter().fold(here, |all, bit| writer.and(all, bit));
                for (_, next) in next.iter_mut().enumerate().filter(|(bit, _)| taken.target >> bit & 1 == 1) {
                    *next = writer.or(*next, step);
                }
                for (atom, output) in self.sets.iter().zip(&mut outputs) {
                    if taken.sets.contains(&(*atom, true)) {
                        *output = writer.or(*output, step);
                    }
                }
            }
        }
        let count = [self.reads.len(), latches.len(), outputs.len(), writer.gates.len()];
        let [inputs_count, latches_count, outputs_count, gates_count] = count;
        let mut text =
            format!("aag {} {inputs_count} {latches_count} {outputs_count} {gates_count}\n", writer.variables);
        self.reads.iter().for_each(|atom| text += &format!("{}\n", inputs[atom]));
        latches.iter().zip(&next).for_each(|(latch, next)| text += &format!("{latch} {next}\n"));
        outputs.iter().for_each(|output| text += &format!("{output}\n"));
        for (gate, left, right) in &writer.gates {
            let _ = writeln!(text, "{gate} {left} {right}");
        }
        for (sign, atoms) in [('i', &self.reads), ('o', &self.sets)] {
            for (place, atom) in atoms.iter().enumerate() {
                let _ = writeln!(text, "{sign}{place} {}", formulas.atom_name(*atom));
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Letter;
    use crate::execute::{MachineSystem, System};
    use serde_json::json;

    /// The machine of an arbiter that waits: reads r and s, sets g and h.
    fn machine(formulas: &mut Formulas) -> Machine {
        let json = json!({
            "kind": "mealy", "reads": ["r", "s"], "sets": ["g", "h"],
            "states": [
                { "moves": [
                    { "when": { "r": true }, "set": { "g": true, "h": false }, "next": 1 },
                    { "when": { "r": false, "s": true }, "set": { "g": false, "h": true }, "next": 2 },
                    { "when": { "r": false, "s": false }, "set": { "g": false, "h": false }, "next": 0 },
                ] },
                { "moves": [
                    { "when": { "s": true }, "set": { "g": false, "h": true }, "next": 2 },
                    { "when": { "s": false }, "set": { "g": true, "h": true }, "next": 1 },
                ] },
                { "moves": [{ "when": {}, "set": { "g": false, "h": false }, "next": 0 }] },
            ],
        });
        Machine::from_json(&json, formulas).expect("a machine")
    }

    /// Runs a circuit as text, gate by gate, as the definition of the format says; the inputs of each step are bits of a number.
    fn simulated(text: &str, steps: &[u32]) -> Vec<Vec<bool>> {
        let mut lines = text.lines();
        let head: Vec<usize> =
            lines.next().expect("a head").split(' ').skip(1).map(|word| word.parse().expect("a number")).collect();
        let rows: Vec<Vec<usize>> = lines
            .take(head[1..].iter().sum())
            .map(|line| line.split(' ').map(|word| word.parse().expect("a number")).collect())
            .collect();
        let (inputs, rest) = rows.split_at(head[1]);
        let (latches, rest) = rest.split_at(head[2]);
        let (outputs, gates) = rest.split_at(head[3]);
        let mut values = vec![false; 2 * head[0] + 2];
        values[1] = true;
        let mut answers = Vec::new();
        for step in steps {
            let set = |values: &mut Vec<bool>, code: usize, value: bool| {
                values[code] = value;
                values[code ^ 1] = !value;
            };
            for latch in latches {
                let value = values[latch[0]];
                set(&mut values, latch[0], value);
            }
            for (place, input) in inputs.iter().enumerate() {
                set(&mut values, input[0], step >> place & 1 == 1);
            }
            for gate in gates {
                let value = values[gate[1]] && values[gate[2]];
                set(&mut values, gate[0], value);
            }
            answers.push(outputs.iter().map(|output| values[output[0]]).collect());
            let next: Vec<bool> = latches.iter().map(|latch| values[latch[1]]).collect();
            for (latch, value) in latches.iter().zip(next) {
                set(&mut values, latch[0], value);
            }
        }
        answers
    }

    #[test]
    fn machines_and_circuits_do_the_same() {
        let mut formulas = Formulas::new();
        let machine = machine(&mut formulas);
        let text = machine.to_aiger(&formulas);
        let circuit = Circuit::from_aiger(text.as_bytes(), &mut formulas).expect("well formed");
        assert_eq!([&circuit.inputs, &circuit.outputs], [&machine.reads, &machine.sets]);
        let again = circuit.to_machine(&formulas).expect("it is small");
        let steps: Vec<u32> = (0..300_u32).map(|step| step.wrapping_mul(2_654_435_761) >> 29 & 3).collect();
        let simulated = simulated(&text, &steps);
        for machine in [&machine, &again] {
            let mut system = MachineSystem::new(machine);
            system.restart().expect("it starts");
            for (step, expected) in steps.iter().zip(&simulated) {
                let atoms = machine.reads.iter().enumerate().filter(|(place, _)| step >> place & 1 == 1);
                let answer = system.step(&Letter::of(atoms.map(|(_, atom)| *atom))).expect("it answers");
                let shown: Vec<bool> = machine.sets.iter().map(|atom| answer.holds(*atom)).collect();
                assert_eq!(&shown, expected);
            }
        }
    }

    #[test]
    fn binary_circuits_are_read() {
        // An and-gate and a latch that toggles: the deltas of the gate 8 = 4 & 2 are 4 and 2.
        let mut bytes = b"aig 4 2 1 2 1\n7\n8\n6\n".to_vec();
        bytes.extend([4, 2]);
        bytes.extend(b"i0 a\ni1 b\no0 both\no1 odd\n");
        let mut formulas = Formulas::new();
        let circuit = Circuit::from_aiger(&bytes, &mut formulas).expect("well formed");
        let machine = circuit.to_machine(&formulas).expect("it is small");
        let words = machine.to_words(&formulas);
        assert_eq!(machine.states.len(), 2, "{words}");
        let mut system = MachineSystem::new(&machine);
        system.restart().expect("it starts");
        for (step, inputs) in [(true, true), (true, false), (true, true), (false, true)].into_iter().enumerate() {
            let set = [(0, inputs.0), (1, inputs.1)].into_iter().filter(|(_, value)| *value);
            let answer = system.step(&Letter::of(set.map(|(place, _)| circuit.inputs[place]))).expect("it answers");
            assert_eq!(answer.holds(circuit.outputs[0]), inputs.0 && inputs.1, "step {step}");
            assert_eq!(answer.holds(circuit.outputs[1]), step % 2 == 1, "step {step}");
        }
    }

    #[test]
    fn wrong_circuits_are_refused() {
        let cases = [
            ("aag 1 1 0 1 0\n2\n2\n", "input 0 has no name: add a symbol to the circuit"),
            ("aag 2 1 0 1 1\n2\n4\n4 4 2\ni0 a\no0 b\n", "the gate 4 depends on itself"),
            ("aag 2 1 0 1 0\n2\n4\ni0 a\no0 b\n", "the literal 4 is not defined"),
            ("aag 2 1 1 1 0\n2\n4 2 4\n4\ni0 a\no0 b\n", "latch 0 has no first value"),
            ("aag 1 1 0 1 0\n2\n2\ni0 a\no0 a\n", "`a` is declared twice"),
            (
                "aag 2 1 0 0 0 1\n2\n2\ni0 a\n",
                "the circuit has properties or constraints, which an implementation has not",
            ),
            ("aig 99999999 99999999 0 0 0\n", "the circuit has more than 1048576 variables"),
        ];
        for (text, expected) in cases {
            let error = Circuit::from_aiger(text.as_bytes(), &mut Formulas::new()).expect_err("it is wrong");
            assert_eq!(error, expected, "{text}");
        }
        assert!(Circuit::from_aiger(b"aag 1", &mut Formulas::new()).is_err());
        assert!(Circuit::from_aiger(b"", &mut Formulas::new()).is_err());
    }
}
