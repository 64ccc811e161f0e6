//! Conditions and decisions: `&&`, `||`, `!` and `?:` as control flow.

use source::Span;

use super::build::Lowered;
use super::graph::LocalNode;
use super::{Checked, Lowerer};
use crate::ast::{Expr, ExprKind, Unary};
use crate::codes;
use crate::program::{DecisionId, DecisionOutcome, Formula, StatementKind};
use crate::types::{Type, TypeId};

impl Lowerer<'_> {
    /// Evaluates a decision. Control goes on at the first node if it is true and at the second if it is false; either is
    /// none if that cannot be.
    pub(super) fn decide(&mut self, expr: &Expr, kind: StatementKind) -> Checked<[Option<LocalNode>; 2]> {
        let (decision, outer) = self.graph.open_decision(kind, expr.span);
        let (yes, no) = (self.graph.node(), self.graph.node());
        let first = self.graph.edges.len();
        let lowered = self.condition(expr, yes, no);
        self.graph.decision = outer;
        let formula = lowered?;
        self.graph.mark_outcomes(first, decision, [no, yes]);
        let constant = constant_of(&formula);
        self.graph.decisions[decision.0 as usize].formula = Some(formula);
        self.forget_if_constant(decision);
        Ok([
            if constant == Some(false) { None } else { Some(yes) },
            if constant == Some(true) { None } else { Some(no) },
        ])
    }

    /// A decision without conditions decides nothing.
    fn forget_if_constant(&mut self, decision: DecisionId) {
        if self.graph.decisions[decision.0 as usize].conditions.is_empty() {
            self.graph.decisions[decision.0 as usize].outcomes = 0;
        }
    }

    fn condition(&mut self, expr: &Expr, yes: LocalNode, no: LocalNode) -> Checked<Formula> {
        match &expr.kind {
            ExprKind::Unary(Unary::Not, operand) => {
                let inner = self.condition(operand, no, yes)?;
                Ok(Formula::Not(Box::new(inner)))
            }
            ExprKind::Logical(and, left, right) => self.junction(*and, left, right, yes, no),
            ExprKind::Comma(left, right) => {
                self.effect(left)?;
                self.condition(right, yes, no)
            }
            // Boolean through and through: a hint for the compiler, or a cast that keeps truth.
            ExprKind::Call(function, arguments) if arguments.len() == 2 && self.is_hint(function) => {
                self.condition(&arguments[0], yes, no)
            }
            ExprKind::Cast(name, operand) if is_boolean(operand) => {
                let ty = self.type_name(name)?;
                if self.types().is_integer(ty) { self.condition(operand, yes, no) } else { self.leaf(expr, yes, no) }
            }
            _ => self.leaf(expr, yes, no),
        }
    }

    pub(super) fn is_hint(&self, function: &Expr) -> bool {
        matches!(function.kind, ExprKind::Name(name) if self.name(name) == "__builtin_expect")
    }

    fn junction(&mut self, and: bool, left: &Expr, right: &Expr, yes: LocalNode, no: LocalNode) -> Checked<Formula> {
        let middle = self.graph.node();
        let first = if and { self.condition(left, middle, no)? } else { self.condition(left, yes, middle)? };
        let known = constant_of(&first);
        if known == Some(!and) {
            // The right side is never evaluated, but it must be right.
            let decision = self.graph.decision;
            let checked = self.unevaluated(|lowerer| lowerer.rvalue(right).map(|_| ()));
            self.graph.decision = decision;
            checked?;
            return Ok(first);
        }
        self.graph.at = middle;
        let second = self.condition(right, yes, no)?;
        let (first, second) = (Box::new(first), Box::new(second));
        Ok(if and { Formula::And(first, second) } else { Formula::Or(first, second) })
    }

    fn leaf(&mut self, expr: &Expr, yes: LocalNode, no: LocalNode) -> Checked<Formula> {
        let value = self.rvalue(expr)?;
        self.require_scalar(value, expr.span)?;
        if let Some(truth) = self.constant_truth(value) {
            let at = self.graph.at;
            self.graph.unite(at, if truth { yes } else { no });
            return Ok(Formula::Constant(truth));
        }
        let location = self.location(expr.span);
        let condition = self.graph.branch(value, (location, expr.span), [(yes, None), (no, None)]);
        Ok(Formula::Condition(condition))
    }

    /// `a && b` or `a || b` as a value: an aggregated Boolean expression.
    pub(super) fn logical(&mut self, expr: &Expr) -> Checked<Lowered> {
        let kinds = self.graph.kinds;
        let mark = (self.graph.edges.len(), self.graph.at);
        self.graph.kinds = kinds.with(StatementKind::Aggregate);
        let sides = self.decide(expr, StatementKind::Aggregate);
        self.graph.kinds = kinds;
        let sides = sides?;
        // Known without any edge: a constant.
        if mark.0 == self.graph.edges.len()
            && let [Some(same), None] | [None, Some(same)] = sides
        {
            let truth = sides[0].is_some();
            self.graph.unite(mark.1, same);
            self.graph.at = mark.1;
            return Ok(Lowered::Value(self.int(i128::from(truth), TypeId::INT)));
        }
        self.graph.kinds = kinds.with(StatementKind::Aggregate);
        let variable = self.temporary(TypeId::INT, expr.span);
        let join = self.graph.node();
        for (side, truth) in sides.into_iter().zip([1, 0]) {
            let Some(side) = side else { continue };
            self.graph.at = side;
            let place = self.variable_place(variable);
            let value = self.int(truth, TypeId::INT);
            self.assign(place, value, expr.span);
            let at = self.graph.at;
            self.graph.unite(at, join);
        }
        self.graph.kinds = kinds;
        self.graph.at = join;
        Ok(Lowered::Value(self.load_variable(variable)))
    }

    /// `test ? then : otherwise`.
    pub(super) fn conditional(
        &mut self,
        expr: &Expr,
        test: &Expr,
        then: Option<&Expr>,
        otherwise: &Expr,
    ) -> Checked<Lowered> {
        let Some(then) = then else {
            return self.elvis(expr, test, otherwise);
        };
        let kinds = self.graph.kinds;
        self.graph.kinds = kinds.with(StatementKind::Conditional);
        let result = self.conditional_parts(expr, test, then, otherwise);
        self.graph.kinds = kinds;
        result
    }

    fn conditional_parts(&mut self, expr: &Expr, test: &Expr, then: &Expr, otherwise: &Expr) -> Checked<Lowered> {
        let start = self.graph.at;
        let before = self.graph.edges.len();
        let [yes, no] = self.decide(test, StatementKind::Conditional)?;
        let (arms, only) = match (yes, no) {
            (Some(yes), Some(no)) => ([Some(yes), Some(no)], None),
            (Some(yes), None) => ([Some(yes), None], Some(true)),
            (None, _) => ([None, no], Some(false)),
        };
        let mut ends = [None, None];
        let mut values = [None, None];
        for (index, arm) in [then, otherwise].into_iter().enumerate() {
            let value = match arms[index] {
                Some(node) => {
                    self.graph.at = node;
                    let value = self.rvalue(arm)?;
                    ends[index] = Some(self.graph.at);
                    value
                }
                None => self.unevaluated(|lowerer| lowerer.rvalue(arm))?,
            };
            values[index] = Some(value);
        }
        let [Some(left), Some(right)] = values else { unreachable!("both arms are lowered") };
        let ty = self.conditional_type(left, right, expr.span)?;
        let values = [left, right];
        if let Some(first) = only {
            let index = usize::from(!first);
            if before == self.graph.edges.len() {
                // Nothing happened: this may be a constant expression.
                let end = ends[index].expect("the arm is lowered");
                self.graph.unite(start, end);
            }
            self.graph.at = ends[index].expect("the arm is lowered");
            return Ok(Lowered::Value(if ty == TypeId::VOID {
                self.nothing()
            } else {
                self.convert(values[index], ty)
            }));
        }
        let join = self.graph.node();
        let variable = if ty == TypeId::VOID { None } else { Some(self.temporary(ty, expr.span)) };
        for index in 0..2 {
            self.graph.at = ends[index].expect("both arms are lowered");
            if let Some(variable) = variable {
                let value = self.convert(values[index], ty);
                let place = self.variable_place(variable);
                self.assign(place, value, [then, otherwise][index].span);
            }
            let at = self.graph.at;
            self.graph.unite(at, join);
        }
        self.graph.at = join;
        Ok(Lowered::Value(match variable {
            Some(variable) => self.load_variable(variable),
            None => self.nothing(),
        }))
    }

    /// `test ?: otherwise`: the test is evaluated once.
    fn elvis(&mut self, expr: &Expr, test: &Expr, otherwise: &Expr) -> Checked<Lowered> {
        let value = self.rvalue(test)?;
        self.require_scalar(value, test.span)?;
        if let Some(truth) = self.constant_truth(value) {
            let other =
                if truth { self.unevaluated(|lowerer| lowerer.rvalue(otherwise))? } else { self.rvalue(otherwise)? };
            let ty = self.conditional_type(value, other, expr.span)?;
            return Ok(Lowered::Value(self.convert(if truth { value } else { other }, ty)));
        }
        let saved = self.saved(value, test.span);
        let (decision, outer) = self.graph.open_decision(StatementKind::Conditional, test.span);
        let (yes, no) = (self.graph.node(), self.graph.node());
        let outcome = |outcome: u32| Some(DecisionOutcome { decision, outcome });
        let location = self.location(test.span);
        let condition = self.graph.branch(saved, (location, test.span), [(yes, outcome(1)), (no, outcome(0))]);
        self.graph.decisions[decision.0 as usize].formula = Some(Formula::Condition(condition));
        self.graph.decision = outer;
        self.graph.at = no;
        let other = self.rvalue(otherwise)?;
        let end = self.graph.at;
        let ty = self.conditional_type(saved, other, expr.span)?;
        let variable = self.temporary(ty, expr.span);
        let join = self.graph.node();
        for (node, value) in [(yes, saved), (end, other)] {
            self.graph.at = node;
            let value = self.convert(value, ty);
            let place = self.variable_place(variable);
            self.assign(place, value, expr.span);
            let at = self.graph.at;
            self.graph.unite(at, join);
        }
        self.graph.at = join;
        Ok(Lowered::Value(self.load_variable(variable)))
    }

    fn conditional_type(
        &mut self,
        left: crate::expr::ExprId,
        right: crate::expr::ExprId,
        span: Span,
    ) -> Checked<TypeId> {
        let (a, b) = (self.ty(left), self.ty(right));
        if self.types().is_arithmetic(a) && self.types().is_arithmetic(b) {
            return Ok(self.common_type(left, right));
        }
        if a == TypeId::VOID || b == TypeId::VOID {
            return Ok(TypeId::VOID);
        }
        match (self.types().target(a), self.types().target(b)) {
            (Some(_), None) if self.types().is_integer(b) => return Ok(a),
            (None, Some(_)) if self.types().is_integer(a) => return Ok(b),
            (Some(to_a), Some(to_b)) => {
                if self.is_null_constant(left) && to_a == TypeId::VOID {
                    return Ok(b);
                }
                if self.is_null_constant(right) && to_b == TypeId::VOID {
                    return Ok(a);
                }
                let void = to_a.unqualified() == TypeId::VOID || to_b.unqualified() == TypeId::VOID;
                if !void && !self.types().compatible(to_a.unqualified(), to_b.unqualified()) {
                    self.warn(&codes::CONVERSION, span, "the two sides point to different types");
                    return Ok(self.program.types.pointer(TypeId::VOID));
                }
                let target = if void { TypeId::VOID } else { self.types().composite(to_a, to_b) };
                return Ok(self.program.types.pointer(target.qualified_like(to_a).qualified_like(to_b)));
            }
            _ => {}
        }
        if self.types().compatible(a, b) && matches!(self.types().kind(a), Type::Record(_)) {
            return Ok(a);
        }
        let message = format!("the two sides have types `{}` and `{}`", self.types().show(a), self.types().show(b));
        self.error(&codes::TYPE, span, message)
    }
}

/// Whether an expression is made with Boolean operators, so that a cast of it is still a decision.
fn is_boolean(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Logical(..) | ExprKind::Unary(Unary::Not, _))
}

fn constant_of(formula: &Formula) -> Option<bool> {
    match formula {
        Formula::Constant(truth) => Some(*truth),
        Formula::Condition(_) => None,
        Formula::Not(inner) => constant_of(inner).map(|truth| !truth),
        Formula::And(left, right) => match (constant_of(left), constant_of(right)) {
            (Some(false), _) => Some(false),
            (Some(true), right) => right,
            (None, _) => None,
        },
        Formula::Or(left, right) => match (constant_of(left), constant_of(right)) {
            (Some(true), _) => Some(true),
            (Some(false), right) => right,
            (None, _) => None,
        },
    }
}
