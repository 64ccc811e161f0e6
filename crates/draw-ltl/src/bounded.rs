//! Bounded synthesis with SAT: is there a Moore machine of `n` states that reads only what it may see?
//!
//! The machine's runs must avoid the accepting cycles of an automaton. Every pair of a machine state and an automaton
//! state that can meet is marked, and within cyclic parts of the automaton a rank grows with every accepting state, so
//! no run meets accepting states for ever. Signals that the machine does not see never enter its moves.

use ltl::{Machine, Move, State, Target};
use omega::automaton::{Buchi, Limits, translate};
use omega::bdd::{Bdd, Bdds};
use omega::{AtomId, Formula, Formulas};
use rustc_hash::FxHashMap;
use smt_sat::sat::{Lit, Outcome, Sat};

use super::effort;
use super::sat_budget::SatBudget;

/// What bounded synthesis found.
pub(crate) enum Found {
    Machine(Machine),
    /// No machine has so few states.
    None,
    /// The budget ran out, or ranks were cut short.
    Unknown,
}

/// For every state of a machine and every class of letters the states that it may go to.
type Paths = Vec<Vec<Vec<usize>>>;

/// A search for machines of growing size.
pub(crate) struct Bounded {
    automaton: Buchi,
    reads: Vec<AtomId>,
    sets: Vec<AtomId>,
    /// Classes of letters that no edge tells apart: the letters, and for each guard what is left of it.
    classes: Vec<(Bdd, Vec<Bdd>)>,
    guards: Vec<Bdd>,
    component: Vec<usize>,
    accepting: Vec<bool>,
}

impl Bounded {
    /// A search for machines all of whose runs satisfy a formula; none if its automaton is too large.
    pub(crate) fn new(
        formulas: &mut Formulas,
        formula: Formula,
        reads: &[AtomId],
        sets: &[AtomId],
        limits: Limits,
    ) -> Option<Bounded> {
        let negated = formulas.not(formula);
        let limits = Limits { states: effort::BOUNDED_STATES.size(), ..limits };
        let mut automaton = translate(formulas, negated, limits)?.degeneralise()?;
        let place = |atom: &AtomId| automaton.atoms.iter().position(|other| other == atom);
        let hidden: Vec<(u32, bool)> = (0..automaton.atoms.len())
            .filter(|place| !reads.contains(&automaton.atoms[*place]) && !sets.contains(&automaton.atoms[*place]))
            .map(|place| (place as u32, true))
            .collect();
        let visible: Vec<u32> = reads.iter().filter_map(place).map(|place| place as u32).collect();
        let hidden = automaton.bdds.cube(&hidden);
        let mut guards: Vec<Bdd> = Vec::new();
        for row in &mut automaton.edges {
            for edge in row {
                edge.0 = automaton.bdds.exists(edge.0, hidden);
                if !guards.contains(&edge.0) {
                    guards.push(edge.0);
                }
            }
        }
        let mut classes: Vec<(Bdd, Vec<Bdd>)> = vec![(Bdd::TRUE, Vec::new())];
        for &guard in &guards {
            let parts = split(&mut automaton.bdds, guard, &visible);
            let mut refined = Vec::new();
            for (letters, rests) in classes {
                for &(region, rest) in &parts {
                    let both = automaton.bdds.and(letters, region);
                    if both != Bdd::FALSE {
                        let mut longer = rests.clone();
                        longer.push(rest);
                        refined.push((both, longer));
                    }
                }
            }
            classes = refined;
            if effort::BOUNDED_CLASSES.size() < classes.len() || automaton.bdds.is_exhausted() {
                return None;
            }
        }
        automaton.bdds.sound(())?;
        // From here on diagrams only describe what SAT has found: that ends by itself.
        automaton.bdds.allow_until(None);
        let (component, accepting) = automaton.components();
        let (reads, sets) = (reads.to_vec(), sets.to_vec());
        Some(Bounded { automaton, reads, sets, classes, guards, component, accepting })
    }

    /// A machine of `count` states that is inside none of the excluded ones.
    pub(crate) fn solve(&mut self, count: usize, excluded: &[Machine], budget: &SatBudget) -> Found {
        let paths: Vec<Paths> = excluded.iter().map(|machine| self.paths(machine)).collect();
        if self.automaton.bdds.is_exhausted() {
            return Found::Unknown;
        }
        let mut encoding = Encoding::new(self, count);
        encoding.moves();
        encoding.ranks();
        for (machine, paths) in excluded.iter().zip(&paths) {
            encoding.exclude(machine, paths);
        }
        let outcome = budget.solve(&mut encoding.sat);
        match outcome {
            Outcome::Sat => {
                let (targets, values) = encoding.read();
                self.machine(&targets, &values).map_or(Found::Unknown, Found::Machine)
            }
            Outcome::Unsat if encoding.cut => Found::Unknown,
            Outcome::Unsat => Found::None,
            Outcome::Unknown(_) => Found::Unknown,
        }
    }

    /// For every state of a machine and every class of letters the states that it may go to.
    fn paths(&mut self, machine: &Machine) -> Paths {
        let mut found = Vec::new();
        for state in &machine.states {
            let mut row: Vec<Vec<usize>> = vec![Vec::new(); self.classes.len()];
            for taken in &state.moves {
                // What no guard of the automaton mentions is the same in all letters of a class.
                let literals: Vec<(u32, bool)> = taken
                    .guard
                    .iter()
                    .filter_map(|(atom, value)| {
                        let place = self.automaton.atoms.iter().position(|other| other == atom)?;
                        Some((place as u32, *value))
                    })
                    .collect();
                let cube = self.automaton.bdds.cube(&literals);
                for (class, targets) in self.classes.iter().zip(&mut row) {
                    let both = self.automaton.bdds.and(class.0, cube);
                    if both != Bdd::FALSE && !targets.contains(&taken.target) {
                        targets.push(taken.target);
                    }
                }
            }
            found.push(row);
        }
        found
    }

    /// The machine that goes and sets as is said; none if the budget of diagrams is used up.
    fn machine(&mut self, targets: &[Vec<usize>], values: &[Vec<bool>]) -> Option<Machine> {
        let mut states = Vec::new();
        for (state, row) in targets.iter().enumerate() {
            let sets: Vec<(AtomId, bool)> = self.sets.iter().copied().zip(values[state].iter().copied()).collect();
            let mut moves = Vec::new();
            for target in 0..targets.len() {
                let mut letters = Bdd::FALSE;
                for (class, _) in row.iter().enumerate().filter(|(_, next)| **next == target) {
                    letters = self.automaton.bdds.or(letters, self.classes[class].0);
                }
                for cube in self.automaton.bdds.cubes(letters, usize::MAX)? {
                    let guard =
                        cube.iter().map(|&(place, value)| (self.automaton.atoms[place as usize], value)).collect();
                    moves.push(Move { guard, sets: sets.clone(), target });
                }
            }
            states.push(State { moves });
        }
        Some(Machine { kind: Target::Moore, reads: self.reads.clone(), sets: self.sets.clone(), states })
    }
}

/// Splits a function by the variables that can be seen: regions of them, and what is left of the function in each.
fn split(bdds: &mut Bdds, function: Bdd, visible: &[u32]) -> Vec<(Bdd, Bdd)> {
    if function.is_constant() {
        return vec![(Bdd::TRUE, function)];
    }
    let variable = bdds.top(function);
    let (low, high) = bdds.branches(function);
    let (low, high) = (split(bdds, low, visible), split(bdds, high, visible));
    let mut found: Vec<(Bdd, Bdd)> = Vec::new();
    let mut add = |bdds: &mut Bdds, region: Bdd, rest: Bdd| match found.iter_mut().find(|(_, other)| *other == rest) {
        Some(entry) => entry.0 = bdds.or(entry.0, region),
        None => found.push((region, rest)),
    };
    if visible.contains(&variable) {
        for (parts, value) in [(low, false), (high, true)] {
            let literal = bdds.literal(variable, value);
            for (region, rest) in parts {
                let region = bdds.and(region, literal);
                add(bdds, region, rest);
            }
        }
    } else {
        let test = bdds.variable(variable);
        for &(low_region, low_rest) in &low {
            for &(high_region, high_rest) in &high {
                let region = bdds.and(low_region, high_region);
                if region != Bdd::FALSE {
                    let rest = bdds.choose(test, high_rest, low_rest);
                    add(bdds, region, rest);
                }
            }
        }
    }
    found
}

struct Encoding<'a> {
    search: &'a Bounded,
    sat: Sat,
    count: usize,
    /// What each state sets.
    outputs: Vec<Vec<Lit>>,
    /// Where each state goes for each class of letters.
    next: Vec<Vec<Vec<Lit>>>,
    /// Which automaton states meet which machine states.
    meets: Vec<Vec<Lit>>,
    /// Per machine state and function of its outputs: true if the function is.
    tests: FxHashMap<(usize, Bdd), Lit>,
    /// Moves of pairs inside cyclic parts: from state, automaton state, automaton state, to state.
    inside: FxHashMap<(usize, usize, usize, usize), Lit>,
    order: Vec<(usize, usize, usize, usize)>,
    cut: bool,
}

impl<'a> Encoding<'a> {
    fn new(search: &'a Bounded, count: usize) -> Encoding<'a> {
        let mut sat = Sat::new();
        let mut row = |width: usize| -> Vec<Lit> { (0..width).map(|_| sat.new_var()).collect() };
        let outputs: Vec<Vec<Lit>> = (0..count).map(|_| row(search.sets.len())).collect();
        let next: Vec<Vec<Vec<Lit>>> =
            (0..count).map(|_| (0..search.classes.len()).map(|_| row(count)).collect()).collect();
        let meets: Vec<Vec<Lit>> = (0..count).map(|_| row(search.automaton.edges.len())).collect();
        for targets in next.iter().flatten() {
            sat.add_clause(targets);
            for (place, &left) in targets.iter().enumerate() {
                for &right in &targets[..place] {
                    sat.add_clause(&[!left, !right]);
                }
            }
        }
        sat.add_clause(&[meets[0][0]]);
        // States are numbered in the order in which state 0 goes to them.
        for class in 0..search.classes.len() {
            for target in 2..count {
                let mut clause = vec![!next[0][class][target]];
                clause.extend((0..class).map(|earlier| next[0][earlier][target - 1]));
                sat.add_clause(&clause);
            }
        }
        Encoding {
            search,
            sat,
            count,
            outputs,
            next,
            meets,
            tests: FxHashMap::default(),
            inside: FxHashMap::default(),
            order: Vec::new(),
            cut: false,
        }
    }

    /// A literal that is true if a function of a state's outputs is; none if the function is never true.
    fn test(&mut self, state: usize, function: Bdd) -> Option<Option<Lit>> {
        if function == Bdd::FALSE {
            return None;
        }
        if function == Bdd::TRUE {
            return Some(None);
        }
        if let Some(&known) = self.tests.get(&(state, function)) {
            return Some(Some(known));
        }
        let (low, high) = self.search.automaton.bdds.branches(function);
        let atom = self.search.automaton.atoms[self.search.automaton.bdds.top(function) as usize];
        let place = self.search.sets.iter().position(|other| *other == atom).expect("only outputs are left");
        let output = self.outputs[state][place];
        let own = self.sat.new_var();
        for (branch, literal) in [(low, output), (high, !output)] {
            if let Some(inner) = self.test(state, branch) {
                let mut clause = vec![literal, own];
                clause.extend(inner.map(|inner| !inner));
                self.sat.add_clause(&clause);
            }
        }
        self.tests.insert((state, function), own);
        Some(Some(own))
    }

    fn moves(&mut self) {
        let search = self.search;
        let place: FxHashMap<Bdd, usize> =
            search.guards.iter().enumerate().map(|(place, guard)| (*guard, place)).collect();
        for state in 0..self.count {
            for (class, (_, rests)) in search.classes.iter().enumerate() {
                for (from, edges) in search.automaton.edges.iter().enumerate() {
                    for &(guard, to) in edges {
                        let Some(test) = self.test(state, rests[place[&guard]]) else { continue };
                        for target in 0..self.count {
                            let mut clause = vec![!self.meets[state][from], !self.next[state][class][target]];
                            clause.extend(test.map(|test| !test));
                            clause.push(self.meets[target][to]);
                            self.sat.add_clause(&clause);
                            if let Some(inside) = self.inside_move(state, from, to, target) {
                                clause.pop();
                                clause.push(inside);
                                self.sat.add_clause(&clause);
                            }
                        }
                    }
                }
            }
        }
    }

    /// The literal of a move inside a cyclic part that holds accepting states.
    fn inside_move(&mut self, state: usize, from: usize, to: usize, target: usize) -> Option<Lit> {
        let component = self.search.component[from];
        if component != self.search.component[to] || !self.search.accepting[component] {
            return None;
        }
        let key = (state, from, to, target);
        if let Some(&known) = self.inside.get(&key) {
            return Some(known);
        }
        let fresh = self.sat.new_var();
        self.inside.insert(key, fresh);
        self.order.push(key);
        Some(fresh)
    }

    /// Ranks never fall along moves, and grow into accepting states; they are at most the number of accepting pairs.
    fn ranks(&mut self) {
        let search = self.search;
        let mut ranks: FxHashMap<(usize, usize), Vec<Lit>> = FxHashMap::default();
        let mut sizes: FxHashMap<usize, usize> = FxHashMap::default();
        for (state, &accepting) in search.automaton.accepting.iter().enumerate() {
            if accepting {
                *sizes.entry(search.component[state]).or_default() += self.count;
            }
        }
        for key in self.order.clone() {
            let (state, from, to, target) = key;
            let wanted = sizes.get(&search.component[from]).copied().unwrap_or(0);
            let size = wanted.min(effort::BOUNDED_RANK.size());
            self.cut |= size < wanted;
            for pair in [(state, from), (target, to)] {
                let sat = &mut self.sat;
                ranks.entry(pair).or_insert_with(|| {
                    let row: Vec<Lit> = (0..size).map(|_| sat.new_var()).collect();
                    for window in row.windows(2) {
                        sat.add_clause(&[!window[1], window[0]]);
                    }
                    row
                });
            }
            let (before, after) = (&ranks[&(state, from)], &ranks[&(target, to)]);
            let taken = self.inside[&key];
            if search.automaton.accepting[to] {
                self.sat.add_clause(&[!taken, after[0]]);
                for (rank, &low) in before.iter().enumerate() {
                    let mut clause = vec![!taken, !low];
                    clause.extend(after.get(rank + 1));
                    self.sat.add_clause(&clause);
                }
            } else {
                for (&low, &high) in before.iter().zip(after) {
                    self.sat.add_clause(&[!taken, !low, high]);
                }
            }
        }
    }

    /// Some run of the machine sets what another machine does not allow: the run is guessed, letter by letter, at most as
    /// long as there are pairs of states.
    fn exclude(&mut self, machine: &Machine, paths: &[Vec<Vec<usize>>]) {
        let steps = self.count * machine.states.len();
        let mut own: Vec<Lit> = (0..self.count).map(|_| self.sat.new_var()).collect();
        let mut theirs: Vec<Lit> = machine.states.iter().map(|_| self.sat.new_var()).collect();
        for (place, &here) in own.iter().chain(&theirs).enumerate() {
            let first = place == 0 || place == own.len();
            self.sat.add_clause(&[if first { here } else { !here }]);
        }
        let mut ends = Vec::new();
        for _ in 0..steps {
            let end = self.sat.new_var();
            for (state, &here) in own.iter().enumerate() {
                for (number, &there) in theirs.iter().enumerate() {
                    let mut clause = vec![!end, !here, !there];
                    for &(atom, value) in machine.sets_in(number) {
                        if let Some(place) = self.search.sets.iter().position(|other| *other == atom) {
                            let output = self.outputs[state][place];
                            clause.push(if value { !output } else { output });
                        }
                    }
                    self.sat.add_clause(&clause);
                }
            }
            ends.push(end);
            (own, theirs) = self.step_of_run(&own, &theirs, paths);
        }
        self.sat.add_clause(&ends);
    }

    /// One letter of a guessed run, and where both machines are then.
    fn step_of_run(&mut self, own: &[Lit], theirs: &[Lit], paths: &[Vec<Vec<usize>>]) -> (Vec<Lit>, Vec<Lit>) {
        let classes: Vec<Lit> = self.search.classes.iter().map(|_| self.sat.new_var()).collect();
        self.sat.add_clause(&classes);
        for (place, &left) in classes.iter().enumerate() {
            for &right in &classes[..place] {
                self.sat.add_clause(&[!left, !right]);
            }
        }
        let next_own: Vec<Lit> = own.iter().map(|_| self.sat.new_var()).collect();
        let next_theirs: Vec<Lit> = theirs.iter().map(|_| self.sat.new_var()).collect();
        for row in [&next_own, &next_theirs] {
            for (place, &left) in row.iter().enumerate() {
                for &right in &row[..place] {
                    self.sat.add_clause(&[!left, !right]);
                }
            }
        }
        for (class, &read) in classes.iter().enumerate() {
            for (state, &here) in own.iter().enumerate() {
                for (target, &there) in next_own.iter().enumerate() {
                    let taken = self.next[state][class][target];
                    self.sat.add_clause(&[!read, !here, !taken, there]);
                }
            }
            for (state, &here) in theirs.iter().enumerate() {
                let mut clause = vec![!read, !here];
                clause.extend(paths[state][class].iter().map(|target| next_theirs[*target]));
                self.sat.add_clause(&clause);
            }
        }
        (next_own, next_theirs)
    }

    fn read(&mut self) -> (Vec<Vec<usize>>, Vec<Vec<bool>>) {
        let sat = &mut self.sat;
        let mut values = |row: &Vec<Lit>| -> Vec<bool> { row.iter().map(|literal| sat.value(*literal)).collect() };
        let mut targets: Vec<Vec<usize>> = Vec::new();
        for classes in &self.next {
            let target = |row: &Vec<Lit>| values(row).iter().position(|value| *value).unwrap_or(0);
            targets.push(classes.iter().map(target).collect());
        }
        let outputs = self.outputs.iter().map(values).collect();
        (targets, outputs)
    }
}

#[cfg(test)]
mod tests {
    use ltl::{Judgement, parse_formula, verify};
    use source::Source;

    use super::*;

    /// A budget of diagrams may end at any operation, also when SAT has found a machine already: what is found then is a machine
    /// or nothing.
    #[test]
    fn a_budget_that_ends_anywhere_makes_no_wrong_machine() {
        let text = "G (a & !b & c -> X x) & G (b & !c -> X !x) & G (a & b & c -> X y) & G (!a & b & c -> X (x <-> y))";
        let mut found = 0;
        for nodes in (2..1_200).step_by(7) {
            let mut formulas = Formulas::new();
            let reads = ["a", "b", "c"].map(|name| formulas.atom_id(name));
            let sets = ["x", "y"].map(|name| formulas.atom_id(name));
            let formula = parse_formula(&Source::new("formula", text), &mut formulas).expect("well formed");
            let limits = Limits { nodes, ..Limits::default() };
            let Some(mut bounded) = Bounded::new(&mut formulas, formula, &reads, &sets, limits) else { continue };
            let budget = SatBudget { deadline: None, interrupt: smt::Interrupt::default() };
            let mut excluded = Vec::new();
            for _ in 0..3 {
                match bounded.solve(3, &excluded, &budget) {
                    Found::Machine(machine) => {
                        let json = machine.to_json(&formulas);
                        assert_eq!(Machine::from_json(&json, &mut formulas).as_ref(), Ok(&machine), "{nodes} nodes");
                        let judged = verify(&mut formulas, &machine, formula, Limits::default());
                        assert_eq!(judged, Judgement::Satisfied, "{nodes} nodes");
                        assert!(!excluded.iter().any(|other| machine.is_inside(other)), "{nodes} nodes");
                        excluded.push(machine);
                        found += 1;
                    }
                    Found::None => panic!("{nodes} nodes: there are many such machines"),
                    Found::Unknown => {}
                }
            }
        }
        assert!(0 < found, "some budgets are enough");
    }
}
