//! Is there a machine that satisfies a specification against every environment?

use std::time::Instant;

use ltl::automaton::Limits;
use ltl::bdd::Bdds;
use ltl::{AtomId, Formula, Formulas, Judgement, Machine, Role, Spec, Target, verify};

use super::arena::arena;
use super::condition::{Hard, Objective, objective};
use super::contest::Player;
use super::explicit::{explore, play};
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
    let mut question = Question { formulas, formula, inputs, outputs, target };
    let share = |part: u32| {
        let left = budget.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        Budget { deadline: left.map(|left| Instant::now() + left / part), ..budget }
    };
    // Exactly first, for a while; then by counting; then with the hard parts refused or granted; then exactly again.
    let (first, hard) = question.attempt(Hard::Exact, Way::Sets, share(4));
    if !matches!(first, Answer::Unknown(_)) || (hard == 0 && budget.deadline.is_none()) {
        return first;
    }
    let contest = question.contest(share(2));
    if !matches!(contest, Answer::Unknown(_)) {
        return contest;
    }
    // State by state is better where few states can be reached and many would have to be described.
    let (second, _) = question.attempt(Hard::Exact, Way::States, share(3));
    if !matches!(second, Answer::Unknown(_)) {
        return second;
    }
    if hard != 0 {
        for treatment in [Hard::Refused, Hard::Granted] {
            let (answer, _) = question.attempt(treatment, Way::Sets, share(3));
            if !matches!(answer, Answer::Unknown(_)) {
                return answer;
            }
        }
    }
    if budget.deadline.is_none_or(|deadline| deadline <= Instant::now()) {
        return first;
    }
    question.attempt(Hard::Exact, Way::Sets, share(1)).0
}

/// How a game is solved.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// By sets of states as decision diagrams.
    Sets,
    /// State by state, those that can be reached.
    States,
}

struct Question<'a> {
    formulas: &'a mut Formulas,
    formula: Formula,
    inputs: &'a [AtomId],
    outputs: &'a [AtomId],
    target: Target,
}

impl Question<'_> {
    /// System and environment in turn, with growing counts.
    fn contest(&mut self, budget: Budget) -> Answer {
        let negated = self.formulas.not(self.formula);
        let dual = match self.target {
            Target::Mealy => Target::Moore,
            Target::Moore => Target::Mealy,
        };
        let mut players = [
            (Player::new(self.formulas, self.formula, self.inputs, self.outputs, self.target), true),
            (Player::new(self.formulas, negated, self.outputs, self.inputs, dual), false),
        ];
        for round in 0..Player::rounds() {
            for (player, is_system) in &mut players {
                let turns = 2 * (Player::rounds() - round) as u32;
                let left = budget.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
                let share = Budget { deadline: left.map(|left| Instant::now() + left * 2 / turns), ..budget };
                for machine in player.round(self.formulas, round, share) {
                    let answer = self.judge(machine, *is_system, budget);
                    if !matches!(answer, Answer::Unknown(_)) {
                        return answer;
                    }
                }
            }
        }
        Answer::Unknown("neither player finds a machine with small counts".to_owned())
    }

    /// One attempt, and how many hard parts there are.
    fn attempt(&mut self, treatment: Hard, way: Way, budget: Budget) -> (Answer, usize) {
        let objective = match objective(self.formulas, self.formula, treatment, budget.limits()) {
            Ok(objective) => objective,
            Err(part) => {
                let reason = format!("no deterministic automaton for {}", self.formulas.show(part));
                return (Answer::Unknown(reason), 1);
            }
        };
        (self.play(&objective, treatment, way, budget), objective.hard)
    }

    fn play(&mut self, objective: &Objective, treatment: Hard, way: Way, budget: Budget) -> Answer {
        let Some(priorities) = priorities(&objective.condition, objective.marks) else {
            return Answer::Unknown(format!("the condition has {} marks", objective.marks));
        };
        let bdds = Bdds::new(budget.nodes(), budget.deadline);
        let Some(mut arena) = arena(bdds, objective, &priorities, self.inputs, self.outputs, self.target) else {
            return Answer::Unknown("the game has too many variables".to_owned());
        };
        if way == Way::States {
            let won = explore(&mut arena).and_then(|graph| play(&mut arena, &graph, [self.inputs, self.outputs]));
            return match won {
                Some(won) => self.judge(won.machine, won.system_wins, budget),
                None => Answer::Unknown("too many states can be reached".to_owned()),
            };
        }
        let Some(solution) = solve(&mut arena) else {
            return Answer::Unknown(format!(
                "the budget of time or memory is used up while the game is solved ({} bits of state, {} marks, {} priorities)",
                arena.bits, objective.marks, priorities.count
            ));
        };
        let useless = if solution.system_wins { Hard::Granted } else { Hard::Refused };
        if treatment == useless && objective.hard != 0 {
            return Answer::Unknown("an approximation of the game decides nothing".to_owned());
        }
        let (reads, sets) =
            if solution.system_wins { (self.inputs, self.outputs) } else { (self.outputs, self.inputs) };
        let winner = if solution.system_wins { "system" } else { "environment" };
        let Some(machine) = extract(&mut arena, &solution, reads, sets) else {
            return Answer::Unknown(format!("the {winner} wins, but its machine is too large to be judged"));
        };
        self.judge(machine, solution.system_wins, budget)
    }

    fn judge(&mut self, machine: Machine, system_wins: bool, budget: Budget) -> Answer {
        let claim = if system_wins { self.formula } else { self.formulas.not(self.formula) };
        match verify(self.formulas, &machine, claim, budget.limits()) {
            Judgement::Satisfied if system_wins => Answer::Realizable(machine),
            Judgement::Satisfied => Answer::Unrealizable(machine),
            Judgement::Unknown => {
                let winner = if system_wins { "system" } else { "environment" };
                Answer::Unknown(format!("the {winner} wins, but the judge of its machine gave up"))
            }
            Judgement::Violated(_) => Answer::Disagreement(format!(
                "a machine of {} states was found for {}, and the judge refutes it",
                machine.states.len(),
                self.formulas.show(claim)
            )),
        }
    }
}
