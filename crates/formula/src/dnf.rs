//! Disjunctive normal form: read off a formula that has it, or computed from a truth table.

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

/// The most variables for which [`irredundant`] is offered.
pub const IRREDUNDANT_VARIABLES: u32 = 12;

/// A disjunctive normal form of prime implicants of which none can be left out, for a function of `variables` truth values;
/// bit `i` of the argument of `truth` is the value of variable `i`. Nothing for more variables than are offered.
///
/// The constant false has no term, the constant true one empty term.
pub fn irredundant(variables: u32, truth: impl Fn(u32) -> bool) -> Option<Vec<Vec<(u32, bool)>>> {
    if IRREDUNDANT_VARIABLES < variables {
        return None;
    }
    let mut primes = primes(variables, truth);
    let mut covered = vec![0u32; 1 << variables];
    for cube in &primes {
        cube.points(variables).for_each(|point| covered[point as usize] += 1);
    }
    // Long terms go first.
    primes.sort_by_key(|cube| (std::cmp::Reverse(cube.fixed.count_ones()), cube.fixed, cube.values));
    primes.retain(|cube| {
        let needed = cube.points(variables).any(|point| covered[point as usize] == 1);
        if !needed {
            cube.points(variables).for_each(|point| covered[point as usize] -= 1);
        }
        needed
    });
    primes.sort_by_key(|cube| (cube.fixed.reverse_bits(), cube.values.reverse_bits()));
    primes.reverse();
    let literals = |cube: &Cube| {
        let fixed = (0..variables).filter(|variable| cube.fixed >> variable & 1 == 1);
        fixed.map(|variable| (variable, cube.values >> variable & 1 == 1)).collect()
    };
    Some(primes.iter().map(literals).collect())
}

/// The points at which the variables in `fixed` have the values in `values`, which has no other bits.
#[derive(Clone, Copy)]
struct Cube {
    fixed: u32,
    values: u32,
}

impl Cube {
    fn points(self, variables: u32) -> impl Iterator<Item = u32> {
        let free = !self.fixed & ((1 << variables) - 1);
        // Counts through the subsets of the free bits.
        std::iter::successors(Some(0u32), move |&subset| {
            let next = subset.wrapping_sub(free) & free;
            (next != 0).then_some(next)
        })
        .map(move |subset| self.values | subset)
    }
}

/// The prime implicants. A cube is numbered in base three, a digit per variable: false, true, either.
fn primes(variables: u32, truth: impl Fn(u32) -> bool) -> Vec<Cube> {
    let powers: Vec<usize> = (0..=variables).map(|exponent| 3usize.pow(exponent)).collect();
    let digit = |cube: usize, variable: u32| cube / powers[variable as usize] % 3;
    let mut implicant = vec![false; powers[variables as usize]];
    for cube in 0..implicant.len() {
        implicant[cube] = match (0..variables).find(|&variable| digit(cube, variable) == 2) {
            Some(variable) => {
                let power = powers[variable as usize];
                implicant[cube - power] && implicant[cube - 2 * power]
            }
            None => truth((0..variables).filter(|&variable| digit(cube, variable) == 1).map(|one| 1 << one).sum()),
        };
    }
    let is_prime = |&cube: &usize| {
        let wider = |variable: u32| cube + (2 - digit(cube, variable)) * powers[variable as usize];
        implicant[cube] && (0..variables).all(|variable| digit(cube, variable) == 2 || !implicant[wider(variable)])
    };
    let cube = |cube: usize| {
        let bits = |wanted: fn(usize) -> bool| {
            (0..variables).filter(|&variable| wanted(digit(cube, variable))).map(|one| 1u32 << one).sum()
        };
        Cube { fixed: bits(|digit| digit < 2), values: bits(|digit| digit == 1) }
    };
    (0..implicant.len()).filter(is_prime).map(cube).collect()
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
