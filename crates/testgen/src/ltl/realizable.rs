//! Is there a machine that satisfies a specification against every environment?

use std::time::Instant;

use ltl::automaton::Limits;
use ltl::bdd::Bdds;
use ltl::{AtomId, Formula, Formulas, Judgement, Machine, Role, Spec, Target, verify};

use super::arena::arena;
use super::condition::objective;
use super::extract::extract;
use super::parity::solve;
use super::priorities::priorities;

/// The answer to the question whether a specification can be implemented.
#[derive(Clone, Debug)]
pub enum Answer {
    /// Yes: by this machine, which the judge has confirmed.
    Realizable(Machine),
    /// No: this machine of the environment, which the judge has confirmed, forces every system to fail.
    Unrealizable(Machine),
    /// Nobody knows, for this reason.
    Unknown(String),
    /// The judge refutes what an engine found: one of the two is wrong, and no answer is given.
    Disagreement(String),
}

/// What an answer may cost.
#[derive(Clone, Copy, Debug, Default)]
pub struct Budget {
    /// When to give up.
    pub deadline: Option<Instant>,
    /// The most nodes of decision diagrams; 0 for the usual number.
    pub nodes: usize,
}

impl Budget {
    fn nodes(self) -> usize {
        if self.nodes == 0 { 30_000_000 } else { self.nodes }
    }

    pub(crate) fn limits(self) -> Limits {
        Limits { states: 200_000, nodes: self.nodes(), deadline: self.deadline }
    }
}

/// Answers whether a specification can be implemented by a machine of its target.
pub fn realizable(spec: &mut Spec, budget: Budget) -> Answer {
    let inputs = spec.atoms_with(Role::Input);
    let mut outputs = spec.atoms_with(Role::Output);
    outputs.extend(spec.atoms_with(Role::Hidden));
    decide(&mut spec.formulas, spec.requirement, &inputs, &outputs, spec.target, budget)
}

/// Who wins: a system that sets `outputs` and wants `formula`, or an environment that sets `inputs`?
pub(crate) fn decide(
    formulas: &mut Formulas,
    formula: Formula,
    inputs: &[AtomId],
    outputs: &[AtomId],
    target: Target,
    budget: Budget,
) -> Answer {
    let objective = match objective(formulas, formula, budget.limits()) {
        Ok(objective) => objective,
        Err(part) => return Answer::Unknown(format!("no deterministic automaton for {}", formulas.show(part))),
    };
    let Some(priorities) = priorities(&objective.condition, objective.marks) else {
        return Answer::Unknown(format!("the condition has {} marks", objective.marks));
    };
    let bdds = Bdds::new(budget.nodes(), budget.deadline);
    let Some(mut arena) = arena(bdds, &objective, &priorities, inputs, outputs, target) else {
        return Answer::Unknown("the game has too many variables".to_owned());
    };
    let Some(solution) = solve(&mut arena) else {
        return Answer::Unknown("the budget of time or memory is used up while the game is solved".to_owned());
    };
    let (reads, sets) = if solution.system_wins { (inputs, outputs) } else { (outputs, inputs) };
    let Some(machine) = extract(&mut arena, &solution, reads, sets) else {
        let winner = if solution.system_wins { "system" } else { "environment" };
        return Answer::Unknown(format!("the {winner} wins, but its machine is too large to be judged"));
    };
    let claim = if solution.system_wins { formula } else { formulas.not(formula) };
    match verify(formulas, &machine, claim, budget.limits()) {
        Judgement::Satisfied if solution.system_wins => Answer::Realizable(machine),
        Judgement::Satisfied => Answer::Unrealizable(machine),
        Judgement::Unknown => {
            let winner = if solution.system_wins { "system" } else { "environment" };
            Answer::Unknown(format!("the {winner} wins, but the judge of its machine gave up"))
        }
        Judgement::Violated(lasso) => Answer::Disagreement(format!(
            "a machine of {} states was found for {}, and the judge refutes it {} {:?}",
            machine.states.len(),
            formulas.show(claim), machine.to_json(formulas), lasso
        )),
    }
}
