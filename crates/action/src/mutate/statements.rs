//! Mutants of statements: left out, or in another order.

use crate::ast::{At, Stmt};

use super::path::{Part, stmt_span, visit};
use super::{Maker, Operator, Path};

impl Maker<'_> {
    pub(super) fn statements(&mut self, operator: Operator) {
        let spec = self.spec;
        for (index, action) in spec.model().actions.iter().enumerate() {
            let mut found: Vec<(Path, &Stmt, Vec<Stmt>)> = Vec::new();
            visit(action, &mut |path, part, parent| {
                let at_once = matches!(parent, Some(Part::Stmt(Stmt::Together(_))));
                if let Part::Stmt(stmt) = part
                    && !at_once
                {
                    found.push((path.clone(), stmt, replacements(operator, stmt)));
                }
            });
            for (path, old, replacements) in found {
                for new in replacements {
                    self.change_stmt(operator, index, &path, old, new);
                }
            }
        }
    }
}

fn replacements(operator: Operator, stmt: &Stmt) -> Vec<Stmt> {
    match (operator, stmt) {
        (Operator::Delete, Stmt::Assign { .. }) => vec![Stmt::Skip(At(stmt_span(stmt)))],
        (Operator::Delete, Stmt::Together(parts)) => without_one(parts, Stmt::Together),
        (Operator::Swap, Stmt::Sequence(parts)) => {
            let swapped = |first: usize| {
                let mut parts = parts.clone();
                parts.swap(first, first + 1);
                parts
            };
            (0..parts.len() - 1).map(|first| Stmt::Sequence(swapped(first))).collect()
        }
        (Operator::Branch, Stmt::Choice(parts)) => without_one(parts, Stmt::Choice),
        (Operator::Branch, Stmt::Priority(parts)) => without_one(parts, Stmt::Priority),
        _ => Vec::new(),
    }
}

fn without_one(parts: &[Stmt], make: fn(Vec<Stmt>) -> Stmt) -> Vec<Stmt> {
    let rest = |left_out: usize| {
        let mut rest = parts.to_vec();
        rest.remove(left_out);
        if rest.len() == 1 { rest.remove(0) } else { make(rest) }
    };
    (0..parts.len()).map(rest).collect()
}
