//! How close to their borders the comparisons of a run are decided.

use std::collections::BTreeMap;

use value::IBig;

use crate::core::{FunctionId, NodeId, NodeKind, Spec};
use crate::interp::Observer;
use crate::operator::Operator;
use crate::value::Value;

/// What a run decides, and how closely.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Borders {
    /// Everything that is decided, in order: every truth value in a function, and whether each output has an event.
    pub course: Vec<(u32, u32, bool)>,
    /// For each comparison of integers and each outcome: by how much its sides could come closer without another outcome, at best.
    pub distances: BTreeMap<(FunctionId, NodeId, bool), IBig>,
}

/// Compares the sides of comparisons.
#[derive(Debug)]
pub(super) struct Ruler<'a> {
    spec: &'a Spec,
    pub(super) borders: Borders,
    /// The functions being evaluated, with the integers of their nodes so far.
    stack: Vec<(FunctionId, BTreeMap<NodeId, IBig>)>,
}

impl<'a> Ruler<'a> {
    pub(super) fn new(spec: &'a Spec) -> Ruler<'a> {
        Ruler { spec, borders: Borders::default(), stack: Vec::new() }
    }
}

impl Observer for Ruler<'_> {
    const ACTIVE: bool = true;

    fn enter(&mut self, function: FunctionId) {
        self.stack.push((function, BTreeMap::new()));
    }

    fn node(&mut self, node: NodeId, value: &Value) {
        let Some((function, integers)) = self.stack.last_mut() else { return };
        if let Some(integer) = value.as_integer() {
            integers.insert(node, integer);
        }
        let Value::Bool(outcome) = value else { return };
        self.borders.course.push((function.0, node.0, *outcome));
        let NodeKind::Apply(operator, operands) = &self.spec.function(*function).node(node).kind else { return };
        let Some(least) = least_distance(*operator, *outcome) else { return };
        let (Some(left), Some(right)) = (integers.get(&operands[0]), integers.get(&operands[1])) else { return };
        let apart = if left < right { right - left } else { left - right };
        let distance = apart - IBig::from(least);
        let known = self.borders.distances.entry((*function, node, *outcome)).or_insert_with(|| distance.clone());
        if distance < *known {
            *known = distance;
        }
    }

    fn decide(&mut self, node: NodeId, outcome: bool) {
        if let Some((function, _)) = self.stack.last() {
            self.borders.course.push((function.0, node.0, outcome));
        }
    }

    fn leave(&mut self) {
        self.stack.pop();
    }
}

/// How far apart the sides of a comparison are at least, given its outcome; nothing for other operators.
fn least_distance(operator: Operator, outcome: bool) -> Option<u8> {
    match (operator, outcome) {
        (Operator::Less | Operator::Greater | Operator::NotEqual, true) => Some(1),
        (Operator::LessEqual | Operator::GreaterEqual | Operator::Equal, false) => Some(1),
        (Operator::Less | Operator::Greater | Operator::NotEqual, false) => Some(0),
        (Operator::LessEqual | Operator::GreaterEqual | Operator::Equal, true) => Some(0),
        _ => None,
    }
}
