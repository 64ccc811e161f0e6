//! Places in an action: the way from its root, child by child.

use source::Span;

use crate::ast::{Action, Expr, ExprKind, Stmt};

/// The numbers of the children on the way: 0 from an action is its guard, 1 its body.
pub type Path = Vec<usize>;

/// A part of an action.
#[derive(Clone, Copy)]
pub(super) enum Part<'a> {
    Expr(&'a Expr),
    Stmt(&'a Stmt),
}

enum PartMut<'a> {
    Expr(&'a mut Expr),
    Stmt(&'a mut Stmt),
}

/// Visits every part of an action, parents first, with the part it belongs to.
pub(super) fn visit<'a>(action: &'a Action, see: &mut dyn FnMut(&Path, Part<'a>, Option<Part<'a>>)) {
    let mut path = vec![0];
    walk(Part::Expr(&action.guard), None, &mut path, see);
    path[0] = 1;
    walk(Part::Stmt(&action.body), None, &mut path, see);
}

fn walk<'a>(
    part: Part<'a>,
    parent: Option<Part<'a>>,
    path: &mut Path,
    see: &mut dyn FnMut(&Path, Part<'a>, Option<Part<'a>>),
) {
    see(path, part, parent);
    for (index, child) in children(part) {
        path.push(index);
        walk(child, Some(part), path, see);
        path.pop();
    }
}

fn children(part: Part<'_>) -> Vec<(usize, Part<'_>)> {
    match part {
        Part::Expr(expr) => match &expr.kind {
            ExprKind::Number(_) | ExprKind::Name(_) | ExprKind::Truth(_) => Vec::new(),
            ExprKind::Element(_, inner)
            | ExprKind::Negate(inner)
            | ExprKind::Absolute(inner)
            | ExprKind::Not(inner) => {
                vec![(0, Part::Expr(inner))]
            }
            ExprKind::Arithmetic(_, left, right) | ExprKind::Compare(_, left, right) => {
                vec![(0, Part::Expr(left)), (1, Part::Expr(right))]
            }
            ExprKind::Connect(_, parts) => parts.iter().map(Part::Expr).enumerate().collect(),
        },
        Part::Stmt(stmt) => match stmt {
            Stmt::Skip(_) => Vec::new(),
            Stmt::Assign { index, value, .. } => {
                index.iter().map(|index| (0, Part::Expr(index))).chain([(1, Part::Expr(value))]).collect()
            }
            Stmt::Together(parts) | Stmt::Sequence(parts) | Stmt::Choice(parts) | Stmt::Priority(parts) => {
                parts.iter().map(Part::Stmt).enumerate().collect()
            }
            Stmt::Any { body, .. } => vec![(0, Part::Stmt(body))],
            Stmt::Guarded { guard, body } => vec![(0, Part::Expr(guard)), (1, Part::Stmt(body))],
        },
    }
}

/// The expression at a path.
pub(super) fn expr_mut<'a>(action: &'a mut Action, path: &Path) -> &'a mut Expr {
    match part_mut(action, path) {
        PartMut::Expr(expr) => expr,
        PartMut::Stmt(_) => unreachable!("the path was made for an expression"),
    }
}

/// The statement at a path.
pub(super) fn stmt_mut<'a>(action: &'a mut Action, path: &Path) -> &'a mut Stmt {
    match part_mut(action, path) {
        PartMut::Stmt(stmt) => stmt,
        PartMut::Expr(_) => unreachable!("the path was made for a statement"),
    }
}

fn part_mut<'a>(action: &'a mut Action, path: &Path) -> PartMut<'a> {
    let mut part = if path[0] == 0 { PartMut::Expr(&mut action.guard) } else { PartMut::Stmt(&mut action.body) };
    for &index in &path[1..] {
        part = child_mut(part, index);
    }
    part
}

fn child_mut(part: PartMut<'_>, child: usize) -> PartMut<'_> {
    match part {
        PartMut::Expr(expr) => match &mut expr.kind {
            ExprKind::Element(_, inner)
            | ExprKind::Negate(inner)
            | ExprKind::Absolute(inner)
            | ExprKind::Not(inner) => PartMut::Expr(inner),
            ExprKind::Arithmetic(_, left, right) | ExprKind::Compare(_, left, right) => {
                PartMut::Expr(if child == 0 { left } else { right })
            }
            ExprKind::Connect(_, parts) => PartMut::Expr(&mut parts[child]),
            ExprKind::Number(_) | ExprKind::Name(_) | ExprKind::Truth(_) => unreachable!("the path fits the model"),
        },
        PartMut::Stmt(stmt) => match stmt {
            Stmt::Assign { index, value, .. } => match index {
                Some(index) if child == 0 => PartMut::Expr(index),
                _ => PartMut::Expr(value),
            },
            Stmt::Together(parts) | Stmt::Sequence(parts) | Stmt::Choice(parts) | Stmt::Priority(parts) => {
                PartMut::Stmt(&mut parts[child])
            }
            Stmt::Any { body, .. } => PartMut::Stmt(body),
            Stmt::Guarded { guard, body } => {
                if child == 0 {
                    PartMut::Expr(guard)
                } else {
                    PartMut::Stmt(body)
                }
            }
            Stmt::Skip(_) => unreachable!("the path fits the model"),
        },
    }
}

/// Where a statement stands.
pub(super) fn stmt_span(stmt: &Stmt) -> Span {
    match stmt {
        Stmt::Skip(at) => at.0,
        Stmt::Assign { target, value, .. } => target.span().join(value.span()),
        Stmt::Any { name, body, .. } => name.span().join(stmt_span(body)),
        Stmt::Together(parts) | Stmt::Sequence(parts) | Stmt::Choice(parts) | Stmt::Priority(parts) => {
            parts.iter().map(stmt_span).reduce(Span::join).unwrap_or_default()
        }
        Stmt::Guarded { guard, body } => guard.span().join(stmt_span(body)),
    }
}
