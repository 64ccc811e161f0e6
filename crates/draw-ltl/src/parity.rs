//! Solves a game on its board, exactly and for both players, by Zielonka's algorithm on decision diagrams.
//!
//! Every step has a halfway position, between the choices of the first and the second player. A subgame is a set of
//! states with a set of halfway positions; removing what one player can reach removes both.

use omega::bdd::Bdd;

use super::arena::Arena;

/// Who wins from where, and how.
pub(crate) struct Solution {
    /// Whether the system wins from the initial state.
    pub(crate) system_wins: bool,
    /// For states that the first player wins: good choices of its signals.
    pub(crate) first: Bdd,
    /// For halfway positions that the second player wins: good choices of its signals.
    pub(crate) second: Bdd,
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

/// A subgame: states and halfway positions.
#[derive(Clone, Copy)]
struct Board {
    states: Bdd,
    halfway: Bdd,
}

/// What a player can force.
struct Reach {
    states: Bdd,
    halfway: Bdd,
    first: Bdd,
    second: Bdd,
}

#[derive(Clone, Copy)]
struct Regions {
    /// What the first player wins; the second wins the rest.
    first_wins: Bdd,
    second_wins: Bdd,
    first: Bdd,
    second: Bdd,
}

/// Solves the game; none if the board's budget is used up.
pub(crate) fn solve(arena: &mut Arena) -> Option<Solution> {
    let system = if arena.system_second { Player::Second } else { Player::First };
    let whole = Board { states: Bdd::TRUE, halfway: Bdd::TRUE };
    // First what only forbids: from where can the environment force a bad step?
    let lost = reach(arena, whole, system.other(), Bdd::FALSE, true)?;
    let board = without(arena, whole, &lost);
    let regions = zielonka(arena, board)?;
    let mut first = arena.bdds.or(regions.first, lost.first);
    let mut second = arena.bdds.or(regions.second, lost.second);
    let system_region = match system {
        Player::First => regions.first_wins,
        Player::Second => regions.second_wins,
    };
    let start = arena.start.clone();
    let start = arena.cube(&start);
    let system_wins = arena.bdds.cofactor(system_region, start) == Bdd::TRUE;
    // Only the winner's choices mean anything; keep them apart from the loser's.
    if system_wins {
        match system {
            Player::First => first = regions.first,
            Player::Second => second = regions.second,
        }
    }
    arena.bdds.sound(Solution { system_wins, first, second })
}

fn without(arena: &mut Arena, board: Board, reach: &Reach) -> Board {
    let states = arena.bdds.minus(board.states, reach.states);
    let halfway = arena.bdds.minus(board.halfway, reach.halfway);
    let halfway = arena.bdds.and(halfway, states);
    Board { states, halfway }
}

/// What a player can force into `goal`, or into a bad step if `bad` is asked for (then the player is the environment).
fn reach(arena: &mut Arena, board: Board, player: Player, goal: Bdd, bad: bool) -> Option<Reach> {
    let legal = arena.bdds.not(arena.bad);
    let stays = arena.bdds.compose(board.states, &arena.images);
    let stays = if bad { stays } else { arena.bdds.and(stays, legal) };
    let mut found = Reach { states: goal, halfway: Bdd::FALSE, first: Bdd::FALSE, second: Bdd::FALSE };
    loop {
        let mut hits = arena.bdds.compose(found.states, &arena.images);
        if bad {
            hits = arena.bdds.or(hits, arena.bad);
        } else {
            hits = arena.bdds.and(hits, legal);
        }
        let (halfway, states) = match player {
            Player::Second => {
                let can = arena.bdds.exists(hits, arena.second_cube);
                let halfway = arena.bdds.and(can, board.halfway);
                let must = arena.bdds.implies(board.halfway, halfway);
                (halfway, arena.bdds.forall(must, arena.first_cube))
            }
            Player::First => {
                let forced = arena.bdds.implies(stays, hits);
                let forced = arena.bdds.forall(forced, arena.second_cube);
                let halfway = arena.bdds.and(forced, board.halfway);
                (halfway, arena.bdds.exists(halfway, arena.first_cube))
            }
        };
        let states = arena.bdds.and(states, board.states);
        let new_states = arena.bdds.minus(states, found.states);
        let new_halfway = arena.bdds.minus(halfway, found.halfway);
        if arena.bdds.is_late() {
            return None;
        }
        match player {
            Player::Second => {
                // In the goal itself the player does what the goal is worth; nothing is said about that here.
                let outside = arena.bdds.minus(new_halfway, goal);
                let choice = arena.bdds.and(outside, hits);
                found.second = arena.bdds.or(found.second, choice);
            }
            Player::First => {
                let choice = arena.bdds.and(new_states, halfway);
                found.first = arena.bdds.or(found.first, choice);
            }
        }
        found.halfway = arena.bdds.or(found.halfway, halfway);
        if new_states == Bdd::FALSE {
            return Some(found);
        }
        found.states = arena.bdds.or(found.states, new_states);
    }
}

/// Zielonka's recursion; its depth is the number of priorities.
fn zielonka(arena: &mut Arena, board: Board) -> Option<Regions> {
    let nothing = Regions { first_wins: Bdd::FALSE, second_wins: Bdd::FALSE, first: Bdd::FALSE, second: Bdd::FALSE };
    let mut done = nothing;
    let mut board = board;
    loop {
        if arena.bdds.is_late() {
            return None;
        }
        if board.states == Bdd::FALSE {
            return Some(done);
        }
        let mut top = None;
        for priority in (0..arena.priorities.len()).rev() {
            let states = arena.bdds.and(board.states, arena.priorities[priority]);
            if states != Bdd::FALSE {
                top = Some((priority, states));
                break;
            }
        }
        // Codes that no priority has are never entered.
        let (priority, best) = top.unwrap_or((0, board.states));
        let system = if arena.system_second { Player::Second } else { Player::First };
        let player = if priority % 2 == 0 { system } else { system.other() };
        let near = reach(arena, board, player, best, false)?;
        let rest = without(arena, board, &near);
        let inner = zielonka(arena, rest)?;
        let opponent_wins = match player {
            Player::First => inner.second_wins,
            Player::Second => inner.first_wins,
        };
        if opponent_wins == Bdd::FALSE {
            let stay = stay(arena, board, player, best);
            let mut won = Regions { first: near.first, second: near.second, ..nothing };
            match player {
                Player::First => {
                    won.first_wins = board.states;
                    won.first = arena.bdds.or(won.first, stay);
                    won.first = arena.bdds.or(won.first, inner.first);
                }
                Player::Second => {
                    won.second_wins = board.states;
                    won.second = arena.bdds.or(won.second, stay);
                    won.second = arena.bdds.or(won.second, inner.second);
                }
            }
            return Some(join(arena, done, won));
        }
        let taken = reach(arena, board, player.other(), opponent_wins, false)?;
        let mut won = Regions { first: taken.first, second: taken.second, ..nothing };
        match player.other() {
            Player::First => {
                won.first_wins = taken.states;
                let own = arena.bdds.and(inner.first, opponent_wins);
                won.first = arena.bdds.or(won.first, own);
            }
            Player::Second => {
                won.second_wins = taken.states;
                let own = arena.bdds.and(inner.second, opponent_wins);
                won.second = arena.bdds.or(won.second, own);
            }
        }
        done = join(arena, done, won);
        board = without(arena, board, &taken);
    }
}

/// Any choice that stays on the board, for states of the best priority.
fn stay(arena: &mut Arena, board: Board, player: Player, best: Bdd) -> Bdd {
    let here = arena.bdds.and(best, board.halfway);
    match player {
        Player::First => here,
        Player::Second => {
            let stays = arena.bdds.compose(board.states, &arena.images);
            let legal = arena.bdds.minus(stays, arena.bad);
            arena.bdds.and(here, legal)
        }
    }
}

fn join(arena: &mut Arena, left: Regions, right: Regions) -> Regions {
    Regions {
        first_wins: arena.bdds.or(left.first_wins, right.first_wins),
        second_wins: arena.bdds.or(left.second_wins, right.second_wins),
        first: arena.bdds.or(left.first, right.first),
        second: arena.bdds.or(left.second, right.second),
    }
}
