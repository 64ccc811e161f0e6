//! Watches value functions being evaluated.

use crate::core::{FunctionId, NodeId, NodeKind, Spec};
use crate::goals::Goals;
use crate::interp::Observer;
use crate::obligation::Obligation;
use crate::operator::Operator;
use crate::place::Origin;
use crate::value::Value;

/// What is to be watched in each function.
#[derive(Debug)]
pub(super) struct Table {
    functions: Vec<Watched>,
}

#[derive(Debug, Default)]
struct Watched {
    /// For each node: the obligations on the branches of a conditional, false and true.
    branches: Vec<[Option<u32>; 2]>,
    /// For each node: the obligations on the values of a condition, false and true.
    conditions: Vec<[Option<u32>; 2]>,
    /// For each node: the obligation on a partial operator, with its origin.
    undefined: Vec<Option<(u32, Origin)>>,
    /// Decision, condition, its value, and the obligation.
    active: Vec<(NodeId, NodeId, bool, u32)>,
    kinds: Vec<Link>,
}

/// How a node passes truth values on.
#[derive(Clone, Copy, Debug)]
enum Link {
    And(NodeId, NodeId),
    Or(NodeId, NodeId),
    Not(NodeId),
    Condition,
}

impl Table {
    pub(super) fn new(spec: &Spec, goals: &Goals) -> Table {
        let mut functions: Vec<Watched> = spec
            .functions
            .iter()
            .map(|function| {
                let count = function.nodes.len();
                let link = |kind: &NodeKind| match kind {
                    NodeKind::And(left, right) => Link::And(*left, *right),
                    NodeKind::Or(left, right) => Link::Or(*left, *right),
                    NodeKind::Apply(Operator::Not, operands) => Link::Not(operands[0]),
                    _ => Link::Condition,
                };
                Watched {
                    branches: vec![[None; 2]; count],
                    conditions: vec![[None; 2]; count],
                    undefined: vec![None; count],
                    active: Vec::new(),
                    kinds: function.nodes.iter().map(|node| link(&node.kind)).collect(),
                }
            })
            .collect();
        for (index, obligation) in goals.obligations.iter().enumerate() {
            let index = index as u32;
            match obligation {
                Obligation::Branch { site, outcome } => {
                    functions[site.function.0 as usize].branches[site.node.0 as usize][usize::from(*outcome)] =
                        Some(index);
                }
                Obligation::Condition { site, value } => {
                    functions[site.function.0 as usize].conditions[site.node.0 as usize][usize::from(*value)] =
                        Some(index);
                }
                Obligation::Undefined { site } => {
                    let origin = spec.function(site.function).node(site.node).origin;
                    functions[site.function.0 as usize].undefined[site.node.0 as usize] = Some((index, origin));
                }
                Obligation::Active { decision, condition, value } => {
                    let watched = &mut functions[decision.function.0 as usize];
                    watched.active.push((decision.node, *condition, *value, index));
                }
                Obligation::Assertions
                | Obligation::Visible { .. }
                | Obligation::Last { .. }
                | Obligation::Delay { .. }
                | Obligation::Merge { .. }
                | Obligation::Output { .. } => {}
            }
        }
        Table { functions }
    }
}

/// Marks the obligations that evaluations meet.
#[derive(Debug)]
pub(super) struct Watch<'a> {
    table: &'a Table,
    hits: Vec<bool>,
    /// The functions being evaluated, with the truth values of their nodes so far.
    stack: Vec<(FunctionId, Vec<Option<bool>>)>,
}

impl<'a> Watch<'a> {
    pub(super) fn new(table: &'a Table, obligations: usize) -> Watch<'a> {
        Watch { table, hits: vec![false; obligations], stack: Vec::new() }
    }

    pub(super) fn hits(&self) -> &[bool] {
        &self.hits
    }

    fn hit(&mut self, obligation: Option<u32>) {
        if let Some(obligation) = obligation {
            self.hits[obligation as usize] = true;
        }
    }
}

impl Observer for Watch<'_> {
    const ACTIVE: bool = true;

    fn enter(&mut self, function: FunctionId) {
        let watched = &self.table.functions[function.0 as usize];
        let count = if watched.active.is_empty() { 0 } else { watched.kinds.len() };
        self.stack.push((function, vec![None; count]));
    }

    fn node(&mut self, node: NodeId, value: &Value) {
        let Some((function, values)) = self.stack.last_mut() else { return };
        let watched = &self.table.functions[function.0 as usize];
        match value {
            Value::Bool(value) => {
                if let Some(known) = values.get_mut(node.0 as usize) {
                    *known = Some(*value);
                }
                let obligation = watched.conditions[node.0 as usize][usize::from(*value)];
                self.hit(obligation);
            }
            Value::Failure(failure) => {
                let obligation = watched.undefined[node.0 as usize].filter(|(_, origin)| *origin == failure.origin);
                self.hit(obligation.map(|(obligation, _)| obligation));
            }
            _ => {}
        }
    }

    fn decide(&mut self, node: NodeId, outcome: bool) {
        let Some((function, _)) = self.stack.last() else { return };
        let obligation = self.table.functions[function.0 as usize].branches[node.0 as usize][usize::from(outcome)];
        self.hit(obligation);
    }

    fn leave(&mut self) {
        let Some((function, values)) = self.stack.pop() else { return };
        let watched = &self.table.functions[function.0 as usize];
        for (decision, condition, value, obligation) in &watched.active {
            let is_met = values[decision.0 as usize].is_some()
                && values[condition.0 as usize] == Some(*value)
                && is_active(&watched.kinds, &values, *decision, *condition);
            if is_met {
                self.hits[*obligation as usize] = true;
            }
        }
    }
}

/// Whether nothing that was evaluated masks a condition of a decision.
fn is_active(kinds: &[Link], values: &[Option<bool>], decision: NodeId, condition: NodeId) -> bool {
    let mut open = vec![decision];
    while let Some(at) = open.pop() {
        if at == condition {
            return true;
        }
        let value = |node: NodeId| values[node.0 as usize];
        match kinds[at.0 as usize] {
            Link::Condition => {}
            Link::Not(inner) => open.push(inner),
            // The left operand counts unless it lets the right one settle the matter; the right one wherever it was evaluated.
            Link::And(left, right) => {
                if value(left) == Some(false) || value(right) == Some(true) {
                    open.push(left);
                }
                if value(left) == Some(true) {
                    open.push(right);
                }
            }
            Link::Or(left, right) => {
                if value(left) == Some(true) || value(right) == Some(false) {
                    open.push(left);
                }
                if value(left) == Some(false) {
                    open.push(right);
                }
            }
        }
    }
    false
}
