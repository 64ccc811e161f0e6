//! Small strategies found from counterexamples: SAT proposes a machine, the judge shows a run in which a system hides the
//! fault from it, and that run becomes a lesson for all machines that come after.
//!
//! No automaton of the whole specification is built, and a machine that the judge has nothing against is a strategy: what
//! is hidden, and how large the specification is, concerns the judge alone. The moves of a state are a short list of
//! rules, so "no machine" means none of this shape, except for machines of one state.

use ltl::automaton::Limits;
use ltl::bdd::{Bdd, Bdds};
use ltl::faults::Demand;
use ltl::{
    AtomId, Formula, Formulas, Grounds, Judgement, Lasso, Letter, Machine, Move, Node, State, Target, Unary, Verifier,
    holds_on_lasso, nnf, quotient,
};
use rustc_hash::FxHashMap;
use smt_sat::sat::{Budget, Lit, Outcome, Sat};

use super::bounded::Found;

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
    lessons: Vec<Lesson>,
    verifier: Verifier,
}

/// Runs in which a system hides the fault: what it shows in every step, and what must be set for that.
pub(crate) struct Lesson {
    steps: Vec<(Letter, Vec<(AtomId, bool)>)>,
    /// The step that follows the last one.
    back: usize,
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
        Inductive {
            demand: demand.clone(),
            grounds: grounds.clone(),
            chosen: Vec::new(),
            hides,
            negations,
            sees: sees.to_vec(),
            sets: sets.to_vec(),
            lessons: Vec::new(),
            verifier: Verifier::default(),
        }
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
    pub(crate) fn solve(&mut self, formulas: &mut Formulas, count: usize, budget: &Budget, limits: Limits) -> Found {
        let mut encoding = Encoding::new(count, self.sees.clone(), self.sets.clone());
        for lesson in &self.lessons {
            encoding.learn(lesson);
        }
        loop {
            match encoding.sat.solve(&[], budget) {
                Outcome::Sat => {}
                Outcome::Unsat => return Found::None,
                Outcome::Unknown(_) => return Found::Unknown,
            }
            let shapes = encoding.shape();
            let machine = self.machine(&shapes);
            match self.judge(formulas, &machine, limits) {
                Judgement::Satisfied => return Found::Machine(self.plain(formulas, shapes, limits)),
                Judgement::Unknown => return Found::Unknown,
                Judgement::Violated(lasso) => {
                    let Some(lesson) = self.lesson(formulas, &lasso) else { return Found::Unknown };
                    encoding.learn(&lesson);
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

/// A rule of a state: what must be seen, as two literals for each signal, and where it leads.
struct Rule {
    high: Vec<Lit>,
    low: Vec<Lit>,
    targets: Vec<Lit>,
}

struct Encoding {
    sat: Sat,
    sees: Vec<AtomId>,
    sets: Vec<AtomId>,
    outputs: Vec<Vec<Lit>>,
    rules: Vec<Vec<Rule>>,
    /// Where each state leads when no rule fits.
    otherwise: Vec<Vec<Lit>>,
    /// For a state and what is seen: where that leads.
    goes: FxHashMap<(usize, Letter), Vec<Lit>>,
}

impl Encoding {
    fn new(count: usize, sees: Vec<AtomId>, sets: Vec<AtomId>) -> Encoding {
        let mut sat = Sat::new();
        let mut row = |width: usize| -> Vec<Lit> { (0..width).map(|_| sat.new_var()).collect() };
        let outputs = (0..count).map(|_| row(sets.len())).collect();
        let otherwise: Vec<Vec<Lit>> = (0..count).map(|_| row(count)).collect();
        let mut rules: Vec<Vec<Rule>> = Vec::new();
        for _ in 0..count {
            let mut rule = || Rule { high: row(sees.len()), low: row(sees.len()), targets: row(count) };
            rules.push((1..count).map(|_| rule()).collect());
        }
        for targets in rules.iter().flatten().map(|rule| &rule.targets).chain(&otherwise) {
            exactly_one(&mut sat, targets);
        }
        for rule in rules.iter().flatten() {
            for (&high, &low) in rule.high.iter().zip(&rule.low) {
                sat.add_clause(&[!high, !low]);
                sat.prefer(!high);
                sat.prefer(!low);
            }
        }
        Encoding { sat, sees, sets, outputs, rules, otherwise, goes: FxHashMap::default() }
    }

    /// The literals of where a state leads when something is seen: at least the right one is true.
    fn goes(&mut self, state: usize, seen: &Letter) -> Vec<Lit> {
        if let Some(known) = self.goes.get(&(state, seen.clone())) {
            return known.clone();
        }
        let count = self.outputs.len();
        let targets: Vec<Lit> = (0..count).map(|_| self.sat.new_var()).collect();
        let mut earlier: Vec<Lit> = Vec::new();
        for rule in &self.rules[state] {
            let fits = self.sat.new_var();
            let mut all = vec![fits];
            for (place, atom) in self.sees.iter().enumerate() {
                let against = if seen.holds(*atom) { rule.low[place] } else { rule.high[place] };
                self.sat.add_clause(&[!fits, !against]);
                all.push(against);
            }
            self.sat.add_clause(&all);
            for (&chosen, &target) in rule.targets.iter().zip(&targets) {
                let mut clause = earlier.clone();
                clause.extend([!fits, !chosen, target]);
                self.sat.add_clause(&clause);
            }
            earlier.push(fits);
        }
        for (&chosen, &target) in self.otherwise[state].iter().zip(&targets) {
            let mut clause = earlier.clone();
            clause.extend([!chosen, target]);
            self.sat.add_clause(&clause);
        }
        self.goes.insert((state, seen.clone()), targets.clone());
        targets
    }

    /// Somewhere in the runs of a lesson the machine sets something else. As many rounds of the cycle as there are states
    /// are enough: then a state has met a step of the cycle before.
    fn learn(&mut self, lesson: &Lesson) {
        let count = self.outputs.len();
        let cycle = lesson.steps.len() - lesson.back;
        let last = lesson.back + count * cycle;
        let mut here: Vec<Lit> = (0..count).map(|_| self.sat.new_var()).collect();
        self.sat.add_clause(&[here[0]]);
        let mut escapes = Vec::new();
        for number in 0..last {
            let place = if number < lesson.back { number } else { lesson.back + (number - lesson.back) % cycle };
            let (seen, needed) = &lesson.steps[place];
            if !needed.is_empty() {
                let escape = self.sat.new_var();
                for (state, &at) in here.iter().enumerate() {
                    let mut clause = vec![!escape, !at];
                    for &(atom, value) in needed {
                        let place = self.sets.iter().position(|other| *other == atom);
                        let output = self.outputs[state][place.expect("a lesson is about what is set")];
                        clause.push(if value { !output } else { output });
                    }
                    self.sat.add_clause(&clause);
                }
                escapes.push(escape);
            }
            let next: Vec<Lit> = (0..count).map(|_| self.sat.new_var()).collect();
            for (state, &at) in here.iter().enumerate() {
                for (&target, &there) in self.goes(state, seen).iter().zip(&next) {
                    self.sat.add_clause(&[!at, !target, there]);
                }
            }
            here = next;
        }
        self.sat.add_clause(&escapes);
    }

    /// What the model of the solver says of every state.
    fn shape(&mut self) -> Vec<Shape> {
        let mut shapes = Vec::new();
        for state in 0..self.outputs.len() {
            let values: Vec<bool> = self.outputs[state].iter().map(|literal| self.sat.value(*literal)).collect();
            let mut rules = Vec::new();
            for rule in &self.rules[state] {
                let mut literals = Vec::new();
                for place in 0..self.sees.len() {
                    for (literal, value) in [(rule.high[place], true), (rule.low[place], false)] {
                        if self.sat.value(literal) {
                            literals.push((place as u32, value));
                        }
                    }
                }
                let target = rule.targets.iter().position(|literal| self.sat.value(*literal)).unwrap_or(0);
                rules.push((literals, target));
            }
            let otherwise = self.otherwise[state].iter().position(|literal| self.sat.value(*literal)).unwrap_or(0);
            shapes.push(Shape { sets: self.sets.iter().copied().zip(values).collect(), rules, otherwise });
        }
        shapes
    }
}

/// A state of a machine: what it sets, and where its rules lead, the first that fits.
#[derive(Clone)]
struct Shape {
    sets: Vec<(AtomId, bool)>,
    rules: Vec<(Vec<(u32, bool)>, usize)>,
    otherwise: usize,
}

impl Inductive {
    fn machine(&self, shapes: &[Shape]) -> Machine {
        let mut bdds = Bdds::new(1_000_000, None);
        let mut states = Vec::new();
        for shape in shapes {
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
                for cube in bdds.cubes(letters, usize::MAX).unwrap_or_default() {
                    let guard = cube.iter().map(|&(place, value)| (self.sees[place as usize], value)).collect();
                    moves.push(Move { guard, sets: shape.sets.clone(), target });
                }
            }
            states.push(State { moves });
        }
        let machine = Machine { kind: Target::Moore, reads: self.sees.clone(), sets: self.sets.clone(), states };
        quotient(&machine)
    }

    /// The machine without what its rules need not look at.
    fn plain(&mut self, formulas: &mut Formulas, mut shapes: Vec<Shape>, limits: Limits) -> Machine {
        for state in 0..shapes.len() {
            for rule in 0..shapes[state].rules.len() {
                for place in (0..shapes[state].rules[rule].0.len()).rev() {
                    let mut fewer = shapes.clone();
                    fewer[state].rules[rule].0.remove(place);
                    let machine = self.machine(&fewer);
                    let judged = self.judge(formulas, &machine, limits);
                    if judged == Judgement::Satisfied {
                        shapes = fewer;
                    }
                }
            }
        }
        self.machine(&shapes)
    }
}

fn exactly_one(sat: &mut Sat, literals: &[Lit]) {
    sat.add_clause(literals);
    for (place, &left) in literals.iter().enumerate() {
        for &right in &literals[..place] {
            sat.add_clause(&[!left, !right]);
        }
    }
}
