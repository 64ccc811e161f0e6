//! Games with as few guarantees as they need.
//!
//! Leaving conjuncts of a formula out makes the game easier for the system: if the environment wins, it wins. If the system does, its
//! machine is asked about the conjuncts that were left out: either it keeps them all, or one that it breaks is added.

use ltl::{Judgement, Machine, verify};

use super::condition::Hard;
use super::effort::Effort;
use super::realizable::{Answer, Budget, Question, Way};
use super::refinement::share;
use super::universal::{Part, parts};

/// The fewest conjuncts that are worth leaving out.
const MANY: usize = 3;

impl Question<'_> {
    /// Plays games with growing conjunctions.
    pub(super) fn with_few_guarantees(&mut self, budget: Budget) -> Answer {
        let whole = parts(self.formulas, self.formula);
        // What holds without any premise is mostly about single steps, and cheap.
        let mut chosen: Vec<bool> = whole.iter().map(|part| part.len() == 1).collect();
        if chosen.iter().filter(|chosen| !**chosen).count() < MANY {
            return Answer::Unknown("there are few guarantees".to_owned());
        }
        while budget.deadline.is_none_or(|deadline| !deadline.is_over()) {
            let few: Vec<Part> =
                whole.iter().zip(&chosen).filter(|(_, chosen)| **chosen).map(|(part, _)| part.clone()).collect();
            let easier = self.joined(&few, &few);
            let (inputs, outputs, target, end) = (self.inputs, self.outputs, self.target, self.end);
            let mut question =
                Question { formulas: self.formulas, formula: easier, inputs, outputs, target, end, won: None };
            match question.in_short(share(budget, 2)) {
                Answer::Unrealizable(machine) => return self.judge(machine, false, budget),
                Answer::Realizable(machine) => match self.broken(&machine, &whole, &chosen, budget) {
                    Ok(Some(place)) => chosen[place] = true,
                    Ok(None) => return self.judge(machine, true, budget),
                    Err(reason) => return Answer::Unknown(reason),
                },
                other @ (Answer::Unkept { .. } | Answer::Unknown(_) | Answer::Disagreement(_)) => return other,
            }
        }
        Answer::Unknown("too many guarantees matter".to_owned())
    }

    /// The ways that answer without much work, if they do.
    fn in_short(&mut self, budget: Budget) -> Answer {
        let easy = self.counted(Effort::Small, share(budget, 4));
        if !matches!(easy, Answer::Unknown(_)) {
            return easy;
        }
        let (exact, _) = self.attempt(Hard::Exact, Way::Sets, share(budget, 3));
        if !matches!(exact, Answer::Unknown(_)) {
            return exact;
        }
        self.grown(budget)
    }

    /// The smallest conjunct that was left out and that a machine of the system breaks, by its place.
    fn broken(
        &mut self,
        machine: &Machine,
        whole: &[Part],
        chosen: &[bool],
        budget: Budget,
    ) -> Result<Option<usize>, String> {
        let size = |part: &Part| self.formulas.reachable(part.iter().copied()).len();
        let mut order: Vec<(usize, usize)> =
            (0..whole.len()).filter(|place| !chosen[*place]).map(|place| (size(&whole[place]), place)).collect();
        order.sort_unstable();
        for (_, place) in order {
            let part = self.formulas.any(whole[place].iter().copied());
            match verify(self.formulas, machine, part, budget.limits()) {
                Judgement::Satisfied => {}
                Judgement::Violated(_) => return Ok(Some(place)),
                Judgement::Unknown => return Err("the judge of a machine gave up".to_owned()),
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use ltl::{Dialect, Role, load};
    use source::Source;

    use super::*;

    /// The answer with few guarantees; machines are judged by the whole formula inside.
    fn few(text: &str) -> Answer {
        let (mut spec, _) = load(&Source::new("test.ltl", text), Dialect::Ltl).expect("well formed");
        let (inputs, outputs) = (spec.atoms_with(Role::Input), spec.atoms_with(Role::Output));
        let (formula, target) = (spec.requirement, spec.target);
        let (formulas, end, won) = (&mut spec.formulas, None, None);
        Question { formulas, formula, inputs: &inputs, outputs: &outputs, target, end, won }
            .with_few_guarantees(Budget::default())
    }

    const ASSUMED: &str = "input a, b; output x, y; assume G F a; assume G F b;";

    #[test]
    fn guarantees_that_contradict_each_other_are_found() {
        // The first and the third alone can be kept.
        let text = format!("{ASSUMED} G F x; G F y; G (a -> F G !x); G F (x | y);");
        assert!(matches!(few(&text), Answer::Unrealizable(_)), "{:?}", few(&text));
    }

    #[test]
    fn a_system_that_keeps_what_was_left_out_is_an_answer() {
        let text = format!("{ASSUMED} G F x; G F y; G (a -> F !x); G F (a & x | b);");
        assert!(matches!(few(&text), Answer::Realizable(_)), "{:?}", few(&text));
    }

    #[test]
    fn few_guarantees_are_left_to_others() {
        assert!(matches!(few("input a; output x; assume G F a; G F (a & x);"), Answer::Unknown(_)));
    }
}
