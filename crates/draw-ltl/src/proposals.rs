//! Small machines as the models of a SAT problem: what each state sets, and where its rules lead; every lesson is a
//! constraint on them.

use ltl::Letter;
use omega::AtomId;
use rustc_hash::FxHashMap;
use smt_sat::sat::{Lit, Sat};

/// What machines may look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// A state sets constants and has as many rules as there are other states.
    Plain,
    /// A sequence, round and round, in which a state may set an input to what it saw of an output in the step before. Few
    /// such states stand for many, one for each thing to repeat.
    Echoing,
    /// The same, and a state has one rule that says when to wait.
    Waiting,
}

/// Runs in which a system hides the fault: what it shows in every step, and what must be set for that.
pub(super) struct Lesson {
    pub(super) steps: Vec<(Letter, Vec<(AtomId, bool)>)>,
    /// The step that follows the last one.
    pub(super) back: usize,
}

/// A state of a machine: what it sets, and where its rules lead, the first that fits.
#[derive(Clone)]
pub(super) struct Shape {
    pub(super) sets: Vec<(AtomId, bool)>,
    /// What is set to what was seen in the step before.
    pub(super) echoes: Vec<(AtomId, AtomId)>,
    pub(super) rules: Vec<(Vec<(u32, bool)>, usize)>,
    pub(super) otherwise: usize,
}

/// A rule of a state: what must be seen, as two literals for each signal, and where it leads.
struct Rule {
    high: Vec<Lit>,
    low: Vec<Lit>,
    targets: Vec<Lit>,
}

/// Machines of some size: those that are left once some lessons were learnt.
pub(super) struct Proposals {
    pub(super) sat: Sat,
    sees: Vec<AtomId>,
    sets: Vec<AtomId>,
    outputs: Vec<Vec<Lit>>,
    /// For every state and what it sets, which signal of the step before it repeats, if any.
    echoes: Vec<Vec<Vec<(AtomId, Lit)>>>,
    /// For a state, what it sets, and what was seen in the step before: the value.
    values: FxHashMap<(usize, usize, Letter), Lit>,
    rules: Vec<Vec<Rule>>,
    /// Where each state leads when no rule fits.
    otherwise: Vec<Vec<Lit>>,
    /// For a state and what is seen: where that leads.
    goes: FxHashMap<(usize, Letter), Vec<Lit>>,
}

impl Proposals {
    pub(super) fn new(
        count: usize,
        style: Style,
        sees: Vec<AtomId>,
        sets: Vec<AtomId>,
        pairs: &[(AtomId, AtomId)],
    ) -> Proposals {
        let mut sat = Sat::new();
        let mut row = |width: usize| -> Vec<Lit> { (0..width).map(|_| sat.new_var()).collect() };
        let outputs = (0..count).map(|_| row(sets.len())).collect();
        let otherwise: Vec<Vec<Lit>> = (0..count).map(|_| row(count)).collect();
        let mut rules: Vec<Vec<Rule>> = Vec::new();
        for _ in 0..count {
            let mut rule = || Rule { high: row(sees.len()), low: row(sees.len()), targets: row(count) };
            let most = match style {
                Style::Plain => count - 1,
                Style::Echoing => 0,
                Style::Waiting => 1,
            };
            rules.push((0..most).map(|_| rule()).collect());
        }
        let pairs = if style == Style::Plain { &[] } else { pairs };
        let mut echoes: Vec<Vec<Vec<(AtomId, Lit)>>> = Vec::new();
        for _ in 0..count {
            let choices = sets.iter().map(|atom| {
                let seen = pairs.iter().filter(|(own, _)| own == atom);
                seen.map(|(_, seen)| (*seen, row(1)[0])).collect()
            });
            echoes.push(choices.collect());
        }
        for choices in echoes.iter().flatten() {
            let choices: Vec<Lit> = choices.iter().map(|(_, choice)| *choice).collect();
            at_most_one(&mut sat, &choices);
        }
        for targets in rules.iter().flatten().map(|rule| &rule.targets).chain(&otherwise) {
            exactly_one(&mut sat, targets);
        }
        if style != Style::Plain {
            for (next, (targets, rules)) in (1..count).zip(otherwise.iter().zip(&rules)) {
                sat.add_clause(&[targets[next]]);
                for rule in rules {
                    sat.add_clause(&[rule.targets[next - 1], rule.targets[next]]);
                }
            }
        }
        for rule in rules.iter().flatten() {
            for (&high, &low) in rule.high.iter().zip(&rule.low) {
                sat.add_clause(&[!high, !low]);
                sat.prefer(!high);
                sat.prefer(!low);
            }
        }
        let (goes, values) = (FxHashMap::default(), FxHashMap::default());
        Proposals { sat, sees, sets, outputs, echoes, values, rules, otherwise, goes }
    }

    /// The literal of what a state sets, given what was seen in the step before.
    fn value(&mut self, state: usize, place: usize, before: &Letter) -> Lit {
        let choices = &self.echoes[state][place];
        if choices.is_empty() {
            return self.outputs[state][place];
        }
        let key = (state, place, before.clone());
        if let Some(&known) = self.values.get(&key) {
            return known;
        }
        let (value, own) = (self.sat.new_var(), self.outputs[state][place]);
        let mut none = Vec::new();
        for &(atom, choice) in choices {
            self.sat.add_clause(&[!choice, if before.holds(atom) { value } else { !value }]);
            none.push(choice);
        }
        none.push(!own);
        none.push(value);
        self.sat.add_clause(&none);
        let end = none.len();
        none[end - 2] = own;
        none[end - 1] = !value;
        self.sat.add_clause(&none);
        self.values.insert(key, value);
        value
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
    /// are enough, and one more for what is remembered: then a state has met a step of the cycle before.
    pub(super) fn learn(&mut self, lesson: &Lesson) {
        let count = self.outputs.len();
        let cycle = lesson.steps.len() - lesson.back;
        let rounds = if self.echoes.iter().flatten().all(Vec::is_empty) { count } else { count + 1 };
        let place = |number: usize| match number.checked_sub(lesson.back) {
            Some(round) => lesson.back + round % cycle,
            None => number,
        };
        let last = (0..lesson.back + rounds * cycle).rfind(|number| !lesson.steps[place(*number)].1.is_empty());
        let last = last.map_or(0, |last| last + 1);
        let mut before = Letter::default();
        let mut here: Vec<Lit> = (0..count).map(|_| self.sat.new_var()).collect();
        self.sat.add_clause(&[here[0]]);
        let mut escapes = Vec::new();
        for number in 0..last {
            let (seen, needed) = &lesson.steps[place(number)];
            if !needed.is_empty() {
                let escape = self.sat.new_var();
                for (state, &at) in here.iter().enumerate() {
                    let mut clause = vec![!escape, !at];
                    for &(atom, value) in needed {
                        let place = self.sets.iter().position(|other| *other == atom);
                        let output = self.value(state, place.expect("a lesson is about what is set"), &before);
                        clause.push(if value { !output } else { output });
                    }
                    self.sat.add_clause(&clause);
                }
                escapes.push(escape);
            }
            if number + 1 == last {
                break;
            }
            let next: Vec<Lit> = (0..count).map(|_| self.sat.new_var()).collect();
            for (state, &at) in here.iter().enumerate() {
                for (&target, &there) in self.goes(state, seen).iter().zip(&next) {
                    self.sat.add_clause(&[!at, !target, there]);
                }
            }
            here = next;
            before = seen.clone();
        }
        self.sat.add_clause(&escapes);
    }

    /// What the model of the solver says of every state.
    pub(super) fn shape(&mut self) -> Vec<Shape> {
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
            let mut echoes = Vec::new();
            for (&atom, choices) in self.sets.iter().zip(&self.echoes[state]) {
                let chosen = choices.iter().find(|(_, literal)| self.sat.value(*literal));
                echoes.extend(chosen.map(|(seen, _)| (atom, *seen)));
            }
            shapes.push(Shape { sets: self.sets.iter().copied().zip(values).collect(), echoes, rules, otherwise });
        }
        shapes
    }
}

fn exactly_one(sat: &mut Sat, literals: &[Lit]) {
    sat.add_clause(literals);
    at_most_one(sat, literals);
}

fn at_most_one(sat: &mut Sat, literals: &[Lit]) {
    for (place, &left) in literals.iter().enumerate() {
        for &right in &literals[..place] {
            sat.add_clause(&[!left, !right]);
        }
    }
}
