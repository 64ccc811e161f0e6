//! Implementations with one small mistake: circuits whose equations are forced or changed, and machines whose moves are.

use crate::circuit::{Circuit, Force};
use crate::machine::Machine;
use omega::{Binary, Formula, Formulas, Node, Unary};

/// An implementation with a mistake.
#[derive(Clone, Debug)]
pub struct Mutant<T> {
    /// The operator that made it.
    pub operator: &'static str,
    /// The mistake, in words.
    pub words: String,
    /// The implementation.
    pub implementation: T,
}

/// How circuits are changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operators {
    /// One equation gets a value in these steps, in all steps if none is named: false, true, and the opposite.
    Forced(Vec<Force>, Vec<u64>),
    /// One operator of one equation is another, a negation is missing, or an equation is.
    Source,
}

/// The mutants of a circuit.
pub fn circuit_mutants(formulas: &mut Formulas, circuit: &Circuit, operators: &Operators) -> Vec<Mutant<Circuit>> {
    let mut found = Vec::new();
    for place in 0..circuit.equations.len() {
        let equation = &circuit.equations[place];
        let name = formulas.atom_name(equation.atom).to_owned();
        let name = if equation.later { format!("next {name}") } else { name };
        match operators {
            Operators::Forced(forces, steps) => {
                for &force in forces {
                    let mut implementation = circuit.clone();
                    implementation.forced.push((place, force, steps.clone()));
                    let (operator, value) = match force {
                        Force::Low => ("forced-0", "is false"),
                        Force::High => ("forced-1", "is true"),
                        Force::Negated => ("negated", "is the opposite"),
                    };
                    let when = match steps.as_slice() {
                        [] => String::new(),
                        steps => {
                            format!(" in step {}", steps.iter().map(u64::to_string).collect::<Vec<_>>().join(" and "))
                        }
                    };
                    found.push(Mutant { operator, words: format!("{name} {value}{when}"), implementation });
                }
            }
            Operators::Source => {
                for (operator, formula) in changed(formulas, equation.formula) {
                    let mut implementation = circuit.clone();
                    implementation.equations[place].formula = formula;
                    let words = format!("{name} = {}", crate::print::print(formulas, formula));
                    found.push(Mutant { operator, words, implementation });
                }
                if equation.later {
                    let mut implementation = circuit.clone();
                    implementation.equations.remove(place);
                    found.push(Mutant { operator: "removed", words: format!("{name} is missing"), implementation });
                }
            }
        }
    }
    found
}

/// The formulas that differ in one place, in the order of the places.
fn changed(formulas: &mut Formulas, root: Formula) -> Vec<(&'static str, Formula)> {
    let mut found: Vec<(&'static str, Formula)> = Vec::new();
    for part in formulas.reachable([root]) {
        let other = match formulas.node(part) {
            Node::Binary(Binary::And, left, right) => Some(("and-or", formulas.binary(Binary::Or, left, right))),
            Node::Binary(Binary::Or, left, right) => Some(("or-and", formulas.binary(Binary::And, left, right))),
            Node::Binary(Binary::Iff, left, right) => {
                Some(("equal-different", formulas.binary(Binary::Xor, left, right)))
            }
            Node::Binary(Binary::Xor, left, right) => {
                Some(("different-equal", formulas.binary(Binary::Iff, left, right)))
            }
            Node::Unary(Unary::Not, argument) => Some(("negation-removed", argument)),
            Node::Constant(value) => Some(("constant", formulas.constant(!value))),
            Node::Atom(_) => Some(("negation-added", formulas.not(part))),
            Node::Unary(..) | Node::Binary(..) => None,
        };
        if let Some((operator, other)) = other {
            let formula = replaced(formulas, root, part, other);
            if formula != root && !found.iter().any(|(_, known)| *known == formula) {
                found.push((operator, formula));
            }
        }
    }
    found
}

/// A formula with one part replaced. What is put in its place is not looked into.
fn replaced(formulas: &mut Formulas, root: Formula, from: Formula, to: Formula) -> Formula {
    let mut new: rustc_hash::FxHashMap<Formula, Formula> = rustc_hash::FxHashMap::default();
    for part in formulas.reachable([root]) {
        let rebuilt = match formulas.node(part) {
            _ if part == from => to,
            Node::Constant(_) | Node::Atom(_) => part,
            Node::Unary(operator, argument) => formulas.unary(operator, new[&argument]),
            Node::Binary(operator, left, right) => formulas.binary(operator, new[&left], new[&right]),
        };
        new.insert(part, rebuilt);
    }
    new[&root]
}

/// The mutants of a machine: outputs that are stuck, outputs that one move gets wrong, moves that lead elsewhere. At most
/// `most` of them, evenly spread.
pub fn machine_mutants(formulas: &Formulas, machine: &Machine, most: usize) -> Vec<Mutant<Machine>> {
    let mut found = Vec::new();
    for &output in &machine.sets {
        let name = formulas.atom_name(output);
        for value in [false, true] {
            let mut implementation = machine.clone();
            for taken in implementation.states.iter_mut().flat_map(|state| &mut state.moves) {
                taken.sets.retain(|(atom, _)| *atom != output);
                taken.sets.push((output, value));
                taken.sets.sort_unstable();
            }
            let operator = if value { "stuck-at-1" } else { "stuck-at-0" };
            found.push(Mutant { operator, words: format!("{name} is {value}"), implementation });
        }
    }
    let mut single = Vec::new();
    let count = machine.states.len();
    for (state, row) in machine.states.iter().enumerate() {
        for (number, taken) in row.moves.iter().enumerate() {
            for (place, (atom, _)) in taken.sets.iter().enumerate() {
                single.push((state, number, Some((place, *atom))));
            }
            if 1 < count {
                single.push((state, number, None));
            }
        }
    }
    let room = most.saturating_sub(found.len()).max(1);
    let stride = single.len().div_ceil(room).max(1);
    for &(state, number, flip) in single.iter().step_by(stride) {
        let mut implementation = machine.clone();
        let taken = &mut implementation.states[state].moves[number];
        let (operator, words) = match flip {
            Some((place, atom)) => {
                taken.sets[place].1 = !taken.sets[place].1;
                ("bit-flip", format!("{} is wrong in move {number} of state {state}", formulas.atom_name(atom)))
            }
            None => {
                taken.target = (taken.target + 1) % count;
                ("transition", format!("move {number} of state {state} leads to {}", taken.target))
            }
        };
        found.push(Mutant { operator, words, implementation });
    }
    found
}
