//! Mutants of guards, comparisons and numbers.

use crate::ast::{Argument, ArithmeticOp, Comparison, Connective, Expr, ExprKind, Loop, Model, Stmt, TypeKind};

use super::path::{Part, visit};
use super::{Maker, Operator, Path};

/// The values of a type and their names.
type Domain = (i64, i64, Vec<String>);

impl Maker<'_> {
    pub(super) fn expressions(&mut self, operator: Operator) {
        let spec = self.spec;
        for (index, action) in spec.model().actions.iter().enumerate() {
            let mut found: Vec<(Path, &Expr, Vec<Expr>)> = Vec::new();
            visit(action, &mut |path, part, parent| {
                if let Part::Expr(expr) = part {
                    let new = Site { model: spec.model(), action: index, path, expr, parent }.replacements(operator);
                    found.push((path.clone(), expr, new));
                }
            });
            for (path, old, replacements) in found {
                for new in replacements {
                    self.change_expr(operator, index, &path, old, new);
                }
            }
        }
    }
}

/// An expression and where it stands.
struct Site<'a> {
    model: &'a Model,
    action: usize,
    path: &'a Path,
    expr: &'a Expr,
    parent: Option<Part<'a>>,
}

impl Site<'_> {
    fn replacements(&self, operator: Operator) -> Vec<Expr> {
        let kinds = match operator {
            Operator::GuardTrue if self.is_guard() => vec![ExprKind::Truth(true)],
            Operator::GuardNegation if self.is_guard() => vec![ExprKind::Not(Box::new(self.expr.clone()))],
            Operator::Equality => self.comparisons(&|old, new| is_equality(old) && is_equality(new)),
            Operator::Relational => self.comparisons(&|old, new| !(is_equality(old) && is_equality(new))),
            Operator::Logical => self.connectives(),
            Operator::Arithmetic => self.arithmetic(),
            Operator::Increment => self.increment().into_iter().collect(),
            Operator::Constant => self.constants(),
            Operator::Variable => self.variables(),
            Operator::GuardTrue
            | Operator::GuardNegation
            | Operator::Identity
            | Operator::Delete
            | Operator::Swap
            | Operator::Branch
            | Operator::Argument
            | Operator::Initial
            | Operator::Bound => Vec::new(),
        };
        kinds.into_iter().map(|kind| Expr::new(kind, self.expr.span())).collect()
    }

    /// Whether it is the guard of the action or of a guarded command.
    fn is_guard(&self) -> bool {
        match self.parent {
            None => true,
            Some(Part::Stmt(Stmt::Guarded { .. })) => self.path.last() == Some(&0),
            Some(Part::Stmt(_) | Part::Expr(_)) => false,
        }
    }

    fn comparisons(&self, wanted: &dyn Fn(Comparison, Comparison) -> bool) -> Vec<ExprKind> {
        let ExprKind::Compare(old, left, right) = &self.expr.kind else { return Vec::new() };
        let others = Comparison::ALL.iter().copied().filter(|new| new != old && wanted(*old, *new));
        others.map(|new| ExprKind::Compare(new, left.clone(), right.clone())).collect()
    }

    fn connectives(&self) -> Vec<ExprKind> {
        match &self.expr.kind {
            ExprKind::Not(inner) => vec![inner.kind.clone()],
            ExprKind::Truth(truth) => vec![ExprKind::Truth(!truth)],
            ExprKind::Connect(old, parts) => {
                let others: &[Connective] = match old {
                    Connective::And => &[Connective::Or],
                    Connective::Or => &[Connective::And, Connective::Xor],
                    Connective::Xor => &[Connective::Or],
                    Connective::Implies => &[Connective::ImpliedBy, Connective::Iff],
                    Connective::ImpliedBy => &[Connective::Implies, Connective::Iff],
                    Connective::Iff => &[Connective::Implies, Connective::ImpliedBy],
                };
                let mut kinds: Vec<ExprKind> =
                    others.iter().map(|new| ExprKind::Connect(*new, parts.clone())).collect();
                // A part left out; two parts become the other one.
                for left_out in 0..parts.len() {
                    let mut rest = parts.clone();
                    rest.remove(left_out);
                    if let [one] = rest.as_slice() {
                        kinds.push(one.kind.clone());
                    } else {
                        kinds.push(ExprKind::Connect(*old, rest));
                    }
                }
                kinds
            }
            ExprKind::Number(_)
            | ExprKind::Name(_)
            | ExprKind::Element(..)
            | ExprKind::Negate(_)
            | ExprKind::Absolute(_)
            | ExprKind::Arithmetic(..)
            | ExprKind::Compare(..) => Vec::new(),
        }
    }

    fn arithmetic(&self) -> Vec<ExprKind> {
        let ExprKind::Arithmetic(old, left, right) = &self.expr.kind else { return Vec::new() };
        let others: &[ArithmeticOp] = match old {
            ArithmeticOp::Add => &[ArithmeticOp::Subtract, ArithmeticOp::Multiply],
            ArithmeticOp::Subtract => &[ArithmeticOp::Add, ArithmeticOp::Multiply],
            ArithmeticOp::Multiply => &[ArithmeticOp::Add, ArithmeticOp::Divide],
            ArithmeticOp::Divide => &[ArithmeticOp::Multiply, ArithmeticOp::Modulo],
            ArithmeticOp::Modulo => &[ArithmeticOp::Divide, ArithmeticOp::Multiply],
            ArithmeticOp::Minimum => &[ArithmeticOp::Maximum],
            ArithmeticOp::Maximum => &[ArithmeticOp::Minimum],
        };
        others.iter().map(|new| ExprKind::Arithmetic(*new, left.clone(), right.clone())).collect()
    }

    /// One more; beyond the type of the variable the literal belongs to, the lowest value of that type.
    fn increment(&self) -> Option<ExprKind> {
        let value = self.literal()?;
        let domain = self.domain();
        let wrapped = match &domain {
            Some((low, high, _)) if *high <= value => *low,
            _ => value.checked_add(1)?,
        };
        (wrapped != value).then(|| literal(wrapped, &domain))
    }

    fn constants(&self) -> Vec<ExprKind> {
        let Some(value) = self.literal() else { return Vec::new() };
        let domain = self.domain();
        let mut values = Vec::new();
        for candidate in [value.saturating_sub(1), 0, 1] {
            let fits = domain.as_ref().is_none_or(|(low, high, _)| *low <= candidate && candidate <= *high);
            if candidate != value && candidate != value + 1 && fits && !values.contains(&candidate) {
                values.push(candidate);
            }
        }
        values.into_iter().map(|value| literal(value, &domain)).collect()
    }

    fn variables(&self) -> Vec<ExprKind> {
        let ExprKind::Name(name) = &self.expr.kind else { return Vec::new() };
        let Some(own) = self.model.variables.iter().find(|variable| variable.name.text == *name) else {
            return Vec::new();
        };
        let same = |other: &&crate::ast::VariableDeclaration| {
            other.kind.text == own.kind.text && other.name.text != own.name.text
        };
        self.model.variables.iter().filter(same).map(|other| ExprKind::Name(other.name.text.clone())).collect()
    }

    /// The number the expression is, written or named.
    fn literal(&self) -> Option<i64> {
        match &self.expr.kind {
            ExprKind::Number(number) => Some(*number),
            ExprKind::Name(name) => {
                let action = &self.model.actions[self.action];
                let hidden = action.parameters.iter().any(|parameter| parameter.text == *name);
                if hidden { None } else { label_value(self.model, name) }
            }
            ExprKind::Element(..)
            | ExprKind::Negate(_)
            | ExprKind::Absolute(_)
            | ExprKind::Arithmetic(..)
            | ExprKind::Truth(_)
            | ExprKind::Not(_)
            | ExprKind::Compare(..)
            | ExprKind::Connect(..) => None,
        }
    }

    /// The type of the variable on the other side of the comparison, or of the variable assigned.
    fn domain(&self) -> Option<Domain> {
        match self.parent? {
            Part::Stmt(Stmt::Assign { target, .. }) if self.path.last() == Some(&1) => self.domain_of(&target.text),
            Part::Expr(Expr { kind: ExprKind::Compare(_, left, right), .. }) => {
                let other = if self.path.last() == Some(&1) { left } else { right };
                match &other.kind {
                    ExprKind::Name(name) => self.domain_of(name),
                    ExprKind::Element(array, _) => self.domain_of(&array.text),
                    _ => None,
                }
            }
            Part::Stmt(_) | Part::Expr(_) => None,
        }
    }

    fn domain_of(&self, name: &str) -> Option<Domain> {
        let variable = self.model.variables.iter().find(|variable| variable.name.text == name);
        let kind = match variable {
            Some(variable) => Some(variable.kind.text.clone()),
            None => self.parameter_type(name),
        };
        interval(self.model, &kind?)
    }

    /// The type of the binder that the last call of the action gives to a parameter.
    fn parameter_type(&self, name: &str) -> Option<String> {
        let action = &self.model.actions[self.action];
        let position = action.parameters.iter().position(|parameter| parameter.text == name)?;
        let mut found = None;
        each_call(self.model.body.as_ref()?, &mut |call| {
            if call.action.text == action.name.text
                && let Some(Argument::Name(argument)) = call.arguments.get(position)
                && let Some((_, kind)) = call.binders.iter().find(|(binder, _)| binder.text == argument.text)
            {
                found = Some(kind.text.clone());
            }
        });
        found
    }
}

fn is_equality(comparison: Comparison) -> bool {
    matches!(comparison, Comparison::Equal | Comparison::Different)
}

fn literal(value: i64, domain: &Option<Domain>) -> ExprKind {
    let label = domain.as_ref().and_then(|(low, _, labels)| labels.get(usize::try_from(value - low).ok()?));
    label.map_or(ExprKind::Number(value), |label| ExprKind::Name(label.clone()))
}

/// The values of a type; of an array, those of its cells.
pub(super) fn interval(model: &Model, kind: &str) -> Option<Domain> {
    match &model.types.iter().find(|declared| declared.name.text == kind)?.kind {
        TypeKind::Interval { low, high, labels } => {
            Some((*low, *high, labels.iter().map(|label| label.text.clone()).collect()))
        }
        TypeKind::Array { element, .. } => {
            let element = model.types.iter().find(|declared| declared.name.text == element.text)?;
            match &element.kind {
                TypeKind::Interval { low, high, labels } => {
                    Some((*low, *high, labels.iter().map(|label| label.text.clone()).collect()))
                }
                TypeKind::Array { .. } => None,
            }
        }
    }
}

/// The value with this name.
pub(super) fn label_value(model: &Model, name: &str) -> Option<i64> {
    model.types.iter().find_map(|declared| match &declared.kind {
        TypeKind::Interval { low, labels, .. } => {
            labels.iter().position(|label| label.text == name).map(|place| low + place as i64)
        }
        TypeKind::Array { .. } => None,
    })
}

/// Visits every call of a do-od block, in order.
pub(super) fn each_call(body: &Loop, see: &mut dyn FnMut(&crate::ast::Call)) {
    match body {
        Loop::Call(call) => see(call),
        Loop::Sequence(parts) | Loop::Choice(parts) | Loop::Priority(parts) => {
            parts.iter().for_each(|part| each_call(part, see));
        }
    }
}
