//! A machine from the winner's choices: the states that can be reached are walked one by one.

use ltl::{Machine, Move, State, Target, quotient_until};
use omega::AtomId;
use omega::bdd::Bdd;
use rustc_hash::FxHashMap;

use super::arena::Arena;
use super::effort;
use super::functional::determined;
use super::parity::Solution;

/// How many states a choice is tried with that lead back.
const MOST_KNOWN: usize = 24;

/// Machines with fewer moves are small enough.
const FEW_MOVES: usize = 200;

/// The winner's machine; none if it is too large. `reads` and `sets` are all its signals; those that do not matter are
/// set to false.
pub(crate) fn extract(arena: &mut Arena, solution: &Solution, reads: &[AtomId], sets: &[AtomId]) -> Option<Machine> {
    let moves = |machine: &Machine| machine.states.iter().map(|state| state.moves.len()).sum::<usize>();
    let walked = walked(arena, solution, reads, sets).map(|machine| quotient_until(&machine, arena.bdds.deadline()));
    if walked.as_ref().is_some_and(|machine| moves(machine) <= FEW_MOVES) || arena.bdds.is_late() {
        return walked;
    }
    // What depends on less of the past needs fewer states.
    let simple = determined(arena, solution).and_then(|solution| self::walked(arena, &solution, reads, sets));
    let simple = simple.map(|machine| quotient_until(&machine, arena.bdds.deadline()));
    [walked, simple].into_iter().flatten().min_by_key(moves)
}

/// The machine of some of the winner's choices, as they come.
pub(crate) fn walked(arena: &mut Arena, solution: &Solution, reads: &[AtomId], sets: &[AtomId]) -> Option<Machine> {
    let winner_second = solution.system_wins == arena.system_second;
    let kind = if winner_second { Target::Mealy } else { Target::Moore };
    let choices = if winner_second { solution.second } else { solution.first };
    let mut walk = Walk {
        arena,
        choices,
        numbers: FxHashMap::default(),
        futures: FxHashMap::default(),
        states: Vec::new(),
        ended: None,
    };
    let start = walk.arena.start.clone();
    walk.number(start);
    let mut machine = Machine { kind, reads: reads.to_vec(), sets: sets.to_vec(), states: Vec::new() };
    let mut moves = 0;
    while machine.states.len() < walk.states.len() {
        let place = walk.states[machine.states.len()].clone();
        let mut found = match place {
            None => vec![Move { guard: Vec::new(), sets: Vec::new(), target: machine.states.len() }],
            Some(place) if winner_second => walk.answer(&place, solution)?,
            Some(place) => walk.lead(&place, solution)?,
        };
        for taken in &mut found {
            complete(&mut taken.sets, sets);
        }
        moves += found.len();
        machine.states.push(State { moves: found });
        if effort::MACHINE_STATES.size() < walk.states.len()
            || effort::MACHINE_MOVES.size() < moves
            || walk.arena.bdds.is_late()
        {
            return None;
        }
    }
    Some(machine)
}

/// Signals without a value become false.
fn complete(literals: &mut Vec<(AtomId, bool)>, sets: &[AtomId]) {
    for atom in sets {
        if !literals.iter().any(|(other, _)| other == atom) {
            literals.push((*atom, false));
        }
    }
    literals.sort_unstable();
}

struct Walk<'a> {
    arena: &'a mut Arena,
    /// The winner's choices.
    choices: Bdd,
    numbers: FxHashMap<Vec<bool>, usize>,
    /// States by what can be chosen and what follows: those that differ in neither are one.
    futures: FxHashMap<Vec<Bdd>, usize>,
    /// The states by number; none for the one in which the game is over.
    states: Vec<Option<Vec<bool>>>,
    ended: Option<usize>,
}

impl Walk<'_> {
    fn number(&mut self, state: Vec<bool>) -> usize {
        if let Some(&number) = self.numbers.get(&state) {
            return number;
        }
        let here = self.arena.cube(&state);
        let mut future =
            vec![self.arena.bdds.cofactor(self.choices, here), self.arena.bdds.cofactor(self.arena.bad, here)];
        for bit in &self.arena.bits {
            future.push(self.arena.bdds.cofactor(self.arena.images[bit], here));
        }
        let next = self.states.len();
        let number = *self.futures.entry(future).or_insert(next);
        if number == next {
            self.states.push(Some(state.clone()));
        }
        self.numbers.insert(state, number);
        number
    }

    fn end(&mut self) -> usize {
        if let Some(number) = self.ended {
            return number;
        }
        self.states.push(None);
        self.ended = Some(self.states.len() - 1);
        self.states.len() - 1
    }

    /// For some states that are there already the steps from here that lead to them; the state itself first.
    fn known_targets(&mut self, here: Bdd, state: &[bool]) -> Vec<Bdd> {
        let images: Vec<Bdd> =
            self.arena.bits.iter().map(|bit| self.arena.bdds.cofactor(self.arena.images[bit], here)).collect();
        let earlier = self.states.iter().flatten().take(MOST_KNOWN).cloned();
        let targets: Vec<Vec<bool>> = std::iter::once(state.to_vec()).chain(earlier).collect();
        let mut found = Vec::new();
        for target in targets {
            let mut leads = Bdd::TRUE;
            for (&image, &value) in images.iter().zip(&target) {
                let same = if value { image } else { self.arena.bdds.not(image) };
                leads = self.arena.bdds.and(leads, same);
                if leads == Bdd::FALSE {
                    break;
                }
            }
            if leads != Bdd::FALSE {
                found.push(leads);
            }
        }
        found
    }

    /// The choices that lead to a known state, if there are any.
    fn prefer(&mut self, choices: Bdd, known: &[Bdd]) -> Bdd {
        for &leads in known {
            let kept = self.arena.bdds.and(choices, leads);
            if kept != Bdd::FALSE {
                return kept;
            }
        }
        choices
    }

    /// The choices of the first player after which every answer leads to a known state, if there are any.
    fn prefer_all(&mut self, choices: Bdd, known: &[Bdd]) -> Bdd {
        for &leads in known {
            let always = self.arena.bdds.forall(leads, self.arena.second_cube);
            let kept = self.arena.bdds.and(choices, always);
            if kept != Bdd::FALSE {
                return kept;
            }
        }
        choices
    }

    /// The moves of a winner who chooses second: for every letter read a choice, as few different ones as come easily.
    fn answer(&mut self, state: &[bool], solution: &Solution) -> Option<Vec<Move>> {
        let here = self.arena.cube(state);
        let choices = self.arena.bdds.cofactor(solution.second, here);
        let mut open = self.arena.bdds.exists(choices, self.arena.second_cube);
        let mut moves = Vec::new();
        let known = self.known_targets(here, state);
        while open != Bdd::FALSE {
            let possible = self.arena.bdds.and(choices, open);
            let possible = self.prefer(possible, &known);
            let literals = self.arena.bdds.some_cube(possible)?;
            let value =
                |variable: u32| literals.iter().find(|(other, _)| *other == variable).is_some_and(|(_, value)| *value);
            let chosen: Vec<(AtomId, u32, bool)> =
                self.arena.second.iter().map(|&(atom, variable)| (atom, variable, value(variable))).collect();
            let fixed: Vec<(u32, bool)> = chosen.iter().map(|&(_, variable, value)| (variable, value)).collect();
            let fixed = self.arena.bdds.cube(&fixed);
            let same = self.arena.bdds.cofactor(choices, fixed);
            let same = self.arena.bdds.and(same, open);
            let sets: Vec<(AtomId, bool)> = chosen.iter().map(|&(atom, _, value)| (atom, value)).collect();
            let context = self.arena.bdds.and(here, fixed);
            self.successors(context, same, &sets, true, !solution.system_wins, &mut moves)?;
            open = self.arena.bdds.minus(open, same);
        }
        Some(moves)
    }

    /// The moves of a winner who chooses first: one choice, then all letters read.
    fn lead(&mut self, state: &[bool], solution: &Solution) -> Option<Vec<Move>> {
        let here = self.arena.cube(state);
        let choices = self.arena.bdds.cofactor(solution.first, here);
        let known = self.known_targets(here, state);
        let choices = self.prefer_all(choices, &known);
        let literals = self.arena.bdds.some_cube(choices)?;
        let value =
            |variable: u32| literals.iter().find(|(other, _)| *other == variable).is_some_and(|(_, value)| *value);
        let chosen: Vec<(AtomId, u32, bool)> =
            self.arena.first.iter().map(|&(atom, variable)| (atom, variable, value(variable))).collect();
        let fixed: Vec<(u32, bool)> = chosen.iter().map(|&(_, variable, value)| (variable, value)).collect();
        let fixed = self.arena.bdds.cube(&fixed);
        let sets: Vec<(AtomId, bool)> = chosen.iter().map(|&(atom, _, value)| (atom, value)).collect();
        let context = self.arena.bdds.and(here, fixed);
        let mut moves = Vec::new();
        self.successors(context, Bdd::TRUE, &sets, false, !solution.system_wins, &mut moves)?;
        Some(moves)
    }

    /// Splits letters by the state they lead to, and adds a move for every cube of each part.
    fn successors(
        &mut self,
        context: Bdd,
        letters: Bdd,
        sets: &[(AtomId, bool)],
        reads_first: bool,
        environment: bool,
        moves: &mut Vec<Move>,
    ) -> Option<()> {
        let mut parts: Vec<(Bdd, Option<Vec<bool>>)> = vec![(letters, Some(Vec::new()))];
        if environment {
            // After a bad step the game is over.
            let over = self.arena.bdds.cofactor(self.arena.bad, context);
            let over = self.arena.bdds.and(letters, over);
            let rest = self.arena.bdds.minus(letters, over);
            parts = vec![(over, None), (rest, Some(Vec::new()))];
        }
        for bit in 0..self.arena.bits.len() {
            let image = self.arena.images[&self.arena.bits[bit]];
            let image = self.arena.bdds.cofactor(image, context);
            let mut refined = Vec::new();
            for (letters, code) in parts {
                let Some(code) = code else {
                    refined.push((letters, None));
                    continue;
                };
                for (value, part) in [(true, image), (false, self.arena.bdds.not(image))] {
                    let part = self.arena.bdds.and(letters, part);
                    if part != Bdd::FALSE {
                        let mut longer = code.clone();
                        longer.push(value);
                        refined.push((part, Some(longer)));
                    }
                }
            }
            parts = refined;
            if effort::MACHINE_MOVES.size() < parts.len() {
                return None;
            }
        }
        let signals = if reads_first { self.arena.first.clone() } else { self.arena.second.clone() };
        for (letters, code) in parts {
            if letters == Bdd::FALSE {
                continue;
            }
            let target = match code {
                Some(code) => self.number(code),
                None => self.end(),
            };
            for cube in self.arena.bdds.cubes(letters, effort::MACHINE_MOVES.size())? {
                let atom = |variable: u32| signals.iter().find(|(_, other)| *other == variable).map(|(atom, _)| *atom);
                let guard: Option<Vec<(AtomId, bool)>> =
                    cube.iter().map(|&(variable, value)| Some((atom(variable)?, value))).collect();
                moves.push(Move { guard: guard?, sets: sets.to_vec(), target });
            }
            if effort::MACHINE_MOVES.size() < moves.len() {
                return None;
            }
        }
        Some(())
    }
}
