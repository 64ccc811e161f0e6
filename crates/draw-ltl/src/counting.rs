//! The game in which visits of accepting states are counted: a run of the universal automaton that meets more than `most`
//! of them is lost.
//!
//! A position is the set of automaton states in which runs can be, each with its largest count. Positions are explored
//! from the start, one choice at a time; a position whose counts do not exceed those of another is at most as hard, so a
//! won position wins, and a lost one loses, for all that it dominates. Letters stay sets throughout.
//!
//! Winning here wins the whole game; losing says nothing but that `most` is too small.

use ltl::{Machine, Move, State, Target};
use omega::AtomId;
use omega::bdd::Bdd;
use omega::work::Deadline;
use rustc_hash::FxHashMap;

use super::effort;
use super::universal::Universal;

/// What became of the game.
pub(crate) enum Outcome {
    /// This machine wins.
    Won(Machine),
    /// Nobody wins with so few visits.
    Lost,
    /// The budget is used up.
    Unknown,
}

/// How many positions are tried as places to return to.
const MOST_TRIED: usize = 400;

/// Automaton states with counts, in order of the states.
type Position = Vec<(usize, u8)>;

/// The ways into one automaton state: counts and letters, largest counts first.
struct Arrival {
    state: usize,
    ways: Vec<(u8, Bdd)>,
}

struct Node {
    position: Position,
    alive: bool,
    /// Letters and where they lead; none while the position is not decided.
    moves: Option<Vec<(Bdd, usize)>>,
}

/// A game.
pub(crate) struct Counting<'a> {
    automaton: &'a mut Universal,
    /// The player who looks for a machine moves second.
    second: bool,
    most: u8,
    positions: usize,
    deadline: Option<Deadline>,
    nodes: Vec<Node>,
    /// The smallest positions that are lost.
    lost: Vec<Position>,
}

impl<'a> Counting<'a> {
    /// The game of an automaton for a machine of a kind, with at most so many positions.
    pub(crate) fn new(
        automaton: &'a mut Universal,
        kind: Target,
        most: u8,
        positions: usize,
        deadline: Option<Deadline>,
    ) -> Counting<'a> {
        let second = kind == Target::Mealy;
        Counting { automaton, second, most, positions, deadline, nodes: Vec::new(), lost: Vec::new() }
    }

    /// Plays the game; `reads` and `sets` are all signals of the machine.
    pub(crate) fn play(mut self, reads: &[AtomId], sets: &[AtomId]) -> Outcome {
        let start: Position = self.automaton.start.iter().map(|state| (*state, 0)).collect();
        self.nodes.push(Node { position: start, alive: true, moves: None });
        loop {
            if self.exhausted() || self.positions < self.nodes.len() {
                return Outcome::Unknown;
            }
            if !self.nodes[0].alive {
                return Outcome::Lost;
            }
            let Some(place) = self.undecided() else { break };
            let decided = self.decide(place);
            if self.exhausted() {
                return Outcome::Unknown;
            }
            match decided {
                Some(moves) => self.nodes[place].moves = Some(moves),
                None => self.lose(place),
            }
        }
        self.machine(reads, sets).map_or(Outcome::Unknown, Outcome::Won)
    }

    fn exhausted(&self) -> bool {
        self.automaton.bdds.is_exhausted() || self.deadline.is_some_and(Deadline::is_over)
    }

    /// The reachable position that is to be decided next: the one found last.
    fn undecided(&self) -> Option<usize> {
        let mut seen = vec![false; self.nodes.len()];
        let mut open = vec![0];
        let mut found = None;
        seen[0] = true;
        while let Some(place) = open.pop() {
            match &self.nodes[place].moves {
                None => found = found.max(Some(place)),
                Some(moves) => {
                    for &(_, target) in moves {
                        if !std::mem::replace(&mut seen[target], true) {
                            open.push(target);
                        }
                    }
                }
            }
        }
        found
    }

    /// A position is lost: so is every larger one, and whoever relied on them must think again.
    fn lose(&mut self, place: usize) {
        let position = self.nodes[place].position.clone();
        for node in &mut self.nodes {
            if node.alive && below(&position, &node.position) {
                node.alive = false;
            }
        }
        let alive: Vec<bool> = self.nodes.iter().map(|node| node.alive).collect();
        for node in self.nodes.iter_mut().filter(|node| node.alive) {
            if node.moves.as_ref().is_some_and(|moves| moves.iter().any(|(_, target)| !alive[*target])) {
                node.moves = None;
            }
        }
        self.lost.retain(|other| !below(&position, other));
        self.lost.push(position);
    }

    /// Where a step can lead, and the letters that lose at once.
    fn arrivals(&mut self, position: &Position) -> (Vec<Arrival>, Bdd) {
        let automaton = &mut *self.automaton;
        let mut bad = Bdd::FALSE;
        let mut ways: std::collections::BTreeMap<usize, Vec<(u8, Bdd)>> = std::collections::BTreeMap::new();
        for &(state, count) in position {
            for edge in 0..automaton.edges[state].len() {
                let (guard, target) = automaton.edges[state][edge];
                let home = automaton.component[target];
                let inside = home == automaton.component[state];
                let visit = u8::from(automaton.accepting[target]);
                let reached = match automaton.counted[home] {
                    true if inside => count + visit,
                    true => visit,
                    false => 0,
                };
                if automaton.fatal[target] || self.most < reached {
                    bad = automaton.bdds.or(bad, guard);
                    continue;
                }
                let row = ways.entry(target).or_default();
                match row.iter_mut().find(|(other, _)| *other == reached) {
                    Some(way) => way.1 = automaton.bdds.or(way.1, guard),
                    None => row.push((reached, guard)),
                }
            }
        }
        let arrivals = ways.into_iter().map(|(state, mut ways)| {
            ways.sort_unstable_by_key(|(count, _)| std::cmp::Reverse(*count));
            Arrival { state, ways }
        });
        (arrivals.collect(), bad)
    }

    /// The letters that lead to a position no larger than `target`.
    fn into(&mut self, arrivals: &[Arrival], target: &Position, within: Bdd) -> Bdd {
        let mut letters = within;
        let mut place = 0;
        for arrival in arrivals {
            while place < target.len() && target[place].0 < arrival.state {
                place += 1;
            }
            let allowed = target.get(place).filter(|(state, _)| *state == arrival.state).map(|(_, count)| *count);
            for &(count, guard) in &arrival.ways {
                if allowed.is_none_or(|allowed| allowed < count) {
                    letters = self.automaton.bdds.minus(letters, guard);
                    if letters == Bdd::FALSE {
                        return letters;
                    }
                }
            }
        }
        letters
    }

    /// The letters that lead to a position at least as large as `target`.
    fn beyond(&mut self, arrivals: &[Arrival], target: &Position, within: Bdd) -> Bdd {
        let mut letters = within;
        for &(state, count) in target {
            let Ok(place) = arrivals.binary_search_by_key(&state, |arrival| arrival.state) else { return Bdd::FALSE };
            let mut some = Bdd::FALSE;
            for &(reached, guard) in &arrivals[place].ways {
                if count <= reached {
                    some = self.automaton.bdds.or(some, guard);
                }
            }
            letters = self.automaton.bdds.and(letters, some);
            if letters == Bdd::FALSE {
                return letters;
            }
        }
        letters
    }

    /// The moves of a position; none if it is lost.
    fn decide(&mut self, place: usize) -> Option<Vec<(Bdd, usize)>> {
        let position = self.nodes[place].position.clone();
        let (mut arrivals, bad) = self.arrivals(&position);
        let mut safe = self.automaton.bdds.not(bad);
        for number in 0..self.lost.len() {
            let lost = std::mem::take(&mut self.lost[number]);
            let letters = self.beyond(&arrivals, &lost, safe);
            safe = self.automaton.bdds.minus(safe, letters);
            self.lost[number] = lost;
        }
        let (own, other) = match self.second {
            true => (self.automaton.second_cube, self.automaton.first_cube),
            false => (self.automaton.first_cube, self.automaton.second_cube),
        };
        if self.second {
            if self.automaton.bdds.exists(safe, own) != Bdd::TRUE {
                return None;
            }
            return Some(self.cover(&arrivals, safe, own));
        }
        // Who moves first fixes a choice, then answers everything.
        let good = self.automaton.bdds.forall(safe, other);
        if good == Bdd::FALSE {
            return None;
        }
        let choice = self.choice(&arrivals, safe, good, other);
        for arrival in &mut arrivals {
            for way in &mut arrival.ways {
                way.1 = self.automaton.bdds.cofactor(way.1, choice);
            }
        }
        let safe = self.automaton.bdds.cofactor(safe, choice);
        let moves = self.cover(&arrivals, safe, Bdd::TRUE);
        Some(moves.into_iter().map(|(letters, target)| (self.automaton.bdds.and(letters, choice), target)).collect())
    }

    /// The choice of one who moves first: one after which only known positions can follow, or else one that avoids as
    /// many automaton states as it can.
    fn choice(&mut self, arrivals: &[Arrival], safe: Bdd, good: Bdd, other: Bdd) -> Bdd {
        let mut known = Bdd::FALSE;
        for place in self.tried() {
            let position = std::mem::take(&mut self.nodes[place].position);
            let letters = self.into(arrivals, &position, safe);
            self.nodes[place].position = position;
            known = self.automaton.bdds.or(known, letters);
            let always = self.automaton.bdds.forall(known, other);
            let always = self.automaton.bdds.and(always, good);
            if always != Bdd::FALSE {
                return self.fixed(always, false);
            }
        }
        let mut left = good;
        for (_, guard) in worst_first(arrivals) {
            let avoids = self.automaton.bdds.not(guard);
            let avoids = self.automaton.bdds.forall(avoids, other);
            let kept = self.automaton.bdds.and(left, avoids);
            if kept != Bdd::FALSE {
                left = kept;
            }
        }
        self.fixed(left, false)
    }

    /// Positions to return to: those that are alive, the first ones first.
    fn tried(&self) -> Vec<usize> {
        (0..self.nodes.len()).filter(|place| self.nodes[*place].alive).take(MOST_TRIED).collect()
    }

    /// A cube of all signals of the player who looks for a machine, or of the other one.
    fn fixed(&mut self, function: Bdd, other: bool) -> Bdd {
        let literals = self.automaton.bdds.some_cube(function).unwrap_or_default();
        let signals = if self.second != other { &self.automaton.second } else { &self.automaton.first };
        let fixed: Vec<(u32, bool)> =
            signals.iter().map(|&(_, variable)| (variable, literals.contains(&(variable, true)))).collect();
        self.automaton.bdds.cube(&fixed)
    }

    /// Moves for everything the other player may do: back to known positions where that is possible.
    fn cover(&mut self, arrivals: &[Arrival], safe: Bdd, own: Bdd) -> Vec<(Bdd, usize)> {
        let mut moves = Vec::new();
        let mut open = Bdd::TRUE;
        for place in self.tried() {
            let within = self.automaton.bdds.and(safe, open);
            let position = std::mem::take(&mut self.nodes[place].position);
            let letters = self.into(arrivals, &position, within);
            self.nodes[place].position = position;
            if letters != Bdd::FALSE {
                let covered = self.automaton.bdds.exists(letters, own);
                open = self.automaton.bdds.minus(open, covered);
                moves.push((letters, place));
                if open == Bdd::FALSE {
                    return moves;
                }
            }
        }
        while open != Bdd::FALSE && !self.exhausted() {
            let position = self.fresh(arrivals, safe, open, own);
            let within = self.automaton.bdds.and(safe, open);
            let letters = self.into(arrivals, &position, within);
            let covered = self.automaton.bdds.exists(letters, own);
            open = self.automaton.bdds.minus(open, covered);
            debug_assert!(self.exhausted() || covered != Bdd::FALSE, "a letter leads to its own position");
            moves.push((letters, self.nodes.len()));
            self.nodes.push(Node { position, alive: true, moves: None });
        }
        moves
    }

    /// A new position: what the other player does is chosen to be hard, and the answer to be easy.
    fn fresh(&mut self, arrivals: &[Arrival], safe: Bdd, open: Bdd, own: Bdd) -> Position {
        let worst = worst_first(arrivals);
        let mut left = open;
        for &(_, guard) in &worst {
            let avoided = self.automaton.bdds.minus(safe, guard);
            let avoided = self.automaton.bdds.exists(avoided, own);
            let forced = self.automaton.bdds.minus(left, avoided);
            if forced != Bdd::FALSE {
                left = forced;
            }
        }
        let theirs = self.fixed(left, true);
        let mut answers = self.automaton.bdds.cofactor(safe, theirs);
        for &(_, guard) in &worst {
            let guard = self.automaton.bdds.cofactor(guard, theirs);
            let kept = self.automaton.bdds.minus(answers, guard);
            if kept != Bdd::FALSE {
                answers = kept;
            }
        }
        let literals = self.automaton.bdds.some_cube(answers).unwrap_or_default();
        let read = self.automaton.bdds.some_cube(theirs).unwrap_or_default();
        let value = |variable: u32| literals.contains(&(variable, true)) || read.contains(&(variable, true));
        let mut position = Vec::new();
        for arrival in arrivals {
            let way = arrival.ways.iter().find(|(_, guard)| self.automaton.bdds.value(*guard, value));
            position.extend(way.map(|(count, _)| (arrival.state, *count)));
        }
        position
    }

    /// The machine of the positions that are still in use.
    fn machine(&mut self, reads: &[AtomId], sets: &[AtomId]) -> Option<Machine> {
        let kind = if self.second { Target::Mealy } else { Target::Moore };
        let mut machine = Machine { kind, reads: reads.to_vec(), sets: sets.to_vec(), states: Vec::new() };
        let mut order = vec![0];
        let mut numbers: FxHashMap<usize, usize> = FxHashMap::default();
        numbers.insert(0, 0);
        let (own, theirs) = match self.second {
            true => (self.automaton.second.clone(), self.automaton.first.clone()),
            false => (self.automaton.first.clone(), self.automaton.second.clone()),
        };
        let own_cube = if self.second { self.automaton.second_cube } else { self.automaton.first_cube };
        let mut count = 0;
        while machine.states.len() < order.len() {
            let moves = self.nodes[order[machine.states.len()]].moves.clone().unwrap_or_default();
            let mut found = Vec::new();
            let mut open = Bdd::TRUE;
            for (letters, target) in moves {
                let next = order.len();
                let number = *numbers.entry(target).or_insert_with(|| {
                    order.push(target);
                    next
                });
                loop {
                    let letters = self.automaton.bdds.and(letters, open);
                    let Some(literals) = self.automaton.bdds.some_cube(letters) else { break };
                    let value = |variable: u32| literals.contains(&(variable, true));
                    let choice: Vec<(u32, bool)> =
                        own.iter().map(|&(_, variable)| (variable, value(variable))).collect();
                    let choice = self.automaton.bdds.cube(&choice);
                    let answered = self.automaton.bdds.cofactor(letters, choice);
                    let answered = self.automaton.bdds.exists(answered, own_cube);
                    open = self.automaton.bdds.minus(open, answered);
                    let mut values: Vec<(AtomId, bool)> =
                        own.iter().map(|&(atom, variable)| (atom, value(variable))).collect();
                    let missing = sets.iter().filter(|atom| !own.iter().any(|(other, _)| other == *atom));
                    values.extend(missing.map(|atom| (*atom, false)));
                    values.sort_unstable();
                    for cube in self.automaton.bdds.cubes(answered, effort::VISITS_MOVES.size())? {
                        let atom =
                            |variable: u32| theirs.iter().find(|(_, own)| *own == variable).map(|(atom, _)| *atom);
                        let guard: Option<Vec<(AtomId, bool)>> =
                            cube.iter().map(|&(variable, value)| Some((atom(variable)?, value))).collect();
                        found.push(Move { guard: guard?, sets: values.clone(), target: number });
                    }
                }
            }
            count += found.len();
            machine.states.push(State { moves: found });
            if effort::VISITS_MOVES.size() < count || self.automaton.bdds.is_exhausted() {
                return None;
            }
        }
        Some(machine)
    }
}

/// All ways in, those with the largest counts first.
fn worst_first(arrivals: &[Arrival]) -> Vec<(u8, Bdd)> {
    let mut ways: Vec<(u8, Bdd)> = arrivals.iter().flat_map(|arrival| arrival.ways.iter().copied()).collect();
    ways.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    ways
}

/// Whether every count of a position is there, at least as large, in another.
fn below(small: &Position, large: &Position) -> bool {
    let mut place = 0;
    small.iter().all(|&(state, count)| {
        while place < large.len() && large[place].0 < state {
            place += 1;
        }
        large.get(place).is_some_and(|&(other, larger)| other == state && count <= larger)
    })
}
