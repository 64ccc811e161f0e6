//! Which values expressions can take: no arithmetic of an accepted model leaves the 64-bit integers.
//!
//! Bodies have no loops, so one pass over each call gives safe bounds: values before a step lie within their types,
//! values within a step may leave them.

use std::collections::BTreeMap;

use source::{Diagnostic, Span};

use super::LARGEST;
use super::scope::Scope;
use crate::ast::{Action, Argument, ArithmeticOp, Call, Expr, ExprKind, Loop, Name, Stmt, TypeKind};
use crate::codes;
use crate::spec::{Slot, Variable};

/// An interval of values.
type Bounds = (i128, i128);

/// The bounds of parameters and of variables that a step has assigned, all cells of an array together. Any other variable lies
/// within its type: a step touches few of them.
type Environment<'a> = BTreeMap<&'a str, Bounds>;

/// What is wrong or doubtful about the arithmetic of steps whose names are all known.
pub(super) fn ranges<'a>(
    steps: &[&'a Loop],
    action: &'a dyn Fn(usize) -> &'a Action,
    scope: &'a Scope<'a>,
    slots: &'a [Slot],
) -> Vec<Diagnostic> {
    let mut walk = Walk { action, scope, slots, found: Vec::new() };
    for step in steps {
        walk.block(step, Environment::new());
    }
    walk.found
}

/// The same for conditions on states.
pub(super) fn of_states<'a>(conditions: &[&'a Expr], scope: &'a Scope<'a>, slots: &'a [Slot]) -> Vec<Diagnostic> {
    let mut walk = Walk { action: &|_| unreachable!("a condition calls no action"), scope, slots, found: Vec::new() };
    for condition in conditions {
        walk.expression(condition, &Environment::new());
    }
    walk.found
}

struct Walk<'a> {
    action: &'a dyn Fn(usize) -> &'a Action,
    scope: &'a Scope<'a>,
    slots: &'a [Slot],
    found: Vec<Diagnostic>,
}

impl<'a> Walk<'a> {
    fn block(&mut self, body: &'a Loop, before: Environment<'a>) -> Environment<'a> {
        match body {
            Loop::Call(call) => self.call(call, before),
            Loop::Sequence(parts) => parts.iter().fold(before, |environment, part| self.block(part, environment)),
            Loop::Choice(parts) | Loop::Priority(parts) => {
                let after: Vec<Environment<'a>> = parts.iter().map(|part| self.block(part, before.clone())).collect();
                self.hull(after)
            }
        }
    }

    /// The bounds of a parameter or a variable; none for other names.
    fn bounds(&self, name: &str, environment: &Environment<'_>) -> Option<Bounds> {
        let in_type = |variable: &Variable| {
            let slot = &self.slots[variable.first];
            (i128::from(slot.low), i128::from(slot.high))
        };
        environment.get(name).copied().or_else(|| self.scope.variables.get(name).map(in_type))
    }

    /// The bounds that hold after any one of several ways. What some of them did not touch may also be as it was before.
    fn hull(&self, ways: Vec<Environment<'a>>) -> Environment<'a> {
        let count = ways.len();
        let mut all: BTreeMap<&'a str, (usize, Bounds)> = BTreeMap::new();
        for (name, (low, high)) in ways.into_iter().flatten() {
            let (seen, bounds) = all.entry(name).or_insert((0, (low, high)));
            *seen += 1;
            *bounds = (bounds.0.min(low), bounds.1.max(high));
        }
        let untouched = Environment::new();
        let whole = |(name, (seen, (low, high))): (&'a str, (usize, Bounds))| {
            let before = if seen == count { None } else { self.bounds(name, &untouched) };
            let (least, most) = before.unwrap_or((low, high));
            (name, (low.min(least), high.max(most)))
        };
        all.into_iter().map(whole).collect()
    }

    fn call(&mut self, call: &'a Call, before: Environment<'a>) -> Environment<'a> {
        let Some(number) = self.scope.actions.get(call.action.text.as_str()) else { return before };
        let action = (self.action)(*number);
        let mut inner = before.clone();
        for (parameter, argument) in action.parameters.iter().zip(&call.arguments) {
            let bounds = self.argument(call, argument);
            inner.insert(&parameter.text, bounds);
        }
        self.expression(&action.guard, &inner);
        let mut after = self.statement(&action.body, inner);
        for parameter in &action.parameters {
            after.remove(parameter.text.as_str());
        }
        after
    }

    fn argument(&self, call: &Call, argument: &Argument) -> Bounds {
        let one = |number: i64| (i128::from(number), i128::from(number));
        match argument {
            Argument::Number(number, _) => one(*number),
            Argument::Name(name) => match call.binders.iter().find(|(binder, _)| binder.text == name.text) {
                Some((_, kind)) => match self.scope.types.get(kind.text.as_str()) {
                    Some(TypeKind::Interval { low, high, .. }) => (i128::from(*low), i128::from(*high)),
                    Some(TypeKind::Array { .. }) | None => one(0),
                },
                None => one(self.scope.labels.get(name.text.as_str()).copied().unwrap_or(0)),
            },
        }
    }

    fn statement(&mut self, root: &'a Stmt, mut before: Environment<'a>) -> Environment<'a> {
        match root {
            Stmt::Skip(_) => before,
            Stmt::Sequence(parts) => parts.iter().fold(before, |environment, part| self.statement(part, environment)),
            Stmt::Choice(parts) | Stmt::Priority(parts) => {
                let after: Vec<Environment<'a>> =
                    parts.iter().map(|part| self.statement(part, before.clone())).collect();
                self.hull(after)
            }
            Stmt::Guarded { guard, body } => {
                self.expression(guard, &before);
                self.statement(body, before)
            }
            Stmt::Any { name, kind, body } => {
                if let Some(TypeKind::Interval { low, high, .. }) = self.scope.types.get(kind.text.as_str()) {
                    before.insert(&name.text, (i128::from(*low), i128::from(*high)));
                }
                let mut after = self.statement(body, before);
                after.remove(name.text.as_str());
                after
            }
            Stmt::Together(parts) => {
                let assigned: Vec<(&'a str, Bounds)> =
                    parts.iter().filter_map(|part| self.assignment(part, &before)).collect();
                // The first assignments of a cell do not count where it has several.
                for (name, (low, high)) in assigned {
                    let bounds = before.entry(name).or_insert((low, high));
                    *bounds = (bounds.0.min(low), bounds.1.max(high));
                }
                before
            }
            Stmt::Assign { .. } => {
                if let Some((name, bounds)) = self.assignment(root, &before) {
                    before.insert(name, bounds);
                }
                before
            }
        }
    }

    /// What an assignment assigns, and the bounds of its values afterwards.
    fn assignment(&mut self, root: &'a Stmt, before: &Environment<'a>) -> Option<(&'a str, Bounds)> {
        let Stmt::Assign { target, index, value } = root else { return None };
        let value = self.expression(value, before);
        let bounds = match index {
            Some(index) => {
                self.index(target, index, before);
                let old = self.bounds(&target.text, before).unwrap_or(value);
                (old.0.min(value.0), old.1.max(value.1))
            }
            None => value,
        };
        Some((&target.text, bounds))
    }

    fn index(&mut self, array: &Name, index: &Expr, environment: &Environment<'_>) {
        let bounds = self.expression(index, environment);
        let variable = self.scope.variables.get(array.text.as_str());
        let Some((low, length)) = variable.and_then(|variable| variable.array) else { return };
        let (low, high) = (i128::from(low), i128::from(low) + length as i128 - 1);
        if bounds.0 < low || high < bounds.1 {
            let message = format!("this index may lie outside `{low}..{high}`");
            self.found.push(Diagnostic::warning(&codes::UNDEFINED, index.span(), message));
        }
    }

    /// The bounds of a number; those of a condition mean nothing.
    fn expression(&mut self, root: &Expr, environment: &Environment<'_>) -> Bounds {
        match &root.kind {
            ExprKind::Number(number) => (i128::from(*number), i128::from(*number)),
            ExprKind::Name(name) => match (self.bounds(name, environment), self.scope.labels.get(name.as_str())) {
                (Some(bounds), _) => bounds,
                (None, Some(value)) => (i128::from(*value), i128::from(*value)),
                (None, None) => (0, 0),
            },
            ExprKind::Element(name, index) => {
                self.index(name, index, environment);
                self.bounds(&name.text, environment).unwrap_or((0, 0))
            }
            ExprKind::Negate(inner) => {
                let (low, high) = self.expression(inner, environment);
                (-high, -low)
            }
            ExprKind::Absolute(inner) => {
                let (low, high) = self.expression(inner, environment);
                let least = if low <= 0 && 0 <= high { 0 } else { low.abs().min(high.abs()) };
                (least, low.abs().max(high.abs()))
            }
            ExprKind::Arithmetic(operator, left, right) => {
                let left = self.expression(left, environment);
                let divisor = right.span();
                let right = self.expression(right, environment);
                self.arithmetic(*operator, left, right, root.span(), divisor)
            }
            ExprKind::Truth(_) => (0, 1),
            ExprKind::Not(inner) => self.expression(inner, environment),
            ExprKind::Compare(_, left, right) => {
                self.expression(left, environment);
                self.expression(right, environment)
            }
            ExprKind::Connect(_, parts) => {
                parts.iter().for_each(|part| {
                    self.expression(part, environment);
                });
                (0, 1)
            }
        }
    }

    fn arithmetic(&mut self, operator: ArithmeticOp, left: Bounds, right: Bounds, span: Span, divisor: Span) -> Bounds {
        let corners = |combine: fn(i128, i128) -> i128| {
            let all = [
                combine(left.0, right.0),
                combine(left.0, right.1),
                combine(left.1, right.0),
                combine(left.1, right.1),
            ];
            (all.into_iter().min().unwrap_or(0), all.into_iter().max().unwrap_or(0))
        };
        let bounds = match operator {
            ArithmeticOp::Add => (left.0 + right.0, left.1 + right.1),
            ArithmeticOp::Subtract => (left.0 - right.1, left.1 - right.0),
            // Both sides are below 2^62 in size, so products fit 128 bits.
            ArithmeticOp::Multiply => corners(|left, right| left * right),
            ArithmeticOp::Minimum => corners(i128::min),
            ArithmeticOp::Maximum => corners(i128::max),
            ArithmeticOp::Divide => {
                self.divisor(right, divisor);
                let size = left.0.abs().max(left.1.abs()) + 1;
                (-size, size)
            }
            ArithmeticOp::Modulo => {
                self.divisor(right, divisor);
                (0, right.0.abs().max(right.1.abs()))
            }
        };
        if bounds.0 < -LARGEST || LARGEST < bounds.1 {
            let message = format!("this may take values from {} to {}", bounds.0, bounds.1);
            self.found.push(Diagnostic::error(&codes::OVERFLOW, span, message));
            return (0, 0);
        }
        bounds
    }

    fn divisor(&mut self, bounds: Bounds, span: Span) {
        if bounds == (0, 0) {
            self.found.push(Diagnostic::error(&codes::ZERO_DIVISION, span, "this divisor is always zero"));
        } else if bounds.0 <= 0 && 0 <= bounds.1 {
            self.found.push(Diagnostic::warning(&codes::UNDEFINED, span, "this divisor may be zero"));
        }
    }
}
