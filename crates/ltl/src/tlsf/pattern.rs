//! Patterns on formulas: `f ~ a U b` holds if `f` is an until, and gives its sides the names `a` and `b`.

use source::Diagnostic;

use super::ast::{Expr, ExprId};
use super::evaluate::{Evaluator, binary, unary};
use omega::{Formula, Node};

impl Evaluator<'_> {
    /// Whether a formula has the shape of a pattern; the names in the pattern stand for parts of it from now on.
    pub(crate) fn matches(&mut self, formula: Formula, pattern: ExprId) -> Result<bool, Diagnostic> {
        let mut open = vec![(formula, pattern)];
        while let Some((formula, pattern)) = open.pop() {
            self.step(pattern)?;
            let node = self.formulas.node(formula);
            match &self.ast.exprs[pattern.0 as usize].0 {
                Expr::Wild => {}
                Expr::Name(name) => {
                    if let Some(known) = self.globals.get(name) {
                        if *known != super::value::Value::Formula(formula) {
                            return Ok(false);
                        }
                    } else {
                        self.locals.push((name.clone(), super::value::Value::Formula(formula)));
                    }
                }
                Expr::Truth(value) => {
                    if node != Node::Constant(*value) {
                        return Ok(false);
                    }
                }
                Expr::Prefix(prefix, inner) => match node {
                    Node::Unary(operator, argument) if unary(*prefix) == Some(operator) => {
                        open.push((argument, *inner));
                    }
                    _ => return Ok(false),
                },
                Expr::Infix(infix, first, second) => match node {
                    Node::Binary(operator, left, right) if binary(*infix) == Some(operator) => {
                        open.extend([(right, *second), (left, *first)]);
                    }
                    _ => return Ok(false),
                },
                _ => {
                    if self.formula(pattern)? != formula {
                        return Ok(false);
                    }
                }
            }
        }
        Ok(true)
    }
}
