//! Small strategies found from counterexamples: SAT proposes a machine, the judge shows a run in which a system hides the
//! fault from it, and that run becomes a lesson for all machines that come after.
//!
//! No automaton of the whole specification is built, and a machine that the judge has nothing against is a strategy: what
//! is hidden, and how large the specification is, concerns the judge alone. The moves of a state are a short list of
//! rules, so "no machine" means none of this shape, except for machines of one state.

use ltl::faults::Demand;
use ltl::{Grounds, Judgement, Lasso, Letter, Machine, Move, State, Target, Verifier, holds_on_lasso, quotient};
use omega::automaton::Limits;
use omega::bdd::{Bdd, Bdds};
use omega::{AtomId, Binary, Formula, Formulas, Node, Unary, nnf};
use rustc_hash::FxHashMap;
use smt_sat::sat::Outcome;

use super::bounded::Found;
pub(crate) use super::proposals::Style;
use super::proposals::{Lesson, Proposals, Shape};
use super::sat_budget::SatBudget;

/// A search for machines of growing size that satisfy a formula in every run.
pub(crate) struct Inductive {
    demand: Demand,
    grounds: Grounds,
    /// The guarantees that the judge looks at.
    chosen: Vec<usize>,
    /// The negated formula, in which a negated input is a proposition of its own.
    hides: Formula,
    /// For every input the proposition of its negation.
    negations: Vec<(AtomId, AtomId)>,
    sees: Vec<AtomId>,
    sets: Vec<AtomId>,
    /// What may be set to what was seen a step before, where the specification compares the two.
    pairs: Vec<(AtomId, AtomId)>,
    lessons: Vec<Lesson>,
    verifier: Verifier,
}

impl Inductive {
    /// A search for machines that see and set these signals.
    pub(crate) fn new(
        formulas: &mut Formulas,
        demand: &Demand,
        grounds: &Grounds,
        sees: &[AtomId],
        sets: &[AtomId],
    ) -> Inductive {
        let mut negations = Vec::new();
        for &atom in sets {
            let name = format!("not {}", formulas.atom_name(atom));
            negations.push((atom, formulas.atom_id(&name)));
        }
        let negated = nnf(formulas, demand.search, true);
        let hides = formulas.rewrite(negated, |formulas, node| {
            let argument = match node {
                Node::Unary(Unary::Not, argument) => Some(formulas.node(argument)),
                Node::Constant(_) | Node::Atom(_) | Node::Unary(..) | Node::Binary(..) => None,
            };
            let negation = negations.iter().find(|(atom, _)| argument == Some(Node::Atom(*atom)));
            match negation {
                Some(&(_, negation)) => formulas.add(Node::Atom(negation)),
                None => formulas.add(node),
            }
        });
        let pairs = pairs(formulas, demand.search, sees, sets);
        Inductive {
            demand: demand.clone(),
            grounds: grounds.clone(),
            chosen: Vec::new(),
            hides,
            negations,
            sees: sees.to_vec(),
            sets: sets.to_vec(),
            pairs,
            lessons: Vec::new(),
            verifier: Verifier::default(),
        }
    }

    /// Whether the specification compares inputs with what was seen a step before.
    pub(crate) fn may_repeat(&self) -> bool {
        !self.pairs.is_empty()
    }

    fn judge(&mut self, formulas: &mut Formulas, machine: &Machine, limits: Limits) -> Judgement {
        self.grounds.judge_with(&mut self.verifier, formulas, machine, &self.demand, &mut self.chosen, limits)
    }

    /// Demands that machines do not do what another machine does when it meets a system.
    pub(crate) fn exclude(&mut self, machine: &Machine, system: &Machine) {
        let mut steps = Vec::new();
        let mut known: FxHashMap<(usize, usize), usize> = FxHashMap::default();
        let mut place = (0, 0);
        while !known.contains_key(&place) {
            known.insert(place, steps.len());
            let set = machine.sets_in(place.0).to_vec();
            let mut letter = Letter::default();
            for &(atom, value) in &set {
                letter.set(atom, value);
            }
            let answer = system.step(place.1, &letter).clone();
            let mut shown = Letter::default();
            for &(atom, value) in &answer.sets {
                shown.set(atom, value);
            }
            place = (machine.step(place.0, &shown).target, answer.target);
            steps.push((self.seen(&shown), set));
        }
        self.lessons.push(Lesson { steps, back: known[&place] });
    }

    fn seen(&self, letter: &Letter) -> Letter {
        Letter::of(self.sees.iter().copied().filter(|atom| letter.holds(*atom)))
    }

    /// A machine of `count` states, or fewer.
    pub(crate) fn solve(
        &mut self,
        formulas: &mut Formulas,
        count: usize,
        style: Style,
        budget: &SatBudget,
        limits: Limits,
    ) -> Found {
        let mut proposals = Proposals::new(count, style, self.sees.clone(), self.sets.clone(), &self.pairs);
        for lesson in &self.lessons {
            proposals.learn(lesson);
        }
        loop {
            match budget.solve(&mut proposals.sat) {
                Outcome::Sat => {}
                Outcome::Unsat => return Found::None,
                Outcome::Unknown(_) => return Found::Unknown,
            }
            let shapes = proposals.shape();
            let Some(machine) = self.machine(&shapes) else { return Found::Unknown };
            match self.judge(formulas, &machine, limits) {
                Judgement::Satisfied => return Found::Machine(self.plain(formulas, shapes, machine, limits)),
                Judgement::Unknown => return Found::Unknown,
                Judgement::Violated(lasso) => {
                    let Some(lesson) = self.lesson(formulas, &lasso) else { return Found::Unknown };
                    proposals.learn(&lesson);
                    self.lessons.push(lesson);
                }
            }
        }
    }

    /// What a run in which the fault is hidden teaches: the fewer inputs it needs, the more machines it concerns. What is
    /// not needed counts as neither true nor false; a formula in negation normal form that holds even so holds for all
    /// values, also for different ones in each round of the cycle.
    fn lesson(&self, formulas: &Formulas, lasso: &Lasso) -> Option<Lesson> {
        let letters: Vec<&Letter> = lasso.prefix.iter().chain(&lasso.cycle).collect();
        let back = lasso.prefix.len();
        let mut needed: Vec<Vec<(AtomId, bool)>> =
            letters.iter().map(|letter| self.sets.iter().map(|atom| (*atom, letter.holds(*atom))).collect()).collect();
        let word = |needed: &[Vec<(AtomId, bool)>]| {
            let mut word: Vec<Letter> = Vec::new();
            for (letter, set) in letters.iter().zip(needed) {
                let mut letter = (*letter).clone();
                for &(atom, negation) in &self.negations {
                    letter.set(atom, set.contains(&(atom, true)));
                    letter.set(negation, set.contains(&(atom, false)));
                }
                word.push(letter);
            }
            let cycle = word.split_off(back);
            Lasso { prefix: word, cycle }
        };
        let hidden = |needed: &[Vec<(AtomId, bool)>]| holds_on_lasso(formulas, self.hides, &word(needed));
        if !hidden(&needed) {
            return None;
        }
        for place in (0..needed.len()).rev() {
            let all = std::mem::take(&mut needed[place]);
            if hidden(&needed) {
                continue;
            }
            needed[place] = all;
            for number in (0..self.sets.len()).rev() {
                let literal = needed[place].remove(number);
                if !hidden(&needed) {
                    needed[place].insert(number, literal);
                }
            }
        }
        let steps = letters.iter().zip(needed).map(|(letter, set)| (self.seen(letter), set)).collect();
        Some(Lesson { steps, back })
    }
}

/// Inputs and outputs that a formula compares, the output one step before the input.
fn pairs(formulas: &Formulas, root: Formula, sees: &[AtomId], sets: &[AtomId]) -> Vec<(AtomId, AtomId)> {
    let signal = |mut part: Formula| {
        let mut depth = 0;
        loop {
            match formulas.node(part) {
                Node::Atom(atom) => return Some((atom, depth)),
                Node::Unary(Unary::Next, argument) => (part, depth) = (argument, depth + 1),
                Node::Unary(Unary::Not, argument) => part = argument,
                Node::Constant(_) | Node::Unary(..) | Node::Binary(..) => return None,
            }
        }
    };
    let mut found = Vec::new();
    for part in formulas.reachable([root]) {
        let Node::Binary(Binary::Iff | Binary::Xor, left, right) = formulas.node(part) else { continue };
        let (Some(left), Some(right)) = (signal(left), signal(right)) else { continue };
        for ((set, later), (seen, earlier)) in [(left, right), (right, left)] {
            if later == earlier + 1 && sets.contains(&set) && sees.contains(&seen) && !found.contains(&(set, seen)) {
                found.push((set, seen));
            }
        }
    }
    found
}

impl Inductive {
    /// The machine of some shapes: what a state repeats becomes a part of the state. None if it is too large.
    fn machine(&self, shapes: &[Shape]) -> Option<Machine> {
        let mut bdds = Bdds::new(1_000_000, None);
        let remembered = |shape: &Shape| -> Vec<AtomId> {
            self.sees.iter().copied().filter(|atom| shape.echoes.iter().any(|(_, echoed)| echoed == atom)).collect()
        };
        // A state with what it remembers of the step before; at first that is nothing.
        let mut places: Vec<(usize, Vec<(AtomId, bool)>)> =
            vec![(0, remembered(&shapes[0]).into_iter().map(|atom| (atom, false)).collect())];
        let mut states = Vec::new();
        while states.len() < places.len() {
            let (place, memory) = places[states.len()].clone();
            let shape = &shapes[place];
            let mut sets = shape.sets.clone();
            for (atom, value) in &mut sets {
                let echoed = shape.echoes.iter().find(|(own, _)| own == atom).map(|(_, echoed)| *echoed);
                *value = memory.iter().find(|(own, _)| Some(*own) == echoed).map_or(*value, |(_, seen)| *seen);
            }
            let mut letters = vec![Bdd::FALSE; shapes.len()];
            let mut open = Bdd::TRUE;
            for (literals, target) in &shape.rules {
                let cube = bdds.cube(literals);
                let region = bdds.and(open, cube);
                open = bdds.minus(open, cube);
                letters[*target] = bdds.or(letters[*target], region);
            }
            letters[shape.otherwise] = bdds.or(letters[shape.otherwise], open);
            let mut moves = Vec::new();
            for (target, &letters) in letters.iter().enumerate() {
                let kept = remembered(&shapes[target]);
                for seen in 0..1_usize << kept.len() {
                    let memory: Vec<(AtomId, bool)> =
                        kept.iter().enumerate().map(|(bit, atom)| (*atom, seen >> bit & 1 == 1)).collect();
                    let variable = |atom: AtomId| self.sees.iter().position(|other| *other == atom);
                    let literals: Vec<(u32, bool)> =
                        memory.iter().filter_map(|&(atom, value)| Some((variable(atom)? as u32, value))).collect();
                    let cube = bdds.cube(&literals);
                    let letters = bdds.and(letters, cube);
                    if letters == Bdd::FALSE {
                        continue;
                    }
                    let arrival = (target, memory);
                    let known = places.iter().position(|other| *other == arrival);
                    let number = known.unwrap_or_else(|| {
                        places.push(arrival);
                        places.len() - 1
                    });
                    for cube in bdds.cubes(letters, usize::MAX)? {
                        let guard = cube.iter().map(|&(place, value)| (self.sees[place as usize], value)).collect();
                        moves.push(Move { guard, sets: sets.clone(), target: number });
                    }
                }
            }
            states.push(State { moves });
        }
        let machine = Machine { kind: Target::Moore, reads: self.sees.clone(), sets: self.sets.clone(), states };
        bdds.sound(quotient(&machine))
    }

    /// A machine without what its rules need not look at, and without what its states need not repeat.
    fn plain(
        &mut self,
        formulas: &mut Formulas,
        mut shapes: Vec<Shape>,
        mut machine: Machine,
        limits: Limits,
    ) -> Machine {
        for state in 0..shapes.len() {
            for rule in 0..shapes[state].rules.len() {
                for place in (0..shapes[state].rules[rule].0.len()).rev() {
                    let mut fewer = shapes.clone();
                    fewer[state].rules[rule].0.remove(place);
                    self.accept(formulas, fewer, (&mut shapes, &mut machine), limits);
                }
            }
            for place in (0..shapes[state].echoes.len()).rev() {
                let mut fewer = shapes.clone();
                fewer[state].echoes.remove(place);
                self.accept(formulas, fewer, (&mut shapes, &mut machine), limits);
            }
        }
        machine
    }

    /// Puts shapes and their machine in the place of others if the judge has nothing against them.
    fn accept(
        &mut self,
        formulas: &mut Formulas,
        fewer: Vec<Shape>,
        (shapes, machine): (&mut Vec<Shape>, &mut Machine),
        limits: Limits,
    ) {
        if let Some(simpler) = self.machine(&fewer)
            && self.judge(formulas, &simpler, limits) == Judgement::Satisfied
        {
            (*shapes, *machine) = (fewer, simpler);
        }
    }
}

#[cfg(test)]
mod tests {
    use ltl::faults::{Selection, faults};
    use ltl::{Dialect, Frequency, Role, load, verify};
    use source::Source;

    use super::*;

    /// The machine for the first declared fault at a frequency, judged by what the fault claims.
    fn found(text: &str, frequency: Frequency, count: usize, style: Style) -> Option<Machine> {
        let (mut spec, _) = load(&Source::new("test.ltl", text), Dialect::Ltl).expect("well formed");
        let fault = faults(&mut spec, Selection::Declared).expect("well formed").remove(0);
        let demand = fault.demands.iter().find(|demand| demand.frequency == Some(frequency)).expect("a frequency");
        let grounds = Grounds::of(&spec.formulas, spec.requirement);
        let (sees, sets) = (spec.atoms_with(Role::Output), spec.atoms_with(Role::Input));
        let mut search = Inductive::new(&mut spec.formulas, demand, &grounds, &sees, &sets);
        let budget = SatBudget { deadline: None, interrupt: smt::Interrupt::default() };
        match search.solve(&mut spec.formulas, count, style, &budget, Limits::default()) {
            Found::Machine(machine) => {
                let judged = verify(&mut spec.formulas, &machine, demand.claim, Limits::default());
                assert_eq!(judged, Judgement::Satisfied, "{}", machine.to_words(&spec.formulas));
                Some(machine)
            }
            Found::None => None,
            Found::Unknown => panic!("nothing limits the search"),
        }
    }

    /// Whoever repeats both digits a step later must be let in: one shape stands for four states.
    const DIGITS: &str =
        "input p, q; output d, e, open; G ((d <-> X p) & (e <-> X q) -> X X open); fault stuck_at_0 on open;";

    #[test]
    fn what_is_seen_is_repeated() {
        let machine = found(DIGITS, Frequency::Repeatedly, 1, Style::Echoing).expect("one shape repeats both");
        assert_eq!(machine.states.len(), 4, "a state for everything that can be repeated");
        assert_eq!(found(DIGITS, Frequency::Repeatedly, 1, Style::Plain), None);
        assert_eq!(found(DIGITS, Frequency::Repeatedly, 3, Style::Plain), None);
        assert_eq!(found(DIGITS, Frequency::Once, 1, Style::Echoing), None, "the first two steps are free");
    }

    #[test]
    fn sequences_wait_where_they_must() {
        // The system is ready again and again, but chooses when: only who waits for it can raise q right after.
        let text = "input q; output r, o; G F r; G (!q & r & X q -> X o); fault stuck_at_0 on o;";
        for count in 1..=3 {
            assert_eq!(found(text, Frequency::Finally, count, Style::Echoing), None, "{count}");
        }
        let machine = found(text, Frequency::Finally, 2, Style::Waiting).expect("two states, one of which waits");
        assert_eq!(machine.states.len(), 2);
    }

    #[test]
    fn only_what_is_compared_is_repeated() {
        let mut formulas = Formulas::new();
        let [d, e, p, q] = ["d", "e", "p", "q"].map(|name| formulas.atom_id(name));
        let text = "G ((d <-> X p) & (X e xor X X q) -> F (d <-> q)) & (p <-> X e)";
        let formula = ltl::parse_formula(&Source::new("formula", text), &mut formulas).expect("well formed");
        assert_eq!(pairs(&formulas, formula, &[d, e], &[p, q]), [(p, d), (q, e)]);
    }
}
