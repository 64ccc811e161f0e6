//! Circuits: implementations as registers and equations, to run strategies on and to make mistakes in.
//!
//! ```text
//! input r1, r2;
//! output g1, g2;
//! register last = false;
//! let g1 = r1 & !(r2 & last);
//! let g2 = r2 & !g1;
//! next last = g1;
//! ```

use rustc_hash::FxHashMap;
use source::{Diagnostic, Source, Span, nearest};

use crate::codes;
use crate::eval::Letter;
use crate::execute::System;
use crate::lex::Token;
use crate::machine::{Machine, Move, State};
use crate::parse::Reader;
use crate::spec::Target;
use omega::bdd::{Bdd, Bdds};
use omega::{AtomId, Binary, Formula, Formulas, Node, Unary};

/// Signals with their values.
type Literals = Vec<(AtomId, bool)>;

/// An equation: what a signal is now, or what a register is in the next step.
#[derive(Clone, Debug)]
pub struct Equation {
    /// The signal or register.
    pub atom: AtomId,
    /// Whether it says what a register is in the next step.
    pub later: bool,
    /// Its right side.
    pub formula: Formula,
    /// Where it stands.
    pub span: Span,
}

/// A value forced upon an equation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Force {
    /// False.
    Low,
    /// True.
    High,
    /// The opposite of what it would be.
    Negated,
}

/// A circuit.
#[derive(Clone, Debug)]
pub struct Circuit {
    /// The inputs.
    pub inputs: Vec<AtomId>,
    /// The outputs.
    pub outputs: Vec<AtomId>,
    /// The registers with their first values.
    pub registers: Vec<(AtomId, bool)>,
    /// The equations, in the order in which they are computed.
    pub equations: Vec<Equation>,
    /// Equations with forced values, and the steps (from 1) in which they are forced; all steps if none is named.
    pub forced: Vec<(usize, Force, Vec<u64>)>,
}

/// The most inputs of a circuit that is turned into a machine, and the most states.
const MOST_INPUTS: usize = 12;
const MOST_STATES: usize = 4000;

impl Circuit {
    /// Reads a circuit; names are looked up among the atoms of `formulas`, new ones are added.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn parse(source: &Source, formulas: &mut Formulas) -> Result<Circuit, Diagnostic> {
        let mut circuit = Circuit {
            inputs: Vec::new(),
            outputs: Vec::new(),
            registers: Vec::new(),
            equations: Vec::new(),
            forced: Vec::new(),
        };
        let mut reader = Reader::new(source);
        while reader.token()? != Token::End {
            if reader.accept(Token::Semicolon) {
                continue;
            }
            circuit.statement(&mut reader, formulas)?;
            if reader.token()? != Token::End {
                reader.expect(Token::Semicolon, "an operator or `;`")?;
            }
        }
        circuit.complete(formulas, source)?;
        Ok(circuit)
    }

    fn statement(&mut self, reader: &mut Reader<'_>, formulas: &mut Formulas) -> Result<(), Diagnostic> {
        let word = if reader.token()? == Token::Name { reader.text() } else { "" };
        match (reader.token()?, word) {
            (Token::Name, "input" | "inputs" | "output" | "outputs") => {
                let is_input = word.starts_with('i');
                reader.advance();
                loop {
                    let span = reader.span();
                    let atom = name(reader, formulas)?;
                    if self.inputs.contains(&atom) || self.outputs.contains(&atom) {
                        let message = format!("`{}` is declared twice", formulas.atom_name(atom));
                        return Err(Diagnostic::error(&codes::BOTH_SIDES, span, message));
                    }
                    if is_input {
                        self.inputs.push(atom)
                    } else {
                        self.outputs.push(atom)
                    }
                    if !reader.accept(Token::Comma) {
                        return Ok(());
                    }
                }
            }
            (Token::Name, "register" | "registers") => {
                reader.advance();
                loop {
                    let span = reader.span();
                    let atom = name(reader, formulas)?;
                    if self.inputs.contains(&atom) || self.registers.iter().any(|(other, _)| *other == atom) {
                        let message = format!("`{}` is declared twice", formulas.atom_name(atom));
                        return Err(Diagnostic::error(&codes::DUPLICATE_NAME, span, message));
                    }
                    let mut value = false;
                    if reader.accept(Token::Equals) {
                        value = match (reader.token()?, reader.text()) {
                            (Token::True, _) | (Token::Number, "1") => true,
                            (Token::False, _) | (Token::Number, "0") => false,
                            _ => return Err(reader.unexpected("`true` or `false`")),
                        };
                        reader.advance();
                    }
                    self.registers.push((atom, value));
                    if !reader.accept(Token::Comma) {
                        return Ok(());
                    }
                }
            }
            (Token::Name, "let") => self.equation(reader, formulas, false),
            (Token::Next, _) => self.equation(reader, formulas, true),
            _ => Err(reader.unexpected("`input`, `output`, `register`, `let` or `next`")),
        }
    }

    fn equation(&mut self, reader: &mut Reader<'_>, formulas: &mut Formulas, later: bool) -> Result<(), Diagnostic> {
        let start = reader.span();
        reader.advance();
        let span = reader.span();
        let atom = name(reader, formulas)?;
        let is_register = self.registers.iter().any(|(register, _)| *register == atom);
        let again = self.equations.iter().any(|other| other.atom == atom && other.later == later);
        if again || self.inputs.contains(&atom) || (is_register && !later) {
            let message = format!("`{}` has a value already", formulas.atom_name(atom));
            return Err(Diagnostic::error(&codes::DUPLICATE_NAME, span, message));
        }
        if later && !is_register {
            let message = format!("`{}` is not a register", formulas.atom_name(atom));
            return Err(Diagnostic::error(&codes::UNKNOWN_NAME, span, message));
        }
        reader.expect(Token::Equals, "`=`")?;
        let begin = reader.span();
        let formula = reader.formula(formulas)?;
        let span = begin.join(reader.last_span());
        self.check(formulas, formula, span)?;
        self.equations.push(Equation { atom, later, formula, span: start.join(reader.last_span()) });
        Ok(())
    }

    /// A right side is about one step, and its names have values by then.
    fn check(&self, formulas: &Formulas, formula: Formula, span: Span) -> Result<(), Diagnostic> {
        for part in formulas.reachable([formula]) {
            let temporal = match formulas.node(part) {
                Node::Constant(_) | Node::Unary(Unary::Not, _) => false,
                Node::Unary(..) => true,
                Node::Binary(operator, ..) => {
                    !matches!(operator, Binary::And | Binary::Or | Binary::Implies | Binary::Iff | Binary::Xor)
                }
                Node::Atom(atom) => {
                    let registers = self.registers.iter().map(|(register, _)| *register);
                    let computed = self.equations.iter().filter(|other| !other.later).map(|other| other.atom);
                    let known: Vec<AtomId> = self.inputs.iter().copied().chain(registers).chain(computed).collect();
                    if !known.contains(&atom) {
                        let name = formulas.atom_name(atom);
                        let message = format!("`{name}` has no value here");
                        let error = Diagnostic::error(&codes::UNKNOWN_NAME, span, message);
                        let near = nearest(name, known.iter().map(|atom| formulas.atom_name(*atom)));
                        return Err(match near {
                            Some(near) => error.help(format!("Did you mean `{near}`?")),
                            None => error,
                        });
                    }
                    false
                }
            };
            if temporal {
                let message = "the equations of a circuit are about one step";
                return Err(Diagnostic::error(&codes::UNSUPPORTED, span, message));
            }
        }
        Ok(())
    }

    /// Every output has a value.
    fn complete(&self, formulas: &Formulas, source: &Source) -> Result<(), Diagnostic> {
        let end = Span::new(source.text().len(), source.text().len());
        for &output in &self.outputs {
            let is_register = self.registers.iter().any(|(register, _)| *register == output);
            if !is_register && !self.equations.iter().any(|equation| equation.atom == output) {
                let message = format!("the output `{}` has no value", formulas.atom_name(output));
                return Err(Diagnostic::error(&codes::UNKNOWN_NAME, end, message));
            }
        }
        if self.outputs.is_empty() {
            return Err(Diagnostic::error(&codes::EMPTY, end, "a circuit has outputs"));
        }
        Ok(())
    }

    /// A circuit that can be run.
    pub fn start(&self, formulas: &Formulas) -> Running {
        let orders = self.equations.iter().map(|equation| formulas.reachable([equation.formula]));
        let orders: Vec<Vec<(Formula, Node)>> =
            orders.map(|order| order.into_iter().map(|part| (part, formulas.node(part))).collect()).collect();
        let size = formulas.len();
        let mut running =
            Running { circuit: self.clone(), orders, values: vec![false; size], now: Letter::default(), step: 0 };
        running.reset();
        running
    }

    /// The circuit as a Mealy machine over the states that can be reached; none if it is too large.
    pub fn to_machine(&self, formulas: &Formulas) -> Option<Machine> {
        if MOST_INPUTS < self.inputs.len() {
            return None;
        }
        // Forced values end with their last step; from then on the time does not matter.
        let last = self.forced.iter().flat_map(|(_, _, steps)| steps.iter().copied()).max().unwrap_or(0);
        let mut running = self.start(formulas);
        let mut bdds = Bdds::new(1 << 20, None);
        type Key = (Vec<bool>, u64);
        let start: Key = (self.registers.iter().map(|(_, value)| *value).collect(), 0);
        let mut states: Vec<Key> = vec![start.clone()];
        let mut numbers: FxHashMap<Key, usize> = FxHashMap::default();
        numbers.insert(start, 0);
        let mut machine =
            Machine { kind: Target::Mealy, reads: self.inputs.clone(), sets: self.outputs.clone(), states: Vec::new() };
        while machine.states.len() < states.len() {
            let (registers, step) = states[machine.states.len()].clone();
            let mut groups: Vec<(Literals, usize, Bdd)> = Vec::new();
            for code in 0..1_u32 << self.inputs.len() {
                running.load(&registers, step);
                let mut letter = Letter::default();
                let literals: Vec<(u32, bool)> =
                    (0..self.inputs.len() as u32).map(|place| (place, code >> place & 1 == 1)).collect();
                for &(place, value) in &literals {
                    letter.set(self.inputs[place as usize], value);
                }
                let answer = running.answer(&letter);
                let sets: Vec<(AtomId, bool)> =
                    self.outputs.iter().map(|output| (*output, answer.holds(*output))).collect();
                let key = (running.registers(), (step + 1).min(last));
                let next = states.len();
                let target = *numbers.entry(key.clone()).or_insert_with(|| {
                    states.push(key);
                    next
                });
                let cube = bdds.cube(&literals);
                match groups.iter_mut().find(|(other, place, _)| *place == target && *other == sets) {
                    Some(group) => group.2 = bdds.or(group.2, cube),
                    None => groups.push((sets, target, cube)),
                }
            }
            let mut moves = Vec::new();
            for (sets, target, letters) in groups {
                for cube in bdds.cubes(letters, usize::MAX)? {
                    let guard = cube.iter().map(|&(place, value)| (self.inputs[place as usize], value)).collect();
                    moves.push(Move { guard, sets: sets.clone(), target });
                }
            }
            machine.states.push(State { moves });
            if MOST_STATES < states.len() || bdds.is_exhausted() {
                return None;
            }
        }
        Some(machine)
    }
}

fn name(reader: &mut Reader<'_>, formulas: &mut Formulas) -> Result<AtomId, Diagnostic> {
    let text = reader.text();
    let name = match reader.token()? {
        Token::Name => text,
        Token::Quoted if 2 < text.len() => &text[1..text.len() - 1],
        _ => return Err(reader.unexpected("a name")),
    };
    reader.advance();
    Ok(formulas.atom_id(name))
}

/// A circuit while it runs.
#[derive(Clone, Debug)]
pub struct Running {
    circuit: Circuit,
    orders: Vec<Vec<(Formula, Node)>>,
    values: Vec<bool>,
    now: Letter,
    step: u64,
}

impl Running {
    fn reset(&mut self) {
        let registers: Vec<bool> = self.circuit.registers.iter().map(|(_, value)| *value).collect();
        self.load(&registers, 0);
    }

    fn load(&mut self, registers: &[bool], step: u64) {
        self.now = Letter::default();
        for ((register, _), &value) in self.circuit.registers.iter().zip(registers) {
            self.now.set(*register, value);
        }
        self.step = step;
    }

    fn registers(&self) -> Vec<bool> {
        self.circuit.registers.iter().map(|(register, _)| self.now.holds(*register)).collect()
    }

    fn value(&mut self, equation: usize) -> bool {
        for &(part, node) in &self.orders[equation] {
            let value = match node {
                Node::Constant(value) => value,
                Node::Atom(atom) => self.now.holds(atom),
                Node::Unary(Unary::Not, argument) => !self.values[argument.index()],
                Node::Binary(operator, left, right) => {
                    let (left, right) = (self.values[left.index()], self.values[right.index()]);
                    match operator {
                        Binary::And => left && right,
                        Binary::Or => left || right,
                        Binary::Implies => !left || right,
                        Binary::Iff => left == right,
                        Binary::Xor => left != right,
                        Binary::Until | Binary::Release | Binary::WeakUntil | Binary::StrongRelease => {
                            unreachable!("equations are about one step")
                        }
                    }
                }
                Node::Unary(..) => unreachable!("equations are about one step"),
            };
            self.values[part.index()] = value;
        }
        let mut value = self.values[self.circuit.equations[equation].formula.index()];
        for (place, force, steps) in &self.circuit.forced {
            if *place == equation && (steps.is_empty() || steps.contains(&(self.step + 1))) {
                value = match force {
                    Force::Low => false,
                    Force::High => true,
                    Force::Negated => !value,
                };
            }
        }
        value
    }

    /// One step: the outputs for some inputs.
    pub fn answer(&mut self, inputs: &Letter) -> Letter {
        for place in 0..self.circuit.inputs.len() {
            let input = self.circuit.inputs[place];
            self.now.set(input, inputs.holds(input));
        }
        let mut later: Vec<(AtomId, bool)> = Vec::new();
        for equation in 0..self.circuit.equations.len() {
            let value = self.value(equation);
            let Equation { atom, later: is_later, .. } = self.circuit.equations[equation];
            if is_later {
                later.push((atom, value));
            } else {
                self.now.set(atom, value);
            }
        }
        let mut outputs = Letter::default();
        for &output in &self.circuit.outputs {
            outputs.set(output, self.now.holds(output));
        }
        for (register, value) in later {
            self.now.set(register, value);
        }
        self.step += 1;
        outputs
    }
}

impl System for Running {
    fn restart(&mut self) -> Result<(), String> {
        self.reset();
        Ok(())
    }

    fn step(&mut self, inputs: &Letter) -> Result<Letter, String> {
        Ok(self.answer(inputs))
    }
}
