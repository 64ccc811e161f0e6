//! Annotations: but for `@raw` they have no effect on runs, but what they say must make sense.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::ast::{Annotation, Parameter, Statement};
use crate::codes::{ARITY, DUPLICATE_NAME, UNKNOWN_NAME};
use crate::place::Place;
use crate::report::Report;
use crate::types::Type;

use super::Checker;
use super::scope::ScopeId;

/// Annotations that are part of the language itself.
const BUILT_IN: &[&str] = &["liftable", "raw"];

type Declared<'s> = FxHashMap<Arc<str>, &'s [Parameter]>;

impl Checker<'_> {
    /// Checks the annotations of the user's statements against their declarations.
    pub(super) fn annotations(&mut self, library: &[Statement], user: &[Statement], scope: ScopeId) {
        let mut declared = Declared::default();
        for statement in library {
            if let Statement::Annotation { name, parameters } = statement {
                declared.insert(name.text.clone(), parameters);
            }
        }
        let mut own: FxHashMap<Arc<str>, Place> = FxHashMap::default();
        for statement in user {
            let Statement::Annotation { name, parameters } = statement else { continue };
            declared.insert(name.text.clone(), parameters);
            if let Some(first) = own.insert(name.text.clone(), name.place) {
                let first = self.files.extent(first);
                let message = format!("The annotation @{} is already defined (at {first})", name.text);
                self.report(&DUPLICATE_NAME, name.place, message);
            }
        }
        let mut open: Vec<&Statement> = user.iter().rev().collect();
        while let Some(statement) = open.pop() {
            let annotations: &[Annotation] = match statement {
                Statement::Definition(definition) => &definition.annotations,
                Statement::Input { annotations, .. } | Statement::Output { annotations, .. } => annotations,
                Statement::Module { statements, .. } => {
                    open.extend(statements.iter().rev());
                    &[]
                }
                Statement::Type(_)
                | Statement::Import { .. }
                | Statement::Annotation { .. }
                | Statement::OutputAll(_)
                | Statement::Print(_)
                | Statement::Include { .. } => &[],
            };
            for annotation in annotations {
                self.annotation(annotation, &declared, scope);
            }
        }
    }

    fn annotation(&mut self, annotation: &Annotation, declared: &Declared<'_>, scope: ScopeId) {
        let name = &annotation.name;
        if BUILT_IN.contains(&&*name.text) {
            return;
        }
        let Some(parameters) = declared.get(&name.text) else {
            let message = format!("Undefined annotation {}: it has no effect", name.text);
            let help = format!("Declare it with `def @{}(…)`.", name.text);
            self.reports.push(Report::warning(&UNKNOWN_NAME, name.place, message).help(help));
            return;
        };
        let (expected, actual) = (parameters.len(), annotation.arguments.len());
        if expected != actual {
            let message =
                format!("Wrong number of arguments for @{}. Expected: {expected}, actual: {actual}", name.text);
            self.report(&ARITY, name.place, message);
            return;
        }
        for (index, argument) in annotation.arguments.iter().enumerate() {
            let parameter = match &argument.name {
                None => parameters.get(index),
                Some(given) => parameters.iter().find(|parameter| parameter.name.text == given.text),
            };
            let Some(parameter) = parameter else {
                let given = argument.name.as_ref().unwrap_or(name);
                self.report(&UNKNOWN_NAME, given.place, format!("Undefined keyword argument {}", given.text));
                continue;
            };
            let wanted = parameter.of.as_ref().map_or(Type::Wrong, |of| self.type_expr(of, scope));
            let typed = self.infer(&argument.value, scope);
            let found = self.resolved(&typed.of);
            if !found.is_value() && !matches!(found, Type::Wrong) {
                // Annotations say something about the text: what happens in runs is not known there.
                self.mismatch(argument.value.place, "value type", &found);
                continue;
            }
            self.coerced(typed, &wanted);
        }
    }
}
