//! Bit-vectors: neutral and absorbing constants, merged constants, and bits taken from where they come from.

use dashu_int::ops::{BitTest, PowerOfTwo};
use value::{BitVec, UBig, Value};

use super::{Node, Step, args_of, becomes, indexed, is, truth};
use crate::{Op, Term, Terms};

pub(super) fn step(terms: &mut Terms, node: &Node) -> Option<Step> {
    let [first, second] = node.indices;
    match (node.op, &node.args[..]) {
        (Op::BvNot | Op::BvNeg, &[arg]) => args_of(terms, node.op, arg).and_then(|inner| is(inner[0])),
        (Op::Concat, &[high, low]) => concat(terms, high, low),
        (Op::Extract, &[arg]) => extract(terms, first, second, arg),
        (Op::Repeat, &[arg]) if first == 1 => is(arg),
        (Op::ZeroExtend | Op::SignExtend, &[arg]) => {
            if first == 0 {
                return is(arg);
            }
            let inner = args_of(terms, node.op, arg)?;
            indexed(node.op, [first + terms.indices(arg)[0], 0], inner)
        }
        (Op::RotateLeft | Op::RotateRight, &[arg]) => rotation(terms, node.op, first, arg),
        (Op::BvToNat, _) => None,
        (Op::IntToBv, &[arg]) => {
            let inner = args_of(terms, Op::BvToNat, arg)?[0];
            if terms.width(inner) == Some(first) { is(inner) } else { None }
        }
        (op, &[left, right]) => match op {
            Op::BvAnd | Op::BvOr | Op::BvXor => bitwise(terms, op, left, right),
            Op::BvAdd | Op::BvMul => sum_or_product(terms, op, left, right),
            Op::BvSub => difference(terms, left, right),
            Op::BvUdiv | Op::BvUrem => unsigned_division(terms, op, left, right),
            Op::BvShl | Op::BvLshr | Op::BvAshr => shift(terms, op, left, right),
            Op::BvUlt | Op::BvUle | Op::BvUgt | Op::BvUge => unsigned_order(terms, op, left, right),
            Op::BvSlt | Op::BvSle | Op::BvSgt | Op::BvSge if left == right => {
                truth(terms, op == Op::BvSle || op == Op::BvSge)
            }
            Op::BvComp if left == right => is(constant(terms, 1, UBig::ONE)),
            _ => None,
        },
        _ => None,
    }
}

/// `left = right`, where `right` is a constant.
pub(super) fn equality(terms: &mut Terms, left: Term, right: Term) -> Option<Step> {
    let (width, bits) = (width(terms, left), pattern(terms, right)?.bits().clone());
    let inner = terms.args(left).to_vec();
    match (terms.op(left), &inner[..]) {
        (Op::BvNot, &[arg]) => {
            let flipped = constant(terms, width, bits ^ UBig::ones(width as usize));
            becomes(Op::Eq, &[arg, flipped])
        }
        (Op::BvNeg, &[arg]) => {
            let negated = constant(terms, width, (UBig::ONE << width as usize) - bits);
            becomes(Op::Eq, &[arg, negated])
        }
        (Op::BvAdd | Op::BvXor, &[arg, other]) => {
            let known = pattern(terms, other)?.bits().clone();
            let moved =
                if terms.op(left) == Op::BvXor { bits ^ known } else { (UBig::ONE << width as usize) + bits - known };
            let moved = constant(terms, width, moved);
            becomes(Op::Eq, &[arg, moved])
        }
        (Op::BvComp, _) if bits.is_one() => becomes(Op::Eq, &inner),
        (Op::ZeroExtend, &[arg]) => {
            let narrow = self::width(terms, arg);
            if narrow as usize >= bits.bit_len() {
                let bits = constant(terms, narrow, bits);
                becomes(Op::Eq, &[arg, bits])
            } else {
                truth(terms, false)
            }
        }
        _ => None,
    }
}

fn width(terms: &Terms, term: Term) -> u32 {
    terms.width(term).expect("a bit-vector has a width")
}

fn pattern(terms: &Terms, term: Term) -> Option<&BitVec> {
    match terms.value(term) {
        Some(Value::BitVec(bits)) => Some(bits),
        _ => None,
    }
}

fn constant(terms: &mut Terms, width: u32, bits: UBig) -> Term {
    terms.constant(Value::BitVec(BitVec::new(width, bits)))
}

fn is_zero(terms: &Terms, term: Term) -> bool {
    pattern(terms, term).is_some_and(|bits| bits.bits().is_zero())
}

fn is_ones(terms: &Terms, term: Term) -> bool {
    pattern(terms, term).is_some_and(|bits| *bits.bits() == UBig::ones(bits.width() as usize))
}

fn concat(terms: &Terms, high: Term, low: Term) -> Option<Step> {
    if is_zero(terms, high) {
        return indexed(Op::ZeroExtend, [width(terms, high), 0], &[low]);
    }
    let (upper, lower) = (args_of(terms, Op::Extract, high)?[0], args_of(terms, Op::Extract, low)?[0]);
    let ([top, above], [below, bottom]) = (terms.indices(high), terms.indices(low));
    if upper == lower && above == below + 1 { indexed(Op::Extract, [top, bottom], &[upper]) } else { None }
}

fn extract(terms: &mut Terms, high: u32, low: u32, arg: Term) -> Option<Step> {
    if low == 0 && high + 1 == width(terms, arg) {
        return is(arg);
    }
    match (terms.op(arg), terms.args(arg)) {
        (Op::Extract, &[inner]) => {
            let offset = terms.indices(arg)[1];
            indexed(Op::Extract, [high + offset, low + offset], &[inner])
        }
        (Op::Concat, &[upper, lower]) => {
            let split = width(terms, lower);
            if high < split {
                indexed(Op::Extract, [high, low], &[lower])
            } else if split <= low {
                indexed(Op::Extract, [high - split, low - split], &[upper])
            } else {
                None
            }
        }
        (Op::ZeroExtend | Op::SignExtend, &[inner]) if high < width(terms, inner) => {
            indexed(Op::Extract, [high, low], &[inner])
        }
        (Op::ZeroExtend, &[inner]) if width(terms, inner) <= low => is(constant(terms, high - low + 1, UBig::ZERO)),
        _ => None,
    }
}

fn rotation(terms: &Terms, op: Op, by: u32, arg: Term) -> Option<Step> {
    let width = width(terms, arg);
    if by.is_multiple_of(width) {
        return is(arg);
    }
    if width <= by {
        return indexed(op, [by % width, 0], &[arg]);
    }
    let inner = args_of(terms, op, arg)?;
    indexed(op, [(by + terms.indices(arg)[0] % width) % width, 0], inner)
}

fn bitwise(terms: &mut Terms, op: Op, left: Term, right: Term) -> Option<Step> {
    let width = width(terms, left);
    if left == right {
        return if op == Op::BvXor { is(constant(terms, width, UBig::ZERO)) } else { is(left) };
    }
    if args_of(terms, Op::BvNot, left) == Some(&[right]) || args_of(terms, Op::BvNot, right) == Some(&[left]) {
        let bits = if op == Op::BvAnd { UBig::ZERO } else { UBig::ones(width as usize) };
        return is(constant(terms, width, bits));
    }
    if pattern(terms, left).is_some() {
        return becomes(op, &[right, left]);
    }
    match (op, is_zero(terms, right), is_ones(terms, right)) {
        (Op::BvAnd, true, _) | (Op::BvOr, _, true) => is(right),
        (Op::BvAnd, _, true) | (Op::BvOr | Op::BvXor, true, _) => is(left),
        (Op::BvXor, _, true) => becomes(Op::BvNot, &[left]),
        _ => merged(terms, op, left, right, |op, left, right| match op {
            Op::BvAnd => left & right,
            Op::BvOr => left | right,
            _ => left ^ right,
        }),
    }
}

/// `(x ~ c) ~ d` as `x ~ (c ~ d)`.
fn merged(terms: &mut Terms, op: Op, left: Term, right: Term, combine: fn(Op, UBig, &UBig) -> UBig) -> Option<Step> {
    let outer = pattern(terms, right)?;
    let &[rest, inner] = args_of(terms, op, left)? else { return None };
    let bits = combine(op, pattern(terms, inner)?.bits().clone(), outer.bits());
    let width = width(terms, left);
    let both = constant(terms, width, bits);
    becomes(op, &[rest, both])
}

fn sum_or_product(terms: &mut Terms, op: Op, left: Term, right: Term) -> Option<Step> {
    if pattern(terms, left).is_some() {
        return becomes(op, &[right, left]);
    }
    if op == Op::BvAdd && is_zero(terms, right) {
        return is(left);
    }
    if op == Op::BvMul
        && let Some(factor) = pattern(terms, right)
    {
        if factor.bits().is_zero() {
            return is(right);
        }
        if factor.bits().is_one() {
            return is(left);
        }
        if is_ones(terms, right) {
            return becomes(Op::BvNeg, &[left]);
        }
        if factor.bits().is_power_of_two() {
            return by_power_of_two(terms, Op::BvShl, left, right);
        }
    }
    merged(terms, op, left, right, |op, left, right| if op == Op::BvAdd { left + right } else { left * right })
}

/// A shift by the exponent of `power`, which is a power of two.
fn by_power_of_two(terms: &mut Terms, op: Op, left: Term, power: Term) -> Option<Step> {
    let exponent = pattern(terms, power)?.bits().bit_len() - 1;
    let width = width(terms, left);
    let amount = constant(terms, width, UBig::from(exponent));
    becomes(op, &[left, amount])
}

fn difference(terms: &mut Terms, left: Term, right: Term) -> Option<Step> {
    let width = width(terms, left);
    if left == right {
        return is(constant(terms, width, UBig::ZERO));
    }
    if is_zero(terms, left) {
        return becomes(Op::BvNeg, &[right]);
    }
    if let Some(bits) = pattern(terms, right) {
        let bits = (UBig::ONE << width as usize) - bits.bits();
        let negated = constant(terms, width, bits);
        return becomes(Op::BvAdd, &[left, negated]);
    }
    args_of(terms, Op::BvNeg, right).and_then(|inner| becomes(Op::BvAdd, &[left, inner[0]]))
}

fn unsigned_division(terms: &mut Terms, op: Op, left: Term, right: Term) -> Option<Step> {
    let (width, divisor) = (width(terms, left), pattern(terms, right)?.bits().clone());
    match op {
        Op::BvUdiv if divisor.is_zero() => is(constant(terms, width, UBig::ones(width as usize))),
        Op::BvUdiv if divisor.is_one() => is(left),
        Op::BvUdiv if divisor.is_power_of_two() => by_power_of_two(terms, Op::BvLshr, left, right),
        Op::BvUrem if divisor.is_zero() => is(left),
        Op::BvUrem if divisor.is_power_of_two() => {
            let mask = constant(terms, width, divisor - UBig::ONE);
            becomes(Op::BvAnd, &[left, mask])
        }
        _ => None,
    }
}

fn shift(terms: &mut Terms, op: Op, left: Term, right: Term) -> Option<Step> {
    let width = width(terms, left);
    if is_zero(terms, left) || is_zero(terms, right) || op == Op::BvAshr && is_ones(terms, left) {
        return is(left);
    }
    let amount = pattern(terms, right)?.bits().clone();
    if UBig::from(width) <= amount && op != Op::BvAshr {
        return is(constant(terms, width, UBig::ZERO));
    }
    let &[rest, inner] = args_of(terms, op, left)? else { return None };
    let total = pattern(terms, inner)?.bits() + amount;
    let most = UBig::from(width).min(UBig::ones(width as usize));
    let total = constant(terms, width, total.min(most));
    becomes(op, &[rest, total])
}

fn unsigned_order(terms: &mut Terms, op: Op, left: Term, right: Term) -> Option<Step> {
    if left == right {
        return truth(terms, op == Op::BvUle || op == Op::BvUge);
    }
    let mirrored = match op {
        Op::BvUlt => Op::BvUgt,
        Op::BvUle => Op::BvUge,
        Op::BvUgt => Op::BvUlt,
        _ => Op::BvUle,
    };
    if pattern(terms, left).is_some() {
        return becomes(mirrored, &[right, left]);
    }
    match (op, is_zero(terms, right), is_ones(terms, right)) {
        (Op::BvUlt, true, _) | (Op::BvUgt, _, true) => truth(terms, false),
        (Op::BvUge, true, _) | (Op::BvUle, _, true) => truth(terms, true),
        (Op::BvUle, true, _) | (Op::BvUge, _, true) => becomes(Op::Eq, &[left, right]),
        _ => None,
    }
}
