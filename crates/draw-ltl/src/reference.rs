//! Systems that satisfy a specification and begin as one likes: the game is solved once, and every wish is one more walk over the
//! winner's choices.

use ltl::{Judgement, Machine, Target, quotient_until, verify};
use omega::bdd::Bdd;
use omega::deterministic::is_now;
use omega::{AtomId, Formula, Formulas, nnf};

use super::arena::Arena;
use super::condition::Breaking;
use super::extract::walked;
use super::functional::determined;
use super::parity::Solution;
use super::realizable::{Budget, Question};
use super::refinement::share;

/// A game that the system wins.
pub(crate) struct Reference {
    arena: Arena,
    /// All choices with which the system wins.
    solution: Solution,
    /// One for everything that it reads.
    simple: Solution,
    formula: Formula,
    inputs: Vec<AtomId>,
    outputs: Vec<AtomId>,
}

impl Reference {
    /// Solves the game of a formula for a system that sets `outputs`; none if it does not win, or nobody knows.
    pub(crate) fn new(
        formulas: &mut Formulas,
        formula: Formula,
        inputs: &[AtomId],
        outputs: &[AtomId],
        budget: Budget,
    ) -> Option<Reference> {
        let end = budget.deadline;
        let mut question = Question { formulas, formula, inputs, outputs, target: Target::Mealy, end, won: None };
        let ordered = question.won(Breaking::AfterAssumptions, share(budget, 2));
        let (mut arena, solution) = ordered.or_else(|| question.won(Breaking::Freely, budget))?;
        arena.bdds.allow_until(end);
        let simple = determined(&mut arena, &solution)?;
        Some(Reference { arena, solution, simple, formula, inputs: inputs.to_vec(), outputs: outputs.to_vec() })
    }

    /// A system whose first step satisfies a formula about one step, whatever it reads, judged.
    pub(crate) fn beginning_with(&mut self, formulas: &mut Formulas, wish: Formula, budget: Budget) -> Option<Machine> {
        let wish = nnf(formulas, wish, false);
        if !is_now(formulas, wish) {
            return None;
        }
        let Reference { arena, solution, .. } = self;
        arena.bdds.allow_until(budget.deadline);
        let wish = arena.now(formulas, wish)?;
        let start = arena.start.clone();
        let start = arena.cube(&start);
        let choices = arena.bdds.cofactor(solution.second, start);
        let wished = arena.bdds.and(choices, wish);
        let (cube, all) = (arena.second_cube, arena.bdds.exists(choices, arena.second_cube));
        if wished == Bdd::FALSE || arena.bdds.exists(wished, cube) != all {
            return None;
        }
        let begins = arena.bdds.and(start, wished);
        let goes_on = arena.bdds.minus(self.simple.second, start);
        let second = arena.bdds.or(begins, goes_on);
        self.judged(formulas, &Solution { second, ..self.simple }, budget)
    }

    /// A system, whatever it begins with, judged.
    pub(crate) fn system(&mut self, formulas: &mut Formulas, budget: Budget) -> Option<Machine> {
        self.arena.bdds.allow_until(budget.deadline);
        let simple = Solution { ..self.simple };
        self.judged(formulas, &simple, budget)
    }

    fn judged(&mut self, formulas: &mut Formulas, choices: &Solution, budget: Budget) -> Option<Machine> {
        let machine = walked(&mut self.arena, choices, &self.inputs, &self.outputs)?;
        let machine = quotient_until(&machine, budget.deadline);
        let judged = verify(formulas, &machine, self.formula, budget.limits());
        (judged == Judgement::Satisfied).then_some(machine)
    }
}

#[cfg(test)]
mod tests {
    use ltl::{Dialect, Role, load};
    use source::Source;

    use super::*;

    #[test]
    fn systems_begin_as_one_likes_where_the_specification_allows_it() {
        let text = "input r; output g, h; assume G (r -> X !r); G !(g & h); G (r -> F g); G (g -> X !g); !h;";
        let (mut spec, _) = load(&Source::new("test.ltl", text), Dialect::Ltl).expect("well formed");
        let (inputs, outputs) = (spec.atoms_with(Role::Input), spec.atoms_with(Role::Output));
        let formula = spec.requirement;
        let budget = Budget::default();
        let mut reference = Reference::new(&mut spec.formulas, formula, &inputs, &outputs, budget).expect("it wins");
        let mut begins = |text: &str| {
            let wish = ltl::parse_formula(&Source::new("wish", text), &mut spec.formulas).expect("a formula");
            let machine = reference.beginning_with(&mut spec.formulas, wish, budget)?;
            let both = spec.formulas.all([formula, wish]);
            assert_eq!(verify(&mut spec.formulas, &machine, both, budget.limits()), Judgement::Satisfied, "{text}");
            Some(machine)
        };
        assert!(begins("g").is_some());
        assert!(begins("!g").is_some());
        assert!(begins("g <-> r").is_some());
        assert!(begins("h").is_none(), "a guarantee forbids it");
        assert!(begins("r").is_none(), "the system does not set it");
        assert!(begins("X g").is_none(), "it is not about one step");
    }
}
