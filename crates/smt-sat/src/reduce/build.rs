//! Applications in the solver's own arena, in one form each where that is cheap.

use smt::{Op, Term, Terms};
use value::{Sort, Value};

use super::polynomial::always_equal;

/// The application of `op`, folded where it is trivial. Comparisons become `=` and `<=`, `divisible` a remainder.
pub(super) fn build(arena: &mut Terms, op: Op, indices: [u32; 2], args: &[Term]) -> Term {
    match op {
        Op::Not => not(arena, args[0]),
        Op::And => conjunction(arena, args),
        Op::Or => {
            let args: Vec<Term> = args.iter().map(|&arg| not(arena, arg)).collect();
            let none = conjunction(arena, &args);
            not(arena, none)
        }
        Op::Implies => {
            let not_right = not(arena, args[1]);
            let broken = conjunction(arena, &[args[0], not_right]);
            not(arena, broken)
        }
        Op::Eq => equal(arena, args[0], args[1]),
        Op::Ite => choose(arena, args[0], args[1], args[2]),
        Op::Le => at_most(arena, args[0], args[1]),
        Op::Ge => at_most(arena, args[1], args[0]),
        Op::Lt => {
            let not_less = at_most(arena, args[1], args[0]);
            not(arena, not_less)
        }
        Op::Gt => {
            let not_more = at_most(arena, args[0], args[1]);
            not(arena, not_more)
        }
        Op::Divisible => {
            let divisor = arena.int(indices[0]);
            let zero = arena.int(0);
            let rest = arena.app(Op::Mod, &[args[0], divisor]);
            equal(arena, rest, zero)
        }
        Op::Xor | Op::BvAnd | Op::BvOr | Op::BvXor | Op::BvAdd | Op::BvMul => {
            let (left, right) = ordered(args[0], args[1]);
            arena.app(op, &[left, right])
        }
        _ => arena.indexed(op, indices, args),
    }
}

pub(super) fn not(arena: &mut Terms, arg: Term) -> Term {
    match (arena.op(arg), arena.value(arg)) {
        (_, Some(Value::Bool(truth))) => arena.bool(!truth),
        (Op::Not, _) => arena.args(arg)[0],
        _ => arena.not(arg),
    }
}

fn conjunction(arena: &mut Terms, args: &[Term]) -> Term {
    let truth = arena.bool(true);
    let mut parts: Vec<Term> = args.iter().copied().filter(|&arg| arg != truth).collect();
    if parts.contains(&arena.bool(false)) {
        return arena.bool(false);
    }
    parts.sort_unstable();
    parts.dedup();
    arena.and(&parts)
}

fn equal(arena: &mut Terms, left: Term, right: Term) -> Term {
    if left == right {
        return arena.bool(true);
    }
    if arena.value(left).is_some() && arena.value(right).is_some() {
        return arena.bool(false);
    }
    if *arena.sort(left) == Sort::Bool {
        for (side, other) in [(left, right), (right, left)] {
            match arena.value(side) {
                Some(Value::Bool(true)) => return other,
                Some(Value::Bool(false)) => return not(arena, other),
                _ => {}
            }
        }
    }
    if let Some(truth) = always_equal(arena, left, right) {
        return arena.bool(truth);
    }
    let (left, right) = ordered(left, right);
    arena.eq(left, right)
}

fn choose(arena: &mut Terms, condition: Term, then: Term, otherwise: Term) -> Term {
    match arena.value(condition) {
        Some(Value::Bool(true)) => then,
        Some(Value::Bool(false)) => otherwise,
        _ if then == otherwise => then,
        _ => arena.ite(condition, then, otherwise),
    }
}

fn at_most(arena: &mut Terms, left: Term, right: Term) -> Term {
    match (arena.value(left), arena.value(right)) {
        (Some(Value::Int(left)), Some(Value::Int(right))) => arena.bool(left <= right),
        (Some(Value::Real(left)), Some(Value::Real(right))) => arena.bool(left <= right),
        _ if left == right => arena.bool(true),
        _ => arena.app(Op::Le, &[left, right]),
    }
}

fn ordered(left: Term, right: Term) -> (Term, Term) {
    if left <= right { (left, right) } else { (right, left) }
}
