//! Bit-vector arithmetic as polynomials modulo two to the width: sides of an equality that are the same polynomial are
//! equal, however they are written. Multipliers make such equalities hard for a SAT solver.

use std::collections::BTreeMap;

use smt::{Op, Term, Terms};
use value::{IBig, Value};

/// How many steps of multiplying out are tried.
const MOST_STEPS: usize = 200;
/// The greatest degree.
const MOST_FACTORS: usize = 8;

/// Whether two bit-vector terms are equal in all models, or in none, as far as multiplying out shows.
pub(super) fn always_equal(arena: &Terms, left: Term, right: Term) -> Option<bool> {
    if !is_arithmetic(arena, left) && !is_arithmetic(arena, right) {
        return None;
    }
    let modulus = IBig::ONE << usize::try_from(arena.width(left)?).ok()?;
    let mut open = vec![(IBig::ONE, vec![left]), (IBig::NEG_ONE, vec![right])];
    let mut sum: BTreeMap<Vec<Term>, IBig> = BTreeMap::new();
    for _ in 0..MOST_STEPS {
        let Some((scale, mut factors)) = open.pop() else { return verdict(&sum, &modulus) };
        match factors.iter().position(|&factor| is_arithmetic(arena, factor)) {
            None => {
                factors.sort_unstable();
                *sum.entry(factors).or_insert(IBig::ZERO) += scale;
            }
            Some(place) => {
                let factor = factors.swap_remove(place);
                for (more, inner) in expand(arena, factor)? {
                    let product = [&factors[..], &inner].concat();
                    if MOST_FACTORS < product.len() {
                        return None;
                    }
                    open.push((&scale * more, product));
                }
            }
        }
    }
    None
}

fn verdict(sum: &BTreeMap<Vec<Term>, IBig>, modulus: &IBig) -> Option<bool> {
    let mut rest = sum.iter().filter(|(_, scale)| *scale % modulus != IBig::ZERO);
    match (rest.next(), rest.next()) {
        (None, _) => Some(true),
        (Some((factors, _)), None) if factors.is_empty() => Some(false),
        _ => None,
    }
}

fn is_arithmetic(arena: &Terms, term: Term) -> bool {
    matches!(arena.op(term), Op::Constant | Op::BvAdd | Op::BvSub | Op::BvNeg | Op::BvNot | Op::BvMul)
}

/// The summands of an arithmetic term: a scale and factors each.
fn expand(arena: &Terms, term: Term) -> Option<Vec<(IBig, Vec<Term>)>> {
    let (one, minus_one) = (IBig::ONE, IBig::NEG_ONE);
    Some(match (arena.op(term), arena.args(term)) {
        (Op::BvAdd, &[left, right]) => vec![(one.clone(), vec![left]), (one, vec![right])],
        (Op::BvSub, &[left, right]) => vec![(one, vec![left]), (minus_one, vec![right])],
        (Op::BvNeg, &[only]) => vec![(minus_one, vec![only])],
        (Op::BvNot, &[only]) => vec![(minus_one.clone(), vec![only]), (minus_one, vec![])],
        (Op::BvMul, &[left, right]) => vec![(one, vec![left, right])],
        _ => match arena.value(term) {
            Some(Value::BitVec(pattern)) => vec![(IBig::from(pattern.bits().clone()), vec![])],
            _ => return None,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(left: &str, right: &str, expect: Option<bool>) {
        let mut terms = Terms::new();
        let script = format!(
            "(declare-const x (_ BitVec 8))(declare-const y (_ BitVec 8))(declare-const z (_ BitVec 8))(assert (= {left} {right}))"
        );
        let script = smt::read_script(&mut terms, &script).unwrap();
        let Some((_, smt::Command::Assert(fact))) = script.commands.last() else { panic!("an assertion") };
        let args = terms.args(*fact);
        assert_eq!(always_equal(&terms, args[0], args[1]), expect, "{left} = {right}");
    }

    #[test]
    fn equal_polynomials_are_equal() {
        check("(bvmul x (bvadd y z))", "(bvadd (bvmul z x) (bvmul y x))", Some(true));
        check("(bvsub x y)", "(bvadd (bvnot y) (bvadd x #x01))", Some(true));
        check("(bvmul #x10 (bvmul #x10 x))", "#x00", Some(true));
        check("(bvadd x #x01)", "x", Some(false));
        check("(bvmul x y)", "(bvmul x z)", None);
        check("(bvadd x x)", "#x01", None);
    }
}
