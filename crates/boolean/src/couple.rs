//! Coupling between conditions, as far as the text shows it.
//!
//! Two conditions are strongly coupled when one cannot change without the other, weakly when that is so on some inputs.
//! Whether they are takes a solver; what can be seen without one is whether they could be.

use formula::LeafId;
use rustc_hash::FxHashMap;

use crate::{Decision, ExprId, ExprKind, Operator, Spec, VariableId};

/// What two conditions visibly share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Coupling {
    /// They are occurrences of one atom: always equal.
    SameAtom,
    /// One is the other's negation, as `a > 5` and `a <= 5`: always different.
    Complement,
    /// They mention a variable in common: possibly coupled.
    SharedVariables,
}

/// The visible couplings of a decision.
#[derive(Clone, Debug)]
pub struct Couplings<'a> {
    spec: &'a Spec,
    decision: &'a Decision,
    /// The variables of every atom, in ascending order.
    variables: FxHashMap<ExprId, Vec<VariableId>>,
}

impl<'a> Couplings<'a> {
    /// Of the decision at position `decision`.
    pub fn new(spec: &'a Spec, decision: usize) -> Couplings<'a> {
        let decision = &spec.decisions[decision];
        let mut variables = FxHashMap::default();
        for condition in &decision.conditions {
            variables.entry(condition.atom).or_insert_with(|| variables_of(spec, condition.atom));
        }
        Couplings { spec, decision, variables }
    }

    /// The variables a condition mentions, in ascending order.
    pub fn variables(&self, leaf: LeafId) -> &[VariableId] {
        &self.variables[&self.atom(leaf)]
    }

    /// What two conditions visibly share; nothing where they are independent of one another.
    pub fn between(&self, left: LeafId, right: LeafId) -> Option<Coupling> {
        let (first, second) = (self.atom(left), self.atom(right));
        if first == second {
            return Some(Coupling::SameAtom);
        }
        if complements(self.spec, first, second) {
            return Some(Coupling::Complement);
        }
        let others = self.variables(right);
        let shared = self.variables(left).iter().any(|variable| others.binary_search(variable).is_ok());
        shared.then_some(Coupling::SharedVariables)
    }

    /// Every visibly coupled pair of different conditions, in order.
    pub fn pairs(&self) -> impl Iterator<Item = (LeafId, LeafId, Coupling)> {
        let count = self.decision.conditions.len() as u32;
        (0..count).flat_map(move |left| {
            (left + 1..count).filter_map(move |right| {
                let (left, right) = (LeafId(left), LeafId(right));
                self.between(left, right).map(|coupling| (left, right, coupling))
            })
        })
    }

    fn atom(&self, leaf: LeafId) -> ExprId {
        self.decision.conditions[leaf.0 as usize].atom
    }
}

/// Whether two comparisons of the same sides exclude each other and leave no third possibility.
fn complements(spec: &Spec, left: ExprId, right: ExprId) -> bool {
    let comparison = |id: ExprId| match &spec.expr(id).kind {
        ExprKind::Apply { operator, args, .. } if args.len() == 2 => Some((*operator, args[0], args[1])),
        ExprKind::Apply { .. } | ExprKind::Variable(_) | ExprKind::Literal(_) => None,
    };
    let (Some((first, a, b)), Some((second, c, d))) = (comparison(left), comparison(right)) else { return false };
    use Operator as O;
    let opposite = [
        (O::Lt, O::Ge, O::Le),
        (O::Le, O::Gt, O::Lt),
        (O::Gt, O::Le, O::Ge),
        (O::Ge, O::Lt, O::Gt),
        (O::BvUlt, O::BvUge, O::BvUle),
        (O::BvUle, O::BvUgt, O::BvUlt),
        (O::BvUgt, O::BvUle, O::BvUge),
        (O::BvUge, O::BvUlt, O::BvUgt),
        (O::Eq, O::Distinct, O::Distinct),
        (O::Distinct, O::Eq, O::Eq),
    ];
    let row = opposite.into_iter().find(|(operator, ..)| *operator == first);
    row.is_some_and(|(_, same_order, swapped)| {
        (a, b) == (c, d) && second == same_order || (a, b) == (d, c) && second == swapped
    })
}

fn variables_of(spec: &Spec, root: ExprId) -> Vec<VariableId> {
    let mut found = Vec::new();
    let mut seen: FxHashMap<ExprId, ()> = FxHashMap::default();
    let mut stack = vec![root];
    while let Some(id) = stack.pop() {
        if seen.insert(id, ()).is_some() {
            continue;
        }
        match &spec.expr(id).kind {
            ExprKind::Variable(variable) => found.push(*variable),
            ExprKind::Literal(_) => {}
            ExprKind::Apply { args, .. } => stack.extend(args),
        }
    }
    found.sort_unstable();
    found
}
