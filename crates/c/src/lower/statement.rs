//! Statements.

use source::Span;

use super::build::Lowered;
use super::graph::{Cases, Jumps, Label as Target, LocalNode};
use super::{Checked, Lowerer};
use crate::ast::{Expr, Label, Statement, StatementKind as Written};
use crate::codes;
use crate::expr::{BinaryOp, ExprId, ExprKind as Pure};
use crate::program::{DecisionOutcome, Kinds, Operation, StatementKind};
use crate::token::Name;
use crate::types::{Type, TypeId};

impl Lowerer<'_> {
    pub(super) fn statement(&mut self, statement: &Statement) -> Checked<()> {
        let span = statement.span;
        match &statement.kind {
            Written::Block(items) => {
                self.open_scope();
                for item in items {
                    let lowered = self.statement(item);
                    self.note(lowered);
                }
                self.close_scope();
                Ok(())
            }
            Written::Declaration(declaration) => {
                self.graph.kinds = Kinds::default();
                self.declaration(declaration)
            }
            Written::Expr(None) => Ok(()),
            Written::Expr(Some(expr)) => {
                self.of_kind(StatementKind::Expression);
                self.effect(expr)
            }
            Written::If(test, then, otherwise) => self.if_statement(test, then, otherwise.as_deref()),
            Written::While(test, body) => self.while_statement(span, test, body),
            Written::Do(body, test) => self.do_statement(span, body, test),
            Written::For(first, test, step, body) => {
                self.open_scope();
                let lowered = self.for_statement(span, first.as_deref(), test.as_ref(), step.as_ref(), body);
                self.close_scope();
                lowered
            }
            Written::Switch(chosen, body) => self.switch_statement(span, chosen, body),
            Written::Labelled(labels, inner) => self.labelled(labels, inner, span),
            Written::Goto(name) => {
                self.of_kind(StatementKind::Goto);
                let node = self.label(*name, span);
                self.jump(node, span);
                Ok(())
            }
            Written::ComputedGoto(_) => self.unsupported(span, "computed gotos are not supported"),
            Written::Break => {
                self.of_kind(StatementKind::Break);
                match self.graph.jumps.iter().rev().find_map(|jumps| jumps.on_break) {
                    Some(node) => {
                        self.jump(node, span);
                        Ok(())
                    }
                    None => self.error(&codes::CONTROL, span, "`break` stands outside loops and `switch`"),
                }
            }
            Written::Continue => {
                self.of_kind(StatementKind::Continue);
                match self.graph.jumps.iter().rev().find_map(|jumps| jumps.on_continue) {
                    Some(node) => {
                        self.jump(node, span);
                        Ok(())
                    }
                    None => self.error(&codes::CONTROL, span, "`continue` stands outside loops"),
                }
            }
            Written::Return(value) => self.return_statement(span, value.as_ref()),
            Written::Asm(assembly) => self.assembly(span, assembly),
        }
    }

    pub(super) fn of_kind(&mut self, kind: StatementKind) {
        self.graph.kinds = Kinds::default().with(kind);
    }

    /// A skip edge to a node; nothing follows it.
    fn jump(&mut self, node: LocalNode, span: Span) {
        let location = self.location(span);
        let at = self.graph.at;
        self.graph.edge(at, node, Operation::Skip, location, span);
        self.graph.at = self.graph.node();
    }

    fn unite_here(&mut self, node: LocalNode) {
        let at = self.graph.at;
        self.graph.unite(at, node);
    }

    fn or_new(&mut self, node: Option<LocalNode>) -> LocalNode {
        node.unwrap_or_else(|| self.graph.node())
    }

    fn if_statement(&mut self, test: &Expr, then: &Statement, otherwise: Option<&Statement>) -> Checked<()> {
        self.of_kind(StatementKind::If);
        let [yes, no] = self.decide(test, StatementKind::If)?;
        self.graph.at = self.or_new(yes);
        let first = self.statement(then);
        self.note(first);
        let join = self.graph.node();
        self.unite_here(join);
        self.graph.at = self.or_new(no);
        if let Some(otherwise) = otherwise {
            let second = self.statement(otherwise);
            self.note(second);
        }
        // A side that cannot be taken does not lead to the join.
        self.unite_here(join);
        self.graph.at = join;
        Ok(())
    }

    /// Closes a loop: from here back to its head. A loop that does nothing still takes a step.
    fn close_loop(&mut self, head: LocalNode, span: Span) {
        if !self.graph.is_scratch() {
            let location = self.location(span);
            self.graph.loops.push((head, location));
        }
        if self.graph.find(self.graph.at) == self.graph.find(head) && !self.has_edge_from(head) {
            self.emit(Operation::Skip, span);
        }
        self.unite_here(head);
    }

    fn has_edge_from(&self, node: LocalNode) -> bool {
        let node = self.graph.find(node);
        self.graph.edges.iter().any(|edge| self.graph.find(edge.from) == node)
    }

    fn body(&mut self, body: &Statement, on_break: LocalNode, on_continue: LocalNode) {
        self.graph.jumps.push(Jumps { on_break: Some(on_break), on_continue: Some(on_continue) });
        let lowered = self.statement(body);
        self.note(lowered);
        self.graph.jumps.pop();
    }

    fn while_statement(&mut self, span: Span, test: &Expr, body: &Statement) -> Checked<()> {
        let head = self.graph.at;
        self.graph.mark_target();
        self.of_kind(StatementKind::While);
        let [yes, no] = self.decide(test, StatementKind::While)?;
        let after = self.or_new(no);
        self.graph.at = self.or_new(yes);
        self.body(body, after, head);
        self.of_kind(StatementKind::While);
        self.close_loop(head, span);
        self.graph.at = after;
        Ok(())
    }

    fn do_statement(&mut self, span: Span, body: &Statement, test: &Expr) -> Checked<()> {
        let head = self.graph.at;
        self.graph.mark_target();
        let (again, after) = (self.graph.node(), self.graph.node());
        self.body(body, after, again);
        self.unite_here(again);
        self.of_kind(StatementKind::Do);
        let [yes, no] = self.decide(test, StatementKind::Do)?;
        if let Some(yes) = yes {
            self.graph.at = yes;
            self.close_loop(head, span);
        }
        if let Some(no) = no {
            self.graph.unite(no, after);
        }
        self.graph.at = after;
        Ok(())
    }

    fn for_statement(
        &mut self,
        span: Span,
        first: Option<&Statement>,
        test: Option<&Expr>,
        step: Option<&Expr>,
        body: &Statement,
    ) -> Checked<()> {
        match first.map(|first| &first.kind) {
            Some(Written::Declaration(declaration)) => {
                self.of_kind(StatementKind::For);
                self.declaration(declaration)?;
            }
            Some(Written::Expr(Some(expr))) => {
                self.of_kind(StatementKind::For);
                self.effect(expr)?;
            }
            _ => {}
        }
        let head = self.graph.at;
        self.graph.mark_target();
        self.of_kind(StatementKind::For);
        let [yes, no] = match test {
            Some(test) => self.decide(test, StatementKind::For)?,
            None => [Some(head), None],
        };
        let after = self.or_new(no);
        let again = self.graph.node();
        self.graph.at = self.or_new(yes);
        self.body(body, after, again);
        self.unite_here(again);
        if let Some(step) = step {
            self.of_kind(StatementKind::For);
            self.effect(step)?;
        }
        self.of_kind(StatementKind::For);
        self.close_loop(head, span);
        self.graph.at = after;
        Ok(())
    }

    fn switch_statement(&mut self, span: Span, chosen: &Expr, body: &Statement) -> Checked<()> {
        self.of_kind(StatementKind::Switch);
        let (decision, outer) = self.graph.open_decision(StatementKind::Switch, chosen.span);
        let value = self.rvalue(chosen);
        let value = value.and_then(|value| self.require_integer(value, chosen.span).map(|()| value));
        let value = match value {
            Ok(value) => self.promote(value),
            Err(error) => {
                self.graph.decision = outer;
                return Err(error);
            }
        };
        let value = if self.is_plain(value) { value } else { self.saved(value, chosen.span) };
        self.graph.decision = outer;
        let dispatch = self.graph.at;
        let after = self.graph.node();
        self.graph.at = self.graph.node();
        let ty = self.ty(value);
        self.graph.switches.push((Cases::default(), ty));
        self.graph.jumps.push(Jumps { on_break: Some(after), on_continue: None });
        let lowered = self.statement(body);
        self.note(lowered);
        self.graph.jumps.pop();
        self.unite_here(after);
        let (cases, _) = self.graph.switches.pop().expect("pushed above");
        self.of_kind(StatementKind::Switch);
        self.graph.at = dispatch;
        self.graph.decision = Some(decision);
        let dispatched = self.dispatch(span, value, cases, after, decision);
        self.graph.decision = outer;
        self.graph.at = after;
        dispatched
    }

    fn is_plain(&self, value: ExprId) -> bool {
        match &self.program.expr(value).kind {
            Pure::Integer(_) => true,
            Pure::Load(place) => {
                self.program.place(*place).steps.is_empty()
                    && matches!(self.program.place(*place).base, crate::expr::Base::Variable(_))
            }
            Pure::Convert(operand) => self.is_plain(*operand),
            _ => false,
        }
    }

    /// The chain of tests of a `switch`.
    fn dispatch(
        &mut self,
        span: Span,
        value: ExprId,
        cases: Cases,
        after: LocalNode,
        decision: crate::program::DecisionId,
    ) -> Checked<()> {
        let mut sorted: Vec<(i128, i128, Span)> =
            cases.cases.iter().map(|(low, high, _, span)| (*low, *high, *span)).collect();
        sorted.sort_by_key(|(low, ..)| *low);
        for pair in sorted.windows(2) {
            if pair[1].0 <= pair[0].1 {
                return self.error(&codes::DUPLICATE, pair[0].2.max(pair[1].2), "two cases have the same value");
            }
        }
        let otherwise = cases.default.map_or(after, |(node, _)| node);
        if let Some(known) = self.constant(value) {
            let hit = cases.cases.iter().find(|(low, high, ..)| *low <= known && known <= *high);
            self.unite_here(hit.map_or(otherwise, |(_, _, node, _)| *node));
            self.graph.decisions[decision.0 as usize].outcomes = 0;
            return Ok(());
        }
        let count = cases.cases.len() as u32;
        self.graph.decisions[decision.0 as usize].outcomes = if count == 0 { 0 } else { count + 1 };
        if count == 0 {
            self.unite_here(otherwise);
            return Ok(());
        }
        for (index, (low, high, node, label)) in cases.cases.iter().enumerate() {
            let ty = self.ty(value);
            let test = if low == high {
                let constant = self.int(*low, ty);
                self.binary_operator(BinaryOp::Equal, value, constant, *label)?
            } else {
                self.range_test(value, ty, *low, *high, *label)?
            };
            let last = index as u32 + 1 == count;
            let next = if last { otherwise } else { self.graph.node() };
            let outcome = |outcome: u32| Some(DecisionOutcome { decision, outcome });
            // The tests belong to the controlling expression, where the user looks for them.
            let location = self.location(*label);
            let missed = if last { outcome(count) } else { None };
            self.graph.branch(test, (location, *label), [(*node, outcome(index as u32)), (next, missed)]);
            self.graph.at = next;
        }
        let _ = span;
        Ok(())
    }

    /// `low <= value && value <= high` as one condition: the distance from `low`, without a sign.
    fn range_test(&mut self, value: ExprId, ty: TypeId, low: i128, high: i128, span: Span) -> Checked<ExprId> {
        let unsigned = match self.types().kind(ty) {
            Type::Integer(crate::types::IntegerKind::Long) => TypeId::ULONG,
            Type::Integer(crate::types::IntegerKind::LLong) => TypeId::ULLONG,
            Type::Integer(crate::types::IntegerKind::Int) => TypeId::UINT,
            Type::Integer(crate::types::IntegerKind::Int128) => TypeId::UINT128,
            _ => ty,
        };
        let low_value = self.int(low, ty);
        let (value, low_value) = (self.convert(value, unsigned), self.convert(low_value, unsigned));
        let distance = self.binary_operator(BinaryOp::Subtract, value, low_value, span)?;
        let most = self.int(high - low, unsigned);
        self.binary_operator(BinaryOp::LessEqual, distance, most, span)
    }

    fn labelled(&mut self, labels: &[Label], inner: &Statement, span: Span) -> Checked<()> {
        let mut names = Vec::new();
        for label in labels {
            let node = match label {
                Label::Name(name, place) => {
                    let node = self.label(*name, *place);
                    let known = self.graph.labels.get_mut(name).expect("made by label");
                    if known.defined {
                        let message = format!("the label `{}` is defined twice", self.name(*name));
                        return self.error(&codes::DUPLICATE, *place, message);
                    }
                    known.defined = true;
                    names.push(*name);
                    node
                }
                Label::Case(first, last, place) => self.case(first, last.as_ref(), *place)?,
                Label::Default(place) => {
                    let node = self.graph.node();
                    let Some((cases, _)) = self.graph.switches.last_mut() else {
                        return self.error(&codes::CONTROL, *place, "`default` stands outside `switch`");
                    };
                    if cases.default.replace((node, *place)).is_some() {
                        return self.error(&codes::DUPLICATE, *place, "a `switch` has two defaults");
                    }
                    node
                }
            };
            self.unite_here(node);
            let at = self.graph.find(self.graph.at);
            self.graph.at = at;
        }
        self.graph.mark_target();
        let empty = matches!(inner.kind, Written::Expr(None));
        if empty && !names.is_empty() {
            let at = self.graph.at;
            self.graph.nodes[at.0 as usize].labels.extend(&names);
            self.of_kind(StatementKind::Expression);
            self.emit(Operation::Skip, span);
            return Ok(());
        }
        if !names.is_empty() {
            let at = self.graph.at;
            self.graph.nodes[at.0 as usize].labels.extend(&names);
        }
        self.statement(inner)
    }

    fn case(&mut self, first: &Expr, last: Option<&Expr>, span: Span) -> Checked<LocalNode> {
        let Some((_, ty)) = self.graph.switches.last() else {
            return self.error(&codes::CONTROL, span, "`case` stands outside `switch`");
        };
        let integer = self.types().integer(*ty).expect("a switch is over integers");
        let low = integer.wrap(self.constant_expr(first)?);
        let high = match last {
            Some(last) => integer.wrap(self.constant_expr(last)?),
            None => low,
        };
        if high < low {
            return self.error(&codes::CONSTANT, span, "the range is empty");
        }
        let node = self.graph.node();
        let (cases, _) = self.graph.switches.last_mut().expect("looked up above");
        cases.cases.push((low, high, node, span));
        Ok(node)
    }

    fn label(&mut self, name: Name, used: Span) -> LocalNode {
        if let Some(label) = self.graph.labels.get(&name) {
            return label.node;
        }
        let node = self.graph.node();
        self.graph.labels.insert(name, Target { node, defined: false, used });
        node
    }

    pub(super) fn undefined_labels(&self) -> Checked<()> {
        let missing =
            self.graph.labels.iter().filter(|(_, label)| !label.defined).min_by_key(|(_, label)| label.used.start);
        match missing {
            Some((name, label)) => {
                let message = format!("unknown label `{}` in this function", self.name(*name));
                self.error(&codes::CONTROL, label.used, message)
            }
            None => Ok(()),
        }
    }

    fn return_statement(&mut self, span: Span, value: Option<&Expr>) -> Checked<()> {
        self.of_kind(StatementKind::Return);
        let function = self.current.expect("statements are in functions");
        let Type::Function { result, .. } = *self.types().kind(self.program.function(function).ty) else {
            unreachable!("a function has a function type");
        };
        let value = match value {
            None => None,
            Some(expr) if result.unqualified() == TypeId::VOID => {
                self.effect(expr)?;
                None
            }
            Some(expr) => {
                let value = self.rvalue(expr)?;
                Some(self.convert_for(value, result, expr.span, "return")?)
            }
        };
        let location = self.location(span);
        let (at, exit) = (self.graph.at, self.graph.exit);
        self.of_kind(StatementKind::Return);
        self.graph.edge(at, exit, Operation::Return { value }, location, span);
        self.graph.at = self.graph.node();
        Ok(())
    }

    /// `({ …; value; })`.
    pub(super) fn statement_expression(&mut self, block: &Statement) -> Checked<Lowered> {
        let Written::Block(items) = &block.kind else {
            unreachable!("the parser made a block");
        };
        if self.current.is_none() {
            return self.error(&codes::CONSTANT, block.span, "a block has no value outside functions");
        }
        let kinds = self.graph.kinds;
        self.open_scope();
        let value = self.block_value(items);
        self.close_scope();
        self.graph.kinds = kinds;
        value
    }

    fn block_value(&mut self, items: &[Statement]) -> Checked<Lowered> {
        let Some((last, before)) = items.split_last() else {
            return Ok(Lowered::Value(self.nothing()));
        };
        for item in before {
            self.statement(item)?;
        }
        if let Written::Expr(Some(expr)) = &last.kind
            && self.as_assertion(expr).is_none()
        {
            self.of_kind(StatementKind::Expression);
            let value = self.lower(expr)?;
            return Ok(Lowered::Value(self.value(value)));
        }
        self.statement(last)?;
        Ok(Lowered::Value(self.nothing()))
    }
}
