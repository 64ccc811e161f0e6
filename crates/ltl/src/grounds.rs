//! A specification taken apart, and a judge of strategies that looks at as few of its guarantees as it needs.
//!
//! A strategy that convicts every faulty system of breaking *some* guarantees convicts it of breaking the specification;
//! and a run in which a system hides the fault is one only if it keeps all guarantees. So the judge begins with few and adds
//! those that its counterexamples break: both of its answers are about the whole specification.

use crate::eval::holds_on_lasso;
use crate::faults::Demand;
use crate::machine::Machine;
use crate::verify::{Judgement, Verifier, verify};
use omega::automaton::Limits;
use omega::{Binary, Formula, Formulas, Node};

/// A specification taken apart: what is assumed, and the guarantees.
#[derive(Clone, Debug)]
pub struct Grounds {
    assumption: Option<Formula>,
    /// The guarantees.
    pub guarantees: Vec<Formula>,
}

impl Grounds {
    /// The parts of an implication, or of a conjunction.
    pub fn of(formulas: &Formulas, requirement: Formula) -> Grounds {
        let (assumption, rest) = match formulas.node(requirement) {
            Node::Binary(Binary::Implies, assumption, rest) => (Some(assumption), rest),
            Node::Constant(_) | Node::Atom(_) | Node::Unary(..) | Node::Binary(..) => (None, requirement),
        };
        Grounds { assumption, guarantees: formulas.conjuncts(rest) }
    }

    /// The specification with some of its guarantees; the whole one implies it.
    pub fn with(&self, formulas: &mut Formulas, chosen: &[usize]) -> Formula {
        let guarantees = formulas.all(chosen.iter().map(|place| self.guarantees[*place]));
        match self.assumption {
            Some(assumption) => formulas.binary(Binary::Implies, assumption, guarantees),
            None => guarantees,
        }
    }

    /// Judges whether every run of a strategy satisfies what a fault demands. `chosen` are the guarantees that are looked
    /// at, and grows; what one strategy needed the next is likely to need.
    pub fn judge(
        &self,
        formulas: &mut Formulas,
        machine: &Machine,
        demand: &Demand,
        chosen: &mut Vec<usize>,
        limits: Limits,
    ) -> Judgement {
        self.judge_with(&mut Verifier::default(), formulas, machine, demand, chosen, limits)
    }

    /// The same, by a judge who remembers what other strategies for the same demand taught.
    pub fn judge_with(
        &self,
        verifier: &mut Verifier,
        formulas: &mut Formulas,
        machine: &Machine,
        demand: &Demand,
        chosen: &mut Vec<usize>,
        limits: Limits,
    ) -> Judgement {
        loop {
            let whole = self.with(formulas, chosen);
            let search = demand.against(formulas, whole);
            let lasso = match verifier.judge(formulas, machine, search, limits) {
                Judgement::Violated(lasso) => lasso,
                other @ (Judgement::Satisfied | Judgement::Unknown) => return other,
            };
            if !holds_on_lasso(formulas, demand.search, &lasso) {
                return Judgement::Violated(lasso);
            }
            // The run breaks a guarantee that was left out: the smallest such one is looked at from now on.
            let mut broken: Option<(usize, usize)> = None;
            for place in (0..self.guarantees.len()).filter(|place| !chosen.contains(place)) {
                let size = formulas.reachable([self.guarantees[place]]).len();
                if broken.is_none_or(|(least, _)| size < least) {
                    let alone = self.with(formulas, &[place]);
                    let alone = demand.against(formulas, alone);
                    if holds_on_lasso(formulas, alone, &lasso) {
                        broken = Some((size, place));
                    }
                }
            }
            let Some((_, place)) = broken else { return verify(formulas, machine, demand.search, limits) };
            chosen.push(place);
        }
    }
}
