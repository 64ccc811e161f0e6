//! Smaller machines: states that differ in no future are one, and states are merged where the judge allows it.

use rustc_hash::FxHashMap;

use crate::machine::{Machine, Move, State};
use crate::verify::{Judgement, Verifier};
use omega::automaton::Limits;
use omega::bdd::{Bdd, Bdds};
use omega::work::{self, Deadline};
use omega::{AtomId, Formula, Formulas};

/// The largest machine whose states are merged on trial.
const LARGEST: usize = 200;

/// The letters of each different thing to set and place to go to.
type Row = Vec<(Vec<(AtomId, bool)>, usize, Bdd)>;

/// The machine in which states that answer everything alike, now and later, are one; states that cannot be reached are gone.
pub fn quotient(machine: &Machine) -> Machine {
    quotient_until(machine, None)
}

/// The same, or the machine as it is if no time is left for that.
pub fn quotient_until(machine: &Machine, deadline: Option<Deadline>) -> Machine {
    quotient_after(machine, usize::MAX, deadline)
}

/// The machine in which states that answer everything alike for so many steps are one; which of them stays is left to chance, so the
/// machine may do other things after that.
fn quotient_after(machine: &Machine, steps: usize, deadline: Option<Deadline>) -> Machine {
    let mut bdds = Bdds::new(4_000_000, deadline);
    let variable: FxHashMap<AtomId, u32> = machine.reads.iter().copied().zip(0..).collect();
    let mut guards: Vec<Vec<Bdd>> = Vec::new();
    for state in &machine.states {
        let mut row = Vec::new();
        for taken in &state.moves {
            let literals: Option<Vec<(u32, bool)>> =
                taken.guard.iter().map(|(atom, value)| Some((*variable.get(atom)?, *value))).collect();
            let Some(literals) = literals else { return machine.clone() };
            row.push(bdds.cube(&literals));
        }
        guards.push(row);
    }
    let mut class = vec![0_usize; machine.states.len()];
    let mut count = 1;
    for _ in 0..steps {
        let mut first: FxHashMap<Row, usize> = FxHashMap::default();
        let mut refined = Vec::new();
        for (state, row) in machine.states.iter().zip(&guards) {
            if bdds.is_late() {
                return machine.clone();
            }
            let row = joined(&mut bdds, &state.moves, row, &class);
            let next = first.len();
            refined.push(*first.entry(row).or_insert(next));
        }
        if bdds.is_exhausted() {
            return machine.clone();
        }
        let stable = first.len() == count;
        count = first.len();
        class = refined;
        if stable {
            break;
        }
    }
    let mut order: Vec<usize> = vec![0];
    let mut numbers: FxHashMap<usize, usize> = FxHashMap::default();
    numbers.insert(class[0], 0);
    let mut states: Vec<State> = Vec::new();
    while states.len() < order.len() {
        if bdds.is_late() {
            return machine.clone();
        }
        let old = order[states.len()];
        let mut moves = Vec::new();
        let row = joined(&mut bdds, &machine.states[old].moves, &guards[old], &class);
        for taken in &machine.states[old].moves {
            let next = order.len();
            numbers.entry(class[taken.target]).or_insert_with(|| {
                order.push(taken.target);
                next
            });
        }
        for (sets, target, letters) in row {
            let Some(cubes) = bdds.cubes(letters, usize::MAX) else { return machine.clone() };
            for cube in cubes {
                let guard = cube.iter().map(|&(place, value)| (machine.reads[place as usize], value)).collect();
                moves.push(Move { guard, sets: sets.clone(), target: numbers[&target] });
            }
        }
        states.push(State { moves });
    }
    // What was made of diagrams after their budget was used up means nothing.
    if bdds.is_late() { machine.clone() } else { Machine { states, ..machine.clone() } }
}

fn joined(bdds: &mut Bdds, moves: &[Move], guards: &[Bdd], class: &[usize]) -> Row {
    let mut row: Row = Vec::new();
    for (taken, &guard) in moves.iter().zip(guards) {
        let target = class[taken.target];
        match row.iter_mut().find(|(sets, other, _)| *other == target && *sets == taken.sets) {
            Some((_, _, letters)) => *letters = bdds.or(*letters, guard),
            None => row.push((taken.sets.clone(), target, guard)),
        }
    }
    row.sort_unstable();
    row
}

/// A machine no larger than another that satisfies a formula as well: one state after the other is left out, and what led
/// to it leads to another one, as long as the judge agrees and for as many steps of work as are allowed. What the formula does not
/// care about is where states differ that are merged this way.
pub fn reduce(formulas: &mut Formulas, machine: Machine, formula: Formula, limits: Limits, steps: u64) -> Machine {
    let mut best = quotient_until(&machine, limits.deadline);
    let end = work::spent().saturating_add(steps);
    let is_over = || end <= work::spent() || work::is_stopped() || limits.deadline.is_some_and(Deadline::is_over);
    let mut verifier = Verifier::default();
    // All at once first: states that are alike for a while.
    for steps in 1.. {
        let coarse = quotient_after(&best, steps, limits.deadline);
        if is_over() || best.states.len() <= coarse.states.len() {
            break;
        }
        if verifier.judge(formulas, &coarse, formula, limits) == Judgement::Satisfied {
            best = quotient_until(&coarse, limits.deadline);
            break;
        }
    }
    if LARGEST < best.states.len() {
        return best;
    }
    loop {
        let before = best.states.len();
        let mut removed = before;
        while 1 < best.states.len() && 0 < removed {
            removed -= 1;
            for kept in (0..best.states.len()).filter(|kept| *kept != removed) {
                if is_over() {
                    return best;
                }
                let smaller = without(&best, removed, kept);
                if verifier.judge(formulas, &smaller, formula, limits) == Judgement::Satisfied {
                    best = quotient_until(&smaller, limits.deadline);
                    removed = removed.min(best.states.len());
                    break;
                }
            }
        }
        // What could not be left out before may be left out of a smaller machine.
        if best.states.len() == before {
            return best;
        }
    }
}

/// A machine without one of its states; what led there leads to another one.
fn without(machine: &Machine, removed: usize, kept: usize) -> Machine {
    let renamed = |state: usize| {
        let state = if state == removed { kept } else { state };
        if removed < state { state - 1 } else { state }
    };
    let mut order: Vec<usize> = (0..machine.states.len()).filter(|state| *state != removed).collect();
    let mut place: Vec<usize> = (0..machine.states.len()).map(renamed).collect();
    // If the initial state is left out, the machine begins where it led to.
    let start = place[0];
    order.swap(0, start);
    for state in &mut place {
        *state = match *state {
            0 => start,
            other if other == start => 0,
            other => other,
        };
    }
    let states = order.iter().map(|&old| {
        let moves = machine.states[old].moves.iter().map(|taken| Move { target: place[taken.target], ..taken.clone() });
        State { moves: moves.collect() }
    });
    Machine { states: states.collect(), ..machine.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{parse_formula, verify};

    const STEPS: u64 = 10_000_000;

    use source::Source;

    #[test]
    fn states_that_do_the_same_are_one() {
        let mut formulas = Formulas::new();
        let json = serde_json::json!({
            "kind": "mealy", "reads": ["r"], "sets": ["g"],
            "states": [
                { "moves": [{ "when": { "r": true }, "set": { "g": true }, "next": 1 }, { "when": { "r": false }, "set": { "g": false }, "next": 2 }] },
                { "moves": [{ "when": { "r": false }, "set": { "g": false }, "next": 0 }, { "when": { "r": true }, "set": { "g": true }, "next": 2 }] },
                { "moves": [{ "when": { "r": true }, "set": { "g": true }, "next": 0 }, { "when": { "r": false }, "set": { "g": false }, "next": 1 }] },
            ],
        });
        let machine = Machine::from_json(&json, &mut formulas).expect("a machine");
        let small = quotient(&machine);
        assert_eq!(small.states.len(), 1);
        assert_eq!(Machine::from_json(&small.to_json(&formulas), &mut formulas).as_ref(), Ok(&small));
    }

    #[test]
    fn without_time_machines_stay_as_they_are() {
        let mut formulas = Formulas::new();
        let json = serde_json::json!({
            "kind": "moore", "reads": ["r"], "sets": ["g"],
            "states": [
                { "moves": [{ "when": {}, "set": { "g": true }, "next": 1 }] },
                { "moves": [{ "when": {}, "set": { "g": true }, "next": 0 }] },
            ],
        });
        let machine = Machine::from_json(&json, &mut formulas).expect("a machine");
        let formula = parse_formula(&Source::new("f", "G g"), &mut formulas).expect("a formula");
        let late = Limits { deadline: Some(Deadline::now()), ..Limits::default() };
        assert_eq!(quotient_until(&machine, late.deadline), machine);
        assert_eq!(reduce(&mut formulas, machine.clone(), formula, late, STEPS), machine);
        assert_eq!(verify(&mut formulas, &machine, formula, late), Judgement::Unknown);
        assert_eq!(reduce(&mut formulas, machine, formula, Limits::default(), STEPS).states.len(), 1);
    }

    #[test]
    fn states_that_nothing_needs_are_left_out() {
        let mut formulas = Formulas::new();
        // It waits one step before every grant; nobody asked for that.
        let json = serde_json::json!({
            "kind": "moore", "reads": ["r"], "sets": ["g"],
            "states": [
                { "moves": [{ "when": {}, "set": { "g": false }, "next": 1 }] },
                { "moves": [{ "when": {}, "set": { "g": false }, "next": 2 }] },
                { "moves": [{ "when": {}, "set": { "g": true }, "next": 0 }] },
            ],
        });
        let machine = Machine::from_json(&json, &mut formulas).expect("a machine");
        let mut size = |text: &str| {
            let formula = parse_formula(&Source::new("f", text), &mut formulas).expect("a formula");
            let small = reduce(&mut formulas, machine.clone(), formula, Limits::default(), STEPS);
            assert_eq!(verify(&mut formulas, &small, formula, Limits::default()), Judgement::Satisfied);
            small.states.len()
        };
        assert_eq!(size("G (r -> F g)"), 1);
        assert_eq!(size("G (r -> F g) & G F !g"), 2);
        assert_eq!(size("G (r -> F g) & G (g -> X (!g & X !g))"), 3);
    }
}
