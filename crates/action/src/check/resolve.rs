//! Expressions and statements with their names resolved.

use std::collections::BTreeSet;

use source::{Diagnostic, Span};

use crate::ast::{Action, Expr, ExprKind, Invariant, Name, Stmt, TypeKind};
use crate::codes;
use crate::spec::{ActionKind, ActionSpec, Command, Condition, Number, Variable};

use super::scope::{Scope, unknown};

/// Resolves the names of actions.
pub(super) struct Resolver<'s, 'a> {
    scope: &'s Scope<'a>,
    /// What is wrong.
    pub(super) found: Vec<Diagnostic>,
}

impl<'s, 'a> Resolver<'s, 'a> {
    pub(super) fn new(scope: &'s Scope<'a>) -> Resolver<'s, 'a> {
        Resolver { scope, found: Vec::new() }
    }

    /// An action with its names resolved; none where something was found wrong.
    pub(super) fn action(&mut self, action: &Action, kind: ActionKind) -> Option<ActionSpec> {
        let parameters: Vec<String> = action.parameters.iter().map(|name| name.text.clone()).collect();
        let guard = self.condition(&action.guard, &parameters);
        let body = self.command(&action.body, &parameters);
        Some(ActionSpec { name: action.name.text.clone(), parameters, kind, guard: guard?, body: body? })
    }

    /// An invariant with its names resolved.
    pub(super) fn invariant(&mut self, invariant: &Invariant) -> Option<(String, Condition)> {
        Some((invariant.name.text.clone(), self.condition(&invariant.condition, &[])?))
    }

    fn error(&mut self, code: &'static source::Code, span: Span, message: impl Into<String>) {
        self.found.push(Diagnostic::error(code, span, message));
    }

    fn condition(&mut self, root: &Expr, parameters: &[String]) -> Option<Condition> {
        Some(match &root.kind {
            ExprKind::Truth(truth) => Condition::Truth(*truth),
            ExprKind::Not(inner) => Condition::Not(Box::new(self.condition(inner, parameters)?)),
            ExprKind::Compare(comparison, left, right) => {
                let left = self.number(left, parameters);
                Condition::Compare(*comparison, left?, self.number(right, parameters)?)
            }
            ExprKind::Connect(connective, parts) => {
                let parts: Vec<Option<Condition>> = parts.iter().map(|part| self.condition(part, parameters)).collect();
                Condition::Connect(*connective, parts.into_iter().collect::<Option<_>>()?)
            }
            ExprKind::Number(_)
            | ExprKind::Name(_)
            | ExprKind::Element(..)
            | ExprKind::Negate(_)
            | ExprKind::Absolute(_)
            | ExprKind::Arithmetic(..) => {
                self.error(&codes::KIND, root.span(), "a condition is needed here, this is a number");
                return None;
            }
        })
    }

    fn number(&mut self, root: &Expr, parameters: &[String]) -> Option<Number> {
        Some(match &root.kind {
            ExprKind::Number(number) => Number::Constant(*number),
            ExprKind::Name(text) => return self.named(&Name::new(text.as_str(), root.span()), parameters),
            ExprKind::Element(name, index) => {
                let index = self.number(index, parameters);
                let (first, low, length) = self.array(name)?;
                Number::Element { first, low, length, index: Box::new(index?) }
            }
            ExprKind::Negate(inner) => Number::Negate(Box::new(self.number(inner, parameters)?)),
            ExprKind::Absolute(inner) => Number::Absolute(Box::new(self.number(inner, parameters)?)),
            ExprKind::Arithmetic(operator, left, right) => {
                let left = self.number(left, parameters);
                let right = self.number(right, parameters);
                Number::Arithmetic(*operator, Box::new(left?), Box::new(right?))
            }
            ExprKind::Truth(_) | ExprKind::Not(_) | ExprKind::Compare(..) | ExprKind::Connect(..) => {
                self.error(&codes::KIND, root.span(), "a number is needed here, this is a condition");
                return None;
            }
        })
    }

    fn named(&mut self, name: &Name, parameters: &[String]) -> Option<Number> {
        if let Some(index) = parameters.iter().position(|parameter| *parameter == name.text) {
            return Some(Number::Parameter(index));
        }
        if let Some(variable) = self.scope.variables.get(name.text.as_str()) {
            if variable.array.is_none() {
                return Some(Number::Slot(variable.first));
            }
            let message = format!("the array `{}` needs an index here", name.text);
            self.error(&codes::KIND, name.span(), message);
            return None;
        }
        match self.scope.labels.get(name.text.as_str()) {
            Some(&value) => Some(Number::Constant(value)),
            None => {
                let known = self.scope.variables.keys().chain(self.scope.labels.keys()).copied();
                let known = known.chain(parameters.iter().map(String::as_str));
                self.found.push(unknown("variable", name, known));
                None
            }
        }
    }

    fn array(&mut self, name: &Name) -> Option<(usize, i64, usize)> {
        match self.scope.variables.get(name.text.as_str()) {
            Some(Variable { first, array: Some((low, length)), .. }) => Some((*first, *low, *length)),
            Some(Variable { array: None, .. }) => {
                self.error(&codes::KIND, name.span(), format!("`{}` is not an array", name.text));
                None
            }
            None => {
                self.found.push(unknown("array", name, self.scope.variables.keys().copied()));
                None
            }
        }
    }

    /// The ends of an interval.
    fn interval(&mut self, kind: &Name) -> Option<(i64, i64)> {
        match self.scope.types.get(kind.text.as_str()) {
            Some(TypeKind::Interval { low, high, .. }) => Some((*low, *high)),
            Some(TypeKind::Array { .. }) => {
                let message = format!("`{}` is an array, an interval is needed here", kind.text);
                self.error(&codes::KIND, kind.span(), message);
                None
            }
            None => {
                self.found.push(unknown("type", kind, self.scope.types.keys().copied()));
                None
            }
        }
    }

    /// A local name hides nothing.
    fn is_free(&mut self, name: &Name, parameters: &[String]) {
        let taken = parameters.contains(&name.text)
            || self.scope.variables.contains_key(name.text.as_str())
            || self.scope.labels.contains_key(name.text.as_str());
        if taken {
            let message = format!("`{}` has a meaning already", name.text);
            self.error(&codes::DUPLICATE_NAME, name.span(), message);
        }
    }

    /// No variable is assigned twice at once.
    fn assigned_once(&mut self, parts: &[Stmt]) {
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        for part in parts {
            if let Stmt::Assign { target, index: None, .. } = part
                && !seen.insert(&target.text)
            {
                let message = format!("`{}` is assigned twice at once", target.text);
                self.error(&codes::DUPLICATE_NAME, target.span(), message);
            }
        }
    }

    fn command(&mut self, root: &Stmt, parameters: &[String]) -> Option<Command> {
        let all = |checker: &mut Self, parts: &[Stmt]| -> Option<Vec<Command>> {
            let commands: Vec<Option<Command>> = parts.iter().map(|part| checker.command(part, parameters)).collect();
            commands.into_iter().collect()
        };
        Some(match root {
            Stmt::Skip(_) => Command::Skip,
            Stmt::Together(parts) => {
                self.assigned_once(parts);
                Command::Together(all(self, parts)?)
            }
            Stmt::Any { name, kind, body } => {
                let (low, high) = self.interval(kind)?;
                self.is_free(name, parameters);
                let inner = [parameters, std::slice::from_ref(&name.text)].concat();
                Command::Any { low, high, body: Box::new(self.command(body, &inner)?) }
            }
            Stmt::Sequence(parts) => Command::Sequence(all(self, parts)?),
            Stmt::Choice(parts) => Command::Choice(all(self, parts)?),
            Stmt::Priority(parts) => Command::Priority(all(self, parts)?),
            Stmt::Guarded { guard, body } => {
                let guard = self.condition(guard, parameters);
                let body = self.command(body, parameters);
                Command::Guarded(guard?, Box::new(body?))
            }
            Stmt::Assign { target, index, value } => {
                let value = self.number(value, parameters);
                if parameters.contains(&target.text) {
                    let message = format!("the parameter `{}` cannot be assigned", target.text);
                    self.error(&codes::KIND, target.span(), message);
                    return None;
                }
                match index {
                    Some(index) => {
                        let index = self.number(index, parameters);
                        let (first, low, length) = self.array(target)?;
                        Command::AssignElement { first, low, length, index: index?, value: value? }
                    }
                    None => match self.scope.variables.get(target.text.as_str()) {
                        Some(Variable { first, array: None, .. }) => Command::Assign(*first, value?),
                        Some(Variable { array: Some(_), .. }) => {
                            let message = format!("the array `{}` needs an index here", target.text);
                            self.error(&codes::KIND, target.span(), message);
                            return None;
                        }
                        None => {
                            self.found.push(unknown("variable", target, self.scope.variables.keys().copied()));
                            return None;
                        }
                    },
                }
            }
        })
    }
}
