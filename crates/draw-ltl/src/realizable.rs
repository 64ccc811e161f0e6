//! Is there a machine that satisfies a specification against every environment?

use std::time::Duration;

use ltl::{Judgement, Machine, Role, Spec, Target, quotient_until, reduce, verify};
use omega::automaton::Limits;
use omega::bdd::Bdds;
use omega::clock::{Moment, in_real_time};
use omega::{AtomId, Formula, Formulas};

use super::arena::arena;
use super::condition::{Hard, Objective, objective};
use super::contest::{Effort, Player};
use super::explicit::{explore, play};
use super::extract::extract;
use super::parity::solve;
use super::priorities::priorities;
use super::pursuit::share;

/// The answer to the question whether a specification can be implemented.
#[derive(Clone, Debug)]
pub enum Answer {
    /// Yes: by this machine, which the judge has confirmed.
    Realizable(Machine),
    /// No: this machine of the environment, which the judge has confirmed, forces every system to fail.
    Unrealizable(Machine),
    /// Yes or no, but the machine that shows it could not be kept, for this reason: an exact game was won, and nobody judged it.
    Unkept {
        /// Whether the system wins.
        realizable: bool,
        /// Why the machine is missing.
        reason: String,
    },
    /// Nobody knows, for this reason.
    Unknown(String),
    /// The judge refutes what an engine found: one of the two is wrong, and no answer is given.
    Disagreement(String),
}

/// What a user allows an answer to cost.
#[derive(Clone, Copy, Debug, Default)]
pub struct Allowance {
    /// By the clock on the wall.
    pub time: Option<Duration>,
    /// Of decision diagrams.
    pub megabytes: Option<u64>,
}

/// What an answer may cost.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Budget {
    /// When to give up.
    pub(crate) deadline: Option<Moment>,
    /// The most nodes of decision diagrams; 0 for the usual number.
    pub(crate) nodes: usize,
}

/// How the reason begins where a game is not played because its condition is too large.
const MANY_MARKS: &str = "the condition has";

/// What a node of a decision diagram takes, with its place in the tables.
const BYTES_PER_NODE: u64 = 64;

impl Budget {
    /// A budget that ends at a deadline, or with this many megabytes of decision diagrams.
    pub(crate) fn new(deadline: Option<Moment>, megabytes: Option<u64>) -> Budget {
        let nodes = megabytes.map_or(0, |megabytes| (megabytes.saturating_mul(1 << 20) / BYTES_PER_NODE).max(1));
        Budget { deadline, nodes: usize::try_from(nodes).unwrap_or(usize::MAX).min(u32::MAX as usize - 1) }
    }

    fn nodes(self) -> usize {
        if self.nodes == 0 { 30_000_000 } else { self.nodes }
    }

    pub(crate) fn limits(self) -> Limits {
        Limits { states: 200_000, nodes: self.nodes(), deadline: self.deadline }
    }
}

/// Answers whether a specification can be implemented by a machine of its target.
pub fn realizable(spec: &mut Spec, allowance: Allowance) -> Answer {
    in_real_time(|| answer(spec, Budget::new(allowance.time.map(Moment::after), allowance.megabytes)))
}

fn answer(spec: &mut Spec, budget: Budget) -> Answer {
    let inputs = spec.atoms_with(Role::Input);
    let mut outputs = spec.atoms_with(Role::Output);
    outputs.extend(spec.atoms_with(Role::Hidden));
    let answer = decide(&mut spec.formulas, spec.requirement, &inputs, &outputs, spec.target, budget);
    // The answer is there: a smaller machine is worth a part of the time that is left.
    let limits = Limits { states: 20_000, nodes: 1_000_000, deadline: share(budget, 4).deadline };
    match answer {
        Answer::Realizable(machine) => {
            Answer::Realizable(reduce(&mut spec.formulas, machine, spec.requirement, limits))
        }
        Answer::Unrealizable(machine) => {
            let negated = spec.formulas.not(spec.requirement);
            Answer::Unrealizable(reduce(&mut spec.formulas, machine, negated, limits))
        }
        Answer::Unkept { .. } | Answer::Unknown(_) | Answer::Disagreement(_) => answer,
    }
}

/// The most nodes of decision diagrams for what is answered at a glance.
const GLANCE: usize = 400_000;

/// The answer where it is found without much work: the same on every machine, since nothing is measured in time.
pub(crate) fn glance(
    formulas: &mut Formulas,
    formula: Formula,
    inputs: &[AtomId],
    outputs: &[AtomId],
    target: Target,
) -> Answer {
    let budget = Budget { deadline: None, nodes: GLANCE };
    let mut question = Question { formulas, formula, inputs, outputs, target, end: None, won: None };
    let easy = question.contest(Effort::Small, budget);
    match easy {
        Answer::Unknown(_) => question.attempt(Hard::Exact, Way::Sets, budget).0,
        Answer::Realizable(_) | Answer::Unrealizable(_) | Answer::Unkept { .. } | Answer::Disagreement(_) => easy,
    }
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
    let mut question = Question { formulas, formula, inputs, outputs, target, end: budget.deadline, won: None };
    let answer = question.decided(budget);
    match (answer, question.won) {
        (Answer::Unknown(_), Some((realizable, reason))) => Answer::Unkept { realizable, reason },
        (answer, _) => answer,
    }
}

impl Question<'_> {
    fn decided(&mut self, budget: Budget) -> Answer {
        let question = self;
        let share = |part: u32| {
            let left = budget.deadline.map(Moment::left);
            Budget { deadline: left.map(|left| Moment::after(left / part)), ..budget }
        };
        // What is easy by counting comes first: its machines are small. Then exactly, for a while; then with few premises; then by
        // counting; then with the hard parts refused or granted; then exactly again.
        let easy = question.contest(Effort::Small, share(4));
        if !matches!(easy, Answer::Unknown(_)) {
            return easy;
        }
        let (first, hard) = question.attempt(Hard::Exact, Way::Sets, share(4));
        if !matches!(first, Answer::Unknown(_)) || (hard == 0 && budget.deadline.is_none()) {
            return first;
        }
        if matches!(&first, Answer::Unknown(reason) if reason.starts_with(MANY_MARKS)) {
            let grown = question.grown(share(3));
            if !matches!(grown, Answer::Unknown(_)) {
                return grown;
            }
        }
        let contest = question.contest(Effort::Large, share(2));
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
        if budget.deadline.is_none_or(Moment::is_over) {
            return first;
        }
        question.attempt(Hard::Exact, Way::Sets, share(1)).0
    }
}

/// How a game is solved.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// By sets of states as decision diagrams.
    Sets,
    /// State by state, those that can be reached.
    States,
}

pub(super) struct Question<'a> {
    pub(super) formulas: &'a mut Formulas,
    pub(super) formula: Formula,
    pub(super) inputs: &'a [AtomId],
    pub(super) outputs: &'a [AtomId],
    pub(super) target: Target,
    /// When the time of all engines together is over: a game that is won is worth all that is left.
    pub(super) end: Option<Moment>,
    /// Who wins an exact game whose machine could not be kept, and why not.
    pub(super) won: Option<(bool, String)>,
}

impl Question<'_> {
    /// System and environment in turn, with growing counts.
    pub(super) fn contest(&mut self, effort: Effort, budget: Budget) -> Answer {
        let negated = self.formulas.not(self.formula);
        let dual = match self.target {
            Target::Mealy => Target::Moore,
            Target::Moore => Target::Mealy,
        };
        let mut players = [
            (Player::new(self.formulas, self.formula, self.inputs, self.outputs, self.target, effort), true),
            (Player::new(self.formulas, negated, self.outputs, self.inputs, dual, effort), false),
        ];
        for round in 0..effort.rounds() {
            for (player, is_system) in &mut players {
                let turns = 2 * (effort.rounds() - round) as u32;
                let left = budget.deadline.map(Moment::left);
                let share = Budget { deadline: left.map(|left| Moment::after(left * 2 / turns)), ..budget };
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
    pub(super) fn attempt(&mut self, treatment: Hard, way: Way, budget: Budget) -> (Answer, usize) {
        let objective = match objective(self.formulas, self.formula, treatment, budget.limits()) {
            Ok(objective) => objective,
            Err(part) => {
                let reason = format!("no deterministic automaton for {}", ltl::print(self.formulas, part));
                return (Answer::Unknown(reason), 1);
            }
        };
        (self.play(&objective, treatment, way, budget), objective.hard)
    }

    fn play(&mut self, objective: &Objective, treatment: Hard, way: Way, budget: Budget) -> Answer {
        let Some(priorities) = priorities(&objective.condition, objective.marks) else {
            return Answer::Unknown(format!("{MANY_MARKS} {} marks", objective.marks));
        };
        let bdds = Bdds::new(budget.nodes(), budget.deadline);
        let registers = way == Way::Sets;
        let board =
            arena(bdds, self.formulas, registers, objective, &priorities, self.inputs, self.outputs, self.target);
        let Some(mut arena) = board else {
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
                arena.bits.len(),
                objective.marks,
                priorities.count
            ));
        };
        let useless = if solution.system_wins { Hard::Granted } else { Hard::Refused };
        if treatment == useless && objective.hard != 0 {
            return Answer::Unknown("an approximation of the game decides nothing".to_owned());
        }
        let (reads, sets) =
            if solution.system_wins { (self.inputs, self.outputs) } else { (self.outputs, self.inputs) };
        let winner = if solution.system_wins { "system" } else { "environment" };
        arena.bdds.allow_until(self.end);
        let is_exact = treatment == Hard::Exact || objective.hard == 0;
        let Some(machine) = extract(&mut arena, &solution, reads, sets) else {
            let reason = format!("the {winner} wins, but its machine is too large to be judged");
            self.won = is_exact.then(|| (solution.system_wins, reason.clone()));
            return Answer::Unknown(reason);
        };
        let answer = self.judge(machine, solution.system_wins, budget);
        if let (Answer::Unknown(reason), true) = (&answer, is_exact) {
            self.won = Some((solution.system_wins, reason.clone()));
        }
        answer
    }

    pub(super) fn judge(&mut self, machine: Machine, system_wins: bool, budget: Budget) -> Answer {
        let claim = if system_wins { self.formula } else { self.formulas.not(self.formula) };
        let machine = quotient_until(&machine, self.end);
        let limits = Limits { deadline: self.end, ..budget.limits() };
        match verify(self.formulas, &machine, claim, limits) {
            Judgement::Satisfied if system_wins => Answer::Realizable(machine),
            Judgement::Satisfied => Answer::Unrealizable(machine),
            Judgement::Unknown => {
                let winner = if system_wins { "system" } else { "environment" };
                Answer::Unknown(format!("the {winner} wins, but the judge of its machine gave up"))
            }
            Judgement::Violated(_) => Answer::Disagreement(format!(
                "a machine of {} states was found for {}, and the judge refutes it",
                machine.states.len(),
                ltl::print(self.formulas, claim)
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use ltl::{Dialect, load};
    use source::Source;

    use super::*;

    /// The answers of the exact game and of counting, `?` where there is none.
    fn answers(text: &str) -> [char; 2] {
        let (mut spec, _) = load(&Source::new("test.ltl", text), Dialect::Ltl).expect("well formed");
        let (inputs, outputs) = (spec.atoms_with(Role::Input), spec.atoms_with(Role::Output));
        let (formula, target) = (spec.requirement, spec.target);
        let mut question = Question {
            formulas: &mut spec.formulas,
            formula,
            inputs: &inputs,
            outputs: &outputs,
            target,
            end: None,
            won: None,
        };
        let deadline = Some(Moment::after(Duration::from_secs(20)));
        let budget = Budget { deadline, nodes: 0 };
        let sign = |answer: Answer| match answer {
            Answer::Realizable(_) => 'r',
            Answer::Unrealizable(_) => 'u',
            Answer::Unkept { .. } | Answer::Unknown(_) => '?',
            Answer::Disagreement(words) => panic!("{text}: {words}"),
        };
        [sign(question.attempt(Hard::Exact, Way::Sets, budget).0), sign(question.contest(Effort::Large, budget))]
    }

    #[test]
    fn counting_decides_what_the_exact_game_decides() {
        let cases = [
            ("input r; output g; G (r -> F g); G (g -> X !g);", 'r'),
            ("input r; output g; G (r <-> X X g);", 'r'),
            ("input r; output g; G (g <-> X r);", 'u'),
            ("input r; output g; target moore; G (g <-> r);", 'u'),
            ("input r; output g; target moore; G (X g <-> r);", 'r'),
            ("input a, b; output g; assume G F a; assume G F b; G F (g & a) & G F (!g & b);", 'r'),
            ("input a; output g; F G a | G F g & G (g -> a);", 'u'),
            ("input a; output g; (G F a <-> G F g);", 'r'),
            ("input a; output g; G (a -> F (g & X !a));", 'u'),
            ("input r1, r2; output g1, g2; G (r1 -> F g1); G (r2 -> F g2); G !(g1 & g2); G (g1 -> r1);", 'u'),
        ];
        for (text, expected) in cases {
            assert_eq!(answers(text), [expected, expected], "{text}");
        }
    }

    #[test]
    fn random_games_have_one_winner() {
        let mut state = 3_u64;
        let mut draw = |count: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % count
        };
        let mut decided = 0;
        for _ in 0..40 {
            let mut parts: Vec<String> = ["a", "b", "x", "y"].map(str::to_owned).to_vec();
            for _ in 0..7 {
                let left = parts[draw(parts.len() as u64) as usize].clone();
                let right = parts[draw(parts.len() as u64) as usize].clone();
                let operator = ["&", "|", "->", "U", "W", "R"][draw(6) as usize];
                let unary = ["", "!", "X", "F", "G", "G F"][draw(6) as usize];
                parts.push(format!("({unary} (({left}) {operator} ({right})))"));
            }
            let whole = parts.last().expect("it was pushed").clone();
            let text = format!("input a, b; output x, y; G (x -> a | X b); {whole};");
            let [exact, counted] = answers(&text);
            assert!(exact == counted || exact == '?' || counted == '?', "{text}: {exact} {counted}");
            decided += usize::from(counted != '?');
        }
        assert!(30 <= decided, "counting decides {decided} of 40");
    }
}
