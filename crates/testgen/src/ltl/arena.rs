//! The board of a game as decision diagrams: states as bits, one function for the next value of each bit.

use ltl::bdd::{Bdd, Bdds, MOST_VARIABLES};
use ltl::{AtomId, Target};
use rustc_hash::FxHashMap;

use super::condition::Objective;
use super::priorities::Priorities;

/// The board. In every step the first player chooses the values of its signals, then the second, then all bits change.
pub(crate) struct Arena {
    pub(crate) bdds: Bdds,
    /// The number of bits of a state; their variables come first.
    pub(crate) bits: u32,
    /// The initial state.
    pub(crate) start: Vec<bool>,
    /// The signals of both players with their variables.
    pub(crate) first: Vec<(AtomId, u32)>,
    pub(crate) second: Vec<(AtomId, u32)>,
    pub(crate) first_cube: Bdd,
    pub(crate) second_cube: Bdd,
    /// The next value of every bit.
    pub(crate) images: FxHashMap<u32, Bdd>,
    /// Steps that the system must never take.
    pub(crate) bad: Bdd,
    /// The states that were entered with each priority.
    pub(crate) priorities: Vec<Bdd>,
    /// Whether the system is the second player.
    pub(crate) system_second: bool,
}

/// The board of an objective; none if it has too many variables.
pub(crate) fn arena(
    mut bdds: Bdds,
    objective: &Objective,
    priorities: &Priorities,
    inputs: &[AtomId],
    outputs: &[AtomId],
    target: Target,
) -> Option<Arena> {
    let used: Vec<AtomId> = objective.automata.iter().flat_map(|(automaton, _)| automaton.atoms.clone()).collect();
    let relevant =
        |atoms: &[AtomId]| -> Vec<AtomId> { atoms.iter().copied().filter(|atom| used.contains(atom)).collect() };
    let (inputs, outputs) = (relevant(inputs), relevant(outputs));
    let system_second = target == Target::Mealy;
    let (first, second) = if system_second { (inputs, outputs) } else { (outputs, inputs) };

    let mut bits = 0;
    // What the priorities are made of comes first: few bits that everything depends on.
    let priority_field = field(&mut bits, priorities.count);
    let leaf_field = field(&mut bits, priorities.leaves.len());
    let mut fields = Vec::new();
    for (automaton, _) in &objective.automata {
        fields.push(field(&mut bits, automaton.edges.len()));
    }
    let number = |atoms: Vec<AtomId>, from: u32| -> Vec<(AtomId, u32)> { atoms.into_iter().zip(from..).collect() };
    let first = number(first, bits);
    let second = number(second, bits + first.len() as u32);
    if MOST_VARIABLES < bits + (first.len() + second.len()) as u32 {
        return None;
    }
    let variable_of: FxHashMap<AtomId, u32> = first.iter().chain(&second).copied().collect();

    let mut images: FxHashMap<u32, Bdd> = (0..bits).map(|bit| (bit, Bdd::FALSE)).collect();
    let mut bad = Bdd::FALSE;
    let mut marks: Vec<Bdd> = vec![Bdd::FALSE; objective.marks];
    for ((automaton, mark), field) in objective.automata.iter().zip(&fields) {
        let variables: Vec<u32> = automaton.atoms.iter().map(|atom| variable_of[atom]).collect();
        let mut copies = FxHashMap::default();
        for (state, edges) in automaton.edges.iter().enumerate() {
            let here = code(&mut bdds, field, state);
            for &(guard, marked, next) in edges {
                let guard = copy(&mut bdds, &automaton.bdds, guard, &variables, &mut copies);
                let taken = bdds.and(here, guard);
                if marked {
                    let place = mark.map_or(&mut bad, |mark| &mut marks[mark]);
                    let old = *place;
                    let joined = bdds.or(old, taken);
                    *mark.map_or(&mut bad, |mark| &mut marks[mark]) = joined;
                }
                set(&mut bdds, &mut images, field, next, taken);
            }
        }
    }
    for (leaf, path) in priorities.leaves.iter().enumerate() {
        let here = code(&mut bdds, &leaf_field, leaf);
        for (place, step) in path.iter().enumerate() {
            // The marks of this step are all in this node, and not all in the node below.
            let below = path.get(place + 1).map_or(0, |below| below.marks);
            let mut taken = here;
            let mut leaves_below = if place + 1 == path.len() { Bdd::TRUE } else { Bdd::FALSE };
            for (mark, &seen) in marks.iter().enumerate() {
                if step.marks >> mark & 1 == 0 {
                    taken = bdds.minus(taken, seen);
                } else if below >> mark & 1 == 0 {
                    leaves_below = bdds.or(leaves_below, seen);
                }
            }
            let taken = bdds.and(taken, leaves_below);
            set(&mut bdds, &mut images, &leaf_field, step.next, taken);
            set(&mut bdds, &mut images, &priority_field, step.priority, taken);
        }
    }
    let sets = (0..priorities.count).map(|priority| code(&mut bdds, &priority_field, priority)).collect();
    let cube = |bdds: &mut Bdds, signals: &[(AtomId, u32)]| {
        let literals: Vec<(u32, bool)> = signals.iter().map(|(_, variable)| (*variable, true)).collect();
        bdds.cube(&literals)
    };
    let (first_cube, second_cube) = (cube(&mut bdds, &first), cube(&mut bdds, &second));
    Some(Arena {
        bdds,
        bits,
        start: vec![false; bits as usize],
        first,
        second,
        first_cube,
        second_cube,
        images,
        bad,
        priorities: sets,
        system_second,
    })
}

/// The bits that number something.
fn field(bits: &mut u32, values: usize) -> Vec<u32> {
    let width = usize::BITS - values.saturating_sub(1).leading_zeros();
    let field = (*bits..*bits + width).collect();
    *bits += width;
    field
}

fn code(bdds: &mut Bdds, field: &[u32], value: usize) -> Bdd {
    let literals: Vec<(u32, bool)> =
        field.iter().enumerate().map(|(place, bit)| (*bit, value >> place & 1 == 1)).collect();
    bdds.cube(&literals)
}

/// Where `taken` holds the field becomes `value`.
fn set(bdds: &mut Bdds, images: &mut FxHashMap<u32, Bdd>, field: &[u32], value: usize, taken: Bdd) {
    for (place, bit) in field.iter().enumerate() {
        if value >> place & 1 == 1 {
            let joined = bdds.or(images[bit], taken);
            images.insert(*bit, joined);
        }
    }
}

/// A function of another manager over other variables.
pub(crate) fn copy(
    to: &mut Bdds,
    from: &Bdds,
    function: Bdd,
    variables: &[u32],
    done: &mut FxHashMap<Bdd, Bdd>,
) -> Bdd {
    if function.is_constant() {
        return function;
    }
    if let Some(&found) = done.get(&function) {
        return found;
    }
    let (low, high) = from.branches(function);
    let low = copy(to, from, low, variables, done);
    let high = copy(to, from, high, variables, done);
    let test = to.variable(variables[from.top(function) as usize]);
    let result = to.choose(test, high, low);
    done.insert(function, result);
    result
}
