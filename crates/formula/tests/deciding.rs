//! The one-pass computation of deciding leaves against the definition, on wide and narrow connectives.

use formula::{Connective, Formula, FormulaBuilder, NodeId};
use proptest::prelude::*;

/// A formula from a recipe: each step joins the last nodes by a connective.
fn build(steps: &[(u8, u8)]) -> Formula {
    let mut builder = FormulaBuilder::new();
    let mut roots: Vec<NodeId> = vec![builder.leaf().0];
    for &(kind, count) in steps {
        let connective = [
            Connective::And,
            Connective::Or,
            Connective::Not,
            Connective::Xor,
            Connective::Implies,
            Connective::Iff,
            Connective::Distinct,
            Connective::Ite,
        ][kind as usize % 8];
        let wanted = match connective {
            Connective::Not => 1,
            Connective::Implies => 2,
            Connective::Ite => 3,
            Connective::And | Connective::Or => 2 + count as usize % 12,
            Connective::Xor | Connective::Iff | Connective::Distinct => 2 + count as usize % 3,
        };
        while roots.len() < wanted {
            let fresh = if count % 7 == 6 { builder.constant(count % 2 == 0) } else { builder.leaf().0 };
            roots.push(fresh);
        }
        let args = roots.split_off(roots.len() - wanted);
        roots.push(builder.apply(connective, &args));
    }
    if 1 < roots.len() {
        builder.apply(Connective::Or, &roots);
    }
    builder.finish()
}

proptest! {
    #[test]
    fn deciding_is_flipping(steps in prop::collection::vec((any::<u8>(), any::<u8>()), 1..12), bits in prop::collection::vec(any::<bool>(), 160)) {
        let formula = build(&steps);
        let leaves = &bits[..formula.leaf_count()];
        let outcome = formula.eval(leaves);
        for (leaf, decides) in formula.deciding(leaves).into_iter().enumerate() {
            let mut flipped = leaves.to_vec();
            flipped[leaf] = !flipped[leaf];
            prop_assert_eq!(decides, formula.eval(&flipped) != outcome);
        }
    }

    #[test]
    fn a_formula_is_its_terms(steps in prop::collection::vec((0u8..3, any::<u8>()), 1..6), bits in prop::collection::vec(any::<bool>(), 160)) {
        let formula = build(&steps);
        if let Some(terms) = formula::dnf::terms(&formula) {
            let leaves = &bits[..formula.leaf_count()];
            let holds = terms.iter().any(|term| term.iter().all(|(leaf, positive)| leaves[leaf.0 as usize] == *positive));
            prop_assert_eq!(holds, formula.eval(leaves));
        }
    }

    #[test]
    fn irredundant_forms_are_equal_and_need_every_term(table in any::<u32>(), variables in 0u32..6) {
        let truth = |point: u32| table >> point & 1 == 1;
        let terms = formula::dnf::irredundant(variables, truth).expect("few variables");
        let holds = |term: &[(u32, bool)], point: u32| term.iter().all(|(variable, positive)| (point >> variable & 1 == 1) == *positive);
        for point in 0..1 << variables {
            prop_assert_eq!(terms.iter().any(|term| holds(term, point)), truth(point));
        }
        for (left_out, term) in terms.iter().enumerate() {
            let others = terms.iter().enumerate().filter(|(index, _)| *index != left_out).map(|(_, other)| other);
            let alone = |point: u32| holds(term, point) && !others.clone().any(|other| holds(other, point));
            prop_assert!((0..1 << variables).any(alone), "a term can be left out");
            for literal in 0..term.len() {
                let mut shorter = term.clone();
                shorter.remove(literal);
                prop_assert!((0..1 << variables).any(|point| holds(&shorter, point) && !truth(point)), "a literal can be left out");
            }
        }
    }
}
