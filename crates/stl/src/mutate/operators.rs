//! The operators, one function each: what a place can turn into.

use value::RBig;

use super::describe::Words;
use super::steps::last_place;
use super::{MutationOptions, Operator, Sizes};
use crate::spec::Spec;
use crate::store::{Comparison, Formula, Node, Relation, Store, Window};

/// A changed subformula and the change in words.
type Mutation = (Formula, String);

/// What one operator makes of one place of the formula.
pub fn mutations_at(
    spec: &mut Spec,
    operator: Operator,
    place: u32,
    parents: &[Option<(u32, usize)>],
    sizes: &Sizes,
    options: &MutationOptions,
) -> Vec<Mutation> {
    let formula = spec.occurrences[place as usize].formula;
    let node = spec.store.node(formula).clone();
    let parent = parents[place as usize].map(|(parent, _)| spec.occurrences[parent as usize].formula);
    let parent = parent.map(|parent| spec.store.node(parent).clone());
    match operator {
        Operator::OperandReplacement => operand_replacement(spec, formula, &node),
        Operator::LogicalReplacement => logical_replacement(spec, &node),
        Operator::TemporalReplacement => each(sizes, |step| temporal_replacement(spec, &node, step)),
        Operator::RelationalReplacement => relational_replacement(spec, &node),
        Operator::IntervalReplacement => each(sizes, |step| interval_replacement(spec, &node, step)),
        Operator::ThresholdReplacement => threshold_replacement(spec, &node, &sizes.finest),
        Operator::PropositionNegation => proposition_negation(spec, formula, &node),
        Operator::ExpressionNegation => expression_negation(spec, formula, &node),
        Operator::StuckAt => stuck_at(spec, formula, &node),
        Operator::MissingCondition => missing_condition(spec, &node),
        Operator::MissingTemporal => missing_temporal(spec, &node),
        Operator::TemporalInsertion => {
            each(sizes, |step| temporal_insertion(spec, formula, &node, parent.as_ref(), step))
        }
        Operator::AssociationShift => association_shift(spec, &node, options.shift_over_temporal),
        Operator::UntilReplacement => until_replacement(spec, &node),
    }
}

/// `p & F[a,b] q` is what people write for `p U[a,b] q`, and `p | G[a,b] q` for `p R[a,b] q`.
fn until_replacement(spec: &mut Spec, node: &Node) -> Vec<Mutation> {
    let (Node::And(left, right) | Node::Or(left, right)) = *node else { return Vec::new() };
    let mut others = Vec::new();
    for (plain, temporal) in [(left, right), (right, left)] {
        match (node, spec.store.node(temporal).clone()) {
            (Node::And(..), Node::Finally(window, arg)) => others.push(Node::Until(window, plain, arg)),
            (Node::Or(..), Node::Globally(window, arg)) => others.push(Node::Release(window, plain, arg)),
            _ => {}
        }
    }
    changed(spec, node, others)
}

/// What an operator makes with each size of a step.
fn each(sizes: &Sizes, mutations: impl FnMut(&RBig) -> Vec<Mutation>) -> Vec<Mutation> {
    sizes.times.iter().flat_map(mutations).collect()
}

fn threshold_replacement(spec: &mut Spec, node: &Node, finest: &RBig) -> Vec<Mutation> {
    let Node::Compare(comparison) = node else { return Vec::new() };
    if let Some(names) = spec.names_of(comparison) {
        // Any other value of the enumeration may be meant.
        let others = (0..names.len()).map(RBig::from).filter(|value| *value != comparison.bound);
        let others: Vec<Node> = others.map(|bound| Node::Compare(Comparison { bound, ..comparison.clone() })).collect();
        return changed(spec, node, others);
    }
    let by = if comparison.bound.is_zero() { finest.clone() } else { last_place(&comparison.bound) };
    let bounds = [&comparison.bound - &by, &comparison.bound + &by];
    changed(spec, node, bounds.map(|bound| Node::Compare(Comparison { bound, ..comparison.clone() })))
}

fn operand_replacement(spec: &Spec, formula: Formula, node: &Node) -> Vec<Mutation> {
    if !node.is_proposition() {
        return Vec::new();
    }
    let others = spec.propositions().into_iter().filter(|&other| other != formula);
    others.map(|other| (other, Words::of(spec).instead_of(formula, other))).collect()
}

fn logical_replacement(spec: &mut Spec, node: &Node) -> Vec<Mutation> {
    let (Node::And(left, right) | Node::Or(left, right) | Node::Implies(left, right)) = *node else {
        return Vec::new();
    };
    let others = [Node::Or(left, right), Node::And(left, right), Node::Implies(left, right)];
    changed(spec, node, others.into_iter().filter(|other| other != node))
}

fn temporal_replacement(spec: &mut Spec, node: &Node, step: &RBig) -> Vec<Mutation> {
    let others = match node.clone() {
        Node::Until(window, left, right) => vec![Node::Release(window, left, right)],
        Node::Release(window, left, right) => vec![Node::Until(window, left, right)],
        Node::Finally(window, arg) => {
            let next = window.upper.clone().map(|upper| Node::Next(upper, arg));
            [Node::Globally(window, arg)].into_iter().chain(next).collect()
        }
        Node::Globally(window, arg) => {
            let next = window.upper.clone().map(|upper| Node::Next(upper, arg));
            [Node::Finally(window, arg)].into_iter().chain(next).collect()
        }
        Node::Next(time, arg) => {
            let lower = if time < *step { RBig::ZERO } else { &time - step };
            let window = Window::new(lower, time + step);
            vec![Node::Finally(window.clone(), arg), Node::Globally(window, arg)]
        }
        Node::Once(window, arg) => vec![Node::Historically(window, arg)],
        Node::Historically(window, arg) => vec![Node::Once(window, arg)],
        Node::Constant(_)
        | Node::Signal(_)
        | Node::Compare(_)
        | Node::Not(_)
        | Node::And(..)
        | Node::Or(..)
        | Node::Implies(..)
        | Node::Since(..) => Vec::new(),
    };
    changed(spec, node, others)
}

fn relational_replacement(spec: &mut Spec, node: &Node) -> Vec<Mutation> {
    let Node::Compare(comparison) = node else { return Vec::new() };
    if spec.names_of(comparison).is_some() {
        // The values of an enumeration have no order.
        return Vec::new();
    }
    let wanted = |relation: &Relation| *relation != comparison.relation && *relation != comparison.relation.opposite();
    let with = |relation| Node::Compare(Comparison { relation, ..comparison.clone() });
    changed(spec, node, Relation::ALL.into_iter().filter(wanted).map(with))
}

fn interval_replacement(spec: &mut Spec, node: &Node, step: &RBig) -> Vec<Mutation> {
    if let Node::Next(time, arg) = node {
        let times = [time - step, time + step].into_iter().filter(|time| RBig::ZERO <= *time);
        return changed(spec, node, times.map(|time| Node::Next(time, *arg)));
    }
    let Some(Window { lower, upper }) = node.window() else { return Vec::new() };
    let mut windows = vec![(lower - step, upper.clone()), (lower + step, upper.clone())];
    if let Some(upper) = upper {
        windows.push((lower.clone(), Some(upper - step)));
        windows.push((lower.clone(), Some(upper + step)));
    }
    let windows = windows.into_iter().map(|(lower, upper)| Window { lower, upper });
    let windows = windows.filter(|window| RBig::ZERO <= window.lower && !window.is_empty());
    changed(spec, node, windows.map(|window| node.with_window(window)))
}

fn proposition_negation(spec: &mut Spec, formula: Formula, node: &Node) -> Vec<Mutation> {
    if !node.is_proposition() {
        return Vec::new();
    }
    let negated = spec.store.add(Node::Not(formula));
    vec![(negated, Words::of(spec).negated(formula))]
}

fn expression_negation(spec: &mut Spec, formula: Formula, node: &Node) -> Vec<Mutation> {
    if let Node::Not(arg) = *node {
        return vec![(arg, Words::of(spec).without_negation(arg))];
    }
    if !node.is_logical() {
        return Vec::new();
    }
    let negated = spec.store.add(Node::Not(formula));
    vec![(negated, Words::of(spec).negated(formula))]
}

fn stuck_at(spec: &mut Spec, formula: Formula, node: &Node) -> Vec<Mutation> {
    if !node.is_proposition() {
        return Vec::new();
    }
    let stuck = |truth| (spec.store.add(Node::Constant(truth)), truth);
    let constants = [true, false].map(stuck);
    constants.map(|(constant, truth)| (constant, Words::of(spec).stuck(formula, truth))).into()
}

fn missing_condition(spec: &Spec, node: &Node) -> Vec<Mutation> {
    let words = Words::of(spec);
    match *node {
        Node::And(left, right) | Node::Or(left, right) => {
            vec![(left, words.dropped(right)), (right, words.dropped(left))]
        }
        Node::Implies(left, right) => vec![(right, words.dropped(left))],
        _ => Vec::new(),
    }
}

fn missing_temporal(spec: &Spec, node: &Node) -> Vec<Mutation> {
    let words = Words::of(spec);
    match *node {
        Node::Finally(_, arg)
        | Node::Globally(_, arg)
        | Node::Next(_, arg)
        | Node::Once(_, arg)
        | Node::Historically(_, arg) => vec![(arg, words.without(node))],
        Node::Until(_, left, right) | Node::Release(_, left, right) | Node::Since(_, left, right) => {
            vec![(left, words.only(node, left)), (right, words.only(node, right))]
        }
        _ => Vec::new(),
    }
}

fn temporal_insertion(
    spec: &mut Spec,
    formula: Formula,
    node: &Node,
    parent: Option<&Node>,
    step: &RBig,
) -> Vec<Mutation> {
    let below_logic = parent.is_some_and(|parent| parent.is_logical() || matches!(parent, Node::Not(_)));
    if !node.is_proposition() && !below_logic {
        return Vec::new();
    }
    let window = Window::new(RBig::ZERO, step.clone());
    let inserted =
        [Node::Finally(window.clone(), formula), Node::Globally(window, formula), Node::Next(step.clone(), formula)];
    let add = |node: Node| {
        let inserted = spec.store.add(node.clone());
        (inserted, Words::of(spec).inserted(&node, formula))
    };
    inserted.into_iter().map(add).collect()
}

fn association_shift(spec: &mut Spec, node: &Node, over_temporal: bool) -> Vec<Mutation> {
    let Some((left, right)) = binary(node) else { return Vec::new() };
    let mut shifted: Vec<Formula> = Vec::new();
    let store = &mut spec.store;
    let (left_node, right_node) = (store.node(left).clone(), store.node(right).clone());
    let associative =
        |inner: &Node| matches!((node, inner), (Node::And(..), Node::And(..)) | (Node::Or(..), Node::Or(..)));
    if let Some((first, second)) = binary(&left_node).filter(|_| !associative(&left_node)) {
        let inner = store.add(node.with_args(&[second, right]));
        shifted.push(store.add(left_node.with_args(&[first, inner])));
    }
    if let Some((first, second)) = binary(&right_node).filter(|_| !associative(&right_node)) {
        let inner = store.add(node.with_args(&[left, first]));
        shifted.push(store.add(right_node.with_args(&[inner, second])));
    }
    if over_temporal {
        shifted.extend(unary(&left_node).map(|arg| outwards(store, node, &left_node, [arg, right])));
        shifted.extend(unary(&right_node).map(|arg| outwards(store, node, &right_node, [left, arg])));
    }
    shifted.into_iter().map(|formula| (formula, Words::of(spec).bracketed(formula))).collect()
}

/// The temporal operator of an operand, moved outside.
fn outwards(store: &mut Store, node: &Node, temporal: &Node, args: [Formula; 2]) -> Formula {
    let inner = store.add(node.with_args(&args));
    store.add(temporal.with_args(&[inner]))
}

fn binary(node: &Node) -> Option<(Formula, Formula)> {
    match *node {
        Node::And(left, right)
        | Node::Or(left, right)
        | Node::Implies(left, right)
        | Node::Until(_, left, right)
        | Node::Release(_, left, right)
        | Node::Since(_, left, right) => Some((left, right)),
        Node::Constant(_)
        | Node::Signal(_)
        | Node::Compare(_)
        | Node::Not(_)
        | Node::Next(..)
        | Node::Finally(..)
        | Node::Globally(..)
        | Node::Once(..)
        | Node::Historically(..) => None,
    }
}

fn unary(node: &Node) -> Option<Formula> {
    match *node {
        Node::Next(_, arg)
        | Node::Finally(_, arg)
        | Node::Globally(_, arg)
        | Node::Once(_, arg)
        | Node::Historically(_, arg) => Some(arg),
        _ => None,
    }
}

/// Other operators at the same place, each with words.
fn changed(spec: &mut Spec, node: &Node, others: impl IntoIterator<Item = Node>) -> Vec<Mutation> {
    let add = |other: Node| {
        let formula = spec.store.add(other.clone());
        (formula, Words::of(spec).operator(node, &other))
    };
    others.into_iter().map(add).collect()
}
