//! Checks changed actions against the rest of a model that is known to be right.
//!
//! A mutant differs from its model in an action or two. Only what depends on them is checked again, so that the cost of
//! a mutant grows with the action it changes and not with the model.

use std::sync::Arc;

use source::Severity;

use super::range::ranges;
use super::resolve::Resolver;
use super::{Checker, Scope};
use crate::ast::{Action, Loop, Model};
use crate::spec::{ActionSpec, Spec};

/// An action in the place of the one with this number; its name and parameters are the same.
pub(crate) type Replacement = (usize, Arc<Action>);

/// A model whose actions can be replaced.
pub struct Revision<'a> {
    original: &'a Spec,
    scope: Scope<'a>,
    /// The alternatives of the do-od block that call each action.
    callers: Vec<Vec<&'a Loop>>,
}

impl<'a> Revision<'a> {
    /// Prepares the replacement of actions.
    pub fn of(original: &'a Spec) -> Revision<'a> {
        let mut checker = Checker::new(&original.model);
        checker.spec(&original.model);
        let scope = checker.scope;
        let mut callers: Vec<Vec<&Loop>> = vec![Vec::new(); original.actions.len()];
        for alternative in original.model.body.as_deref().map(alternatives).unwrap_or_default() {
            each_call(alternative, &mut |action| {
                if let Some(&number) = scope.actions.get(action)
                    && !callers[number].last().is_some_and(|last| std::ptr::eq(*last, alternative))
                {
                    callers[number].push(alternative);
                }
            });
        }
        Revision { original, scope, callers }
    }

    /// The model before any replacement.
    pub fn original(&self) -> &'a Spec {
        self.original
    }

    /// The replacements with their names resolved; none where the model would be no model any more.
    pub(crate) fn resolved(&self, replacements: &[Replacement]) -> Option<Vec<Arc<ActionSpec>>> {
        let mut resolver = Resolver::new(&self.scope);
        let kind = |number: usize| self.original.actions[number].kind;
        let resolve = |(number, action): &Replacement| resolver.action(action, kind(*number)).map(Arc::new);
        let actions: Vec<Arc<ActionSpec>> = replacements.iter().map(resolve).collect::<Option<_>>()?;
        let action = |number: usize| {
            let replaced = replacements.iter().find(|(other, _)| *other == number);
            replaced.map_or(&*self.original.model.actions[number], |(_, action)| &**action)
        };
        let steps: Vec<&Loop> = replacements.iter().flat_map(|(number, _)| self.callers[*number].clone()).collect();
        let found = ranges(&steps, &action, &self.scope, &self.original.slots);
        found.iter().all(|diagnostic| diagnostic.severity == Severity::Warning).then_some(actions)
    }

    /// The model with some actions replaced; none where it is not a model any more.
    pub(crate) fn revised(&self, model: Model, replacements: &[Replacement]) -> Option<Spec> {
        let resolved = self.resolved(replacements)?;
        let mut actions = self.original.actions.clone();
        for ((number, _), action) in replacements.iter().zip(resolved) {
            actions.set(*number, action);
        }
        let Spec { depth, variables, slots, initial, invariants, body, .. } = self.original;
        let (variables, slots, initial) = (variables.clone(), slots.clone(), initial.clone());
        let (depth, invariants, body) = (*depth, invariants.clone(), body.clone());
        Some(Spec { model, depth, variables, slots, initial, actions, invariants, body })
    }
}

/// The alternatives of a do-od block at its top level.
fn alternatives(body: &Loop) -> Vec<&Loop> {
    match body {
        Loop::Choice(parts) => parts.iter().collect(),
        Loop::Call(_) | Loop::Sequence(_) | Loop::Priority(_) => vec![body],
    }
}

fn each_call<'a>(body: &'a Loop, see: &mut dyn FnMut(&'a str)) {
    match body {
        Loop::Call(call) => see(&call.action.text),
        Loop::Sequence(parts) | Loop::Choice(parts) | Loop::Priority(parts) => {
            parts.iter().for_each(|part| each_call(part, see));
        }
    }
}
