//! One function for each signal of the winner, which depends on as little of the state as possible: machines are small where it does
//! not matter what happened before.

use omega::bdd::Bdd;

use super::arena::Arena;
use super::parity::Solution;

/// The winner's choices narrowed to one for everything that it reads; none if the board's budget is used up.
pub(crate) fn determined(arena: &mut Arena, solution: &Solution) -> Option<Solution> {
    let winner_second = solution.system_wins == arena.system_second;
    let own: Vec<u32> = match winner_second {
        true => arena.second.iter().map(|(_, variable)| *variable).collect(),
        false => arena.first.iter().map(|(_, variable)| *variable).collect(),
    };
    let mut choices = if winner_second { solution.second } else { solution.first };
    let bits = arena.bits.clone();
    for (place, &variable) in own.iter().enumerate() {
        let later: Vec<(u32, bool)> = own[place + 1..].iter().map(|other| (*other, true)).collect();
        let later = arena.bdds.cube(&later);
        let possible = arena.bdds.exists(choices, later);
        let [low, high] = [false, true].map(|value| {
            let cube = arena.bdds.cube(&[(variable, value)]);
            arena.bdds.cofactor(possible, cube)
        });
        // Where it must be true, and where it must be false; elsewhere it may be either.
        let mut needed = arena.bdds.minus(high, low);
        let mut refused = arena.bdds.minus(low, high);
        for &bit in &bits {
            let cube = arena.bdds.cube(&[(bit, true)]);
            let (wider, other) = (arena.bdds.exists(needed, cube), arena.bdds.exists(refused, cube));
            if arena.bdds.and(wider, other) == Bdd::FALSE {
                (needed, refused) = (wider, other);
            }
            if arena.bdds.is_late() {
                return None;
            }
        }
        let signal = arena.bdds.variable(variable);
        let differs = arena.bdds.xor(signal, needed);
        choices = arena.bdds.minus(choices, differs);
    }
    if arena.bdds.is_late() {
        return None;
    }
    Some(match winner_second {
        true => Solution { second: choices, ..*solution },
        false => Solution { first: choices, ..*solution },
    })
}
