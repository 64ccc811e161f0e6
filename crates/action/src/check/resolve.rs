//! Expressions and statements with their names resolved.

use source::{Diagnostic, Span};

use crate::ast::{Action, Expr, ExprKind, Name, Stmt};
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

    fn command(&mut self, root: &Stmt, parameters: &[String]) -> Option<Command> {
        let all = |checker: &mut Self, parts: &[Stmt]| -> Option<Vec<Command>> {
            let commands: Vec<Option<Command>> = parts.iter().map(|part| checker.command(part, parameters)).collect();
            commands.into_iter().collect()
        };
        Some(match root {
            Stmt::Skip(_) => Command::Skip,
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
