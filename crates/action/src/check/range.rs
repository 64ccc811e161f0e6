//! Which values expressions can take: no arithmetic of an accepted model leaves the 64-bit integers.
//!
//! Bodies have no loops, so one pass over each call gives safe bounds: values before a step lie within their types,
//! values within a step may leave them.

use std::collections::BTreeMap;

use source::{Diagnostic, Span};

use super::LARGEST;
use crate::ast::{Argument, ArithmeticOp, Call, Expr, ExprKind, Loop, Model, Name, Stmt, TypeKind};
use crate::codes;
use crate::spec::{Slot, Variable};

/// An interval of values.
type Bounds = (i128, i128);

/// The bounds of every variable, all cells of an array together.
type Environment = BTreeMap<String, Bounds>;

/// What is wrong or doubtful about the arithmetic of a model whose names are all known.
pub(super) fn ranges(
    model: &Model,
    actions: &BTreeMap<&str, usize>,
    slots: &[Slot],
    variables: &BTreeMap<&str, Variable>,
    labels: &BTreeMap<&str, i64>,
    types: &BTreeMap<&str, &TypeKind>,
) -> Vec<Diagnostic> {
    let bounds = |variable: &Variable| (i128::from(slots[variable.first].low), i128::from(slots[variable.first].high));
    let start: Environment = variables.iter().map(|(name, variable)| ((*name).to_owned(), bounds(variable))).collect();
    let arrays = variables.iter().filter_map(|(name, variable)| Some(((*name).to_owned(), variable.array?))).collect();
    let mut walk = Walk { model, actions, arrays, labels, types, found: Vec::new() };
    if let Some(body) = &model.body {
        walk.block(body, start);
    }
    walk.found
}

struct Walk<'a> {
    model: &'a Model,
    actions: &'a BTreeMap<&'a str, usize>,
    arrays: BTreeMap<String, (i64, usize)>,
    labels: &'a BTreeMap<&'a str, i64>,
    types: &'a BTreeMap<&'a str, &'a TypeKind>,
    found: Vec<Diagnostic>,
}

impl Walk<'_> {
    fn block(&mut self, body: &Loop, before: Environment) -> Environment {
        match body {
            Loop::Call(call) => self.call(call, before),
            Loop::Sequence(parts) => parts.iter().fold(before, |environment, part| self.block(part, environment)),
            Loop::Choice(parts) | Loop::Priority(parts) => {
                let after: Vec<Environment> = parts.iter().map(|part| self.block(part, before.clone())).collect();
                hull(after)
            }
        }
    }

    fn call(&mut self, call: &Call, before: Environment) -> Environment {
        let Some(number) = self.actions.get(call.action.text.as_str()) else { return before };
        let action = &self.model.actions[*number];
        let mut inner = before.clone();
        for (parameter, argument) in action.parameters.iter().zip(&call.arguments) {
            let bounds = self.argument(call, argument);
            inner.insert(parameter.text.clone(), bounds);
        }
        self.expression(&action.guard, &inner);
        let mut after = self.statement(&action.body, inner);
        for parameter in &action.parameters {
            after.remove(&parameter.text);
        }
        after
    }

    fn argument(&self, call: &Call, argument: &Argument) -> Bounds {
        let one = |number: i64| (i128::from(number), i128::from(number));
        match argument {
            Argument::Number(number, _) => one(*number),
            Argument::Name(name) => match call.binders.iter().find(|(binder, _)| binder.text == name.text) {
                Some((_, kind)) => match self.types.get(kind.text.as_str()) {
                    Some(TypeKind::Interval { low, high, .. }) => (i128::from(*low), i128::from(*high)),
                    Some(TypeKind::Array { .. }) | None => one(0),
                },
                None => one(self.labels.get(name.text.as_str()).copied().unwrap_or(0)),
            },
        }
    }

    fn statement(&mut self, root: &Stmt, mut before: Environment) -> Environment {
        match root {
            Stmt::Skip(_) => before,
            Stmt::Sequence(parts) => parts.iter().fold(before, |environment, part| self.statement(part, environment)),
            Stmt::Choice(parts) | Stmt::Priority(parts) => {
                let after: Vec<Environment> = parts.iter().map(|part| self.statement(part, before.clone())).collect();
                hull(after)
            }
            Stmt::Guarded { guard, body } => {
                self.expression(guard, &before);
                self.statement(body, before)
            }
            Stmt::Assign { target, index, value } => {
                let value = self.expression(value, &before);
                if let Some(index) = index {
                    self.index(target, index, &before);
                    let old = before.get(&target.text).copied().unwrap_or(value);
                    before.insert(target.text.clone(), (old.0.min(value.0), old.1.max(value.1)));
                } else {
                    before.insert(target.text.clone(), value);
                }
                before
            }
        }
    }

    fn index(&mut self, array: &Name, index: &Expr, environment: &Environment) {
        let bounds = self.expression(index, environment);
        let Some(&(low, length)) = self.arrays.get(&array.text) else { return };
        let (low, high) = (i128::from(low), i128::from(low) + length as i128 - 1);
        if bounds.0 < low || high < bounds.1 {
            let message = format!("this index may lie outside `{low}..{high}`");
            self.found.push(Diagnostic::warning(&codes::UNDEFINED, index.span(), message));
        }
    }

    /// The bounds of a number; those of a condition mean nothing.
    fn expression(&mut self, root: &Expr, environment: &Environment) -> Bounds {
        match &root.kind {
            ExprKind::Number(number) => (i128::from(*number), i128::from(*number)),
            ExprKind::Name(name) => match (environment.get(name), self.labels.get(name.as_str())) {
                (Some(bounds), _) => *bounds,
                (None, Some(value)) => (i128::from(*value), i128::from(*value)),
                (None, None) => (0, 0),
            },
            ExprKind::Element(name, index) => {
                self.index(name, index, environment);
                environment.get(&name.text).copied().unwrap_or((0, 0))
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

/// The bounds that hold after any one of several ways.
fn hull(ways: Vec<Environment>) -> Environment {
    let mut ways = ways.into_iter();
    let mut all = ways.next().unwrap_or_default();
    for way in ways {
        for (name, (low, high)) in way {
            let bounds = all.entry(name).or_insert((low, high));
            *bounds = (bounds.0.min(low), bounds.1.max(high));
        }
    }
    all
}
