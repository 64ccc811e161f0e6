//! The same game with states one by one and letters as decision diagrams: better where few states can be reached.

use ltl::{Machine, Move, State, Target};
use omega::AtomId;
use omega::bdd::{Bdd, Bdds};
use rustc_hash::FxHashMap;

use super::arena::Arena;
use super::effort;

/// The states that can be reached, with the letters of each step.
pub(crate) struct Graph {
    /// Successors and the letters that lead to them; bad steps are left out.
    edges: Vec<Vec<(usize, Bdd)>>,
    /// Letters of bad steps.
    bad: Vec<Bdd>,
    priority: Vec<usize>,
}

/// The machine of the winner, and whether that is the system.
pub(crate) struct Won {
    pub(crate) system_wins: bool,
    pub(crate) machine: Machine,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Player {
    First,
    Second,
}

impl Player {
    fn other(self) -> Player {
        match self {
            Player::First => Player::Second,
            Player::Second => Player::First,
        }
    }
}

/// A subgame: its states, and for each the choices of the first player that are left.
#[derive(Clone)]
struct Board {
    states: Vec<bool>,
    halfway: Vec<Bdd>,
}

/// States that a player wins or can force, with choices of letters.
#[derive(Clone)]
struct Region {
    states: Vec<bool>,
    halfway: Vec<Bdd>,
    first: Vec<Bdd>,
    second: Vec<Bdd>,
}

/// Walks the reachable part of a board; none if it is too large.
pub(crate) fn explore(arena: &mut Arena) -> Option<Graph> {
    let mut numbers: FxHashMap<Vec<bool>, usize> = FxHashMap::default();
    let mut states = vec![arena.start.clone()];
    numbers.insert(arena.start.clone(), 0);
    let mut graph = Graph { edges: Vec::new(), bad: Vec::new(), priority: Vec::new() };
    while graph.edges.len() < states.len() {
        let state = states[graph.edges.len()].clone();
        let here = arena.cube(&state);
        let bad = arena.bdds.cofactor(arena.bad, here);
        let legal = arena.bdds.not(bad);
        let mut parts: Vec<(Bdd, Vec<bool>)> = vec![(legal, Vec::new())];
        for bit in 0..arena.bits.len() {
            let image = arena.images[&arena.bits[bit]];
            let image = arena.bdds.cofactor(image, here);
            let mut refined = Vec::new();
            for (letters, code) in parts {
                let with = arena.bdds.and(letters, image);
                let without = arena.bdds.minus(letters, image);
                for (part, value) in [(with, true), (without, false)] {
                    if part != Bdd::FALSE {
                        let mut longer = code.clone();
                        longer.push(value);
                        refined.push((part, longer));
                    }
                }
            }
            parts = refined;
        }
        let mut row = Vec::new();
        for (letters, code) in parts {
            let next = states.len();
            let target = *numbers.entry(code.clone()).or_insert_with(|| {
                states.push(code);
                next
            });
            row.push((target, letters));
        }
        let priority =
            (0..arena.priorities.len()).find(|place| arena.bdds.cofactor(arena.priorities[*place], here) == Bdd::TRUE);
        graph.edges.push(row);
        graph.bad.push(bad);
        graph.priority.push(priority.unwrap_or(0));
        if effort::EXPLICIT_STATES.size() < states.len() || arena.bdds.is_late() {
            return None;
        }
    }
    Some(graph)
}

/// Solves the game on its reachable states; none if the budget is used up.
pub(crate) fn play(arena: &mut Arena, graph: &Graph, signals: [&[AtomId]; 2]) -> Option<Won> {
    let system = if arena.system_second { Player::Second } else { Player::First };
    let count = graph.edges.len();
    let mut game = Game { graph, second: arena.second_cube, system, bdds: &mut arena.bdds };
    let whole = Board { states: vec![true; count], halfway: vec![Bdd::TRUE; count] };
    let nothing = vec![false; count];
    let lost = game.reach(&whole, system.other(), &nothing, true)?;
    let board = game.without(&whole, &lost);
    let [first_wins, second_wins] = game.zielonka(board)?;
    let (system_region, other) = match system {
        Player::First => (first_wins, second_wins),
        Player::Second => (second_wins, first_wins),
    };
    let system_wins = system_region.states[0];
    let region = if system_wins { system_region } else { game.join(other, lost) };
    let winner = if system_wins { system } else { system.other() };
    let [inputs, outputs] = signals;
    let (reads, sets) = if system_wins { (inputs, outputs) } else { (outputs, inputs) };
    let machine = extract(arena, graph, &region, winner, !system_wins, reads, sets)?;
    Some(Won { system_wins, machine })
}

struct Game<'a> {
    graph: &'a Graph,
    second: Bdd,
    system: Player,
    bdds: &'a mut Bdds,
}

impl Game<'_> {
    fn without(&mut self, board: &Board, region: &Region) -> Board {
        let states: Vec<bool> =
            board.states.iter().zip(&region.states).map(|(inside, removed)| *inside && !removed).collect();
        let mut halfway = Vec::new();
        for (state, &inside) in states.iter().enumerate() {
            let left = if inside { self.bdds.minus(board.halfway[state], region.halfway[state]) } else { Bdd::FALSE };
            halfway.push(left);
        }
        Board { states, halfway }
    }

    /// The letters that lead from a state into a set.
    fn letters(&mut self, state: usize, set: &[bool]) -> Bdd {
        let graph = self.graph;
        let edges = graph.edges[state].iter().filter(|(target, _)| set[*target]);
        edges.fold(Bdd::FALSE, |all, (_, letters)| self.bdds.or(all, *letters))
    }

    /// What a player can force into a set, or into a bad step if asked for.
    fn reach(&mut self, board: &Board, player: Player, goal: &[bool], bad: bool) -> Option<Region> {
        let count = goal.len();
        let empty = vec![Bdd::FALSE; count];
        let mut found = Region { states: goal.to_vec(), halfway: empty.clone(), first: empty.clone(), second: empty };
        loop {
            let before = found.states.clone();
            let mut changed = false;
            for state in (0..count).filter(|state| board.states[*state]) {
                let mut hits = self.letters(state, &before);
                if bad {
                    hits = self.bdds.or(hits, self.graph.bad[state]);
                }
                let (halfway, forced) = match player {
                    Player::Second => {
                        let can = self.bdds.exists(hits, self.second);
                        let halfway = self.bdds.and(can, board.halfway[state]);
                        (halfway, halfway == board.halfway[state])
                    }
                    Player::First => {
                        let mut stays = self.letters(state, &board.states);
                        if bad {
                            stays = self.bdds.or(stays, self.graph.bad[state]);
                        }
                        let all = self.bdds.implies(stays, hits);
                        let all = self.bdds.forall(all, self.second);
                        let halfway = self.bdds.and(all, board.halfway[state]);
                        (halfway, halfway != Bdd::FALSE)
                    }
                };
                let new_halfway = self.bdds.minus(halfway, found.halfway[state]);
                if player == Player::Second && !goal[state] && new_halfway != Bdd::FALSE {
                    let choice = self.bdds.and(new_halfway, hits);
                    found.second[state] = self.bdds.or(found.second[state], choice);
                }
                found.halfway[state] = self.bdds.or(found.halfway[state], halfway);
                if forced && !before[state] {
                    found.states[state] = true;
                    found.first[state] = halfway;
                    changed = true;
                }
            }
            if self.bdds.is_late() {
                return None;
            }
            if !changed {
                return Some(found);
            }
        }
    }

    fn nothing(&self) -> Region {
        let count = self.graph.edges.len();
        let empty = vec![Bdd::FALSE; count];
        Region { states: vec![false; count], halfway: empty.clone(), first: empty.clone(), second: empty }
    }

    fn join(&mut self, left: Region, right: Region) -> Region {
        let mut joined = left;
        for state in 0..joined.states.len() {
            joined.states[state] |= right.states[state];
            joined.first[state] = self.bdds.or(joined.first[state], right.first[state]);
            joined.second[state] = self.bdds.or(joined.second[state], right.second[state]);
        }
        joined
    }

    /// Zielonka's recursion: what the first player wins, and what the second does.
    fn zielonka(&mut self, mut board: Board) -> Option<[Region; 2]> {
        let mut done = [self.nothing(), self.nothing()];
        let place = |player: Player| usize::from(player == Player::Second);
        loop {
            let inside = (0..board.states.len()).filter(|state| board.states[*state]);
            let Some(priority) = inside.map(|state| self.graph.priority[state]).max() else { return Some(done) };
            let best: Vec<bool> = (0..board.states.len())
                .map(|state| board.states[state] && self.graph.priority[state] == priority)
                .collect();
            let player = if priority % 2 == 0 { self.system } else { self.system.other() };
            let mut near = self.reach(&board, player, &best, false)?;
            let rest = self.without(&board, &near);
            let mut inner = self.zielonka(rest)?;
            let opponent = std::mem::replace(&mut inner[place(player.other())], self.nothing());
            if !opponent.states.contains(&true) {
                for state in (0..best.len()).filter(|state| best[*state]) {
                    near.first[state] = board.halfway[state];
                    let stays = self.letters(state, &board.states);
                    near.second[state] = self.bdds.and(stays, board.halfway[state]);
                }
                let own = std::mem::replace(&mut inner[place(player)], self.nothing());
                let mut won = self.join(near, own);
                won.states = board.states;
                let old = std::mem::replace(&mut done[place(player)], self.nothing());
                done[place(player)] = self.join(old, won);
                return Some(done);
            }
            let taken = self.reach(&board, player.other(), &opponent.states, false)?;
            board = self.without(&board, &taken);
            let won = self.join(taken, opponent);
            let old = std::mem::replace(&mut done[place(player.other())], self.nothing());
            done[place(player.other())] = self.join(old, won);
        }
    }
}

/// The winner's machine.
fn extract(
    arena: &mut Arena,
    graph: &Graph,
    region: &Region,
    winner: Player,
    environment: bool,
    reads: &[AtomId],
    sets: &[AtomId],
) -> Option<Machine> {
    let kind = if winner == Player::Second { Target::Mealy } else { Target::Moore };
    let mut machine = Machine { kind, reads: reads.to_vec(), sets: sets.to_vec(), states: Vec::new() };
    let mut numbers: FxHashMap<usize, usize> = FxHashMap::default();
    let mut order = vec![0];
    numbers.insert(0, 0);
    let (own, other) = match winner {
        Player::First => (arena.first.clone(), arena.second.clone()),
        Player::Second => (arena.second.clone(), arena.first.clone()),
    };
    // The state in which the game is over has the number behind all others.
    let over = graph.edges.len();
    let mut moves = 0;
    while machine.states.len() < order.len() {
        let state = order[machine.states.len()];
        let mut found: Vec<Move> = Vec::new();
        let mut open = Bdd::TRUE;
        while open != Bdd::FALSE {
            let choices = match winner {
                _ if state == over => Bdd::TRUE,
                Player::First => region.first[state],
                Player::Second => arena.bdds.and(region.second[state], open),
            };
            let preferred = if state == over { choices } else { prefer(arena, graph, state, choices, &order, winner) };
            let literals = arena.bdds.some_cube(preferred)?;
            let value = |variable: u32| literals.contains(&(variable, true));
            let fixed: Vec<(u32, bool)> = own.iter().map(|&(_, variable)| (variable, value(variable))).collect();
            let mut set: Vec<(AtomId, bool)> = own.iter().map(|&(atom, variable)| (atom, value(variable))).collect();
            set.extend(
                sets.iter().filter(|atom| !own.iter().any(|(other, _)| other == *atom)).map(|atom| (*atom, false)),
            );
            set.sort_unstable();
            let cube = arena.bdds.cube(&fixed);
            let same = match winner {
                Player::First => Bdd::TRUE,
                Player::Second => {
                    let same = arena.bdds.cofactor(choices, cube);
                    arena.bdds.and(same, open)
                }
            };
            let mut targets: Vec<(usize, Bdd)> = Vec::new();
            if state == over {
                targets.push((over, Bdd::TRUE));
            } else {
                targets.extend(&graph.edges[state]);
                if environment {
                    targets.push((over, graph.bad[state]));
                }
            }
            for (target, letters) in targets {
                let letters = arena.bdds.cofactor(letters, cube);
                let letters = arena.bdds.and(letters, same);
                if letters == Bdd::FALSE {
                    continue;
                }
                let next = order.len();
                let number = *numbers.entry(target).or_insert_with(|| {
                    order.push(target);
                    next
                });
                for cube in arena.bdds.cubes(letters, effort::EXPLICIT_MOVES.size())? {
                    let atom = |variable: u32| other.iter().find(|(_, own)| *own == variable).map(|(atom, _)| *atom);
                    let guard: Option<Vec<(AtomId, bool)>> =
                        cube.iter().map(|&(variable, value)| Some((atom(variable)?, value))).collect();
                    found.push(Move { guard: guard?, sets: set.clone(), target: number });
                }
            }
            open = if winner == Player::First { Bdd::FALSE } else { arena.bdds.minus(open, same) };
            if winner == Player::Second && state != over {
                let left = arena.bdds.exists(region.second[state], arena.second_cube);
                open = arena.bdds.and(open, left);
            }
        }
        moves += found.len();
        machine.states.push(State { moves: found });
        if effort::EXPLICIT_MOVES.size() < moves || arena.bdds.is_late() {
            return None;
        }
    }
    Some(machine)
}

/// Choices that lead to a state which the machine has already, if there are any.
fn prefer(arena: &mut Arena, graph: &Graph, state: usize, choices: Bdd, order: &[usize], winner: Player) -> Bdd {
    let known: rustc_hash::FxHashSet<usize> = order.iter().copied().collect();
    let mut back = Bdd::FALSE;
    for &(target, letters) in &graph.edges[state] {
        if known.contains(&target) {
            back = arena.bdds.or(back, letters);
        }
    }
    if winner == Player::First {
        let outside = arena.bdds.not(graph.bad[state]);
        let always = arena.bdds.implies(outside, back);
        back = arena.bdds.forall(always, arena.second_cube);
    }
    let kept = arena.bdds.and(choices, back);
    if kept == Bdd::FALSE { choices } else { kept }
}
