//! Games with as few premises as they need.
//!
//! A formula is a conjunction of disjunctions; what is assumed of the environment is there in each as members that it may
//! break. Leaving members out makes the game harder for the system: if it wins, it wins. If the environment does, its
//! machine is asked about the whole formula: either it forces every system to fail there as well, or it shows a run with
//! members that matter, and those are added.

use ltl::{Judgement, Lasso, holds_on_lasso, verify};
use omega::simplify::is_suspendable;
use omega::{Formula, Formulas, Node, Unary};

use super::condition::Hard;
use super::effort::Effort;
use super::realizable::{Answer, Budget, Question, Way};
use super::refinement::share;
use super::universal::{Part, disjuncts, parts};

/// The fewest members of a disjunction that are worth leaving out.
const MANY: usize = 4;

impl Question<'_> {
    /// Plays games with growing disjunctions.
    pub(super) fn grown(&mut self, budget: Budget) -> Answer {
        let mut whole = parts(self.formulas, self.formula);
        for part in &mut whole {
            *part = part.iter().flat_map(|member| self.apart(*member)).collect();
        }
        if whole.iter().all(|part| part.len() < MANY) {
            return Answer::Unknown("there are few premises".to_owned());
        }
        // What only holds in the long run is what a game can do without most often.
        let lasting = |member: &Formula| !is_suspendable(self.formulas, *member);
        let first =
            |part: &Part| if part.len() == 1 { part.clone() } else { part.iter().copied().filter(lasting).collect() };
        let mut chosen: Vec<Part> = whole.iter().map(first).collect();
        while budget.deadline.is_none_or(|deadline| !deadline.is_over()) {
            let harder = self.joined(&whole, &chosen);
            let (inputs, outputs, target, end) = (self.inputs, self.outputs, self.target, self.end);
            let mut question =
                Question { formulas: self.formulas, formula: harder, inputs, outputs, target, end, won: None };
            match question.tried(share(budget, 2)) {
                Answer::Realizable(machine) => return self.judge(machine, true, budget),
                Answer::Unrealizable(machine) => {
                    let negated = self.formulas.not(self.formula);
                    match verify(self.formulas, &machine, negated, budget.limits()) {
                        Judgement::Satisfied => return Answer::Unrealizable(machine),
                        Judgement::Violated(lasso) if self.add(&whole, &mut chosen, &lasso) => {}
                        Judgement::Violated(_) | Judgement::Unknown => break,
                    }
                }
                Answer::Unkept { .. } | Answer::Unknown(_) | Answer::Disagreement(_) => break,
            }
        }
        Answer::Unknown("too many premises matter".to_owned())
    }

    /// The conjunction of disjunctions. What several share is there once, so that it is watched once.
    pub(super) fn joined(&mut self, whole: &[Part], chosen: &[Part]) -> Formula {
        let several: Vec<&Part> =
            whole.iter().zip(chosen).filter(|(part, _)| 1 < part.len()).map(|(_, chosen)| chosen).collect();
        let shared: Part = match several.first() {
            Some(part) if 1 < several.len() => {
                part.iter().copied().filter(|member| several.iter().all(|part| part.contains(member))).collect()
            }
            Some(_) | None => Vec::new(),
        };
        let own = |formulas: &mut Formulas, part: &Part| {
            formulas.any(part.iter().copied().filter(|member| !shared.contains(member)))
        };
        let rests: Vec<Formula> = several.iter().map(|part| own(self.formulas, part)).collect();
        let rest = self.formulas.all(rests);
        let together = self.formulas.any(shared.iter().copied().chain([rest]));
        let single = chosen.iter().zip(whole).filter(|(_, part)| part.len() == 1).flat_map(|(chosen, _)| chosen);
        let single: Vec<Formula> = single.copied().collect();
        self.formulas.all(single.into_iter().chain([together]))
    }

    /// The members of a member: something will hold if one of its members will.
    fn apart(&mut self, member: Formula) -> Vec<Formula> {
        let Node::Unary(Unary::Finally, argument) = self.formulas.node(member) else { return vec![member] };
        let members = disjuncts(self.formulas, argument);
        members.into_iter().map(|member| self.formulas.unary(Unary::Finally, member)).collect()
    }

    fn tried(&mut self, budget: Budget) -> Answer {
        let easy = self.counted(Effort::Small, share(budget, 2));
        if !matches!(easy, Answer::Unknown(_)) {
            return easy;
        }
        self.attempt(Hard::Exact, Way::Sets, budget).0
    }

    /// Adds a member that a run satisfies to a disjunction none of whose chosen members it satisfies, and to all others that
    /// have it: one about signals that matter, and a small one. False if there is none.
    fn add(&self, whole: &[Part], chosen: &mut [Part], lasso: &Lasso) -> bool {
        let holds = |member: &Formula| holds_on_lasso(self.formulas, *member, lasso);
        let Some(place) = chosen.iter().position(|part| !part.iter().any(holds)) else { return false };
        let near = self.formulas.atoms_of(chosen[place].iter().copied());
        let cost = |member: &&Formula| {
            let far = !self.formulas.atoms_of([**member]).iter().any(|atom| near.contains(atom));
            (far, self.formulas.reachable([**member]).len())
        };
        let Some(&new) = whole[place].iter().filter(|member| holds(member)).min_by_key(cost) else { return false };
        for (part, chosen) in whole.iter().zip(chosen) {
            if part.contains(&new) && !chosen.contains(&new) {
                chosen.push(new);
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use ltl::{Dialect, Role, load};
    use source::Source;

    use super::*;

    /// The answer with growing premises; machines are judged by the whole formula inside.
    fn grown(text: &str) -> Answer {
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
        let answer = question.grown(Budget::default());
        let claim = match &answer {
            Answer::Realizable(machine) => Some((machine, formula)),
            Answer::Unrealizable(machine) => Some((machine, spec.formulas.not(formula))),
            Answer::Unkept { .. } | Answer::Unknown(_) | Answer::Disagreement(_) => None,
        };
        if let Some((machine, claim)) = claim {
            let judged = verify(&mut spec.formulas, machine, claim, Budget::default().limits());
            assert_eq!(judged, Judgement::Satisfied, "{text}");
        }
        answer
    }

    const ASSUMED: &str =
        "input a, b, c, d; output x, y; assume G F a; assume G F b; assume G F c; assume G F d; G !(x & y);";

    #[test]
    fn premises_that_matter_are_found() {
        // Without premises nobody can promise this; with two of the four a system can.
        let text = format!("{ASSUMED} G F (a & x); G F (c & y);");
        assert!(matches!(grown(&text), Answer::Realizable(_)), "{:?}", grown(&text));
        // No premise matters.
        assert!(matches!(grown(&format!("{ASSUMED} G F x; G F y;")), Answer::Realizable(_)));
    }

    #[test]
    fn no_premise_helps_where_the_environment_wins() {
        let text = format!("{ASSUMED} G F (a & b & x);");
        assert!(matches!(grown(&text), Answer::Unrealizable(_)), "{:?}", grown(&text));
    }

    #[test]
    fn few_premises_are_left_to_others() {
        assert!(matches!(grown("input a; output x; assume G F a; G F (a & x);"), Answer::Unknown(_)));
    }
}
