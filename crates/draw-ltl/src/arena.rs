//! The board of a game as decision diagrams: states as bits, one function for the next value of each bit.

use ltl::Target;
use omega::bdd::{Bdd, Bdds, MOST_VARIABLES};
use omega::deterministic::Acceptance;
use omega::{AtomId, Binary, Formula, Formulas, Node, Unary};
use rustc_hash::FxHashMap;

use super::condition::{Objective, Watch};
use super::priorities::Priorities;

/// The board. In every step the first player chooses the values of its signals, then the second, then all bits change.
pub(crate) struct Arena {
    pub(crate) bdds: Bdds,
    /// The variables of the bits of a state.
    pub(crate) bits: Vec<u32>,
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

/// The board of an objective; none if it has too many variables. With `registers` parts about one step and the next may share
/// registers that remember the signals of the step before, in place of automata of their own.
#[expect(clippy::too_many_arguments, reason = "one call site, and every argument is a part of the game")]
pub(crate) fn arena(
    mut bdds: Bdds,
    formulas: &Formulas,
    registers: bool,
    objective: &Objective,
    priorities: &Priorities,
    inputs: &[AtomId],
    outputs: &[AtomId],
    target: Target,
) -> Option<Arena> {
    let used: Vec<AtomId> = objective.automata.iter().flat_map(|watch| watch.automaton.atoms.clone()).collect();
    let relevant =
        |atoms: &[AtomId]| -> Vec<AtomId> { atoms.iter().copied().filter(|atom| used.contains(atom)).collect() };
    let (inputs, outputs) = (relevant(inputs), relevant(outputs));
    let system_second = target == Target::Mealy;
    let (first, second) = if system_second { (inputs, outputs) } else { (outputs, inputs) };

    let mut bits = 0;
    // What the priorities are made of comes first: few bits that everything depends on.
    let mut priority_field = field(&mut bits, priorities.count);
    let mut leaf_field = field(&mut bits, priorities.leaves.len());
    let memory = if registers { Memory::of(formulas, objective) } else { Memory::default() };
    let mut fields = Vec::new();
    for (place, watch) in objective.automata.iter().enumerate() {
        let states = if memory.watches.contains(&place) { 1 } else { watch.automaton.edges.len() };
        fields.push(field(&mut bits, states));
    }
    let mut seen_field = field(&mut bits, 1 << memory.marks.len());
    let mut started_field = field(&mut bits, if memory.watches.is_empty() { 1 } else { 2 });
    let mut before_field = field(&mut bits, 1 << memory.atoms.len().min(MOST_REGISTERS));
    let number = |atoms: Vec<AtomId>, from: u32| -> Vec<(AtomId, u32)> { atoms.into_iter().zip(from..).collect() };
    let first = number(first, bits);
    let second = number(second, bits + first.len() as u32);
    if MOST_VARIABLES < bits + (first.len() + second.len()) as u32 {
        return None;
    }
    // What everything depends on is on top; below, automata stand near the signals they watch, and a register stands beside
    // its signal.
    let signals: Vec<(AtomId, u32)> = first.iter().chain(&second).copied().collect();
    let mut nets: Vec<Vec<usize>> = Vec::new();
    for (place, watch) in objective.automata.iter().enumerate().filter(|(place, _)| !fields[*place].is_empty()) {
        let watched = watch.automaton.atoms.iter().filter_map(|atom| signals.iter().position(|(own, _)| own == atom));
        nets.push(watched.map(|signal| fields.len() + signal).chain([place]).collect());
    }
    let mut order: Vec<u32> = Vec::new();
    for field in [&priority_field, &leaf_field, &seen_field, &started_field] {
        order.extend(field);
    }
    for element in arrange(fields.len() + signals.len(), &nets) {
        let Some(signal) = element.checked_sub(fields.len()) else {
            order.extend(&fields[element]);
            continue;
        };
        let (atom, variable) = signals[signal];
        let register = memory.atoms.iter().position(|other| *other == atom);
        order.extend(register.map(|register| before_field[register]));
        order.push(variable);
    }
    let mut place = vec![0; order.len()];
    for (new, old) in order.iter().zip(0..).map(|(old, new)| (new, *old)) {
        place[old as usize] = new;
    }
    let parts = [&mut priority_field, &mut leaf_field, &mut seen_field, &mut started_field, &mut before_field];
    for bit in parts.into_iter().chain(&mut fields).flatten() {
        *bit = place[*bit as usize];
    }
    let moved = |signals: Vec<(AtomId, u32)>| -> Vec<(AtomId, u32)> {
        signals.into_iter().map(|(atom, variable)| (atom, place[variable as usize])).collect()
    };
    let (first, second) = (moved(first), moved(second));
    let bits: Vec<u32> = (0..bits).map(|bit| place[bit as usize]).collect();
    let variable_of: FxHashMap<AtomId, u32> = first.iter().chain(&second).copied().collect();

    let mut images: FxHashMap<u32, Bdd> = bits.iter().map(|bit| (*bit, Bdd::FALSE)).collect();
    let mut bad = Bdd::FALSE;
    // Steps that are bad unless they carry a mark, by the mark.
    let mut unexcused: Vec<Bdd> = vec![Bdd::FALSE; objective.marks];
    let mut marks: Vec<Bdd> = vec![Bdd::FALSE; objective.marks];
    for (place, &atom) in memory.atoms.iter().enumerate() {
        let now = bdds.variable(variable_of[&atom]);
        images.insert(before_field[place], now);
    }
    for bit in &started_field {
        images.insert(*bit, Bdd::TRUE);
    }
    for &place in &memory.watches {
        let Watch { automaton, mark, step, excuse } = &objective.automata[place];
        let step = step.expect("only watches of steps are remembered");
        let register = |atom: AtomId| memory.atoms.iter().position(|other| *other == atom);
        let holds = step_function(&mut bdds, formulas, step, |atom, before| match (before, register(atom)) {
            (true, Some(register)) => before_field[register],
            (true, None) | (false, _) => variable_of[&atom],
        });
        let event = if automaton.acceptance == Acceptance::Never { bdds.not(holds) } else { holds };
        let started = bdds.variable(started_field[0]);
        let event = if formulas.reachable([step]).iter().any(|part| is_next(formulas, *part)) {
            bdds.and(event, started)
        } else {
            event
        };
        let Some(mark) = mark else {
            let place = excuse.map_or(&mut bad, |mark| &mut unexcused[mark]);
            *place = bdds.or(*place, event);
            continue;
        };
        // What was seen once is remembered: the mark is carried from then on.
        let bit = seen_field[memory.marks.iter().position(|other| other == mark).expect("its marks are remembered")];
        let seen = bdds.variable(bit);
        let seen = bdds.or(seen, event);
        marks[*mark] = bdds.or(marks[*mark], seen);
        images.insert(bit, bdds.or(images[&bit], seen));
    }
    for (place, (Watch { automaton, mark, excuse, .. }, field)) in objective.automata.iter().zip(&fields).enumerate() {
        if memory.watches.contains(&place) {
            continue;
        }
        let variables: Vec<u32> = automaton.atoms.iter().map(|atom| variable_of[atom]).collect();
        let mut copies = FxHashMap::default();
        for (state, edges) in automaton.edges.iter().enumerate() {
            let here = code(&mut bdds, field, state);
            for &(guard, marked, next) in edges {
                let guard = copy(&mut bdds, &automaton.bdds, guard, &variables, &mut copies);
                let taken = bdds.and(here, guard);
                if marked {
                    let place = match (mark, excuse) {
                        (Some(mark), _) => &mut marks[*mark],
                        (None, Some(mark)) => &mut unexcused[*mark],
                        (None, None) => &mut bad,
                    };
                    *place = bdds.or(*place, taken);
                }
                set(&mut bdds, &mut images, field, next, taken);
            }
        }
    }
    for (&steps, &mark) in unexcused.iter().zip(&marks) {
        let steps = bdds.minus(steps, mark);
        bad = bdds.or(bad, steps);
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
        start: vec![false; bits.len()],
        bits,
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

impl Arena {
    /// A state as a cube.
    pub(crate) fn cube(&mut self, state: &[bool]) -> Bdd {
        let literals: Vec<(u32, bool)> = self.bits.iter().copied().zip(state.iter().copied()).collect();
        self.bdds.cube(&literals)
    }

    /// A formula about one step, in negation normal form, as a function; none if no automaton watches one of its signals.
    pub(crate) fn now(&mut self, formulas: &Formulas, formula: Formula) -> Option<Bdd> {
        let variable_of: FxHashMap<AtomId, u32> = self.first.iter().chain(&self.second).copied().collect();
        let watched = formulas.atoms_of([formula]).iter().all(|atom| variable_of.contains_key(atom));
        watched.then(|| step_function(&mut self.bdds, formulas, formula, |atom, _| variable_of[&atom]))
    }
}

/// An order of some elements in which those of each net are near to each other: elements move to the middle of their nets,
/// again and again (Aloul, Markov, Sakallah: "FORCE", 2003), and the best order that is met on the way is kept.
fn arrange(count: usize, nets: &[Vec<usize>]) -> Vec<usize> {
    const ROUNDS: usize = 40;
    /// Places are scaled, so that middles need no fractions.
    const SCALE: u64 = 1 << 20;
    let mut order: Vec<usize> = (0..count).collect();
    let mut best = (u64::MAX, order.clone());
    for _ in 0..ROUNDS {
        let mut place = vec![0_u64; count];
        for (number, &element) in order.iter().enumerate() {
            place[element] = number as u64 * SCALE;
        }
        let span = |net: &Vec<usize>| {
            let places = net.iter().map(|element| place[*element] / SCALE);
            places.clone().max().unwrap_or(0) - places.min().unwrap_or(0)
        };
        let length = nets.iter().map(span).sum();
        if length < best.0 {
            best = (length, order.clone());
        }
        let mut pulls = vec![(0_u64, 0_u64); count];
        for net in nets {
            let middle = net.iter().map(|element| place[*element]).sum::<u64>() / net.len() as u64;
            for &element in net {
                pulls[element].0 += middle;
                pulls[element].1 += 1;
            }
        }
        let wanted = |element: &usize| match pulls[*element] {
            (_, 0) => place[*element],
            (sum, nets) => sum / nets,
        };
        order.sort_by_key(wanted);
    }
    best.1
}

/// The most registers.
const MOST_REGISTERS: usize = 40;

/// What is remembered of the step before, in place of automata.
#[derive(Default)]
struct Memory {
    /// The parts that are watched with registers.
    watches: Vec<usize>,
    /// The signals that have registers.
    atoms: Vec<AtomId>,
    /// The marks of these parts.
    marks: Vec<usize>,
}

impl Memory {
    /// Registers for an objective; none if automata need fewer bits.
    fn of(formulas: &Formulas, objective: &Objective) -> Memory {
        let mut memory = Memory::default();
        let mut width = 0;
        for (place, watch) in objective.automata.iter().enumerate() {
            let sticky = matches!(watch.automaton.acceptance, Acceptance::Never | Acceptance::Once);
            let Some(step) = watch.step.filter(|_| sticky) else { continue };
            memory.watches.push(place);
            width += usize::BITS - (watch.automaton.edges.len() - 1).leading_zeros();
            memory.atoms.extend(atoms_before(formulas, step));
            memory.marks.extend(watch.mark);
        }
        memory.atoms.sort_unstable();
        memory.atoms.dedup();
        memory.marks.sort_unstable();
        memory.marks.dedup();
        let own = memory.atoms.len() + memory.marks.len() + 1;
        if own < width as usize && memory.atoms.len() <= MOST_REGISTERS { memory } else { Memory::default() }
    }
}

fn is_next(formulas: &Formulas, formula: Formula) -> bool {
    matches!(formulas.node(formula), Node::Unary(Unary::Next, _))
}

/// The signals that a formula about one step and the next needs of the first one, if it speaks of the next at all.
fn atoms_before(formulas: &Formulas, step: Formula) -> Vec<AtomId> {
    let mut found = Vec::new();
    let mut later = false;
    let mut open = vec![step];
    while let Some(part) = open.pop() {
        match formulas.node(part) {
            Node::Atom(atom) => found.push(atom),
            Node::Unary(Unary::Next, _) => later = true,
            Node::Constant(_) | Node::Unary(..) | Node::Binary(..) => open.extend(formulas.arguments(part)),
        }
    }
    if later { found } else { Vec::new() }
}

/// A formula about one step and the next as a function; `variable` says where a signal of the step before, or of this one, is.
fn step_function(bdds: &mut Bdds, formulas: &Formulas, step: Formula, variable: impl Fn(AtomId, bool) -> u32) -> Bdd {
    let parts = formulas.reachable([step]);
    let later = parts.iter().any(|part| is_next(formulas, *part));
    // Every part in this step, then in the step before; `X` leads from the second to the first.
    let mut known: [FxHashMap<Formula, Bdd>; 2] = [FxHashMap::default(), FxHashMap::default()];
    for before in [false, true] {
        for &part in &parts {
            let own = &known[usize::from(before)];
            let value = match formulas.node(part) {
                Node::Constant(value) => Some(if value { Bdd::TRUE } else { Bdd::FALSE }),
                Node::Atom(atom) => Some(bdds.variable(variable(atom, before))),
                Node::Unary(Unary::Next, argument) => known[0].get(&argument).copied().filter(|_| before),
                Node::Unary(_, argument) => own.get(&argument).copied().map(|argument| bdds.not(argument)),
                Node::Binary(operator, left, right) => match (own.get(&left), own.get(&right)) {
                    (Some(&left), Some(&right)) if operator == Binary::And => Some(bdds.and(left, right)),
                    (Some(&left), Some(&right)) => Some(bdds.or(left, right)),
                    (_, None) | (None, _) => None,
                },
            };
            if let Some(value) = value {
                known[usize::from(before)].insert(part, value);
            }
        }
    }
    known[usize::from(later)][&step]
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

#[cfg(test)]
mod tests {
    use super::*;

    /// How far the elements of each net are apart, all together.
    fn length(order: &[usize], nets: &[Vec<usize>]) -> usize {
        let place = |element: &usize| order.iter().position(|other| other == element).expect("it is in the order");
        let span = |net: &Vec<usize>| {
            let places: Vec<usize> = net.iter().map(place).collect();
            places.iter().max().unwrap_or(&0) - places.iter().min().unwrap_or(&0)
        };
        nets.iter().map(span).sum()
    }

    #[test]
    fn elements_of_a_net_come_together() {
        // Sixteen automata, each of which watches two signals that are declared far from it and from each other.
        let nets: Vec<Vec<usize>> =
            (0..16).map(|place| vec![place, 16 + place * 7 % 16, 32 + place * 5 % 16]).collect();
        let order = arrange(48, &nets);
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..48).collect::<Vec<usize>>(), "every element once");
        let declared: Vec<usize> = (0..48).collect();
        assert_eq!(length(&order, &nets), 32, "each net is three neighbours");
        assert!(400 < length(&declared, &nets));
        assert_eq!(arrange(48, &nets), order, "the same order every time");
    }

    #[test]
    fn orders_are_never_worse_than_what_is_declared() {
        let mut state = 5_u64;
        let mut draw = |count: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % count
        };
        for _ in 0..50 {
            let count = 1 + draw(20);
            let nets: Vec<Vec<usize>> =
                (0..draw(15)).map(|_| (0..1 + draw(4)).map(|_| draw(count)).collect()).collect();
            let order = arrange(count, &nets);
            let declared: Vec<usize> = (0..count).collect();
            assert!(length(&order, &nets) <= length(&declared, &nets), "{nets:?}");
        }
        assert_eq!(arrange(3, &[]), [0, 1, 2]);
        assert_eq!(arrange(0, &[]), Vec::<usize>::new());
    }
}
