//! Mutants: models with one small mistake, as patches on the syntax tree.

mod declarations;
mod expressions;
mod operator;
mod path;
mod statements;

use std::collections::BTreeMap;
use std::sync::Arc;

use source::Span;

use crate::ast::{Action, Argument, Expr, Initial, Loop, Model, Stmt, TypeKind};
use crate::{Notation, Revision, Spec, check, print_expression, print_statement};

pub use operator::{Operator, OperatorSet};
pub use path::Path;

/// A mutant of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// A stable name: the operator, the action and a number, such as `increment.after.3`.
    pub id: String,
    /// The operator of each change.
    pub operators: Vec<Operator>,
    /// The changes; none for the identity, several for a mutant of higher order.
    pub edits: Vec<Edit>,
}

/// A change of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The action changed, where it is one.
    pub action: Option<String>,
    /// Where in the text.
    pub span: Span,
    /// The text before.
    pub before: String,
    /// The text after.
    pub after: String,
    change: Change,
}

/// What changes.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Change {
    Expr { action: usize, path: Path, new: Expr },
    Stmt { action: usize, path: Path, new: Stmt },
    Argument { call: usize, argument: usize, new: Argument },
    Initial { variable: usize, cell: Option<usize>, new: i64 },
    Bounds { kind: usize, low: i64, high: i64 },
}

/// The mutants of a model by a set of operators, in a fixed order; those that are not models any more are left out.
pub fn mutants(spec: &Spec, operators: &OperatorSet, notation: Notation) -> Vec<Mutant> {
    let mut maker =
        Maker { spec, revision: Revision::of(spec), notation, counts: BTreeMap::new(), mutants: Vec::new() };
    for operator in Operator::ALL.iter().copied().filter(|operator| operators.contains(*operator)) {
        match operator {
            Operator::Identity => {
                let id = operator.name().to_owned();
                maker.mutants.push(Mutant { id, operators: vec![operator], edits: Vec::new() });
            }
            Operator::Delete | Operator::Swap | Operator::Branch => maker.statements(operator),
            Operator::Argument | Operator::Initial | Operator::Bound => maker.declarations(operator),
            Operator::GuardTrue
            | Operator::GuardNegation
            | Operator::Equality
            | Operator::Relational
            | Operator::Logical
            | Operator::Arithmetic
            | Operator::Increment
            | Operator::Constant
            | Operator::Variable => maker.expressions(operator),
        }
    }
    maker.mutants
}

/// Mutants with two changes in different places: every `stride`-th pair, at most `limit` of them.
pub fn second_order(first: &[Mutant], limit: usize) -> Vec<Mutant> {
    let single: Vec<&Mutant> = first.iter().filter(|mutant| mutant.edits.len() == 1).collect();
    let pairs = single.len() * single.len().saturating_sub(1) / 2;
    let stride = pairs.div_ceil(limit.max(1)).max(1);
    let mut number = 0;
    let mut chosen = Vec::new();
    for (index, left) in single.iter().enumerate() {
        for right in &single[index + 1..] {
            number += 1;
            if number % stride == 0 && chosen.len() < limit && !left.edits[0].overlaps(&right.edits[0]) {
                chosen.push(Mutant {
                    id: format!("{}+{}", left.id, right.id),
                    operators: [left.operators.clone(), right.operators.clone()].concat(),
                    edits: [left.edits.clone(), right.edits.clone()].concat(),
                });
            }
        }
    }
    chosen
}

impl Mutant {
    /// The syntax tree of the mutant.
    pub fn model(&self, original: &Model) -> Model {
        let mut model = original.clone();
        for edit in &self.edits {
            edit.apply(&mut model);
        }
        model
    }

    /// The checked mutant; none where the change makes the model invalid.
    pub fn spec(&self, revision: &Revision<'_>) -> Option<Spec> {
        let model = self.model(&revision.original().model);
        match self.replacements(&revision.original().model) {
            Some(replacements) => revision.revised(model, &replacements),
            None => check(model).ok().map(|(spec, _)| spec),
        }
    }

    /// Whether the change leaves a model.
    pub fn is_model(&self, revision: &Revision<'_>) -> bool {
        let original = &revision.original().model;
        match self.replacements(original) {
            Some(replacements) => revision.resolved(&replacements).is_some(),
            None => check(self.model(original)).is_ok(),
        }
    }

    /// The actions changed, as they are afterwards; none where something else changes.
    fn replacements(&self, original: &Model) -> Option<Vec<(usize, Arc<Action>)>> {
        let mut replacements: Vec<(usize, Arc<Action>)> = Vec::new();
        for edit in &self.edits {
            let number = edit.changed_action()?;
            let place = replacements.iter().position(|(other, _)| *other == number).unwrap_or_else(|| {
                replacements.push((number, original.actions[number].clone()));
                replacements.len() - 1
            });
            edit.apply_to_action(Arc::make_mut(&mut replacements[place].1));
        }
        Some(replacements)
    }

    /// The action changed, for reports; empty where the change is elsewhere.
    pub fn action(&self) -> &str {
        self.edits.first().and_then(|edit| edit.action.as_deref()).unwrap_or("")
    }

    /// What it changes, in words.
    pub fn describe(&self) -> String {
        if self.edits.is_empty() {
            return "the unchanged model".to_owned();
        }
        self.edits.iter().map(Edit::describe).collect::<Vec<_>>().join("; ")
    }
}

impl Edit {
    /// What it changes, in words.
    pub fn describe(&self) -> String {
        match &self.action {
            Some(action) => format!("{action}: `{}` becomes `{}`", self.before, self.after),
            None => format!("`{}` becomes `{}`", self.before, self.after),
        }
    }

    /// The action changed, where that is all.
    fn changed_action(&self) -> Option<usize> {
        match &self.change {
            Change::Expr { action, .. } | Change::Stmt { action, .. } => Some(*action),
            Change::Argument { .. } | Change::Initial { .. } | Change::Bounds { .. } => None,
        }
    }

    /// Changes the one action that changes.
    fn apply_to_action(&self, action: &mut Action) {
        match &self.change {
            Change::Expr { path, new, .. } => *path::expr_mut(action, path) = new.clone(),
            Change::Stmt { path, new, .. } => *path::stmt_mut(action, path) = new.clone(),
            Change::Argument { .. } | Change::Initial { .. } | Change::Bounds { .. } => {}
        }
    }

    fn apply(&self, model: &mut Model) {
        match &self.change {
            Change::Expr { action, .. } | Change::Stmt { action, .. } => {
                let mut changed = model.actions[*action].clone();
                self.apply_to_action(Arc::make_mut(&mut changed));
                model.actions.set(*action, changed);
            }
            Change::Argument { call, argument, new } => {
                let mut calls = Vec::new();
                if let Some(body) = &mut model.body {
                    calls_mut(Arc::make_mut(body), &mut calls);
                }
                calls.swap_remove(*call).arguments[*argument] = new.clone();
            }
            Change::Initial { variable, cell, new } => {
                let initial = &mut Arc::make_mut(&mut model.variables)[*variable].initial;
                match (initial, cell) {
                    (Initial::List(items, _), Some(cell)) => items[*cell] = Initial::Number(*new, Default::default()),
                    (initial, _) => *initial = Initial::Number(*new, Default::default()),
                }
            }
            Change::Bounds { kind, low, high } => {
                if let TypeKind::Interval { low: least, high: most, .. } =
                    &mut Arc::make_mut(&mut model.types)[*kind].kind
                {
                    (*least, *most) = (*low, *high);
                }
            }
        }
    }

    /// Whether one change would destroy the place of the other.
    fn overlaps(&self, other: &Edit) -> bool {
        let place = |change: &Change| match change {
            Change::Expr { action, path, .. } | Change::Stmt { action, path, .. } => Some((*action, path.clone())),
            Change::Argument { .. } | Change::Initial { .. } | Change::Bounds { .. } => None,
        };
        match (place(&self.change), place(&other.change)) {
            (Some((left, one)), Some((right, two))) => {
                left == right && (one.starts_with(&two) || two.starts_with(&one))
            }
            _ => self.span == other.span,
        }
    }
}

/// Every call of a do-od block, in order.
fn calls_mut<'a>(body: &'a mut Loop, calls: &mut Vec<&'a mut crate::ast::Call>) {
    match body {
        Loop::Call(call) => calls.push(call),
        Loop::Sequence(parts) | Loop::Choice(parts) | Loop::Priority(parts) => {
            parts.iter_mut().for_each(|part| calls_mut(part, calls));
        }
    }
}

struct Maker<'a> {
    spec: &'a Spec,
    revision: Revision<'a>,
    notation: Notation,
    counts: BTreeMap<(Operator, String), usize>,
    mutants: Vec<Mutant>,
}

impl Maker<'_> {
    /// Adds a mutant if it is still a model.
    fn add(&mut self, operator: Operator, edit: Edit) {
        let place = edit.action.clone().unwrap_or_else(|| "model".to_owned());
        let number = self.counts.entry((operator, place.clone())).or_insert(0);
        *number += 1;
        let id = format!("{}.{place}.{number}", operator.name());
        let mutant = Mutant { id, operators: vec![operator], edits: vec![edit] };
        if mutant.is_model(&self.revision) {
            self.mutants.push(mutant);
        }
    }

    fn change_expr(&mut self, operator: Operator, action: usize, path: &Path, old: &Expr, new: Expr) {
        let edit = Edit {
            action: Some(self.action(action).name.text.clone()),
            span: old.span(),
            before: print_expression(old, self.notation),
            after: print_expression(&new, self.notation),
            change: Change::Expr { action, path: path.clone(), new },
        };
        self.add(operator, edit);
    }

    fn change_stmt(&mut self, operator: Operator, action: usize, path: &Path, old: &Stmt, new: Stmt) {
        let edit = Edit {
            action: Some(self.action(action).name.text.clone()),
            span: path::stmt_span(old),
            before: print_statement(old, self.notation),
            after: print_statement(&new, self.notation),
            change: Change::Stmt { action, path: path.clone(), new },
        };
        self.add(operator, edit);
    }

    fn action(&self, action: usize) -> &Action {
        &self.spec.model().actions[action]
    }
}
