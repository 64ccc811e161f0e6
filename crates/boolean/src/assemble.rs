//! Puts the checked pieces of a file together: unfolds decisions and keeps only the expressions that are used.

use source::{Diagnostic, Source, Span};

use crate::build::{Builder, ShapeId};
use crate::unfold::unfold;
use crate::{Assumption, Decision, Expr, ExprId, ExprKind, Spec, Variable, codes};

/// The checked pieces of a file: labelled uses of Boolean expressions.
pub(crate) struct Pieces {
    pub(crate) variables: Vec<Variable>,
    pub(crate) decisions: Vec<(String, ShapeId, Span)>,
    pub(crate) assumptions: Vec<(String, ShapeId, Span)>,
    limit: usize,
}

impl Pieces {
    /// Nothing but variables yet; decisions may unfold to `limit` nodes.
    pub(crate) fn new(variables: Vec<Variable>, limit: usize) -> Pieces {
        Pieces { variables, decisions: Vec::new(), assumptions: Vec::new(), limit }
    }
}

/// The specification of the pieces, and warnings.
pub(crate) fn assemble(
    source: &Source,
    builder: Builder,
    pieces: Pieces,
) -> Result<(Spec, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut errors = Vec::new();
    let mut decisions = Vec::new();
    for (name, shape, span) in pieces.decisions {
        let Some((formula, conditions)) = unfold(source, &builder, shape, pieces.limit) else {
            errors.push(
                Diagnostic::error(
                    &codes::TOO_LARGE,
                    span,
                    format!("the decision `{name}` unfolds to too many conditions"),
                )
                .label(format!("more than {} nodes once every definition is replaced", pieces.limit)),
            );
            continue;
        };
        if conditions.is_empty() {
            errors.push(Diagnostic::error(
                &codes::CONSTANT_DECISION,
                span,
                format!("the decision `{name}` has no condition"),
            ));
        }
        decisions.push(Decision { name, expr: builder.expr(shape), formula, conditions, span });
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let assumptions = pieces.assumptions.into_iter();
    let assumptions =
        assumptions.map(|(label, shape, span)| Assumption { label, expr: builder.expr(shape), span }).collect();
    let mut spec = Spec { variables: pieces.variables, exprs: builder.exprs, decisions, assumptions };
    compact(&mut spec);
    let warnings = unused(&spec);
    Ok((spec, warnings))
}

/// Drops the expressions nothing refers to and renumbers the others.
fn compact(spec: &mut Spec) {
    let mut used = vec![false; spec.exprs.len()];
    for decision in &spec.decisions {
        used[decision.expr.0 as usize] = true;
        for condition in &decision.conditions {
            used[condition.atom.0 as usize] = true;
        }
    }
    for assumption in &spec.assumptions {
        used[assumption.expr.0 as usize] = true;
    }
    for index in (0..spec.exprs.len()).rev() {
        if let (true, ExprKind::Apply { args, .. }) = (used[index], &spec.exprs[index].kind) {
            for arg in args {
                used[arg.0 as usize] = true;
            }
        }
    }
    let mut numbers = vec![ExprId(0); spec.exprs.len()];
    let mut kept: Vec<Expr> = Vec::new();
    for (index, mut expr) in std::mem::take(&mut spec.exprs).into_iter().enumerate() {
        if !used[index] {
            continue;
        }
        if let ExprKind::Apply { args, .. } = &mut expr.kind {
            args.iter_mut().for_each(|arg| *arg = numbers[arg.0 as usize]);
        }
        numbers[index] = ExprId(kept.len() as u32);
        kept.push(expr);
    }
    spec.exprs = kept;
    for decision in &mut spec.decisions {
        decision.expr = numbers[decision.expr.0 as usize];
        decision.conditions.iter_mut().for_each(|condition| condition.atom = numbers[condition.atom.0 as usize]);
    }
    spec.assumptions.iter_mut().for_each(|assumption| assumption.expr = numbers[assumption.expr.0 as usize]);
}

/// A warning for every input that occurs nowhere, up to 20.
fn unused(spec: &Spec) -> Vec<Diagnostic> {
    let mut used = vec![false; spec.variables.len()];
    for expr in &spec.exprs {
        if let ExprKind::Variable(variable) = expr.kind {
            used[variable.0 as usize] = true;
        }
    }
    let unused = spec.variables.iter().zip(used).filter(|(_, used)| !used).take(20);
    unused
        .map(|(variable, _)| {
            let message = format!("the input `{}` occurs nowhere", variable.name);
            Diagnostic::warning(&codes::UNUSED_INPUT, variable.span, message)
        })
        .collect()
}
