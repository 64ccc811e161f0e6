//! Disjunctive normal form, where a formula has it already.

use crate::{Connective, Formula, LeafId, Node, NodeId};

/// The terms of a formula that is a disjunction of conjunctions of leaves, each negated or not (`false`), once negations are
/// pushed down to the leaves; nothing where it is not of that shape.
///
/// A single term and a single literal count as such formulas. Truth constants do not.
pub fn terms(formula: &Formula) -> Option<Vec<Vec<(LeafId, bool)>>> {
    let mut terms = Vec::new();
    let mut stack = vec![(formula.root(), true)];
    while let Some((node, positive)) = stack.pop() {
        match parts(formula, node, positive) {
            Parts::Any(args) => stack.extend(args.into_iter().rev()),
            Parts::All(_) | Parts::Literal(_) => terms.push(term(formula, node, positive)?),
            Parts::Other => return None,
        }
    }
    Some(terms)
}

fn term(formula: &Formula, root: NodeId, positive: bool) -> Option<Vec<(LeafId, bool)>> {
    let mut literals = Vec::new();
    let mut stack = vec![(root, positive)];
    while let Some((node, positive)) = stack.pop() {
        match parts(formula, node, positive) {
            Parts::All(args) => stack.extend(args.into_iter().rev()),
            Parts::Literal(leaf) => literals.push((leaf, positive_leaf(formula, node, positive))),
            Parts::Any(_) | Parts::Other => return None,
        }
    }
    Some(literals)
}

/// A node, or its negation, one level down.
enum Parts {
    Any(Vec<(NodeId, bool)>),
    All(Vec<(NodeId, bool)>),
    Literal(LeafId),
    Other,
}

fn parts(formula: &Formula, node: NodeId, positive: bool) -> Parts {
    let (node, positive) = strip(formula, node, positive);
    let args = formula.args(node);
    let same = || args.iter().map(|&arg| (arg, positive)).collect();
    match (formula.node(node), positive) {
        (Node::Leaf(leaf), _) => Parts::Literal(leaf),
        (Node::Apply(Connective::And), true) | (Node::Apply(Connective::Or), false) => Parts::All(same()),
        (Node::Apply(Connective::Or), true) | (Node::Apply(Connective::And), false) => Parts::Any(same()),
        (Node::Apply(Connective::Implies), true) => Parts::Any(vec![(args[0], false), (args[1], true)]),
        (Node::Apply(Connective::Implies), false) => Parts::All(vec![(args[0], true), (args[1], false)]),
        (Node::Constant(_), _)
        | (
            Node::Apply(Connective::Not | Connective::Xor | Connective::Iff | Connective::Distinct | Connective::Ite),
            _,
        ) => Parts::Other,
    }
}

/// Takes negations off the front.
fn strip(formula: &Formula, mut node: NodeId, mut positive: bool) -> (NodeId, bool) {
    while let Node::Apply(Connective::Not) = formula.node(node) {
        node = formula.args(node)[0];
        positive = !positive;
    }
    (node, positive)
}

fn positive_leaf(formula: &Formula, node: NodeId, positive: bool) -> bool {
    strip(formula, node, positive).1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FormulaBuilder;

    #[test]
    fn negations_are_pushed_to_the_leaves() {
        // !(a && !b) || c && d
        let mut builder = FormulaBuilder::new();
        let [a, b, c, d] = std::array::from_fn(|_| builder.leaf().0);
        let not_b = builder.apply(Connective::Not, &[b]);
        let both = builder.apply(Connective::And, &[a, not_b]);
        let negated = builder.apply(Connective::Not, &[both]);
        let other = builder.apply(Connective::And, &[c, d]);
        builder.apply(Connective::Or, &[negated, other]);
        let leaf = LeafId;
        let expected = vec![vec![(leaf(0), false)], vec![(leaf(1), true)], vec![(leaf(2), true), (leaf(3), true)]];
        assert_eq!(terms(&builder.finish()), Some(expected));
    }

    #[test]
    fn a_conjunction_of_disjunctions_is_no_dnf() {
        let mut builder = FormulaBuilder::new();
        let [a, b, c] = std::array::from_fn(|_| builder.leaf().0);
        let either = builder.apply(Connective::Or, &[a, b]);
        builder.apply(Connective::And, &[either, c]);
        assert_eq!(terms(&builder.finish()), None);
    }
}
