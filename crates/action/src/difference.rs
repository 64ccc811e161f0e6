//! Where a mutant that was read from a file differs from its model: the changed action and the smallest part that holds the change.

use source::Span;

use crate::ast::{Action, Expr, ExprKind, Loop, Model, Stmt};

/// A difference between a model and a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The action it is in, or that is called otherwise; empty where declarations differ.
    pub action: String,
    /// Its place in the model.
    pub span: Span,
}

/// The first difference, in the order of actions, do-od block, variables and types; none where both say the same.
pub fn difference(model: &Model, mutant: &Model) -> Option<Change> {
    in_actions(model, mutant).or_else(|| in_body(model, mutant)).or_else(|| in_declarations(model, mutant))
}

fn in_actions(model: &Model, mutant: &Model) -> Option<Change> {
    model.actions.iter().find_map(|action| {
        let change = |span: Span| Change { action: action.name.text.clone(), span };
        match mutant.action(&action.name.text) {
            None => Some(change(action.name.span())),
            Some(other) if **action == *other => None,
            Some(other) => Some(change(in_action(action, other))),
        }
    })
}

fn in_action(action: &Action, other: &Action) -> Span {
    let guard = || in_expression(&action.guard, &other.guard);
    let body = || in_statement(&action.body, &other.body);
    let parameters = action.parameters != other.parameters;
    if parameters { action.name.span() } else { guard().or_else(body).unwrap_or(action.name.span()) }
}

/// The place of the smallest expression that holds all differences; none where there is none.
fn in_expression(left: &Expr, right: &Expr) -> Option<Span> {
    if left == right {
        return None;
    }
    let (ours, theirs) = (parts(left), parts(right));
    let alike = ours.len() == theirs.len() && shape(left) == shape(right);
    let differing: Vec<(&Expr, &Expr)> = ours.into_iter().zip(theirs).filter(|(left, right)| left != right).collect();
    match differing.as_slice() {
        [(one, other)] if alike => in_expression(one, other),
        _ => Some(left.span()),
    }
}

fn parts(expression: &Expr) -> Vec<&Expr> {
    match &expression.kind {
        ExprKind::Number(_) | ExprKind::Name(_) | ExprKind::Truth(_) => Vec::new(),
        ExprKind::Element(_, inner) | ExprKind::Negate(inner) | ExprKind::Absolute(inner) | ExprKind::Not(inner) => {
            vec![inner]
        }
        ExprKind::Arithmetic(_, left, right) | ExprKind::Compare(_, left, right) => vec![left, right],
        ExprKind::Connect(_, parts) => parts.iter().collect(),
    }
}

/// What an expression is, without its parts.
fn shape(expression: &Expr) -> String {
    match &expression.kind {
        ExprKind::Number(number) => number.to_string(),
        ExprKind::Name(name) => name.clone(),
        ExprKind::Truth(truth) => truth.to_string(),
        ExprKind::Element(name, _) => format!("{}[]", name.text),
        ExprKind::Negate(_) => "-".to_owned(),
        ExprKind::Absolute(_) => "abs".to_owned(),
        ExprKind::Not(_) => "not".to_owned(),
        ExprKind::Arithmetic(operator, ..) => operator.native().to_owned(),
        ExprKind::Compare(comparison, ..) => comparison.native().to_owned(),
        ExprKind::Connect(connective, _) => connective.native().to_owned(),
    }
}

fn in_statement(left: &Stmt, right: &Stmt) -> Option<Span> {
    if left == right {
        return None;
    }
    let whole = Some(beginning(left));
    match (left, right) {
        (
            Stmt::Assign { target, index, value },
            Stmt::Assign { target: other_target, index: other_index, value: other_value },
        ) => {
            if target != other_target {
                return Some(target.span());
            }
            match (index, other_index) {
                (Some(one), Some(other)) if one != other => in_expression(one, other),
                _ => in_expression(value, other_value).or(whole),
            }
        }
        (Stmt::Guarded { guard, body }, Stmt::Guarded { guard: other_guard, body: other_body }) => {
            in_expression(guard, other_guard).or_else(|| in_statement(body, other_body))
        }
        (Stmt::Any { name, kind, body }, Stmt::Any { name: other_name, kind: other_kind, body: other_body }) => {
            let same = name == other_name && kind == other_kind;
            if same { in_statement(body, other_body) } else { Some(name.span()) }
        }
        (Stmt::Sequence(ours), Stmt::Sequence(theirs))
        | (Stmt::Together(ours), Stmt::Together(theirs))
        | (Stmt::Choice(ours), Stmt::Choice(theirs))
        | (Stmt::Priority(ours), Stmt::Priority(theirs)) => {
            let first = ours.iter().zip(theirs).find_map(|(one, other)| in_statement(one, other));
            first.or_else(|| ours.get(theirs.len()).map(beginning)).or(whole)
        }
        _ => whole,
    }
}

/// Where a statement begins.
fn beginning(statement: &Stmt) -> Span {
    let mut at = statement;
    loop {
        at = match at {
            Stmt::Skip(place) => return place.0,
            Stmt::Assign { target, .. } => return target.span(),
            Stmt::Guarded { guard, .. } => return guard.span(),
            Stmt::Any { name, .. } => return name.span(),
            Stmt::Together(parts) | Stmt::Sequence(parts) | Stmt::Choice(parts) | Stmt::Priority(parts) => {
                match parts.first() {
                    Some(first) => first,
                    None => return Span::default(),
                }
            }
        };
    }
}

/// The first call that the mutant does not make at the same place.
fn in_body(model: &Model, mutant: &Model) -> Option<Change> {
    let (ours, theirs) = (model.body.as_deref()?, mutant.body.as_deref()?);
    if ours == theirs {
        return None;
    }
    let (left, right) = (calls(ours), calls(theirs));
    let first = left.iter().enumerate().find(|(place, call)| right.get(*place) != Some(call));
    let call = first.map(|(_, call)| *call).or_else(|| left.last().copied())?;
    Some(Change { action: call.action.text.clone(), span: call.action.span() })
}

fn calls(body: &Loop) -> Vec<&crate::ast::Call> {
    let (mut calls, mut open) = (Vec::new(), vec![body]);
    while let Some(block) = open.pop() {
        match block {
            Loop::Call(call) => calls.push(call),
            Loop::Sequence(parts) | Loop::Choice(parts) | Loop::Priority(parts) => open.extend(parts.iter().rev()),
        }
    }
    calls
}

fn in_declarations(model: &Model, mutant: &Model) -> Option<Change> {
    let variable = model.variables.iter().zip(mutant.variables.iter()).find(|(one, other)| one != other);
    let kind = model.types.iter().zip(mutant.types.iter()).find(|(one, other)| one != other);
    let span = variable.map(|(one, _)| one.name.span()).or_else(|| kind.map(|(one, _)| one.name.span()))?;
    Some(Change { action: String::new(), span })
}
